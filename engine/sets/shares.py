"""The share of players who chose each action (R11.6), in steps of five per cent, and only if there are enough."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Final

from engine.sets.tries import NEXT

#: The fewest people who must have finished a set, and have come to a question of it, for shares to be shown; and the
#: step to which percentages are rounded.
ENOUGH: Final = 20
STEP: Final = 5

#: The number of people who chose each letter, by deal and by the letters before it.
Counts = Mapping[tuple[int, str], Mapping[str, int]]


def counted(tries: Iterable[tuple[str, int]]) -> Counts:
    """Return the counted choices of finished tries.

    Each pair has the steps of a try, and the number of people who played these steps.
    """
    found: dict[tuple[int, str], Counter[str]] = {}
    for steps, people in tries:
        for place, letters in enumerate(steps.split(NEXT)):
            for end, letter in enumerate(letters):
                found.setdefault((place, letters[:end]), Counter())[letter] += people
    return found


def share(counts: Counts, place: int, path: str, letter: str) -> int | None:
    """Return the percentage of people at a question who chose a letter, rounded to a whole step (`STEP`).

    `place` is that of the deal, from 0, and `path` the letters before the question. Return None if fewer than `ENOUGH`
    people came to it.
    """
    chosen = counts.get((place, path), {})
    people = sum(chosen.values())
    if people < ENOUGH:
        return None
    return STEP * ((2 * 100 * chosen.get(letter, 0) + STEP * people) // (2 * STEP * people))
