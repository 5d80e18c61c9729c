"""Styles of playing a hand after its first action: the questions that every style answers, and the style of best play.

The word *gain* is defined in `outlook`.
"""

from __future__ import annotations

from typing import Protocol

from engine.games.blackjack.rules import BlackjackRules
from engine.solver.hands import best_halves, doubles_after_split, is_better, most_hands
from engine.solver.lattice import Flags, Lattice
from engine.solver.outlook import HitOrStand, Outlook
from engine.solver.splitting import Halves


class Style(Protocol):
    """The choices that a player makes after the first action."""

    @property
    def mark(self) -> object:
        """The key of the style's split hands in `Against.sums`."""

    def hits(self, lattice: Lattice, *, swapped: bool = False) -> Flags | None:
        """Return which hands of a lattice this style hits, or None if it always plays the best of hit and stand.

        `swapped` says that the lattice is that of `swapped_pairs`.
        """

    def halves(self, outlook: Outlook, drawing: HitOrStand, two: slice) -> Halves:
        """Return how the hands of a split are played.

        `drawing` has the style's hits and stands for all hands of the outlook; `two` selects the hands of two cards.
        """

    def most_hands(self, value: int) -> int:
        """Return the largest number of hands that this style makes of a pair of this value, new pairs included."""

    def splits_again(self, split: float, unsplit: float) -> bool:
        """Return whether new pairs after a split are split again.

        `split` is the gain if they are, `unsplit` the gain of the pair as a hand that may not be split.
        """


class Best:
    """The best play. Hands of a split are played like unsplit hands of the same cards."""

    def __init__(self, rules: BlackjackRules) -> None:
        self.rules = rules
        self.doubles = doubles_after_split(rules)

    @property
    def mark(self) -> object:
        return "best", self.doubles, self.rules.split_aces

    def hits(self, lattice: Lattice, *, swapped: bool = False) -> Flags | None:
        return None

    def halves(self, outlook: Outlook, drawing: HitOrStand, two: slice) -> Halves:
        return best_halves(self.rules, outlook, drawing, two, doubles=self.doubles)

    def most_hands(self, value: int) -> int:
        return most_hands(self.rules, value, 2)

    def splits_again(self, split: float, unsplit: float) -> bool:
        return is_better(split, unsplit)
