"""A server may give its chips a name of its own."""

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"


def upgrade() -> None:
    op.add_column("guilds", sa.Column("currency", sa.Text(), nullable=True))
