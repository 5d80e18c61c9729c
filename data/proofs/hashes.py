"""Proves the books: each leaf is hashed again from its transfers and rounds, and from the head of the one before."""

from __future__ import annotations

import itertools
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from operator import attrgetter
from typing import Final

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from data.base.schema import leaves, rounds, transfers
from data.drivers.statement import Row
from data.journal.leaves import Content, contents
from data.journal.packs import Damaged
from data.proofs.report import Fault, Wrong
from data.proofs.slices import LAST, KeyRange, Slice, Walk, between

_before = leaves.alias()
_previous: sa.ColumnElement[int] = leaves.c.place - sa.literal_column("1", sa.BigInteger)
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
_ROUNDS: Final = sa.select(rounds).where(between(rounds.c.leaf))

#: The content of the leaves that were bound together, by guild.
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
    """Return all transfers and rounds of these leaves, wherever they are stored now."""
    ends = dict(sorted({row.number: row.until for row in found}.items()))
    numbers, until = list(ends), list(ends.values())
    moved, ended = defaultdict[int, list[Row]](list), defaultdict[int, list[Row]](list)
    for row in (await connection.execute(_TRANSFERS, {"since": since, "until": until[-1]})).all():
        moved[numbers[bisect_left(until, row.id)]].append(row)
    for row in (await connection.execute(_ROUNDS, here.values)).all():
        ended[row.leaf].append(row)
    bound = dict[int, Mapping[int, Content]]()
    for number in sorted(moved.keys() | ended.keys()):
        try:
            bound[number] = await contents(connection, moved[number], ended[number])
        except Damaged:  # which the rounds' own proof reports
            bound[number] = await contents(connection, moved[number], ())
    return bound


def _in_a_row(found: Sequence[Row], since: int) -> Iterator[Fault]:
    """Find leaves whose transfers do not begin where those before ended, in the books of all servers."""
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
    if (head, len(content.transfers), len(content.rounds)) != (row.head, row.transfers, row.rounds):
        counts = f"{len(content.transfers)} transfers and {len(content.rounds)} rounds"
        was = f"{row.transfers} transfers and {row.rounds} rounds"
        yield Fault(Wrong.LEAF, f"leaf {row.place}", row.guild, f"{was}, {row.head[:16]}", f"{counts}, {head[:16]}")


LEAVES: Final = Walk("leaves", _look, (leaves.c.number,), (0,), 25)


# -- rounds that say they are bound ------------------------------------------------------------------------------------

_named = sa.select(rounds.c.leaf, rounds.c.guild).where(between(rounds.c.leaf)).distinct().subquery("named")
_their_leaf = (
    sa.select(leaves.c.place)
    .where(leaves.c.number == _named.c.leaf, leaves.c.guild == _named.c.guild)
    .scalar_subquery()
)
_NO_LEAF: Final = sa.select(_named).where(_their_leaf.is_(None))


async def _are_bound(connection: AsyncConnection, here: KeyRange) -> Slice:
    """Find rounds that name a leaf that does not exist: they would never be bound."""
    found = (await connection.execute(_NO_LEAF, here.values)).all()
    return Slice(
        0, [Fault(Wrong.LEAF, f"leaf {row.leaf}", row.guild, "a leaf", "none, but rounds on it") for row in found]
    )


BOUND: Final = Walk("leaves", _are_bound, (rounds.c.leaf,), (-LAST,), 20_000, which=rounds.c.leaf.is_not(None))
