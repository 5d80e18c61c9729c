"""A server may call its chips something else."""

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"


def upgrade() -> None:
    op.add_column("guilds", sa.Column("currency", sa.Text(), nullable=True))
