"""Proves the breaks: each has an allowed length, and the person's rows of `members` refuse stakes until the last ends.

Faults name the number of a break and no person, because that is private.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from data.base.schema import breaks, members
from data.base.values import NEVER, Rest
from data.drivers.statement import Row
from data.journal.leaves import HOUSE_BOOK
from data.people.breaks import ALL, ASKED_AFTER, ENDS_AFTER, SECONDS, last_end
from data.proofs.report import Fault, Wrong
from data.proofs.slices import KeyRange, Slice, Walk, between

_ended = breaks.alias("ended")
_LENGTHS: Final = frozenset(SECONDS.values())
_FOUND: Final = (
    sa.select(breaks, _ended.c.until.label("was_until"), _ended.c.began_at.label("was_begun"))
    .outerjoin(_ended, _ended.c.id == breaks.c.ends)
    .where(between(breaks.c.id))
)


def _door(*which: sa.ColumnElement[bool]) -> sa.ColumnElement[float]:
    """Return the SQL for the latest end of those of a member's breaks that meet these conditions; 0 without any."""
    return sa.func.coalesce(last_end(breaks.c.user_id == members.c.user_id, *which), 0.0)


_ajar = sa.or_(
    sa.func.coalesce(members.c.resting_until, 0.0) != _door(),
    sa.func.coalesce(members.c.away_until, 0.0) != _door(ALL),
)
_taken = breaks.alias("taken")
#: The breaks of people with a row of `members` that has another end.
_OPEN_DOORS: Final = (
    sa.select(_taken.c.id)
    .join(members, members.c.user_id == _taken.c.user_id)
    .where(between(_taken.c.id), _ajar)
    .distinct()
)
#: The members whose row has another end than the last of their breaks.
_SHUT_OUT: Final = sa.select(members.c.id).where(between(members.c.id), _ajar)
_rests = sa.or_(members.c.resting_until.is_not(None), members.c.away_until.is_not(None))


async def _look(connection: AsyncConnection, here: KeyRange) -> Slice:
    found = (await connection.execute(_FOUND, here.values)).all()
    ajar = (await connection.execute(_OPEN_DOORS, here.values)).all()
    faults = [fault for row in found for fault in _break(row)]
    faults += [
        Fault(Wrong.BREAK, f"break {row.id}", HOUSE_BOOK, "a door that is shut as long", "another") for row in ajar
    ]
    return Slice(0, faults)


def _break(row: Row) -> Iterator[Fault]:
    if row.what not in set(Rest) or not (_lasts(row) if row.ends is None else _was_asked_for(row)):
        expected, found = "as long as one may be taken", f"{row.what}, {row.until - row.began_at:.0f} seconds"
        yield Fault(Wrong.BREAK, f"break {row.id}", HOUSE_BOOK, expected, found)


def _lasts(row: Row) -> bool:
    """Return whether the break has one of the allowed lengths, apart from the rounding of floats."""
    return row.until == NEVER or round(row.until - row.began_at, 3) in _LENGTHS


def _was_asked_for(row: Row) -> bool:
    """Return whether a row that ends an unlimited break is right: begun after a year of the break, and 30 days long."""
    if row.was_until != NEVER or round(row.until - row.began_at, 3) != ENDS_AFTER:
        return False
    return bool(row.began_at >= row.was_begun + ASKED_AFTER)


async def _look_at_doors(connection: AsyncConnection, here: KeyRange) -> Slice:
    shut = (await connection.execute(_SHUT_OUT, here.values)).all()
    return Slice(0, [Fault(Wrong.BREAK, f"member/{row.id}", HOUSE_BOOK, "a break", "none") for row in shut])


BREAKS: Final = Walk("breaks", _look, (breaks.c.id,), (0,), 1_000)
DOORS: Final = Walk("breaks", _look_at_doors, (members.c.id,), (0,), 1_000, which=_rests)
