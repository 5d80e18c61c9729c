"""Proves the open tables: each document claims the chips that its accounts hold, and agrees with its rounds."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from typing import Final

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from data.base import accounts
from data.base.schema import LIVE, OPEN_CHAIN, OPEN_TABLE, chains, members, pots, tables
from data.journal.packs import Damaged
from data.journal.reading import stored_tables
from data.proofs.report import Fault, Wrong
from data.proofs.slices import UNREADABLE, KeyRange, Slice, Walk, between
from engine.fairness.record import rules_from, rules_of
from engine.fairness.replay import replay
from engine.games.contract import Cents, Seat
from engine.tables.places import tournament_place, tournament_table
from engine.tables.position import TablePosition
from engine.tables.rebuilt import position_of, record_of
from engine.tables.state import Money, TablePhase, TableState
from engine.tables.values import Kind, StoredTable, TableRow

_LIVE: Final = sa.select(pots.c.guild, pots.c.name, pots.c.balance).where(
    pots.c.guild.in_(sa.bindparam("guilds", expanding=True)), LIVE
)
_PEOPLE: Final = sa.select(members.c.id, members.c.guild, members.c.user_id).where(
    members.c.id.in_(sa.bindparam("ids", expanding=True))
)

_IN_USE: Final = sa.select(chains.c.place).where(chains.c.place.in_(sa.bindparam("places", expanding=True)), OPEN_CHAIN)

#: The first words in the names of a table's accounts.
_KINDS: Final = (Kind.ESCROW.value, Kind.STACK.value, Kind.COMPUTER.value)

AccountChips = Mapping[str, Cents]


async def _look(connection: AsyncConnection, here: KeyRange) -> Slice:
    found, unread = await _read(connection, here)
    lying = defaultdict[int, dict[str, Cents]](dict)
    guilds = sorted({stored.row.guild for stored in found})
    for row in (await connection.execute(_LIVE, {"guilds": guilds})).all() if found else ():
        kind, _, rest = row.name.partition("/")
        table = rest.partition("/")[0]
        if kind in _KINDS and table.isdigit():
            lying[int(table)][row.name] = row.balance
    known = await _people(connection, found)
    wrong = [fault for stored in found for fault in _table(stored, lying[stored.row.id], known)]
    return Slice(len(found) + len(unread), [*unread, *wrong, *await _exposed(connection, found)])


async def _read(connection: AsyncConnection, here: KeyRange) -> tuple[list[StoredTable], list[Fault]]:
    """Return the open tables that can be read, and a fault for each other one: a broken table stops no other proof."""
    which = sa.and_(OPEN_TABLE, between(tables.c.id))
    try:
        return await stored_tables(connection, which, here.values), []
    except (Damaged, *UNREADABLE):
        here_are = (await connection.execute(sa.select(tables.c.id, tables.c.guild).where(which), here.values)).all()
    found, unread = list[StoredTable](), list[Fault]()
    for row in here_are:
        try:
            found += await stored_tables(connection, tables.c.id == row.id)
        except Damaged as error:
            unread.append(Fault(Wrong.PACK, f"table/{row.id}", row.guild, "as it was put away", str(error)))
        except UNREADABLE as error:
            unread.append(Fault(Wrong.DOCUMENT, f"table/{row.id}", row.guild, "rounds that can be read", str(error)))
    return found, unread


async def _people(connection: AsyncConnection, found: Iterable[StoredTable]) -> set[tuple[int, int, int]]:
    """Return the number, the guild and the Discord id of each member at these tables. Skip unreadable tables."""
    ids = set[int]()
    for stored in found:
        with suppress(*UNREADABLE):  # which is reported when the table itself is looked at
            ids |= set(TableState.from_json(stored.row.doc).members)
    rows = (await connection.execute(_PEOPLE, {"ids": sorted(ids)})).all() if ids else ()
    return {(row.id, row.guild, row.user_id) for row in rows}


async def _exposed(connection: AsyncConnection, found: Iterable[StoredTable]) -> list[Fault]:
    """Return a fault for each table that uses a chain although its tournament's chain has ended.

    The root of the tournament's chain may be shown then, and the roots of its tables' chains follow from it.
    """
    places = dict[str, tuple[str, TableRow]]()
    for stored in found:
        with suppress(*UNREADABLE):
            place = TableState.from_json(stored.row.doc).chain_place
            table = tournament_table(place)
            if table is not None:
                places[place] = tournament_place(table.tournament), stored.row
    asked = {*places, *(above for above, _ in places.values())}
    rows = (await connection.execute(_IN_USE, {"places": sorted(asked)})).all() if asked else ()
    used = {row.place for row in rows}
    return [
        Fault(Wrong.SHOWN, f"table/{row.id}", row.guild, f"a chain of {above} in use", "none")
        for place, (above, row) in places.items()
        if place in used and above not in used
    ]


def _table(stored: StoredTable, lying: AccountChips, known: set[tuple[int, int, int]]) -> Iterator[Fault]:
    row, where = stored.row, f"table/{stored.row.id}"

    def fault(expected: object, found: object) -> Fault:
        return Fault(Wrong.DOCUMENT, where, row.guild, str(expected), str(found))

    try:
        position = position_of(stored)
        staked = _staked(stored, position)
        rules = rules_from(position.state.game, position.state.rules)
        dealt_by = [rules_of(record_of(round)) for round in stored.rounds if round.record is not None]
    except UNREADABLE as error:
        yield fault("a table that can be taken up", error)
        return
    state = position.state
    claims = (state.id, state.guild, state.channel, state.game, state.version)
    if claims != (row.id, row.guild, row.channel, row.game, row.version):
        yield fault((row.id, row.guild, row.channel, row.game, row.version), claims)
    if state.phase is TablePhase.CLOSED:
        yield fault("a table that is open", "one that has closed")
    for chair in state.people:
        if chair.member is None or (chair.member, row.guild, chair.user) not in known:
            yield fault("a member", f"member {chair.member} at place {chair.place}")
    for round in stored.rounds:
        if round.chain is not None and not round.chain.ended and round.chain.place != state.chain_place:
            yield fault(f"a chain of {state.chain_place}", f"one of {round.chain.place}")
    claimed = _claimed(state, staked)
    for name in sorted(claimed.keys() | lying.keys()):
        if claimed.get(name, 0) != lying.get(name, 0):
            yield fault(f"{lying.get(name, 0)} in {name}", claimed.get(name, 0))
    yield from (fault(*wrong) for wrong in _play_chips(position, staked))
    yield from (
        fault(f"the rules that its rounds are dealt by: {known}", rules) for known in dealt_by if known != rules
    )


def _staked(stored: StoredTable, position: TablePosition) -> Mapping[int, Cents]:
    """Return the chips that each place has staked on the round to come, or on the one that is being played.

    If one is being played, its steps so far are replayed. Raises ValueError if they end it.
    """
    state = position.state
    if state.phase is not TablePhase.PLAYING:
        return {chair.place: sum((chair.staked or {}).values()) for chair in state.chairs}
    (shown,) = (kept for kept in stored.rounds if kept.number == state.round)
    record = record_of(shown)
    by_seat = Counter[Seat]({seat: sum(stakes.values()) for seat, stakes in enumerate(record.stakes)})
    again = replay(record, steps=0)
    for step in record.steps:
        by_seat[step.seat] += again.cost(step.seat, step.action)
        again.apply(step.seat, step.action, step.by)
    if again.over:
        raise ValueError(f"round {state.round} is over")
    return {state.seated[seat].place: staked for seat, staked in by_seat.items()}


def _claimed(state: TableState, staked: Mapping[int, Cents]) -> AccountChips:
    """Return the chips that must be in the table's accounts, by the names of the accounts; nothing for play chips.

    `staked` is what `_staked` returned.
    """
    if state.money is Money.PLAY:
        return {}
    number = state.round if state.phase is TablePhase.PLAYING else state.sealed
    claimed = {accounts.escrow(state.id, number): sum(staked.values())}
    for chair in state.chairs:
        if chair.stack:
            kind = Kind.STACK if chair.is_person else Kind.COMPUTER
            claimed[f"{kind.value}/{state.id}/{chair.holder}"] = chair.stack
    return claimed


def _play_chips(position: TablePosition, staked: Mapping[int, Cents]) -> Iterator[tuple[object, object]]:
    """Yield the stacks and stakes of an elimination table that differ from its record: expected, and found."""
    if position.elimination is None:
        return
    for chair in position.state.chairs:
        held, found = position.elimination.stacks[chair.place - 1], (chair.stack or 0) + staked.get(chair.place, 0)
        if held != found:
            yield f"{held} play chips at place {chair.place}", found


DOCUMENTS: Final = Walk("tables", _look, (tables.c.id,), (0,), 50, which=OPEN_TABLE)
