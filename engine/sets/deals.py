"""A deal of a set (one seat with a stake of one unit, dealt from a shoe of its own), and what it asks at first."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from engine.games.blackjack.actions import SPLIT, SWAP
from engine.games.blackjack.legality import legality_of
from engine.games.blackjack.round import BlackjackRound
from engine.games.blackjack.rules import BlackjackRules
from engine.games.blackjack.worth import POINTS
from engine.games.cards import Card, Shoe
from engine.games.contract import CHIP, Seat

#: The shoes of a set by the number of the deal, counted from 1.
Stream = Callable[[int], Shoe]

#: The seat of the person who plays, and the stake of one unit.
SEAT: Final[Seat] = 0
STAKE: Final = CHIP


def dealt(rules: BlackjackRules, shoe: Shoe) -> BlackjackRound:
    """Return the round of a deal as it is dealt from this shoe, before any decision."""
    return BlackjackRound(rules, [{"main": STAKE}], shoe)


def situation(round: BlackjackRound) -> str:
    """Return what a deal asks at first, by its open cards: `hard 16 v 10`, `soft 18 v 9`, `8,8 v A`."""
    (hand,) = round.hands[SEAT]
    if is_pair(round):
        row = f"{_pip(hand.cards[0])},{_pip(hand.cards[1])}"
    else:
        row = f"{'soft' if hand.worth.soft else 'hard'} {hand.worth.total}"
    return f"{row} v {_pip(round.up_card)}"


def is_pair(round: BlackjackRound) -> bool:
    """Return whether the first two cards are a pair that the rules let split or swap."""
    (hand,) = round.hands[SEAT]
    refusals = legality_of(round.rules)[hand.situation(1)].refusals
    return refusals[SPLIT] is None or refusals[SWAP] is None


def is_soft(round: BlackjackRound) -> bool:
    """Return whether the first two cards are a soft hand and no pair."""
    return round.hands[SEAT][0].worth.soft and not is_pair(round)


def _pip(card: Card) -> str:
    points = POINTS[card]
    return "A" if points == 11 else str(points)
