"""The exact value of every decision at blackjack, under all rules in `known` and with any cards already seen.

    decision(rules, Position.fresh(rules, ("A", "7"), "6"))  ->  Decision(actions={"stand": ..., "hit": ...}, ...)
    decision(rules, Position.of_round(round, seat, purse))   ->  the same for a hand at a table
    game(rules)                                              ->  SolvedGame(value, chart, ...)
    level_values(rules), rule_worths(rules)                  ->  the value of each level of play, and of each rule

Decisions and games say why where their values are not exact (`Decision.why`, `SolvedGame.why`). The arithmetic needs
numpy, which is imported only when the first question is asked.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from engine.games.blackjack.rules import BlackjackRules
from engine.solver import weighing
from engine.solver.answers import Decision, OffChart, SolvedGame
from engine.solver.known import UnknownRule, one_seat
from engine.solver.position import BadPosition, Position

__all__ = [
    "BadPosition",
    "Decision",
    "OffChart",
    "Position",
    "SolvedGame",
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


def decision(rules: BlackjackRules, position: Position) -> Decision:
    """Return the value of each action of a hand, and the chance that one more card busts it.

    Also return the chance of each final total of the dealer if the hand stands. Raises UnknownRule for rules that the
    solver does not know, and BadPosition for an impossible position.
    """
    from engine.solver.deciding import decide

    return decide(rules, position)


def game(rules: BlackjackRules) -> SolvedGame:
    """Return the value of a whole round under best play, and the chart of that play. Raises UnknownRule."""
    from engine.solver.solving import solve

    return solve(rules)


def rule_worths(rules: BlackjackRules, fields: Collection[str] | None = None) -> dict[str, dict[str, float]]:
    """Return how much more the game is worth to the player, in first stakes, than the same game with one rule changed.

    The result is by field and by the other choice of that field. `fields` limits it to some fields. Raises UnknownRule.
    """
    return weighing.weigh(rules, fields)


def known_worths(rules: BlackjackRules) -> Mapping[str, Mapping[str, float]] | None:
    """Return the stored answer of `rule_worths` for a built-in rule set; None for other rules. Raises UnknownRule."""
    return weighing.known_worths(rules)


def games_to_weigh(rules: BlackjackRules, fields: Collection[str] | None = None) -> list[tuple[BlackjackRules, ...]]:
    """Return the games that `rule_worths` compares for these fields (None: for all), in groups to be solved together.

    The games of a group share much of the work. Raises UnknownRule.
    """
    return weighing.games(rules, fields)


def fields_to_weigh(rules: BlackjackRules) -> list[tuple[str, ...]]:
    """Return the fields that `rule_worths` compares, in groups to be compared together, which share much of the work.

    Raises UnknownRule.
    """
    return weighing.fields_together(rules)


def keep_deals(rules: BlackjackRules, up: int) -> None:
    """Solve all deals against one up card, and cache them for `game`. Raises UnknownRule.

    `up` is the place of the up card's value in `lattice.CARDS`: 0 for an ace, 9 for a ten.
    """
    from engine.solver import solving

    solving.deals_against(one_seat(rules), up)


def keep_levels(rules: BlackjackRules, up: int) -> None:
    """Value the computer players of all levels but the perfect one against one up card, for `level_values` to use.

    `up` is as in `keep_deals`. The perfect level's value is that of `game`, which `keep_deals` prepares. Raises
    UnknownRule.
    """
    from engine.solver import solving

    solving.levels_against(one_seat(rules), up)


def keep_shares(games: Sequence[BlackjackRules], up: int) -> None:
    """Solve one group of `games_to_weigh` against one up card (`up` as in `keep_deals`), for `rule_worths` to use."""
    from engine.solver import solving

    solving.shares(games, up)


def level_values(rules: BlackjackRules) -> Mapping[str, float]:
    """Return the average result of a stake of 1 for each level of computer player. Raises UnknownRule."""
    from engine.solver import solving

    return solving.level_values(rules)
