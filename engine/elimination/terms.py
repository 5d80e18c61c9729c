"""What an elimination table is agreed on before its first card (R7.1, R7.2, R7.6)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from engine.games.contract import CHIP, BadRules, Cents

SEATS: Final = 4
ROUNDS: Final = 9
HEAT: Final = 3  # rounds

#: After these rounds at most so many players remain (R7.2).
MOST_LEFT: Final[Mapping[int, int]] = {3: 3, 6: 2, 9: 1}


@dataclass(frozen=True, slots=True)
class Entrant:
    """Who sits there. `key` is the caller's own name for the person or computer player, unique in a tournament."""

    key: str
    level: str | None = None  # of a computer player; None is a person

    @property
    def person(self) -> bool:
        return self.level is None


@dataclass(frozen=True, slots=True)
class Terms:
    """What the four agree on. Raises BadRules for a budget that is not whole chips."""

    budget: Cents
    #: A table of its own ends when no person is left (R7.7); one of a tournament plays on.
    lone: bool = True

    def __post_init__(self) -> None:
        if self.budget < CHIP or self.budget % CHIP:
            raise BadRules("must be one or more whole chips", "budget")

    @property
    def smallest(self) -> Cents:
        """The smallest stake: a twentieth of the budget, rounded up to a whole chip (R7.6)."""
        return -(-self.budget // (20 * CHIP)) * CHIP
