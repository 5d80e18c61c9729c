"""The tables: one press, one transaction."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Final

import sqlalchemy as sa

from data.drivers.batch import Batch
from data.drivers.store import Store
from data.faults import BadChange
from data.journal import journal
from data.ledger import ledger, settlement
from data.part import Part
from data.schema import OPEN, rounds, tables
from data.statements import Statements
from data.tournaments.titles import award
from engine.tables.ports import Change, Clock, Finish, Kind, MemberGone, StakesStopped, StoredTable

Seats = Sequence[int | None]

#: Rounds whose members are remembered between deal and finish.
REMEMBERED: Final = 4_096

_SEATS = sa.select(rounds.c.members).where(
    rounds.c.table_id == sa.bindparam("table"), rounds.c.number == sa.bindparam("number")
)


class Tables(Part):
    def __init__(self, store: Store, clock: Clock) -> None:
        super().__init__(store, clock)
        self._seats: dict[tuple[int, int], Seats] = {}

    async def commit(self, change: Change) -> None:
        """All of it, or none and a fault of `engine.tables.ports`."""
        seats = await self._seats_of(change) if change.finish is not None else ()
        await self._store.write.run(self._batch(change, seats))
        self._keep_seats(change)

    async def stored(self, table: int) -> StoredTable | None:
        async with self._store.reading() as connection:
            found = await journal.stored_tables(connection, tables.c.id == table)
        return found[0] if found else None

    async def still_open(self, *, guilds: Collection[int] | None = None) -> Sequence[StoredTable]:
        """Of all guilds, or of some."""
        which = OPEN if guilds is None else sa.and_(OPEN, tables.c.guild.in_(guilds))
        async with self._store.reading() as connection:
            return await journal.stored_tables(connection, which)

    async def guilds_at_play(self, *, shards: Collection[int] | None = None, shard_count: int = 1) -> Sequence[int]:
        """Those with an open table: all of them, or those whose shard is ours. Read from an index alone."""
        query = sa.select(tables.c.guild).where(OPEN).distinct().order_by(tables.c.guild)
        if shards is not None:
            shard = tables.c.guild.bitwise_rshift(sa.literal_column("22")) % shard_count
            query = query.where(shard.in_(shards))
        return [row.guild for row in await self._store.rows(query)]

    # -- private ---------------------------------------------------------------------------------------------------

    def _batch(self, change: Change, seats: Seats) -> Batch:
        batch, sql, now = Batch(), self._store.sql, self._clock.now()
        if brings_new_stakes(change):
            no_stop(batch, self._store)
        journal.cause(batch, sql, change.cause, now)
        still_known(batch, sql, change.seated)
        journal.table(batch, sql, change.table)
        ledger.move(batch, sql, change.transfers, now)
        journal.history(batch, sql, change)
        if change.finish is not None:
            settlement.finish(batch, sql, change, change.finish, seats)
        if change.chain_over is not None:
            over = {"p_id": change.chain_over, "p_why": "its table is over", "p_at": now}
            batch.add(sql.journal.end_chain, over)
        if change.title is not None:
            award(batch, sql, change.table.guild, change.title)
        return batch

    async def _seats_of(self, change: Change) -> Seats:
        """Who sits in the round that ends. A dealt round never changes, so it is read outside the transaction."""
        assert change.finish is not None
        number = change.finish.number
        if change.deal is not None and change.deal.number == number:
            return change.deal.members
        return self._seats.get((change.table.id, number)) or await self._stored_seats(change.table.id, change.finish)

    async def _stored_seats(self, table: int, finish: Finish) -> Seats:
        kept = await self._store.value(_SEATS, {"table": table, "number": finish.number})
        if kept is None:
            raise BadChange(f"round {finish.number} of table {table} was not dealt")
        seats: Seats = journal.read_json(kept)
        return seats

    def _keep_seats(self, change: Change) -> None:
        if change.deal is not None:
            while len(self._seats) >= REMEMBERED:
                del self._seats[next(iter(self._seats))]
            self._seats[change.table.id, change.deal.number] = change.deal.members
        if change.finish is not None:
            self._seats.pop((change.table.id, change.finish.number), None)


def brings_new_stakes(change: Change) -> bool:
    """Whether a member bets anew, or buys in to; adding to a hand that is being played is not that."""
    if change.taken and change.deal is None:
        return False
    purses, tables = (Kind.MEMBER, Kind.STACK), (Kind.ESCROW, Kind.STACK)
    return any(move.source.kind in purses and move.target.kind in tables for move in change.transfers)


def still_known(batch: Batch, sql: Statements, members: Iterable[int]) -> None:
    """Whoever is written down must not have been forgotten; and is not, until this is written."""
    for member in sorted(members):
        batch.must(sql.people.still_known, {"p_member": member}, MemberGone(str(member)))


def no_stop(batch: Batch, store: Store) -> None:
    """StakesStopped if something is wrong with what the bank stands on, or if a fault was found in its books."""
    if trouble := store.watch.trouble():
        raise StakesStopped(trouble)
    batch.must(store.sql.chips.no_stop, {}, StakesStopped("the audit found a fault"), rows=0)
