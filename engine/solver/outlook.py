"""The chances of every hand of a lattice against one up card.

Values here are *gains*: the result of a hand plus its lost stake, multiplied by the chance that the round is played at
all. Where the dealer looks, his natural ends the round, and `alive` is the chance that he has none; elsewhere `alive`
is 1. The gain of a hand over 21 is zero, which keeps the arithmetic simple; `value` turns a gain into a result.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np

from engine.games.blackjack.rules import BlackjackRules, DealerDraws, HandVerdict
from engine.solver.falling import falling, products
from engine.solver.lattice import ACE, TEN, Finals, Flags, Floats, Ints, Lattice, finals

#: The smallest difference that counts between two plays. Below it, rounding would choose between equal plays.
TOLERANCE: Final = 1e-12

#: The result of a stake of 1 for each verdict of the rules.
VERDICTS: Final = {HandVerdict.WINS: 1.0, HandVerdict.PUSH: 0.0, HandVerdict.LOSES: -1.0}


@dataclass(frozen=True, slots=True)
class Stop:
    """The hands against which the dealer draws to the same total, and the ways to each of his final hands.

    `rows` are the hands' rows in the lattice and `target` is the total. `ways` has a row for each final hand of the
    dealer and a column for each of the hands.
    """

    target: int
    rows: Ints
    finals: Finals
    ways: Floats


class Outlook:
    """The chances of all hands of a lattice, each given the cards that it leaves unseen.

    `unseen` counts the cards by value that are unseen when the hand is the lattice's start. `standing` is the highest
    total that stands elsewhere on the table, which matters to a dealer who chases. `splits` keeps what the valuation of
    splits needs.
    """

    def __init__(
        self,
        rules: BlackjackRules,
        lattice: Lattice,
        unseen: Floats,
        up: int,
        standing: int = 0,
        *,
        splits: bool = False,
    ) -> None:
        self.rules = rules
        self.lattice = lattice
        self.unseen = unseen
        self.up = up
        #: The unseen cards by value beside each hand, their number, and the chance of each value to come next.
        self.cards: Floats = np.maximum(unseen - lattice.draws, 0.0)
        self.left: Floats = np.maximum(unseen.sum() - lattice.sizes, 1.0)
        self.chances: Floats = self.cards / self.left[:, None]
        #: The chance of a dealer natural for each hand, and that the round is played at all.
        self.natural = np.zeros(lattice.rows) if self.hole is None else self.chances[:, self.hole]
        self.alive: Floats = 1.0 - self.natural if rules.dealer_looks else np.ones(lattice.rows)
        #: The chances of the dealer's final totals, 0 to 21, against each hand if it stands.
        self.totals: Floats = np.zeros((22, lattice.rows))
        #: The ways to the dealer's final hands, which are large and kept only for splits.
        self.stops: list[Stop] = []
        for stop in self._stops(standing):
            self._count(stop)
            if splits:
                self.stops.append(stop)
        self.stand = self._stand()

    @property
    def hole(self) -> int | None:
        """The value of the hole card that makes a natural with the up card, or None."""
        return {ACE: TEN, TEN: ACE}.get(self.up)

    def _stops(self, standing: int) -> Iterator[Stop]:
        targets = np.full(self.lattice.rows, 17)
        if self.rules.dealer_draws is DealerDraws.CHASES:
            targets = np.minimum(17, np.maximum(self.lattice.totals, standing))
        for target in sorted(set(targets.tolist())):
            rows = np.flatnonzero(targets == target)
            ends = finals(self.rules, self.up, target)
            yield Stop(target, rows, ends, self._ways(ends, rows))

    def _ways(self, ends: Finals, rows: Ints) -> Floats:
        counts = np.ascontiguousarray(self.cards[rows].T)
        (low, low_places), (high, high_places) = ends.halves
        of_low, of_high = products(low, counts[:4]), products(high, counts[4:])
        ways = np.empty((len(low_places), len(rows)))
        for row, low_place, high_place in zip(ways, low_places.tolist(), high_places.tolist(), strict=True):
            np.multiply(of_low[low_place], of_high[high_place], out=row)  # row by row: the whole would need a copy
        return ways

    def _count(self, stop: Stop) -> None:
        orders = falling(self.left[stop.rows], int(stop.finals.sizes.max(initial=0)))
        for run in stop.finals.groups:
            total, size = stop.finals.totals[run.start], stop.finals.sizes[run.start]
            with np.errstate(divide="ignore", invalid="ignore"):
                share = stop.finals.ways[run] @ stop.ways[run] / orders[size]
            self.totals[total, stop.rows] += np.where(orders[size] > 0, share, 0.0)

    def _stand(self) -> Floats:
        """Return the gain of standing: two stakes, less one if the dealer ends level, less both if he ends above."""
        rows = np.arange(self.lattice.rows)
        at_least = np.cumsum(self.totals[::-1], axis=0)[::-1]
        gain: Floats = 2 * self.alive - at_least[self.lattice.totals, rows]
        gain -= np.where(self.lattice.totals < 21, at_least[np.minimum(self.lattice.totals + 1, 21), rows], 0.0)
        if not self.rules.dealer_looks:
            gain -= self.natural * lost_to_natural(self.rules, self.lattice.totals)
        return gain

    # -- drawing -------------------------------------------------------------------------------------------------------

    def drawn(self, rows: slice | Ints, gains: Floats) -> Floats:
        """Return the mean gain of these hands after one more card, given the gain of every hand."""
        gains = np.append(gains, 0.0)
        means: Floats = (self.chances[rows] * gains[self.lattice.after[rows]]).sum(axis=1)
        return means

    def double(self, rows: slice | Ints) -> Floats:
        """Return the gain of a double: two stakes on one more card, with one stake more at risk than before."""
        return 2 * self.drawn(rows, self.stand) - self.alive[rows]

    def value(self, row: int, gain: float) -> float:
        """Return the result, in stakes, that a gain of this hand stands for if the round is played."""
        alive = float(self.alive[row])
        return gain / alive - 1.0 if alive > 0 else -1.0


def lost_to_natural(rules: BlackjackRules, totals: Ints) -> Floats:
    """Return how much less a standing hand gets from a dealer's natural than from his bust, where he does not look."""
    made_21 = 1.0 - VERDICTS[rules.made_21_against_natural]
    return np.where(totals == 21, made_21, 2.0)


@dataclass(frozen=True, slots=True)
class HitOrStand:
    """The choice between hit and stand for every hand.

    `hits` has the choices, `hit` the gains of a hit, and `go_on` the gains of the choices.
    """

    hits: Flags
    hit: Floats
    go_on: Floats


def draw(outlook: Outlook, hits: Flags | None = None) -> HitOrStand:
    """Return the best choice between hit and stand for every hand, or the choices in `hits`. A hand of 21 stands."""
    lattice = outlook.lattice
    chosen = np.zeros(lattice.rows, np.bool_)
    hit, go_on = np.zeros(lattice.rows), np.zeros(lattice.rows)
    for level in reversed(lattice.levels):
        hit[level] = outlook.drawn(level, go_on)
        better = hit[level] > outlook.stand[level] + TOLERANCE
        chosen[level] = (better if hits is None else hits[level]) & (lattice.totals[level] < 21)
        go_on[level] = np.where(chosen[level], hit[level], outlook.stand[level])
    return HitOrStand(chosen, hit, go_on)
