"""Grades of rounds, the time up to which rounds are graded, and mistakes to practise.

Warnings are now off for everybody until they ask for them.
"""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    op.create_index("plays_at", "plays", ["at"], unique=False)
    op.create_table(
        "grades",
        sa.Column("table_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("member", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("at", sa.Double(), nullable=False),
        sa.Column("net", sa.BigInteger(), nullable=False),
        sa.Column("expected", sa.Double(), nullable=True),
        sa.Column("given_away", sa.Double(), nullable=False),
        sa.Column("decisions", sa.Integer(), nullable=False),
        sa.Column("right", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["member"], ["members.id"]),
        sa.ForeignKeyConstraint(["table_id", "number"], ["rounds.table_id", "rounds.number"]),
        sa.PrimaryKeyConstraint("table_id", "number", "member"),
        sqlite_with_rowid=False,
    )
    op.create_index("grades_member", "grades", ["member", "at"], unique=False)
    op.create_table(
        "mistakes",
        sa.Column("table_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("place", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("member", sa.BigInteger(), nullable=False),
        sa.Column("at", sa.Double(), nullable=False),
        sa.Column("loss", sa.Double(), nullable=False),
        sa.Column("doc", sa.Text(), nullable=False),
        sa.Column("due", sa.Double(), nullable=True),
        sa.Column("streak", sa.Integer(), server_default="0", nullable=False),
        sa.ForeignKeyConstraint(["member"], ["members.id"]),
        sa.ForeignKeyConstraint(["table_id", "number"], ["rounds.table_id", "rounds.number"]),
        sa.PrimaryKeyConstraint("table_id", "number", "place"),
        sqlite_with_rowid=False,
    )
    op.create_index("mistakes_member", "mistakes", ["member", sa.text("loss DESC")], unique=False)
    op.create_table(
        "marks",
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("at", sa.Double(), nullable=False),
        sa.PrimaryKeyConstraint("name"),
    )
    op.drop_column("members", "warnings")
    op.add_column("members", sa.Column("warnings", sa.Integer(), server_default="0", nullable=False))
