"""The limits that people set for themselves: they fall at once and rise a day later (R13.3).

No row is taken back: the last one of a person and kind counts. Like a break, a limit belongs to a keyed fingerprint, so
nobody gets a rise at once by being forgotten and coming back.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import sqlalchemy as sa

from data.base.schema import limits
from data.base.values import Limit, LimitKind
from data.drivers.batch import Batch
from data.drivers.part import Part
from data.drivers.statement import ONE, Row, Statement, insert, param, params
from data.drivers.store import Store
from data.people.fingerprints import BREAK_BEGINS, DAY, HOUSE, Fingerprints, fingerprint_of
from engine.tables.ports import AlreadyDone, BankUnavailable, Clock

#: Seconds from asking for a higher limit until it counts.
RISES_AFTER: Final = DAY
#: The most attempts at a change while another one of the same person comes in between.
_ATTEMPTS: Final = 5

_ROW: Final = ("fingerprint", "user_id", "kind", "at", "most", "later", "later_at")
_mine = limits.c.fingerprint == param("fingerprint", sa.Text())
_newest = sa.select(sa.func.max(limits.c.id)).where(_mine, limits.c.kind == param("kind", sa.Text()))
_ADD: Final = Statement(insert(limits).values(**params(*_ROW)))
#: Asks whether the row that a change was worked out from is still the last one.
_AS_READ: Final = Statement(
    sa.select(ONE).where(sa.func.coalesce(_newest.scalar_subquery(), 0) == param("seen", sa.BigInteger()))
)
_KNOW_AGAIN: Final = Statement(
    sa.update(limits).values(user_id=param("user_id", sa.BigInteger())).where(_mine, limits.c.user_id.is_(None))
)


class Limits(Part):
    """Reads and changes the limits that people set for themselves."""

    def __init__(self, store: Store, clock: Clock, fingerprints: Fingerprints) -> None:
        super().__init__(store, clock)
        self._fingerprints = fingerprints

    async def of(self, user: int) -> Mapping[LimitKind, Limit]:
        """Return the limits of a person as they are now, one of each kind."""
        rows, now = await self._last(user), self._clock.now()
        return {kind: in_force(kind, rows.get(kind), now) for kind in LimitKind}

    async def set(self, user: int, kind: LimitKind, most: int | None) -> Limit:
        """Set a limit, or take it away with None, and return it as it now is.

        `most` is in cents or, for a limit on hands, a number of hands. A lower limit, or the same, counts at once and
        cancels a rise that waits; a higher one, or none, counts a day later. Raises BankUnavailable if the limit was
        changed at the same time in each of five attempts.
        """
        for _ in range(_ATTEMPTS):
            now, last = self._clock.now(), (await self._last(user)).get(kind)
            new = changed(in_force(kind, last, now), most, now)
            try:
                await self._add(user, new, now, last)
            except AlreadyDone:
                continue
            return new
        raise BankUnavailable(f"Somebody keeps changing {kind}.")

    # -- private ---------------------------------------------------------------------------------------------------

    async def _last(self, user: int) -> Mapping[str, Row]:
        """Return the last row of each kind of limit that the person ever set: the row that counts."""
        fingerprint = fingerprint_of(await self._fingerprints.key(), HOUSE, user)
        mine = sa.select(limits).where(limits.c.fingerprint == fingerprint).order_by(limits.c.id)
        return {row.kind: row for row in await self._store.rows(mine)}

    async def _add(self, user: int, new: Limit, now: float, last: Row | None) -> None:
        """Store a limit, or raise AlreadyDone if `last` is no longer the last row of its kind (None: there was none).

        The person's older rows get the Discord id again if they lost it when the person was forgotten.
        """
        values = {"fingerprint": fingerprint_of(await self._fingerprints.key(), HOUSE, user), "user_id": user}
        values |= {"kind": new.kind.value, "at": now, "most": new.most, "later": new.later, "later_at": new.later_at}
        batch = self._store.batch()
        batch.add(BREAK_BEGINS, {})
        batch.must(_AS_READ, {**values, "seen": last.id if last is not None else 0}, AlreadyDone(new.kind))
        batch.add(_KNOW_AGAIN, values)
        batch.add(_ADD, values)
        await self._store.write.run(batch)


def in_force(kind: LimitKind, row: Row | None, now: float) -> Limit:
    """Return a limit as it is at a moment, from its last row (None: never set). A rise counts once its time is here."""
    if row is None:
        return Limit(kind)
    if row.later_at is not None and row.later_at <= now:
        return Limit(kind, row.later)
    return Limit(kind, row.most, row.later, row.later_at)


def changed(was: Limit, most: int | None, now: float) -> Limit:
    """Return a limit after its person asked for `most` (None: no limit).

    A lower limit counts at once, a higher one a day later. Asking for the same or a lower limit cancels a rise that
    waits.
    """
    falls = most is not None and (was.most is None or most <= was.most)
    if falls or most == was.most:
        return Limit(was.kind, most)
    return Limit(was.kind, was.most, most, now + RISES_AFTER)


def know_limits_again(batch: Batch, key: bytes, user: int) -> None:
    """Let a batch put the Discord id back on a person's limits, which lose it when the person is forgotten."""
    batch.add(_KNOW_AGAIN, {"fingerprint": fingerprint_of(key, HOUSE, user), "user_id": user})


async def carry_limits(store: Store, kept: Sequence[Row]) -> None:
    """Add to a restored bank, in their order, the limits of the replaced bank (`kept`) that are not there yet."""
    here = {(row.fingerprint, row.kind, row.at) for row in await store.rows(sa.select(limits))}
    batch = store.batch()
    for row in kept:
        if (row.fingerprint, row.kind, row.at) not in here:
            batch.add(_ADD, {name: getattr(row, name) for name in _ROW})
    await store.write.run(batch)
