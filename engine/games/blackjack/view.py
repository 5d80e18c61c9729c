"""What people may see of a blackjack round. Pictures, texts and computer players read this and nothing else."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from engine.games.cards import Card
from engine.games.contract import Cents, Line, Seat


class Phase(StrEnum):
    INSURANCE = "insurance"
    TURNS = "turns"
    OVER = "over"


class HandState(StrEnum):
    WAITING = "waiting"  # its turn is still to come
    ACTING = "acting"  # it is asked now
    STANDING = "standing"
    BUST = "bust"
    NATURAL = "natural"
    SURRENDERED = "surrendered"


@dataclass(frozen=True, slots=True)
class HandView:
    cards: tuple[Card, ...]
    total: int
    soft: bool  # an ace counts 11 and can still fall to 1
    stake: Cents
    state: HandState
    doubled: bool = False
    swapped: bool = False
    #: Of a settled hand: what became of it.
    result: Line | None = None


@dataclass(frozen=True, slots=True)
class SeatView:
    hands: tuple[HandView, ...]
    #: None: not asked or not answered yet; 0: declined.
    insurance: Cents | None = None
    insurance_result: Line | None = None


@dataclass(frozen=True, slots=True)
class DealerView:
    #: None is a card lying face down.
    cards: tuple[Card | None, ...]
    total: int  # of the cards that are face up
    soft: bool
    natural: bool = False
    bust: bool = False


@dataclass(frozen=True, slots=True)
class BlackjackView:
    phase: Phase
    dealer: DealerView
    seats: tuple[SeatView, ...]
    asked: tuple[Seat, ...]
    #: (seat, hand) that acts now, outside insurance.
    acting: tuple[Seat, int] | None
    turn: int
