"""The casino in a box: several processes over one bank, each of which can be killed at any moment."""

from __future__ import annotations

import asyncio
import hashlib
import random
import sqlite3
from collections import Counter
from collections.abc import Coroutine
from contextlib import closing
from contextvars import ContextVar, copy_context
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from cogs.table.poster import DiscordPoster
from cogs.table.presenter import Presenter
from data import Bank
from engine.games.contract import Cents, Round, Seat
from engine.sets.calendar import DAY
from engine.tables.house import HouseSettings
from engine.tables.open_tables import OpenTables
from engine.tables.ports import Surroundings, Watchers
from engine.tournament.books import TournamentBooks
from engine.tournament.director import Director
from engine.tournament.run import TournamentSurroundings
from tests.data.fives import one_root, prepare
from tests.simulate.crowds import deal
from tests.simulate.disk import Disk, through
from tests.simulate.hours import HouseClock, VirtualLoop
from tests.simulate.messages import Crier, Line, Port, Server
from tests.simulate.roles import Chores, open_shop

#: A guild for each process: shard n has every guild whose number ends so.
GUILDS: Final = tuple((100 + shard) << 22 for shard in range(2))
HOUSE: Final = HouseSettings(think_seconds=0.4, gift_hands=0)


class Days:
    """No series here: their next dates are tried elsewhere."""

    def following(self, *_: Any) -> None:
        return None


@dataclass
class Life:
    """The life of one process, from its start until it is killed."""

    disk: Disk
    tasks: set[asyncio.Task[Any]] = field(default_factory=set)


_life: ContextVar[Life | None] = ContextVar("life", default=None)


def minding(loop: VirtualLoop) -> None:
    """Every task knows which process it runs in, and goes down with it."""

    def made(loop: Any, coroutine: Coroutine[Any, Any, Any], **more: Any) -> asyncio.Task[Any]:
        task: asyncio.Task[Any] = asyncio.Task(coroutine, loop=loop, **more)
        life = _life.get()
        if life is not None:
            life.tasks.add(task)
            task.add_done_callback(life.tasks.discard)
            if life.disk.dead:
                task.cancel()
        return task

    loop.set_task_factory(made)  # type: ignore[arg-type]


class Process:
    """One of the casino's processes."""

    bank: Bank
    registry: OpenTables
    presenter: Presenter
    director: Director
    line: Line
    chores: Chores

    def __init__(self, shard: int, file: Path, clock: HouseClock, server: Server, injected: Counter[str]) -> None:
        self.shard, self.guild = shard, GUILDS[shard]
        self._file, self._clock, self._server, self._injected = file, clock, server, injected
        self._seeds = 0
        self.story = ""  # what chance hangs on
        self.alive = False
        self.life = Life(Disk(injected))

    async def start(self) -> None:
        """Open the bank and take up what the last life left."""
        self.life = Life(Disk(self._injected))
        await self.run(self._open())
        self.alive = True

    def run(self, work: Coroutine[Any, Any, Any]) -> asyncio.Task[Any]:
        """Something that happens in this process."""
        context = copy_context()
        context.run(_life.set, self.life)
        return context.run(asyncio.get_running_loop().create_task, work)

    async def kill(self) -> None:
        """Kill the process at once, whatever it is doing."""
        self.alive = False
        self.life.disk.die()
        for task in list(self.life.tasks):
            task.cancel()
        await asyncio.sleep(0)

    async def stop(self) -> None:
        """Stop the process, as an operator does."""
        await self.run(self._close())
        await self.kill()

    def seed(self) -> bytes:
        """The same at the same point of the same story."""
        self._seeds += 1
        return hashlib.sha256(f"{self.story} {self.shard} {self._seeds}".encode()).digest()

    def tell(self, story: str) -> None:
        """Let chance depend on this event from here on."""
        self.story, self._seeds = story, 0
        self.life.disk.chance = random.Random(f"{story} disk {self.shard}")

    # -- private ---------------------------------------------------------------------------------------------------

    async def _open(self) -> None:
        self.bank = await Bank.open(through(self.life.disk, self._file), HOUSE, self._clock)
        self.bank.challenges.chance = one_root
        self.line = line = Line(self._server, self.life.disk)
        port: Any = Port(line, self.bank)
        self.presenter = Presenter(port, self._clock)
        watchers = Watchers(self.presenter)
        posting = DiscordPoster(port)
        around = Surroundings(
            self.bank, self._clock, self.seed, watchers, self.bank.guilds.house, posting, think=self._think
        )
        self.registry = OpenTables(around)
        crier = Crier(line, lambda table: self.presenter.put_up(table, ()))
        books = TournamentBooks(self.bank, self._clock)
        touring = TournamentSurroundings(self.bank, books, self.registry, crier, Days(), self._clock, dealer=deal)
        self.director = Director(touring, f"process {self.shard}", lambda guild: guild == self.guild)
        watchers.between_hands.append(self.director)
        self.chores = Chores(self.bank, line, self._clock, self.guild)
        await self.registry.recover({self.shard}, len(GUILDS))
        self.director.wake()

    async def _think(self, _: str, round: Round, seat: Seat, purse: Cents) -> str | None:
        """Somebody who takes their time, and sometimes too much of it; there is no solver here."""
        chance = self.life.disk.chance
        await asyncio.sleep(chance.choice((0.0, 0.2, 20.0)))
        return chance.choice([None, *round.legal(seat, purse)])

    async def _close(self) -> None:
        await self.director.shutdown()
        await self.registry.shutdown()
        await self.bank.close()


def template(folder: Path) -> Path:
    """Make an empty bank, which every story copies. Its key is not random, so that a story can be repeated."""
    file = folder / "empty.db"

    async def make() -> None:
        """Begin the chain of Today's five on the day before, so that there is a day in every story."""
        clock = HouseClock(VirtualLoop())
        async with Bank.open(f"sqlite:///{file}", HOUSE, clock) as bank:
            bank.days.chance = one_root
            clock.ahead -= DAY
            await prepare(bank)
            clock.ahead += DAY
            await prepare(bank)
            for guild in GUILDS:
                await open_shop(bank, guild)

    asyncio.run(make())
    with closing(sqlite3.connect(file)) as raw, raw:
        raw.execute("INSERT INTO keys (name, value) VALUES ('fingerprint', ?)", (bytes(32),))
    return file
