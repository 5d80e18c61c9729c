"""Between the journal's rows and the engine's records."""

from __future__ import annotations

from engine.elimination.elimination import Elimination
from engine.fairness import shoe
from engine.fairness.record import RecordOne
from engine.fairness.replay import replay, rules_of
from engine.games.contract import Round
from engine.tables.draft import Position
from engine.tables.ports import Seal, Shuffle, StoredRound, StoredTable
from engine.tables.state import TableState


def record_of(stored: StoredRound) -> RecordOne:
    """The record of a dealt round, open or finished."""
    deal = stored.deal
    if deal is None:
        raise ValueError(f"round {stored.number} of table {stored.table} is sealed, not dealt")
    return RecordOne(
        game=deal.game,
        rules_name=deal.rules_name,
        rules=deal.rules,
        stakes=tuple(deal.stakes),
        seed=stored.seed,
        inputs=tuple(deal.inputs),
        steps=tuple(stored.steps),
        outcome=stored.finish.outcome if stored.finish else "",
        commitment=stored.commitment,
    )


def rebuild(stored: StoredRound, shuffle: Shuffle = shoe) -> Round:
    """The round as it stands, after every step that was taken."""
    record = record_of(stored)
    return replay(record, cards=shuffle(record.seed, record.mixed_in, rules_of(record).decks))


def position_of(stored: StoredTable, shuffle: Shuffle = shoe) -> Position:
    """The table where it stood. Balances are the bank's to say."""
    state = TableState.from_json(stored.row.doc)
    rounds = {round.number: round for round in stored.rounds}
    shown = rounds.get(state.round)
    return Position(
        state,
        next_seal=_seal(rounds[state.sealed]) if state.sealed in rounds else None,
        seal=_seal(shown) if shown else None,
        round=rebuild(shown, shuffle) if shown else None,
        elimination=Elimination.replay(state.elimination) if state.elimination else None,
    )


def _seal(stored: StoredRound) -> Seal:
    return Seal(stored.number, stored.seed, stored.commitment)
