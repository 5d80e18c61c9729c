"""Computer players, whatever they play: how good they are and what they are called (R6.6)."""

from __future__ import annotations

from collections.abc import Collection
from enum import StrEnum
from typing import Final


class Level(StrEnum):
    """How well a computer player plays. What a level does is each game's own (`Game.computers`)."""

    AMATEUR = "amateur"
    INTERMEDIATE = "intermediate"
    EXPERT = "expert"
    PERFECT = "perfect"


DEFAULT_LEVEL: Final = Level.INTERMEDIATE

#: Of how the levels play, as records name it. Raised when one of them plays otherwise; old versions stay playable.
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
    """Names that nobody at the table has yet."""
    return tuple(name for name in NAMES if name not in taken)[:count]
