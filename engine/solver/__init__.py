"""What every decision at blackjack is worth, exactly, under any rules and beside any cards.

    decision(rules, Position.fresh(rules, ("A", "7"), "6"))  ->  Decision(actions={"stand": ..., "hit": ...}, ...)
    decision(rules, Position.of_round(round, seat, purse))   ->  the same for a hand at a table
    game(rules)                                              ->  Game(value, chart, ...)
    level_values(rules), rule_worths(rules)                  ->  what each level plays at, what each rule is worth

The arithmetic needs numpy, which is imported when the first question is asked and not before.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from engine.games.blackjack.rules import Rules
from engine.solver import weighing
from engine.solver.answers import Decision, Game, OffChart
from engine.solver.known import UnknownRule, one_seat
from engine.solver.position import BadPosition, Position

__all__ = [
    "BadPosition",
    "Decision",
    "Game",
    "OffChart",
    "Position",
    "UnknownRule",
    "decision",
    "fields_to_weigh",
    "game",
    "games_to_weigh",
    "keep_deals",
    "keep_levels",
    "keep_shares",
    "known_worths",
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


def rule_worths(rules: Rules, fields: Collection[str] | None = None) -> dict[str, dict[str, float]]:
    """Return by field and other choice what the player has of the rule as it is. Raises UnknownRule."""
    return weighing.weigh(rules, fields)


def known_worths(rules: Rules) -> Mapping[str, Mapping[str, float]] | None:
    """Return what `rule_worths` says of a built-in rule set, without working it out; None for others.

    Raises UnknownRule.
    """
    return weighing.known_worths(rules)


def games_to_weigh(rules: Rules, fields: Collection[str] | None = None) -> list[tuple[Rules, ...]]:
    """Return the games that `rule_worths` compares, those together that are quickest solved together.

    Raises UnknownRule.
    """
    return weighing.games(rules, fields)


def fields_to_weigh(rules: Rules) -> list[tuple[str, ...]]:
    """Return the fields that `rule_worths` compares, those together that are quickest weighed together.

    Raises UnknownRule.
    """
    return weighing.fields_together(rules)


def keep_deals(rules: Rules, up: int) -> None:
    """Work out what `game` needs of one up card, and keep it for that. Raises UnknownRule."""
    from engine.solver import solving

    solving.deals_against(one_seat(rules), up)


def keep_levels(rules: Rules, up: int) -> None:
    """Work out what `level_values` needs of one up card beside `keep_deals`, and keep it. Raises UnknownRule."""
    from engine.solver import solving

    solving.levels_against(one_seat(rules), up)


def keep_shares(games: Sequence[Rules], up: int) -> None:
    """Work out what `rule_worths` needs of one up card, and keep it for that."""
    from engine.solver import solving

    solving.shares(games, up)


def level_values(rules: Rules) -> Mapping[str, float]:
    """What a stake of 1 is worth to each level of computer players, alone at a table. Raises UnknownRule."""
    from engine.solver import solving

    return solving.level_values(rules)
