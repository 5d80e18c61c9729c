"""A channel that promises are posted to, without Discord: each message is one more id."""

from __future__ import annotations

from dataclasses import dataclass, field

from engine.fairness.chain import Promise
from engine.tables.ports import Chain, NotPosted


@dataclass
class Posted:
    """What was posted, and what goes wrong with the next ones."""

    messages: dict[int, tuple[Chain, Chain | None]] = field(default_factory=dict)
    deleted: set[int] = field(default_factory=set)
    closed: bool = False  # surely not posted
    lost: bool = False  # posted, and the answer is lost

    async def post(self, chain: Chain, before: Chain | None) -> int:
        if self.closed:
            raise NotPosted("the channel is closed")
        message = 9_000_000 + len(self.messages)
        self.messages[message] = chain, before
        if self.lost:
            raise TimeoutError
        return message

    async def stands(self, promise: Promise) -> bool:
        return promise.message not in self.deleted
