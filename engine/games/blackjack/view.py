"""What people may see of a blackjack round. Pictures, texts and computer players read this and nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from engine.games.blackjack import settling
from engine.games.blackjack.hand import WAITING, Hand, HandState
from engine.games.cards import Card
from engine.games.contract import Cents, Line, Seat

if TYPE_CHECKING:
    from engine.games.blackjack.round import BlackjackRound

__all__ = ["BlackjackView", "DealerView", "HandState", "HandView", "Phase", "SeatView", "view_of"]


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


def view_of(round: BlackjackRound) -> BlackjackView:
    """What may be seen of the round. The hole card is not read here: it joins the dealer's cards when it is turned."""
    dealer, worth = round.dealer, round.dealer.worth
    phase = Phase.TURNS if round.acting else Phase.INSURANCE
    return BlackjackView(
        phase=phase if round.asked else Phase.OVER,
        dealer=DealerView(
            cards=tuple(dealer.cards) if round.turned else (*dealer.cards, None),
            total=worth.total,
            soft=worth.soft and not round.turned,
            natural=round.turned and dealer.is_21_in_two(),
            bust=worth.total > 21,
        ),
        seats=tuple([_seat(round, seat, hands) for seat, hands in enumerate(round.hands)]),
        asked=round.asked,
        acting=round.acting,
        turn=round.turn,
    )


def _seat(round: BlackjackRound, seat: Seat, hands: Sequence[Hand]) -> SeatView:
    shown = [
        HandView(
            cards=tuple(hand.cards),
            total=hand.worth.total,
            soft=hand.worth.soft and hand.state is WAITING,
            stake=hand.stake,
            state=HandState.ACTING if round.acting == (seat, index) else hand.state,
            doubled=hand.doubled,
            swapped=hand.swapped,
            late=hand.late,
            result=settling.hand_line(round, seat, index) if hand.state is not WAITING else None,
        )
        for index, hand in enumerate(hands)
    ]
    insurance = round.insurance[seat]
    return SeatView(tuple(shown), insurance, settling.insurance_line(round, seat) if insurance else None)
