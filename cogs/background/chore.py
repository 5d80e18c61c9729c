"""Work that comes round by itself while the bot runs."""

from __future__ import annotations

import asyncio
import logging
from typing import ClassVar

from discord.ext import commands, tasks

from cogs.answers.serving import LOST
from engine.tables.ports import BankError, OutcomeUnknown


class Chore(commands.Cog):
    """That it fails once stops neither the next time nor anybody's play."""

    #: Seconds from one time to the next, and before the first.
    every: float
    first: ClassVar[float] = 0.0
    #: What the log says when it fails.
    undone: ClassVar[str]

    async def do(self) -> bool:
        """Whether there is more to do another time."""
        raise NotImplementedError

    async def cog_load(self) -> None:
        self._come_round.change_interval(seconds=self.every)
        self._come_round.start()

    async def cog_unload(self) -> None:
        self._come_round.cancel()

    @tasks.loop()
    async def _come_round(self) -> None:
        if not await self._is_left():
            self._come_round.stop()

    @_come_round.before_loop
    async def _wait(self) -> None:
        await asyncio.sleep(self.first)

    async def _is_left(self) -> bool:
        log = logging.getLogger(type(self).__module__)
        try:
            return await self.do()
        except (*LOST, OSError, BankError, OutcomeUnknown) as error:
            log.warning("%s: %s", self.undone, error)
        except Exception:  # the next time must not fall out because of this one
            log.exception("%s", self.undone)
        return True


def is_first_process(bot: commands.AutoShardedBot) -> bool:
    """Of several, one is enough for what concerns the whole bank."""
    return bot.shard_ids is None or 0 in bot.shard_ids
