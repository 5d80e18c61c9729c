"""The pool and its prizes (R7.9)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from engine.games.contract import Cents

#: The percentages of the pool for the first three.
SHARES: Final = (50, 30, 20)
#: The fewest people for whom there are three prizes.
FEWEST_FOR_SHARES: Final = 4
#: The season's points for the first three (R14.1).
PODIUM: Final = (5, 3, 2)


def prizes(pool: Cents, people: Sequence[str]) -> dict[str, Cents]:
    """Return the prizes: the best three of four or more people share the pool, the best of fewer has all of it.

    `people` are all who bought in, best first, and at least one. The pool may be 0. Odd cents go to the best.
    """
    shares = SHARES if len(people) >= FEWEST_FOR_SHARES else (100,)
    paid = {key: pool * share // 100 for key, share in zip(people, shares, strict=False)}
    paid[people[0]] += pool - sum(paid.values())
    return paid
