"""What becomes of each stake (R1.4, R1.7 and the dealer-natural rows of R2's table)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from engine.games.blackjack.hand import Hand
from engine.games.blackjack.rules import Rules, Verdict
from engine.games.blackjack.view import HandState
from engine.games.contract import Cents, Outcome

_EARLY: Final[Mapping[HandState, Outcome]] = {
    HandState.BUST: Outcome.BUST,
    HandState.SURRENDERED: Outcome.SURRENDER,
}

#: The rows of R2's table: a natural against a natural, a natural against a 21, a 21 against a natural.
_NATURALS_MEET: Final[Mapping[Verdict, Outcome]] = {
    Verdict.WINS: Outcome.NATURAL,
    Verdict.PUSH: Outcome.PUSH,
    Verdict.LOSES: Outcome.DEALER_NATURAL,
}
_NATURAL_MEETS_21: Final[Mapping[Verdict, Outcome]] = {**_NATURALS_MEET, Verdict.LOSES: Outcome.LOSE}
_21_MEETS_NATURAL: Final[Mapping[Verdict, Outcome]] = {**_NATURALS_MEET, Verdict.WINS: Outcome.WIN}


def early_outcome(hand: Hand) -> Outcome | None:
    """Of a hand whose end the dealer cannot change any more."""
    return _EARLY.get(hand.state)


def outcome(rules: Rules, hand: Hand, dealer: Hand) -> Outcome:
    """Of a hand against the dealer's finished one."""
    early = _EARLY.get(hand.state)
    if early is not None:
        return early
    if hand.state is HandState.NATURAL:
        return _of_natural(rules, dealer)
    ours, his = hand.worth.total, dealer.worth.total
    if his > 21:
        return Outcome.DEALER_BUST
    if dealer.is_21_in_two():
        return _21_MEETS_NATURAL[rules.made_21_against_natural] if ours == 21 else Outcome.DEALER_NATURAL
    if ours == his:
        return Outcome.PUSH
    return Outcome.WIN if ours > his else Outcome.LOSE


def _of_natural(rules: Rules, dealer: Hand) -> Outcome:
    if dealer.is_21_in_two():
        return _NATURALS_MEET[rules.natural_against_natural]
    if dealer.worth.total == 21:
        return _NATURAL_MEETS_21[rules.natural_against_21]
    return Outcome.NATURAL


def returned(rules: Rules, outcome: Outcome, stake: Cents) -> Cents:
    """What comes back of a hand's stake, itself included. Whole chips make all of these exact (R0.1)."""
    if outcome is Outcome.NATURAL:
        return stake + rules.natural_pays.winnings(stake)
    if outcome is Outcome.SURRENDER:
        return stake // 2
    return stake * _TIMES.get(outcome, 0)


_TIMES: Final[Mapping[Outcome, int]] = {Outcome.WIN: 2, Outcome.DEALER_BUST: 2, Outcome.PUSH: 1}
