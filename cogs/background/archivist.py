"""Packs old rounds into the archive, in small steps, and deletes causes and fingerprints that are a month old.

Unique causes keep a press from counting twice; fingerprints are those of people who were forgotten.
"""

from __future__ import annotations

import asyncio
import logging
from typing import Final

from cogs.answers.client import Casino
from cogs.background.chore import BankChore
from data import Bank

log = logging.getLogger(__name__)

EVERY: Final = 3600.0
#: Seconds between two packs, in which presses are served.
PAUSE: Final = 0.1
DAY: Final = 86400.0


class Archivist(BankChore):
    """The hourly chore that packs old rounds and deletes old causes. After a failure, the next turn does the rest."""

    every = first = EVERY
    failure = "old rounds are not archived"

    def __init__(self, bank: Bank, days: int, *, graded: bool) -> None:
        super().__init__(bank)
        self._days = days
        self._graded = graded  # whether the grader has to read the rounds first

    async def do(self) -> bool:
        await self.tidy_up()
        return True

    async def tidy_up(self) -> int:
        """Pack old rounds, delete old causes and fingerprints, and return the number of packed rounds.

        No rounds are packed if the operator's setting `archive_days` is 0.
        """
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
            log.info("archived %d old rounds", total)
        return total


async def setup(bot: Casino) -> None:
    settings = bot.settings
    await bot.add_cog(Archivist(bot.bank, settings.archive_days, graded=settings.coach))
