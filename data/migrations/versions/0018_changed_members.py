"""Adds the id to the index of members whom leaderboards have to count again, so that it gives them in order.

Without that, PostgreSQL might read all members of a server if it believes that most of them are to be counted.
"""

import sqlalchemy as sa
from alembic import op

revision = "0018"
down_revision = "0017"


def upgrade() -> None:
    stale = sa.text("stale = 1")
    op.drop_index("members_stale", "members")
    op.create_index("members_stale", "members", ["guild", "id"], sqlite_where=stale, postgresql_where=stale)
