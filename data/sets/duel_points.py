"""Points of a season for duels: a win 2, a draw 1, but only in the first duel that a pair accepts on a day (R12.10).

A pair has one open challenge at a time, so the sets of its duels were stored in the order in which the duels were
accepted. The first duel of a day is known before it ends, and no later one changes that. The ids of duels do not show
this order: an id is that of the press that asked for the challenge, and the deals are prepared after that press.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Final

import sqlalchemy as sa

from data.base.schema import season_points
from data.base.set_tables import duels
from engine.sets.calendar import day_at
from engine.sets.duels import DRAW, UNPLAYED, WIN, Ending

_earlier = duels.alias("earlier")


def accepted_before(
    dealt: sa.ColumnElement[int], one: sa.ColumnElement[Any], other: sa.ColumnElement[Any]
) -> tuple[sa.Label[float | None], ...]:
    """Return two subqueries for the time at which two members last accepted a duel with each other.

    Only duels whose set has a lower number than `dealt` count. The first subquery is for duels in which `one` was the
    challenger, the second for those in which `other` was. Each gives NULL if there are none. A single query would find
    no index on PostgreSQL.
    """
    here = _earlier.c
    sides = ("before", here.challenger, here.challenged), ("before_too", here.challenged, here.challenger)
    return tuple(
        sa.select(sa.func.max(here.accepted_at))
        .where(mine == one, theirs == other, here.set < dealt)
        .scalar_subquery()
        .label(name)
        for name, mine, theirs in sides
    )


BEFORE: Final = sa.select(*accepted_before(sa.bindparam("set"), sa.bindparam("challenger"), sa.bindparam("challenged")))
BROUGHT: Final = sa.select(season_points.c.member, season_points.c.points).where(
    season_points.c.source == sa.bindparam("duel")
)


def points_of(
    ending: Ending,
    winner: int | None,
    both: tuple[int, int | None],
    accepted_at: float | None,
    before: Iterable[float | None],
) -> Iterator[tuple[int, int]]:
    """Yield the members who get points for a duel, and how many points. `winner` is None for a draw.

    Nobody gets points if the duel was not accepted or not played, was against a computer player (None in `both`), or is
    not the first that the pair accepted on its day. `before` has the two times that `accepted_before` finds.
    """
    one, other = both
    if ending in UNPLAYED or other is None or accepted_at is None:
        return
    if day_at(accepted_at) in {day_at(moment) for moment in before if moment is not None}:
        return
    yield from ((winner, WIN),) if winner is not None else ((one, DRAW), (other, DRAW))
