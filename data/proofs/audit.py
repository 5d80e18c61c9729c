"""The proof that no chip was lost or made, from the transfers up.

Nothing that is kept is believed: balances, results and scores are worked out again from the transfers and the journal,
and what differs is a fault. The audit walks through each table once, in slices. A slice is read in one short
transaction, with all that belongs to its rows, so nothing that is written meanwhile can look like a fault, and between
two slices it can be interrupted. What differs is read again before it is called a fault.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field, replace
from typing import Final

from sqlalchemy.ext.asyncio import AsyncConnection

from data.proofs.accounts import MEMBERS, POTS
from data.proofs.entries import ENTRIES
from data.proofs.moves import MOVES
from data.proofs.report import Fault, Report, Wrong
from data.proofs.rounds import ROUNDS
from data.proofs.slices import AccountKey, Slice, Stretch, Walk

#: Faults told of each kind; the first few say enough.
MOST_FAULTS: Final = 20

#: A transaction that sees one moment of the bank.
Reading = Callable[[], AbstractAsyncContextManager[AsyncConnection]]


async def audit(reading: Reading, at: float) -> Report:
    """Walk through the whole bank."""
    found = _Findings()
    people, pots, moves, rounds, _ = [
        await _walk(walk, reading, found) for walk in (MEMBERS, POTS, MOVES, ROUNDS, ENTRIES)
    ]
    return Report(at, people + pots, moves, rounds, found.told())


@dataclass(slots=True)
class _Findings:
    """The faults of all slices."""

    faults: dict[Wrong, dict[tuple[str, int], Fault]] = field(default_factory=lambda: defaultdict(dict))
    surplus: dict[AccountKey, int] = field(default_factory=dict)

    def add(self, part: Slice) -> None:
        for fault in part.faults:
            self.faults[fault.wrong].setdefault((fault.where, fault.guild), fault)
        self.surplus.update(part.surplus)

    def told(self) -> tuple[Fault, ...]:
        """The first few of each kind. Double entry makes a guild's accounts sum to zero, but for what has no entry."""
        sums: Counter[int] = Counter()
        for (guild, _), chips in self.surplus.items():
            sums[guild] += chips
        unequal = [Fault(Wrong.SUM, "all accounts", guild, "0", str(chips)) for guild, chips in sums.items() if chips]
        first = {wrong: list(self.faults[wrong].values())[:MOST_FAULTS] for wrong in Wrong}
        first[Wrong.SUM] = unequal[:MOST_FAULTS]
        return tuple(fault for faults in first.values() for fault in faults)


async def _walk(walk: Walk, reading: Reading, found: _Findings) -> int:
    """From the first row to the last; how many there were."""
    async with reading() as connection:
        until = (await connection.execute(walk.last)).first()
    looked, after = 0, walk.before
    while until is not None:
        part = await _slice(walk, reading, Stretch(after, tuple(until), walk.size))
        if part.last is None:
            break
        found.add(part)
        looked, after = looked + part.looked, part.last
    return looked


async def _slice(walk: Walk, reading: Reading, here: Stretch) -> Slice:
    """The next rows. Where something differs they are read once more, and only what differs again is a fault."""
    async with reading() as connection:
        part = await walk.look(connection, here)
    if not part.faults:
        return part
    first = {_same(fault) for fault in part.faults}
    async with reading() as connection:
        again = await walk.look(connection, here)
    return replace(again, faults=[fault for fault in again.faults if _same(fault) in first])


def _same(fault: Fault) -> tuple[Wrong, str, int]:
    return fault.wrong, fault.where, fault.guild
