"""Grades say by which valuation they were worked out, so that older ones can be worked out again."""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"


def upgrade() -> None:
    op.add_column("grades", sa.Column("valuation", sa.Integer(), server_default="1", nullable=False))
