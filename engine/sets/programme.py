"""The terms of sets (rules, and how close decisions are), and those of Today's five by weekday (R11.2, R11.3)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

from engine.games.blackjack.rule_sets import CLASSIC, CTRL_ALT_BET, FOUR_SEAT, KITCHEN, ORIGINAL, VEGAS
from engine.games.blackjack.rules import BlackjackRules, DealerCards, DealerDraws, Turns
from engine.sets.calendar import weekday

#: A unit, the flat stake of every deal, in millionths.
UNIT: Final = 1_000_000
PERCENT: Final = UNIT // 100


@dataclass(frozen=True, slots=True)
class SetTerms:
    """The rules of a set, and the difference in value (`width`) by which its deals are chosen and scored."""

    #: The name of the rule set that the rules are taken from.
    name: str
    rules: BlackjackRules
    #: The largest difference that is allowed between the best two first plays of a deal, in millionths of the unit. A
    #: deal on which decisions cost this much brings no points.
    width: int


@lru_cache(64)
def for_one(rules: BlackjackRules) -> BlackjackRules:
    """Return the rules that a set takes from a rule set: one seat, any stake, and no computer players.

    The dealer's cards come from the far end of the shoe (R1.9). Rules that decide a hand are kept.
    """
    return replace(
        rules,
        turns=Turns.SEAT_BY_SEAT,
        most_seats=1,
        computers_fill=False,
        fixed_stake=0,
        stack=0,
        dealer_cards=DealerCards.FROM_FAR_END,
    )


def _terms(name: str, rules: BlackjackRules, percent: int) -> SetTerms:
    return SetTerms(name, for_one(rules), percent * PERCENT)


_SUNDAY: Final = replace(for_one(VEGAS), decks=1, dealer_draws=DealerDraws.HITS_SOFT_17)

#: The week, from Monday.
PROGRAMME: Final[tuple[SetTerms, ...]] = (
    _terms("vegas", VEGAS, 15),
    _terms("ctrl-alt-bet", CTRL_ALT_BET, 15),
    _terms("classic", CLASSIC, 12),
    _terms("four-seat", FOUR_SEAT, 15),
    _terms("original", ORIGINAL, 8),
    _terms("kitchen", KITCHEN, 15),
    _terms("vegas", _SUNDAY, 4),
)


def programme(day: int) -> SetTerms:
    """Return the terms of Today's five on a day, which its weekday decides."""
    return PROGRAMME[weekday(day)]
