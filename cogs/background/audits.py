"""The audit of the bank: at every start, each hour, and in full each day. A fault stops all stakes."""

from __future__ import annotations

import logging
from typing import Final

from cogs.answers.client import Casino
from cogs.answers.preferences import reader_of
from cogs.background.chore import BankChore
from cogs.operations.figures import AUDIT_FAULTS, AUDIT_SECONDS, AUDITED
from cogs.words import _, reading
from data import LogLine

log = logging.getLogger(__name__)

EVERY: Final = 3600.0
#: Seconds between two full audits. The audits between them check only what is new.
WHOLE_EVERY: Final = 86400.0


class AuditChore(BankChore):
    """The chore that audits the bank, and reports faults in the log, the metrics and the logs of servers."""

    every = EVERY
    failure = "the bank could not be audited"

    def __init__(self, bot: Casino) -> None:
        super().__init__(bot.bank)
        self._bot = bot
        self._told: dict[int, str] = {}
        #: The servers in whose logs the fault has been written.
        self._warned: set[int] = set()

    async def turn(self) -> None:
        if not await self._bank.lease.held():
            AUDIT_FAULTS.set(0)  # the process with the lease counts them
        await super().turn()

    async def do(self) -> bool:
        with AUDIT_SECONDS.time():
            report = await self._bank.auditor.look_in(WHOLE_EVERY)
        await self._tell_heads()
        AUDITED.set_to_current_time()
        AUDIT_FAULTS.set(len(report.faults))
        for fault in report.faults:
            log.error("the audit found: %s", fault)
        await self._tell_servers({fault.guild for fault in report.faults})
        return True

    async def _tell_servers(self, faulty: set[int]) -> None:
        """Write into the logs of these servers that the audit found a fault. Server 0 stands for all servers.

        A process writes this once for a server, and again only after an audit in which that server had no fault.
        """
        concerned = set(await self._bank.notices.servers()) if faulty else set()
        if 0 not in faulty:
            concerned &= faulty
        self._warned &= concerned
        for guild in sorted(concerned - self._warned):
            with reading(await reader_of(self._bot, guild)):
                text = _("🔴 The books don't balance: no new bets are taken. `/casino audit` says more.")
            await self._bank.notices.add(guild, LogLine(text))
            self._warned.add(guild)

    async def _tell_heads(self) -> None:
        """Log the head of each book (the hash of its newest leaf) unless this process has logged it already.

        With a head that was kept, ``python -m data audit --since HEAD`` can prove that the book was not changed up to
        that leaf.
        """
        for head in await self._bank.leaves.heads():
            if self._told.get(head.guild) != head.hash:
                self._told[head.guild] = head.hash
                log.info("the book of server %d has leaf %d, head %s", head.guild, head.place, head.hash)


async def setup(bot: Casino) -> None:
    await bot.add_cog(AuditChore(bot))
