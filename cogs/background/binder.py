"""Binds what was booked into the guilds' books, within seconds, so that nobody can change the past unseen."""

from __future__ import annotations

import asyncio
import logging
from typing import Final, cast

from discord.ext import commands, tasks

from cogs.answers.client import Casino
from engine.tables.ports import BankError, OutcomeUnknown

log = logging.getLogger(__name__)

#: While there is more, people have their turn.
PAUSE: Final = 0.02


class Binder(commands.Cog):
    def __init__(self, casino: Casino) -> None:
        self._bank = casino.bank
        self._go_round.change_interval(seconds=casino.bank.leaves.every)

    async def cog_load(self) -> None:
        self._go_round.start()

    async def cog_unload(self) -> None:
        self._go_round.cancel()

    @tasks.loop()
    async def _go_round(self) -> None:
        bound = 1
        try:
            while bound:
                bound = await self._bank.leaves.bind()
                await asyncio.sleep(PAUSE)
        except (BankError, OutcomeUnknown) as error:
            log.warning("the books are not bound: %s", error)
        except Exception:  # the next time must not fall out because of this one
            log.exception("the books are not bound")


async def setup(bot: commands.AutoShardedBot) -> None:
    if bot.shard_ids is None or 0 in bot.shard_ids:  # one process is enough
        await bot.add_cog(Binder(cast(Casino, bot)))
