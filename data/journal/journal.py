"""The journal: what a change writes of tables and rounds, and how it is read back."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from data.drivers.batch import Batch
from data.drivers.statement import Row
from data.faults import BadChange
from data.journal.chains import chain_of
from data.journal.packs import opened, packs_of, steps_away, whole
from data.schema import chains, rounds, steps, tables
from data.statements import Statements
from engine.fairness.record import Player, Record, RecordOne, RecordTwo
from engine.games.contract import By, Line, Outcome, Step
from engine.tables.ports import (
    AlreadyDone,
    Chain,
    Change,
    Deal,
    Finish,
    Seal,
    StaleTable,
    StoredRound,
    StoredTable,
    TableRow,
    Taken,
)

#: People name a round by the first letters of its commitment.
CODE: Final = 8

#: The version a table is first stored with.
FIRST: Final = 1

#: Of the record, and of the shuffle: by whether the round belongs to a chain.
_KINDS: Final[Mapping[bool, type[Record]]] = {False: RecordOne, True: RecordTwo}


def read_json(text: str) -> Any:
    return json.loads(text)


def compact(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


# -- writing -----------------------------------------------------------------------------------------------------------


def cause(batch: Batch, sql: Statements, cause: str, at: float) -> None:
    batch.must(sql.journal.cause, {"p_cause": cause, "p_at": at}, AlreadyDone(cause))


def table(batch: Batch, sql: Statements, row: TableRow) -> None:
    values = {f"p_{name}": getattr(row, name) for name in ("id", "guild", "channel", "game", "doc", "version")}
    values |= {"p_open": int(row.open), "p_deadline": row.deadline, "p_was": row.version - 1}
    stale = StaleTable(f"table {row.id} is not at version {row.version - 1}")
    batch.must(sql.journal.new_table if row.version == FIRST else sql.journal.move_table, values, stale)


def history(batch: Batch, sql: Statements, change: Change) -> None:
    """Everything a change says of rounds, except how one ended (`data.ledger.settlement`)."""
    if change.seal is not None:
        _seal(batch, sql, change.table, change.seal)
    if change.deal is not None:
        _deal(batch, sql, change.table.id, change.deal)
    for taken in change.taken:
        _take(batch, sql, change.table.id, taken)


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
    }
    if deal.link:
        gone_on = StaleTable(f"chain {deal.chain} does not go on with round {deal.link}")
        batch.must(sql.journal.use_chain, {"p_id": deal.chain, "p_link": deal.link}, gone_on)
    batch.must(sql.journal.deal, values, BadChange(f"round {deal.number} of table {table} cannot be dealt"))


def _kind(of_chain: bool) -> dict[str, str | int]:  # noqa: FBT001
    kind = _KINDS[of_chain]
    return {"p_version": kind.version, "p_scheme": kind.scheme}


def _take(batch: Batch, sql: Statements, table: int, taken: Taken) -> None:
    values = {
        "p_table_id": table,
        "p_number": taken.number,
        "p_place": taken.place,
        "p_seat": taken.step.seat,
        "p_action": taken.step.action,
        "p_by": taken.step.by.value,
        "p_at": taken.at,
        "p_purse": taken.purse,
    }
    batch.must(sql.journal.step, values, BadChange(f"step {taken.place} of round {taken.number} of table {table}"))


# -- reading -----------------------------------------------------------------------------------------------------------


async def stored_tables(connection: AsyncConnection, which: sa.ColumnElement[bool]) -> list[StoredTable]:
    """The tables, each with its last two rounds: the one dealt last, and the one sealed."""
    found = (await connection.execute(sa.select(tables).where(which).order_by(tables.c.id))).all()
    newest = (
        sa.select(rounds.c.table_id, sa.func.max(rounds.c.number).label("newest"))
        .join(tables, tables.c.id == rounds.c.table_id)
        .where(which)
        .group_by(rounds.c.table_id)
        .subquery()
    )
    recent = sa.and_(rounds.c.table_id == newest.c.table_id, rounds.c.number >= newest.c.newest - 1)
    by_table: dict[int, list[StoredRound]] = defaultdict(list)
    for stored in await stored_rounds(connection, sa.select(rounds).join(newest, recent)):
        by_table[stored.table].append(stored)
    return [StoredTable(table_row(row), tuple(by_table[row.id])) for row in found]


async def stored_rounds(connection: AsyncConnection, query: sa.Select[Any]) -> list[StoredRound]:
    """The rounds that a query of `rounds` finds, with their steps."""
    found = (await connection.execute(query.order_by(rounds.c.table_id, rounds.c.number))).all()
    wanted = query.with_only_columns(rounds.c.table_id, rounds.c.number).subquery()
    same = sa.and_(steps.c.table_id == wanted.c.table_id, steps.c.number == wanted.c.number)
    order = (steps.c.table_id, steps.c.number, steps.c.place)
    taken: dict[tuple[int, int], list[Row]] = defaultdict(list)
    for step in (await connection.execute(sa.select(steps).join(wanted, same).order_by(*order))).all():
        taken[step.table_id, step.number].append(step)
    used = {row.chain for row in found if row.chain is not None}
    kept = (await connection.execute(sa.select(chains).where(chains.c.id.in_(used)))).all() if used else ()
    known = {row.id: chain_of(row) for row in kept}
    away = opened(await packs_of(connection, found))
    taken |= steps_away(away)
    return [_stored_round(whole(row, away), taken[row.table_id, row.number], known.get(row.chain)) for row in found]


def table_row(row: Row) -> TableRow:
    return TableRow(
        row.id, row.guild, row.channel, row.game, row.doc, row.version, open=bool(row.open), deadline=row.deadline
    )


def _stored_round(row: Row, taken: Sequence[Row], chain: Chain | None) -> StoredRound:
    return StoredRound(
        table=row.table_id,
        number=row.number,
        seed=bytes(row.seed),
        commitment=row.commitment,
        deal=_dealt(row) if row.dealt_at is not None else None,
        steps=tuple(Step(step.seat, step.action, By(step.by)) for step in taken),
        finish=finished(row) if row.finished_at is not None else None,
        version=row.version,
        scheme=row.scheme,
        link=row.link or 0,
        chain=chain,
        purses=tuple(step.purse for step in taken),
    )


def _dealt(row: Row) -> Deal:
    return Deal(
        number=row.number,
        game=row.game,
        rules_name=row.rules_name,
        rules=json.loads(row.rules),
        stakes=tuple(json.loads(row.stakes)),
        members=tuple(json.loads(row.members)),
        inputs=tuple(json.loads(row.inputs)),
        at=row.dealt_at,
        chain=row.chain,
        link=row.link or 0,
        players=tuple(Player(*who) for who in json.loads(row.players or "[]")),
        phrase=row.phrase or "",
        previous=row.previous or "",
    )


def finished(row: Row) -> Finish:
    return Finish(
        row.number, tuple(map(_line, json.loads(row.lines))), row.outcome, row.finished_at, row.chain, row.hash or ""
    )


def _line(kept: Mapping[str, Any]) -> Line:
    return Line(kept["seat"], kept["what"], kept["staked"], kept["returned"], Outcome(kept["outcome"]))
