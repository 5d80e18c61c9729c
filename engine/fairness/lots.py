"""Lots: cards drawn to decide between equals (R7.4)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from engine.fairness import shoe
from engine.games.cards import PACK, Card, height
from engine.games.contract import Seat

#: The cards of each seat, in the order of drawing.
Drawn = Mapping[Seat, tuple[Card, ...]]


class DrawPurpose(StrEnum):
    """The decision that a draw has to make. Seats with equal cards draw again only where their order matters."""

    LOWEST = "who goes"
    HIGHEST = "who leads"
    ORDER = "everybody's place"


@dataclass(frozen=True, slots=True)
class Draw:
    """The result of a draw: seats with their cards, the best first. A seat that had to draw again has several cards."""

    round: int
    cards: tuple[tuple[Seat, tuple[Card, ...]], ...]
    #: The number of the draw at the table, from 1, and its purpose; tables of version 1 have neither.
    number: int = 0
    wanted: DrawPurpose | None = None

    @property
    def best_first(self) -> list[Seat]:
        return [seat for seat, _ in self.cards]


@dataclass(frozen=True, slots=True)
class Lots:
    """The source of lots: a seed and inputs that are fixed in advance. They determine the deck of each decision."""

    seed: bytes = field(repr=False)  # empty: nothing was promised yet, and the order of seats decides
    inputs: tuple[str, ...] = ()

    def deck(self, *decision: object) -> tuple[Card, ...]:
        """Return the shuffled deck for the decision that these values name; no cards if there is no seed."""
        if not self.seed:
            return ()
        cards = shoe(self.seed, (*self.inputs, "lots", *map(str, decision)), decks=1)
        return tuple(cards[place] for place in range(len(PACK)))

    def strength(self, *drawer: object) -> tuple[int, ...]:
        """Return the ranks of the drawer's own deck in drawing order, aces high: of two, the larger tuple is better.

        Only version 1 has a deck for each drawer: a round and a seat of a table, or what a tournament decides and the
        key of an entrant.
        """
        return tuple(map(height, self.deck(*drawer)))

    def draw(self, number: int, round: int, seats: Collection[Seat], wanted: DrawPurpose) -> Draw:
        """Return draw `number` of the table, in which each seat takes a card from the same deck.

        Seats that are equal take more, if the decision that is wanted depends on it.
        """
        drawn = drawn_from(self.deck(number), seats, wanted)
        best_first = sorted(drawn, key=lambda seat: (_heights(drawn[seat]), -seat), reverse=True)
        return Draw(round, tuple((seat, drawn[seat]) for seat in best_first), number, wanted)

    def old_draw(self, round: int, seats: Sequence[Seat]) -> Draw:
        """Return a draw as tables of version 1 make it: each seat from a deck of its own, until all seats differ."""
        best_first = sorted(seats, key=lambda seat: self.strength(round, seat), reverse=True)
        strengths = [self.strength(round, seat) for seat in seats]
        tells = (count for count in range(1, len(PACK)) if len({s[:count] for s in strengths}) == len(seats))
        shown = next(tells, len(PACK))
        return Draw(round, tuple((seat, self.deck(round, seat)[:shown]) for seat in best_first))


def drawn_from(deck: Sequence[Card], seats: Iterable[Seat], wanted: DrawPurpose) -> Drawn:
    """Return the cards that each seat draws until everything wanted is decided.

    Drawing also ends when the deck has too few cards for all who are still equal. Of these, the seat with the lowest
    number then counts as the best.
    """
    drawn: dict[Seat, tuple[Card, ...]] = dict.fromkeys(sorted(seats), ())
    drawing, left = list(drawn), list(deck)
    while drawing and len(drawing) <= len(left):
        for seat in drawing:
            drawn[seat] += (left.pop(0),)
        drawing = _still_equal(drawn, wanted)
    return drawn


def _still_equal(drawn: Drawn, wanted: DrawPurpose) -> list[Seat]:
    """Return the seats whose cards are equal where the decision depends on it, in the order of `drawn`."""
    heights = [_heights(cards) for cards in drawn.values()]
    matters = {
        DrawPurpose.LOWEST: {min(heights)},
        DrawPurpose.HIGHEST: {max(heights)},
        DrawPurpose.ORDER: set(heights),
    }[wanted]
    shared = {each for each in matters if heights.count(each) > 1}
    return [seat for seat, cards in drawn.items() if _heights(cards) in shared]


def _heights(cards: Iterable[Card]) -> tuple[int, ...]:
    return tuple(map(height, cards))
