"""A round dealt and played again from its record, and what came out of it."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import replace

from engine.fairness.record import Record, RecordTwo
from engine.fairness.shuffle import shoe
from engine.games import registry
from engine.games.cards import Card, Shoe
from engine.games.contract import Line, Round, Rules


def rules_of(record: Record) -> Rules:
    rules: Rules = registry.game(record.game).rules_from_json(record.rules)
    return rules


def shoe_of(record: Record) -> Shoe:
    """The shoe that the round was dealt from."""
    return shoe(record.seed, record.mixed_in, rules_of(record).decks)


def replay(record: Record, steps: int | None = None, cards: Shoe | None = None) -> Round:
    """The round again: dealt, and all its steps taken, or the first few. `cards` stands in for its own shoe."""
    cards = shoe_of(record) if cards is None else cards
    again: Round = registry.game(record.game).deal(rules_of(record), record.stakes, cards)
    for step in record.steps[:steps]:
        again.apply(step.seat, step.action, step.by)
    return again


class Watched:
    """A shoe that remembers how many of its cards were asked for."""

    def __init__(self, cards: Shoe) -> None:
        self._cards = cards
        self._asked = 0

    def __len__(self) -> int:
        return len(self._cards)

    def __getitem__(self, place: int, /) -> Card:
        self._asked = max(self._asked, place + 1)
        return self._cards[place]

    def turned(self) -> tuple[Card, ...]:
        """In dealing order, burnt ones too."""
        return tuple(self._cards[place] for place in range(self._asked))


def sealed(record: RecordTwo, shoe: Shoe | None = None) -> RecordTwo:
    """A finished round with its cards and payments, as they come out when it is played again, and its hash.
    `shoe` stands in for its own."""
    cards = Watched(shoe_of(record) if shoe is None else shoe)
    lines = replay(record, cards=cards).settlement().lines
    whole = replace(record, cards=cards.turned(), payments=lines)
    return replace(whole, hash=whole.hashed())


def outcome_hash(finished: Round) -> str:
    """Scheme 1's fingerprint of a settlement."""
    return lines_hash(finished.settlement().lines)


def lines_hash(lines: Sequence[Line]) -> str:
    """SHA-256 of the settlement's lines, written one under the other with tabs between their words."""
    return hashlib.sha256("".join(map(_written, lines)).encode()).hexdigest()


def _written(line: Line) -> str:
    return f"{line.seat}\t{line.what}\t{line.staked}\t{line.returned}\t{line.outcome.value}\n"
