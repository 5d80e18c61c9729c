"""Runs the audit, and stops or allows new stakes by what it finds."""

from __future__ import annotations

import asyncio
from typing import Final

import sqlalchemy as sa

from data.base.schema import leaves, stops
from data.drivers.part import Part
from data.drivers.statement import Statement, param
from data.drivers.store import Store
from data.jobs.notes import Notes
from data.proofs.audit import MONEY, PAST, PLAY, Findings, Progress, audit, go_through
from data.proofs.pieces import begun, key_ranges
from data.proofs.recent import NEWEST_BOOKMARK, Bookmark, since
from data.proofs.report import Report
from data.proofs.rounds import BOOKS, ROUNDS
from engine.tables.ports import Clock

#: The names of two notes (data.jobs.notes): the last leaf that is proved, and when everything was last proved.
_PROVED: Final = "proved leaf"
_WHOLE: Final = "proved whole"
_STOP: Final = Statement(sa.insert(stops).values(reason=param("reason"), at=param("at")))
_ALLOW: Final = Statement(sa.delete(stops))
_STOPPED: Final = sa.select(stops.c.reason).order_by(stops.c.id).limit(1)


class Auditor(Part):
    """The audit, and the switch for new stakes."""

    def __init__(self, store: Store, clock: Clock) -> None:
        super().__init__(store, clock)
        self._notes = Notes(store, clock)
        self._inspecting = asyncio.Lock()
        self._sound: Report | None = None

    async def audit(self, *, replay: bool = True, progress: Progress | None = None) -> Report:
        """Audit everything, and change nothing.

        Without `replay`, play nothing again: prove only the chips of rounds, and skip the other walks of `PLAY`.
        """
        walks = (*MONEY, *(PLAY if replay else (BOOKS,)), *PAST)
        return await audit(self._store.slicing, self._clock.now(), walks, progress)

    async def audit_at_once(self, processes: int, progress: Progress | None = None) -> Report:
        """Audit everything, and change nothing, with this many more processes that play rounds again.

        With few rounds, or fewer than two processes, do it all in this one.
        """
        at, reading, found = self._clock.now(), self._store.slicing, Findings()
        apart = await key_ranges(reading)
        if len(apart) < 2 or processes < 2:
            return await self.audit(progress=progress)
        with begun(self._store.engine.url, apart, processes) as pieces:
            for walk in (*MONEY, *PLAY, *PAST):
                if walk is not ROUNDS:
                    await go_through(walk, reading, found, progress=progress)
            async for piece in pieces:
                found.join(piece)
                if progress is not None:
                    progress(ROUNDS.what, found.looked[ROUNDS.what])
        return found.report(at)

    async def audit_since(self, mark: Bookmark | None, progress: Progress | None = None) -> Report:
        """Audit what came since a leaf, and everything open; or the whole bank if no leaf is given."""
        walks = since(mark) if mark is not None else (*MONEY, *PLAY, *PAST)
        return await audit(self._store.slicing, self._clock.now(), walks, progress)

    async def inspect(self, *, within: float = 0.0, progress: Progress | None = None) -> Report:
        """Audit everything, and allow stakes if and only if nothing was found wrong.

        One audit runs at a time. A clean report that is less than `within` seconds old is returned again, unless
        `look_in` has found a fault since.
        """
        async with self._inspecting:
            if self._sound is None or not 0 <= self._clock.now() - self._sound.at < within:
                report = await self._judge(None, progress)
                self._sound = report if report.clean else None
                return report
            return self._sound

    async def look_in(self, whole_every: float = 0.0) -> Report:
        """Audit what came since the last clean audit, and stop stakes if something is wrong.

        Audit everything if the last clean audit of everything is `whole_every` seconds old, or while stakes are
        stopped. A clean audit of everything allows them again.
        """
        async with self._inspecting:
            marked, whole_at = [await self._notes.number(name) for name in (_PROVED, _WHOLE)]
            mark = await self._mark_at(marked) if marked else None
            due = not 0 <= self._clock.now() - whole_at < whole_every
            if due or await self._store.value(_STOPPED) is not None:
                mark = None
            report = await self._judge(mark, None)
            self._sound = self._sound if report.clean else None
            return report

    async def stakes_stopped(self) -> str | None:
        """Return why new stakes are stopped, such as a fault in an audit or a full disk; None if they are not."""
        reason: str | None = self._store.watch.trouble() or await self._store.value(_STOPPED)
        return reason

    async def stop_stakes(self, reason: str) -> None:
        """Stop new stakes in all processes at once. Open rounds go on."""
        await self._store.change(_STOP, {"reason": reason, "at": self._clock.now()})

    async def allow_stakes(self) -> None:
        """Delete all reasons why stakes were stopped, for all processes at once."""
        await self._store.change(_ALLOW, {})

    # -- private ---------------------------------------------------------------------------------------------------

    async def _judge(self, mark: Bookmark | None, progress: Progress | None) -> Report:
        """Audit everything, or what came since `mark`, and stop stakes if something is wrong.

        If all is clean, store how far everything is proved, and after an audit of everything allow stakes again.
        """
        newest, now = await self._store.row(NEWEST_BOOKMARK), self._clock.now()
        report = await self.audit_since(mark, progress)
        stopped = await self._store.value(_STOPPED)
        if report.clean and stopped is not None and mark is None:
            await self.allow_stakes()
        elif not report.clean and stopped is None:
            await self.stop_stakes(str(report.faults[0]))
        if report.clean:
            await self._notes.keep_numbers({_PROVED: newest.number if newest else 0} | ({} if mark else {_WHOLE: now}))
        return report

    async def _mark_at(self, leaf: float) -> Bookmark | None:
        row = await self._store.row(sa.select(leaves.c.until).where(leaves.c.number == int(leaf)).limit(1))
        return Bookmark(int(leaf), row.until) if row is not None else None
