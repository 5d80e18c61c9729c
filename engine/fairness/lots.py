"""Cards drawn where nothing else decides (R7.4)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from engine.fairness import shoe
from engine.games.cards import PACK, Card, height
from engine.games.contract import Seat

#: What each seat drew, in the order it drew.
Drawn = Mapping[Seat, tuple[Card, ...]]


class Wanted(StrEnum):
    """What a draw has to decide. Nobody draws on whose place is of no matter."""

    LOWEST = "who goes"
    HIGHEST = "who leads"
    ORDER = "everybody's place"


@dataclass(frozen=True, slots=True)
class Draw:
    """Seats with their cards, the best first: one card each, more where those were equal."""

    round: int
    cards: tuple[tuple[Seat, tuple[Card, ...]], ...]
    #: Of the table, from 1, and what was drawn for; tables of version 1 have no such numbers.
    number: int = 0
    wanted: Wanted | None = None

    @property
    def best_first(self) -> list[Seat]:
        return [seat for seat, _ in self.cards]


@dataclass(frozen=True, slots=True)
class Lots:
    """Decks that seed and inputs had settled before anybody knew of a decision."""

    seed: bytes = field(repr=False)  # empty: nothing was promised yet, and seats decide
    inputs: tuple[str, ...] = ()

    def deck(self, *decision: object) -> tuple[Card, ...]:
        """The whole deck that is shuffled for a decision, by whatever names it."""
        if not self.seed:
            return ()
        cards = shoe(self.seed, (*self.inputs, "lots", *map(str, decision)), decks=1)
        return tuple(cards[place] for place in range(len(PACK)))

    def strength(self, *drawer: object) -> tuple[int, ...]:
        """Of somebody with a deck of their own: the first card decides, and where it is equal the next one."""
        return tuple(map(height, self.deck(*drawer)))

    def draw(self, number: int, round: int, seats: Collection[Seat], wanted: Wanted) -> Draw:
        """Draw `number` of the table: all from one deck, in the order of seats, and those on from it who are still
        equal where that matters."""
        drawn = drawn_from(self.deck(number), seats, wanted)
        best_first = sorted(drawn, key=lambda seat: (_heights(drawn[seat]), -seat), reverse=True)
        return Draw(round, tuple((seat, drawn[seat]) for seat in best_first), number, wanted)

    def old_draw(self, round: int, seats: Sequence[Seat]) -> Draw:
        """As tables of version 1 draw: each seat from a deck of its own."""
        best_first = sorted(seats, key=lambda seat: self.strength(round, seat), reverse=True)
        strengths = [self.strength(round, seat) for seat in seats]
        tells = (count for count in range(1, len(PACK)) if len({s[:count] for s in strengths}) == len(seats))
        shown = next(tells, len(PACK))
        return Draw(round, tuple((seat, self.deck(round, seat)[:shown]) for seat in best_first))


def drawn_from(deck: Sequence[Card], seats: Iterable[Seat], wanted: Wanted) -> Drawn:
    """What each seat draws, until all is decided that is wanted.

    An exhausted deck leaves it to the seats: the first of those who are still equal is the best.
    """
    drawn: dict[Seat, tuple[Card, ...]] = dict.fromkeys(sorted(seats), ())
    drawing, left = list(drawn), list(deck)
    while drawing and len(drawing) <= len(left):
        for seat in drawing:
            drawn[seat] += (left.pop(0),)
        drawing = _still_equal(drawn, wanted)
    return drawn


def _still_equal(drawn: Drawn, wanted: Wanted) -> list[Seat]:
    """Who has to draw on, in the order of seats."""
    heights = [_heights(cards) for cards in drawn.values()]
    matters = {
        Wanted.LOWEST: {min(heights)},
        Wanted.HIGHEST: {max(heights)},
        Wanted.ORDER: set(heights),
    }[wanted]
    shared = {each for each in matters if heights.count(each) > 1}
    return [seat for seat, cards in drawn.items() if _heights(cards) in shared]


def _heights(cards: Iterable[Card]) -> tuple[int, ...]:
    return tuple(map(height, cards))
