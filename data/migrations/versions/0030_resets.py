"""Resets, each of which sets the chips of all members of a server to the same amount."""

import sqlalchemy as sa
from alembic import op

revision = "0030"
down_revision = "0029"


def upgrade() -> None:
    op.create_table(
        "resets",
        sa.Column("id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("guild", sa.BigInteger(), nullable=False),
        sa.Column("channel", sa.BigInteger(), nullable=False),
        sa.Column("actor", sa.BigInteger(), nullable=False),
        sa.Column("amount", sa.BigInteger(), server_default="0", nullable=False),
        sa.Column("at", sa.Double(), nullable=False),
        sa.Column("announced_at", sa.Double(), nullable=True),
        sa.Column("event", sa.BigInteger(), nullable=True),
        sa.Column("began_at", sa.Double(), nullable=True),
        sa.Column("last", sa.BigInteger(), nullable=True),
        sa.Column("ended_at", sa.Double(), nullable=True),
        sa.Column("withdrawn", sa.Integer(), server_default="0", nullable=False),
        sa.ForeignKeyConstraint(["actor"], ["members.id"]),
        sa.PrimaryKeyConstraint("id"),
        sqlite_with_rowid=False,
    )
    is_open = sa.text("ended_at IS NULL")
    op.create_index("resets_open", "resets", ["guild"], unique=True, sqlite_where=is_open, postgresql_where=is_open)
    op.add_column("members", sa.Column("reset", sa.BigInteger(), nullable=True))
