"""Somebody at a real table of a real bank, and whether its memory is what the bank has."""

from __future__ import annotations

import hashlib
import itertools
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from data import Bank
from engine.fairness import shoe
from engine.fairness.chain import inputs
from engine.games.blackjack.rule_sets import RULE_SETS
from engine.games.contract import CHIP
from engine.games.registry import GAMES
from engine.tables.open_tables import OpenTables
from engine.tables.orders import Order
from engine.tables.ports import Surroundings, Watchers
from engine.tables.rebuilt import position_of
from engine.tables.refused import Reason, Refused
from engine.tables.snapshot import TablePhase
from engine.tables.table import Table
from tests.data.dealer import GUILD, HandClock, press
from tests.posted import Posted

STAKE = {"main": 10 * CHIP}


@dataclass
class Seated:
    """Alice at a table of her own."""

    bank: Bank
    clock: HandClock
    table: Table = field(init=False)
    _seeds: Iterator[int] = field(default_factory=itertools.count)

    async def sit(self, *, solo: bool = True) -> Seated:
        alice = await self.bank.members.sign_in(GUILD, 1)
        order = Order(press(), GUILD, 70, "blackjack", "vegas", alice, solo=solo)
        self.table = await OpenTables(self.around).open(order)
        return self

    @property
    def around(self) -> Surroundings:
        return Surroundings(self.bank, self.clock, self._seed, Watchers(self), self.bank.guilds.house, Posted())

    def _seed(self) -> bytes:
        return hashlib.sha256(str(next(self._seeds)).encode()).digest()

    def changed(self, table: Table) -> None: ...

    async def with_company(self) -> None:
        """Seat somebody else, too, so that the cards wait for both."""
        await self.table.join(await self.bank.members.sign_in(GUILD, 2), press())

    async def stake(self) -> None:
        await self.table.stake(1, STAKE, press())

    async def stake_and_be_asked(self) -> None:
        """Stake with a phrase that shuffles a hand with a question, whatever the fields of the rules are today."""
        stored = await self.bank.tables.stored(self.table.id)
        assert stored is not None
        coming = stored.rounds[-1]
        assert coming.chain is not None
        rules = RULE_SETS["vegas"]
        for phrase in map(str, itertools.count()):
            mixed_in = inputs(coming.chain.promise, coming.link, "blackjack", rules.as_json(), phrase)
            if not GAMES["blackjack"].deal(rules, [STAKE], shoe(coming.seed, mixed_in, rules.decks)).over:
                break
        await self.table.stake(1, STAKE, press(), phrase)
        assert self.table.snapshot().phase is TablePhase.PLAYING

    async def stand(self) -> None:
        """Play the hand to its end without another card: the last of what may be pressed declines, or stands."""
        while (seen := self.table.snapshot()).phase is TablePhase.PLAYING:
            (seat,) = seen.view.asked
            quietly = next(action for action in ("stand", "decline") if action in seen.legal[seat])
            await self.table.act(1, quietly, seen.round, seen.turn, press())

    async def agree(self) -> bool:
        """Whether the table in memory is the one in the journal, and the chips in memory those in the ledger."""
        stored = await self.bank.tables.stored(self.table.id)
        assert stored is not None
        sitter = self.table.snapshot().sitter_of(1)
        assert sitter is not None
        return position_of(stored).state == self.table.state and sitter.balance == await self.bank.members.balance(
            GUILD, 1
        )

    async def over(self) -> None:
        """Finish whatever is being played."""
        await self.table.close(press())
        self.table.rest()
        assert await self.bank.members.in_play((await self.bank.members.sign_in(GUILD, 1)).id) == 0


async def refused(deed: Callable[[], object]) -> Reason | None:
    try:
        await deed()  # type: ignore[misc]
    except Refused as no:
        return no.reason
    return None
