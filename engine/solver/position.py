"""A decision at a table as a question for the solver: one hand, the hands beside it, and the unseen cards.

These are plain values, so asking a question does not import numpy.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, Self

from engine.games.blackjack.actions import DOUBLE, HIT, SPLIT, STAND, SURRENDER, SWAP
from engine.games.blackjack.events import Happening
from engine.games.blackjack.hand import Hand
from engine.games.blackjack.legality import COSTLY, legality_of
from engine.games.blackjack.round import BlackjackRound
from engine.games.blackjack.rules import BlackjackRules
from engine.games.blackjack.view import HandState
from engine.games.blackjack.worth import NOTHING, POINTS
from engine.games.cards import RANKS, SUITS, Card
from engine.games.contract import BOTTOMLESS, Cents, Seat

#: The plays in order of preference among equals.
PLAYS: Final = (STAND, HIT, DOUBLE, SPLIT, SWAP, SURRENDER)


class BadPosition(ValueError):
    """Raised for an impossible position. The message says why."""


@dataclass(frozen=True, slots=True)
class Position:
    """A hand of one seat that has to act, and everything besides the rules that its values depend on.

    Cards are ranks (`A`, `2` ... `9`, `T`, `J`, `Q`, `K`).
    """

    hand: tuple[str, ...]
    up: str
    #: The number of unseen cards of each rank, in the order of `cards.RANKS`. The hole card is one of them.
    unseen: tuple[int, ...]
    #: The number of hands that the seat holds.
    hands: int = 1
    from_split: bool = False
    swapped: bool = False
    #: The number of further stakes of the hand's size that the purse can pay; None: unlimited.
    stakes: int | None = None
    #: The highest total that stands elsewhere on the table, and whether other hands still have to play, which count as
    #: standing. Only a dealer who chases looks at them.
    standing: int = 0
    others_to_play: bool = False

    @classmethod
    def fresh(cls, rules: BlackjackRules, hand: Sequence[str], up: str) -> Self:
        """Return the position of these cards from a full shoe. Raises BadPosition when the shoe has too few of them."""
        seen = Counter([*hand, up])
        unseen = tuple(_per_rank(rules) - seen[rank] for rank in RANKS)
        if min(unseen) < 0:
            raise BadPosition(f"the shoe has no {seen.most_common(1)[0][1]} cards of rank {seen.most_common(1)[0][0]}")
        return cls(tuple(hand), up, unseen)

    @classmethod
    def of_round(cls, round: BlackjackRound, seat: Seat, purse: Cents = BOTTOMLESS) -> Self:
        """Return the position of the seat's acting hand, or of its first hand if none of them acts.

        Every card that was dealt face up is seen. `purse` is what the player can still stake.
        """
        index = round.acting[1] if round.acting and round.acting[0] == seat else 0
        hand = round.hands[seat][index]
        rest = [other for hands in round.hands for other in hands if other is not hand]
        waiting = [other for other in rest if other.state is HandState.WAITING]
        standing = [other.worth.total for other in rest if other.state is HandState.STANDING]
        return cls(
            hand=tuple(card[0] for card in hand.cards),
            up=round.up_card[0],
            unseen=_unseen(round),
            hands=len(round.hands[seat]),
            from_split=hand.from_split,
            swapped=hand.swapped,
            stakes=None if purse >= BOTTOMLESS else purse // hand.stake,
            standing=max([*standing, *(other.worth.total for other in waiting)], default=0),
            others_to_play=bool(waiting),
        )

    def legal(self, rules: BlackjackRules) -> tuple[str, ...]:
        """Return the actions that the rules allow and the purse can pay, in the order of `PLAYS`.

        A natural never acts at a table. Here it may do what the rules allow other hands of two cards, except surrender.
        """
        hand = _hand(rules, self.hand, from_split=self.from_split, swapped=self.swapped)
        refusals = legality_of(rules)[hand.situation(self.hands)].refusals
        allowed = [play for play in PLAYS if refusals[play] is None]
        if self.is_natural(rules):
            allowed = [play for play in allowed if play != SURRENDER]
        return tuple(play for play in allowed if play not in COSTLY or self.stakes is None or self.stakes >= 1)

    def is_natural(self, rules: BlackjackRules) -> bool:
        """Return whether the hand is a natural: 21 in the first two cards, neither split nor swapped."""
        hand = _hand(rules, self.hand)
        return hand.is_21_in_two() and not self.from_split and not self.swapped

    def check(self, rules: BlackjackRules) -> None:
        """Raise BadPosition for unknown ranks, missing or negative counts, and a hand of under two cards or over 21.

        Raise it too if the unseen cards may run out before the round ends.
        """
        if not {*self.hand, self.up} <= set(RANKS) or len(self.unseen) != len(RANKS) or min(self.unseen) < 0:
            raise BadPosition("cards are ranks, A 2 3 4 5 6 7 8 9 10 J Q K, and no count is less than none")
        if len(self.hand) < 2:
            raise BadPosition("a hand that is to act has two cards or more")
        if worth_total(rules, self.hand) is None:
            raise BadPosition("the hand is over 21")
        if sum(self.unseen) < self._most_cards(rules):
            raise BadPosition("too few cards are unseen to play the hand to its end")

    def _most_cards(self, rules: BlackjackRules) -> int:
        """Return an upper bound of the number of cards that this hand, all hands split from it and the dealer can draw.

        It counts the smallest unseen cards that fit into hands of up to 20 and a dealer's hand of up to 16, and then a
        last card for each. The first card of a hand that may be swapped is left out, because it can be thrown away.
        """
        legal = self.legal(rules)
        hands = 1 if SPLIT not in legal else rules.split_hands - self.hands + 1
        held = self.hand[1:] if SWAP in legal else self.hand
        room = 20 * hands - sum(map(_least, held)) + 16 - _least(self.up)
        drawn = 0
        for points, count in sorted(values(self.unseen).items()):
            fitting = min(count, max(room, 0) // points)
            drawn += fitting
            room -= fitting * points
        return drawn + hands + 1


def worth_total(rules: BlackjackRules, hand: Iterable[str]) -> int | None:
    """Return the total of a hand of these ranks; None if it is over 21."""
    worth = NOTHING[rules.ace]
    for rank in hand:
        worth = worth.plus.get(_card(rank), worth) if worth.total <= 21 else worth
    return worth.total if worth.total <= 21 else None


def values(unseen: Sequence[int]) -> dict[int, int]:
    """Return the number of unseen cards of each value (an ace is 1). `unseen` has the number for each rank."""
    counts: Counter[int] = Counter()
    for rank, count in zip(RANKS, unseen, strict=True):
        counts[_least(rank)] += count
    return dict(counts)


def may(rules: BlackjackRules, action: str, hand: Sequence[str], *, from_split: bool = False) -> bool:
    """Return whether the rules allow this action to the only hand of a seat, whatever the purse.

    With `from_split`, the hand is treated as one that comes from a split.
    """
    return legality_of(rules)[_hand(rules, hand, from_split=from_split).situation(1)].refusals[action] is None


def _hand(rules: BlackjackRules, ranks: Sequence[str], *, from_split: bool = False, swapped: bool = False) -> Hand:
    hand = Hand(NOTHING[rules.ace])
    for rank in ranks:
        hand.take(_card(rank))
    hand.from_split, hand.swapped = from_split, swapped
    return hand


def _card(rank: str) -> Card:
    return rank + SUITS[0]


def _least(rank: str) -> int:
    """Return the points of a card, an ace being 1."""
    points = POINTS[_card(rank)]
    return 1 if points == 11 else points


def _per_rank(rules: BlackjackRules) -> int:
    return len(SUITS) * rules.decks


def _unseen(round: BlackjackRound) -> tuple[int, ...]:
    """Return the number of unseen cards of each rank. All that were dealt face up are seen, even if swapped away."""
    seen = Counter(event.card[0] for event in round.events if event.card and event.what is Happening.CARD)
    return tuple(_per_rank(round.rules) - seen[rank] for rank in RANKS)
