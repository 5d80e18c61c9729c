"""Duels, in which two people play the same deals, and the people from whom somebody takes no challenges."""

import sqlalchemy as sa
from alembic import op

revision = "0027"
down_revision = "0026"


def upgrade() -> None:
    of_days = sa.text("first_day IS NOT NULL")
    op.create_index("streams_tip", "streams", ["tip"], unique=False)
    op.create_index(
        "streams_of_days", "streams", ["first_day"], unique=False, sqlite_where=of_days, postgresql_where=of_days
    )
    op.add_column("tries", sa.Column("shown_at", sa.Double(), nullable=True))
    op.add_column("wishes", sa.Column("silenced", sa.Text(), server_default="", nullable=False))
    op.create_table(
        "duels",
        sa.Column("id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("guild", sa.BigInteger(), nullable=False),
        sa.Column("channel", sa.BigInteger(), nullable=False),
        sa.Column("message", sa.BigInteger(), nullable=True),
        sa.Column("set", sa.BigInteger(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("ending", sa.Text(), nullable=True),
        sa.Column("level", sa.Text(), nullable=True),
        sa.Column("offered", sa.BigInteger(), nullable=False),
        sa.Column("stake", sa.BigInteger(), nullable=False),
        sa.Column("challenger", sa.BigInteger(), nullable=False),
        sa.Column("challenged", sa.BigInteger(), nullable=True),
        sa.Column("first", sa.BigInteger(), nullable=False),
        sa.Column("second", sa.BigInteger(), nullable=True),
        sa.Column("made_at", sa.Double(), nullable=False),
        sa.Column("accepted_at", sa.Double(), nullable=True),
        sa.Column("deadline", sa.Double(), nullable=False),
        sa.Column("ended_at", sa.Double(), nullable=True),
        sa.Column("winner", sa.BigInteger(), nullable=True),
        sa.Column("done", sa.Integer(), server_default="0", nullable=False),
        sa.Column("called", sa.Integer(), server_default="0", nullable=False),
        sa.Column("told", sa.Integer(), server_default="0", nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["set"], ["sets.id"]),
        sa.ForeignKeyConstraint(["challenger"], ["members.id"]),
        sa.ForeignKeyConstraint(["challenged"], ["members.id"]),
        sa.ForeignKeyConstraint(["first"], ["people.id"]),
        sa.ForeignKeyConstraint(["second"], ["people.id"]),
        sa.ForeignKeyConstraint(["winner"], ["members.id"]),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("set"),
    )
    is_untold, is_open = sa.text("told = 0"), sa.text("ended_at IS NULL")
    op.create_index(
        "duels_due", "duels", ["deadline"], unique=False, sqlite_where=is_untold, postgresql_where=is_untold
    )
    for side in ("first", "second"):
        op.create_index(f"duels_{side}", "duels", [side], unique=False, sqlite_where=is_open, postgresql_where=is_open)
    op.create_index("duels_guild", "duels", ["guild", "ended_at"], unique=False)
    for side in ("challenger", "challenged"):
        op.create_index(f"duels_{side}", "duels", [side, "ended_at"], unique=False)
