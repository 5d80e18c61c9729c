"""The whole game of a rule set: its value and its chart."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from math import fsum
from typing import Final

from engine.games.blackjack.players import PLAYERS
from engine.games.blackjack.rules import DealerDraws, Rules
from engine.games.computer import Level
from engine.solver import answers, whole
from engine.solver.answers import Game
from engine.solver.charting import chart
from engine.solver.hands import best
from engine.solver.known import one_seat
from engine.solver.lattice import VALUES
from engine.solver.levels import Habits
from engine.solver.styles import Best
from engine.solver.whole import Against, Deal, Playing

#: The levels that go by a chart, and are asked what they do.
CHARTED: Final = tuple(level for level in PLAYERS if level != Level.PERFECT)


def solve(rules: Rules) -> Game:
    """Raises UnknownRule where the rules are not all known."""
    return _solve(one_seat(rules))


@lru_cache(maxsize=256)
def _solve(rules: Rules) -> Game:
    ranks = whole.shoe(rules)
    solved = [pair for up in range(VALUES) for pair in solved_deals(rules, ranks, up)]
    cells, off_chart = chart(solved)
    return Game(value_of(solved) + whole.insured(rules, ranks), cells, off_chart, tuple(_why(rules)))


def solved_deals(rules: Rules, ranks: Sequence[int], up: int) -> list[tuple[Deal, dict[str, float]]]:
    """Every deal of a shoe against an up card, with the worth of each legal first action. `rules` are of one seat."""
    return _solved(Against(rules, ranks, up))


def _solved(against: Against) -> list[tuple[Deal, dict[str, float]]]:
    playing = Playing(against, Best(against.rules))
    return [(deal, playing.worths(deal)) for deal in against.deals()]


def value_of(solved: Iterable[tuple[Deal, Mapping[str, float]]]) -> float:
    """Under best play, without insurance."""
    return fsum(deal.chance * worths[best(worths)] for deal, worths in solved)


def values(games: Iterable[Rules]) -> dict[Rules, float]:
    """What whole games are worth, those that play the same cards alike solved together. `games` are of one seat."""
    groups: dict[object, list[Rules]] = defaultdict(list)
    for rules in games:
        groups[whole.alike(rules)].append(rules)
    return {rules: value for group in groups.values() for rules, value in _together(group).items()}


def _together(group: Sequence[Rules]) -> dict[Rules, float]:
    ranks = whole.shoe(group[0])
    totals = {rules: whole.insured(rules, ranks) for rules in group}
    for up in range(VALUES):
        against = Against(group[0], ranks, up)
        for rules in group:
            totals[rules] += value_of(_solved(against.under(rules)))
    return totals


def level_values(rules: Rules) -> Mapping[str, float]:
    """What a stake of 1 is worth to each level of computer players, alone at a table. Raises UnknownRule."""
    return _level_values(one_seat(rules))


@lru_cache(maxsize=64)
def _level_values(rules: Rules) -> Mapping[str, float]:
    shares = [_of_levels(Against(rules, whole.shoe(rules), up)) for up in range(VALUES)]
    charted: dict[str, float] = {level: fsum(share[level] for share in shares) for level in CHARTED}
    return {**charted, Level.PERFECT: _solve(rules).value}


def _of_levels(against: Against) -> dict[str, float]:
    """The shares of the game's value that fall to this up card."""
    shares = {}
    for level in CHARTED:
        habits = Habits(against.rules, level, against.up)
        playing = Playing(against, habits)
        shares[level] = fsum(deal.chance * playing.worth(deal, habits.first(deal)) for deal in against.deals())
    return shares


def _why(rules: Rules) -> Iterator[str]:
    if rules.split and rules.dealer_draws is DealerDraws.CHASES:
        yield answers.CHASE_SPLIT
