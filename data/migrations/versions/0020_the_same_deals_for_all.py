"""Today's five: one number for each person on all servers, the same deals for everybody, tries, boards, and outages."""

import sqlalchemy as sa
from alembic import op

revision = "0020"
down_revision = "0019"

_Id = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.add_column("leaves", sa.Column("sets", sa.Integer(), server_default="0", nullable=False))
    op.create_table(
        "people",
        sa.Column("id", _Id, autoincrement=True, nullable=False),
        sa.Column("user_id", sa.BigInteger(), nullable=True),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("user_id"),
    )
    op.create_table(
        "streams",
        sa.Column("id", _Id, autoincrement=True, nullable=False),
        sa.Column("root", sa.LargeBinary(), nullable=False),
        sa.Column("tip", sa.Text(), nullable=False),
        sa.Column("first_day", sa.Integer(), nullable=True),
        sa.Column("began_at", sa.Double(), nullable=False),
        sa.Column("ended_at", sa.Double(), nullable=True),
        sa.Column("why", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("id"),
    )
    is_open = sa.text("ended_at IS NULL")
    op.create_index(
        "streams_days", "streams", ["first_day"], unique=True, sqlite_where=is_open, postgresql_where=is_open
    )
    op.create_table(
        "sets",
        sa.Column("id", _Id, autoincrement=True, nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("guild", sa.BigInteger(), nullable=True),
        sa.Column("day", sa.Integer(), nullable=True),
        sa.Column("stream", sa.BigInteger(), nullable=False),
        sa.Column("link", sa.Integer(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("rules", sa.Text(), nullable=False),
        sa.Column("width", sa.Integer(), nullable=False),
        sa.Column("filter", sa.Integer(), nullable=False),
        sa.Column("valuation", sa.Integer(), nullable=False),
        sa.Column("deals", sa.Text(), nullable=False),
        sa.Column("answers", sa.Text(), nullable=False),
        sa.Column("opens", sa.Double(), nullable=False),
        sa.Column("closes", sa.Double(), nullable=False),
        sa.Column("void", sa.Integer(), server_default="0", nullable=False),
        sa.Column("leaf", sa.BigInteger(), nullable=True),
        sa.ForeignKeyConstraint(["stream"], ["streams.id"]),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("stream", "link"),
    )
    is_valid, is_loose = sa.text("void = 0"), sa.text("leaf IS NULL")
    op.create_index("sets_days", "sets", ["day"], unique=True, sqlite_where=is_valid, postgresql_where=is_valid)
    op.create_index("sets_loose", "sets", ["closes"], unique=False, sqlite_where=is_loose, postgresql_where=is_loose)
    op.create_index("sets_leaf", "sets", ["leaf"], unique=False)
    op.create_table(
        "tries",
        sa.Column("set", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("person", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("archive", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("steps", sa.Text(), nullable=False),
        sa.Column("began_at", sa.Double(), nullable=False),
        sa.Column("finished_at", sa.Double(), nullable=True),
        sa.Column("points", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(["person"], ["people.id"]),
        sa.ForeignKeyConstraint(["set"], ["sets.id"]),
        sa.PrimaryKeyConstraint("set", "person", "archive"),
        sqlite_with_rowid=False,
    )
    op.create_index("tries_person", "tries", ["person", "set"], unique=False)
    op.create_table(
        "standings",
        sa.Column("set", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("person", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("guild", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("points", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(["person"], ["people.id"]),
        sa.ForeignKeyConstraint(["set"], ["sets.id"]),
        sa.PrimaryKeyConstraint("set", "person", "guild"),
        sqlite_with_rowid=False,
    )
    op.create_index("standings_person", "standings", ["person", "set"], unique=False)
    is_scored = sa.text("points IS NOT NULL")
    op.create_index(
        "standings_board",
        "standings",
        ["guild", "set", sa.text("points DESC"), "person"],
        unique=False,
        sqlite_where=is_scored,
        postgresql_where=is_scored,
    )
    op.create_table(
        "outages",
        sa.Column("began_at", sa.Double(), nullable=False),
        sa.Column("ended_at", sa.Double(), nullable=False),
        sa.PrimaryKeyConstraint("began_at"),
    )
