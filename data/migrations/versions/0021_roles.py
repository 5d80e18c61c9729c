"""The roles that servers sell for chips, and who bought which."""

import sqlalchemy as sa
from alembic import op

revision = "0021"
down_revision = "0020"


def upgrade() -> None:
    op.create_table(
        "wares",
        sa.Column("guild", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("role", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("price", sa.BigInteger(), nullable=False),
        sa.Column("seconds", sa.Double(), nullable=True),
        sa.PrimaryKeyConstraint("guild", "role"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "holdings",
        sa.Column("id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("guild", sa.BigInteger(), nullable=False),
        sa.Column("role", sa.BigInteger(), nullable=False),
        sa.Column("member", sa.BigInteger(), nullable=False),
        sa.Column("price", sa.BigInteger(), nullable=False),
        sa.Column("seconds", sa.Double(), nullable=True),
        sa.Column("at", sa.Double(), nullable=False),
        sa.Column("until", sa.Double(), nullable=True),
        sa.Column("state", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["member"], ["members.id"]),
        sa.PrimaryKeyConstraint("id"),
    )
    mine = sa.text("state IN ('paid', 'held')")
    op.create_index(
        "holdings_of_members", "holdings", ["member", "role"], unique=True, sqlite_where=mine, postgresql_where=mine
    )
