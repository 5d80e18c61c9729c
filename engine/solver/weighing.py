"""What each rule of a rule set is worth to the player: its value against the same game with one rule changed."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import Final

from engine.games.blackjack.rules import Rules
from engine.games.contract import BadRules
from engine.solver.known import SOLVED, one_seat
from engine.solver.solving import values
from engine.solver.words import word

#: Shoes that casinos have; the other sizes lie between them.
_DECKS: Final = (1, 2, 4, 6, 8)


def weigh(rules: Rules) -> dict[str, dict[str, float]]:
    """By field, and by each other choice that the other rules allow: what the player has of the rule as it is."""
    return _weigh(one_seat(rules))


@lru_cache(maxsize=64)
def _weigh(rules: Rules) -> dict[str, dict[str, float]]:
    others = {
        (name, word(choice)): other
        for name, known in SOLVED.items()
        for choice in (_DECKS if name == "decks" else known)
        if (other := _changed(rules, name, choice)) is not None and other != rules
    }
    solved = values([rules, *others.values()])
    worths: dict[str, dict[str, float]] = {}
    for (name, choice), other in others.items():
        worths.setdefault(name, {})[choice] = solved[rules] - solved[other]
    return worths


def _changed(rules: Rules, name: str, choice: object) -> Rules | None:
    """None where the other rules forbid it."""
    try:
        return replace(rules, **{name: choice})  # type: ignore[arg-type]
    except BadRules:
        return None
