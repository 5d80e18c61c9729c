"""What lies on the table in a round of blackjack: hands, stakes, the dealer's cards, and the shoe beside them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

from engine.games import plain
from engine.games.blackjack.events import Happening, Note
from engine.games.blackjack.hand import Hand
from engine.games.blackjack.rules import Rules
from engine.games.blackjack.view import HandState
from engine.games.blackjack.worth import NOTHING
from engine.games.cards import Card, Shoe
from engine.games.contract import BadStakes, Cents, Seat, Stakes


class Felt:
    """Everything without an underscore lies face up."""

    __slots__ = (
        "_hole",
        "_notes",
        "_shoe",
        "_taken",
        "dealer",
        "hands",
        "insurance",
        "looked",
        "rules",
        "stakes",
        "turned",
    )

    def __init__(self, rules: Rules, stakes: Sequence[Stakes], shoe: Shoe) -> None:
        if not 1 <= len(stakes) <= rules.most_seats:
            raise BadStakes(f"{len(stakes)} stakes at a table of {rules.most_seats} seats")
        nothing = NOTHING[rules.ace]
        self.rules = rules
        self.stakes = tuple([plain.only_stake(staked) for staked in stakes])
        #: By seat, each from left to right.
        self.hands = [[Hand(nothing, stake)] for stake in self.stakes]
        self.dealer = Hand(nothing)
        #: By seat; None until the seat has answered.
        self.insurance: list[Cents | None] = [None] * len(stakes)
        #: Where the rules look: the time for it has come, and there is no dealer natural.
        self.looked = False
        #: The hole card lies face up.
        self.turned = False
        self._shoe = shoe
        self._taken = 0
        self._notes: list[Note] = []
        self._deal()

    @property
    def up_card(self) -> Card:
        return self.dealer.cards[0]

    @property
    def cards_taken(self) -> int:
        """How many cards have left the shoe."""
        return self._taken

    @property
    def open_cards(self) -> tuple[int, ...]:
        """The places in the shoe of all cards that were dealt face up, discarded ones too."""
        dealt = range(self._taken)
        return tuple(dealt) if self.turned else tuple([place for place in dealt if place != self._hole])

    def fork(self) -> Self:
        """The shoe is shared: a card's place in it never changes."""
        twin = object.__new__(type(self))
        for name in Felt.__slots__:
            setattr(twin, name, getattr(self, name))
        twin.hands = [[hand.copy() for hand in hands] for hands in self.hands]
        twin.dealer = self.dealer.copy()
        twin.insurance = self.insurance.copy()
        twin._notes = self._notes.copy()
        return twin

    # -- cards ---------------------------------------------------------------------------------------------------------

    def _deal(self) -> None:
        """R1.2."""
        self._give_each_seat()
        self._give_dealer()
        self._give_each_seat()
        self._hole = self._taken
        self._taken += 1
        self._notes.append((Happening.FACE_DOWN, None, 0, None))
        for (hand,) in self.hands:
            if hand.worth.total == 21:
                hand.state = HandState.NATURAL

    def _give_each_seat(self) -> None:
        for seat, (hand,) in enumerate(self.hands):
            self._give(seat, 0, hand)

    def _give(self, seat: Seat, index: int, hand: Hand) -> None:
        card = self._shoe[self._taken]
        self._taken += 1
        hand.take(card)
        self._notes.append((Happening.CARD, seat, index, card))

    def _give_dealer(self) -> None:
        card = self._shoe[self._taken]
        self._taken += 1
        self.dealer.take(card)
        self._notes.append((Happening.CARD, None, 0, card))

    def _hides_a_natural(self) -> bool:
        """For the dealer's eyes only."""
        return self.dealer.worth.plus[self._shoe[self._hole]].total == 21

    def _turn_hole_card(self) -> None:
        card = self._shoe[self._hole]
        self.dealer.take(card)
        self.turned = True
        self._notes.append((Happening.TURNED, None, 0, card))
