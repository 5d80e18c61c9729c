"""Reads tables and rounds back from the database."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import lru_cache
from types import MappingProxyType
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from data.base.json_text import read_json
from data.base.schema import rounds, steps, tables
from data.drivers.statement import Row
from data.journal.chains import chains_of
from data.journal.packs import opened, packs_of, steps_away, whole
from data.journal.round_rows import ROUNDS
from engine.fairness.record import Player, Record, RecordOne, RecordThree, RecordTwo
from engine.games.contract import By, Line, Outcome, Step
from engine.tables.values import Chain, StoredRound, StoredTable, TableRow

#: The number of a commitment's first digits by which people name a round.
CODE: Final = 8


# -- reading -----------------------------------------------------------------------------------------------------------


async def stored_tables(
    connection: AsyncConnection, which: sa.ColumnElement[bool], values: Mapping[str, Any] = MappingProxyType({})
) -> list[StoredTable]:
    """Return the tables that fit a condition, each with its last two rounds. `values` are the condition's parameters.

    The last round may be only sealed; the one before it is then the round that was dealt last.
    """
    found = (await connection.execute(sa.select(tables).where(which).order_by(tables.c.id), values)).all()
    newest = (
        sa.select(rounds.c.table_id, sa.func.max(rounds.c.number).label("newest"))
        .join(tables, tables.c.id == rounds.c.table_id)
        .where(which)
        .group_by(rounds.c.table_id)
        .subquery()
    )
    recent = sa.and_(rounds.c.table_id == newest.c.table_id, rounds.c.number >= newest.c.newest - 1)
    by_table: dict[int, list[StoredRound]] = defaultdict(list)
    for stored in await stored_rounds(connection, ROUNDS.join(newest, recent), values):
        by_table[stored.table].append(stored)
    return [StoredTable(table_row(row), tuple(by_table[row.id])) for row in found]


async def stored_rounds(
    connection: AsyncConnection, query: sa.Select[Any], values: Mapping[str, Any] = MappingProxyType({})
) -> list[StoredRound]:
    """Return the rounds that a query of `rounds` finds, in order of table and number, with their steps."""
    found = (await connection.execute(query.order_by(rounds.c.table_id, rounds.c.number), values)).all()
    wanted = query.with_only_columns(rounds.c.table_id, rounds.c.number).subquery()
    same = sa.and_(steps.c.table_id == wanted.c.table_id, steps.c.number == wanted.c.number)
    order = (steps.c.table_id, steps.c.number, steps.c.place)
    taken: dict[tuple[int, int], list[Row]] = defaultdict(list)
    for step in (await connection.execute(sa.select(steps).join(wanted, same).order_by(*order), values)).all():
        taken[step.table_id, step.number].append(step)
    known = await chains_of(connection, found)
    away = opened(await packs_of(connection, found))
    taken |= steps_away(away)
    return [stored_round(whole(row, away), taken[row.table_id, row.number], known.get(row.chain)) for row in found]


def table_row(row: Row) -> TableRow:
    """Return the row as the engine's `TableRow`."""
    return TableRow(
        row.id, row.guild, row.channel, row.game, row.doc, row.version, open=bool(row.open), deadline=row.deadline
    )


def stored_round(row: Row, taken: Sequence[Row], chain: Chain | None) -> StoredRound:
    """Return a round, made from its row, the rows of its steps, and its chain (None in scheme 1).

    A round that is only sealed has no record yet.
    """
    seal = row.table_id, row.number, bytes(row.seed), row.commitment, row.scheme, row.link or 0, chain
    if row.dealt_at is None:
        return StoredRound(*seal)
    lines = _lines(row.lines) if row.finished_at is not None else None
    inputs, players = _several(row.inputs), _players(row.players or "[]")  # the scheme decides which is used
    if chain is None:
        record: Record = _record_one(row, taken, inputs, lines)
    elif row.scheme == RecordTwo.scheme:
        record = RecordTwo(**_of_chain(row, taken, chain, players, lines))
    else:
        kept = _of_chain(row, taken, chain, players, lines)
        record = RecordThree(**kept, build=row.build or 1, slot=chain.slot, path=chain.path)
    purses = tuple([step.purse for step in taken])
    return StoredRound(*seal, record, _several(row.members), row.dealt_at, purses, lines, row.finished_at or 0.0)


def _record_one(row: Row, taken: Sequence[Row], inputs: tuple[str, ...], lines: Sequence[Line] | None) -> RecordOne:
    return RecordOne(
        game=row.game,
        rules_name=row.rules_name,
        rules=_rules(row.rules),
        stakes=_several(row.stakes),
        seed=bytes(row.seed),
        inputs=inputs,
        steps=_steps(taken),
        outcome=row.outcome if lines is not None else "",
        commitment=row.commitment,
    )


def _of_chain(
    row: Row, taken: Sequence[Row], chain: Chain, players: tuple[Player, ...], lines: tuple[Line, ...] | None
) -> dict[str, Any]:
    """Return the fields that records of schemes 2 and 3 share.

    `taken` are the rows of the round's steps; `lines` are its results, or None while it is not over.
    """
    return {
        "promise": chain.promise,
        "number": row.link or 0,
        "game": row.game,
        "rules_name": row.rules_name,
        "rules": _rules(row.rules),
        "stakes": _several(row.stakes),
        "seed": bytes(row.seed),
        "players": players,
        "phrase": row.phrase,
        "previous": row.previous or "",
        "steps": _steps(taken),
        "purses": tuple([step.purse if step.by == _COMPUTER else None for step in taken]),
        "payments": lines or (),
        "hash": (row.hash or "") if lines is not None else "",
        "root": chain.root.hex() if chain.ended else "",
    }


def _steps(taken: Sequence[Row]) -> tuple[Step, ...]:
    return tuple([Step(step.seat, step.action, _BY[step.by]) for step in taken])


_BY: Final = {by.value: by for by in By}
#: The players whose purses are in records. Those of people are left out: no reader needs to know them.
_COMPUTER: Final = By.COMPUTER.value


# Thousands of rounds have the same few rules, stakes, people and results, so what was read is shared. Nothing changes
# it.


@lru_cache(256)
def _rules(text: str) -> Mapping[str, Any]:
    rules: Mapping[str, Any] = json.loads(text)
    return rules


@lru_cache(256)
def _several(text: str) -> tuple[Any, ...]:
    return tuple(read_json(text))


@lru_cache(256)
def _players(text: str) -> tuple[Player, ...]:
    return tuple(Player(*who) for who in json.loads(text))


@lru_cache(64)
def _lines(text: str) -> tuple[Line, ...]:
    return tuple(map(_line, read_json(text)))


def _line(kept: Mapping[str, Any]) -> Line:
    return Line(kept["seat"], kept["what"], kept["staked"], kept["returned"], Outcome(kept["outcome"]))
