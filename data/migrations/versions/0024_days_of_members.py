"""Sums of each member's grades on each day. A grade also has its close decisions and its result in stakes."""

import sqlalchemy as sa
from alembic import op

revision = "0024"
down_revision = "0023"

#: The SQL that turns a time into the number of its day. A cast truncates in SQLite, and rounds in PostgreSQL.
_DAY = {"sqlite": "CAST(at / 86400 AS INTEGER)", "postgresql": "CAST(floor(at / 86400) AS INTEGER)"}
_FILL = """
INSERT INTO member_days (member, day, valuation, hands, known, net, measured, expected, given_away, decisions,
                         "right", best, worst)
SELECT member, {day}, valuation, count(*), count(expected), sum(net),
       sum(CASE WHEN expected IS NOT NULL THEN net ELSE 0 END), sum(coalesce(expected, 0.0)), sum(given_away),
       sum(decisions), sum("right"), max(net), min(net)
FROM grades GROUP BY member, {day}, valuation
"""


def _number(name: str) -> sa.Column[int]:
    return sa.Column(name, sa.Integer(), server_default="0", nullable=False)


def _cents(name: str) -> sa.Column[int]:
    return sa.Column(name, sa.BigInteger(), server_default="0", nullable=False)


def _sum(name: str) -> sa.Column[float]:
    return sa.Column(name, sa.Double(), server_default="0", nullable=False)


def upgrade() -> None:
    op.add_column("grades", _number("close"))
    op.add_column("grades", _number("close_right"))
    op.add_column("grades", sa.Column("units", sa.BigInteger(), nullable=True))
    op.create_table(
        "member_days",
        sa.Column("member", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("day", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("valuation", sa.Integer(), autoincrement=False, nullable=False),
        _number("hands"),
        _number("known"),
        _cents("net"),
        _cents("measured"),
        _sum("expected"),
        _sum("given_away"),
        _number("decisions"),
        _number("right"),
        _number("close"),
        _number("close_right"),
        _number("blackjack"),
        _cents("units"),
        _cents("best"),
        _cents("worst"),
        sa.ForeignKeyConstraint(["member"], ["members.id"]),
        sa.PrimaryKeyConstraint("member", "day", "valuation"),
        sqlite_with_rowid=False,
    )
    op.execute(_FILL.format(day=_DAY[op.get_bind().dialect.name]))
