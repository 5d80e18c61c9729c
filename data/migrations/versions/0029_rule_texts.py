"""Texts of rules, each stored once and named by its hash in rounds. Older rounds keep the text in their own rows."""

import sqlalchemy as sa
from alembic import op

revision = "0029"
down_revision = "0028"


def upgrade() -> None:
    op.create_table(
        "rule_texts",
        sa.Column("hash", sa.LargeBinary(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("hash"),
        sqlite_with_rowid=False,
    )
    op.add_column("rounds", sa.Column("rules_hash", sa.LargeBinary(), nullable=True))
