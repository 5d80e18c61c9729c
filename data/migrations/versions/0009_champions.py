"""Stores with each member how many titles they have won and when the first was, for leaderboards."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"

_MINE = "FROM titles WHERE titles.guild = members.guild AND titles.member = members.id"


def upgrade() -> None:
    op.add_column("members", sa.Column("tournaments_won", sa.Integer(), server_default="0", nullable=False))
    op.add_column("members", sa.Column("tables_won", sa.Integer(), server_default="0", nullable=False))
    op.add_column("members", sa.Column("first_title", sa.Double(), nullable=True))
    op.execute(
        f"UPDATE members SET tournaments_won = (SELECT count(*) {_MINE} AND titles.source LIKE 'cup/%'), "
        f"tables_won = (SELECT count(*) {_MINE} AND titles.source NOT LIKE 'cup/%'), "
        f"first_title = (SELECT min(titles.at) {_MINE}) WHERE id IN (SELECT member FROM titles)"
    )
    champion = sa.text("first_title IS NOT NULL AND user_id IS NOT NULL")
    op.create_index(
        "members_by_titles",
        "members",
        ["guild", sa.text("tournaments_won DESC"), sa.text("tables_won DESC"), "first_title", "id"],
        unique=False,
        sqlite_where=champion,
        postgresql_where=champion,
    )
