"""The database tables of the days of members, and of seasons."""

from __future__ import annotations

from typing import Any, Final

import sqlalchemy as sa

from data.base.metadata import cents, metadata


def _number(name: str) -> sa.Column[int]:
    return sa.Column(name, sa.Integer, nullable=False, server_default="0")


def _sum(name: str) -> sa.Column[float]:
    return sa.Column(name, sa.Double, nullable=False, server_default="0")


#: The graded rounds of a member on one day (since 1 January 1970, in UTC), in total. A later valuation has a row of its
#: own, to which rounds move as they are graded again.
member_days: Final = sa.Table(
    "member_days",
    metadata,
    sa.Column("member", sa.BigInteger, sa.ForeignKey("members.id"), primary_key=True, autoincrement=False),
    sa.Column("day", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("valuation", sa.Integer, primary_key=True, autoincrement=False),
    _number("hands"),
    _number("known"),  # the hands among them whose expected result is known
    cents("net"),
    cents("measured"),  # the net result of those hands
    _sum("expected"),  # and what they were to bring, in cents
    _sum("given_away"),  # cents
    _number("decisions"),
    _number("right"),
    _number("close"),  # decisions whose two best plays are nearly as good as each other
    _number("close_right"),
    _number("blackjack"),  # hands of blackjack
    sa.Column("units", sa.BigInteger, nullable=False, server_default="0"),  # their net result in millionths of stakes
    cents("best"),
    cents("worst"),
    sqlite_with_rowid=False,
)


#: The points that a podium or a duel brought (R14.1).
season_points: Final = sa.Table(
    "season_points",
    metadata,
    sa.Column("source", sa.Text, primary_key=True),  # ``cup/900`` for a tournament, ``duel/900`` for a duel
    sa.Column("member", sa.BigInteger, sa.ForeignKey("members.id"), primary_key=True, autoincrement=False),
    sa.Column("guild", sa.BigInteger, nullable=False),
    sa.Column("at", sa.Double, nullable=False),
    sa.Column("points", sa.Integer, nullable=False),
    sqlite_with_rowid=False,
)
sa.Index("season_points_member", season_points.c.member, season_points.c.at)

#: The standing of everybody on each board of each season of a server (data.seasons.places).
season_places: Final = sa.Table(
    "season_places",
    metadata,
    sa.Column("guild", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("season", sa.Text, primary_key=True),  # such as ``2026-11``, ``2026-Q4`` or, of the five, ``2026-W47``
    sa.Column("board", sa.Text, primary_key=True),
    sa.Column("who", sa.BigInteger, primary_key=True, autoincrement=False),  # a member; of Today's five, a person
    _number("rank"),  # 2: enough for a place; 1: for a provisional one; 0: for none yet
    sa.Column("value", sa.BigInteger, nullable=False),
    sa.Column("amount", sa.BigInteger, nullable=False),  # the days, hands or decisions behind the value
    _number("valuation"),  # the oldest valuation of the grades behind it
    sqlite_with_rowid=False,
)
#: The rank of everybody who has a place that is not provisional.
RANKED: Final = 2
PLACED: Final = season_places.c.rank > sa.literal_column("0")
sa.Index(
    "season_places_board",
    season_places.c.guild,
    season_places.c.season,
    season_places.c.board,
    season_places.c.rank.desc(),
    season_places.c.value.desc(),
    season_places.c.who,
)


def counted(grades: sa.FromClause) -> dict[str, sa.ColumnElement[Any]]:
    """Return the SQL of what one graded round adds to each sum of its day, by column."""
    here, none, one = grades.c, sa.literal_column("0", sa.Integer), sa.literal_column("1", sa.Integer)
    known, blackjack = here.expected.is_not(None), here.units.is_not(None)
    return {
        "hands": one,
        "known": sa.case((known, one), else_=none),
        "net": here.net,
        "measured": sa.case((known, here.net), else_=none),
        "expected": sa.func.coalesce(here.expected, sa.literal_column("0.0", sa.Double)),
        "given_away": here.given_away,
        "decisions": here.decisions,
        "right": here.right,
        "close": here.close,
        "close_right": here.close_right,
        "blackjack": sa.case((blackjack, one), else_=none),
        "units": sa.func.coalesce(here.units, none),
    }
