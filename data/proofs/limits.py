"""Proves the limits that people set: each row follows from the one before it, and none rose within a day.

Faults name the number of a row and no person, because that is private.
"""

from __future__ import annotations

from typing import Final

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from data.base.schema import limits
from data.base.values import LimitKind
from data.drivers.statement import Row
from data.journal.leaves import HOUSE_BOOK
from data.people.limits import RISES_AFTER
from data.proofs.report import Fault, Wrong
from data.proofs.slices import KeyRange, Slice, Walk, between

_before, _earlier = limits.alias("before"), limits.alias("earlier")
_last_one: Final = (
    sa.select(sa.func.max(_earlier.c.id))
    .where(
        _earlier.c.fingerprint == limits.c.fingerprint,
        _earlier.c.kind == limits.c.kind,
        _earlier.c.id < limits.c.id,
    )
    .correlate(limits)
    .scalar_subquery()
)
_FOUND: Final = (
    sa.select(limits, *(_before.c[name].label(f"was_{name}") for name in ("most", "later", "later_at")))
    .select_from(limits.outerjoin(_before, _before.c.id == _last_one))
    .where(between(limits.c.id))
)


async def _look(connection: AsyncConnection, here: KeyRange) -> Slice:
    found = (await connection.execute(_FOUND, here.values)).all()
    return Slice(0, [_fault(row) for row in found if not _follows(row)])


def _fault(row: Row) -> Fault:
    return Fault(Wrong.LIMIT, f"limit {row.id}", HOUSE_BOOK, "one that falls, or rises a day later", "another")


def _follows(row: Row) -> bool:
    """Return whether the row may follow the one before it: a limit falls at once, and rises a day later."""
    if row.kind not in set(LimitKind):
        return False
    rose = row.was_later_at is not None and row.was_later_at <= row.at
    was = row.was_later if rose else row.was_most
    if row.later_at is None:
        return row.later is None and not _is_higher(row.most, was)
    waited = round(row.later_at - row.at, 3) == RISES_AFTER
    return bool(waited and row.most == was and _is_higher(row.later, was))


def _is_higher(most: int | None, than: int | None) -> bool:
    return than is not None and (most is None or most > than)


LIMITS: Final = Walk("limits", _look, (limits.c.id,), (0,), 1_000)
