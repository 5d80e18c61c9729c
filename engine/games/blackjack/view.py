"""What people may see of a blackjack round. Pictures, texts and computer players read this and nothing else."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from engine.games.blackjack.hand import HandState
from engine.games.cards import Card
from engine.games.contract import Cents, Line, Seat

__all__ = ["BlackjackView", "DealerView", "HandState", "HandView", "Phase", "SeatView"]


class Phase(StrEnum):
    """What the round asks."""

    INSURANCE = "insurance"
    TURNS = "turns"
    OVER = "over"


@dataclass(frozen=True, slots=True)
class HandView:
    """One hand of a seat."""

    cards: tuple[Card, ...]
    total: int
    soft: bool  # an ace counts 11, and may still fall to 1
    stake: Cents
    state: HandState
    doubled: bool = False
    swapped: bool = False
    #: It stands because its time ran out.
    late: bool = False
    #: Of a settled hand: what became of it.
    result: Line | None = None


@dataclass(frozen=True, slots=True)
class SeatView:
    """A seat with its hands, from left to right, and its insurance."""

    hands: tuple[HandView, ...]
    #: None: not asked or not answered yet; 0: declined.
    insurance: Cents | None = None
    insurance_result: Line | None = None


@dataclass(frozen=True, slots=True)
class DealerView:
    """The dealer's hand as far as it lies open."""

    #: None is a card lying face down.
    cards: tuple[Card | None, ...]
    total: int  # of the cards that are face up
    soft: bool
    natural: bool = False
    bust: bool = False


@dataclass(frozen=True, slots=True)
class BlackjackView:
    """The whole round: the same for every seat."""

    phase: Phase
    dealer: DealerView
    seats: tuple[SeatView, ...]
    asked: tuple[Seat, ...]
    #: (seat, hand) that acts now, outside insurance.
    acting: tuple[Seat, int] | None
    turn: int
