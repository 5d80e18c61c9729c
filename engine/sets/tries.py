"""A try: one person's way through a set, as the letters of their presses.

The letters of a deal stand side by side, and ``/`` is the press that asks for the next deal: ``hhs/d/s`` is a try that
hit twice and stood, doubled the second deal, stood on the third, and has not asked for a fourth yet. So a stored try
goes on where its player left it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import Final

from engine.games.blackjack.round import BlackjackRound
from engine.games.contract import Cents
from engine.sets.answers import ACTIONS, LETTERS
from engine.sets.deals import SEAT, Stream, dealt
from engine.sets.prepared import Prepared
from engine.sets.scoring import DealGrade, graded

#: The press that asks for the next deal.
NEXT: Final = "/"

#: The most letters of a try: many more than any likely way through a set has.
LONGEST: Final = 512


class BadSteps(ValueError):
    """Raised for letters that no try of this set can have. The message says why."""


class WhyRefused(StrEnum):
    """The reasons for which a press is refused."""

    NOT_ALLOWED = "the rules do not allow it now"
    DEAL_NOT_OVER = "the deal goes on"
    DEAL_OVER = "the deal is over"
    ALL_OVER = "the try is over"


@dataclass(frozen=True)
class Try:
    """One person's play of a set so far. Every press makes a new value."""

    prepared: Prepared
    #: The letters of each deal that was asked for.
    letters: tuple[str, ...]
    #: The round of each deal that was asked for, up to the last press.
    rounds: tuple[BlackjackRound, ...]

    @property
    def steps(self) -> str:
        """The letters of all presses."""
        return NEXT.join(self.letters)

    @property
    def place(self) -> int:
        """The place of the deal that is played or was played last, from 0."""
        return len(self.rounds) - 1

    @property
    def round(self) -> BlackjackRound:
        """The round of the deal that is played, or that was played last."""
        return self.rounds[-1]

    @property
    def over(self) -> bool:
        """Whether all deals were played to their end."""
        return self.round.over and len(self.rounds) == len(self.prepared.deals)

    @property
    def legal(self) -> tuple[str, ...]:
        """The actions that may be pressed now."""
        return self.round.legal(SEAT)

    @cached_property
    def grades(self) -> tuple[DealGrade, ...]:
        """The grades of the deals that the person has begun. One that is not over is graded by the presses so far."""
        width = self.prepared.terms.width
        return tuple(
            graded(answers, letters, width)
            for answers, letters in zip(self.prepared.answers, self.letters, strict=False)
        )

    @property
    def points(self) -> int:
        """The points of the deals that are over, in hundredths."""
        return sum(grade.points for grade, round in zip(self.grades, self.rounds, strict=True) if round.over)

    @property
    def losses(self) -> int:
        """The cost of all decisions so far, in millionths of the unit."""
        return sum(grade.loss for grade in self.grades)

    def net(self, place: int) -> Cents:
        """Return the cents that the deal at this place, from 0, won or lost at a stake of one chip. It must be over."""
        lines = self.rounds[place].settlement().lines
        return sum(line.returned - line.staked for line in lines)

    def refusal(self, action: str) -> WhyRefused | None:
        """Return why an action, or a slash for the next deal, cannot be pressed now; None if it can."""
        if self.over:
            return WhyRefused.ALL_OVER
        if action == NEXT:
            return None if self.round.over else WhyRefused.DEAL_NOT_OVER
        if self.round.over:
            return WhyRefused.DEAL_OVER
        return None if action in self.legal else WhyRefused.NOT_ALLOWED

    def pressed(self, action: str, stream: Stream) -> Try:
        """Return the try after an action; a slash leads to the next deal. Raises BadSteps if the action is refused."""
        refused = self.refusal(action)
        if refused is not None:
            raise BadSteps(refused.value)
        if action == NEXT:
            return Try(self.prepared, (*self.letters, ""), (*self.rounds, _deal(self.prepared, stream, self.place + 1)))
        round = self.round.fork()
        round.apply(SEAT, action)
        letters = self.letters[-1] + LETTERS[action]
        return Try(self.prepared, (*self.letters[:-1], letters), (*self.rounds[:-1], round))


def begun(prepared: Prepared, stream: Stream) -> Try:
    """Return a try at its first deal."""
    return Try(prepared, ("",), (_deal(prepared, stream, 0),))


def played(prepared: Prepared, stream: Stream, steps: str) -> Try:
    """Return the try that these letters lead to.

    Raises BadSteps for more than `LONGEST` letters, and for a press that is refused.
    """
    if len(steps) > LONGEST:
        raise BadSteps(f"{len(steps)} steps")
    found = begun(prepared, stream)
    for letter in steps:
        found = found.pressed(ACTIONS.get(letter, letter), stream)
    return found


def deal_again(prepared: Prepared, stream: Stream, place: int, letters: Sequence[str]) -> BlackjackRound:
    """Return the round of the deal at this place, from 0, as it stood after these letters, to look back at it."""
    round = _deal(prepared, stream, place)
    for letter in letters:
        round.apply(SEAT, ACTIONS[letter])
    return round


def _deal(prepared: Prepared, stream: Stream, place: int) -> BlackjackRound:
    return dealt(prepared.terms.rules, stream(prepared.deals[place].number))
