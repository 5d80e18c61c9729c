"""Tournaments, their entrants, and titles."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    op.create_table(
        "cups",
        sa.Column("id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("guild", sa.BigInteger(), nullable=False),
        sa.Column("channel", sa.BigInteger(), nullable=False),
        sa.Column("organiser", sa.BigInteger(), nullable=False),
        sa.Column("phase", sa.Text(), nullable=False),
        sa.Column("open", sa.Integer(), nullable=False),
        sa.Column("starts", sa.Double(), nullable=False),
        sa.Column("doc", sa.Text(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["organiser"], ["members.id"]),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index(
        "cups_open",
        "cups",
        ["guild"],
        unique=False,
        sqlite_where=sa.text("open = 1"),
        postgresql_where=sa.text("open = 1"),
    )
    op.create_table(
        "entries",
        sa.Column("cup", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("member", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("buy_in", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["cup"], ["cups.id"]),
        sa.ForeignKeyConstraint(["member"], ["members.id"]),
        sa.PrimaryKeyConstraint("cup", "member"),
        sqlite_with_rowid=False,
    )
    op.create_index("entries_member", "entries", ["member"], unique=False)
    op.create_table(
        "titles",
        sa.Column("source", sa.Text(), nullable=False),
        sa.Column("guild", sa.BigInteger(), nullable=False),
        sa.Column("member", sa.BigInteger(), nullable=False),
        sa.Column("at", sa.Double(), nullable=False),
        sa.ForeignKeyConstraint(["member"], ["members.id"]),
        sa.PrimaryKeyConstraint("source"),
        sqlite_with_rowid=False,
    )
    op.create_index("titles_guild", "titles", ["guild", "member"], unique=False)
