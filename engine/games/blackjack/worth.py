"""The worth of a hand (R1.1, R3.1): a node of a small graph in which each card leads to the next node.

The graph is built once for each way of counting aces, so that taking a card is one look-up.
"""

from __future__ import annotations

from math import inf
from typing import Final

from engine.games.blackjack.rules import Ace
from engine.games.cards import PACK, RANKS, Card

#: The value of each card at first; an ace is 11 until it falls to 1.
POINTS: Final[dict[Card, int]] = {card: 11 if card[0] == "A" else min(RANKS.index(card[0]) + 1, 10) for card in PACK}


class Worth:
    """The best total of some cards. `soft` means that an ace counts 11 and can still fall to 1.

    `plus` has the worth after each further card; it is empty when the total is over 21.
    """

    __slots__ = ("plus", "soft", "total")

    def __init__(self, total: int, *, soft: bool) -> None:
        self.total = total
        self.soft = soft
        self.plus: dict[Card, Worth] = {}

    def __repr__(self) -> str:
        return f"Worth({self.total}, soft={self.soft})"


def _graph(falls: float) -> Worth:
    """Return the worth of an empty hand in which at most `falls` aces can fall to 1."""
    places: dict[tuple[int, int, float], Worth] = {}

    def place(total: int, high: int, left: float) -> Worth:
        while total > 21 and high and left:
            total, high, left = total - 10, high - 1, left - 1
        key = total, high, left
        if key not in places:
            places[key] = here = Worth(total, soft=bool(high and left and total <= 21))
            if total <= 21:
                here.plus = {
                    card: place(total + points, high + (points == 11), left) for card, points in POINTS.items()
                }
        return places[key]

    return place(0, 0, falls)


#: The worth of a hand without cards, for each way of counting aces.
NOTHING: Final[dict[Ace, Worth]] = {Ace.NORMAL: _graph(inf), Ace.ONE_FALLS: _graph(1)}
