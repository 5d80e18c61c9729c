"""The days of Today's five: their chain, their sets, and which days are neutral for streaks."""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable, Sequence
from typing import ClassVar, Final

import sqlalchemy as sa

from data.base.set_tables import COUNTED, DAY_SET, OF_DAYS, OPEN_STREAM, VALID, sets, streams, tries
from data.base.sets import DayToPrepare, StoredSet, StreamPromise
from data.drivers.part import Part
from data.drivers.statement import Row, Statement, insert_once, param
from data.drivers.store import Store
from data.sets.outages import BETWEEN
from data.sets.stored import STORED, set_of, values_of
from engine.fairness.chain import LENGTH, seed_of, tip_of
from engine.fairness.days import Day, PlayedTry
from engine.sets.calendar import DAY, WEEK, closes, day_at, opens, public_from
from engine.sets.choosing import WEEKS
from engine.sets.prepared import Prepared, deals_from
from engine.tables.ports import Clock, StillSecret

#: The number of days ahead for which sets are prepared.
AHEAD: Final = 2
#: A day with more than these seconds of outages is neutral: nobody missed it (R11.8).
NEUTRAL: Final = 12 * 3_600.0

_BEGIN: Final = insert_once(streams, but=("id",))
_KEEP: Final = insert_once(sets, but=("id", "guild", "void", "leaf", "tournament"))
_USED_UP: Final = Statement(
    sa.update(streams)
    .values(ended_at=param("now", sa.Double()), why="used up")
    .where(OPEN_STREAM, streams.c.first_day <= param("last_first", sa.Integer()))
)
_OPEN: Final = sa.select(streams).where(OPEN_STREAM, OF_DAYS).order_by(streams.c.first_day)
_PREPARED: Final = sa.select(sets.c.day).where(sets.c.stream == sa.bindparam("stream"), VALID)
_ASKED: Final = (
    sa.select(sets.c.deals)
    .where(sets.c.stream == sa.bindparam("stream"), VALID, sets.c.day.in_(sa.bindparam("days", expanding=True)))
    .order_by(sets.c.day.desc())
)
_FIRST: Final = sa.select(sa.func.min(streams.c.first_day)).where(OF_DAYS)
_ON: Final = STORED.where(sets.c.day == sa.bindparam("day"), VALID)
_SET: Final = STORED.where(sets.c.id == sa.bindparam("set"), sets.c.kind == DAY_SET)
_again = sets.alias("again")
_VOID: Final = sa.select(sets.c.day).where(
    *(sets.c.void == 1, ~sa.exists().where(_again.c.day == sets.c.day, _again.c.void == sa.literal_column("0"))),
    *(sets.c.day >= sa.bindparam("first"), sets.c.day <= sa.bindparam("last")),
)
_OWN: Final = sa.select(tries).where(
    tries.c.set == sa.bindparam("set"), tries.c.person == sa.bindparam("person"), COUNTED
)


