"""Promises that each cover the chains of all places in a channel."""

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"


def upgrade() -> None:
    op.create_table(
        "promises",
        sa.Column("id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("guild", sa.BigInteger(), nullable=False),
        sa.Column("channel", sa.BigInteger(), nullable=False),
        sa.Column("root", sa.LargeBinary(), nullable=False),
        sa.Column("tip", sa.Text(), nullable=False),
        sa.Column("tips", sa.LargeBinary(), nullable=False),
        sa.Column("message", sa.BigInteger(), nullable=True),
        sa.Column("slots", sa.Integer(), nullable=False),
        sa.Column("began_at", sa.Double(), nullable=False),
        sa.Column("ended_at", sa.Double(), nullable=True),
        sa.Column("why", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("id"),
    )
    has_slots = sa.text("why IS NULL AND slots < 256")
    op.create_index(
        "promises_in_use", "promises", ["channel"], unique=True, sqlite_where=has_slots, postgresql_where=has_slots
    )
    op.create_index("promises_channel", "promises", ["channel", "ended_at"], unique=False)
    op.add_column("chains", sa.Column("promise", sa.BigInteger(), nullable=True))
    op.add_column("chains", sa.Column("slot", sa.Integer(), server_default="0", nullable=False))
    op.add_column("chains", sa.Column("path", sa.LargeBinary(), nullable=True))
    shares = sa.text("promise IS NOT NULL")
    op.create_index(
        "chains_slot", "chains", ["promise", "slot"], unique=True, sqlite_where=shares, postgresql_where=shares
    )
