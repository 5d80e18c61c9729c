"""Puts old rounds away while nobody has to wait for it, and forgets which presses were counted a month ago."""

from __future__ import annotations

import asyncio
import logging
from typing import Final, Protocol, cast

from discord.ext import commands

from cogs.answers.client import Casino
from engine.tables.ports import BankError, OutcomeUnknown

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


class Archivist(commands.Cog):
    """Its work is done a little at a time; what is left over is done in the next hour."""

    def __init__(self, casino: Casino, days: int, *, graded: bool) -> None:
        self._bank = casino.bank
        self._days = days
        self._graded = graded  # whether somebody grades how rounds were played, who shall have read them before
        self._rounds: asyncio.Task[None] | None = None

    async def cog_load(self) -> None:
        self._rounds = asyncio.create_task(self._make_rounds(), name="archivist")

    async def cog_unload(self) -> None:
        if self._rounds is not None:
            self._rounds.cancel()

    async def _make_rounds(self) -> None:
        while True:
            await asyncio.sleep(EVERY)
            try:
                await self.tidy_up()
            except (BankError, OutcomeUnknown) as error:
                log.warning("old rounds are not put away: %s", error)
            except Exception:  # the next hour must not fall out because of this one
                log.exception("old rounds are not put away")

    async def tidy_up(self) -> int:
        """Until nothing is old any more; how many rounds were put away."""
        put_away = await self._put_away() if self._days else 0
        cause = await self._bank.archive.forget_causes()
        while cause is not None:
            await asyncio.sleep(PAUSE)
            cause = await self._bank.archive.forget_causes(cause)
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
    if bot.shard_ids is None or 0 in bot.shard_ids:  # one process is enough
        settings = cast(_Operated, bot).settings
        await bot.add_cog(Archivist(cast(Casino, bot), settings.archive_days, graded=settings.coach))
