"""Proves the books: each leaf's hash is worked out again from all that the leaf binds and from the hash before it."""

from __future__ import annotations

import itertools
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from operator import attrgetter
from typing import Final

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from data.base.schema import breaks, leaves, limits, rounds, transfers
from data.base.set_tables import sets
from data.drivers.statement import Row
from data.journal.leaves import HOUSE_BOOK, Content, contents
from data.journal.packs import Damaged
from data.journal.round_rows import ROUNDS
from data.proofs.report import Fault, Wrong
from data.proofs.slices import LAST, KeyRange, Slice, Walk, between

_before = leaves.alias()
_LEAVES: Final = (
    sa.select(leaves, _before.c.head.label("before"))
    .select_from(
        leaves.outerjoin(
            _before,
            sa.and_(_before.c.guild == leaves.c.guild, _before.c.place == leaves.c.place - sa.literal_column("1")),
        )
    )
    .where(between(leaves.c.number))
    .order_by(leaves.c.number, leaves.c.guild)
)
_UNTIL: Final = (
    sa.select(leaves.c.until)
    .where(leaves.c.number <= sa.bindparam("after_0"))
    .order_by(leaves.c.number.desc())
    .limit(1)
)
_TRANSFERS: Final = (
    sa.select(transfers)
    .where(transfers.c.id > sa.bindparam("since"), transfers.c.id <= sa.bindparam("until"))
    .order_by(transfers.c.id)
)
_ROUNDS: Final = ROUNDS.where(between(rounds.c.leaf))
_BREAKS: Final = sa.select(breaks).where(between(breaks.c.leaf)).order_by(breaks.c.id)
_LIMITS: Final = sa.select(limits).where(between(limits.c.leaf)).order_by(limits.c.id)
_SETS: Final = sa.select(sets).where(between(sets.c.leaf)).order_by(sets.c.closes, sets.c.id)

#: The content of leaves, by their number and their guild.
Bound = Mapping[int, Mapping[int, Content]]


async def _look(connection: AsyncConnection, here: KeyRange) -> Slice:
    found = (await connection.execute(_LEAVES, here.values)).all()
    if not found:
        return Slice(0)
    since = (await connection.execute(_UNTIL, here.values)).scalar() or 0
    bound = await _bound(connection, found, since, here)
    faults = list(_in_a_row(found, since))
    faults += [fault for row in found for fault in _leaf(row, bound)]
    known = {(row.number, row.guild) for row in found}
    faults += [
        Fault(Wrong.LEAF, f"leaf {number}", guild, "nothing of this guild", "something")
        for number, guilds in bound.items()
        for guild in guilds
        if (number, guild) not in known
    ]
    return Slice(len(found), faults)


async def _bound(connection: AsyncConnection, found: Sequence[Row], since: int, here: KeyRange) -> Bound:
    """Return everything that belongs to a leaf of this range, even of a guild that has no such leaf.

    The leaves are `found`, and `since` is the number of the last transfer before them. Rounds are also read from packs.
    If the pack of a round is damaged, all leaves with the number of that round's leaf are returned without rounds.
    """
    ends = dict(sorted({row.number: row.until for row in found}.items()))
    numbers, until = list(ends), list(ends.values())
    moved, ended, begun, decided, told = (defaultdict[int, list[Row]](list) for _ in range(5))
    for row in (await connection.execute(_TRANSFERS, {"since": since, "until": until[-1]})).all():
        moved[numbers[bisect_left(until, row.id)]].append(row)
    for row in (await connection.execute(_ROUNDS, here.values)).all():
        ended[row.leaf].append(row)
    for row in (await connection.execute(_BREAKS, here.values)).all():
        begun[row.leaf].append(row)
    for row in (await connection.execute(_LIMITS, here.values)).all():
        decided[row.leaf].append(row)
    for row in (await connection.execute(_SETS, here.values)).all():
        told[row.leaf].append(row)
    bound = dict[int, Mapping[int, Content]]()
    for number in sorted(moved.keys() | ended.keys() | begun.keys() | decided.keys() | told.keys()):
        of_people = begun[number], decided[number], told[number]
        try:
            bound[number] = await contents(connection, moved[number], ended[number], *of_people)
        except Damaged:  # which the rounds' own proof reports
            bound[number] = await contents(connection, moved[number], (), *of_people)
    return bound


def _in_a_row(found: Sequence[Row], since: int) -> Iterator[Fault]:
    """Find leaves whose transfers do not begin where the leaf before ended; the first leaf must begin at `since`."""
    for _, together in itertools.groupby(found, attrgetter("number")):
        rows = list(together)
        for row in rows:
            if (row.since, row.until) != (since, rows[0].until):
                expected, kept = f"transfers {since} to {rows[0].until}", f"{row.since} to {row.until}"
                yield Fault(Wrong.LEAF, f"leaf {row.place}", row.guild, expected, kept)
        since = rows[0].until


def _leaf(row: Row, bound: Bound) -> Iterator[Fault]:
    content = bound.get(row.number, {}).get(row.guild, Content())
    if row.before is None and row.place != 1:
        yield Fault(Wrong.LEAF, f"leaf {row.place}", row.guild, "a leaf before it", "none")
        return
    head = content.head(row.before or "")
    counted = tuple(len(getattr(content, kind)) for kind in _BOUND_KINDS)
    kept = tuple(getattr(row, kind) for kind in _BOUND_KINDS)
    if (head, counted) != (row.head, kept):
        counts, was = _COUNTS.format(*counted), _COUNTS.format(*kept)
        yield Fault(Wrong.LEAF, f"leaf {row.place}", row.guild, f"{was}, {row.head[:16]}", f"{counts}, {head[:16]}")


_BOUND_KINDS: Final = ("transfers", "rounds", "breaks", "limits", "sets")
_COUNTS: Final = "{} transfers, {} rounds, {} breaks, {} limits and {} days"


LEAVES: Final = Walk("leaves", _look, (leaves.c.number,), (0,), 25)


# -- rows that say they are bound --------------------------------------------------------------------------------------


def _bound_rows(table: sa.Table, guild: sa.ColumnElement[int]) -> Walk:
    """Return the walk through the rows of a table that name a leaf. It finds those whose leaf does not exist.

    `guild` is the SQL for the guild in whose book they are bound.
    """
    named = sa.select(table.c.leaf, guild.label("guild")).where(between(table.c.leaf)).distinct().subquery("named")
    its_leaf = sa.select(leaves.c.place).where(leaves.c.number == named.c.leaf, leaves.c.guild == named.c.guild)
    no_leaf = sa.select(named).where(its_leaf.scalar_subquery().is_(None))

    async def look(connection: AsyncConnection, here: KeyRange) -> Slice:
        found = (await connection.execute(no_leaf, here.values)).all()
        lost = f"none, but {table.name} on it"
        return Slice(0, [Fault(Wrong.LEAF, f"leaf {row.leaf}", row.guild, "a leaf", lost) for row in found])

    return Walk("leaves", look, (table.c.leaf,), (-LAST,), 20_000, which=table.c.leaf.is_not(None))


BOUND: Final = (
    _bound_rows(rounds, rounds.c.guild),
    _bound_rows(breaks, sa.literal_column(str(HOUSE_BOOK), sa.BigInteger)),
    _bound_rows(limits, sa.literal_column(str(HOUSE_BOOK), sa.BigInteger)),
    _bound_rows(sets, sa.literal_column(str(HOUSE_BOOK), sa.BigInteger)),
)
