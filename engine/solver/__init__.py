"""What every decision at blackjack is worth, exactly, under any rules and beside any cards.

    decision(rules, Position.fresh(rules, ("A", "7"), "6"))  ->  Decision(actions={"stand": ..., "hit": ...}, ...)
    decision(rules, Position.of_round(round, seat, purse))   ->  the same for a hand at a table
    game(rules)                                              ->  Game(value, chart, ...)
    level_values(rules), rule_worths(rules)                  ->  what each level plays at, what each rule is worth

The arithmetic needs numpy, which is imported when the first question is asked and not before.
"""

from __future__ import annotations

from collections.abc import Mapping

from engine.games.blackjack.rules import Rules
from engine.solver.answers import Decision, Game, OffChart
from engine.solver.known import UnknownRule
from engine.solver.position import BadPosition, Position

__all__ = [
    "BadPosition",
    "Decision",
    "Game",
    "OffChart",
    "Position",
    "UnknownRule",
    "decision",
    "game",
    "level_values",
    "rule_worths",
]


def decision(rules: Rules, position: Position) -> Decision:
    """What each action of a hand is worth. Raises UnknownRule or BadPosition where there is no answer."""
    from engine.solver.deciding import decide

    return decide(rules, position)


def game(rules: Rules) -> Game:
    """What a whole round is worth under best play, and the chart of that play. Raises UnknownRule."""
    from engine.solver.solving import solve

    return solve(rules)


def rule_worths(rules: Rules) -> dict[str, dict[str, float]]:
    """By field and other choice: what the player has of the rule as it is. Raises UnknownRule."""
    from engine.solver.weighing import weigh

    return weigh(rules)


def level_values(rules: Rules) -> Mapping[str, float]:
    """What a stake of 1 is worth to each level of computer players, alone at a table. Raises UnknownRule."""
    from engine.solver import solving

    return solving.level_values(rules)
