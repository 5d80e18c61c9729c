"""Chains of seeds, and the columns that rounds and steps need where one promise covers a whole chain (scheme 2)."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    op.create_table(
        "chains",
        sa.Column("id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("place", sa.Text(), nullable=False),
        sa.Column("guild", sa.BigInteger(), nullable=False),
        sa.Column("channel", sa.BigInteger(), nullable=False),
        sa.Column("root", sa.LargeBinary(), nullable=False),
        sa.Column("tip", sa.Text(), nullable=False),
        sa.Column("message", sa.BigInteger(), nullable=True),
        sa.Column("used", sa.Integer(), nullable=False),
        sa.Column("last", sa.Text(), nullable=False),
        sa.Column("began_at", sa.Double(), nullable=False),
        sa.Column("ended_at", sa.Double(), nullable=True),
        sa.Column("why", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index(
        "chains_open",
        "chains",
        ["place"],
        unique=True,
        sqlite_where=sa.text("ended_at IS NULL"),
        postgresql_where=sa.text("ended_at IS NULL"),
    )
    op.create_index("chains_place", "chains", ["place", "ended_at"], unique=False)
    for column in (
        sa.Column("chain", sa.BigInteger(), nullable=True),
        sa.Column("link", sa.Integer(), nullable=True),
        sa.Column("players", sa.Text(), nullable=True),
        sa.Column("phrase", sa.Text(), nullable=True),
        sa.Column("previous", sa.Text(), nullable=True),
        sa.Column("hash", sa.Text(), nullable=True),
    ):
        op.add_column("rounds", column)
    op.add_column("steps", sa.Column("purse", sa.BigInteger(), nullable=True))
