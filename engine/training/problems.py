"""A hand that is asked about, with the value of each answer."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Self

from engine import solver
from engine.games.blackjack.rules import BlackjackRules
from engine.games.cards import Card
from engine.solver import Position
from engine.training.deals import DealtHand

#: The largest loss, as a part of the stake, with which an answer still counts as right (R15.1).
TOSS_UP: Final = 0.003

#: The decimal places to which values are stored.
_DIGITS: Final = 5


@dataclass(frozen=True, slots=True)
class Problem:
    """A hand, the value of each play as a part of the stake, and the chances that explain these values."""

    hand: tuple[Card, ...]
    up: Card
    worths: Mapping[str, float]
    #: The chance that one more card takes the hand over 21, and the dealer's final totals if it stands.
    bust: float
    dealer: Mapping[str, float]

    @property
    def deal(self) -> DealtHand:
        """The hand and the dealer's up card, without the values."""
        return DealtHand(self.hand, self.up)

    @property
    def best(self) -> str:
        """The play that is worth most."""
        return max(self.worths, key=lambda action: self.worths[action])

    @property
    def gap(self) -> float:
        """The difference in value between the best two plays, as a part of the stake."""
        first, second, *_ = sorted(self.worths.values(), reverse=True)
        return first - second

    def loss(self, action: str) -> float:
        """Return how much less a play is worth than the best one, as a part of the stake."""
        return max(self.worths.values()) - self.worths[action]

    def is_right(self, action: str) -> bool:
        """Return whether a play costs no more than `TOSS_UP`."""
        return round(self.loss(action), 6) <= TOSS_UP

    def as_json(self) -> dict[str, Any]:
        """Return the problem as plain JSON, with rounded values."""
        return {
            "hand": list(self.hand),
            "up": self.up,
            "worths": _short(self.worths),
            "bust": round(self.bust, _DIGITS),
            "dealer": _short(self.dealer),
        }

    @classmethod
    def from_json(cls, doc: Mapping[str, Any]) -> Self:
        """Read what `as_json` wrote."""
        return cls(tuple(doc["hand"]), doc["up"], doc["worths"], doc["bust"], doc["dealer"])


def _short(values: Mapping[str, float]) -> dict[str, float]:
    return {str(name): round(value, _DIGITS) for name, value in values.items()}


@dataclass(frozen=True, slots=True)
class Search:
    """The choice of one hand among `deals`: the first whose best two plays differ by `low` to `high`.

    `low` and `high` are parts of the stake. If no hand is in this range, the closest one is chosen, but a toss-up (they
    differ by at most `TOSS_UP`) only if there are no others. Hands without a choice of plays are never chosen.
    """

    rules: BlackjackRules
    deals: Sequence[DealtHand]
    low: float = 0.0
    high: float = 1.0

    def found(self) -> Problem:
        """Return the chosen hand. Raise BadPosition if none has a choice, UnknownRule for a rule new to the solver."""
        nearest: Problem | None = None
        for problem in self._problems():
            if self.low <= problem.gap <= self.high:
                return problem
            if nearest is None or self._distance(problem) < self._distance(nearest):
                nearest = problem
        if nearest is None:
            raise solver.BadPosition("none of these hands has a choice")
        return nearest

    def _problems(self) -> Iterable[Problem]:
        for deal in self.deals:
            hand = [card[0] for card in deal.hand]
            says = solver.decision(self.rules, Position.fresh(self.rules, hand, deal.up[0]))
            if len(says.actions) > 1:
                yield Problem(deal.hand, deal.up, says.actions, says.bust, says.dealer)

    def _distance(self, problem: Problem) -> tuple[bool, float]:
        """Return whether a problem is a toss-up, and how far its gap is from the wanted range."""
        return problem.gap <= TOSS_UP, max(self.low - problem.gap, problem.gap - self.high)
