"""Books of hashes over transfers and rounds, causes that name their table, and indexes that hold transferred amounts."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    op.create_table(
        "leaves",
        sa.Column("number", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("guild", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("place", sa.BigInteger(), nullable=False),
        sa.Column("since", sa.BigInteger(), nullable=False),
        sa.Column("until", sa.BigInteger(), nullable=False),
        sa.Column("transfers", sa.Integer(), nullable=False),
        sa.Column("rounds", sa.Integer(), nullable=False),
        sa.Column("head", sa.Text(), nullable=False),
        sa.Column("at", sa.Double(), nullable=False),
        sa.PrimaryKeyConstraint("number", "guild"),
        sa.UniqueConstraint("guild", "place"),
        sqlite_with_rowid=False,
    )
    op.create_index("leaves_head", "leaves", ["head"])
    op.add_column("rounds", sa.Column("leaf", sa.BigInteger(), nullable=True))
    op.create_index("rounds_leaf", "rounds", ["leaf", "guild"])
    op.add_column("causes", sa.Column("of", sa.BigInteger(), nullable=True))
    op.add_column("causes", sa.Column("version", sa.Integer(), nullable=True))
    op.create_index("causes_of", "causes", ["of", "version"])
    for name in ("tables", "tournaments"):  # nobody knows which causes these had until now
        op.add_column(name, sa.Column("causes_from", sa.Integer(), server_default="0", nullable=False))
        op.execute(f"UPDATE {name} SET causes_from = version")
    op.drop_index("transfers_source", table_name="transfers")
    op.drop_index("transfers_target", table_name="transfers")
    op.create_index("transfers_source", "transfers", ["guild", "source", "amount"])
    op.create_index("transfers_target", "transfers", ["guild", "target", "source", "amount"])
