"""What may be done with the hand that is asked: a question for each action word (rulebook R2).

The round has settled who is asked and what about; money is counted there as well.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from engine.games.blackjack.actions import DOUBLE, HIT, SPLIT, STAND, SURRENDER, SWAP
from engine.games.blackjack.hand import Hand
from engine.games.blackjack.rules import Double, Rules, Split
from engine.games.contract import Refusal

#: (rules, the hand, how many hands its seat holds) -> why not.
Question = Callable[[Rules, Hand, int], Refusal | None]


def _always(rules: Rules, hand: Hand, hands: int) -> Refusal | None:
    return None


def _double(rules: Rules, hand: Hand, hands: int) -> Refusal | None:
    """R2.2."""
    if not rules.double:
        return Refusal.NOT_OFFERED
    if hand.swapped:
        return Refusal.NOT_AFTER_SWAP  # R4.2
    if rules.double is Double.FIRST_ACTION and (hand.from_split or len(hand.cards) != 2):
        return Refusal.FIRST_ACTION_ONLY
    return None if len(hand.cards) == 2 else Refusal.TWO_CARDS_ONLY


def _split(rules: Rules, hand: Hand, hands: int) -> Refusal | None:
    """R2.3. Aces that split once never get here: they stand on their second card."""
    if not rules.split:
        return Refusal.NOT_OFFERED
    if len(hand.cards) != 2:
        return Refusal.TWO_CARDS_ONLY
    first, second = hand.cards
    if first[0] != second[0] and (rules.split is Split.EQUAL_RANK or not hand.is_pair()):
        return Refusal.NOT_A_PAIR
    return Refusal.TOO_MANY_HANDS if hands >= rules.split_hands else None


def _swap(rules: Rules, hand: Hand, hands: int) -> Refusal | None:
    """R4.1."""
    if not rules.swap:
        return Refusal.NOT_OFFERED
    if hand.swapped:
        return Refusal.NOT_AFTER_SWAP
    if len(hand.cards) != 2:
        return Refusal.FIRST_ACTION_ONLY
    return None if hand.is_pair() else Refusal.NOT_A_PAIR


def _surrender(rules: Rules, hand: Hand, hands: int) -> Refusal | None:
    """R2.5."""
    if not rules.surrender:
        return Refusal.NOT_OFFERED
    is_first = len(hand.cards) == 2 and not hand.from_split and not hand.swapped
    return None if is_first else Refusal.FIRST_ACTION_ONLY


QUESTIONS: Final[Mapping[str, Question]] = {
    HIT: _always,
    STAND: _always,
    DOUBLE: _double,
    SPLIT: _split,
    SWAP: _swap,
    SURRENDER: _surrender,
}

#: These stake as much again as the hand holds.
COSTLY: Final = frozenset({DOUBLE, SPLIT, SWAP})
