"""Renames the table of tournaments, and the column that names one; both were called cups before."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    op.drop_index("cups_open", table_name="cups")
    op.rename_table("cups", "tournaments")
    op.execute("ALTER TABLE entries RENAME COLUMN cup TO tournament")
    op.create_index(
        "tournaments_open",
        "tournaments",
        ["guild"],
        unique=False,
        sqlite_where=sa.text("open = 1"),
        postgresql_where=sa.text("open = 1"),
    )
