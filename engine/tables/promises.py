"""Begins and ends the chains of seeds, one at a time for each place, and posts the promise of each before it is used.

A channel has one promise for the chains of all its places. Tournaments and their tables have promises of their own.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Final, TypeVar
from weakref import WeakValueDictionary

from engine.fairness.chain import path_to, slot_root, slot_tips, table_root, tip_of, top_of
from engine.tables.places import earlier_place, owner_of, shares_promise, tournament_place, tournament_table
from engine.tables.ports import Bank, NotPosted, OtherChain, OutcomeUnknown, Poster, Promised, Seeds
from engine.tables.values import Chain, SharedPromise

log = logging.getLogger(__name__)

P = TypeVar("P", Chain, SharedPromise)

#: Two of the reasons for giving up a chain or promise, as the bank stores them. `_fault_of` has the others.
_UNKNOWN: Final = "nobody knows whether its promise was posted"
_DELETED: Final = "its promise was deleted"

#: The chains of a promise that are worked out in one piece, in a few milliseconds.
AT_A_TIME: Final = 8


class NoPromise(Exception):
    """Raised where a place cannot have a promised chain now. Its table or tournament asks again later."""


class PromisedChains:
    """The source from which every place gets its chain. It posts the promises, and gives them up if they are lost."""

    def __init__(
        self, bank: Bank, poster: Poster, seeds: Seeds, gave_up: Callable[[int], None] = lambda promise: None
    ) -> None:
        self._bank = bank
        self._gave_up = gave_up  # called with the id of a promise that was given up
        self._poster = poster
        self._seeds = seeds
        self._waiting: set[int] = set()  # ids of chains and promises begun here and certainly not posted yet
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    async def chain(self, place: str, guild: int, channel: int, language: str = "", *, look: bool = False) -> Chain:
        """Return the chain of a place, with its promise posted in this channel. Raise NoPromise if it cannot have one.

        Give up a chain that can no longer be used. If the place then has none, begin one. If that needs a new promise,
        post it, in `language` if the server has chosen no language. `look` also checks that the message of the old
        chain's promise still exists, and that the owner of a member's own place has chosen no other phrase. Other
        errors of the bank are raised as they are.
        """
        async with self._lock(place):
            chain = await self._in_use(place)
            fault = await self._fault_of(chain, channel, look=look) if chain is not None else ""
            if chain is not None and fault:
                await self.give_up(chain, fault)
            elif chain is not None and chain.message is not None:
                return chain
            try:
                if shares_promise(place):
                    return await self._taken(place, guild, channel, language, look=look)
                new = chain if chain and not fault else await self._begun(place, guild, channel)
                chains = self._bank.chains
                return await self._posted(new, await chains.ended(place), language, chains.promised, self.give_up)
            except OtherChain as error:
                raise NoPromise(f"another process promises there: {error}") from error

    async def give_up(self, chain: Chain, why: str) -> None:
        """End a chain: no round is dealt from it any more, and its root may be shown. `why` is stored.

        If it is one of many under a promise that was deleted, give up the promise instead: all its chains end, each as
        soon as its open hand is over.
        """
        self._waiting.discard(chain.id)
        if chain.shared is not None and why == _DELETED:
            await self._bank.promises.give_up(chain.shared, why)
            self._gave_up(chain.shared)
        else:
            await self._bank.chains.end(chain.id, why)

    def _lock(self, what: str) -> asyncio.Lock:
        return self._locks.setdefault(what, asyncio.Lock())

    # -- the chain of a place ------------------------------------------------------------------------------------------

    async def _in_use(self, place: str) -> Chain | None:
        """Return the chain in use at a place, or None.

        In earlier releases several places had one name, and so one chain: it goes to the first of them that asks.
        """
        found, earlier = await self._bank.chains.in_use(place), earlier_place(place)
        if found is None and earlier != place:
            return await self._bank.chains.take_over(earlier, place, owner_of(place))
        return found

    async def _fault_of(self, chain: Chain, channel: int, *, look: bool) -> str:
        """Return why a chain can no longer be used, or an empty text.

        With `look`, also ask whether its promise's message still exists, and whether its player has another phrase now
        (`/seed`).
        """
        if chain.channel != channel:
            return "its table was moved"
        if chain.ending:
            return "its promise was given up"
        if chain.message is None:
            return "" if chain.id in self._waiting else _UNKNOWN
        if look and chain.phrase != await self._bank.chains.phrase(chain.member):
            return "its player chose another phrase"
        return _DELETED if look and not await self._poster.stands(chain.promise) else ""

    async def _begun(self, place: str, guild: int, channel: int) -> Chain:
        """Begin a chain with a promise of its own: store it before its tip is posted, and return it as stored."""
        root = await self._root(place)
        tip = tip_of(root)
        chain = Chain(_number_of(tip), place, guild, channel, root, tip, member=owner_of(place))
        return await self._bank.chains.begin(chain)

    async def _root(self, place: str) -> bytes:
        """Return the root of a new chain. It is drawn by chance, except at a tournament's table.

        At such a table it follows from the root of the tournament's own chain. Raise NoPromise if the promise of that
        chain is not posted.
        """
        table = tournament_table(place)
        if table is None:
            return self._seeds()
        above = await self._bank.chains.in_use(tournament_place(table.tournament))
        if above is None or above.message is None:
            raise NoPromise("the tournament's own promise does not stand")
        return table_root(above.root, table.stage, table.number, attempt=len(await self._bank.chains.all_of(place)))

    # -- the promise of a channel --------------------------------------------------------------------------------------

    async def _taken(self, place: str, guild: int, channel: int, language: str, *, look: bool) -> Chain:
        """Take the next chain of the channel's promise for a place: store it, and return it.

        Raise NoPromise if none is left and no new promise can be posted. `look` also checks that the message of the
        present promise still exists.
        """
        async with self._lock(f"promise/{channel}"):
            promise = await self._standing(guild, channel, language, look=look)
            slot = promise.slots + 1
            root = slot_root(promise.root, slot)
            tip = tip_of(root)
            return await self._bank.chains.begin(
                Chain(
                    _number_of(tip), place, guild, channel, root, tip, promise.message, member=owner_of(place),
                    shared=promise.id, slot=slot, path=path_to(promise.tips, slot), shown=promise.tip,
                )
            )  # fmt: skip

    async def _standing(self, guild: int, channel: int, language: str, *, look: bool) -> SharedPromise:
        """Return the channel's promise that has a chain left, or post a new one. Raise NoPromise if that is impossible.

        A new promise shows the root of the one before. So none is posted while a hand is open under a promise that was
        given up. `look` also checks that the message of the promise still exists.
        """
        promises = self._bank.promises
        promise = await promises.in_use(channel)
        fault = await self._fault_of_shared(promise, look=look) if promise is not None else ""
        if promise is not None and fault:
            await self._give_up_shared(promise, fault)
        elif promise is not None and promise.message is not None:
            return promise
        if await promises.end_over(channel):
            raise NoPromise("a hand under the promise before is not over yet")
        new = promise if promise is not None and not fault else await self._begun_shared(guild, channel)
        return await self._posted(new, await promises.ended(channel), language, promises.promised, self._give_up_shared)

    async def _fault_of_shared(self, promise: SharedPromise, *, look: bool) -> str:
        if promise.message is None:
            return "" if promise.id in self._waiting else _UNKNOWN
        return _DELETED if look and not await self._poster.stands(promise.promise) else ""

    async def _begun_shared(self, guild: int, channel: int) -> SharedPromise:
        """Begin a promise for a channel: store it before its tip is posted, and return it.

        To work out its 256 chains takes a tenth of a second in all, so other tasks get turns in between.
        """
        root, tips = self._seeds(), list[bytes]()
        for tip in slot_tips(root):
            tips.append(tip)
            if len(tips) % AT_A_TIME == 0:
                await asyncio.sleep(0)
        joined = b"".join(tips)
        promise = SharedPromise(_number_of(top_of(joined)), guild, channel, root, top_of(joined), joined)
        await self._bank.promises.begin(promise)
        return promise

    async def _give_up_shared(self, promise: SharedPromise, why: str) -> None:
        self._waiting.discard(promise.id)
        await self._bank.promises.give_up(promise.id, why)
        self._gave_up(promise.id)

    # -- posting -------------------------------------------------------------------------------------------------------

    async def _posted(
        self,
        new: P,
        before: Promised | None,
        language: str,
        note: Callable[[int, int], Awaitable[None]],
        give_up: Callable[[P, str], Awaitable[None]],
    ) -> P:
        """Post the promise of `new`, store the message's id with `note`, and return `new` with that id.

        The message also shows the root of `before`: the chain of the same place, or the promise of the same channel,
        that ended last (None: there is none). Raise NoPromise if the promise is surely not posted, or if nobody knows
        whether the message's id is stored. If nobody knows whether the promise is posted, end `new` with `give_up`, and
        raise NoPromise too.
        """
        try:
            message = await self._poster.post(new, before, language)
        except NotPosted as error:
            self._waiting.add(new.id)
            raise NoPromise(str(error)) from error
        except Exception as error:
            log.warning("promise %s is given up: %s", new.tip[:8], error)
            await give_up(new, _UNKNOWN)
            raise NoPromise(str(error)) from error
        self._waiting.discard(new.id)
        try:
            await note(new.id, message)
        except OutcomeUnknown as error:
            raise NoPromise("nobody knows whether the promise was written down") from error
        return replace(new, message=message)


def _number_of(tip: str) -> int:
    """Return the id of a chain or promise in the bank: the first 15 digits of its tip, which no other has."""
    return int(tip[:15], 16)
