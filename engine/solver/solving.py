"""The whole game of a rule set: its value and its chart."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from math import fsum

from engine.games.blackjack.rules import DealerDraws, Rules
from engine.solver import answers, whole
from engine.solver.answers import Game
from engine.solver.charting import chart
from engine.solver.known import one_seat


def solve(rules: Rules) -> Game:
    """Raises UnknownRule where the rules are not all known."""
    return _solve(one_seat(rules))


@lru_cache(maxsize=256)
def _solve(rules: Rules) -> Game:
    deals = list(whole.deals(rules))
    value = fsum(deal.chance * deal.value for deal in deals) + whole.insured(rules)
    cells, odd = chart(deals)
    return Game(value, cells, odd, tuple(_why(rules)))


def _why(rules: Rules) -> Iterator[str]:
    if rules.split and rules.dealer_draws is DealerDraws.CHASES:
        yield answers.CHASE_SPLIT
