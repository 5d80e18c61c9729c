"""The database table of resets to equal chips (R14.2)."""

from __future__ import annotations

from typing import Final

import sqlalchemy as sa

from data.base.metadata import cents, metadata

#: The orders to set everybody's chips on a server to the same amount.
resets: Final = sa.Table(
    "resets",
    metadata,
    sa.Column("id", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("guild", sa.BigInteger, nullable=False),
    sa.Column("channel", sa.BigInteger, nullable=False),
    sa.Column("actor", sa.BigInteger, sa.ForeignKey("members.id"), nullable=False),
    cents("amount"),
    sa.Column("at", sa.Double, nullable=False),
    sa.Column("announced_at", sa.Double),
    sa.Column("event", sa.BigInteger),  # the number on Discord's calendar
    sa.Column("began_at", sa.Double),
    sa.Column("last", sa.BigInteger),  # the newest member when it began; later ones keep what they have
    sa.Column("ended_at", sa.Double),
    sa.Column("withdrawn", sa.Integer, nullable=False, server_default="0"),
    sqlite_with_rowid=False,
)
OPEN_RESET: Final = resets.c.ended_at.is_(None)
sa.Index("resets_open", resets.c.guild, unique=True, sqlite_where=OPEN_RESET, postgresql_where=OPEN_RESET)
