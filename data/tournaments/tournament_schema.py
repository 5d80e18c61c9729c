"""The database tables of competitions: tournaments, entries and titles."""

from __future__ import annotations

from typing import Final

import sqlalchemy as sa

from data.schema import metadata

tournaments = sa.Table(
    "tournaments",
    metadata,
    sa.Column("id", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("guild", sa.BigInteger, nullable=False),
    sa.Column("channel", sa.BigInteger, nullable=False),
    sa.Column("organiser", sa.BigInteger, sa.ForeignKey("members.id"), nullable=False),
    sa.Column("phase", sa.Text, nullable=False),
    sa.Column("open", sa.Integer, nullable=False),  # 0: over or cancelled, and everybody was informed
    sa.Column("starts", sa.Double, nullable=False),
    sa.Column("doc", sa.Text, nullable=False),
    sa.Column("version", sa.Integer, nullable=False),
    sa.Column("causes_from", sa.Integer, nullable=False, server_default="0"),  # as in tables
)
OPEN: Final = tournaments.c.open == sa.literal_column("1")
sa.Index("tournaments_open", tournaments.c.guild, sqlite_where=OPEN, postgresql_where=OPEN)

#: The entrants of a tournament with what each paid; after its end, everybody who was in it.
entries = sa.Table(
    "entries",
    metadata,
    sa.Column("tournament", sa.BigInteger, sa.ForeignKey("tournaments.id"), primary_key=True, autoincrement=False),
    sa.Column("member", sa.BigInteger, sa.ForeignKey("members.id"), primary_key=True, autoincrement=False),
    sa.Column("buy_in", sa.BigInteger, nullable=False),
    sqlite_with_rowid=False,
)
sa.Index("entries_member", entries.c.member)

titles = sa.Table(
    "titles",
    metadata,
    sa.Column("source", sa.Text, primary_key=True),  # ``table/900`` or ``tournament/900``
    sa.Column("guild", sa.BigInteger, nullable=False),
    sa.Column("member", sa.BigInteger, sa.ForeignKey("members.id"), nullable=False),
    sa.Column("at", sa.Double, nullable=False),
    sqlite_with_rowid=False,
)
sa.Index("titles_guild", titles.c.guild, titles.c.member)
