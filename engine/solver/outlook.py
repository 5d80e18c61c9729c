"""The chances of every hand of a lattice against one up card.

Values here are *gains*: the result of a hand plus one stake, multiplied by the chance that the round is played at all.
So a hand that loses its stake, such as one over 21, gains zero, which keeps the arithmetic simple. Where the dealer
looks, his natural ends the round, and `alive` is the chance that he has none; elsewhere `alive` is 1. `value` turns a
gain into a result.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from engine.games.blackjack.rules import BlackjackRules, HandVerdict
from engine.solver.finals import dealt
from engine.solver.lattice import ACE, TEN, VALUES, Flags, Floats, Ints, Lattice

#: The smallest difference that counts between two plays. Below it, rounding would choose between equal plays.
TOLERANCE: Final = 1e-12

#: The result of a stake of 1 for each verdict of the rules.
VERDICTS: Final = {HandVerdict.WINS: 1.0, HandVerdict.PUSH: 0.0, HandVerdict.LOSES: -1.0}


class Outlook:
    """The chances of all hands of a lattice, each given the cards that it leaves unseen.

    `unseen` has the number of cards of each value that are unseen while the player holds the hand with which the
    lattice starts. `up` is the value of the up card, as a place in `lattice.CARDS`. `standing` is the highest total
    that stands elsewhere on the table, which matters to a dealer who chases. `totals` are the chances of the dealer's
    final totals; None: they are worked out.
    """

    def __init__(
        self,
        rules: BlackjackRules,
        lattice: Lattice,
        unseen: Floats,
        up: int,
        standing: int = 0,
        totals: Floats | None = None,
    ) -> None:
        self.rules = rules
        self.lattice = lattice
        self.unseen = unseen
        self.up = up
        self.standing = standing
        #: The chances of the dealer's final totals, 0 to 21, against each hand if it stands.
        self.totals = dealt(rules, lattice, self.with_up, (up,), standing)[0] if totals is None else totals
        #: The unseen cards by value beside each hand, their number, and the chance of each value to come next.
        self.cards: Floats = np.maximum(unseen - lattice.draws, 0.0)
        self.left: Floats = np.maximum(unseen.sum() - lattice.sizes, 1.0)
        self.chances: Floats = self.cards / self.left[:, None]
        #: The chance of a dealer natural beside each hand, and the chance that the round is played at all.
        self.natural = np.zeros(lattice.rows) if self.hole is None else self.chances[:, self.hole]
        self.alive: Floats = 1.0 - self.natural if rules.dealer_looks else np.ones(lattice.rows)
        self.stand = self._stand()

    @property
    def with_up(self) -> Floats:
        """The number of cards of each value, counting the unseen cards and the up card."""
        cards: Floats = self.unseen + np.eye(VALUES)[self.up]
        return cards

    @property
    def hole(self) -> int | None:
        """The value of the hole card that makes a natural with the up card, or None."""
        return {ACE: TEN, TEN: ACE}.get(self.up)

    def _stand(self) -> Floats:
        """Return the mean gain of each hand if it stands: two stakes for a win, one for a push, none for a loss."""
        rows = np.arange(self.lattice.rows)
        at_least = np.cumsum(self.totals[::-1], axis=0)[::-1]
        gain: Floats = 2 * self.alive - at_least[self.lattice.totals, rows]
        gain -= np.where(self.lattice.totals < 21, at_least[np.minimum(self.lattice.totals + 1, 21), rows], 0.0)
        if not self.rules.dealer_looks:
            gain -= self.natural * lost_to_natural(self.rules, self.lattice.totals)
        return gain

    # -- drawing -------------------------------------------------------------------------------------------------------

    def drawn(self, rows: slice | Ints, gains: Floats) -> Floats:
        """Return the mean gain of these hands after one more card, given the gain of every hand of the lattice."""
        gains = np.append(gains, 0.0)
        means: Floats = (self.chances[rows] * gains[self.lattice.after[rows]]).sum(axis=1)
        return means

    def double(self, rows: slice | Ints) -> Floats:
        """Return the gain of each of these hands if it doubles, that is, draws one card and stands with two stakes."""
        return 2 * self.drawn(rows, self.stand) - self.alive[rows]

    def value(self, row: int, gain: float) -> float:
        """Turn a gain of the hand in this row into its mean result in stakes, given that the round is played.

        Return -1 if the dealer certainly has a natural, so that the round cannot be played.
        """
        alive = float(self.alive[row])
        return gain / alive - 1.0 if alive > 0 else -1.0


def lost_to_natural(rules: BlackjackRules, totals: Ints) -> Floats:
    """Return, for each total, what a standing hand gets if the dealer busts minus what it gets if he has a natural.

    The numbers are in stakes, by the rules of a dealer who does not look.
    """
    made_21 = 1.0 - VERDICTS[rules.made_21_against_natural]
    return np.where(totals == 21, made_21, 2.0)


@dataclass(frozen=True, slots=True)
class HitOrStand:
    """The choice between hit and stand for every hand.

    `hits` says which hands hit. `hit` has each hand's gain if it hits, and `go_on` its gain by the choice in `hits`.
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
