"""The solver's answers. The value of a hand is in units of its stake, that of a whole game in first stakes.

Chances are between 0 and 1.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

#: The convention for playing the hands after a split, on which the value of a split depends.
SPLIT_CONVENTION: Final = "CDZ-"

CHASE_OTHERS: Final = "the dealer chases, and other hands are still to play: they are taken to stand"
CHASE_SPLIT: Final = "the dealer chases, and each half of a split is valued as if he chased it alone"
PURSE: Final = "the purse may run out: what follows a split is taken to be paid as long as one more stake can be"


@dataclass(frozen=True, slots=True)
class Decision:
    """The values and chances of one decision.

    Where the dealer looks, all but `insurance` assume that he found no natural.
    """

    #: The value of each legal and affordable action. A natural lists draws too, although it never acts.
    actions: Mapping[str, float]
    best: str
    #: The chance that one more card takes the hand over 21.
    bust: float
    #: The chances of the dealer's final totals if the hand stands: `17` ... `21` (lower ones too if he chases), `bust`,
    #: and `natural` where he does not look.
    dealer: Mapping[str, float]
    #: The value of insurance in units of the first stake, before the look; None where it is not offered.
    insurance: float | None
    #: Reasons why the values are not exact; empty where they are exact.
    why: tuple[str, ...] = ()

    @property
    def exact(self) -> bool:
        """Whether the values are exact."""
        return not self.why

    def loss(self, action: str) -> float:
        """Return how much less the action is worth than the best one."""
        return max(self.actions.values()) - self.actions[action]


@dataclass(frozen=True, slots=True)
class OffChart:
    """A two-card hand that is best played differently from the chart's row for its total."""

    hand: str
    up: str
    play: str  # the best play
    row: str  # the text of the chart's cell


@dataclass(frozen=True, slots=True)
class SolvedGame:
    """The value and chart of a whole round for a single player, dealt from a full shoe."""

    #: The average result of a stake of 1 under best play.
    value: float
    #: Plays (`hit`, `double/hit` ...) by row (`hard 5` ... `A,A` ... `10,10`) and column (`2` ... `10`, `A`).
    chart: Mapping[str, Mapping[str, str]]
    off_chart: tuple[OffChart, ...]
    why: tuple[str, ...] = ()
    split_convention: str = field(default=SPLIT_CONVENTION)

    @property
    def exact(self) -> bool:
        """Whether the value is exact."""
        return not self.why

    @property
    def edge(self) -> float:
        """The part of a stake that the house keeps on average under best play."""
        return -self.value
