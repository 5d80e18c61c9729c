"""The solver's values of actions, rounded to whole millionths of the unit, so that all machines agree on them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from engine import solver
from engine.games.blackjack.actions import DECLINE, INSURE
from engine.games.blackjack.round import BlackjackRound
from engine.sets.deals import SEAT, STAKE
from engine.sets.programme import UNIT

#: The version of these worths, which each set names. It is raised when a value of the solver changes.
VALUATION: Final = 1

#: The value of each action at a question, in millionths of the unit.
Worths = Mapping[str, int]


def of_plays(round: BlackjackRound) -> Worths:
    """Return the value of each play of the acting hand; while insurance is asked, of each play that can follow.

    Raises UnknownRule where the solver does not know the rules.
    """
    position = solver.Position.of_round(round, SEAT)
    hand = round.hands[SEAT][round.acting[1] if round.acting else 0]
    units = hand.stake // STAKE
    return {action: _rounded(worth * units) for action, worth in solver.decision(round.rules, position).actions.items()}


def of_question(round: BlackjackRound) -> Worths:
    """Return the value of each answer to the round's question: the plays of a hand, or to insure and to decline.

    Raises UnknownRule where the solver does not know the rules.
    """
    if round.acting is not None:
        return of_plays(round)
    insurance = solver.decision(round.rules, solver.Position.of_round(round, SEAT)).insurance
    assert insurance is not None
    return {DECLINE: 0, INSURE: _rounded(insurance)}


def _rounded(worth: float) -> int:
    return round(worth * UNIT)
