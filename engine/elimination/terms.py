"""The terms of an elimination table, agreed before the first card (R7.1, R7.2, R7.6)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from engine.games.contract import CHIP, BadRules, Cents

SEATS: Final = 4
ROUNDS: Final = 9
HEAT: Final = 3  # rounds

#: The most players who remain after each of these rounds (R7.2).
MOST_LEFT: Final[Mapping[int, int]] = {3: 3, 6: 2, 9: 1}


@dataclass(frozen=True, slots=True)
class Entrant:
    """A player at the table. `key` is the caller's name for the person or computer player, unique in a tournament."""

    key: str
    level: str | None = None  # a computer player's; None is a person

    @property
    def person(self) -> bool:
        return self.level is None


@dataclass(frozen=True, slots=True)
class Terms:
    """The terms that the four agree on. A budget that is not whole chips raises BadRules."""

    budget: Cents
    #: Whether the table belongs to no tournament: then it ends when no person is left (R7.7). A tournament's table
    #: plays on.
    lone: bool = True

    def __post_init__(self) -> None:
        if self.budget < CHIP or self.budget % CHIP:
            raise BadRules("must be one or more whole chips", "budget")

    @property
    def smallest(self) -> Cents:
        """The smallest stake: a twentieth of the budget, rounded up to a whole chip (R7.6)."""
        return -(-self.budget // (20 * CHIP)) * CHIP
