"""Computer players of blackjack (R6). They know only the cards that lie face up.

The solver chooses how a perfect player plays its hands (R6.4). This module decides, by counting tens, whether a perfect
player insures.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from engine.games.blackjack.actions import DECLINE, DOUBLE, HIT, INSURE, SPLIT, STAND, SWAP, Action
from engine.games.blackjack.chart import Chart, Play, expert
from engine.games.blackjack.hand import Hand
from engine.games.blackjack.round import BlackjackRound
from engine.games.blackjack.worth import POINTS
from engine.games.cards import PACK, Card
from engine.games.computer import Level
from engine.games.contract import BOTTOMLESS, Cents, Policy, Seat

_TENS: Final = frozenset(card for card in PACK if POINTS[card] == 10)


def choose(level: str, round: BlackjackRound, seat: Seat, purse: Cents = BOTTOMLESS) -> str:
    """Return the action that a computer player of this level (any but perfect) takes at a seat that is asked."""
    return PLAYERS[level](round, seat, purse)


# -- amateur -----------------------------------------------------------------------------------------------------------


def _amateur(round: BlackjackRound, seat: Seat, purse: Cents) -> Action:
    """Hit under 17, otherwise stand (R6.1), and never insure."""
    if round.acting is None:
        return DECLINE
    return HIT if _asked_hand(round).worth.total < 17 else STAND


# -- intermediate and expert: the chart --------------------------------------------------------------------------------


def _intermediate(round: BlackjackRound, seat: Seat, purse: Cents) -> Action:
    """Play the parts of the chart that an intermediate player knows (R6.2), and never insure."""
    if round.acting is None:
        return DECLINE
    hand, chart = _asked_hand(round), expert()
    if hand.is_pair() and POINTS[hand.cards[0]] in (8, 11):
        return _as_allowed(chart.pairs[POINTS[hand.cards[0]]][round.up_card], round, seat, purse)
    if hand.worth.soft:
        return HIT if hand.worth.total <= 17 else STAND
    play = _by_total(chart, hand, round.up_card)
    if play is Play.DOUBLE and hand.worth.total not in (10, 11):
        return HIT
    return _as_allowed(play, round, seat, purse)


def _expert(round: BlackjackRound, seat: Seat, purse: Cents) -> Action:
    """Play the chart to the letter (R6.3), and never insure."""
    if round.acting is None:
        return DECLINE
    hand, chart = _asked_hand(round), expert()
    if hand.is_pair():
        return _as_allowed(chart.pairs[POINTS[hand.cards[0]]][round.up_card], round, seat, purse)
    return _as_allowed(_by_total(chart, hand, round.up_card), round, seat, purse)


def _asked_hand(round: BlackjackRound) -> Hand:
    assert round.acting is not None
    seat, index = round.acting
    return round.hands[seat][index]


def _by_total(chart: Chart, hand: Hand, up_card: Card) -> Play:
    """Return the chart's play for the hand's total. Pairs of aces and of twos have no such row, and hit (R6.3)."""
    rows = chart.soft if hand.worth.soft else chart.hard
    row = rows.get(hand.worth.total)
    return row[up_card] if row is not None else Play.HIT


_ALWAYS_ALLOWED: Final[Mapping[Play, Action]] = {Play.HIT: HIT, Play.STAND: STAND}


def _as_allowed(play: Play, round: BlackjackRound, seat: Seat, purse: Cents) -> Action:
    """Return the chart's play, or the one that R6.3 puts in its place if it is not allowed or too expensive."""
    if always := _ALWAYS_ALLOWED.get(play):
        return always
    if play is Play.DOUBLE:
        if round.refusal(seat, DOUBLE, purse) is None:
            return DOUBLE
        worth = _asked_hand(round).worth
        return STAND if worth.soft and worth.total == 18 else HIT
    pair = SWAP if round.rules.swap else SPLIT
    if round.refusal(seat, pair, purse) is None:
        return pair
    hand = _asked_hand(round)
    if POINTS[hand.cards[0]] == 11:
        return HIT
    return _as_allowed(_by_total(expert(), hand, round.up_card), round, seat, purse)


# -- perfect -----------------------------------------------------------------------------------------------------------


def _without_thinking(round: BlackjackRound, seat: Seat, purse: Cents) -> Action:
    """Choose for a perfect player without the solver: play hands by the chart, and decide insurance by counting tens.

    It insures, if the purse can pay for it, when more than a third of the unseen cards are tens (R6.5).
    """
    if round.acting is not None:
        return _expert(round, seat, purse)
    shoe, tens = len(PACK) * round.rules.decks, len(_TENS) * round.rules.decks
    seen = [hand.cards for hands in round.hands for hand in hands] + [round.dealer.cards]
    tens_left = tens - sum(card in _TENS for cards in seen for card in cards)
    unseen = shoe - sum(map(len, seen))
    pays = 3 * tens_left > unseen and round.refusal(seat, INSURE, purse) is None
    return INSURE if pays else DECLINE


PLAYERS: Final[Mapping[str, Policy[BlackjackRound]]] = {
    Level.AMATEUR: _amateur,
    Level.INTERMEDIATE: _intermediate,
    Level.EXPERT: _expert,
}

#: The levels whose hands the solver plays, with their choices where it has no answer.
THINKERS: Final[Mapping[str, Policy[BlackjackRound]]] = {Level.PERFECT: _without_thinking}
