"""Questions for the coach: plain values that travel to its process and are answered there."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final, Protocol, TypeVar, runtime_checkable

from engine import solver
from engine.coach.house_edge import house_edges
from engine.fairness.record import Record
from engine.fairness.thoughts import Losses, losses
from engine.games.baccarat import BaccaratRules
from engine.games.blackjack.rules import BlackjackRules
from engine.solver import Decision, Position, SolvedGame, edges
from engine.training.problems import Problem, Search

#: The most rule sets that one slice compares: about a twentieth of a second on a quiet machine.
GAMES: Final = 4

#: The number of values of cards. A long question has one slice or more for each.
VALUES: Final = 10

A_co = TypeVar("A_co", covariant=True)


class Question(Protocol[A_co]):
    """Something to work out in the coach's process: a value that can be pickled and finds its own answer."""

    def answer(self) -> A_co:
        """Return the answer; called in the coach's process. Raises UnknownRule or BadPosition where there is none."""


@runtime_checkable
class LongQuestion(Question[A_co], Protocol[A_co]):
    """A question that is answered in slices, so that other questions need not wait for all of it."""

    def slices(self) -> Iterable[Question[object]]:
        """Return shorter questions to ask first. The process keeps their results, so `answer` is then quick."""


@dataclass(frozen=True, slots=True)
class WhatIsBest:
    """The question for the value of each action of a hand."""

    rules: BlackjackRules
    position: Position

    def answer(self) -> Decision:
        return solver.decision(self.rules, self.position)


@dataclass(frozen=True, slots=True)
class WhatToAsk:
    """The question for the next hand that `/train` asks about."""

    search: Search

    def answer(self) -> Problem:
        return self.search.found()


@dataclass(frozen=True, slots=True)
class WhatIsTheGame:
    """The question for the value of a whole round under these rules, and the chart of best play."""

    rules: BlackjackRules

    def answer(self) -> SolvedGame:
        return solver.game(self.rules)

    def slices(self) -> Iterable[Question[object]]:
        return [_Deals(self.rules, up) for up in range(VALUES)]


@dataclass(frozen=True, slots=True)
class _Deals:
    """A slice of `WhatIsTheGame` or of a house edge: it caches the value of every deal against one up card."""

    rules: BlackjackRules
    up: int

    def answer(self) -> None:
        solver.keep_deals(self.rules, self.up)


@dataclass(frozen=True, slots=True)
class WhatRulesAreWorth:
    """The question for what each rule is worth to the player, compared with each of its other choices.

    The answer is in first stakes, by field and other choice. `fields` limits it to some fields.
    """

    rules: BlackjackRules
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
    """A slice of `WhatRulesAreWorth`: what one up card contributes to the value of each of several rule sets."""

    games: tuple[BlackjackRules, ...]
    up: int

    def answer(self) -> None:
        solver.keep_shares(self.games, self.up)


@dataclass(frozen=True, slots=True)
class WhatWasGivenAway:
    """The question for the loss of each step that perfect computer players took in a round (`Losses`)."""

    record: Record

    def answer(self) -> Losses:
        return losses(self.record)


@dataclass(frozen=True, slots=True)
class WhatIsTheHouseEdge:
    """The question for the part of a stake that the house keeps on average, for each way to play a game."""

    game: str
    rules: Any

    def answer(self) -> Mapping[str, float]:
        return house_edges(self.game, self.rules)

    def slices(self) -> Iterable[Question[object]]:
        return [part(self.rules, card) for part in _PARTS.get(self.game, ()) for card in range(VALUES)]


@dataclass(frozen=True, slots=True)
class _Levels:
    """A slice of a house edge: what every deal against one up card is worth to each computer level below perfect."""

    rules: BlackjackRules
    up: int

    def answer(self) -> None:
        solver.keep_levels(self.rules, self.up)


@dataclass(frozen=True, slots=True)
class _Coups:
    """A slice of baccarat's house edge: all coups with one kind of first card.

    `first` is the place of that kind in `BACCARAT_VALUES`, from 0.
    """

    rules: BaccaratRules
    first: int

    def answer(self) -> None:
        edges.keep_coups(self.rules, self.first)


#: The slices of a house edge that takes long, by game. There is one of each kind for each of the ten values of cards.
_PARTS: Final[Mapping[str, tuple[Callable[[Any, int], Question[object]], ...]]] = {
    "blackjack": (_Deals, _Levels),
    "baccarat": (_Coups,),
}
