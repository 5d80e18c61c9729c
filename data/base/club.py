"""The database tables of what makes a server a club: its log, and the roles that it sells and gives to champions.

They are part of `data.base.schema`.
"""

from __future__ import annotations

from typing import Final

import sqlalchemy as sa

from data.base.metadata import Id, metadata, some

#: The lines of servers' logs that are not posted yet (data.jobs.notices).
notices = sa.Table(
    "notices",
    metadata,
    sa.Column("id", Id, primary_key=True, autoincrement=True),
    sa.Column("guild", sa.BigInteger, nullable=False),
    sa.Column("at", sa.Double, nullable=False),
    sa.Column("text", sa.Text, nullable=False),  # names people as {actor} and {member}
    sa.Column("actor", sa.BigInteger),
    sa.Column("member", sa.BigInteger),
)
sa.Index("notices_guild", notices.c.guild, notices.c.id)

#: The roles that servers sell (data.ledger.shop) or give to champions (data.ledger.champions); no role is both.
wares = sa.Table(
    "wares",
    metadata,
    sa.Column("guild", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("role", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("price", sa.BigInteger, nullable=False),
    sa.Column("seconds", sa.Double),  # NULL: for good
    sa.Column("championship", sa.Text),  # the way to win it; NULL: it is sold
    sqlite_with_rowid=False,
)
WON: Final = wares.c.championship.is_not(None)
sa.Index("wares_won", wares.c.guild, wares.c.championship, unique=True, sqlite_where=WON, postgresql_where=WON)

#: The roles that members bought or won. A role that was bought has the id of the press that bought it.
holdings = sa.Table(
    "holdings",
    metadata,
    sa.Column("id", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("guild", sa.BigInteger, nullable=False),
    sa.Column("role", sa.BigInteger, nullable=False),
    sa.Column("member", sa.BigInteger, sa.ForeignKey("members.id"), nullable=False),
    sa.Column("price", sa.BigInteger, nullable=False),
    sa.Column("seconds", sa.Double),
    sa.Column("at", sa.Double, nullable=False),
    sa.Column("until", sa.Double),  # NULL: not given yet, for good, or still champion
    sa.Column("state", sa.Text, nullable=False),
    sa.Column("championship", sa.Text),  # the way it was won; NULL: it was bought
)
OWNED: Final = holdings.c.state.in_([sa.literal_column("'paid'"), sa.literal_column("'held'")])
sa.Index(
    "holdings_of_members",
    holdings.c.member,
    holdings.c.role,
    unique=True,
    sqlite_where=OWNED,
    postgresql_where=OWNED,
)
REIGNS: Final = sa.and_(holdings.c.championship.is_not(None), holdings.c.until.is_(None), OWNED)
sa.Index(
    "holdings_champions",
    holdings.c.guild,
    holdings.c.championship,
    unique=True,
    sqlite_where=REIGNS,
    postgresql_where=REIGNS,
)
some("holdings_of_guilds", holdings.c.guild, where=OWNED)
