"""Rules and cards as they are typed: `vegas decks=2 dealer_draws="hits soft 17"`, `A,7`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields, replace
from enum import StrEnum
from typing import Any, Final

from engine.games.blackjack.rule_sets import RULE_SETS
from engine.games.blackjack.rules import BlackjackRules
from engine.games.cards import RANKS
from engine.games.contract import BadRules
from engine.solver.known import one_seat

FLAGS: Final = {"yes": True, "no": False}


class BadWords(ValueError):
    """Raised for typed rules or cards that do not exist. The message says what is wrong."""


def read_rules(name: str, changes: Sequence[str]) -> BlackjackRules:
    """Return a built-in rule set with changes such as `decks=2`, for one seat.

    A change of `most_seats` is checked, but has no effect: the shoe may be too small for more than one seat.

    Raises BadWords, or UnknownRule where the solver does not know such rules.
    """
    if name not in RULE_SETS:
        raise BadWords(f"no rule set is called {name!r}: there are {', '.join(RULE_SETS)}")
    changed = dict(map(_field, changes))
    try:
        replace(BlackjackRules(), most_seats=changed.pop("most_seats", 1))
        return one_seat(replace(RULE_SETS[name], most_seats=1, **changed))
    except BadRules as bad:
        raise BadWords(f"such rules cannot be: {bad}") from bad


def _field(text: str) -> tuple[str, Any]:
    name, equals, word = text.partition("=")
    kinds = {field.name: type(field.default) for field in fields(BlackjackRules)}
    if not equals or name not in kinds:
        raise BadWords(f"{text!r} changes no rule: write field=value, the fields being {', '.join(kinds)}")
    kind = kinds[name]
    choices = {choice.value: choice for choice in kind} if issubclass(kind, StrEnum) else FLAGS
    if kind is int and word.isdecimal() and word.isascii():
        return name, int(word)
    if kind is int or word not in choices:
        raise BadWords(f"{name} cannot be {word!r}: {'a whole number' if kind is int else ', '.join(choices)}")
    return name, choices[word]


def read_hand(text: str) -> tuple[str, ...]:
    """Return typed cards such as `A,7` or `10,J,2` as ranks, a ten being `T`. Raises BadWords."""
    return tuple(map(read_rank, text.split(",")))


def read_rank(text: str) -> str:
    """Return one typed card as a rank, a ten being `T`. Raises BadWords."""
    rank = text.strip().upper().replace("10", "T")
    if len(rank) != 1 or rank not in RANKS:
        raise BadWords(f"{text!r} is no card: A, 2 to 10, J, Q, K")
    return rank


def word(value: object) -> str:
    """Return the value of a rule field as `read_rules` takes it: `yes`, `no`, a number or a word."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)
