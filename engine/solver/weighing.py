"""The value of each rule to the player: the game compared with the same game after one rule is changed."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Collection, Mapping
from dataclasses import replace
from functools import cache, lru_cache
from pathlib import Path
from typing import Final

from engine.games.blackjack.rule_sets import RULE_SETS
from engine.games.blackjack.rules import BlackjackRules
from engine.games.contract import BadRules
from engine.solver.known import SOLVED, alike, one_seat
from engine.solver.words import word

#: The stored values of the built-in sets' rules; `python -m engine.solver.weighing` writes the file again.
_SHIPPED: Final = Path(__file__).with_name("worths.json")

#: The shoe sizes that casinos use. Other sizes are between them.
_DECKS: Final = (1, 2, 4, 6, 8)


def weigh(rules: BlackjackRules, fields: Collection[str] | None = None) -> dict[str, dict[str, float]]:
    """Return how much more the game is worth to the player, in first stakes, than the same game with one rule changed.

    The outer keys are fields. The inner ones are the other choices of a field that the remaining rules allow. `fields`
    limits the result to some fields. Raises UnknownRule.
    """
    from engine.solver.solving import values

    rules = one_seat(rules)
    solved = values(games(rules, fields))
    return {
        name: {choice: solved[rules] - solved[other] for choice, other in others.items()}
        for name, others in _changes(rules).items()
        if fields is None or name in fields
    }


@cache
def _shipped() -> Mapping[BlackjackRules, Mapping[str, Mapping[str, float]]]:
    found = json.loads(_SHIPPED.read_text(encoding="utf-8"))
    return {one_seat(rules): found[name] for name, rules in RULE_SETS.items() if name in found}


def known_worths(rules: BlackjackRules) -> Mapping[str, Mapping[str, float]] | None:
    """Return the stored answer of `weigh` for a built-in rule set; None for other rules. Raises UnknownRule."""
    return _shipped().get(one_seat(rules))


def ship() -> None:
    """Solve what each rule of the built-in sets is worth, and write `worths.json`."""
    found = {name: weigh(rules) for name, rules in RULE_SETS.items()}
    _SHIPPED.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


def games(rules: BlackjackRules, fields: Collection[str] | None = None) -> list[tuple[BlackjackRules, ...]]:
    """Return the games that `weigh` compares for these fields (None: for all), in groups that deal and draw alike.

    Raises UnknownRule.
    """
    rules = one_seat(rules)
    groups: dict[object, list[BlackjackRules]] = defaultdict(list)
    groups[alike(rules)].append(rules)
    for name, others in _changes(rules).items():
        for other in others.values() if fields is None or name in fields else ():
            groups[alike(other)].append(other)
    return [tuple(group) for group in groups.values()]


def fields_together(rules: BlackjackRules) -> list[tuple[str, ...]]:
    """Return the fields that `weigh` compares, in groups to be compared together. Raises UnknownRule.

    The first group has the fields that change nothing about dealing and drawing, whatever their choice
    (`known.alike`). Each other field is a group of its own.
    """
    rules = one_seat(rules)
    mark = alike(rules)
    changes = _changes(rules).items()
    first = tuple(name for name, others in changes if all(alike(other) == mark for other in others.values()))
    return [first, *((name,) for name, _ in changes if name not in first)]


@lru_cache(maxsize=256)
def _changes(rules: BlackjackRules) -> Mapping[str, Mapping[str, BlackjackRules]]:
    """Return the games with one rule changed, by field and choice, where the other rules allow the change.

    For the number of decks, only the choices in `_DECKS` are taken.
    """
    found: dict[str, dict[str, BlackjackRules]] = {}
    for name, known in SOLVED.items():
        for choice in _DECKS if name == "decks" else known:
            other = _changed(rules, name, choice)
            if other is not None and other != rules:
                found.setdefault(name, {})[word(choice)] = other
    return found


def _changed(rules: BlackjackRules, name: str, choice: object) -> BlackjackRules | None:
    """Return the rules with one field changed; None where the other rules forbid that."""
    try:
        return replace(rules, **{name: choice})  # type: ignore[arg-type]
    except BadRules:
        return None


if __name__ == "__main__":
    ship()
