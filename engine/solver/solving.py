"""Solves whole games: the value and the chart of a rule set, and what each level of computer player gets."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from math import fsum
from typing import Final

from engine.games.blackjack.players import PLAYERS
from engine.games.blackjack.rules import BlackjackRules, DealerDraws
from engine.games.computer import Level
from engine.solver import answers, known, whole
from engine.solver.answers import SolvedGame
from engine.solver.charting import chart
from engine.solver.hands import best
from engine.solver.known import one_seat
from engine.solver.lattice import VALUES
from engine.solver.levels import Habits
from engine.solver.styles import Best
from engine.solver.whole import Against, PlayedOut, StartingHand

#: The levels that do not need the solver to play: `players.choose` returns their actions.
CHARTED: Final = tuple(level for level in PLAYERS if level != Level.PERFECT)


def solve(rules: BlackjackRules) -> SolvedGame:
    """Return the value and the chart of a game. Raises UnknownRule where the solver does not know all rules."""
    return _solve(one_seat(rules))


@lru_cache(maxsize=256)
def _solve(rules: BlackjackRules) -> SolvedGame:
    ranks = whole.shoe(rules)
    solved = [pair for up in range(VALUES) for pair in deals_against(rules, up)]
    cells, off_chart = chart(solved)
    why = (answers.CHASE_SPLIT,) if rules.split and rules.dealer_draws is DealerDraws.CHASES else ()
    return SolvedGame(value_of(solved) + whole.insured(rules, ranks), cells, off_chart, why)


@lru_cache(maxsize=512)
def deals_against(rules: BlackjackRules, up: int) -> list[tuple[StartingHand, dict[str, float]]]:
    """Return `solved_deals` of a full shoe, cached for `solve`, which needs them for every up card."""
    return solved_deals(rules, whole.shoe(rules), up)


def solved_deals(rules: BlackjackRules, ranks: Sequence[int], up: int) -> list[tuple[StartingHand, dict[str, float]]]:
    """Return every deal against an up card, with the value of each legal first action.

    `ranks` is the shoe as the number of cards of each rank; `rules` are for one seat (`one_seat`). `up` is the up
    card's value, as a place in `lattice.CARDS`.
    """
    return _solved(Against(rules, ranks, up))


def _solved(against: Against) -> list[tuple[StartingHand, dict[str, float]]]:
    playing = PlayedOut(against, Best(against.rules))
    return [(deal, playing.worths(deal)) for deal in against.deals()]


def value_of(solved: Iterable[tuple[StartingHand, Mapping[str, float]]]) -> float:
    """Return what solved deals add to a game's value (in first stakes) under best play, without insurance."""
    return fsum(deal.chance * worths[best(worths)] for deal, worths in solved)


def values(groups: Iterable[Sequence[BlackjackRules]]) -> dict[BlackjackRules, float]:
    """Return the value of each game to its only player, in first stakes a round, under best play.

    The games of a group must deal and draw alike (`known.alike`).
    """
    found = {}
    for group in groups:
        parts = [shares(group, up) for up in range(VALUES)]
        ranks = whole.shoe(group[0])
        for rules in group:
            found[rules] = fsum(part[rules] for part in parts) + whole.insured(rules, ranks)
    return found


#: Cached parts of games' values by game and up card, the newest last.
_SHARES: Final[dict[tuple[BlackjackRules, int], float]] = {}
#: The most cached parts: two hundred rule sets with everything that they are compared with.
_MOST_SHARES: Final = 50_000


def shares(games: Sequence[BlackjackRules], up: int) -> dict[BlackjackRules, float]:
    """Return what one up card contributes to the value of each game, without insurance, and cache it.

    `up` is a place in `lattice.CARDS`. The games must be for one seat (`one_seat`), and deal and draw alike
    (`known.alike`).
    """
    missing = [rules for rules in games if (rules, up) not in _SHARES]
    if missing:
        against = _against(missing[0], up)
        for rules in missing:
            _SHARES[rules, up] = value_of(_solved(against.under(rules)))
    found = {rules: _SHARES[rules, up] for rules in games}
    while len(_SHARES) > _MOST_SHARES:
        del _SHARES[next(iter(_SHARES))]
    return found


#: The deals last used by `shares`: the next games of the same question usually need them again.
_LAST: Final[dict[object, Against]] = {}


def _against(rules: BlackjackRules, up: int) -> Against:
    """Return all deals against an up card, made for these rules or for others that deal and draw alike (`known.alike`).

    The caller turns them into those of its own rules (`Against.under`).
    """
    mark = known.alike(rules), up
    if mark not in _LAST:
        _LAST.clear()  # two of them would take much memory
        _LAST[mark] = Against(rules, whole.shoe(rules), up)
    return _LAST[mark]


def level_values(rules: BlackjackRules) -> Mapping[str, float]:
    """Return the average result of a stake of 1 for each level of computer player. Raises UnknownRule."""
    return _level_values(one_seat(rules))


@lru_cache(maxsize=64)
def _level_values(rules: BlackjackRules) -> Mapping[str, float]:
    parts = [levels_against(rules, up) for up in range(VALUES)]
    charted: dict[str, float] = {level: fsum(part[level] for part in parts) for level in CHARTED}
    return {**charted, Level.PERFECT: _solve(rules).value}


@lru_cache(maxsize=1024)
def levels_against(rules: BlackjackRules, up: int) -> dict[str, float]:
    """Return what one up card contributes to the value of each level but the perfect one, cached for `level_values`."""
    against = Against(rules, whole.shoe(rules), up)
    shares = {}
    for level in CHARTED:
        habits = Habits(against.rules, level, against.up)
        playing = PlayedOut(against, habits)
        shares[level] = fsum(deal.chance * playing.worth(deal, habits.first(deal)) for deal in against.deals())
    return shares
