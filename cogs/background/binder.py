"""Binds what was booked into the guilds' books, within seconds, so that nobody can change the past unseen."""

from __future__ import annotations

import asyncio
from typing import Final, cast

from discord.ext import commands

from cogs.answers.client import Casino
from cogs.background.chore import Chore, is_first_process

#: While there is more, people have their turn.
PAUSE: Final = 0.02


class Binder(Chore):
    undone = "the books are not bound"

    def __init__(self, casino: Casino) -> None:
        self._bank = casino.bank
        self.every = casino.bank.leaves.every

    async def do(self) -> bool:
        while await self._bank.leaves.bind():  # noqa: ASYNC110 - it is the bank that knows
            await asyncio.sleep(PAUSE)
        return True


async def setup(bot: commands.AutoShardedBot) -> None:
    if is_first_process(bot):
        await bot.add_cog(Binder(cast(Casino, bot)))
