"""Points of a deal, in whole numbers, and its mark: right, close or wrong (R11.4, R11.5)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from engine.sets.answers import Answers
from engine.sets.choosing import CLOSEST

#: Points are counted in hundredths: the number of them in a point, and the most that a deal brings.
HUNDREDTHS: Final = 100
MOST_A_DEAL: Final = 20 * HUNDREDTHS


class Mark(StrEnum):
    """The verdict on how a deal was decided (R11.5)."""

    RIGHT = "right"  # gave away at most `CLOSEST`, because a toss-up is no mistake
    CLOSE = "close"  # gave away at most half the width
    WRONG = "wrong"


@dataclass(frozen=True, slots=True)
class GradedDecision:
    """One decision of a try: what was asked, what was chosen, and what each choice was worth."""

    #: The letters that led to the question, the letter that was chosen, and the value of each letter there.
    path: str
    letter: str
    worths: dict[str, int]

    @property
    def best(self) -> str:
        """The letter of the best action: the chosen one if no other is better."""
        most = max(self.worths.values())
        return self.letter if self.worths[self.letter] == most else max(self.worths, key=self.worths.__getitem__)

    @property
    def loss(self) -> int:
        """The cost of the choice, in millionths of the unit: the value of the best one minus that of this one."""
        return max(self.worths.values()) - self.worths[self.letter]


@dataclass(frozen=True, slots=True)
class DealGrade:
    """The decisions of a deal so far, from which its points and its mark follow."""

    decisions: tuple[GradedDecision, ...]
    #: The loss from which on a deal brings no points, as in the terms.
    width: int

    @property
    def loss(self) -> int:
        """The cost of all decisions together, in millionths of the unit."""
        return sum(decision.loss for decision in self.decisions)

    @property
    def points(self) -> int:
        """The points in hundredths: `MOST_A_DEAL` without a loss, falling evenly to 0 at a loss of `width`."""
        kept = max(self.width - self.loss, 0)
        return (2 * MOST_A_DEAL * kept + self.width) // (2 * self.width)

    @property
    def mark(self) -> Mark:
        if self.loss <= CLOSEST:
            return Mark.RIGHT
        return Mark.CLOSE if 2 * self.loss <= self.width else Mark.WRONG

    @property
    def worst(self) -> GradedDecision:
        """The costliest decision; of equal ones, the first. There must be one."""
        return max(self.decisions, key=lambda decision: decision.loss)


def graded(answers: Answers, letters: str, width: int) -> DealGrade:
    """Return the grade of a deal that was played, or begun, by these letters.

    `width` is the loss from which on a deal brings no points, in millionths of the unit.
    """
    asked = [(letters[:place], letter) for place, letter in enumerate(letters)]
    return DealGrade(tuple(GradedDecision(path, letter, dict(answers[path])) for path, letter in asked), width)
