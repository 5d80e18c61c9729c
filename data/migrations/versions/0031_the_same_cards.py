"""Tournaments in which everybody plays the same cards."""

import sqlalchemy as sa
from alembic import op

revision = "0031"
down_revision = "0030"


def upgrade() -> None:
    of_tournament = sa.text("tournament IS NOT NULL")
    op.add_column("sets", sa.Column("tournament", sa.BigInteger(), nullable=True))
    op.create_index(
        "sets_tournament",
        "sets",
        ["tournament"],
        unique=True,
        sqlite_where=of_tournament,
        postgresql_where=of_tournament,
    )
    op.add_column("entries", sa.Column("person", sa.BigInteger(), nullable=True))
    op.add_column("members", sa.Column("cards_won", sa.Integer(), server_default="0", nullable=False))
