"""Decides who is poorer and who goes (R7.2-R7.5)."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from enum import StrEnum

from engine.elimination.terms import MOST_LEFT, SEATS
from engine.fairness.lots import Draw, DrawPurpose, Lots
from engine.games.contract import CHIP, Cents, Seat


class Why(StrEnum):
    """The reasons for being out."""

    BANKRUPT = "bankrupt"
    POOREST = "poorest"
    LEFT = "left"


@dataclass(slots=True)
class Ranking:
    """Ranks seats by chips, then by chips at the heat's start. Lots drawn between equals are added to `draws`."""

    round: int
    heat_start: Sequence[Cents]
    lots: Lots
    #: All draws at the table, the earliest first.
    draws: list[Draw]
    version: int

    def worst_first(self, seats: Collection[Seat], chips: Sequence[Cents]) -> list[Seat]:
        """Return the seats, the poorest first: by chips, then by chips at the heat's start, then by lots (R7.4)."""
        return [seat for equals in self._equals(seats, chips) for seat in self._ordered(equals)]

    def leader_first(self, seats: Collection[Seat], chips: Sequence[Cents]) -> list[Seat]:
        """Return the seats, those with most chips first. Equals are ordered by their chips at the heat's start.

        Seats that are equal in both keep the order in which they are given, except that lots decide between leaders
        (R7.7). In version 1 lots decide between all of them.
        """
        if self.version == 1:
            return self.worst_first(seats, chips)[::-1]
        *others, leaders = self._equals(seats, chips)
        best = self._draw(leaders, DrawPurpose.HIGHEST).best_first if len(leaders) > 1 else leaders
        return [*best, *(seat for equals in reversed(others) for seat in equals)]

    def last_of(self, seats: Collection[Seat], chips: Sequence[Cents]) -> Seat:
        """Return the seat with the fewest chips. Equals are decided as in `worst_first`, but only as far as needed."""
        equals = self._equals(seats, chips)[0]
        return equals[0] if len(equals) == 1 else self._draw(equals, DrawPurpose.LOWEST).best_first[-1]

    def who_goes(self, seats: Sequence[Seat], stacks: Sequence[Cents], leaving: Collection[Seat]) -> dict[Seat, Why]:
        """Return the seats that go after this round, each with its reason.

        They are those who leave, those without a whole chip (R7.3), and the poorest while too many are left (R7.2).
        """
        gone = {seat: Why.BANKRUPT for seat in seats if stacks[seat] < CHIP}
        gone |= {seat: Why.LEFT for seat in seats if seat in leaving}
        rest = [seat for seat in seats if seat not in gone]
        while len(rest) > MOST_LEFT.get(self.round, SEATS):
            poorest = self.last_of(rest, stacks)
            gone[poorest] = Why.POOREST
            rest.remove(poorest)
        return gone

    def _equals(self, seats: Collection[Seat], chips: Sequence[Cents]) -> list[list[Seat]]:
        """Return groups of seats that only lots can tell apart, the poorest group first."""
        groups: dict[tuple[Cents, Cents], list[Seat]] = {}
        for seat in seats:
            groups.setdefault((chips[seat], self.heat_start[seat]), []).append(seat)
        return [groups[worth] for worth in sorted(groups)]

    def _ordered(self, equals: list[Seat]) -> list[Seat]:
        """Return equal seats in an order that lots decide, worst first."""
        if self.version > 1:
            return self._draw(equals, DrawPurpose.ORDER).best_first[::-1] if len(equals) > 1 else equals
        left, ranked = list(equals), []
        while len(left) > 1:
            ranked.append(self._draw(left, DrawPurpose.LOWEST).best_first[-1])
            left.remove(ranked[-1])
        return ranked + left

    def _draw(self, equals: Sequence[Seat], wanted: DrawPurpose) -> Draw:
        if self.version > 1:
            draw = self.lots.draw(len(self.draws) + 1, self.round, equals, wanted)
            self.draws.append(draw)
            return draw
        draw = self.lots.old_draw(self.round, equals)
        if draw not in self.draws:  # each seat has its deck, so a second draw would be the same
            self.draws.append(draw)
        return draw
