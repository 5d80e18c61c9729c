"""The rule fields that the solver knows. It refuses a field or choice that is not listed here, and never guesses."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import fields, replace
from functools import lru_cache
from typing import Any, Final

from engine.games.blackjack.rules import Ace, BlackjackRules, DealerDraws, Double, HandVerdict, Pays, Split, SplitAces

_FLAG: Final = (False, True)
_VERDICTS: Final = (HandVerdict.WINS, HandVerdict.PUSH, HandVerdict.LOSES)

#: Every field that changes the value of a hand, with the choices that the solver knows.
SOLVED: Final[Mapping[str, Collection[Any]]] = {
    "decks": range(1, 9),
    "natural_pays": (Pays.THREE_TO_TWO, Pays.SIX_TO_FIVE, Pays.EVEN),
    "natural_against_natural": _VERDICTS,
    "natural_against_21": _VERDICTS,
    "made_21_against_natural": _VERDICTS,
    "dealer_looks": _FLAG,
    "dealer_draws": (DealerDraws.STANDS_ON_17, DealerDraws.HITS_SOFT_17, DealerDraws.CHASES),
    "ace": (Ace.NORMAL, Ace.ONE_FALLS),
    "double": (Double.NO, Double.FIRST_ACTION, Double.FIRST_TWO_CARDS),
    "split": (Split.NO, Split.EQUAL_RANK, Split.EQUAL_VALUE),
    "split_hands": range(2, 5),
    "split_aces": (SplitAces.ONCE, SplitAces.PLAY_ON),
    "swap": _FLAG,
    "insurance": _FLAG,
    "surrender": _FLAG,
}

#: Fields about seats and stakes, and the end of the shoe that the dealer draws from. They change no value in units of
#: the stake, because every unseen card is equally likely at every place.
WITHOUT_EFFECT: Final = frozenset({"turns", "most_seats", "computers_fill", "fixed_stake", "stack", "dealer_cards"})


class UnknownRule(ValueError):
    """Raised for rules with a field or a choice that the solver does not know."""


@lru_cache(maxsize=1024)
def one_seat(rules: BlackjackRules) -> BlackjackRules:
    """Return these rules for a single player, with fields that change no value (`WITHOUT_EFFECT`) at their defaults.

    Raises UnknownRule.
    """
    for field in fields(rules):
        if field.name in WITHOUT_EFFECT:
            continue
        if getattr(rules, field.name) not in SOLVED.get(field.name, ()):
            raise UnknownRule(f"the solver does not know {field.name}={getattr(rules, field.name)}")
    plain = BlackjackRules()
    return replace(rules, most_seats=1, **{name: getattr(plain, name) for name in WITHOUT_EFFECT - {"most_seats"}})


def alike(rules: BlackjackRules) -> object:
    """Return a key that is equal for rules that deal and draw alike: the same decks, aces and dealer.

    If the dealer does not look for a natural, such rules also settle a 21 that is no natural alike against a dealer's
    natural. They may differ in payouts and in the actions that they allow.
    """
    met = None if rules.dealer_looks else rules.made_21_against_natural
    return rules.decks, rules.ace, rules.dealer_draws, rules.dealer_looks, met
