"""What the solver answers. Worths are in units of the hand's stake; chances are shares of one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

#: How hands after a split are played in what a split is worth.
SPLIT_CONVENTION: Final = "CDZ-"

CHASE_OTHERS: Final = "the dealer chases, and other hands are still to play: they are taken to stand"
CHASE_SPLIT: Final = "the dealer chases, and each half of a split is valued as if he chased it alone"
PURSE: Final = "the purse may run out: what follows a split is taken to be paid as long as one more stake can be"


@dataclass(frozen=True, slots=True)
class Decision:
    """One decision. Where the dealer looks, all but `insurance` is given that he found no natural."""

    #: What each legal and affordable action is worth; a natural's draws are told too, though it never acts.
    actions: Mapping[str, float]
    best: str
    #: The chance that one more card takes the hand over 21.
    bust: float
    #: The dealer's final totals if the hand stands: `17` ... `21`, `bust`, and `natural` where he does not look.
    dealer: Mapping[str, float]
    #: What insuring is worth in units of the first stake, before the look; None where it is not offered.
    insurance: float | None
    #: Why the worths are not exact; empty where they are.
    why: tuple[str, ...] = ()

    @property
    def exact(self) -> bool:
        return not self.why

    def loss(self, action: str) -> float:
        """What the action gives away against the best one."""
        return max(self.actions.values()) - self.actions[action]


@dataclass(frozen=True, slots=True)
class OffChart:
    """A two-card hand whose very cards ask for another play than the row of its total."""

    hand: str
    up: str
    play: str
    row: str


@dataclass(frozen=True, slots=True)
class Game:
    """A whole round for one player alone, from a full shoe."""

    #: What a stake of 1 wins or loses on average under best play.
    value: float
    #: By row (`hard 5` ... `A,A` ... `10,10`) and column (`2` ... `10`, `A`): `hit`, `double/hit` ...
    chart: Mapping[str, Mapping[str, str]]
    off_chart: tuple[OffChart, ...]
    why: tuple[str, ...] = ()
    split_convention: str = field(default=SPLIT_CONVENTION)

    @property
    def exact(self) -> bool:
        return not self.why

    @property
    def edge(self) -> float:
        """What the house keeps of a stake."""
        return -self.value
