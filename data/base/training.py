"""The database table of training. Its rows belong to persons and not to members, because training needs no server."""

from __future__ import annotations

import sqlalchemy as sa

from data.base.metadata import metadata

training = sa.Table(
    "training",
    metadata,
    sa.Column("user_id", sa.BigInteger, primary_key=True, autoincrement=False),  # Discord's
    sa.Column("what", sa.Text, primary_key=True),  # the drill
    sa.Column("rules", sa.Text, primary_key=True),  # the name of the rule set
    sa.Column("version", sa.Integer, nullable=False),  # grows with each press
    sa.Column("doc", sa.Text, nullable=False),  # the question that is asked, and what came before it
    sa.Column("at", sa.Double, nullable=False),
    sqlite_with_rowid=False,
)
