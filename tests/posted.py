"""A channel that promises are posted to, without Discord: each message is one more id."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field

from engine.fairness.chain import Promise
from engine.tables.ports import ChannelClosed, NotPosted, Promised
from engine.tables.values import Chain


@dataclass
class Posted:
    """The messages that were posted, and the failures of the next ones."""

    messages: dict[int, tuple[Promised, Promised | None]] = field(default_factory=dict)
    deleted: set[int] = field(default_factory=set)
    closed: bool = False  # surely not posted
    shut: set[int] = field(default_factory=set)  # channels where nothing can ever be posted
    lost: bool = False  # posted, and the answer is lost
    asked: asyncio.Event = field(default_factory=asyncio.Event)  # set by a promise that is held
    held: asyncio.Event | None = None  # nothing is answered before this is set

    async def post(self, promised: Promised, before: Promised | None, language: str) -> int:
        if self.held is not None:
            self.asked.set()
            await self.held.wait()
        if self.closed:
            raise NotPosted("Discord is not there")
        if promised.channel in self.shut:
            raise ChannelClosed("the channel is closed")
        message = 9_000_000 + len(self.messages)
        self.messages[message] = promised, before
        if self.lost:
            raise TimeoutError
        return message

    def of(self, place: str) -> list[tuple[int, Chain]]:
        """The messages of one place's own chains, the first first."""
        chains = {message: found for message, (found, _) in self.messages.items() if isinstance(found, Chain)}
        return [(message, chain) for message, chain in chains.items() if chain.place == place]

    async def stands(self, promise: Promise) -> bool:
        return promise.message not in self.deleted
