"""Boards of weeks for Today's five. All stored places are deleted and worked out again from the days played."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta
from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0028"
down_revision = "0027"

_FIRST = date(1970, 1, 1)
_PLACES = sa.text("""
INSERT INTO season_places (guild, season, board, who, rank, value, amount, valuation)
SELECT guild, :season, 'five', person, 2, SUM(points), COUNT(*), 0
FROM (
    SELECT standings.guild, standings.person, standings.points,
        ROW_NUMBER() OVER (PARTITION BY standings.guild, standings.person ORDER BY standings.points DESC) AS place
    FROM standings JOIN sets ON sets.id = standings."set"
    WHERE sets.day BETWEEN :first AND :last AND sets.void = 0 AND standings.points IS NOT NULL
) AS days
WHERE place <= :most
GROUP BY guild, person
""")


def upgrade() -> None:
    connection = op.get_bind()
    connection.execute(sa.text("DELETE FROM season_places WHERE board = 'five'"))
    days = connection.execute(sa.text("SELECT DISTINCT day FROM sets WHERE day IS NOT NULL AND void = 0")).scalars()
    stretches = {stretch for day in days.all() for stretch in _stretches(_FIRST + timedelta(day))}
    for season, first, last, most in sorted(stretches):
        values: dict[str, Any] = {"season": season, "most": most}
        connection.execute(_PLACES, {**values, "first": (first - _FIRST).days, "last": (last - _FIRST).days})


def _stretches(day: date) -> Iterator[tuple[str, date, date, int]]:
    """Yield the month, the quarter and the week of a day: name, first day, last day, and how many best days count."""
    quarter = (day.month + 2) // 3
    for name, month, months in ((f"{day:%Y-%m}", day.month, 1), (f"{day.year}-Q{quarter}", quarter * 3 - 2, 3)):
        begins = date(day.year, month, 1)
        ends = date(day.year + (month + months > 12), (month + months - 1) % 12 + 1, 1)
        yield name, begins, ends - timedelta(1), 20 * months
    year, week, weekday = day.isocalendar()
    monday = day - timedelta(weekday - 1)
    yield f"{year}-W{week:02}", monday, monday + timedelta(6), 7
