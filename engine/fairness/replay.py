"""Deals and plays a round again from its record, and adds what follows from that: cards, payments, hash."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from engine.fairness.record import Record, RecordTwo, rules_of
from engine.fairness.shuffle import shoe
from engine.games import registry
from engine.games.cards import Card, Shoe
from engine.games.contract import Line, Outcome, Round, Rules


def shoe_of(record: Record) -> Shoe:
    """Return the shoe from which the round of a record was dealt. Raises what `rules_of` raises."""
    return shoe(record.seed, record.mixed_in, rules_of(record).decks)


def replay(record: Record, steps: int | None = None, cards: Shoe | None = None) -> Round:
    """Return the round dealt again, after all its steps or after the first `steps`.

    `cards` is a shoe to take instead of the record's own. Raises IllegalAction if a step is against the rules, and what
    `rules_of` and `dealt` raise.
    """
    rules = rules_of(record)
    again = dealt(record, rules, shoe(record.seed, record.mixed_in, rules.decks) if cards is None else cards)
    for step in record.steps[:steps]:
        again.apply(step.seat, step.action, step.by)
    return again


def dealt(record: Record, rules: Rules, cards: Shoe) -> Round:
    """Return the round of a record before its first step.

    Its stakes are those of the record, even if the rules have a fixed stake. Raises ValueError if another version of
    the game dealt it.
    """
    game = registry.game(record.game)
    if record.build != game.build:
        raise ValueError(f"{record.game} of version {record.build} is not known here, only version {game.build}")
    round: Round = game.deal(game.any_stake(rules), record.stakes, cards)
    return round


def sealed(record: RecordTwo, shoe: Shoe | None = None) -> RecordTwo:
    """Return the record of a finished round with cards, payments and hash, which a replay produces.

    `shoe` is one to take instead of the record's own.
    """
    cards = shoe_of(record) if shoe is None else shoe
    again = replay(record, cards=cards)
    whole = replace(record, cards=taken(again, cards), payments=again.settlement().lines)
    return replace(whole, hash=whole.hashed())


def taken(round: Round, cards: Shoe) -> tuple[Card, ...]:
    """Return every card that a round has taken from this shoe, in dealing order, burnt ones too."""
    return tuple([cards[place] for place in round.taken])


#: The name of the only payment to each seat of a called-off round: everything that it had staked.
ALL: Final = "all"


def stakes_back(record: Record, cards: Shoe | None = None) -> tuple[Line, ...]:
    """Return the settlement of a round that is called off after its recorded steps: all stakes come back.

    `cards` is a shoe to take instead of the record's own.
    """
    return _called_off(record, shoe_of(record) if cards is None else cards)[1]


def _called_off(record: Record, cards: Shoe) -> tuple[tuple[Card, ...], tuple[Line, ...]]:
    """Return every card that had left the shoe, and the settlement that gives every seat its stakes back."""
    again = replay(record, 0, cards)
    staked = [sum(stakes.values()) for stakes in record.stakes]
    for step in record.steps:
        staked[step.seat] += again.cost(step.seat, step.action)
        again.apply(step.seat, step.action, step.by)
    lines = (Line(seat, ALL, total, total, Outcome.CALLED_OFF) for seat, total in enumerate(staked))
    return taken(again, cards), tuple(lines)


def is_called_off(lines: Sequence[Line]) -> bool:
    """Return whether a round with this settlement was called off."""
    return bool(lines) and all(line.outcome is Outcome.CALLED_OFF for line in lines)


def sealed_as_called_off(record: RecordTwo, shoe: Shoe | None = None) -> RecordTwo:
    """Return the record of a called-off round with its payments, its hash and the cards that had left the shoe.

    `shoe` is one to take instead of the record's own.
    """
    cards, lines = _called_off(record, shoe_of(record) if shoe is None else shoe)
    whole = replace(record, cards=cards, payments=lines)
    return replace(whole, hash=whole.hashed())


def outcome_hash(finished: Round) -> str:
    """Return the hash of a finished round's settlement, which scheme 1 records."""
    return lines_hash(finished.settlement().lines)


def lines_hash(lines: Sequence[Line]) -> str:
    """Return the SHA-256 of a settlement's lines, one below the other, with tabs between their words."""
    return hashlib.sha256("".join([_written(line) for line in lines]).encode()).hexdigest()


def _written(line: Line) -> str:
    seat, what, staked, returned, outcome = line
    return f"{seat}\t{what}\t{staked}\t{returned}\t{outcome}\n"
