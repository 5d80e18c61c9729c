"""What may be done with the hand that is asked (rulebook R2): a question for each action word.

All the answers for a situation stand in one place, so that each question is put to the rules once. The round has
settled who is asked and what about; money is counted there as well.
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
from engine.games.blackjack.hand import EQUAL_RANK, EQUAL_VALUE, Cards, Situation
from engine.games.blackjack.rules import Double, Rules, Split
from engine.games.contract import Refusal


class Choice(NamedTuple):
    """What a seat that is asked may answer, its purse aside."""

    #: In the order of the buttons.
    legal: tuple[Action, ...]
    #: Why not, for every word that the rules know; None where it may.
    refusals: Mapping[str, Refusal | None]


class Law(dict[tuple[int, bool, bool, Cards], Choice]):
    """Rules applied: the choice in every `Hand.situation`, worked out when it is met for the first time."""

    def __init__(self, rules: Rules) -> None:
        super().__init__()
        self._rules: Final = rules
        #: While insurance is asked nothing else is.
        first: dict[str, Refusal | None] = dict.fromkeys(QUESTIONS, Refusal.INSURANCE_FIRST)
        self.insurance: Final = _choice({**first, INSURE: None, DECLINE: None, TIME: None})

    def __missing__(self, key: tuple[int, bool, bool, Cards]) -> Choice:
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
def law(rules: Rules) -> Law:
    """Equal rules share one."""
    return Law(rules)


# -- the questions -----------------------------------------------------------------------------------------------------


_PAIRS: Final = (EQUAL_VALUE, EQUAL_RANK)


def _always(rules: Rules, asked: Situation) -> Refusal | None:
    return None


def _double(rules: Rules, asked: Situation) -> Refusal | None:
    """R2.2."""
    if not rules.double:
        return Refusal.NOT_OFFERED
    if asked.swapped:
        return Refusal.NOT_AFTER_SWAP  # R4.2
    if rules.double is Double.FIRST_ACTION and (asked.from_split or not asked.two_cards):
        return Refusal.FIRST_ACTION_ONLY
    return None if asked.two_cards else Refusal.TWO_CARDS_ONLY


def _split(rules: Rules, asked: Situation) -> Refusal | None:
    """R2.3. Aces that split once never get here: they stand on their second card."""
    if not rules.split:
        return Refusal.NOT_OFFERED
    if not asked.two_cards:
        return Refusal.TWO_CARDS_ONLY
    pairs = (EQUAL_RANK,) if rules.split is Split.EQUAL_RANK else _PAIRS
    if asked.cards not in pairs:
        return Refusal.NOT_A_PAIR
    return Refusal.TOO_MANY_HANDS if asked.hands >= rules.split_hands else None


def _swap(rules: Rules, asked: Situation) -> Refusal | None:
    """R4.1."""
    if not rules.swap:
        return Refusal.NOT_OFFERED
    if asked.swapped:
        return Refusal.NOT_AFTER_SWAP
    if not asked.two_cards:
        return Refusal.FIRST_ACTION_ONLY
    return None if asked.cards in _PAIRS else Refusal.NOT_A_PAIR


def _surrender(rules: Rules, asked: Situation) -> Refusal | None:
    """R2.5."""
    if not rules.surrender:
        return Refusal.NOT_OFFERED
    is_first = asked.two_cards and not asked.from_split and not asked.swapped
    return None if is_first else Refusal.FIRST_ACTION_ONLY


#: (rules, situation) -> why not.
QUESTIONS: Final[Mapping[str, Callable[[Rules, Situation], Refusal | None]]] = {
    HIT: _always,
    STAND: _always,
    DOUBLE: _double,
    SPLIT: _split,
    SWAP: _swap,
    SURRENDER: _surrender,
}

#: These stake as much again as the hand holds.
COSTLY: Final = frozenset({DOUBLE, SPLIT, SWAP})
