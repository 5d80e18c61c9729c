"""Has the bank audited at every start and each hour, and all of it each day. If something is wrong, nobody stakes until
it is found."""

from __future__ import annotations

import asyncio
import logging
from typing import Final, cast

from discord.ext import commands

from cogs.answers.client import Casino
from cogs.operations.figures import AUDIT_FAULTS, AUDIT_SECONDS, AUDITED
from engine.tables.ports import BankError, OutcomeUnknown

log = logging.getLogger(__name__)

EVERY: Final = 3600.0
#: In between it looks at what came since the last time.
WHOLE_EVERY: Final = 86400.0


class Auditor(commands.Cog):
    def __init__(self, casino: Casino) -> None:
        self._bank = casino.bank
        self._rounds: asyncio.Task[None] | None = None
        self._told: dict[int, str] = {}

    async def cog_load(self) -> None:
        self._rounds = asyncio.create_task(self._make_rounds(), name="auditor")

    async def cog_unload(self) -> None:
        if self._rounds is not None:
            self._rounds.cancel()

    async def _make_rounds(self) -> None:
        while True:
            await self._inspect()
            await asyncio.sleep(EVERY)

    async def _inspect(self) -> None:
        try:
            with AUDIT_SECONDS.time():
                report = await self._bank.auditor.look_in(WHOLE_EVERY)
        except (BankError, OutcomeUnknown) as error:
            log.warning("the bank could not be audited: %s", error)
            return
        except Exception:  # the next round must not fall out because of this one
            log.exception("the bank could not be audited")
            return
        await self._tell_heads()
        AUDITED.set_to_current_time()
        AUDIT_FAULTS.set(len(report.faults))
        for fault in report.faults:
            log.error("the audit found: %s", fault)

    async def _tell_heads(self) -> None:
        """Whoever keeps the log can prove the past by it: ``python -m data audit --since HEAD``."""
        for head in await self._bank.leaves.heads():
            if self._told.get(head.guild) != head.hash:
                self._told[head.guild] = head.hash
                log.info("the book of server %d has leaf %d, head %s", head.guild, head.place, head.hash)


async def setup(bot: commands.AutoShardedBot) -> None:
    if bot.shard_ids is None or 0 in bot.shard_ids:  # one process is enough
        await bot.add_cog(Auditor(cast(Casino, bot)))
