"""The audit, which proves from the transfers up that no chip was lost or made.

Nothing stored is believed: balances, results and scores are worked out again from the transfers and the journal, and
every finished round is dealt and played again from its record. A difference is a fault. The audit walks through each
table once, in slices. A slice is read in one short transaction, with all that belongs to its rows, so nothing that is
written at the same time can look like a fault, and between two slices the audit can be interrupted. A difference is
read again before it is called a fault.
"""

from __future__ import annotations

import asyncio
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import compress
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy.exc import OperationalError
from sqlalchemy.ext.asyncio import AsyncConnection

from data.proofs.away import PACKS
from data.proofs.balances import MEMBERS, POTS, RESULTS
from data.proofs.breaks import BREAKS, DOORS
from data.proofs.causes import CAUSES
from data.proofs.chains import CHAINS
from data.proofs.documents import DOCUMENTS
from data.proofs.duels import DUELS
from data.proofs.handouts import HANDOUTS
from data.proofs.hashes import BOUND, LEAVES
from data.proofs.holdings import HOLDINGS, PAYMENTS
from data.proofs.limits import LIMITS
from data.proofs.member_days import GRADES, MEMBER_DAYS
from data.proofs.moves import MOVES, SOURCES, TARGETS
from data.proofs.persons import PERSONS
from data.proofs.places import PLACES
from data.proofs.pools import ENTRIES
from data.proofs.promises import PROMISES
from data.proofs.report import Fault, Report, Wrong
from data.proofs.resets import ALL_RESETS
from data.proofs.rounds import ROUNDS
from data.proofs.rule_texts import RULE_TEXTS
from data.proofs.sets import ALL_SETS
from data.proofs.slices import UNREADABLE, AccountKey, KeyRange, Slice, Walk
from data.proofs.titles import TITLES
from data.proofs.tournaments import TOURNAMENTS

#: The most faults of each kind in a report; the first few say enough.
MOST_FAULTS: Final = 20

#: The words of SQLite's driver for bytes that are not text: the file is sound, but somebody has written into it.
_NO_TEXT: Final = "Could not decode to UTF-8"

#: The walks that prove the chips, and those that prove the play.
MONEY: Final[tuple[Walk, ...]] = (
    *(MEMBERS, HANDOUTS, RESULTS, POTS),
    *(MOVES, SOURCES, TARGETS, ENTRIES, TITLES),
    *(GRADES, MEMBER_DAYS, *PLACES),
    *(HOLDINGS, PAYMENTS),
    *ALL_RESETS,
)
PLAY: Final[tuple[Walk, ...]] = (ROUNDS, RULE_TEXTS, PROMISES, CHAINS, DOCUMENTS, TOURNAMENTS, *ALL_SETS, DUELS)
#: The walks that prove that nothing of the past was changed.
PAST: Final[tuple[Walk, ...]] = (*CAUSES, PACKS, LEAVES, *BOUND, BREAKS, DOORS, LIMITS, *PERSONS)

#: Opens a transaction that sees the bank at one moment.
Reading = Callable[[], AbstractAsyncContextManager[AsyncConnection]]
#: Called with the name of a walk and the number of rows that it has read.
Progress = Callable[[str, int], None]


async def audit(
    reading: Reading, at: float, walks: Sequence[Walk] = (*MONEY, *PLAY, *PAST), progress: Progress | None = None
) -> Report:
    """Audit the whole bank, or what these walks go through, and return the report with the time `at`."""
    found = Findings()
    async with reading() as connection:
        have_rows = (await connection.execute(_have_rows(tuple(walks)))).one()
    for walk in compress(walks, have_rows):
        await go_through(walk, reading, found, progress=progress)
    return found.report(at)


@lru_cache(maxsize=8)
def _have_rows(walks: tuple[Walk, ...]) -> sa.Select[*tuple[Any, ...]]:
    """Return the question which of these walks have any rows."""
    return sa.select(*(sa.exists(walk.last) for walk in walks))


