"""Proves the promises that cover many chains: what the message shows follows from the tips of the chains.

Only two tips are worked out from the root: the last one taken and the next one. `data.proofs.chains` proves every chain
that was taken.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from typing import Final

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from data.base.schema import OPEN_PROMISE, chains, promises
from data.drivers.statement import Row
from data.proofs.report import Fault, Wrong
from data.proofs.slices import LAST, KeyRange, Slice, Walk, between
from engine.fairness.chain import SLOTS, slot_root, tip_of, top_of

_taken = sa.select(sa.func.count()).where(chains.c.promise == promises.c.id).scalar_subquery()
_FOUND: Final = sa.select(promises, _taken.label("taken")).where(between(promises.c.id)).order_by(promises.c.id)

#: Returns the tip of a root. Results are remembered, because a chain is a thousand hashes long.
_tip: Final = lru_cache(1_024)(tip_of)


async def _look(connection: AsyncConnection, here: KeyRange) -> Slice:
    found = (await connection.execute(_FOUND, here.values)).all()
    return Slice(0, [fault for row in found for fault in _promise(row)])


def _promise(row: Row) -> Iterator[Fault]:
    def fault(expected: object, found: object) -> Fault:
        return Fault(Wrong.CHAIN, f"promise/{row.id}", row.guild, str(expected), str(found))

    root, tips = bytes(row.root), bytes(row.tips)
    if len(tips) != 32 * SLOTS or top_of(tips) != row.tip:
        yield fault("the digits of its tips", row.tip)
    if row.slots != row.taken:
        yield fault(f"{row.taken} slots taken", row.slots)
    for slot in {min(row.slots + 1, SLOTS), max(row.slots, 1)}:
        if _tip(slot_root(root, slot)) != tips[32 * (slot - 1) : 32 * slot].hex():
            yield fault(f"the tip of slot {slot}", "another")
    if row.slots and row.message is None:
        yield fault("a message", "none")


PROMISES: Final = Walk("promises", _look, (promises.c.id,), (-LAST,), 20)
OPEN_PROMISES: Final = replace(PROMISES, which=OPEN_PROMISE)
