"""The lease of a bank: one of the processes that have it open does the work for all, such as audits and backups."""

from __future__ import annotations

import contextlib
import secrets
from typing import Final

from data.base.errors import TakenOver
from data.drivers.part import Part
from data.drivers.store import Store
from data.jobs.jobs import Jobs
from engine.tables.ports import BankError, Clock, OutcomeUnknown

#: Seconds after which another process takes over from one that is gone.
SECONDS: Final = 90.0
#: Seconds between two attempts to take or renew the lease; the answer holds in between.
ASKED_EVERY: Final = SECONDS / 3

_KEY: Final = "lease"
#: Only one bot opens a file, so it need not wait for the claim that it had before it was killed.
_ONLY: Final = "the only process"


class Lease(Part):
    """This process's claim on the lease, which at most one process has at a time."""

    def __init__(self, store: Store, clock: Clock, jobs: Jobs) -> None:
        super().__init__(store, clock)
        self._jobs = jobs
        self._name = _ONLY if store.is_file else secrets.token_hex(8)
        self._held = False
        self._asked_at: float | None = None  # None: not yet

    async def held(self) -> bool:
        """Take the lease if it is free, or renew it, and return whether this process has it.

        Within `ASKED_EVERY` seconds the last answer is returned again.
        """
        now = self._clock.now()
        if self._asked_at is None or not 0 <= now - self._asked_at < ASKED_EVERY:
            self._held = await self._jobs.lock(_KEY, self._name, seconds=SECONDS) or await self._renewed()
            self._asked_at = now
        return self._held

    async def give_up(self) -> None:
        """Let another process take the lease at once. If the bank does not answer, the lease runs out by itself."""
        if self._held:
            self._held = False
            with contextlib.suppress(BankError, OutcomeUnknown):
                await self._jobs.unlock(_KEY, self._name)

    # -- private ---------------------------------------------------------------------------------------------------

    async def _renewed(self) -> bool:
        try:
            await self._jobs.renew(_KEY, self._name, seconds=SECONDS)
        except TakenOver:
            return False
        return True
