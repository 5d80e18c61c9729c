"""The part of a stake that the house keeps on average, for each way to play.

These ways are the levels of computer players at blackjack, the spots of baccarat, and the answers to a tie at war.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any, Final

from engine import solver
from engine.games.baccarat import BaccaratRules
from engine.games.blackjack.rules import BlackjackRules
from engine.games.war import War, WarRules
from engine.solver import edges

Edges = Mapping[str, float]


def _blackjack(rules: BlackjackRules) -> Edges:
    return {level: -value for level, value in solver.level_values(rules).items()}


def _baccarat(rules: BaccaratRules) -> Edges:
    return {spot: float(edge) for spot, edge in edges.baccarat_edges(rules).items()}


def _war(rules: WarRules) -> Edges:
    return {answer: float(edges.war_edge(rules, answer)) for answer in War.answers}


#: The games whose house edge is known, with the function that works it out.
_EDGES: Final[Mapping[str, Callable[[Any], Edges]]] = {"blackjack": _blackjack, "baccarat": _baccarat, "war": _war}


@lru_cache(maxsize=256)
def house_edges(game: str, rules: Any) -> Edges:
    """Return the part of the first stake that the house keeps on average, for each way to play the game.

    The result is empty for a game whose edge is not known. It is cached, because each graded round needs it. Raises
    UnknownRule for rules that the solver does not know.
    """
    return _EDGES[game](rules) if game in _EDGES else {}