@dataclass(slots=True)
class Findings:
    """The number of rows of each kind that were read, and the faults of all slices."""

    looked: Counter[str] = field(default_factory=Counter)  # rows read, by the names of walks
    faults: dict[Wrong, dict[tuple[str, int], Fault]] = field(default_factory=lambda: defaultdict(dict))
    surplus: dict[AccountKey, int] = field(default_factory=dict)  # the chips of each account that no transfer brought

    def add(self, what: str, part: Slice) -> None:
        """Add what was found in one slice (`part`) of the walk that is called `what`."""
        self.looked[what] += part.looked
        self._add(part.faults, part.surplus)

    def join(self, other: Findings) -> None:
        """Add what another process has found."""
        self.looked += other.looked
        self._add([fault for faults in other.faults.values() for fault in faults.values()], other.surplus)

    def report(self, at: float) -> Report:
        """Return the numbers of rows and the first faults as a report with the time `at`."""
        looked = self.looked
        return Report(at, looked["accounts"], looked["transfers"], looked["rounds"], self.first_faults())

    def _add(self, faults: Iterable[Fault], surplus: Mapping[AccountKey, int]) -> None:
        for fault in faults:
            self.faults[fault.wrong].setdefault((fault.where, fault.guild), fault)
        self.surplus.update(surplus)

    def first_faults(self) -> tuple[Fault, ...]:
        """Return at most `MOST_FAULTS` faults of each kind. A guild whose accounts do not sum to zero is one fault."""
        sums: Counter[int] = Counter()
        for (guild, _), chips in self.surplus.items():
            sums[guild] += chips
        unequal = [Fault(Wrong.SUM, "all accounts", guild, "0", str(chips)) for guild, chips in sums.items() if chips]
        first = {wrong: list(self.faults[wrong].values())[:MOST_FAULTS] for wrong in Wrong}
        first[Wrong.SUM] = unequal[:MOST_FAULTS]
        return tuple(fault for faults in first.values() for fault in faults)


async def go_through(
    walk: Walk, reading: Reading, found: Findings, piece: KeyRange | None = None, progress: Progress | None = None
) -> None:
    """Walk through all rows, or through a piece of them, and add to `found` how many there are and what is wrong."""
    rest = piece
    while rest is None or rest.after != rest.until:
        part, rest = await _slice(walk, reading, rest)
        found.add(walk.what, part)
        if progress is not None:
            progress(walk.what, found.looked[walk.what])
        await asyncio.sleep(0)


async def _slice(walk: Walk, reading: Reading, rest: KeyRange | None) -> tuple[Slice, KeyRange]:
    """Look at the next rows of the range `rest`, and return what was found there and the range of those after them.

    At the beginning of a walk `rest` is None, which stands for all rows that there are now. Where something differs the
    rows are read once more, and only what differs again is a fault.
    """
    async with reading() as connection:
        if rest is None:
            last = (await connection.execute(walk.last)).first()
            rest = KeyRange(walk.before, walk.before if last is None else tuple(last))
            if rest.after == rest.until:
                return Slice(0), rest
        edge = (await connection.execute(walk.edge, rest.values)).first()
        here = rest if edge is None else replace(rest, until=tuple(edge))
        part, left = await _looked(walk, connection, here), replace(rest, after=here.until)
    if not part.faults:
        return part, left
    first = {_same(fault) for fault in part.faults}
    async with reading() as connection:
        again = await _looked(walk, connection, here)
    return replace(again, faults=[fault for fault in again.faults if _same(fault) in first]), left


async def _looked(walk: Walk, connection: AsyncConnection, here: KeyRange) -> Slice:
    """Look at the rows of a range. If they cannot be read, return that as the only fault, so that the walk goes on."""
    try:
        return await walk.look(connection, here)
    except (OperationalError, *UNREADABLE) as error:
        if isinstance(error, OperationalError) and _NO_TEXT not in str(error.orig):
            raise
        rows = f"{walk.what} behind {'/'.join(map(str, here.after))} up to {'/'.join(map(str, here.until))}"
        return Slice(0, [Fault(Wrong.NONSENSE, rows, 0, "rows that can be read", f"{type(error).__name__}: {error}")])


def _same(fault: Fault) -> tuple[Wrong, str, int]:
    return fault.wrong, fault.where, fault.guild
