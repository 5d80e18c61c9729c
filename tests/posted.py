"""A channel that promises are posted to, without Discord: each message is one more id."""

from __future__ import annotations

from dataclasses import dataclass, field

from engine.fairness.chain import Promise
from engine.tables.ports import ChannelClosed, NotPosted
from engine.tables.values import Chain


@dataclass
class Posted:
    """What was posted, and what goes wrong with the next ones."""

    messages: dict[int, tuple[Chain, Chain | None]] = field(default_factory=dict)
    deleted: set[int] = field(default_factory=set)
    closed: bool = False  # surely not posted
    shut: set[int] = field(default_factory=set)  # channels where nothing can be posted for ever
    lost: bool = False  # posted, and the answer is lost

    async def post(self, chain: Chain, before: Chain | None) -> int:
        if self.closed:
            raise NotPosted("Discord is not there")
        if chain.channel in self.shut:
            raise ChannelClosed("the channel is closed")
        message = 9_000_000 + len(self.messages)
        self.messages[message] = chain, before
        if self.lost:
            raise TimeoutError
        return message

    def of(self, place: str) -> list[tuple[int, Chain]]:
        """The promises of one place, the first first, each with its message."""
        return [(message, chain) for message, (chain, _) in self.messages.items() if chain.place == place]

    async def stands(self, promise: Promise) -> bool:
        return promise.message not in self.deleted
