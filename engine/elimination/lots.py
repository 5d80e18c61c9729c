"""Cards drawn where nothing else decides (R7.4)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from engine.fairness import shoe
from engine.games.cards import PACK, Card, height
from engine.games.contract import Seat


@dataclass(frozen=True, slots=True)
class Draw:
    """Seats with their cards, the best first: one card each, more where those were equal."""

    round: int
    cards: tuple[tuple[Seat, tuple[Card, ...]], ...]


@dataclass(frozen=True, slots=True)
class Lots:
    """Each draw is from a deck of its own, which seed and inputs had settled before anybody knew of it."""

    seed: bytes
    inputs: tuple[str, ...] = ()

    def deck(self, *drawer: object) -> tuple[Card, ...]:
        cards = shoe(self.seed, (*self.inputs, "lots", *map(str, drawer)), decks=1)
        return tuple(cards[place] for place in range(len(PACK)))

    def strength(self, *drawer: object) -> tuple[int, ...]:
        """Compares as the rule has it: the first card decides, and where it is equal the next one."""
        return tuple(map(height, self.deck(*drawer)))

    def draw(self, number: int, seats: Sequence[Seat]) -> Draw:
        """Everybody's cards in round `number`, the best first."""
        best_first = sorted(seats, key=lambda seat: self.strength(number, seat), reverse=True)
        shown = self._cards_that_tell(number, seats)
        return Draw(number, tuple((seat, self.deck(number, seat)[:shown]) for seat in best_first))

    def _cards_that_tell(self, number: int, seats: Sequence[Seat]) -> int:
        strengths = [self.strength(number, seat) for seat in seats]
        tells = (count for count in range(1, len(PACK)) if len({s[:count] for s in strengths}) == len(seats))
        return next(tells, len(PACK))
