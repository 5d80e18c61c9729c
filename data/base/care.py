"""The database tables of what people decide for themselves: breaks, limits, and choices for all servers."""

from __future__ import annotations

import sqlalchemy as sa

from data.base.metadata import Id, metadata, some

#: The breaks that people take (data.people.breaks). Rows stay for good, and are hashed in the house's book.
breaks = sa.Table(
    "breaks",
    metadata,
    sa.Column("id", Id, primary_key=True, autoincrement=True),
    sa.Column("fingerprint", sa.Text, nullable=False),  # a keyed hash of the person, who may be forgotten
    sa.Column("user_id", sa.BigInteger),  # Discord's; NULL once the person is forgotten everywhere
    sa.Column("what", sa.Text, nullable=False),
    sa.Column("began_at", sa.Double, nullable=False),
    sa.Column("until", sa.Double, nullable=False),
    sa.Column("ends", sa.BigInteger),  # the break for good that this one replaces
    sa.Column("leaf", sa.BigInteger),  # its leaf in the house's book; NULL: none yet
)
sa.Index("breaks_fingerprint", breaks.c.fingerprint)
sa.Index("breaks_leaf", breaks.c.leaf)
some("breaks_user", breaks.c.user_id, where=breaks.c.user_id.is_not(None))

#: The limits that people set for themselves (data.people.limits). Rows stay for good, and are hashed in the house's
#: book. The last row of a person and kind counts. A rise waits a day.
limits = sa.Table(
    "limits",
    metadata,
    sa.Column("id", Id, primary_key=True, autoincrement=True),
    sa.Column("fingerprint", sa.Text, nullable=False),  # a keyed hash of the person, who may be forgotten
    sa.Column("user_id", sa.BigInteger),  # Discord's; NULL once the person is forgotten everywhere
    sa.Column("kind", sa.Text, nullable=False),
    sa.Column("at", sa.Double, nullable=False),
    sa.Column("most", sa.BigInteger),  # cents or hands; NULL: no limit
    sa.Column("later", sa.BigInteger),  # the higher limit to come; NULL: no limit
    sa.Column("later_at", sa.Double),  # when it rises; NULL: it does not
    sa.Column("leaf", sa.BigInteger),  # its leaf in the house's book; NULL: none yet
)
sa.Index("limits_fingerprint", limits.c.fingerprint, limits.c.kind, limits.c.id)
sa.Index("limits_leaf", limits.c.leaf)
some("limits_user", limits.c.user_id, limits.c.kind, limits.c.id, where=limits.c.user_id.is_not(None))

#: The *wishes* of people: choices that count on all servers (data.people.wishes).
wishes = sa.Table(
    "wishes",
    metadata,
    sa.Column("user_id", sa.BigInteger, primary_key=True, autoincrement=False),  # Discord's
    sa.Column("hidden", sa.Integer, nullable=False, server_default="0"),
    sa.Column("challenges", sa.Text, nullable=False, server_default="everybody"),
    sa.Column("silenced", sa.Text, nullable=False, server_default=""),  # fingerprints, one after the other
    sqlite_with_rowid=False,
)
