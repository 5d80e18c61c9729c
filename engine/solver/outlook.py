"""What every hand of a lattice has before it, against one up card.

Worths here are *gains*: what the hand is worth above losing its stake, joint with the chance that the round is played
at all. Where the dealer looks, a natural of his ends the round, so `alive` is the chance of none; elsewhere it is 1. A
hand over 21 gains nothing, which is what makes gains simple; `value` turns a gain into a worth.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np

from engine.games.blackjack.rules import DealerDraws, Rules, Verdict
from engine.solver.falling import falling, products
from engine.solver.lattice import ACE, TEN, Finals, Flags, Floats, Ints, Lattice, finals

#: A play must be better by more than this to be preferred to one before it; between equals rounding would choose.
TOLERANCE: Final = 1e-12

#: What a stake that the rules decide by name wins or loses.
VERDICTS: Final = {Verdict.WINS: 1.0, Verdict.PUSH: 0.0, Verdict.LOSES: -1.0}


@dataclass(frozen=True, slots=True)
class Stop:
    """Hands against which the dealer draws alike, and the ways in which he can end (`ways`: final by hand)."""

    target: int
    rows: Ints
    finals: Finals
    ways: Floats


class Outlook:
    """All hands of a lattice, with the cards unseen beside each.

    `unseen` is what is unseen beside the lattice's first hand, by value; `standing` the highest total that stands on
    the table beside it, which matters to a dealer that chases; `splits` says that splits will be summed up from here.
    """

    def __init__(
        self, rules: Rules, lattice: Lattice, unseen: Floats, up: int, standing: int = 0, *, splits: bool = False
    ) -> None:
        self.rules = rules
        self.lattice = lattice
        self.unseen = unseen
        self.up = up
        self.cards: Floats = np.maximum(unseen - lattice.draws, 0.0)
        self.left: Floats = np.maximum(unseen.sum() - lattice.sizes, 1.0)
        self.chances: Floats = self.cards / self.left[:, None]
        self.natural = self._natural()
        self.alive: Floats = 1.0 - self.natural if rules.dealer_looks else np.ones(lattice.rows)
        #: The dealer's final totals, 0 to 21, against each hand if it stands.
        self.totals: Floats = np.zeros((22, lattice.rows))
        #: Large, and kept for splits alone.
        self.stops: list[Stop] = []
        for stop in self._stops(standing):
            self._count(stop)
            if splits:
                self.stops.append(stop)
        self.stand = self._stand()

    @property
    def hole(self) -> int | None:
        """The value that makes a natural of the up card."""
        return {ACE: TEN, TEN: ACE}.get(self.up)

    def _natural(self) -> Floats:
        return np.zeros(self.lattice.rows) if self.hole is None else self.chances[:, self.hole]

    def _stops(self, standing: int) -> Iterator[Stop]:
        targets = np.full(self.lattice.rows, 17)
        if self.rules.dealer_draws is DealerDraws.CHASES:
            targets = np.minimum(17, np.maximum(self.lattice.totals, standing))
        for target in np.unique(targets).tolist():
            rows = np.flatnonzero(targets == target)
            ends = finals(self.rules, self.up, target)
            yield Stop(target, rows, ends, self._ways(ends, rows))

    def _ways(self, ends: Finals, rows: Ints) -> Floats:
        counts = np.ascontiguousarray(self.cards[rows].T)
        (low, low_places), (high, high_places) = ends.halves
        ways = products(low, counts[:4])[low_places]
        ways *= products(high, counts[4:])[high_places]
        return ways

    def _count(self, stop: Stop) -> None:
        orders = falling(self.left[stop.rows], int(stop.finals.sizes.max(initial=0)))
        for run in stop.finals.groups:
            total, size = stop.finals.totals[run.start], stop.finals.sizes[run.start]
            with np.errstate(divide="ignore", invalid="ignore"):
                share = stop.finals.ways[run] @ stop.ways[run] / orders[size]
            self.totals[total, stop.rows] += np.where(orders[size] > 0, share, 0.0)

    def _stand(self) -> Floats:
        """Twice the stake unless the dealer ends level (once) or above (nothing)."""
        rows = np.arange(self.lattice.rows)
        at_least = np.cumsum(self.totals[::-1], axis=0)[::-1]
        gain: Floats = 2 * self.alive - at_least[self.lattice.totals, rows]
        gain -= np.where(self.lattice.totals < 21, at_least[np.minimum(self.lattice.totals + 1, 21), rows], 0.0)
        if not self.rules.dealer_looks:
            gain -= self.natural * lost_to_natural(self.rules, self.lattice.totals)
        return gain

    # -- drawing -------------------------------------------------------------------------------------------------------

    def drawn(self, rows: slice | Ints, gains: Floats) -> Floats:
        """The mean gain after one more card."""
        gains = np.append(gains, 0.0)
        means: Floats = (self.chances[rows] * gains[self.lattice.after[rows]]).sum(axis=1)
        return means

    def double(self, rows: slice | Ints) -> Floats:
        """Two stakes and one card: one more stake than the hand has staked is at risk."""
        return 2 * self.drawn(rows, self.stand) - self.alive[rows]

    def value(self, row: int, gain: float) -> float:
        """A gain as a worth in stakes, given that the round is played."""
        alive = float(self.alive[row])
        return gain / alive - 1.0 if alive > 0 else -1.0


def lost_to_natural(rules: Rules, totals: Ints) -> Floats:
    """What a standing hand gets less of a dealer natural than of a dealer who busts, where he does not look."""
    made_21 = 1.0 - VERDICTS[rules.made_21_against_natural]
    return np.where(totals == 21, made_21, 2.0)


@dataclass(frozen=True, slots=True)
class Drawing:
    """Hit or stand, for every hand: whether it hits, what hitting gains, and what playing on as that says gains."""

    hits: Flags
    hit: Floats
    go_on: Floats


def draw(outlook: Outlook, hits: Flags | None = None) -> Drawing:
    """The best drawing, or the one that is given. A hand of 21 stands."""
    lattice = outlook.lattice
    chosen = np.zeros(lattice.rows, np.bool_)
    hit, go_on = np.zeros(lattice.rows), np.zeros(lattice.rows)
    for level in reversed(lattice.levels):
        hit[level] = outlook.drawn(level, go_on)
        better = hit[level] > outlook.stand[level] + TOLERANCE
        chosen[level] = (better if hits is None else hits[level]) & (lattice.totals[level] < 21)
        go_on[level] = np.where(chosen[level], hit[level], outlook.stand[level])
    return Drawing(chosen, hit, go_on)
