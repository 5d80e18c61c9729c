"""A hand on the felt, the dealer's included, and how it ends before he plays."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Final, NamedTuple

from engine.games.blackjack.rules import Rules
from engine.games.blackjack.worth import POINTS, Worth
from engine.games.cards import Card
from engine.games.contract import Cents, Outcome


class HandState(StrEnum):
    """Where a hand is between its deal and its end."""

    WAITING = "waiting"  # its turn is still to come
    ACTING = "acting"  # it is asked now
    STANDING = "standing"
    BUST = "bust"
    NATURAL = "natural"
    SURRENDERED = "surrendered"


#: By themselves: at every card somebody asks for one, and `HandState.WAITING` takes longer to find than `WAITING`.
WAITING, ACTING, STANDING, BUST, NATURAL, SURRENDERED = HandState


class Cards(StrEnum):
    """What the rules ask about a hand's cards."""

    MORE = "more than two, or one"
    UNLIKE = "two of different value"
    EQUAL_VALUE = "two of equal value"  # a jack and a king are
    EQUAL_RANK = "two of equal rank"


MORE, UNLIKE, EQUAL_VALUE, EQUAL_RANK = Cards


class Situation(NamedTuple):
    """All of a hand that the rules ask about, and how many hands its seat holds."""

    hands: int
    from_split: bool
    swapped: bool
    cards: Cards

    @property
    def two_cards(self) -> bool:
        return self.cards is not MORE


class Hand:
    """Cards, what they are worth, and the stake that rides on them. `WAITING` is any hand that can still draw."""

    __slots__ = ("cards", "doubled", "from_split", "late", "stake", "state", "swapped", "worth")

    def __init__(self, nothing: Worth, stake: Cents = 0) -> None:
        self.cards: list[Card] = []
        self.worth = nothing
        self.stake = stake
        self.state = WAITING
        self.doubled = False
        self.swapped = False
        self.from_split = False
        self.late = False

    def take(self, card: Card) -> None:
        """One more card."""
        self.cards.append(card)
        self.worth = self.worth.plus[card]

    def is_21_in_two(self) -> bool:
        """A natural, if they are the first two it was dealt (R1.3)."""
        return self.worth.total == 21 and len(self.cards) == 2

    def is_pair(self) -> bool:
        """Two cards of equal value: a jack and a king are."""
        return len(self.cards) == 2 and POINTS[self.cards[0]] == POINTS[self.cards[1]]

    def situation(self, hands: int) -> tuple[int, bool, bool, Cards]:
        """The `Situation` it is in, at a seat that holds so many: as a plain tuple, which is made at every question."""
        cards = MORE
        if len(self.cards) == 2:
            one, two = self.cards
            cards = EQUAL_VALUE if POINTS[one] == POINTS[two] else UNLIKE
            if one[0] == two[0]:
                cards = EQUAL_RANK
        return hands, self.from_split, self.swapped, cards

    def copy(self) -> Hand:
        """The same hand, to be played on by itself."""
        twin = object.__new__(Hand)
        for name in Hand.__slots__:
            setattr(twin, name, getattr(self, name))
        twin.cards = self.cards.copy()
        return twin


_EARLY: Final[Mapping[HandState, Outcome]] = {
    BUST: Outcome.BUST,
    SURRENDERED: Outcome.SURRENDER,
}


def early(rules: Rules, hand: Hand) -> Outcome | None:
    """How a hand ends that the dealer cannot change any more. It is asked nothing, and he draws no card for it."""
    return _EARLY.get(hand.state)
