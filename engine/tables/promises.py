"""Where the chains of seeds come from: one at a time for each place, and no seed is used before its promise stands."""

from __future__ import annotations

import asyncio
import logging
from weakref import WeakValueDictionary

from engine.fairness.chain import seed_of, tip_of
from engine.tables.ports import Bank, Chain, NotPosted, OutcomeUnknown, Poster, Seal, Seeds

log = logging.getLogger(__name__)


class NoPromise(Exception):
    """The promise could not be posted. It is tried again."""


class Promises:
    """Chains under promises that stand."""

    def __init__(self, bank: Bank, poster: Poster, seeds: Seeds) -> None:
        self._bank = bank
        self._poster = poster
        self._seeds = seeds
        self._waiting: dict[str, Chain] = {}  # by place: begun by this process, and surely not posted yet
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    async def chain(self, place: str, guild: int, channel: int, *, look: bool = False) -> Chain:
        """The chain of a place, or a new one where it has none. `look`: whether its message is still there, too.
        Raises NoPromise."""
        async with self._locks.setdefault(place, asyncio.Lock()):
            chain = await self._bank.chains.in_use(place)
            if chain is not None and chain.message is not None:
                if not look or await self._poster.stands(chain.promise):
                    return chain
                await self._give_up(chain, "its promise was deleted")
            elif chain is not None and place not in self._waiting:
                await self._give_up(chain, "nobody knows whether its promise was posted")
            return await self._promised(self._waiting.get(place) or await self._begun(place, guild, channel))

    async def _begun(self, place: str, guild: int, channel: int) -> Chain:
        """In the bank before anybody can see its tip."""
        root = self._seeds()
        tip = tip_of(root)
        return await self._bank.chains.begin(Chain(int(tip[:15], 16), place, guild, channel, root, tip))

    async def _promised(self, chain: Chain) -> Chain:
        before = await self._bank.chains.ended(chain.place)
        try:
            message = await self._poster.post(chain, before)
        except NotPosted as error:
            self._waiting[chain.place] = chain
            raise NoPromise(str(error)) from error
        except Exception as error:
            self._waiting.pop(chain.place, None)
            log.warning("chain %s in %s is given up: %s", chain.tip[:8], chain.place, error)
            await self._give_up(chain, "nobody knows whether its promise was posted")
            raise NoPromise(str(error)) from error
        self._waiting.pop(chain.place, None)
        try:
            await self._bank.chains.promised(chain.id, message)
        except OutcomeUnknown as error:
            raise NoPromise("nobody knows whether the promise was written down") from error
        kept = await self._bank.chains.in_use(chain.place)
        assert kept is not None
        return kept

    async def _give_up(self, chain: Chain, why: str) -> None:
        """Its root is shown with the next promise."""
        await self._bank.chains.end(chain.id, why)


def chain_place(channel: int, game: str, member: int | None = None) -> str:
    """Where a cash table's chain runs; `member` where everyone has a table of their own."""
    return f"{channel}/{game}" if member is None else f"{channel}/{game}/{member}"


def seal_of(chain: Chain, number: int) -> Seal | None:
    """The seal of a table's round `number`, which is the next one of the chain; None when the chain is used up."""
    link = chain.next
    if link is None:
        return None
    return Seal(number, seed_of(chain.root, link), chain.tip, chain.id, link)
