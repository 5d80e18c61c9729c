"""Packs, each of which holds many old rounds in compressed form."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    op.create_table(
        "packs",
        sa.Column("id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("guild", sa.BigInteger(), nullable=False),
        sa.Column("rounds", sa.Integer(), nullable=False),
        sa.Column("content", sa.LargeBinary(), nullable=False),
        sa.Column("digest", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    op.add_column("rounds", sa.Column("pack", sa.BigInteger(), nullable=True))
    loose = sa.text("finished_at IS NOT NULL AND pack IS NULL")
    op.create_index("rounds_loose", "rounds", ["guild", "finished_at"], sqlite_where=loose, postgresql_where=loose)
