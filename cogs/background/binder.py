"""Binds what was booked into the guilds' books, within seconds, so that nobody can change the past unseen."""

from __future__ import annotations

import asyncio
from typing import Final, cast

from discord.ext import commands

from cogs.answers.client import Casino
from cogs.background.chore import BankChore
from data import Bank

#: While there is more, people have their turn.
PAUSE: Final = 0.02


class Binder(BankChore):
    undone = "the books are not bound"

    def __init__(self, bank: Bank) -> None:
        super().__init__(bank)
        self.every = bank.leaves.every

    async def do(self) -> bool:
        while await self._bank.leaves.bind():  # noqa: ASYNC110 - it is the bank that knows
            await asyncio.sleep(PAUSE)
        return True


async def setup(bot: commands.AutoShardedBot) -> None:
    await bot.add_cog(Binder(cast(Casino, bot).bank))
