"""When the dealer takes another card (R1.6, R2, R3.2, R3.3)."""

from __future__ import annotations

from collections.abc import Sequence

from engine.games.blackjack.hand import Hand
from engine.games.blackjack.rules import DealerDraws, Rules, Verdict
from engine.games.blackjack.view import HandState
from engine.games.blackjack.worth import Worth


def draws_to(rules: Rules, hands: Sequence[Hand]) -> int:
    """The total under which the dealer draws against these hands; 0 where no hand's result hangs on it.

    The chase stops level with the highest standing total, and at 17 at the latest.
    """
    standing = [hand.worth.total for hand in hands if hand.state is HandState.STANDING]
    if rules.dealer_draws is DealerDraws.CHASES:
        return min(17, max(standing, default=0))
    waits = not naturals_are_paid_early(rules) and any(hand.state is HandState.NATURAL for hand in hands)
    return 17 if standing or waits else 0


def naturals_are_paid_early(rules: Rules) -> bool:
    """A natural that meets any dealer 21 on other terms than it meets 20 is not settled before he has drawn."""
    return rules.natural_against_21 is Verdict.WINS


def draws(rules: Rules, worth: Worth, target: int) -> bool:
    if worth.total < target:
        return True
    return worth.soft and worth.total == target == 17 and rules.dealer_draws is DealerDraws.HITS_SOFT_17
