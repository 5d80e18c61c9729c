"""Signing in one after the other, over all processes of a database.

Discord lets a bot sign in to a bucket of shards once in five seconds, and a thousand times a day: beyond that it resets
the token. Processes that start together would take each other's turns, and try again until no sign-in is left.
"""

from __future__ import annotations

import asyncio
import logging
from typing import Final, Protocol

from data import Job
from engine.tables.ports import BankError, OutcomeUnknown

log = logging.getLogger(__name__)

#: Seconds for which a bucket belongs to the shard that signs in; Discord counts five.
TURN: Final = 5.5
#: Seconds until a bucket that is taken is looked at again.
PAUSE: Final = 0.5

_KIND: Final = "sign-in"
#: The job is a claim, and never due.
_NEVER: Final = 2.0**40


class Claims(Protocol):
    """The bank's jobs, as far as they are claims."""

    async def post(self, job: Job) -> bool: ...
    async def claim(self, key: str, by: str, *, seconds: float) -> bool: ...


class SignIns:
    """The turns of one process. `at_once`: as many shards as Discord lets sign in together, each in its own bucket."""

    def __init__(self, jobs: Claims, name: str, at_once: int) -> None:
        self._jobs, self._name, self._at_once = jobs, name, at_once

    async def turn(self, shard: int) -> None:
        """Wait until this shard may sign in. A silent bank keeps nobody from signing in."""
        key = f"{_KIND}/{shard % self._at_once}"
        try:
            await self._jobs.post(Job(key, _KIND, {}, _NEVER))
            await self._claimed(key)
        except (BankError, OutcomeUnknown) as error:
            log.warning("shard %d signs in without its turn: %s", shard, error)
            await asyncio.sleep(TURN)

    async def _claimed(self, key: str) -> None:
        while True:
            if await self._jobs.claim(key, self._name, seconds=TURN):
                return
            await asyncio.sleep(PAUSE)
