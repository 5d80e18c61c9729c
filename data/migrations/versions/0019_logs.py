"""Logs of servers: the channel of each, and the lines that wait to be posted there."""

import sqlalchemy as sa
from alembic import op

revision = "0019"
down_revision = "0018"


def upgrade() -> None:
    op.add_column("guilds", sa.Column("log_channel", sa.BigInteger(), nullable=True))
    op.create_table(
        "notices",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), autoincrement=True, nullable=False),
        sa.Column("guild", sa.BigInteger(), nullable=False),
        sa.Column("at", sa.Double(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("actor", sa.BigInteger(), nullable=True),
        sa.Column("member", sa.BigInteger(), nullable=True),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("notices_guild", "notices", ["guild", "id"], unique=False)
