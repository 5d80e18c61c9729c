"""Reads the long lists of what is stored of one member in pages: there may be tens of thousands of rounds."""

from __future__ import annotations

import asyncio
import json
from collections import defaultdict
from collections.abc import AsyncIterator, Collection, Mapping, Sequence
from typing import Any, Final, TypeAlias

import sqlalchemy as sa

from data.base import accounts
from data.base.schema import grades, mistakes, packs, plays, rounds, steps, transfers
from data.drivers.statement import Row
from data.drivers.store import Store
from data.journal.packs import RoundKey, steps_away, unpacked, whole
from data.journal.round_rows import WHOLE

#: The most rows that are read at a time.
MOST: Final = 100

#: A part of a list of what is stored: the list's name, and rows of it that are ready for JSON.
ExportPage: TypeAlias = tuple[str, Sequence[dict[str, Any]]]

#: The name of the only part that is not a list.
MEMBER: Final = "member"
#: The names of the lists that grow with every round.
LONG: Final = ("transfers", "rounds", "grades", "mistakes")

#: The columns of a round that everybody in it may know.
_TOLD: Final = ("code", "commitment", "game", "rules_name", "dealt_at", "hash")
_BY_SEAT: Final = ("members", "stakes", "inputs", "lines")  # each has a part for each seat
_OTHER: Final = ("phrase", "pack")  # read, but not handed out as they are


def plain(row: Row) -> dict[str, Any]:
    """Return a row as it is handed out: without bytes, which are seeds and hashes."""
    return {name: value for name, value in row._mapping.items() if not isinstance(value, bytes)}


async def long_lists(store: Store, guild: int, member: int) -> AsyncIterator[ExportPage]:
    """Yield the lists that grow with every round: chips sent and received, rounds, grades and mistakes.

    Each list begins with an empty part, so that it is there even if it is empty.
    """
    name = accounts.member(member)
    yield "transfers", []
    ledger = sa.select(transfers).where(transfers.c.guild == guild)
    ends = ledger.where(transfers.c.source == name), ledger.where(transfers.c.target == name)
    async for rows in _paged(store, ends, transfers.c.at, transfers.c.id):
        yield "transfers", [plain(row) for row in rows]
    yield "rounds", []
    async for rows in _paged(store, [_played(member)], plays.c.at, plays.c.table_id, plays.c.number):
        yield "rounds", await _own_rounds(store, rows)
    for table in (grades, mistakes):
        yield table.name, []
        mine = sa.select(table).where(table.c.member == member)
        async for rows in _paged(store, [mine], table.c.at, *table.primary_key.columns):
            yield table.name, [plain(row) for row in rows]


async def _paged(store: Store, queries: Sequence[sa.Select[Any]], *key: sa.Column[Any]) -> AsyncIterator[Sequence[Row]]:
    """Yield the rows of several queries together, in pages of at most `MOST`, in the order of these columns.

    Each query needs an index by which it finds its rows in the order of the first column.
    """

    def place(row: Row) -> tuple[Any, ...]:
        return tuple(row._mapping[column.name] for column in key)

    after: tuple[Any, ...] | None = None
    while True:
        found: list[Row] = []
        for query in queries:
            rest = query.order_by(*key).limit(MOST)
            if after is not None:
                rest = rest.where(key[0] >= after[0], sa.tuple_(*key) > sa.tuple_(*map(sa.literal, after)))
            found += await store.rows(rest)
        page = sorted(found, key=place)[:MOST]
        if page:
            yield page
        if len(page) < MOST:
            return
        after = place(page[-1])


# -- rounds ------------------------------------------------------------------------------------------------------------


def _played(member: int) -> sa.Select[Any]:
    """Return the query for the finished rounds in which a member played."""
    here = sa.and_(rounds.c.table_id == plays.c.table_id, rounds.c.number == plays.c.number)
    columns = [WHOLE[name] for name in _TOLD + _BY_SEAT + _OTHER]
    return sa.select(plays, *columns).join(rounds, here).where(plays.c.member == member)


async def _own_rounds(store: Store, found: Sequence[Row]) -> list[dict[str, Any]]:
    """Return the rounds of a page with what the member did in them, but not what others did."""
    actions: dict[RoundKey, list[Any]] = defaultdict(list)
    mine = sa.tuple_(steps.c.table_id, steps.c.number).in_([(row.table_id, row.number) for row in found])
    for step in await store.rows(sa.select(steps).where(mine).order_by(*steps.primary_key.columns)):
        actions[step.table_id, step.number].append(step)
    away = await _put_away(store, found)
    actions |= steps_away(away)
    return [_own(whole(row, away), actions[row.table_id, row.number]) for row in found]


async def _put_away(store: Store, found: Sequence[Row]) -> Mapping[RoundKey, Mapping[str, Any]]:
    """Return what packs hold of these rounds. Packs are read one at a time, and decompressed off the event loop."""
    wanted: dict[int, set[RoundKey]] = defaultdict(set)
    for row in found:
        if row.pack is not None:
            wanted[row.pack].add((row.table_id, row.number))
    away: dict[RoundKey, Mapping[str, Any]] = {}
    for number, keys in wanted.items():
        pack = await store.row(sa.select(packs).where(packs.c.id == number))
        if pack is not None:
            away |= await asyncio.to_thread(_taken_from, pack, keys)
    return away


def _taken_from(pack: Row, keys: Collection[RoundKey]) -> Mapping[RoundKey, Mapping[str, Any]]:
    content = unpacked(pack)
    return {key: content[key] for key in keys if key in content}


def _own(row: Row, taken: Sequence[Any]) -> dict[str, Any]:
    """Return a row of `_played` as it is handed out: the member's own stakes, phrases, lines and actions.

    `taken` are the round's steps, of all seats. In scheme 1, `inputs` has the message's id first, then a press and a
    phrase for each seat. In later schemes the round has one phrase at most: that of its only person.
    """
    members, stakes, inputs, lines = (json.loads(row._mapping[name]) for name in _BY_SEAT)
    seats = [seat for seat, member in enumerate(members) if member == row.member]
    return {
        **{name: value for name, value in plain(row).items() if name not in _BY_SEAT + _OTHER},
        "stakes": [stakes[seat] for seat in seats],
        "phrases": [row.phrase]
        if row.phrase
        else [phrase for seat in seats for phrase in inputs[2 * seat + 2 : 2 * seat + 3]],
        "lines": [line for line in lines if line["seat"] in seats],
        "actions": [{"action": step.action, "by": step.by, "at": step.at} for step in taken if step.seat in seats],
    }
