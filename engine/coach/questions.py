"""What the coach can be asked: plain values that travel to its process, and are answered there."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final, Protocol, TypeVar, runtime_checkable

from engine import solver
from engine.coach import keeping
from engine.fairness.record import Record
from engine.fairness.thoughts import Losses, losses
from engine.games.blackjack.rules import Rules
from engine.solver import Decision, Game, Position

#: So many games are weighed in one slice: about a twentieth of a second on a quiet machine.
GAMES: Final = 4

#: Up cards by value: a long question has a slice for each.
VALUES: Final = 10

A_co = TypeVar("A_co", covariant=True)


class Question(Protocol[A_co]):
    def answer(self) -> A_co:
        """Called in the coach's process. Raises UnknownRule or BadPosition where there is no answer."""


@runtime_checkable
class LongQuestion(Question[A_co], Protocol[A_co]):
    """A question that is answered in slices, so that nobody waits for all of it."""

    def slices(self) -> Iterable[Question[object]]:
        """Return shorter questions to be asked first: the process keeps what they find out for this one."""


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

    def slices(self) -> Iterable[Question[object]]:
        return [_Deals(self.rules, up) for up in range(VALUES)]


@dataclass(frozen=True, slots=True)
class _Deals:
    """Every deal against one up card, to be kept."""

    rules: Rules
    up: int

    def answer(self) -> None:
        solver.keep_deals(self.rules, self.up)


@dataclass(frozen=True, slots=True)
class WhatRulesAreWorth:
    """By field and other choice: what the player has of each rule as it is, or of some of them."""

    rules: Rules
    fields: tuple[str, ...] | None = None

    def answer(self) -> Mapping[str, Mapping[str, float]]:
        return solver.rule_worths(self.rules, self.fields)

    def slices(self) -> Iterable[Question[object]]:
        games = solver.games_to_weigh(self.rules, self.fields)
        parts = (
            (group[start : start + GAMES], up)
            for group in games
            for up in range(VALUES)
            for start in range(0, len(group), GAMES)
        )
        return [_Shares(part, up) for part, up in parts]


@dataclass(frozen=True, slots=True)
class _Shares:
    """The shares of games' values that fall to one up card, to be kept."""

    games: tuple[Rules, ...]
    up: int

    def answer(self) -> None:
        solver.keep_shares(self.games, self.up)


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

    def slices(self) -> Iterable[Question[object]]:
        parts = (_Deals, _Levels) if self.game == "blackjack" else ()
        return [part(self.rules, up) for part in parts for up in range(VALUES)]


@dataclass(frozen=True, slots=True)
class _Levels:
    """What computer players make of every deal against one up card, to be kept."""

    rules: Rules
    up: int

    def answer(self) -> None:
        solver.keep_levels(self.rules, self.up)
