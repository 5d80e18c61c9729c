"""Decides what a hand may do when it is asked (R2): one function for each action except insurance and time-outs.

All answers for a situation are kept together, so that the rules are asked each question once. The round decides who is
asked and checks the chips.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Final, NamedTuple

from engine.games.blackjack.actions import (
    ACTIONS,
    DECLINE,
    DOUBLE,
    HIT,
    INSURE,
    SPLIT,
    STAND,
    SURRENDER,
    SWAP,
    TIME,
    Action,
)
from engine.games.blackjack.hand import EQUAL_RANK, EQUAL_VALUE, CardFact, Situation
from engine.games.blackjack.rules import BlackjackRules, Double, Split
from engine.games.contract import Refusal


class Choice(NamedTuple):
    """The actions that the rules allow a seat that is asked, whether or not it can pay for them."""

    #: The allowed actions in the order of their buttons.
    legal: tuple[Action, ...]
    #: The refusal of each action word, or None where the action is allowed.
    refusals: Mapping[str, Refusal | None]


class Legality(dict[tuple[int, bool, bool, CardFact], Choice]):
    """The choice in every `Hand.situation` under one rule set, worked out the first time a situation comes up."""

    def __init__(self, rules: BlackjackRules) -> None:
        super().__init__()
        self._rules: Final = rules
        first: dict[str, Refusal | None] = dict.fromkeys(QUESTIONS, Refusal.INSURANCE_FIRST)
        #: The only choice while insurance is asked.
        self.insurance: Final = _choice({**first, INSURE: None, DECLINE: None, TIME: None})

    def __missing__(self, key: tuple[int, bool, bool, CardFact]) -> Choice:
        situation = Situation(*key)
        refusals: dict[str, Refusal | None] = {
            action: question(self._rules, situation) for action, question in QUESTIONS.items()
        }
        later = Refusal.NOT_NOW if self._rules.insurance else Refusal.NOT_OFFERED
        self[key] = choice = _choice({**refusals, INSURE: later, DECLINE: later, TIME: None})
        return choice


def _choice(refusals: Mapping[str, Refusal | None]) -> Choice:
    return Choice(tuple(action for action in ACTIONS if refusals[action] is None), refusals)


@lru_cache(maxsize=256)
def legality_of(rules: BlackjackRules) -> Legality:
    """Return the `Legality` of these rules, cached: equal rules share one."""
    return Legality(rules)


# -- the questions -----------------------------------------------------------------------------------------------------


_PAIRS: Final = (EQUAL_VALUE, EQUAL_RANK)


def _always(rules: BlackjackRules, asked: Situation) -> Refusal | None:
    return None


def _double(rules: BlackjackRules, asked: Situation) -> Refusal | None:
    """Return why the rules refuse a double in this situation (R2.2), or None."""
    if not rules.double:
        return Refusal.NOT_OFFERED
    if asked.swapped:
        return Refusal.NOT_AFTER_SWAP  # R4.2
    if rules.double is Double.FIRST_ACTION and (asked.from_split or not asked.two_cards):
        return Refusal.FIRST_ACTION_ONLY
    return None if asked.two_cards else Refusal.TWO_CARDS_ONLY


def _split(rules: BlackjackRules, asked: Situation) -> Refusal | None:
    """Return why the rules refuse a split in this situation (R2.3), or None.

    Split aces that get one card each are never asked.
    """
    if not rules.split:
        return Refusal.NOT_OFFERED
    if not asked.two_cards:
        return Refusal.TWO_CARDS_ONLY
    pairs = (EQUAL_RANK,) if rules.split is Split.EQUAL_RANK else _PAIRS
    if asked.cards not in pairs:
        return Refusal.NOT_A_PAIR
    return Refusal.TOO_MANY_HANDS if asked.hands >= rules.split_hands else None


def _swap(rules: BlackjackRules, asked: Situation) -> Refusal | None:
    """Return why the rules refuse a swap in this situation (R4.1), or None."""
    if not rules.swap:
        return Refusal.NOT_OFFERED
    if asked.swapped:
        return Refusal.NOT_AFTER_SWAP
    if not asked.two_cards:
        return Refusal.FIRST_ACTION_ONLY
    return None if asked.cards in _PAIRS else Refusal.NOT_A_PAIR


def _surrender(rules: BlackjackRules, asked: Situation) -> Refusal | None:
    """Return why the rules refuse a surrender in this situation (R2.5), or None."""
    if not rules.surrender:
        return Refusal.NOT_OFFERED
    is_first = asked.two_cards and not asked.from_split and not asked.swapped
    return None if is_first else Refusal.FIRST_ACTION_ONLY


#: The function that decides each action: (rules, situation) -> refusal or None.
QUESTIONS: Final[Mapping[str, Callable[[BlackjackRules, Situation], Refusal | None]]] = {
    HIT: _always,
    STAND: _always,
    DOUBLE: _double,
    SPLIT: _split,
    SWAP: _swap,
    SURRENDER: _surrender,
}

#: The actions that add a stake as large as the hand's.
COSTLY: Final = frozenset({DOUBLE, SPLIT, SWAP})
