"""Cards and shoes.

A card is a two-letter string, rank then suit: ``"As"`` is the ace of spades, ``"Th"`` the ten of hearts. Strings are
fast, hashable, readable in a failing test, and already JSON.
"""

from __future__ import annotations

from typing import Final, Protocol

Card = str

RANKS: Final = "A23456789TJQK"
SUITS: Final = "shdc"
_LOW_TO_HIGH: Final = "23456789TJQKA"
SYMBOLS: Final = {"s": "♠", "h": "♥", "d": "♦", "c": "♣"}

#: One deck in the documented order: spades, hearts, diamonds, clubs, each from ace to king.
PACK: Final[tuple[Card, ...]] = tuple(rank + suit for suit in SUITS for rank in RANKS)


def name(card: Card) -> str:
    """Return the card as people read it: ``10♥``."""
    rank, suit = card[0], card[1]
    return ("10" if rank == "T" else rank) + SYMBOLS[suit]


def height(card: Card) -> int:
    """Return the rank of a card for comparison: aces high, suits ignored."""
    return _LOW_TO_HIGH.index(card[0])


class Shoe(Protocol):
    """A sequence of cards in which the card at a place never changes.

    A round remembers only which cards it has taken, so a fork of the round can share the shoe. Any tuple of cards is a
    shoe; tests deal from those.
    """

    def __len__(self) -> int: ...

    def __getitem__(self, place: int, /) -> Card: ...
