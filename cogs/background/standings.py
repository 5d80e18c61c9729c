"""The chore that brings the leaderboards' counts up to date, so that nobody who opens a leaderboard waits for that."""

from __future__ import annotations

import asyncio
from typing import Final

from cogs.answers.client import Casino
from cogs.background.chore import BankChore

#: Seconds between two counts.
EVERY: Final = 300.0
#: Seconds between two guilds, in which presses are served.
PAUSE: Final = 0.02


class Standings(BankChore):
    """The chore that counts for the leaderboards of servers where many members have changed since the last count."""

    every = EVERY
    failure = "the leaderboards are not counted"

    async def do(self) -> bool:
        ladders = self._bank.ladders
        for guild in await ladders.crowded():
            await ladders.catch_up(guild)
            await asyncio.sleep(PAUSE)
        return True


async def setup(bot: Casino) -> None:
    await bot.add_cog(Standings(bot.bank))
