"""Breaks from playing. Their ends are also stored with members, where the statements that move chips check them."""

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"


def upgrade() -> None:
    op.add_column("members", sa.Column("resting_until", sa.Double(), nullable=True))
    op.add_column("members", sa.Column("away_until", sa.Double(), nullable=True))
    op.add_column("leaves", sa.Column("breaks", sa.Integer(), server_default="0", nullable=False))
    known = sa.text("user_id IS NOT NULL")
    op.create_index("members_user", "members", ["user_id"], unique=False, sqlite_where=known, postgresql_where=known)
    op.create_table(
        "breaks",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), autoincrement=True, nullable=False),
        sa.Column("fingerprint", sa.Text(), nullable=False),
        sa.Column("user_id", sa.BigInteger(), nullable=True),
        sa.Column("what", sa.Text(), nullable=False),
        sa.Column("began_at", sa.Double(), nullable=False),
        sa.Column("until", sa.Double(), nullable=False),
        sa.Column("ends", sa.BigInteger(), nullable=True),
        sa.Column("leaf", sa.BigInteger(), nullable=True),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("breaks_fingerprint", "breaks", ["fingerprint"], unique=False)
    op.create_index("breaks_leaf", "breaks", ["leaf"], unique=False)
    op.create_index("breaks_user", "breaks", ["user_id"], unique=False, sqlite_where=known, postgresql_where=known)
