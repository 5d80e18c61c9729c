"""How hands are played after their first action."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from engine.games.blackjack.rules import Rules
from engine.solver.hands import best_halves, doubles_after_split, is_better, most_hands
from engine.solver.lattice import Flags, Lattice
from engine.solver.outlook import Drawing, Outlook
from engine.solver.splitting import Halves


class Style(Protocol):
    @property
    def mark(self) -> object:
        """Equal for styles that play halves alike."""

    def hits(self, lattice: Lattice, start: Sequence[int] = ()) -> Flags | None:
        """Which hands are hit; None: those that it is best to hit. A lattice with a start is that of a swapped hand."""

    def halves(self, outlook: Outlook, drawing: Drawing, two: slice) -> Halves:
        """How halves are played; `two` are the hands of two cards."""

    def most_hands(self, value: int) -> int:
        """Return how many hands a pair of this value comes to at most, played in this style."""

    def splits_again(self, split: float, unsplit: float) -> bool:
        """Return whether halves that are pairs again are split again.

        `split` is what the pair gains if they are, `unsplit` what it gains as a hand that may not be split.
        """


class Best:
    """The best play; halves as the unsplit hand of the same cards."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.doubles = doubles_after_split(rules)

    @property
    def mark(self) -> object:
        return "best", self.doubles, self.rules.split_aces

    def hits(self, lattice: Lattice, start: Sequence[int] = ()) -> Flags | None:
        return None

    def halves(self, outlook: Outlook, drawing: Drawing, two: slice) -> Halves:
        return best_halves(self.rules, outlook, drawing, two, doubles=self.doubles)

    def most_hands(self, value: int) -> int:
        return most_hands(self.rules, value, 2)

    def splits_again(self, split: float, unsplit: float) -> bool:
        return is_better(split, unsplit)
