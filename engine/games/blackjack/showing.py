"""What may be seen of a round. The hole card is read nowhere here: it joins the dealer's cards when it is turned."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.games.blackjack import settling
from engine.games.blackjack.hand import Hand
from engine.games.blackjack.view import BlackjackView, DealerView, HandState, HandView, SeatView
from engine.games.contract import Seat

if TYPE_CHECKING:
    from engine.games.blackjack.round import BlackjackRound


def view(round: BlackjackRound) -> BlackjackView:
    return BlackjackView(
        phase=round.phase,
        dealer=_dealer(round),
        seats=tuple(_seat(round, seat) for seat in range(len(round.hands))),
        asked=round.asked,
        acting=round.acting,
        turn=round.turn,
    )


def _dealer(round: BlackjackRound) -> DealerView:
    hand = round.dealer
    return DealerView(
        cards=tuple(hand.cards) if round.turned else (*hand.cards, None),
        total=hand.worth.total,
        soft=hand.worth.soft,
        natural=hand.is_21_in_two(),
        bust=hand.worth.total > 21,
    )


def _seat(round: BlackjackRound, seat: Seat) -> SeatView:
    return SeatView(
        hands=tuple(_hand(round, seat, index, hand) for index, hand in enumerate(round.hands[seat])),
        insurance=round.insurance[seat],
        insurance_result=settling.insurance_line(round, seat),
    )


def _hand(round: BlackjackRound, seat: Seat, index: int, hand: Hand) -> HandView:
    return HandView(
        cards=tuple(hand.cards),
        total=hand.worth.total,
        soft=hand.worth.soft,
        stake=hand.stake,
        state=HandState.ACTING if round.acting == (seat, index) else hand.state,
        doubled=hand.doubled,
        swapped=hand.swapped,
        result=settling.hand_line(round, seat, index),
    )
