"""Adds the index that finds the gifts that a member received in a day. Gifts that a member made have one already."""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"


def upgrade() -> None:
    gift = sa.text("reason = 'gift'")
    op.create_index(
        "transfers_gifts_to",
        "transfers",
        ["guild", "target", "at"],
        unique=False,
        sqlite_where=gift,
        postgresql_where=gift,
    )
