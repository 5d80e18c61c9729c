"""A finished round of blackjack played again with best play at one seat: same shoe, same actions of the others."""

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
    """The question for the result of a round if one seat had played best. The answer is None where none is known."""

    rules: BlackjackRules
    stakes: tuple[Stakes, ...]  # one for each seat
    steps: tuple[Step, ...]  # those that were taken
    shoe: tuple[Card, ...]
    seat: Seat
    #: The chips that the seat had besides its stake.
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
    """Best play at one seat. As long as the seat's own actions are among the best, it takes those."""

    def __init__(self, purse: Cents) -> None:
        self._purse = purse
        self.differs = False

    def action(self, round: BlackjackRound, seat: Seat, was: str) -> str:
        """Return the action of best play; `was` is the seat's own action at the table."""
        worths = _worths(round, seat, self._purse)
        best = max(worths, key=worths.__getitem__)
        self.differs = self.differs or worths.get(was, -inf) < worths[best] - TOLERANCE
        action = best if self.differs else was
        self._purse -= round.cost(seat, action)
        return action


def _next(round: BlackjackRound, before: deque[str]) -> str:
    """Return what the asked seat did next at the table. After a time-out it declines insurance and stands."""
    if before and before[0] != TIME:
        return before.popleft()
    return _silence(round)


def _silence(round: BlackjackRound) -> str:
    return DECLINE if round.acting is None else STAND


def _worths(round: BlackjackRound, seat: Seat, purse: Cents) -> dict[str, float]:
    """Return the value of each affordable action."""
    says = solver.decision(round.rules, Position.of_round(round, seat, purse))
    if round.acting is not None:
        return dict(says.actions)
    worths = {str(DECLINE): 0.0}
    if round.refusal(seat, INSURE, purse) is None:
        worths[INSURE] = says.insurance or 0.0
    return worths
