"""Rounds of one seat and at most one question: a stake, a deal, an answer, a result.

Such a game defines its answers, its question, its open cards, its settlement and its view. It inherits the rest of the
contract (`contract.Round`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import ClassVar, Generic, Self, TypeVar

from engine.games import plain
from engine.games.cards import Card, Shoe
from engine.games.contract import (
    BOTTOMLESS,
    BadStakes,
    By,
    Cents,
    IllegalAction,
    Line,
    Refusal,
    Rules,
    Seat,
    Settlement,
    Stakes,
    Step,
)

R = TypeVar("R", bound=Rules)
A = TypeVar("A", bound=StrEnum)


class OneQuestion(Generic[R, A]):
    """The base class of rounds with one seat and at most one question, and so at most one step."""

    #: The answers in the order of their buttons, and the answer on time-out (R0.5).
    answers: tuple[A, ...]
    silence: A
    #: The number of further stakes, each as high as the first, that an answer adds; an answer not listed adds none.
    costs: ClassVar[Mapping[str, int]] = {}

    # -- defined by each game ------------------------------------------------------------------------------------------

    def asks(self) -> bool:
        """Return whether the first cards ask the player anything. If not, the round is over at once."""
        raise NotImplementedError

    @property
    def open_cards(self) -> tuple[int, ...]:
        """The places in the shoe of the cards that lie face up."""
        raise NotImplementedError

    def lines(self) -> tuple[Line, ...]:
        """Return the lines that settle a finished round."""
        raise NotImplementedError

    def view(self, seat: Seat | None = None) -> object:
        """Return what everybody may see. It is the same for every `seat`."""
        raise NotImplementedError

    @property
    def taken(self) -> tuple[int, ...]:
        """The places in the shoe of all cards taken: from 0 to the last card that lies face up, burnt ones included."""
        return tuple(range(max(self.open_cards) + 1))

    # -- the contract --------------------------------------------------------------------------------------------------

    def __init__(self, rules: R, stakes: Sequence[Stakes], shoe: Shoe, steps: tuple[Step, ...] = ()) -> None:
        if len(stakes) != 1:
            raise BadStakes(f"{len(stakes)} stakes, where there is one seat")
        self.stake = plain.only_stake(stakes[0])
        self.rules = rules
        self.steps = steps
        self._shoe = shoe
        self._asks = self.asks()

    @property
    def turn(self) -> int:
        return len(self.steps)

    @property
    def over(self) -> bool:
        return bool(self.steps) or not self._asks

    @property
    def asked(self) -> tuple[Seat, ...]:
        return () if self.over else (0,)

    def refusal(self, seat: Seat, action: str, purse: Cents = BOTTOMLESS) -> Refusal | None:
        if self.over:
            return Refusal.ROUND_OVER
        if type(seat) is not int or seat != 0:
            return Refusal.NOT_SEATED
        if action not in self.answers:
            return Refusal.NOT_OFFERED
        return Refusal.CANNOT_PAY if self.cost(seat, action) > purse else None

    def legal(self, seat: Seat, purse: Cents = BOTTOMLESS) -> tuple[A, ...]:
        return tuple(action for action in self.answers if self.refusal(seat, action, purse) is None)

    def cost(self, seat: Seat, action: str) -> Cents:
        return self.stake * self.costs.get(action, 0)

    def apply(self, seat: Seat, action: str, by: By = By.MEMBER, purse: Cents = BOTTOMLESS) -> None:
        refusal = self.refusal(seat, action, purse)
        if refusal:
            raise IllegalAction(refusal)
        self.steps = (Step(seat, action, by),)
        try:
            self.lines()
        except BaseException:  # the shoe has no such card
            self.steps = ()
            raise

    def timeout(self, seat: Seat) -> A:
        return self.silence

    def settlement(self) -> Settlement:
        if not self.over:
            raise IllegalAction(Refusal.NOT_NOW)
        return Settlement(self.lines())

    def fork(self) -> Self:
        return type(self)(self.rules, [{"main": self.stake}], self._shoe, self.steps)

    # -- for the games -------------------------------------------------------------------------------------------------

    def took(self, answer: A) -> bool:
        """Return whether the round was answered like this, by the player or by a time-out."""
        return any(step.action == answer for step in self.steps)

    @property
    def staked(self) -> Cents:
        """The stake and what the answer added to it."""
        return self.stake * (1 + sum(self.costs.get(step.action, 0) for step in self.steps))

    @property
    def late(self) -> bool:
        """Whether the answer was given by a time-out."""
        return any(step.by is By.CLOCK for step in self.steps)

    def card(self, place: int) -> Card:
        """Return the card at a place of the shoe."""
        return self._shoe[place]
