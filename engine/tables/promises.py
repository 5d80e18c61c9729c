"""The source of the chains of seeds: one at a time for each place, and no seed is used before its promise is posted."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import replace
from weakref import WeakValueDictionary

from engine.fairness.chain import table_root, tip_of
from engine.tables.places import earlier_place, owner_of, tournament_place, tournament_table
from engine.tables.ports import Bank, NotPosted, OtherChain, OutcomeUnknown, Poster, Seeds
from engine.tables.values import Chain

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
        """Return the chain of a place, or a new one, or raise NoPromise. `look` also checks that its message still
        exists.
        """
        async with self._locks.setdefault(place, asyncio.Lock()):
            chain = await self._in_use(place)
            fault = await self._fault_of(chain, channel, look=look) if chain is not None else ""
            if chain is None:
                self._waiting.pop(place, None)
            elif fault:
                await self.give_up(chain, fault)
            elif chain.message is not None:
                return chain
            try:
                return await self._promised(self._waiting.get(place) or await self._begun(place, guild, channel))
            except OtherChain as error:
                raise NoPromise(f"another process promises there: {error}") from error

    async def give_up(self, chain: Chain, why: str) -> None:
        """End the chain: no round is dealt from it any more, and its root is shown with the next promise."""
        self._waiting.pop(chain.place, None)
        await self._bank.chains.end(chain.id, why)

    async def _in_use(self, place: str) -> Chain | None:
        """Return the chain of a place. One of an earlier release continues at the first place of its game that asks."""
        found, earlier = await self._bank.chains.in_use(place), earlier_place(place)
        if found is None and earlier != place:
            return await self._bank.chains.take_over(earlier, place, owner_of(place))
        return found

    async def _fault_of(self, chain: Chain, channel: int, *, look: bool) -> str:
        """Return why a chain can no longer be used, or an empty text."""
        if chain.channel != channel:
            return "its table was moved"
        if chain.message is None:
            return "" if chain.place in self._waiting else "nobody knows whether its promise was posted"
        if look and chain.phrase != await self._bank.chains.phrase(chain.member):
            return "its player chose another phrase"
        return "its promise was deleted" if look and not await self._poster.stands(chain.promise) else ""

    async def _begun(self, place: str, guild: int, channel: int) -> Chain:
        """Store the new chain before anybody can see its tip."""
        root = await self._root(place)
        tip = tip_of(root)
        chain = Chain(int(tip[:15], 16), place, guild, channel, root, tip, member=owner_of(place))
        return await self._bank.chains.begin(chain)

    async def _root(self, place: str) -> bytes:
        """Draw a root by chance; at a tournament's table it follows from the tournament's."""
        table = tournament_table(place)
        if table is None:
            return self._seeds()
        above = await self._bank.chains.in_use(tournament_place(table.tournament))
        if above is None or above.message is None:
            raise NoPromise("the tournament's own promise does not stand")
        return table_root(above.root, table.stage, table.number, attempt=len(await self._bank.chains.all_of(place)))

    async def _promised(self, chain: Chain) -> Chain:
        before = await self._bank.chains.ended(chain.place)
        try:
            message = await self._poster.post(chain, before)
        except NotPosted as error:
            self._waiting[chain.place] = chain
            raise NoPromise(str(error)) from error
        except Exception as error:
            log.warning("chain %s in %s is given up: %s", chain.tip[:8], chain.place, error)
            await self.give_up(chain, "nobody knows whether its promise was posted")
            raise NoPromise(str(error)) from error
        self._waiting.pop(chain.place, None)
        try:
            await self._bank.chains.promised(chain.id, message)
        except OutcomeUnknown as error:
            raise NoPromise("nobody knows whether the promise was written down") from error
        return replace(chain, message=message)
