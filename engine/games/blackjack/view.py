"""The public view of a blackjack round, from which pictures and texts are made."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from engine.games.blackjack.hand import HandState
from engine.games.cards import Card
from engine.games.contract import Cents, Line, Seat

__all__ = ["BlackjackView", "DealerView", "HandState", "HandView", "RoundPhase", "SeatView"]


class RoundPhase(StrEnum):
    """The phases of a round: insurance is offered, hands take their turns, the round is over."""

    INSURANCE = "insurance"
    TURNS = "turns"
    OVER = "over"


@dataclass(frozen=True, slots=True)
class HandView:
    """One hand of a seat, as everybody may see it."""

    cards: tuple[Card, ...]
    total: int
    soft: bool  # an ace counts 11 and could still fall to 1, and the hand can still draw
    stake: Cents
    state: HandState
    doubled: bool = False
    swapped: bool = False
    #: Whether the hand stands because its time ran out.
    late: bool = False
    #: The result of a settled hand.
    result: Line | None = None


@dataclass(frozen=True, slots=True)
class SeatView:
    """A seat with its hands, from left to right, and its insurance."""

    hands: tuple[HandView, ...]
    #: The insurance: None if not asked or not answered yet, 0 if declined.
    insurance: Cents | None = None
    insurance_result: Line | None = None


@dataclass(frozen=True, slots=True)
class DealerView:
    """The dealer's hand, as everybody may see it."""

    #: The dealer's cards; None is one that lies face down.
    cards: tuple[Card | None, ...]
    total: int  # the total of the cards that are face up
    soft: bool  # an ace counts 11 and could still fall to 1; false once the hole card is turned
    natural: bool = False
    bust: bool = False
    #: Whether the dealer's cards come from the far end of the shoe.
    from_far_end: bool = False


@dataclass(frozen=True, slots=True)
class BlackjackView:
    """The view of the whole round, the same for every seat."""

    phase: RoundPhase
    dealer: DealerView
    seats: tuple[SeatView, ...]
    asked: tuple[Seat, ...]
    #: The (seat, hand) whose turn it is; None during insurance and after the end.
    acting: tuple[Seat, int] | None
    turn: int
