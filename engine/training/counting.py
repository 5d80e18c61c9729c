"""Counting cards (R15.2): handfuls of cards from a shoe, then questions for the running count and the true count.

Each card from two to six adds one to the running count. Each ten, picture or ace takes one off. The true count is the
running count divided by the number of decks that are left.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from enum import StrEnum
from typing import Any, Final, Self

from engine.games.blackjack.worth import POINTS
from engine.games.cards import PACK, Card
from engine.training.deals import Below

#: The name of this training where it is stored.
COUNT: Final = "count"

#: The number of handfuls in an exercise, and the fewest and the most cards in a handful.
_HANDFULS: Final = 5
_FEWEST: Final = 3
_MOST: Final = 8
#: The number of right exercises in a row after which handfuls grow by one card, each time, while the shoe has enough.
_ONE_MORE_EVERY: Final = 3

#: The number of answers to choose from.
CHOICES: Final = 5
#: The number of cards of half a deck, which stay in the shoe at least.
_HALF: Final = len(PACK) // 2
#: The most that the true count of an exercise may differ from a whole number: answers are whole numbers.
_CLEAR: Final = 0.35


class CountQuestion(StrEnum):
    """The questions at the end of an exercise."""

    RUNNING = "running"
    TRUE = "true"


def worth(cards: Iterable[Card]) -> int:
    """Return what cards add to the running count."""
    return sum(1 if POINTS[card] < 7 else -1 if POINTS[card] > 9 else 0 for card in cards)


@dataclass(frozen=True, slots=True)
class Count:
    """A person's counting exercise, and how many exercises in a row were right. Every press makes a new value."""

    decks: int
    #: The running count before the first card, and the number of half decks that are left after the last one.
    carried: int = 0
    halves: int = 2
    cards: tuple[Card, ...] = ()
    #: The number of the handful that is shown, from 1. Once the questions are asked, it is one more than the last.
    shown: int = 0
    #: The number of choices below the right one, for each question.
    places: tuple[int, int] = (0, 0)
    #: The answers given so far.
    answers: tuple[int, ...] = ()
    #: Right exercises in a row.
    row: int = 0
    best: int = 0  # the longest row ever
    ended: int = 0  # the row before the last exercise that was answered

    @property
    def size(self) -> int:
        """The number of cards of a handful."""
        return len(self.cards) // _HANDFULS

    @property
    def handful(self) -> tuple[Card, ...]:
        """The cards that are shown now; none once the questions are asked."""
        return self.cards[(self.shown - 1) * self.size : self.shown * self.size]

    @property
    def left(self) -> int:
        """The number of handfuls that come after the one that is shown."""
        return _HANDFULS - self.shown

    @property
    def asks(self) -> CountQuestion | None:
        """The question that is asked now; None while cards are shown, or when the exercise is over."""
        if not self.cards or self.shown <= _HANDFULS or self.over:
            return None
        return CountQuestion.TRUE if self.answers else CountQuestion.RUNNING

    @property
    def over(self) -> bool:
        """Whether both questions are answered, or the first one wrongly."""
        return len(self.answers) == len(CountQuestion) or bool(self.answers and not self.is_right)

    @property
    def running(self) -> int:
        """The running count after the last card."""
        return self.carried + worth(self.cards)

    @property
    def true(self) -> int:
        """The true count after the last card, rounded to the nearest whole number."""
        return round(self._exactly)

    @property
    def _exactly(self) -> float:
        return 2 * self.running / self.halves

    @property
    def choices(self) -> tuple[int, ...]:
        """The answers to choose from: consecutive numbers, with the right answer to the present question among them."""
        asked = len(self.answers)
        first = (self.running, self.true)[asked] - self.places[asked]
        return tuple(range(first, first + CHOICES))

    @property
    def is_right(self) -> bool:
        """Whether all answers so far are right."""
        return all(given == right for given, right in zip(self.answers, (self.running, self.true), strict=False))

    def turned(self) -> Count:
        """Return the count with the next handful in place of this one, or with the first question after the last."""
        return replace(self, shown=self.shown + 1)

    def answered(self, given: int) -> Count:
        """Return the count after an answer to its question.

        If that ends the exercise, `row` grows by 1 after right answers and becomes 0 after a wrong one.
        """
        count = replace(self, answers=(*self.answers, given))
        if not count.over:
            return count
        row = self.row + 1 if count.is_right else 0
        return replace(count, row=row, best=max(self.best, row), ended=self.row)

    def dealt(self, below: Below) -> Count:
        """Return the next exercise, dealt by chance. Its true count is clearly nearest to one whole number."""
        while True:
            count = self._drawn(below)
            if abs(count._exactly - count.true) <= _CLEAR:
                return count

    def _drawn(self, below: Below) -> Count:
        """Deal a shoe down to what is left: the last cards are shown, the others were seen before."""
        shoe, halves = list(PACK * self.decks), 1 + below(max(1, 2 * self.decks - 2))
        size = min(_FEWEST + self.row // _ONE_MORE_EVERY, _MOST, (len(shoe) - _HALF) // _HANDFULS)
        gone = tuple(shoe.pop(below(len(shoe))) for _ in range(len(shoe) - halves * _HALF))
        before = len(gone) - size * _HANDFULS
        return replace(
            self,
            carried=worth(gone[:before]),
            halves=halves,
            cards=gone[before:],
            shown=1,
            places=(below(CHOICES), below(CHOICES)),
            answers=(),
        )

    # -- as it is stored -----------------------------------------------------------------------------------------------

    def as_json(self) -> dict[str, Any]:
        """Return the count as plain JSON, which `from_json` reads."""
        return {**asdict(self), "cards": "".join(self.cards)}

    @classmethod
    def from_json(cls, doc: Mapping[str, Any]) -> Self:
        """Read what `as_json` wrote."""
        text, places = doc["cards"], tuple(doc["places"])
        cards = tuple(text[start : start + 2] for start in range(0, len(text), 2))
        return cls(**{**doc, "cards": cards, "places": places, "answers": tuple(doc["answers"])})
