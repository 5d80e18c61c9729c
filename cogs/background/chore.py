"""Work that comes round by itself while the bot runs."""

from __future__ import annotations

import asyncio
import logging
from typing import ClassVar, Final

from discord.ext import commands, tasks

from cogs.answers.serving import LOST
from data import Bank
from engine.tables.ports import BankError, OutcomeUnknown

#: Seconds until a process that does not hold the bank's lease asks again.
ASKED_AGAIN: Final = 30.0


class Chore(commands.Cog):
    """Work that is done again and again; a failure stops neither the next time nor anybody's play."""

    #: Seconds from one time to the next, and before the first.
    every: float
    first: ClassVar[float] = 0.0
    #: What the log says when it fails.
    undone: ClassVar[str]

    async def do(self) -> bool:
        """Do it once; whether there is more to do another time."""
        raise NotImplementedError

    async def turn(self) -> None:
        """Wait until it is this process that has to do it."""

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
            await self.turn()
            return await self.do()
        except (*LOST, OSError, BankError, OutcomeUnknown) as error:
            log.warning("%s: %s", self.undone, error)
        except Exception:  # the next time must not fall out because of this one
            log.exception("%s", self.undone)
        return True


class BankChore(Chore):
    """A chore for a whole bank: of all processes that share it, the one that holds its lease does it."""

    def __init__(self, bank: Bank) -> None:
        self._bank = bank

    async def turn(self) -> None:
        while not await self._bank.lease.held():  # noqa: ASYNC110, a database rings no bell
            await asyncio.sleep(ASKED_AGAIN)
