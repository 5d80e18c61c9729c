"""Gives points of the season for the duels so far, and works out everybody's places by points again."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0032"
down_revision = "0031"

_FIRST = date(1970, 1, 1)
_DAY = 86_400
_WIN, _DRAW = 2, 1

_DUELS = sa.text("""
SELECT id, guild, challenger, challenged, accepted_at, ended_at, ending, winner
FROM duels WHERE challenged IS NOT NULL AND accepted_at IS NOT NULL ORDER BY "set"
""")
_POINTS = sa.text(
    "INSERT INTO season_points (source, member, guild, at, points) VALUES (:source, :member, :guild, :at, :points)"
)
_PLACES = sa.text("""
INSERT INTO season_places (guild, season, board, who, rank, value, amount, valuation)
SELECT guild, :season, 'points', member, 2, SUM(points), COUNT(*), 0
FROM season_points WHERE at >= :begins AND at < :ends
GROUP BY guild, member
""")


def upgrade() -> None:
    connection = op.get_bind()
    connection.execute(sa.text("DELETE FROM season_points WHERE source LIKE 'duel/%'"))
    if points := list(_points(connection.execute(_DUELS).all())):
        connection.execute(_POINTS, points)
    connection.execute(sa.text("DELETE FROM season_places WHERE board = 'points'"))
    moments = connection.execute(sa.text("SELECT DISTINCT at FROM season_points")).scalars()
    for season, first, after in sorted({each for at in moments.all() for each in _seasons(_day(at))}):
        begins, ends = ((day - _FIRST).days * _DAY for day in (first, after))
        connection.execute(_PLACES, {"season": season, "begins": float(begins), "ends": float(ends)})


def _points(duels: Sequence[sa.Row[Any]]) -> Iterator[dict[str, Any]]:
    """Yield the rows of points for the first duel that a pair accepted on each day, if it is over and was played."""
    seen = set[tuple[frozenset[int], date]]()
    for duel in duels:
        both, day = (duel.challenger, duel.challenged), _day(duel.accepted_at)
        first = (frozenset(both), day) not in seen
        seen.add((frozenset(both), day))
        if first and duel.ended_at is not None and duel.ending not in ("called off", "nobody began"):
            for member in both if duel.winner is None else (duel.winner,):
                yield {
                    "source": f"duel/{duel.id}",
                    "member": member,
                    "guild": duel.guild,
                    "at": duel.ended_at,
                    "points": _DRAW if duel.winner is None else _WIN,
                }


def _day(at: float) -> date:
    return _FIRST + timedelta(int(at // _DAY))


def _seasons(day: date) -> Iterator[tuple[str, date, date]]:
    """Yield the month and the quarter of a day: name, first day, and the day after the last."""
    quarter = (day.month + 2) // 3
    for name, month, months in ((f"{day:%Y-%m}", day.month, 1), (f"{day.year}-Q{quarter}", quarter * 3 - 2, 3)):
        yield name, date(day.year, month, 1), date(day.year + (month + months > 12), (month + months - 1) % 12 + 1, 1)
