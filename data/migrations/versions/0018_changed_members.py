"""Changed members are found in the order in which they are counted, whatever PostgreSQL guesses of their number."""

import sqlalchemy as sa
from alembic import op

revision = "0018"
down_revision = "0017"


def upgrade() -> None:
    stale = sa.text("stale = 1")
    op.drop_index("members_stale", "members")
    op.create_index("members_stale", "members", ["guild", "id"], sqlite_where=stale, postgresql_where=stale)
