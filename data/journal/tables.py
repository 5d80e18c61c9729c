"""Writes the change of each press at a table in one transaction, and reads tables back."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Final

import sqlalchemy as sa

from data.base.errors import BadChange
from data.base.figures import COMMITS, PARTS, ROUNDS
from data.base.json_text import compact, read_json
from data.base.schema import OPEN_CHAIN, OPEN_TABLE, causes, chains, rounds, steps, stops, tables
from data.drivers.batch import Batch
from data.drivers.part import Part
from data.drivers.statement import Statement, columns_of, insert, insert_once, param, params
from data.drivers.store import Store
from data.journal import reading
from data.journal.round_rows import KEEP_RULES, hash_of
from data.ledger import door, ledger, settlement
from data.ledger.limits import expect_within
from data.people.breaks import expect_awake
from data.people.members import still_known
from data.people.titles import award
from engine.fairness.record import Record, RecordOne, RecordThree
from engine.tables.ports import AlreadyDone, BankError, BankUnavailable, Clock, StakesStopped, StaleTable
from engine.tables.values import Change, Deal, Finish, Kind, Seal, StoredTable, TableRow
from engine.tournament.ports import TournamentRow

SeatMembers = Sequence[int | None]

#: The version that a table is first stored with.
FIRST: Final = 1

#: The kind of a new round's record, by whether the round belongs to a chain.
_KINDS: Final[Mapping[bool, type[Record]]] = {False: RecordOne, True: RecordThree}

#: The most rounds whose members are remembered between deal and finish.
REMEMBERED: Final = 4_096

_SEATS = sa.select(rounds.c.members).where(
    rounds.c.table_id == sa.bindparam("table"), rounds.c.number == sa.bindparam("number")
)

_CAUSE: Final = insert_once(causes)
_NEW: Final = insert_once(tables, but=("causes_from",))
_MOVE: Final = Statement(
    sa.update(tables)
    .values(**params("doc", "version", "open", "deadline", "channel"))
    .where(
        tables.c.id == param("id"),
        tables.c.version == param("was", sa.Integer()),
        tables.c.guild == param("guild"),
    )
)

_round = sa.and_(rounds.c.table_id == param("table_id"), rounds.c.number == param("number"))
_KEY: Final = ("table_id", "number")
_SEALED: Final = ("guild", "seed", "commitment", "code", "version", "scheme", "chain", "link")
_sealed = insert(rounds).values(**params(*_KEY, *_SEALED))
SEAL: Final = Statement(_sealed.on_conflict_do_nothing())
#: Nothing of a chain's round is shown before it is dealt, so it may be sealed again, from another chain.
SEAL_AGAIN: Final = Statement(
    _sealed.on_conflict_do_update(
        index_elements=_KEY,
        set_={name: _sealed.excluded[name] for name in _SEALED},
        where=sa.and_(rounds.c.dealt_at.is_(None), rounds.c.link.is_not(None)),
    )
)
_DEALT: Final = (
    "version", "scheme", "game", "rules_name", "rules_hash", "stakes", "members", "inputs", "dealt_at",
    "players", "phrase", "previous", "build",
)  # fmt: skip
_DEAL: Final = Statement(sa.update(rounds).values(**params(*_DEALT)).where(_round, rounds.c.dealt_at.is_(None)))
_playing = sa.and_(_round, rounds.c.dealt_at.is_not(None), rounds.c.finished_at.is_(None))
_STEP: Final = Statement(
    insert(steps)
    .from_select(
        list(steps.columns.keys()),
        sa.select(*columns_of(steps).values()).where(sa.exists(sa.select(rounds.c.number).where(_playing))),
    )
    .on_conflict_do_nothing()
)
_before = param("link", sa.Integer()) - 1
USE_CHAIN: Final = Statement(
    sa.update(chains)
    .values(used=param("link", sa.Integer()))
    .where(
        chains.c.id == param("id"),
        OPEN_CHAIN,
        chains.c.used == _before,
        chains.c.finished == _before,
        chains.c.message.is_not(None),
    )
)
_END_PLACE: Final = Statement(
    sa.update(chains).values(ended_at=param("at"), why=param("why")).where(chains.c.place == param("place"), OPEN_CHAIN)
)
_STOPS: Final = Statement(sa.select(stops.c.id))


class Tables(Part):
    """The tables at which people play: their changes are written here, and they are read back."""

    def __init__(self, store: Store, clock: Clock) -> None:
        super().__init__(store, clock)
        self._seats: dict[tuple[int, int], SeatMembers] = {}
        self._kept_rules: set[bytes] = set()

    async def commit(self, change: Change) -> None:
        """Write all of a change in one transaction, or write nothing of it and raise BankError.

        After OutcomeUnknown nobody knows which of the two happened. The metrics count the change as done, refused (too
        few chips, done already) or failed.
        """
        outcome = "failed"
        try:
            with PARTS.labels("commit").time():
                if change.deal is not None:
                    await self._keep_rules(change.deal)
                seats = await self._seats_of(change) if change.finish is not None else ()
                await door.write(self._store, self._batch(change, seats), self._clock.now())
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
        """Return a table by its number, with its last two rounds, or None."""
        async with self._store.slicing() as connection:
            found = await reading.stored_tables(connection, tables.c.id == table)
        return found[0] if found else None

    async def still_open(self, *, guilds: Collection[int] | None = None) -> Sequence[StoredTable]:
        """Return the open tables of all guilds, or of some, each with its last two rounds."""
        which = OPEN_TABLE if guilds is None else sa.and_(OPEN_TABLE, tables.c.guild.in_(guilds))
        async with self._store.slicing() as connection:
            return await reading.stored_tables(connection, which)

    async def guilds_at_play(self, *, shards: Collection[int] | None = None, shard_count: int = 1) -> Sequence[int]:
        """Return the guilds with an open table: all of them, or those of some shards. Only an index is read."""
        query = sa.select(tables.c.guild).where(OPEN_TABLE).distinct().order_by(tables.c.guild)
        if shards is not None:
            shard = tables.c.guild.bitwise_rshift(sa.literal_column("22")) % shard_count
            query = query.where(shard.in_(shards))
        return [row.guild for row in await self._store.rows(query)]

    # -- private ---------------------------------------------------------------------------------------------------

    def _batch(self, change: Change, seats: SeatMembers) -> Batch:
        batch, row, now = self._store.batch(), change.table, self._clock.now()
        if change.transfers and brings_new_stakes(change):
            no_stop(batch, self._store)
        once(batch, change.cause, now, row)
        if change.seated:
            still_known(batch, change.seated)
        if change.entering:
            expect_awake(batch, change.entering, now, for_chips=change.for_chips)
        for member in () if change.for_chips else change.entering:
            expect_within(batch, row.guild, member, now, more=1)
        stored = {f"{name}": getattr(row, name) for name in ("id", "guild", "channel", "game", "doc", "version")}
        stored |= {"open": int(row.open), "deadline": row.deadline, "was": row.version - 1}
        stale = StaleTable(f"table {row.id} is not at version {row.version - 1}")
        batch.must(_NEW if row.version == FIRST else _MOVE, stored, stale)
        if change.transfers:
            ledger.move(batch, change.transfers, now)
        if change.seal is not None:
            _seal(batch, row, change.seal)
        if change.deal is not None:
            _deal(batch, row.id, change.deal)
        for taken in change.taken:
            step = {f"{name}": getattr(taken, name) for name in ("number", "place", "at", "purse")}
            step |= {"seat": taken.step.seat, "action": taken.step.action, "by": taken.step.by.value}
            fault = BadChange(f"step {taken.place} of round {taken.number} of table {row.id}")
            batch.must(_STEP, {"table_id": row.id, **step}, fault)
        if change.finish is not None:
            settlement.finish(batch, change, change.finish, seats)
        if change.place_over is not None:
            over = {"place": change.place_over, "why": "its table is over", "at": now}
            batch.add(_END_PLACE, over)
        if change.title is not None:
            award(batch, row.guild, change.title)
        return batch

    async def _keep_rules(self, deal: Deal) -> None:
        """Store the text of the rules, unless it is stored already.

        This comes before the deal's own transaction: two tables that share a text would wait for each other in it.
        """
        text = compact(dict(deal.rules))
        key = hash_of(text)
        if key not in self._kept_rules:
            batch = self._store.batch()
            batch.add(KEEP_RULES, {"hash": key, "text": text})
            await self._store.write.run(batch)
            self._kept_rules.add(key)

    async def _seats_of(self, change: Change) -> SeatMembers:
        """Return the member at each seat of the round that ends (None: a computer player).

        If the change also deals this round, it has the members. Otherwise they are in memory or are read before the
        transaction, because they never change once a round is dealt.
        """
        assert change.finish is not None
        if change.deal is not None:
            assert change.deal.number == change.finish.number
            return change.deal.members
        key = change.table.id, change.finish.number
        return self._seats.get(key) or await self._stored_seats(change.table.id, change.finish)

    async def _stored_seats(self, table: int, finish: Finish) -> SeatMembers:
        kept = await self._store.value(_SEATS, {"table": table, "number": finish.number})
        if kept is None:
            raise BadChange(f"round {finish.number} of table {table} was not dealt")
        seats: SeatMembers = read_json(kept)
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
    """Return whether a member places a new stake or buys in; adding to a hand that is being played does not count."""
    if change.taken and change.deal is None:
        return False
    purses, tables = (Kind.MEMBER, Kind.STACK), (Kind.ESCROW, Kind.STACK)
    return any(move.source.kind in purses and move.target.kind in tables for move in change.transfers)


def no_stop(batch: Batch, store: Store) -> None:
    """Raise StakesStopped if the store's `Watch` reports trouble; make the batch raise it if an audit found a fault."""
    if trouble := store.watch.trouble():
        raise StakesStopped(trouble)
    batch.must(_STOPS, {}, StakesStopped("the audit found a fault"), rows=0)


