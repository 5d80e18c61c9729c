"""Proves the chains: each tip follows from its root, each round is counted, and the hash of the last round is kept.

A chain that a promise covers must also have the root of its slot, and a path to what that promise shows.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Final

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from data.base.schema import OPEN_CHAIN, chains, promises, rounds
from data.drivers.statement import Row
from data.proofs.report import Fault, Wrong
from data.proofs.slices import LAST, KeyRange, Slice, Walk, between
from engine.fairness.chain import DEPTH, apart, folded, mark, slot_root, tip_of
from engine.tables.places import owner_of

_with_promise = chains.outerjoin(promises, promises.c.id == chains.c.promise)
_FOUND: Final = (
    sa.select(
        chains,
        promises.c.root.label("above"),
        promises.c.tip.label("shown"),
        promises.c.guild.label("promised_to"),
        promises.c.channel.label("promised_in"),
        promises.c.message.label("promised_by"),
        promises.c.slots,
        promises.c.ended_at.label("promise_ended_at"),
    )
    .select_from(_with_promise)
    .where(between(chains.c.id))
    .order_by(chains.c.id)
)
_ROUNDS: Final = sa.select(rounds.c.chain, rounds.c.link, rounds.c.dealt_at, rounds.c.finished_at, rounds.c.hash).where(
    sa.tuple_(rounds.c.guild, rounds.c.code).in_(sa.bindparam("marks", expanding=True))
)
_places = sa.select(chains.c.place).where(between(chains.c.id))
_LASTS: Final = sa.select(chains.c.id, chains.c.place, chains.c.last).where(chains.c.place.in_(_places))

#: Returns the tip of a root. Results are remembered, because a chain is a thousand hashes long.
_tip: Final = lru_cache(1_024)(tip_of)


@dataclass(slots=True)
class _NewestRounds:
    """The newest rounds of a chain that were dealt, and the hashes of those that are over."""

    links: set[int] = field(default_factory=set)
    hashes: dict[int, str] = field(default_factory=dict)  # the hash of each link


async def _look(connection: AsyncConnection, here: KeyRange) -> Slice:
    found = (await connection.execute(_FOUND, here.values)).all()
    marks = [
        (row.guild, mark(row.shown or row.tip, link, row.slot))
        for row in found
        for link in (row.used - 1, row.used, row.used + 1)  # the last two rounds that were dealt, and the next
        if link > 0
    ]
    dealt = defaultdict[int, _NewestRounds](_NewestRounds)
    for row in (await connection.execute(_ROUNDS, {"marks": marks})).all() if marks else ():
        if row.chain is not None and row.dealt_at is not None:
            dealt[row.chain].links.add(row.link)
            if row.finished_at is not None:
                dealt[row.chain].hashes[row.link] = row.hash
    lasts = (await connection.execute(_LASTS, here.values)).all() if found else ()
    wrong = [fault for row in found for fault in _chain(row, dealt[row.id], _before(row, lasts))]
    return Slice(0, wrong)


def _before(row: Row, lasts: Sequence[Row]) -> set[str]:
    """Return the values that column `last` may have in the row of a chain from which no round is finished.

    These are "", and the `last` of every other chain of the same place among `lasts`.
    """
    return {other.last for other in lasts if other.place == row.place and other.id != row.id} | {""}


def _chain(row: Row, dealt: _NewestRounds, before: set[str]) -> Iterator[Fault]:
    def fault(expected: object, found: object) -> Fault:
        return Fault(Wrong.CHAIN, f"chain/{row.id}", row.guild, str(expected), str(found))

    tip = _tip(bytes(row.root))
    if tip != row.tip:
        yield fault(f"the tip {tip}", row.tip)
    yield from (fault(*wrong) for wrong in _under_its_promise(row))
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


def _under_its_promise(row: Row) -> Iterator[tuple[object, object]]:
    """Yield what differs between a chain and the promise that covers it: what is expected, and what is found."""
    if row.promise is None:
        if row.slot:
            yield "no slot", row.slot
        return
    if row.above is None:
        yield f"promise {row.promise}", "none"
        return
    if not 1 <= row.slot <= row.slots:
        yield f"one of {row.slots} slots", row.slot
    elif slot_root(bytes(row.above), row.slot) != bytes(row.root):
        yield f"the root of slot {row.slot}", "another"
    path = [beside.hex() for beside in apart(bytes(row.path or b""))]
    if len(path) != DEPTH or folded(row.tip, row.slot, path) != row.shown:
        yield f"a path to {row.shown}", "another"
    promised = row.promised_to, row.promised_in, row.promised_by
    if promised != (row.guild, row.channel, row.message):
        yield promised, (row.guild, row.channel, row.message)
    if row.ended_at is None and row.promise_ended_at is not None:
        yield "an end with its promise", "in use"


CHAINS: Final = Walk("chains", _look, (chains.c.id,), (-LAST,), 100)
OPEN_CHAINS: Final = replace(CHAINS, which=OPEN_CHAIN)
