"""The tables: one press, one transaction."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Final

import sqlalchemy as sa

from data.drivers.batch import Batch
from data.drivers.statement import Statement, insert_once
from data.drivers.store import Store
from data.faults import BadChange
from data.figures import COMMITS, PARTS, ROUNDS
from data.journal import reading
from data.journal.reading import compact
from data.ledger import ledger, settlement
from data.part import Part
from data.people.members import still_known
from data.schema import OPEN, causes, rounds, stops, tables
from data.statements import Statements
from data.tournaments.titles import award
from engine.fairness.record import Record, RecordOne, RecordThree
from engine.tables.ports import AlreadyDone, BankError, BankUnavailable, Clock, StakesStopped, StaleTable
from engine.tables.values import Change, Deal, Finish, Kind, Seal, StoredTable, TableRow
from engine.tournament.ports import TournamentRow

Seats = Sequence[int | None]

#: The version a table is first stored with.
FIRST: Final = 1

#: Of the record, and of the shuffle: by whether the round belongs to a chain.
_KINDS: Final[Mapping[bool, type[Record]]] = {False: RecordOne, True: RecordThree}

#: Rounds whose members are remembered between deal and finish.
REMEMBERED: Final = 4_096

_SEATS = sa.select(rounds.c.members).where(
    rounds.c.table_id == sa.bindparam("table"), rounds.c.number == sa.bindparam("number")
)

_CAUSE: Final = insert_once(causes)
_STOPS: Final = Statement(sa.select(stops.c.id))


class Tables(Part):
    def __init__(self, store: Store, clock: Clock) -> None:
        super().__init__(store, clock)
        self._seats: dict[tuple[int, int], Seats] = {}

    async def commit(self, change: Change) -> None:
        """All of it, or none and a fault of `engine.tables.ports`. Among the figures what is refused (not enough chips,
        done already) is an outcome, and what could not be written a failure."""
        outcome = "failed"
        try:
            with PARTS.labels("commit").time():
                seats = await self._seats_of(change) if change.finish is not None else ()
                await self._store.write.run(self._batch(change, seats))
            outcome = "done"
        except BankError as error:
            outcome = "failed" if isinstance(error, BankUnavailable) else "refused"
            raise
        finally:
            COMMITS.labels(outcome).inc()
        if change.deal is not None or change.finish is not None:
            self._keep_seats(change)
        if change.finish is not None:
            ROUNDS.labels(change.table.game).inc()

    async def stored(self, table: int) -> StoredTable | None:
        async with self._store.slicing() as connection:
            found = await reading.stored_tables(connection, tables.c.id == table)
        return found[0] if found else None

    async def still_open(self, *, guilds: Collection[int] | None = None) -> Sequence[StoredTable]:
        """Of all guilds, or of some."""
        which = OPEN if guilds is None else sa.and_(OPEN, tables.c.guild.in_(guilds))
        async with self._store.slicing() as connection:
            return await reading.stored_tables(connection, which)

    async def guilds_at_play(self, *, shards: Collection[int] | None = None, shard_count: int = 1) -> Sequence[int]:
        """Those with an open table: all of them, or those whose shard is ours. Read from an index alone."""
        query = sa.select(tables.c.guild).where(OPEN).distinct().order_by(tables.c.guild)
        if shards is not None:
            shard = tables.c.guild.bitwise_rshift(sa.literal_column("22")) % shard_count
            query = query.where(shard.in_(shards))
        return [row.guild for row in await self._store.rows(query)]

    # -- private ---------------------------------------------------------------------------------------------------

    def _batch(self, change: Change, seats: Seats) -> Batch:
        batch, sql, row, now = self._store.batch(), self._store.sql, change.table, self._clock.now()
        if change.transfers and brings_new_stakes(change):
            no_stop(batch, self._store)
        once(batch, change.cause, now, row)
        if change.seated:
            still_known(batch, change.seated)
        stored = {f"p_{name}": getattr(row, name) for name in ("id", "guild", "channel", "game", "doc", "version")}
        stored |= {"p_open": int(row.open), "p_deadline": row.deadline, "p_was": row.version - 1}
        stale = StaleTable(f"table {row.id} is not at version {row.version - 1}")
        batch.must(sql.journal.new_table if row.version == FIRST else sql.journal.move_table, stored, stale)
        if change.transfers:
            ledger.move(batch, change.transfers, now)
        if change.seal is not None:
            _seal(batch, sql, row, change.seal)
        if change.deal is not None:
            _deal(batch, sql, row.id, change.deal)
        for taken in change.taken:
            step = {f"p_{name}": getattr(taken, name) for name in ("number", "place", "at", "purse")}
            step |= {"p_seat": taken.step.seat, "p_action": taken.step.action, "p_by": taken.step.by.value}
            fault = BadChange(f"step {taken.place} of round {taken.number} of table {row.id}")
            batch.must(sql.journal.step, {"p_table_id": row.id, **step}, fault)
        if change.finish is not None:
            settlement.finish(batch, sql, change, change.finish, seats)
        if change.place_over is not None:
            over = {"p_place": change.place_over, "p_why": "its table is over", "p_at": now}
            batch.add(sql.journal.end_place, over)
        if change.title is not None:
            award(batch, row.guild, change.title)
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
        seats: Seats = reading.read_json(kept)
        return seats

    def _keep_seats(self, change: Change) -> None:
        if change.deal is not None:
            while len(self._seats) >= REMEMBERED:
                del self._seats[next(iter(self._seats))]
            self._seats[change.table.id, change.deal.number] = change.deal.members
        if change.finish is not None:
            self._seats.pop((change.table.id, change.finish.number), None)


# -- what a change writes ----------------------------------------------------------------------------------------------


def brings_new_stakes(change: Change) -> bool:
    """Whether a member bets anew, or buys in to; adding to a hand that is being played is not that."""
    if change.taken and change.deal is None:
        return False
    purses, tables = (Kind.MEMBER, Kind.STACK), (Kind.ESCROW, Kind.STACK)
    return any(move.source.kind in purses and move.target.kind in tables for move in change.transfers)


def no_stop(batch: Batch, store: Store) -> None:
    """StakesStopped if something is wrong with what the bank stands on, or if a fault was found in its books."""
    if trouble := store.watch.trouble():
        raise StakesStopped(trouble)
    batch.must(_STOPS, {}, StakesStopped("the audit found a fault"), rows=0)


def once(batch: Batch, cause: str, at: float, of: TableRow | TournamentRow) -> None:
    """What brings a table or tournament to this version. AlreadyDone if the cause was there before."""
    values = {"cause": cause, "at": at, "of": of.id, "version": of.version}
    batch.must(_CAUSE, values, AlreadyDone(cause))


def _seal(batch: Batch, sql: Statements, row: TableRow, seal: Seal) -> None:
    values = {
        "p_table_id": row.id,
        "p_number": seal.number,
        "p_guild": row.guild,
        "p_seed": seal.seed,
        "p_commitment": seal.commitment,
        "p_code": seal.code,
        "p_chain": seal.chain,
        "p_link": seal.link or None,
        **_kind(bool(seal.link)),
    }
    statement = sql.journal.seal_anew if seal.link else sql.journal.seal
    batch.must(statement, values, BadChange(f"round {seal.number} of table {row.id} is sealed already"))


def _deal(batch: Batch, sql: Statements, table: int, deal: Deal) -> None:
    values = {
        "p_table_id": table,
        "p_number": deal.number,
        **_kind(bool(deal.link)),
        "p_game": deal.game,
        "p_rules_name": deal.rules_name,
        "p_rules": compact(dict(deal.rules)),
        "p_stakes": compact([dict(stakes) for stakes in deal.stakes]),
        "p_members": compact(list(deal.members)),
        "p_inputs": compact(list(deal.inputs)),
        "p_dealt_at": deal.at,
        "p_players": compact([[who.level, who.version] for who in deal.players]) if deal.link else None,
        "p_phrase": deal.phrase if deal.link else None,
        "p_previous": deal.previous if deal.link else None,
        "p_build": deal.build if deal.link else None,
    }
    if deal.link:
        gone_on = StaleTable(f"chain {deal.chain} does not go on with round {deal.link}")
        batch.must(sql.journal.use_chain, {"p_id": deal.chain, "p_link": deal.link}, gone_on)
    batch.must(sql.journal.deal, values, BadChange(f"round {deal.number} of table {table} cannot be dealt"))


def _kind(of_chain: bool) -> dict[str, str | int]:  # noqa: FBT001
    kind = _KINDS[of_chain]
    return {"p_version": kind.version, "p_scheme": kind.scheme}
