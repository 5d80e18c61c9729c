"""A casino on a real bank, with a clock and seeds that the test decides on."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest

from data import Bank
from engine.games.contract import CHIP
from engine.tables.house import Caps, HouseSettings
from engine.tables.open_tables import OpenTables
from engine.tables.orders import Order
from engine.tables.ports import Surroundings, Think, Watchers
from engine.tables.snapshot import Snapshot, TablePhase
from engine.tables.table import Table
from engine.tables.values import Member
from tests.cards import LaidOut
from tests.conftest import NewBank
from tests.posted import Posted

GUILD, CHANNEL, MESSAGE = 7, 70, 700
ALICE, BOB, CAROL = 1, 2, 3


@dataclass
class HandClock:
    time: float = 1_800_000_000.0

    def now(self) -> float:
        return self.time


@dataclass
class CountedSeeds:
    """Seeds 1, 2, 3 ... hashed; a test may put its own in front."""

    made: int = 0
    chosen: list[bytes] = field(default_factory=list)

    def __call__(self) -> bytes:
        if self.chosen:
            return self.chosen.pop(0)
        self.made += 1
        return hashlib.sha256(str(self.made).encode()).digest()


@dataclass
class Onlooker:
    """An onlooker who keeps every snapshot it is told of."""

    seen: list[Snapshot] = field(default_factory=list)

    def changed(self, table: Table) -> None:
        self.seen.append(table.snapshot())


class Casino:
    def __init__(self, bank: Bank, clock: HandClock, house: HouseSettings) -> None:
        self.bank, self.clock, self.house = bank, clock, house
        self.seeds, self.onlooker, self.cards = CountedSeeds(), Onlooker(), LaidOut()
        self.caps, self.poster = Caps(), Posted()
        #: The source of moves for computer players that take their time; None: they play as without.
        self.think: Think | None = None
        self.registry = self._registry()
        #: Whether a test has left out rounds of a chain, which an audit would miss.
        self.skipped = False
        self._presses: Iterator[int] = iter(range(1_000, 1_000_000))

    def _registry(self) -> OpenTables:
        async def house(guild: int) -> HouseSettings:
            return self.house

        async def think(*asked: Any) -> str | None:
            return None if self.think is None else await self.think(*asked)

        around = (
            self.bank,
            self.clock,
            self.seeds,
            Watchers(self.onlooker),
            house,
            self.poster,
            self.cards,
            self.caps,
            think,
        )
        return OpenTables(Surroundings(*around))

    def press(self) -> int:
        return next(self._presses)

    async def member(self, user: int) -> Member:
        return await self.bank.members.sign_in(GUILD, user)

    async def balance(self, user: int) -> float:
        return (await self.member(user)).balance / CHIP

    async def open(self, user: int = ALICE, game: str = "blackjack", rules: str = "", **more: object) -> Table:
        from engine.games import registry as games

        rules = rules or next(iter(games.game(game).rule_sets))
        order = Order(self.press(), GUILD, CHANNEL, game, rules, await self.member(user), **more)  # type: ignore[arg-type]
        return await self.registry.open(order)

    async def stake(self, table: Table, user: int = ALICE, chips: int = 10) -> Snapshot:
        return await table.stake(user, {"main": chips * CHIP}, self.press(), message=MESSAGE)

    async def deal(self, cards: str, chips: int = 10, **more: object) -> Table:
        """A lone table where these cards are dealt: `casino.deal("A 6 / 9 ?")`."""
        table = await self.open(**more)  # type: ignore[arg-type]
        self.cards.lay(cards)
        await self.stake(table, table.state.opener, chips)
        return table

    async def act(self, table: Table, action: str, user: int = ALICE) -> Snapshot:
        now = table.snapshot()
        return await table.act(user, action, now.round, now.turn, self.press())

    async def finish(self, table: Table) -> Snapshot:
        """Let everybody who is asked decline or stand until the round is over."""
        while (now := table.snapshot()).phase is TablePhase.PLAYING:
            sitter = now.sitter_at(now.view.asked[0])
            assert sitter is not None
            word = next(word for word in ("decline", "stand", "surrender") if word in now.legal[now.view.asked[0]])
            await self.act(table, word, sitter.user or 0)
        return now

    async def restart(self) -> None:
        """Start again as after kill -9: nothing of the tables is left but what the bank has."""
        await self.registry.shutdown()
        self.registry = self._registry()
        await self.registry.recover()

    def set_house(self, **settings: float) -> None:
        self.house = replace(self.house, **settings)  # type: ignore[arg-type]


async def until(table: Table, wanted: Callable[[Snapshot], bool], patience: float = 10.0) -> Snapshot:
    """Let time pass until the table is as wanted, however busy the machine is."""
    loop = asyncio.get_running_loop()
    end = loop.time() + patience
    while not wanted(table.snapshot()):
        assert loop.time() < end, f"it never came: {table.snapshot()}"
        await asyncio.sleep(0.01)
    return table.snapshot()


@pytest.fixture
async def casino(tmp_path: Path, new_bank: NewBank) -> AsyncIterator[Casino]:
    clock, house = HandClock(), HouseSettings(think_seconds=0)
    bank = await Bank.open(new_bank(tmp_path / "bank.db"), house, clock)
    casino = Casino(bank, clock, house)
    yield casino
    await casino.registry.shutdown()
    faults = (await bank.auditor.audit(replay=not (casino.cards.used or casino.skipped))).faults
    await bank.close()
    assert not faults
