"""Deletes the messages with which an earlier process pinged players, because its tables have moved on."""

from __future__ import annotations

import logging

from discord.ext import commands

from cogs.answers.client import Casino
from cogs.answers.time_limits import LOST
from cogs.table.caller import Caller
from engine.tables.ports import BankError, OutcomeUnknown

log = logging.getLogger(__name__)


class CallRemover(commands.Cog):
    """A cog that tries once to delete these messages, as soon as the servers are known."""

    def __init__(self, caller: Caller) -> None:
        self._caller, self._done = caller, False

    @commands.Cog.listener()
    async def on_ready(self) -> None:
        if self._done:
            return
        self._done = True
        try:
            await self._caller.take_down()
        except (*LOST, BankError, OutcomeUnknown) as error:
            log.info("calls of an earlier process could not be removed: %s", error)


async def setup(bot: Casino) -> None:
    await bot.add_cog(CallRemover(bot.caller))
