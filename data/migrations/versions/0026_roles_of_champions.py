"""Roles that servers give to champions, beside those that they sell."""

import sqlalchemy as sa
from alembic import op

revision = "0026"
down_revision = "0025"


def upgrade() -> None:
    op.add_column("wares", sa.Column("championship", sa.Text(), nullable=True))
    op.add_column("holdings", sa.Column("championship", sa.Text(), nullable=True))
    won = sa.text("championship IS NOT NULL")
    op.create_index(
        "wares_won", "wares", ["guild", "championship"], unique=True, sqlite_where=won, postgresql_where=won
    )
    reigns = sa.text("championship IS NOT NULL AND until IS NULL AND state IN ('paid', 'held')")
    op.create_index(
        "holdings_champions",
        "holdings",
        ["guild", "championship"],
        unique=True,
        sqlite_where=reigns,
        postgresql_where=reigns,
    )
    mine = sa.text("state IN ('paid', 'held')")
    op.create_index("holdings_of_guilds", "holdings", ["guild"], sqlite_where=mine, postgresql_where=mine)
