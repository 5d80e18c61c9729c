"""Streaks of days on which somebody played, worked out from these days (R11.8)."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Streak:
    """The number of days played in a row. One missed day between them only pauses it; two in a row end it."""

    days: int
    #: Whether the last day that counts was missed: another one ends the streak.
    paused: bool = False


def streak(played: Collection[int], today: int, *, neutral: Collection[int] = (), first: int = 0) -> Streak:
    """Return the streak that these played days make. `today` is not over, so it does not count as missed yet.

    Days in `neutral` that were not played do not count as missed either. `first` is the first day that counts at all.
    """
    days = int(today in played)
    missed, paused = 0, False
    for day in range(today - 1, first - 1, -1):
        if day in played:
            days, missed = days + 1, 0
        elif day not in neutral:
            missed += 1
            paused = paused or not days
        if missed == 2:
            break
    return Streak(days, paused and days > 0)
