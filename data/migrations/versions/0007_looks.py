"""Settings for the look of tables, of members and of servers, and for pings to members."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    op.add_column("members", sa.Column("calls", sa.Integer(), server_default="0", nullable=False))
    op.add_column("members", sa.Column("suits", sa.Text(), nullable=True))
    op.add_column("members", sa.Column("shown", sa.Text(), nullable=True))
    op.add_column("guilds", sa.Column("suits", sa.Text(), server_default="two", nullable=False))
    op.add_column("guilds", sa.Column("shown", sa.Text(), server_default="pictures", nullable=False))
