"""One of several bot processes under load: the bot itself, signed in to a Discord of its own, over the shared bank.

    DATABASE_URL=postgresql://... python -m tests.processes.worker NUMBER PROCESSES LIFE

It says one line of JSON at a time, and plays until somebody kills it: at leisure, so that others can start meanwhile,
and as fast as it can once it is sent SIGUSR1.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import random
import signal
import sys
import time
from collections.abc import Iterator
from typing import Any, Final

import simcord

from bot import CasinoBot, create_bot
from cogs.table import poster
from engine.games.contract import CHIP
from engine.tables.orders import Order
from engine.tables.ports import BankError, OutcomeUnknown
from engine.tables.refused import Refused
from engine.tables.snapshot import TablePhase
from engine.tables.table import Table
from settings import Settings
from tests.posted import Posted

#: Servers of each process, each with a table at which two people play.
SERVERS: Final = 4
PEOPLE: Final = 2
#: Between two presses of somebody who plays at leisure.
LEISURE: Final = 0.2


def servers_of(number: int, processes: int) -> list[int]:
    """Ids that Discord would deal to this process's shard."""
    return [(processes * (100 + place) + number) << 22 for place in range(SERVERS)]


def say(**words: Any) -> None:
    """Once it returns, it is said, whatever happens to the process."""
    os.write(1, (json.dumps(words) + "\n").encode())


class Player:
    """A player who presses anything that is allowed, one press after the other."""

    def __init__(self, bot: CasinoBot, server: int, user: int, presses: Iterator[int], hurry: asyncio.Event) -> None:
        self._bot, self._server, self._user, self._presses, self._hurry = bot, server, user, presses, hurry
        self._chance = random.Random(f"{server}/{user}")

    async def play(self) -> None:
        while True:
            press = next(self._presses)
            with contextlib.suppress(Refused, BankError, OutcomeUnknown):
                asked = time.monotonic()
                table, cause = await self._press(press)
                say(cause=cause, table=table.id, version=table.state.version, asked=asked, answered=time.monotonic())
            await asyncio.sleep(0 if self._hurry.is_set() else LEISURE)

    async def _press(self, press: int) -> tuple[Table, str]:
        table = self._bot.registry.table_in(self._server + 1, "blackjack")
        if table is None:
            return await self._open(press), f"press/{press}/open"
        now = table.snapshot()
        mine = now.sitter_of(self._user)
        if mine is None:
            await table.join(await self._bot.bank.members.sign_in(self._server, self._user), press)
            return table, f"press/{press}/join"
        if now.phase is TablePhase.PLAYING and mine.seat is not None and now.legal[mine.seat]:
            await table.act(self._user, self._chance.choice(now.legal[mine.seat]), now.round, now.turn, press)
            return table, f"press/{press}/act"
        await table.stake(self._user, {"main": CHIP}, press, message=1)
        return table, f"press/{press}/stake"

    async def _open(self, press: int) -> Table:
        member = await self._bot.bank.members.sign_in(self._server, self._user)
        order = Order(press, self._server, self._server + 1, "blackjack", "vegas", member)
        return await self._bot.registry.open(order)


class Env(simcord.Env):
    """A start is over when the bot has signed in: with rounds left to be graded it does not come to rest soon."""

    async def _settle_internal(self, *, timeout: float | None = None, **asked: Any) -> None:  # noqa: ASYNC109
        if timeout is None:
            await super()._settle_internal(**asked)


async def live(number: int, processes: int, life: int) -> None:
    settings = Settings(
        database_url=os.environ["DATABASE_URL"], shard_of=(number, processes), think_seconds=0, presses_a_second=0
    )
    poster.DiscordPoster = lambda _: Posted()  # type: ignore[assignment, misc]  # its Discord has none of these servers
    bot = create_bot(settings)
    env = Env(bot, settle_timeout=30)
    await env.start()
    await bot.registry.recovered()
    hurry = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGUSR1, hurry.set)
    synced = sum(request.method == "PUT" and request.path.endswith("/commands") for request in env.http_requests)
    say(ready=number, tables=[table.id for table in bot.registry.tables()], synced=synced)
    presses = iter(range((life * processes + number) * 1_000_000, (life * processes + number + 1) * 1_000_000))
    servers = servers_of(number, processes)
    people = [Player(bot, server, user, presses, hurry) for server in servers for user in range(1, PEOPLE + 1)]
    await asyncio.gather(*(player.play() for player in people))


if __name__ == "__main__":
    asyncio.run(live(*map(int, sys.argv[1:4])))
