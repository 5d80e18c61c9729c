"""Scheme 3: rounds get the version of their game; chains get an owner, a phrase and the number of finished rounds."""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"


def upgrade() -> None:
    op.add_column("rounds", sa.Column("build", sa.Integer(), nullable=True))
    op.add_column("chains", sa.Column("finished", sa.Integer(), server_default="0", nullable=False))
    op.add_column("chains", sa.Column("member", sa.BigInteger(), nullable=True))
    op.add_column("chains", sa.Column("phrase", sa.Text(), server_default="", nullable=False))
    op.execute("UPDATE chains SET finished = used")
    op.execute(
        "UPDATE chains SET finished = used - 1 WHERE id IN ("
        "SELECT chain FROM rounds WHERE chain IS NOT NULL AND dealt_at IS NOT NULL AND finished_at IS NULL)"
    )
    own = sa.text("member IS NOT NULL")
    op.create_index(
        "chains_of_members", "chains", ["member", "began_at"], unique=False, sqlite_where=own, postgresql_where=own
    )
