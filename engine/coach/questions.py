"""What the coach can be asked: plain values that travel to its process, and are answered there."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

from engine import solver
from engine.coach import keeping
from engine.fairness.record import Record
from engine.fairness.thoughts import Losses, losses
from engine.games.blackjack.rules import Rules
from engine.solver import Decision, Game, Position

A_co = TypeVar("A_co", covariant=True)


class Question(Protocol[A_co]):
    def answer(self) -> A_co:
        """Called in the coach's process. Raises UnknownRule or BadPosition where there is no answer."""


@dataclass(frozen=True, slots=True)
class WhatIsBest:
    """What each action of a hand is worth."""

    rules: Rules
    position: Position

    def answer(self) -> Decision:
        return solver.decision(self.rules, self.position)


@dataclass(frozen=True, slots=True)
class WhatIsTheGame:
    """What a whole round is worth, and the chart of its best play."""

    rules: Rules

    def answer(self) -> Game:
        return solver.game(self.rules)


@dataclass(frozen=True, slots=True)
class WhatRulesAreWorth:
    """By field and other choice: what the player has of each rule as it is."""

    rules: Rules

    def answer(self) -> Mapping[str, Mapping[str, float]]:
        return solver.rule_worths(self.rules)


@dataclass(frozen=True, slots=True)
class WhatWasGivenAway:
    """By step: what the computer players of a round gave away that take their time."""

    record: Record

    def answer(self) -> Losses:
        return losses(self.record)


@dataclass(frozen=True, slots=True)
class WhatIsKept:
    """What the house keeps of a stake at a game, by what is done all the time."""

    game: str
    rules: Any

    def answer(self) -> Mapping[str, float]:
        return keeping.kept(self.game, self.rules)
