"""A hand on the table, the dealer's included, and the results that are certain before the dealer plays."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Final, NamedTuple

from engine.games.blackjack.worth import POINTS, Worth
from engine.games.cards import Card
from engine.games.contract import Cents, Outcome


class HandState(StrEnum):
    """The states of a hand between its deal and its end."""

    WAITING = "waiting"  # it can still draw
    ACTING = "acting"  # it is its turn; only views say so, and the `Hand` itself is `WAITING`
    STANDING = "standing"
    BUST = "bust"
    NATURAL = "natural"
    SURRENDERED = "surrendered"


#: Aliases, because these are read at every card and `HandState.WAITING` takes longer to look up than `WAITING`.
WAITING, ACTING, STANDING, BUST, NATURAL, SURRENDERED = HandState


class CardFact(StrEnum):
    """The facts about a hand's cards that the rules use."""

    MORE = "more than two, or one"
    UNLIKE = "two of different value"
    EQUAL_VALUE = "two of equal value"  # true for a jack and a king
    EQUAL_RANK = "two of equal rank"


MORE, UNLIKE, EQUAL_VALUE, EQUAL_RANK = CardFact


class Situation(NamedTuple):
    """Everything about a hand that the rules use, and the number of hands at its seat."""

    hands: int
    from_split: bool
    swapped: bool
    cards: CardFact

    @property
    def two_cards(self) -> bool:
        return self.cards is not MORE


_ATTRIBUTES: Final = ("cards", "doubled", "from_split", "late", "stake", "state", "swapped", "worth")


class Hand:
    """Cards, their worth, and the stake on them. A hand that can still draw is `WAITING`."""

    __slots__ = _ATTRIBUTES

    def __init__(self, nothing: Worth, stake: Cents = 0) -> None:
        self.cards: list[Card] = []
        self.worth = nothing
        self.stake = stake
        self.state = WAITING
        self.doubled = False
        self.swapped = False
        self.from_split = False
        self.late = False  # whether it stands because its time ran out

    def take(self, card: Card) -> None:
        """Add a card to the hand and to its worth."""
        self.cards.append(card)
        self.worth = self.worth.plus[card]

    def is_21_in_two(self) -> bool:
        """Return whether the hand is two cards that make 21: a natural, unless it was split or swapped (R1.3)."""
        return self.worth.total == 21 and len(self.cards) == 2

    def is_pair(self) -> bool:
        """Return whether the hand is two cards of equal value, such as a jack and a king."""
        return len(self.cards) == 2 and POINTS[self.cards[0]] == POINTS[self.cards[1]]

    def situation(self, hands: int) -> tuple[int, bool, bool, CardFact]:
        """Return the hand's `Situation` at a seat with this many hands.

        It is a plain tuple, because that is made faster: one is needed whenever a player is asked how to play a hand.
        """
        cards = MORE
        if len(self.cards) == 2:
            one, two = self.cards
            cards = EQUAL_VALUE if POINTS[one] == POINTS[two] else UNLIKE
            if one[0] == two[0]:
                cards = EQUAL_RANK
        return hands, self.from_split, self.swapped, cards

    def copy(self) -> Hand:
        """Return a copy that can be played on without changing this hand."""
        twin = Hand.__new__(Hand)
        for name in _ATTRIBUTES:
            setattr(twin, name, getattr(self, name))
        twin.cards = self.cards.copy()
        return twin


_EARLY: Final[Mapping[HandState, Outcome]] = {
    BUST: Outcome.BUST,
    SURRENDERED: Outcome.SURRENDER,
}


def early(hand: Hand) -> Outcome | None:
    """Return the outcome of a hand that is bust or surrendered, else None. The dealer draws no card for such a hand."""
    return _EARLY.get(hand.state)
