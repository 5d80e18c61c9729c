"""Chores: work that is repeated while the bot runs."""

from __future__ import annotations

import asyncio
import logging
import secrets
from typing import ClassVar, Final

from discord.ext import commands, tasks
from discord.utils import utcnow

from cogs.answers.client import Casino
from cogs.answers.time_limits import LOST
from data import Bank, Job
from engine.tables.ports import BankError, OutcomeUnknown

#: Seconds until a process without the bank's lease asks for it again.
ASKED_AGAIN: Final = 30.0
#: Seconds that a claim on a server's job lasts.
CLAIM: Final = 90.0


class Chore(commands.Cog):
    """A cog that repeats some work. After a failure the work is tried again the next time, and games go on."""

    #: Seconds from the end of one repetition to the next, and before the first one.
    every: float
    first: float = 0.0
    #: The beginning of the log line about a failure.
    failure: ClassVar[str]

    async def do(self) -> bool:
        """Do the work once, and return whether it is to be repeated."""
        raise NotImplementedError

    async def turn(self) -> None:
        """Wait until this process may do the work. Only some subclasses have to wait."""

    async def cog_load(self) -> None:
        self._come_round.change_interval(seconds=self.every)
        self._come_round.start()

    async def cog_unload(self) -> None:
        self._come_round.cancel()

    @tasks.loop()
    async def _come_round(self) -> None:
        if not await self._is_left():
            self._come_round.stop()
        # discord.py counts from when this turn was due, by the wall clock: if that is set, or the turn was long, it
        # would wait for too long or not at all. It has no public way to count from now.
        self._come_round._last_iteration = utcnow()
        self._come_round.change_interval(seconds=self.every)

    @_come_round.before_loop
    async def _wait(self) -> None:
        await asyncio.sleep(self.first)

    async def _is_left(self) -> bool:
        log = logging.getLogger(type(self).__module__)
        try:
            await self.turn()
            return await self.do()
        except (*LOST, OSError, BankError, OutcomeUnknown) as error:
            log.warning("%s: %s", self.failure, error)
        except Exception:  # the loop has to go on
            log.exception("%s", self.failure)
        return True


class BankChore(Chore):
    """A chore for a whole bank: of all processes that share it, only the one that holds the bank's lease works."""

    def __init__(self, bank: Bank) -> None:
        self._bank = bank

    async def turn(self) -> None:
        while not await self._bank.lease.held():  # noqa: ASYNC110, a database rings no bell
            await asyncio.sleep(ASKED_AGAIN)


class GuildChore(Chore):
    """A chore with a job for each server. A process looks at the jobs of its own servers; `look` must claim its job."""

    #: The kind of the chore's jobs.
    kind: ClassVar[str]

    def __init__(self, bot: Casino, every: float) -> None:
        self._bot, self._bank = bot, bot.bank
        self._name, self.every = secrets.token_hex(8), every

    async def look(self, job: Job, guild: int) -> None:
        """Do what is due for this server, if the job can be claimed. Each chore defines this."""
        raise NotImplementedError

    async def do(self) -> bool:
        for job in await self._bank.jobs.due(self.kind):
            if job.guild is not None and self._bot.described(job.guild) is not None:
                await self.look(job, job.guild)
        return True

    async def claim(self, job: Job) -> bool:
        """Claim a job for `CLAIM` seconds, and return whether that succeeded."""
        return await self._bank.jobs.claim(job.key, self._name, seconds=CLAIM)
