"""Seasons: everybody's places on their boards, points for winners, and how long a server wants its seasons to be."""

import sqlalchemy as sa
from alembic import op

revision = "0025"
down_revision = "0024"


def upgrade() -> None:
    op.create_table(
        "season_points",
        sa.Column("source", sa.Text(), nullable=False),
        sa.Column("member", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("guild", sa.BigInteger(), nullable=False),
        sa.Column("at", sa.Double(), nullable=False),
        sa.Column("points", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["member"], ["members.id"]),
        sa.PrimaryKeyConstraint("source", "member"),
        sqlite_with_rowid=False,
    )
    op.create_index("season_points_member", "season_points", ["member", "at"], unique=False)
    op.create_table(
        "season_places",
        sa.Column("guild", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("season", sa.Text(), nullable=False),
        sa.Column("board", sa.Text(), nullable=False),
        sa.Column("who", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("rank", sa.Integer(), server_default="0", nullable=False),
        sa.Column("value", sa.BigInteger(), nullable=False),
        sa.Column("amount", sa.BigInteger(), nullable=False),
        sa.Column("valuation", sa.Integer(), server_default="0", nullable=False),
        sa.PrimaryKeyConstraint("guild", "season", "board", "who"),
        sqlite_with_rowid=False,
    )
    hidden = sa.text("hidden = 1")
    op.create_index(
        "season_places_board",
        "season_places",
        ["guild", "season", "board", sa.text("rank DESC"), sa.text("value DESC"), "who"],
        unique=False,
    )
    op.create_index("members_hidden", "members", ["guild", "id"], sqlite_where=hidden, postgresql_where=hidden)
    op.add_column("guilds", sa.Column("season", sa.Text(), server_default="month", nullable=False))
