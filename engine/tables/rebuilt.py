"""Turns what the journal has stored of tables and rounds into records, rounds and positions."""

from __future__ import annotations

from dataclasses import replace

from engine.elimination.elimination import Elimination
from engine.fairness import shoe
from engine.fairness.draws import Drawing, Draws
from engine.fairness.record import Record, RecordTwo, rules_from, rules_of
from engine.fairness.replay import is_called_off, replay, sealed, sealed_as_called_off
from engine.games import registry
from engine.games.contract import IllegalAction, Round
from engine.tables.places import chain_place, elimination_place
from engine.tables.ports import Shuffle
from engine.tables.position import TablePosition
from engine.tables.sealing import Sealing, shown_round
from engine.tables.state import TableState
from engine.tables.values import StoredRound, StoredTable


def record_of(stored: StoredRound) -> Record:
    """Return the record of a dealt round, open or finished. Raise ValueError for a round that is only sealed."""
    if stored.record is None:
        raise ValueError(f"round {stored.number} of table {stored.table} is sealed, not dealt")
    return stored.record


def whole_record_of(stored: StoredRound) -> Record:
    """Return the record of a finished round as people get it: from scheme 2 on, it lists all cards that were dealt.

    A record that cannot be dealt again is returned as it is stored.
    """
    record = record_of(stored)
    if not isinstance(record, RecordTwo):
        return record
    seal = sealed_as_called_off if is_called_off(record.payments) else sealed
    try:
        return replace(record, cards=seal(record).cards)
    except (IllegalAction, ValueError, TypeError, LookupError):
        return record  # the check of the record finds the fault


def draws_of(stored: StoredTable) -> Draws | None:
    """Return the lots that were drawn at an elimination table, with the root from which they can be drawn again.

    Return None for other tables, for eliminations of version 1, before the chain has ended, and if no lots were drawn.
    Return None also if some were drawn from an earlier chain of the table: one root cannot give the lots of two chains.
    """
    state = TableState.from_json(stored.row.doc)
    chain = next((round.chain for round in reversed(stored.rounds) if round.chain is not None), None)
    if chain is None or not chain.ended or state.elimination is None:
        return None
    table = Elimination.replay(state.elimination)
    found = [Drawing(draw.number, draw.wanted, dict(draw.cards)) for draw in table.draws if draw.wanted is not None]
    if not found or table.drawn_before:
        return None
    return Draws(chain.promise, state.id, chain.root, tuple(found), chain.slot, chain.path)


def winner_of(doc: str) -> str:
    """Return the key (`Entrant.key`) of the winner of an elimination table that is over, by its stored document."""
    return Elimination.replay(TableState.from_json(doc).elimination or {}).placings()[0].key


def rebuild(stored: StoredRound, shuffle: Shuffle = shoe) -> Round:
    """Deal a stored round again, and return it after its stored steps. Raise ValueError for one that is only sealed."""
    record = record_of(stored)
    return replay(record, cards=shuffle(record.seed, record.mixed_in, rules_of(record).decks))


def position_of(stored: StoredTable, shuffle: Shuffle = shoe) -> TablePosition:
    """Return the position in which a table was stored, without balances: the caller gets these from the bank."""
    state = TableState.from_json(stored.row.doc)
    elimination = Elimination.replay(state.elimination) if state.elimination else None
    shown = shown_round(stored, state)
    return TablePosition(
        replace(state, chain_place=state.chain_place or _chain_place(state)),
        Sealing.of(stored, state, chains=elimination is None or elimination.version > 1 or state.renewed),
        round=rebuild(shown, shuffle) if shown else None,
        elimination=elimination,
    )


def _chain_place(state: TableState) -> str:
    """Return the place of the chain of a table whose stored state has none, because the first release wrote none."""
    if state.elimination is not None:
        return elimination_place(state.id)
    opener = state.chair_of(state.opener)
    own = registry.game(state.game).own_table and opener is not None
    rules = rules_from(state.game, state.rules)
    return chain_place(state.channel, state.game, rules, opener.member if own and opener is not None else None)
