"""Signs in shards one after the other, over all processes that share a database.

Discord lets a bot sign in to a bucket of shards once in five seconds, and a thousand times a day: beyond that it resets
the token. Processes that start together would take each other's turns, and try again until no sign-in is left.
"""

from __future__ import annotations

import asyncio
import logging
from typing import Final, Protocol

from engine.tables.ports import BankError, OutcomeUnknown

log = logging.getLogger(__name__)

#: Seconds for which a bucket belongs to the shard that signs in. Discord asks for five.
TURN: Final = 5.5
#: Seconds until a bucket that is taken is looked at again.
PAUSE: Final = 0.5

_KIND: Final = "sign-in"


class Locks(Protocol):
    """The part of the bank's jobs that takes locks."""

    async def lock(self, key: str, by: str, *, seconds: float) -> bool: ...


class SignIns:
    """The sign-in turns of one process. `at_once` shards may sign in together, each in a bucket of its own."""

    def __init__(self, jobs: Locks, name: str, at_once: int) -> None:
        self._jobs, self._name, self._at_once = jobs, name, at_once

    async def turn(self, shard: int) -> None:
        """Wait until it is this shard's turn to sign in. If the bank fails, wait for `TURN` seconds instead."""
        key = f"{_KIND}/{shard % self._at_once}"
        try:
            while True:
                if await self._jobs.lock(key, self._name, seconds=TURN):
                    return
                await asyncio.sleep(PAUSE)
        except (BankError, OutcomeUnknown) as error:
            log.warning("shard %d signs in without its turn: %s", shard, error)
            await asyncio.sleep(TURN)
