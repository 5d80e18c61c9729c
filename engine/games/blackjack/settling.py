"""Settles each stake (R1.4, R1.7, R2.1 and the dealer-natural rows of R2's table)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Final

from engine.games.blackjack.hand import NATURAL, Hand, early
from engine.games.blackjack.rules import BlackjackRules, HandVerdict
from engine.games.contract import Cents, Line, Outcome, Seat

if TYPE_CHECKING:
    from engine.games.blackjack.round import Felt

#: The outcomes by the verdict in three rows of R2's table: natural against natural, natural against another 21, another
#: 21 against a natural.
_NATURALS_MEET: Final[Mapping[HandVerdict, Outcome]] = {
    HandVerdict.WINS: Outcome.NATURAL,
    HandVerdict.PUSH: Outcome.PUSH,
    HandVerdict.LOSES: Outcome.DEALER_NATURAL,
}
_NATURAL_MEETS_21: Final[Mapping[HandVerdict, Outcome]] = {**_NATURALS_MEET, HandVerdict.LOSES: Outcome.LOSE}
_21_MEETS_NATURAL: Final[Mapping[HandVerdict, Outcome]] = {**_NATURALS_MEET, HandVerdict.WINS: Outcome.WIN}

#: The return of each outcome, in stakes; naturals and surrenders are handled below.
_TIMES_STAKE: Final[Mapping[Outcome, int]] = {
    Outcome.WIN: 2,
    Outcome.DEALER_BUST: 2,
    Outcome.PUSH: 1,
    Outcome.LOSE: 0,
    Outcome.BUST: 0,
    Outcome.DEALER_NATURAL: 0,
}


#: Aliases, because nearly every hand ends in one of these.
_WIN, _LOSE, _PUSH, _DEALER_BUST = Outcome.WIN, Outcome.LOSE, Outcome.PUSH, Outcome.DEALER_BUST


def lines(felt: Felt) -> Iterator[Line]:
    """Yield the lines of a finished round: for each seat its hands from left to right, then its insurance."""
    for seat, hands in enumerate(felt.hands):
        for index in range(len(hands)):
            if line := hand_line(felt, seat, index):
                yield line
        if felt.insurance[seat] and (line := insurance_line(felt, seat)):
            yield line


def hand_line(felt: Felt, seat: Seat, index: int) -> Line | None:
    """Return the line that settles a hand, or None if it is not decided yet.

    A bust or surrendered hand is settled at once. A natural is settled after the dealer's look at the hole card if
    `naturals_are_paid_early`. Every other hand is settled when the hole card is turned.
    """
    hand = felt.hands[seat][index]
    outcome = early(hand)
    if outcome is None and felt.turned:
        outcome = _against_dealer(felt.rules, hand, felt.dealer)
    elif outcome is None and felt.looked and hand.state is NATURAL and naturals_are_paid_early(felt.rules):
        outcome = Outcome.NATURAL
    if outcome is None:
        return None
    return Line(seat, f"hand {index + 1}", hand.stake, _returned(felt.rules, outcome, hand.stake), outcome)


def insurance_line(felt: Felt, seat: Seat) -> Line | None:
    """Return the line that settles a seat's insurance. Return None if there is no insurance, or it is undecided.

    The insurance is lost as soon as the dealer has looked and has no natural. Otherwise the turned hole card decides.
    """
    stake = felt.insurance[seat]
    if not stake or not (felt.looked or felt.turned):
        return None
    if felt.turned and felt.dealer.is_21_in_two():
        return Line(seat, "insurance", stake, stake * 3, Outcome.INSURANCE_WON)
    return Line(seat, "insurance", stake, 0, Outcome.INSURANCE_LOST)


def naturals_are_paid_early(rules: BlackjackRules) -> bool:
    """Return whether naturals can be paid before the dealer draws, because no later dealer 21 changes their result."""
    return rules.natural_against_21 is HandVerdict.WINS


def _against_dealer(rules: BlackjackRules, hand: Hand, dealer: Hand) -> Outcome:
    ours, his = hand.worth.total, dealer.worth.total
    if hand.state is NATURAL:
        return _of_natural(rules, dealer)
    if dealer.is_21_in_two():  # R2.6
        return _21_MEETS_NATURAL[rules.made_21_against_natural] if ours == 21 else Outcome.DEALER_NATURAL
    if his > 21:
        return _DEALER_BUST
    if ours == his:
        return _PUSH
    return _WIN if ours > his else _LOSE


def _of_natural(rules: BlackjackRules, dealer: Hand) -> Outcome:
    if dealer.is_21_in_two():
        return _NATURALS_MEET[rules.natural_against_natural]
    if dealer.worth.total == 21:
        return _NATURAL_MEETS_21[rules.natural_against_21]
    return Outcome.NATURAL


def _returned(rules: BlackjackRules, outcome: Outcome, stake: Cents) -> Cents:
    """Return what comes back for a hand, its stake included. Stakes are whole chips, so nothing is rounded (R0.1)."""
    times = _TIMES_STAKE.get(outcome)
    if times is not None:
        return stake * times
    return stake + rules.natural_pays.winnings(stake) if outcome is Outcome.NATURAL else stake // 2
