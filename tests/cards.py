"""Cards that a test lays out, for any table: a table that deals from `LaidOut` gets what the test has written.

    A 6 / 9 ?         blackjack: a seat's two cards, then the dealer's, as `engine.games.blackjack.notation` writes them
    A 6, T 9 / 9 ?    two seats
    A 6 / 9 ? | 5 K   and the cards that are drawn after the deal, by seats or dealer
    A 6 // 9 T 5      the dealer's cards from the far end of the shoe (R1.9), all of them
    7 7               any other game: the cards in the order they are dealt

A rank alone is a card of any suit. `?`, and whatever is not written, is what the shuffle has there.
"""

from __future__ import annotations

from collections.abc import Sequence

from engine.fairness import shoe
from engine.games.blackjack.notation import BadNotation
from engine.games.cards import PACK, RANKS, SUITS, Card, Shoe


def written(text: str) -> tuple[list[str], list[str]]:
    """The cards in dealing order (R1.2), and the dealer's at the far end, the last one first."""
    deal, _, drawn = text.partition("|")
    seats, slash, dealer = deal.partition("/")
    if not slash:
        return deal.split() + drawn.split(), []
    firsts, seconds = zip(*(seat.split() for seat in seats.split(",")), strict=True)
    if dealer.startswith("/"):
        return [*firsts, *seconds, *drawn.split()], dealer[1:].split()
    up, hole = dealer.split()
    return [*firsts, up, *seconds, hole, *drawn.split()], []


class LaidOut:
    """A shuffle that deals laid-out cards to the next rounds, and to all others the cards of their seed."""

    def __init__(self) -> None:
        self._waiting: list[str] = []
        self._laid: dict[bytes, tuple[Card, ...]] = {}

    @property
    def used(self) -> bool:
        """Whether a round was dealt from laid-out cards: no seed gives them again."""
        return bool(self._laid)

    def lay(self, *texts: str) -> None:
        """One text for each of the next rounds that are dealt."""
        self._waiting += texts

    def __call__(self, seed: bytes, inputs: Sequence[str], decks: int) -> Shoe:
        """Return the same cards for the same seed, so that a round is rebuilt as it was dealt."""
        if seed not in self._laid:
            if not self._waiting:
                return shoe(seed, inputs, decks)
            self._laid[seed] = _filled(*written(self._waiting.pop(0)), shoe(seed, inputs, decks), decks)
        return self._laid[seed]


def _filled(cards: list[str], far: list[str], others: Shoe, decks: int) -> tuple[Card, ...]:
    left = sorted(PACK * decks)
    dealt = [_taken(left, card) if card != "?" else "" for card in (*cards, *far)]
    rest = iter([card for card in (others[place] for place in range(len(others))) if _still(left, card)])
    dealt = [card or next(rest) for card in dealt]
    return (*dealt[: len(cards)], *rest, *reversed(dealt[len(cards) :]))


def _taken(left: list[Card], card: str) -> Card:
    """That card, or the first suit of that rank which the shoe still has."""
    card = card.replace("10", "T")
    wanted = [card] if len(card) == 2 else [card + suit for suit in SUITS]
    found = next((each for each in wanted if each in left), None)
    if card[0] not in RANKS or found is None:
        raise BadNotation(f"the shoe has no {card}")
    left.remove(found)
    return found


def _still(left: list[Card], card: Card) -> bool:
    if card not in left:
        return False
    left.remove(card)
    return True