def once(batch: Batch, cause: str, at: float, of: TableRow | TournamentRow) -> None:
    """Add to a batch the cause of a change, so that the batch raises AlreadyDone if this cause is stored already.

    `of` is the row of the table or tournament, with the version that the change brings it to.
    """
    values = {"cause": cause, "at": at, "of": of.id, "version": of.version}
    batch.must(_CAUSE, values, AlreadyDone(cause))


def _seal(batch: Batch, row: TableRow, seal: Seal) -> None:
    values = {
        "table_id": row.id,
        "number": seal.number,
        "guild": row.guild,
        "seed": seal.seed,
        "commitment": "" if seal.link else seal.commitment,
        "code": seal.code,
        "chain": seal.chain,
        "link": seal.link or None,
        **_kind(bool(seal.link)),
    }
    batch.must(
        SEAL_AGAIN if seal.link else SEAL, values, BadChange(f"round {seal.number} of table {row.id} is sealed already")
    )


def _deal(batch: Batch, table: int, deal: Deal) -> None:
    values = {
        "table_id": table,
        "number": deal.number,
        **_kind(bool(deal.link)),
        "game": deal.game,
        "rules_name": deal.rules_name,
        "rules_hash": hash_of(compact(dict(deal.rules))),
        "stakes": compact([dict(stakes) for stakes in deal.stakes]),
        "members": compact(list(deal.members)),
        "inputs": compact(list(deal.inputs)),
        "dealt_at": deal.at,
        "players": compact([[who.level, who.version] for who in deal.players]) if deal.link else None,
        "phrase": deal.phrase if deal.link else None,
        "previous": deal.previous if deal.link else None,
        "build": deal.build if deal.link else None,
    }
    if deal.link:
        gone_on = StaleTable(f"chain {deal.chain} does not go on with round {deal.link}")
        batch.must(USE_CHAIN, {"id": deal.chain, "link": deal.link}, gone_on)
    batch.must(_DEAL, values, BadChange(f"round {deal.number} of table {table} cannot be dealt"))


def _kind(of_chain: bool) -> dict[str, str | int]:  # noqa: FBT001
    kind = _KINDS[of_chain]
    return {"version": kind.version, "scheme": kind.scheme}
