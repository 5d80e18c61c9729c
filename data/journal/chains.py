"""Chains of seeds: the chain of each place, the message that promises it, and the hash of the place's last round."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from data.base.schema import OPEN_CHAIN, chains, members, promises
from data.drivers.part import Part
from data.drivers.statement import ONE, Row, Statement, insert_once, param, rows_of
from data.journal.promises import take
from engine.fairness.chain import apart
from engine.tables.places import tournament_place, tournament_table
from engine.tables.ports import OtherChain, StillSecret
from engine.tables.values import Chain

#: Seconds from the beginning of a member's newest chain in which further chains get the same phrase.
PHRASE_STAYS: Final = 3_600.0

_GIVEN: Final = ("id", "place", "guild", "channel", "root", "tip", "last", "member", "phrase", "message", "slot")
_this = sa.and_(chains.c.id == param("id"), OPEN_CHAIN)
_here = sa.and_(chains.c.place == param("place"), OPEN_CHAIN)
#: The query for chains, with the tip of the promise that covers a chain and others, and why that was given up.
_ALL: Final = sa.select(chains, promises.c.tip.label("shown"), promises.c.why.label("gone")).join(
    promises, promises.c.id == chains.c.promise, isouter=True
)
_ended = _ALL.where(chains.c.place == param("place"), ~OPEN_CHAIN)
_IN_USE: Final = Statement(_ALL.where(_here))
_STAYS_IN_USE: Final = Statement(sa.select(chains.c.id).where(_here).with_for_update(read=True))
_LAST_FIRST: Final = (chains.c.ended_at.desc(), chains.c.began_at.desc(), chains.c.id)
_ENDED_LAST: Final = Statement(_ended.order_by(*_LAST_FIRST).limit(ONE))
_BEGIN: Final = insert_once(chains)
_PROMISED: Final = Statement(
    sa.update(chains).values(message=param("message")).where(_this, chains.c.message.is_(None))
)
_END: Final = Statement(sa.update(chains).values(ended_at=param("at"), why=param("why")).where(_this))
_TAKE_OVER: Final = Statement(
    sa.update(chains)
    .values(place=param("place"), member=param("member", sa.BigInteger()), phrase=param("phrase"))
    .where(chains.c.place == param("earlier"), OPEN_CHAIN)
)
_below = chains.alias()
_follows = sa.and_(_below.c.ended_at.is_(None), _below.c.place.like(chains.c.place.concat("/%")))
_TABLE_IN_USE: Final = Statement(
    sa.select(_below.c.id).join(chains, _follows).where(chains.c.id == param("id"), chains.c.place.like("tournament/%"))
)
_NEWEST_OF: Final = (
    sa.select(chains.c.phrase, chains.c.began_at)
    .where(chains.c.member == sa.bindparam("member"))
    .order_by(chains.c.began_at.desc())
    .limit(1)
)
_PHRASE: Final = sa.select(members.c.phrase).where(members.c.id == sa.bindparam("member"))


class Chains(Part):
    """The chains of all places."""

    async def in_use(self, place: str) -> Chain | None:
        """Return the chain that is used in a place now, or None."""
        return await self._found(_IN_USE, place)

    async def ended(self, place: str) -> Chain | None:
        """Return the chain that ended last in a place, or None."""
        return await self._found(_ENDED_LAST, place)

    async def all_of(self, *places: str) -> Sequence[Chain]:
        """Return all chains that ever began in these places, the oldest first."""
        here = _ALL.where(chains.c.place.in_(places))
        return [chain_of(row) for row in await self._store.rows(here.order_by(chains.c.began_at, chains.c.id))]

    async def take_over(self, earlier: str, place: str, member: int | None) -> Chain | None:
        """Move the chain in use at `earlier`, a former name of the place, to `place`, and return it.

        The chain then belongs to this member (None: to nobody), and has the phrase that `phrase` returns for them.
        Return None if no chain is in use at `earlier`.
        """
        if await self.in_use(earlier) is None:
            return None
        values = {"earlier": earlier, "place": place, "member": member, "phrase": await self.phrase(member)}
        await self._store.change(_TAKE_OVER, values)
        return await self.in_use(place)

    async def phrase(self, member: int | None) -> str:
        """Return the phrase for a member's next chain, or "" without a member.

        For an hour after the member's last chain began, it is that chain's phrase; later it is the one they chose, or
        "" if they chose none.
        """
        if member is None:
            return ""
        newest = await self._store.row(_NEWEST_OF, {"member": member})
        if newest is not None and newest.began_at > self._clock.now() - PHRASE_STAYS:
            return str(newest.phrase)
        return str(await self._store.value(_PHRASE, {"member": member}) or "")

    async def begin(self, chain: Chain) -> Chain:
        """Begin a chain in a place without one. Return it with its phrase and the hash of the place's last round.

        A chain under a shared promise counts as taken from that promise. Raises OtherChain if the place has a chain
        already, if the shared promise cannot give this one, or if the place is a tournament's table and the
        tournament's own chain, from which the table's root follows, has ended.
        """
        before = await self.ended(chain.place)
        last, phrase = before.last if before is not None else "", await self.phrase(chain.member)
        begun = replace(chain, last=last, phrase=phrase)
        values: dict[str, Any] = {f"{name}": getattr(begun, name) for name in _GIVEN}
        values |= {
            "promise": chain.shared,
            "path": bytes.fromhex("".join(chain.path)) or None,
            "used": 0,
            "finished": 0,
            "ended_at": None,
            "why": None,
        }
        batch = self._store.batch()
        if chain.shared is not None:
            take(batch, chain)
        table = tournament_table(chain.place)
        if table is not None:
            above = tournament_place(table.tournament)
            batch.must(_STAYS_IN_USE, {"place": above}, OtherChain(f"{above} has no chain any more"))
        batch.must(_BEGIN, {**values, "began_at": self._clock.now()}, OtherChain(f"{chain.place} has a chain already"))
        await self._store.write.run(batch)
        return begun

    async def promised(self, chain: int, message: int) -> None:
        """Store the message that promises a chain.

        Raises OtherChain if the chain has ended, or if a message is stored already.
        """
        given_up = OtherChain(f"chain {chain} was given up")
        await self._store.change(_PROMISED, {"id": chain, "message": message}, given_up)

    async def end(self, chain: int, why: str) -> None:
        """End a chain, so that no round is dealt from it and its root may be shown. Ending it twice does nothing more.

        Raises StillSecret for a tournament's chain while a table uses a chain whose root follows from the tournament's.
        """
        batch = self._store.batch()
        batch.add(_END, {"id": chain, "why": why, "at": self._clock.now()})
        batch.must(_TABLE_IN_USE, {"id": chain}, StillSecret(f"chain {chain}"), rows=0)
        await self._store.write.run(batch)

    async def _found(self, question: Statement, place: str) -> Chain | None:
        rows = rows_of(_ALL, await self._store.fetch(question, {"place": place}))
        return chain_of(rows[0]) if rows else None


async def chains_of(connection: AsyncConnection, found: Iterable[Row]) -> dict[int, Chain]:
    """Return the chains that these rounds (rows) were dealt from, by chain number. Rounds of scheme 1 have none."""
    used = {row.chain for row in found if row.chain is not None}
    kept = (await connection.execute(_ALL.where(chains.c.id.in_(used)))).all() if used else ()
    return {row.id: chain_of(row) for row in kept}


def chain_of(row: Row) -> Chain:
    """Return the chain in a row.

    The row must also have two facts of the chain's shared promise, if it has one: its tip (`shown`), and the reason for
    which it was given up (`gone`).
    """
    return Chain(
        id=row.id,
        place=row.place,
        guild=row.guild,
        channel=row.channel,
        root=bytes(row.root),
        tip=row.tip,
        message=row.message,
        used=row.used,
        last=row.last,
        ended=row.ended_at is not None,
        member=row.member,
        phrase=row.phrase,
        shared=row.promise,
        slot=row.slot,
        path=tuple(each.hex() for each in apart(bytes(row.path or b""))),
        shown=row.shown or "",
        ending=row.gone is not None and row.ended_at is None,
    )
