"""Plays a finished round of blackjack again with best play at one seat: same shoe, same actions at the other seats.

If another seat is asked and has no action left, or its next one is impossible now, it stands or declines insurance.
"""

from __future__ import annotations

from collections import defaultdict, deque
from dataclasses import dataclass
from math import inf

from engine import solver
from engine.coach.grading import TOLERANCE
from engine.games.blackjack.actions import DECLINE, INSURE, STAND, TIME
from engine.games.blackjack.round import BlackjackRound
from engine.games.blackjack.rules import BlackjackRules
from engine.games.cards import Card
from engine.games.contract import Cents, Seat, Stakes, Step
from engine.solver import BadPosition, Position, UnknownRule


@dataclass(frozen=True, slots=True)
class BestEnd:
    """The result of best play, and whether best play differs from what the seat did."""

    net: Cents
    differs: bool


@dataclass(frozen=True, slots=True)
class HowWouldBestPlayEnd:
    """The question for the result that one seat of a round would have had with best play.

    The answer is None if the solver does not know the rules or a hand, or if the shoe runs out of cards.
    """

    rules: BlackjackRules
    stakes: tuple[Stakes, ...]  # one for each seat
    steps: tuple[Step, ...]  # those that were taken
    shoe: tuple[Card, ...]
    seat: Seat
    #: The chips that the seat had besides its stake before its first decision.
    purse: Cents

    def answer(self) -> BestEnd | None:
        try:
            return _played(self)
        except (UnknownRule, BadPosition, IndexError):  # IndexError: the shoe has no further card
            return None


def _played(asked: HowWouldBestPlayEnd) -> BestEnd:
    round = BlackjackRound(asked.rules, asked.stakes, asked.shoe)
    before = defaultdict[Seat, deque[str]](deque)
    for step in asked.steps:
        before[step.seat].append(step.action)
    best = _BestPlay(asked.purse)
    while not round.over:
        seat = round.asked[0]
        action = _next(round, before[seat])
        if seat == asked.seat:
            action = best.action(round, seat, action)
        round.apply(seat, action if round.refusal(seat, action) is None else _silence(round))
    return BestEnd(sum(line.net for line in round.settlement().lines if line.seat == asked.seat), best.differs)


class _BestPlay:
    """Best play at one seat: it takes the seat's own actions as long as these are among the best."""

    def __init__(self, purse: Cents) -> None:
        self._purse = purse
        self.differs = False

    def action(self, round: BlackjackRound, seat: Seat, was: str) -> str:
        """Return the action of best play, and pay its cost from the purse.

        `was` is what the seat did at the table. It is returned until it is worse than the best action for the first
        time; from then on `differs` is true.
        """
        worths = _worths(round, seat, self._purse)
        best = max(worths, key=worths.__getitem__)
        self.differs = self.differs or worths.get(was, -inf) < worths[best] - TOLERANCE
        action = best if self.differs else was
        self._purse -= round.cost(seat, action)
        return action


def _next(round: BlackjackRound, before: deque[str]) -> str:
    """Remove and return the next of the actions that a seat took at the table (`before`).

    For a time-out, and when no actions are left, return the action that declines insurance or stands.
    """
    action = before.popleft() if before else TIME
    return _silence(round) if action == TIME else action


def _silence(round: BlackjackRound) -> str:
    return DECLINE if round.acting is None else STAND


def _worths(round: BlackjackRound, seat: Seat, purse: Cents) -> dict[str, float]:
    """Return the value of each action that the rules allow and the purse can pay, in units of the hand's stake."""
    says = solver.decision(round.rules, Position.of_round(round, seat, purse))
    if round.acting is not None:
        return dict(says.actions)
    worths = {str(DECLINE): 0.0}
    if round.refusal(seat, INSURE, purse) is None:
        worths[INSURE] = says.insurance or 0.0
    return worths
