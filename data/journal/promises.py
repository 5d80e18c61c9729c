"""Promises that cover many chains: at most one of a channel has chains left, and each chain is taken once."""

from __future__ import annotations

from typing import Any, Final

import sqlalchemy as sa

from data.base.schema import HAS_SLOTS, OPEN_CHAIN, OPEN_PROMISE, chains, promises
from data.drivers.batch import Batch
from data.drivers.part import Part
from data.drivers.statement import ONE, Row, Statement, insert_once, param, rows_of
from engine.tables.ports import OtherChain
from engine.tables.values import Chain, SharedPromise

_GIVEN: Final = ("id", "guild", "channel", "root", "tip", "tips")
_this = promises.c.id == param("id")
_here = promises.c.channel == param("channel")
_IN_USE: Final = Statement(sa.select(promises).where(_here, HAS_SLOTS))
_ended = sa.select(promises).where(_here, ~OPEN_PROMISE)
_ENDED_LAST: Final = Statement(_ended.order_by(promises.c.ended_at.desc(), promises.c.began_at.desc()).limit(ONE))
_BEGIN: Final = insert_once(promises)
_PROMISED: Final = Statement(
    sa.update(promises).values(message=param("message")).where(_this, HAS_SLOTS, promises.c.message.is_(None))
)
#: Counts the next chain of a promise as taken.
TAKE: Final = Statement(
    sa.update(promises)
    .values(slots=param("slot", sa.Integer()))
    .where(_this, HAS_SLOTS, promises.c.slots == param("slot", sa.Integer()) - 1, promises.c.message.is_not(None))
)
_GIVE_UP: Final = Statement(sa.update(promises).values(why=param("why")).where(_this, promises.c.why.is_(None)))
_given_up = sa.and_(OPEN_PROMISE, promises.c.why.is_not(None))
_GIVEN_UP: Final = Statement(sa.select(promises.c.id).where(_here, _given_up).limit(ONE))
#: A chain without an open hand ends; any other one ends with its hand (`data.ledger.settlement`).
_END_IDLE: Final = Statement(
    sa.update(chains)
    .values(ended_at=param("at"), why=param("gave_up"))
    .where(
        OPEN_CHAIN,
        chains.c.used == chains.c.finished,
        chains.c.promise.in_(sa.select(promises.c.id).where(_here, _given_up)),
    )
)
_in_use = sa.exists(sa.select(chains.c.id).where(chains.c.promise == promises.c.id, OPEN_CHAIN))
_END_OVER: Final = Statement(
    sa.update(promises)
    .values(ended_at=param("at"), why=sa.func.coalesce(promises.c.why, param("used_up", sa.Text())))
    .where(_here, OPEN_PROMISE, ~HAS_SLOTS, ~_in_use)
)


class Promises(Part):
    """The shared promises of all channels; each promise covers many chains."""

    async def in_use(self, channel: int) -> SharedPromise | None:
        """Return the channel's promise that has a chain left for a place, or None."""
        return await self._found(_IN_USE, channel)

    async def ended(self, channel: int) -> SharedPromise | None:
        """Return the channel's promise that ended last, or None."""
        return await self._found(_ENDED_LAST, channel)

    async def begin(self, promise: SharedPromise) -> None:
        """Store a promise. Raises OtherChain if the channel has one with chains left."""
        values: dict[str, Any] = {name: getattr(promise, name) for name in _GIVEN}
        values |= {"message": None, "slots": 0, "began_at": self._clock.now(), "ended_at": None, "why": None}
        await self._store.change(_BEGIN, values, OtherChain(f"channel {promise.channel} has a promise already"))

    async def promised(self, promise: int, message: int) -> None:
        """Store the message that shows a promise. Raises OtherChain if it was given up, or has a message already."""
        given_up = OtherChain(f"promise {promise} was given up")
        await self._store.change(_PROMISED, {"id": promise, "message": message}, given_up)

    async def give_up(self, promise: int, why: str) -> None:
        """Give up a promise: no place takes another chain of it, and its chains without an open hand end.

        The promise ends with its last chain. Giving it up twice does nothing more.
        """
        channel = await self._store.value(sa.select(promises.c.channel).where(promises.c.id == promise))
        batch = self._store.batch()
        batch.add(_GIVE_UP, {"id": promise, "why": why})
        self._end_over(batch, channel)
        await self._store.write.run(batch)

    async def end_over(self, channel: int) -> bool:
        """End the channel's promises that are used up or given up and have no chain in use any more.

        Before that, end those chains of given up promises that have no open hand. Return whether a given up promise
        still waits for the end of a hand.
        """
        batch = self._store.batch()
        self._end_over(batch, channel)
        await self._store.write.run(batch)
        return bool(await self._store.fetch(_GIVEN_UP, {"channel": channel}))

    def _end_over(self, batch: Batch, channel: int) -> None:
        now = self._clock.now()
        batch.add(_END_IDLE, {"channel": channel, "at": now, "gave_up": "its promise was given up"})
        batch.add(_END_OVER, {"channel": channel, "at": now, "used_up": "used up"})

    async def _found(self, question: Statement, channel: int) -> SharedPromise | None:
        rows = rows_of(promises, await self._store.fetch(question, {"channel": channel}))
        return _promise_of(rows[0]) if rows else None


def take(batch: Batch, chain: Chain) -> None:
    """Add to a batch the note that this chain is taken. It must be the next one of its channel's promise.

    The batch raises OtherChain if the chain is taken, or the promise was given up or is not known to be posted.
    """
    taken = OtherChain(f"chain {chain.slot} of promise {chain.shared} is taken, or its promise was given up")
    batch.must(TAKE, {"id": chain.shared, "slot": chain.slot}, taken)


def _promise_of(row: Row) -> SharedPromise:
    return SharedPromise(
        row.id, row.guild, row.channel, bytes(row.root), row.tip, bytes(row.tips), row.message, row.slots
    )
