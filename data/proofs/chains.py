"""Proves the chains: each tip follows from its root, each round is counted, and the last one's hash is kept."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Final

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from data.base.schema import OPEN_CHAIN, chains, rounds
from data.drivers.statement import Row
from data.proofs.report import Fault, Wrong
from data.proofs.slices import LAST, KeyRange, Slice, Walk, between
from engine.fairness.chain import mark, tip_of
from engine.tables.places import owner_of

_FOUND: Final = sa.select(chains).where(between(chains.c.id)).order_by(chains.c.id)
_ROUNDS: Final = sa.select(rounds.c.chain, rounds.c.link, rounds.c.dealt_at, rounds.c.finished_at, rounds.c.hash).where(
    sa.tuple_(rounds.c.guild, rounds.c.code).in_(sa.bindparam("marks", expanding=True))
)
_places = sa.select(chains.c.place).where(between(chains.c.id))
_LASTS: Final = sa.select(chains.c.id, chains.c.place, chains.c.last).where(chains.c.place.in_(_places))

#: A chain is a thousand hashes long.
_tip: Final = lru_cache(1_024)(tip_of)


@dataclass(slots=True)
class _Dealt:
    """The newest rounds of a chain that were dealt, and the hashes of those that are over."""

    links: set[int] = field(default_factory=set)
    hashes: dict[int, str] = field(default_factory=dict)


async def _look(connection: AsyncConnection, here: KeyRange) -> Slice:
    found = (await connection.execute(_FOUND, here.values)).all()
    marks = [(row.guild, mark(row.tip, link)) for row in found for link in _newest(row) if link > 0]
    dealt = defaultdict[int, _Dealt](_Dealt)
    for row in (await connection.execute(_ROUNDS, {"marks": marks})).all() if marks else ():
        if row.chain is not None and row.dealt_at is not None:
            dealt[row.chain].links.add(row.link)
            if row.finished_at is not None:
                dealt[row.chain].hashes[row.link] = row.hash
    lasts = (await connection.execute(_LASTS, here.values)).all() if found else ()
    wrong = [fault for row in found for fault in _chain(row, dealt[row.id], _before(row, lasts))]
    return Slice(0, wrong)


def _newest(row: Row) -> Sequence[int]:
    """Return the numbers of the round dealt last, the one before it, and the one to come."""
    return row.used - 1, row.used, row.used + 1


def _before(row: Row, lasts: Sequence[Row]) -> set[str]:
    """Return what a chain without rounds may go on from: the end of another one of its place, or nothing."""
    return {other.last for other in lasts if other.place == row.place and other.id != row.id} | {""}


def _chain(row: Row, dealt: _Dealt, before: set[str]) -> Iterator[Fault]:
    def fault(expected: object, found: object) -> Fault:
        return Fault(Wrong.CHAIN, f"chain/{row.id}", row.guild, str(expected), str(found))

    tip = _tip(bytes(row.root))
    if tip != row.tip:
        yield fault(f"the tip {tip}", row.tip)
    if row.used and row.used not in dealt.links:
        yield fault(f"its round {row.used}", "none")
    over = row.used if row.used in dealt.hashes else max(row.used - 1, 0)
    if row.finished != over:
        yield fault(f"{over} rounds over", row.finished)
    if row.member not in (None, owner_of(row.place)):
        yield fault(f"a place of member {row.member}", row.place)
    if row.used + 1 in dealt.links:
        yield fault(f"{row.used} rounds dealt", "one more")
    known = {dealt.hashes[max(dealt.hashes)]} if dealt.hashes else before
    if row.last not in known:
        yield fault(f"going on from {sorted(known)}", row.last)


CHAINS: Final = Walk("chains", _look, (chains.c.id,), (-LAST,), 100)
OPEN_CHAINS: Final = replace(CHAINS, which=OPEN_CHAIN)