class Days(Part):
    """The days of Today's five.

    A set is prepared by `engine.coach.prepare_day`, outside of the bank::

        while (missing := await bank.days.to_prepare()) is not None:
            prepared = await prepare_day(coach.ask, missing.day, missing.seed, missing.asked_before)
            await bank.days.keep(missing, prepared)
    """

    #: Seconds between looks whether a day is to be prepared.
    every: ClassVar[float] = 60.0

    def __init__(self, store: Store, clock: Clock) -> None:
        super().__init__(store, clock)
        #: The source of random bytes for roots.
        self.chance: Callable[[int], bytes] = secrets.token_bytes

    async def to_prepare(self) -> DayToPrepare | None:
        """Return the earliest day up to the day after tomorrow that is not prepared, or None.

        Also begin a chain with tomorrow as its first day if none is in use, and begin the next chain in time before the
        present one is used up.
        """
        today = day_at(self._clock.now())
        for stream in await self._streams(today):
            prepared = {row.day for row in await self._store.rows(_PREPARED, {"stream": stream.id})}
            for day in range(stream.first_day, min(today + AHEAD + 1, stream.first_day + LENGTH)):
                if day not in prepared:
                    link = day - stream.first_day + 1
                    seed = seed_of(bytes(stream.root), link)
                    return DayToPrepare(day, stream.id, link, seed, await self._asked_before(stream.id, day))
        return None

    async def begin_today(self) -> None:
        """Begin the first chain of a house with today as day 1, although nobody could see its tip before.

        Do nothing if there ever was a chain.
        """
        if await self.first_day() is None:
            await self._begin(day_at(self._clock.now()))

    async def keep(self, missing: DayToPrepare, prepared: Prepared) -> None:
        """Store a day that was prepared. If another process was faster, the day that it stored stays."""
        values = {"kind": DAY_SET, "day": missing.day, "stream": missing.stream, "link": missing.link}
        values |= {**values_of(prepared), "opens": opens(missing.day), "closes": closes(missing.day)}
        await self._store.change(_KEEP, values)

    async def promise(self) -> StreamPromise | None:
        """Return the public part of the chain that today or the next days are dealt from; None before there is one."""
        today = day_at(self._clock.now())
        found = [row for row in await self._store.rows(_OPEN) if today < row.first_day + LENGTH]
        return StreamPromise(found[0].tip, found[0].first_day) if found else None

    async def first_day(self) -> int | None:
        """Return the first day of all, counted from 1 January 1970; None before there is any."""
        first: int | None = await self._store.value(_FIRST)
        return first

    async def today(self) -> StoredSet | None:
        """Return the day that is open now; None if it is void, not prepared yet, or before the first day."""
        return await self.on(day_at(self._clock.now()))

    async def on(self, day: int) -> StoredSet | None:
        """Return the set of a day; None if there is none, or only a void one."""
        row = await self._store.row(_ON, {"day": day})
        return set_of(row) if row is not None else None

    async def get(self, number: int) -> StoredSet | None:
        """Return the day whose set has this number, even if it is void; None if there is none."""
        row = await self._store.row(_SET, {"set": number})
        return set_of(row) if row is not None else None

    async def on_paper(self, day: int, person: int | None = None) -> Day:
        """Return everything that anybody needs to check a day, with a person's own try if it brought points.

        Raises StillSecret until the day is public, and for a day that is void or was never prepared.
        """
        row = await self._store.row(_ON, {"day": day})
        if row is None or self._clock.now() < public_from(day):
            raise StillSecret(f"day {day}")
        own = await self._store.row(_OWN, {"set": row.id, "person": person}) if person is not None else None
        before = await self._asked_before(row.stream, row.day)
        root = bytes(row.root) if row.ended_at is not None else None
        kept = set_of(row)
        played = PlayedTry(own.steps, own.points) if own is not None else None
        return Day(day, kept.tip, kept.link, kept.seed, before, kept.prepared, root, played)

    # -- whether the house was up ----------------------------------------------------------------------------------

    async def neutral(self, first: int, last: int) -> frozenset[int]:
        """Return the days from `first` to `last` (both included) that do not count as missed in streaks (R11.8).

        They are void days, and those on which the house was down for more than twelve hours.
        """
        void = await self._store.rows(_VOID, {"first": first, "last": last})
        silent = await self._store.rows(BETWEEN, {"since": opens(first), "until": closes(last)})
        down: dict[int, float] = {}
        for row in silent:
            for day in range(max(first, day_at(row.began_at)), min(last, day_at(row.ended_at)) + 1):
                lost = min(row.ended_at, closes(day)) - max(row.began_at, opens(day))
                down[day] = down.get(day, 0.0) + lost
        return frozenset({row.day for row in void} | {day for day, lost in down.items() if lost > NEUTRAL})

    async def end_used_up(self) -> None:
        """End chains whose last day closed at least a day ago, so that their roots may be shown."""
        now = self._clock.now()
        last_first = day_at(now - 2 * DAY) - LENGTH + 1
        await self._store.change(_USED_UP, {"now": now, "last_first": last_first})

    # -- private -----------------------------------------------------------------------------------------------------

    async def _streams(self, today: int) -> Sequence[Row]:
        """Return the chains in use, the earliest first. If none reaches the day `today + AHEAD`, begin another."""
        found = await self._store.rows(_OPEN)
        last = found[-1].first_day + LENGTH - 1 if found else today
        if found and last >= today + AHEAD:
            return found
        await self._begin(max(last, today) + 1)
        return await self._store.rows(_OPEN)

    async def _begin(self, first_day: int) -> None:
        root = self.chance(32)
        values = {"root": root, "tip": tip_of(root), "first_day": first_day, "began_at": self._clock.now()}
        await self._store.change(_BEGIN, {**values, "ended_at": None, "why": None})

    async def _asked_before(self, stream: int, day: int) -> tuple[tuple[str, ...], ...]:
        """Return the situations asked about on the same weekday in each of the four weeks before, the latest day first.

        There is a tuple for each of these days that this chain has dealt.
        """
        days = [day - WEEK * weeks for weeks in range(1, WEEKS + 1)]
        rows = await self._store.rows(_ASKED, {"stream": stream, "days": days})
        return tuple(tuple(deal.situation for deal in deals_from(json.loads(row.deals))) for row in rows)
