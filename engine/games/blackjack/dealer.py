"""Decides when the dealer takes another card (R1.6, R2, R3.2, R3.3)."""

from __future__ import annotations

from collections.abc import Iterable

from engine.games.blackjack.hand import NATURAL, STANDING, Hand, early
from engine.games.blackjack.rules import CHASES, HITS_SOFT_17, BlackjackRules
from engine.games.blackjack.settling import naturals_are_paid_early
from engine.games.blackjack.worth import Worth


def draws_to(rules: BlackjackRules, hands: Iterable[Hand]) -> int:
    """Return the total below which the dealer draws against these hands, or 0 if no result depends on more cards.

    For a dealer who chases (R3.2) this is the highest total of the hands that stand, but at most 17. Naturals do not
    count.
    """
    highest, waits = 0, False
    for hand in hands:
        if hand.state is STANDING and early(hand) is None:
            highest = max(highest, hand.worth.total)
        elif hand.state is NATURAL and not naturals_are_paid_early(rules):
            waits = True
    if rules.dealer_draws is CHASES:
        return min(17, highest)
    return 17 if highest or waits else 0


def draws(rules: BlackjackRules, worth: Worth, target: int) -> bool:
    """Return whether the dealer takes another card, given the total that `draws_to` returned."""
    if worth.total < target:
        return True
    return worth.soft and worth.total == target == 17 and rules.dealer_draws is HITS_SOFT_17
