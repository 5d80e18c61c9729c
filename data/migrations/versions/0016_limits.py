"""Limits that people set, their wishes about leaderboards and challenges, and indexes for the sums of the last day."""

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"

_LISTED = "user_id IS NOT NULL AND hidden = 0"
#: The indexes of leaderboards: the columns after the guild, and the condition of the members in them.
_BOARDS = {
    "members_by_balance": (["balance DESC", "id"], _LISTED),
    "members_by_winnings": (["winnings DESC", "id"], f"{_LISTED} AND rounds > 0"),
    "members_by_rate": (["rate DESC", "id"], f"{_LISTED} AND rate IS NOT NULL"),
    "members_by_titles": (
        ["tournaments_won DESC", "tables_won DESC", "first_title", "id"],
        f"first_title IS NOT NULL AND {_LISTED}",
    ),
}
#: The indexes of transfers, with every column that a sum over the last day reads.
_TRANSFERS = {
    "transfers_source": ["guild", "source", "at", "amount"],
    "transfers_target": ["guild", "target", "at", "source", "amount"],
}


def upgrade() -> None:
    op.add_column("members", sa.Column("hidden", sa.Integer(), server_default="0", nullable=False))
    for name, (columns, which) in _BOARDS.items():
        op.drop_index(name, "members")
        where = sa.text(which)
        op.create_index(name, "members", ["guild", *map(sa.text, columns)], sqlite_where=where, postgresql_where=where)
    for name, columns in _TRANSFERS.items():
        op.drop_index(name, "transfers")
        op.create_index(name, "transfers", columns)
    resting = sa.text("resting_until IS NOT NULL")
    op.create_index("members_resting", "members", ["guild"], sqlite_where=resting, postgresql_where=resting)
    op.create_table(
        "limits",
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("most", sa.BigInteger(), nullable=True),
        sa.Column("later", sa.BigInteger(), nullable=True),
        sa.Column("later_at", sa.Double(), nullable=True),
        sa.PrimaryKeyConstraint("user_id", "kind"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "wishes",
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("hidden", sa.Integer(), server_default="0", nullable=False),
        sa.Column("challenges", sa.Text(), server_default="everybody", nullable=False),
        sa.PrimaryKeyConstraint("user_id"),
        sqlite_with_rowid=False,
    )
