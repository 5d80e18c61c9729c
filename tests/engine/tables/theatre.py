"""Tournaments on a real bank with real tables; only Discord is a list of what was said."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import re
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, TypeVar

from data.drivers.part import Part
from engine.games import registry as games
from engine.games.contract import CHIP
from engine.tables.open_tables import OpenTables
from engine.tables.ports import Surroundings, Watchers
from engine.tables.refused import Refused
from engine.tables.snapshot import TablePhase
from engine.tables.table import Table
from engine.tournament.books import TournamentBooks
from engine.tournament.director import LEASE, Director
from engine.tournament.order import TournamentOrder
from engine.tournament.ports import ChannelGone, TournamentChange
from engine.tournament.run import TournamentSurroundings
from engine.tournament.state import Every, TournamentState
from engine.tournament.view import TournamentView

from .conftest import ALICE, CHANNEL, GUILD, Casino

DAY = 86_400.0
T = TypeVar("T")


class Killed(BaseException):
    """The process is gone."""


@dataclass
class Crier:
    """An announcer that keeps what it said. Threads have numbers of their own."""

    said: list[str] = field(default_factory=list)
    gone: set[int] = field(default_factory=set)
    ids: Iterator[int] = field(default_factory=lambda: itertools.count(5_000_000))
    views: list[TournamentView] = field(default_factory=list)

    def _say(self, word: str, view: TournamentView) -> None:
        if view.state.channel in self.gone:
            raise ChannelGone
        self.said.append(word)
        self.views.append(view)

    async def sign_up(self, view: TournamentView) -> int:
        self._say(f"sign-up {view.phase.value}", view)
        return view.state.message or next(self.ids)

    async def entrants(self, view: TournamentView) -> int:
        self._say("entrants", view)
        return next(self.ids)

    async def remind(self, view: TournamentView) -> None:
        self._say("reminder", view)

    async def moved(self, view: TournamentView) -> None:
        self._say("moved", view)

    async def channel_of(self, view: TournamentView, number: int) -> int:
        self._say(f"place {view.stage}/{number}", view)
        return next(self.ids)

    async def put_up(self, table: Table) -> None:
        if table.state.channel in self.gone:
            raise ChannelGone
        self.said.append(f"table {table.id}")
        await table.posted(next(self.ids))

    async def standings(self, view: TournamentView) -> int:
        self._say("standings", view)
        return view.state.standings or next(self.ids)

    async def farewell(self, view: TournamentView) -> None:
        self._say(f"farewell {view.phase.value}", view)

    async def event(self, view: TournamentView) -> int | None:
        return view.state.event


class Days:
    """A calendar that knows days of 24 hours."""

    def following(self, state: TournamentState, after: float) -> tuple[str, float] | None:
        step = DAY if state.every is Every.DAILY else 7 * DAY
        times = int((after - state.starts) // step) + 1
        return f"day {times}", state.starts + times * step


class Theatre:
    """A casino with a director."""

    def __init__(self, casino: Casino) -> None:
        self.casino = casino
        self.crier = Crier()
        self.processes = itertools.count(1)
        self.name = ""
        self.bank: Any = casino.bank
        self.announcer: Any = self.crier
        self._compose()

    def _compose(self) -> None:
        casino = self.casino

        async def house(guild: int) -> Any:
            return casino.house

        watchers = Watchers(casino.onlooker)
        casino.registry = OpenTables(
            Surroundings(casino.bank, casino.clock, casino.seeds, watchers, house, casino.poster)
        )
        books = TournamentBooks(self.bank, casino.clock)
        shared = TournamentSurroundings(
            self.bank, books, casino.registry, self.announcer, Days(), casino.clock, casino.caps
        )
        name = self.name or f"process {next(self.processes)}"
        self.director = Director(shared, name, lambda guild: guild == GUILD)
        watchers.between_hands.append(self.director)

    async def schedule(
        self, buy_in: int = 100, every: Every = Every.ONCE, after: float = 3_600.0, hands: int = 0
    ) -> int:
        casino = self.casino
        rules = games.game("blackjack").rule_sets["original"].as_json()
        starts = casino.clock.now() + after
        order = TournamentOrder(
            casino.press(), GUILD, CHANNEL, await casino.member(ALICE), "original", rules, 100 * CHIP, buy_in * CHIP,
            "amateur", starts, every, "UTC", "day 0", odds=True, hands=hands, language="fr",
        )  # fmt: skip
        await self.director.schedule(order)
        return order.press

    async def sign_up(self, tournament: int, people: int) -> None:
        for user in range(1, people + 1):
            await self.director.join(tournament, await self.casino.member(user), self.casino.press())

    async def until(self, done: Callable[[], bool | Awaitable[bool]], patience: float = 30.0) -> None:
        loop = asyncio.get_running_loop()
        end = loop.time() + patience
        while True:
            found = done()
            if found if isinstance(found, bool) else await found:
                return
            assert loop.time() < end, f"it never came; said so far: {self.crier.said}"
            await asyncio.sleep(0.002)

    async def said(self, word: str) -> None:
        await self.until(lambda: any(said.startswith(word) for said in self.crier.said))

    async def pass_time(self, seconds: float) -> None:
        self.casino.clock.time += seconds
        self.director.wake()

    async def press_everywhere(self) -> None:
        """Everybody who is asked stakes the smallest, or stands."""
        for table in self.casino.registry.tables():
            with contextlib.suppress(Refused):  # somebody was quicker
                await self._press_at(table)

    async def _press_at(self, table: Table) -> None:
        now = table.snapshot()
        if now.message is None or now.phase is TablePhase.CLOSED:
            return
        if now.phase is TablePhase.BETTING:
            who = now.players[now.elimination.asked] if now.elimination.asked is not None else None
            if who is not None and who.user is not None:
                await table.stake(who.user, {"main": now.offers["smallest"]}, self.casino.press())
            return
        for seat in now.view.asked:
            sitter = now.sitter_at(seat)
            if sitter is not None and sitter.user is not None:
                await table.act(sitter.user, "stand", now.round, now.turn, self.casino.press())
                return

    async def play_on(self, tournament: int, patience: float = 60.0) -> TournamentView:
        async def over() -> bool:
            await self.press_everywhere()
            return any(said.startswith("farewell") for said in self.crier.said)

        await self.until(over, patience)
        return await self.director.view(tournament)

    async def crash(self, wait: float = LEASE + 1) -> None:
        """Begin a new process, as after kill -9."""
        self.director._resting = True
        self.director._patrol.silence()
        for held in self.director._held.values():
            held.alarm.silence()
        await self.casino.registry.shutdown()
        await self.begin(wait)

    async def close(self) -> None:
        """Nobody is left who would ask a bank that is closed."""
        await self.director.shutdown()
        await self.casino.registry.shutdown()
        ringing = {task for task in asyncio.all_tasks() if task.get_name().startswith(("tournament", "table"))}
        if ringing:
            await asyncio.wait(ringing)

    async def begin(self, wait: float) -> None:
        self._compose()
        await self.casino.registry.recover()
        await self.pass_time(wait)

    async def balances(self, people: int) -> list[float]:
        return [await self.casino.balance(user) for user in range(1, people + 1)]


_STEPS = {"commit", "sign_up", "entrants", "remind", "place", "put_up", "standings", "farewell"}


class Perilous:
    """A guard before the bank or the announcer: the process dies before each of their steps, and once more after it."""

    def __init__(self, inner: Any, dead: asyncio.Event, tries: Counter[str] | None = None) -> None:
        self._inner = inner
        self._dead = dead
        self._tries: Counter[str] = Counter() if tries is None else tries

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._inner, name)
        if isinstance(found, Part):
            return Perilous(found, self._dead, self._tries)
        if name not in _STEPS:
            return self._alive(found)

        async def perilous(*args: Any) -> Any:
            step = _named(name, *args)
            self._tries[step] += 1
            if self._dead.is_set() or self._tries[step] == 1:
                self._dead.set()
                raise Killed
            result = await found(*args)
            if self._tries[step] == 2:
                self._dead.set()
                raise Killed
            return result

        return perilous

    def _alive(self, found: Any) -> Any:
        if not callable(found):
            return found

        async def alive(*args: Any, **more: Any) -> Any:
            if self._dead.is_set():
                raise Killed
            return await found(*args, **more)

        return alive


def _named(name: str, *args: Any) -> str:
    first = args[0]
    if isinstance(first, TournamentChange):
        return re.sub("(posted|promised|listing)/.*", "", first.cause)
    if isinstance(first, TournamentView):
        return f"{name} {first.phase} {first.stage} {first.running} {args[1:]}"
    return f"{name} {first.id}"
