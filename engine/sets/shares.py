"""The choices of all players together (R11.6), in steps of five per cent, and only if there are enough of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Final

from engine.sets.tries import NEXT

#: The number of finished tries from which shares are shown, and the steps that they are rounded to.
ENOUGH: Final = 20
STEP: Final = 5

#: The number of people who chose each letter, by deal and by the letters before it.
Counts = Mapping[tuple[int, str], Mapping[str, int]]


def counted(tries: Iterable[tuple[str, int]]) -> Counts:
    """Count the choices of finished tries, which come as steps and the number of tries with these steps."""
    found: dict[tuple[int, str], Counter[str]] = {}
    for steps, people in tries:
        for place, letters in enumerate(steps.split(NEXT)):
            for end, letter in enumerate(letters):
                found.setdefault((place, letters[:end]), Counter())[letter] += people
    return found


def share(counts: Counts, place: int, path: str, letter: str) -> int | None:
    """Return the percentage of people at a question who chose a letter, or None if too few came to it."""
    chosen = counts.get((place, path), {})
    people = sum(chosen.values())
    if people < ENOUGH:
        return None
    return STEP * ((2 * 100 * chosen.get(letter, 0) + STEP * people) // (2 * STEP * people))
