"""A server may get a message about Today's five each day."""

import sqlalchemy as sa
from alembic import op

revision = "0022"
down_revision = "0021"


def upgrade() -> None:
    op.add_column("guilds", sa.Column("day_post", sa.Text(), nullable=True))
