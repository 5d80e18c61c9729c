"""Puts old rounds away while nobody has to wait for it, and forgets which presses were counted a month ago."""

from __future__ import annotations

import asyncio
import logging
from typing import Final, Protocol, cast

from discord.ext import commands

from cogs.answers.client import Casino
from cogs.background.chore import BankChore
from data import Bank

log = logging.getLogger(__name__)

EVERY: Final = 3600.0
#: Between two packs people have their turn.
PAUSE: Final = 0.1
DAY: Final = 86400.0


class _Settings(Protocol):
    archive_days: int
    coach: bool


class _Operated(Protocol):
    settings: _Settings


class Archivist(BankChore):
    """Its work is done a little at a time; what is left over is done in the next hour."""

    every = first = EVERY
    undone = "old rounds are not put away"

    def __init__(self, bank: Bank, days: int, *, graded: bool) -> None:
        super().__init__(bank)
        self._days = days
        self._graded = graded  # whether somebody grades how rounds were played, who shall have read them before

    async def do(self) -> bool:
        await self.tidy_up()
        return True

    async def tidy_up(self) -> int:
        """Until nothing is old any more; how many rounds were put away."""
        put_away = await self._put_away() if self._days else 0
        cause = await self._bank.archive.forget_causes()
        while cause is not None:
            await asyncio.sleep(PAUSE)
            cause = await self._bank.archive.forget_causes(cause)
        await self._bank.fingerprints.tidy()
        return put_away

    async def _put_away(self) -> int:
        total, guild = 0, 0
        while (
            pack := await self._bank.archive.put_away(self._days * DAY, after=guild, graded=self._graded)
        ) is not None:
            guild, count = pack[0] - 1, pack[1]
            total += count
            await asyncio.sleep(PAUSE)
        if total:
            log.info("%d old rounds were put away", total)
        return total


async def setup(bot: commands.AutoShardedBot) -> None:
    settings = cast(_Operated, bot).settings
    await bot.add_cog(Archivist(cast(Casino, bot).bank, settings.archive_days, graded=settings.coach))
