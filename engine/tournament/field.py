"""Ranking and prizes of a tournament with the same cards for all (R12.8)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import Final, NamedTuple

from engine.games.contract import Cents
from engine.tournament.prizes import SHARES

#: The number of deals that everybody plays (R12.8).
HANDS: Final = 20


class Score(NamedTuple):
    """The score of a person who has played the same cards."""

    key: str
    losses: int  # given away by all decisions, compared with the best plays: millionths of the stake
    net: Cents  # won, or lost if negative


def ranked(scores: Sequence[Score]) -> tuple[tuple[Score, ...], ...]:
    """Return the scores in groups of equals, best first: the smaller loss, then the higher net (R12.5)."""
    best_first = sorted(scores, key=_merit)
    return tuple(tuple(group) for _, group in groupby(best_first, key=_merit))


def shares(pool: Cents, groups: Sequence[Sequence[Score]]) -> dict[str, Cents]:
    """Return the prize of each person who gets one; together the prizes are the pool.

    `groups` are the groups of equal scores, best first, each in order of sign-up. A group shares the prizes of its
    places, and its first person gets the odd cents. The prizes of places that nobody has go to the first group.
    """
    due = list[Cents]()
    place = 0
    for group in groups:
        due.append(sum(pool * share // 100 for share in SHARES[place : place + len(group)]))
        place += len(group)
    due[0] += pool - sum(due)
    paid = dict[str, Cents]()
    for group, amount in zip(groups, due, strict=True):
        each, odd = divmod(amount, len(group))
        if amount:
            paid |= {score.key: each + (odd if number == 0 else 0) for number, score in enumerate(group)}
    return {key: amount for key, amount in paid.items() if amount}


def _merit(score: Score) -> tuple[int, Cents]:
    return score.losses, -score.net
