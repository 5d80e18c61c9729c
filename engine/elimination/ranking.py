"""Who is poorer, and who goes (R7.2-R7.5)."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from engine.elimination.lots import Draw, Lots
from engine.elimination.terms import MOST_LEFT, SEATS
from engine.games.contract import CHIP, Cents, Seat


class Why(StrEnum):
    BANKRUPT = "bankrupt"
    POOREST = "poorest"
    LEFT = "left"


@dataclass(slots=True)
class Ranking:
    """Ranks seats after one round, drawing lots where nothing else tells them apart."""

    round: int
    heat_start: Sequence[Cents]
    lots: Lots
    draws: list[Draw] = field(default_factory=list)

    def worst_first(self, seats: Collection[Seat], chips: Sequence[Cents]) -> list[Seat]:
        left, ranked = list(seats), []
        while left:
            ranked.append(self.last_of(left, chips))
            left.remove(ranked[-1])
        return ranked

    def last_of(self, seats: Sequence[Seat], chips: Sequence[Cents]) -> Seat:
        """The poorest; among equals who had less at the heat's start; among those by lots (R7.4)."""
        least = min((chips[seat], self.heat_start[seat]) for seat in seats)
        equals = [seat for seat in seats if (chips[seat], self.heat_start[seat]) == least]
        return equals[0] if len(equals) == 1 else self._by_lots(equals)

    def who_goes(self, seats: Sequence[Seat], stacks: Sequence[Cents], leaving: Collection[Seat]) -> dict[Seat, Why]:
        """Leavers, bankrupts (R7.3), and the poorest while too many are left (R7.2)."""
        gone = {seat: Why.BANKRUPT for seat in seats if stacks[seat] < CHIP}
        gone |= {seat: Why.LEFT for seat in seats if seat in leaving}
        rest = [seat for seat in seats if seat not in gone]
        while len(rest) > MOST_LEFT.get(self.round, SEATS):
            poorest = self.last_of(rest, stacks)
            gone[poorest] = Why.POOREST
            rest.remove(poorest)
        return gone

    def _by_lots(self, equals: Sequence[Seat]) -> Seat:
        draw = self.lots.draw(self.round, equals)
        if draw not in self.draws:
            self.draws.append(draw)
        return draw.cards[-1][0]
