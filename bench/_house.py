"""A house for the benchmarks: the bot on a simulated Discord, its bank in a file, and one member at one table."""

from __future__ import annotations

import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import discord
import simcord

import cogs.coach.grader
from bench._hands import button, word
from bot import CasinoBot, create_bot
from data.sets.days import Days
from engine.tables.snapshot import Snapshot
from settings import Settings


@dataclass
class House:
    env: simcord.Env
    bot: CasinoBot
    channel: simcord.ChannelHandle
    alice: simcord.MemberActor
    #: The message of the member's table, once it is open.
    message: discord.Message | None = None

    async def open_table(self, bet: int) -> None:
        await self.alice.slash(self.channel, "blackjack", bet=str(bet))
        self.message = self.channel.last_message

    def now(self) -> Snapshot:
        """Return the member's table as it stands."""
        (table,) = self.bot.registry.tables()
        return table.snapshot()

    async def press(self) -> None:
        """Press for the member: hit small totals, stand on others, deal again."""
        now = self.now()
        assert self.message is not None
        await self.alice.click(self.message, custom_id=button(now, word(now, stands_on=14)))


@asynccontextmanager
async def opened() -> AsyncIterator[House]:
    # Grading, and preparing days of Today's five, would fall into some press.
    cogs.coach.grader.PAUSE = 3600.0  # type: ignore[misc]
    Days.every = 3600.0
    with tempfile.TemporaryDirectory(prefix="bench-") as folder:
        settings = Settings(
            database_url=f"sqlite:///{Path(folder) / 'bank.db'}", think_seconds=0, presses_a_second=0, card_emoji=False
        )
        bot = create_bot(settings)
        async with simcord.run(bot) as env:
            guild = env.create_guild("Bench")
            channel = guild.create_text_channel("casino")
            alice = guild.add_member(env.create_user("alice"))
            yield House(env, bot, channel, alice)
            await bot.close()
