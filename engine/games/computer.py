"""Computer players of every game: their levels and their names (R6.6)."""

from __future__ import annotations

from collections.abc import Collection
from enum import StrEnum
from typing import Final


class Level(StrEnum):
    """The skill of a computer player. Each game defines what its levels do (`Game.computers`, `Game.thinkers`)."""

    AMATEUR = "amateur"
    INTERMEDIATE = "intermediate"
    EXPERT = "expert"
    PERFECT = "perfect"


DEFAULT_LEVEL: Final = Level.INTERMEDIATE

#: The version of how the levels play, which records name. Raise it when a level plays differently, and keep the old
#: way too: older rounds are checked by it.
LEVEL_VERSION: Final = 1

NAMES: Final = (
    "Baize",
    "Marker",
    "Riffle",
    "Deuce",
    "Trey",
    "Velvet",
    "Domino",
    "Chipper",
    "Parlay",
    "Sable",
    "Rouleau",
    "Pip",
)


def fresh_names(count: int, taken: Collection[str | None]) -> tuple[str, ...]:
    """Return up to `count` names for computer players that are not among `taken`; fewer if the list is too short."""
    return tuple(name for name in NAMES if name not in taken)[:count]
