"""The database tables of Today's five and of other sets: the same deals for several people."""

from __future__ import annotations

from typing import Final

import sqlalchemy as sa

from data.base.metadata import Id, metadata, some

#: The people who play sets: one row for each, on however many servers they are members.
people = sa.Table(
    "people",
    metadata,
    sa.Column("id", Id, primary_key=True, autoincrement=True),
    sa.Column("user_id", sa.BigInteger, unique=True),  # Discord's; NULL once forgotten
)

#: Chains of seeds for sets: each for a thousand days, or for one duel or tournament. Towards the end of a chain for the
#: days, the next one is open too.
streams = sa.Table(
    "streams",
    metadata,
    sa.Column("id", Id, primary_key=True, autoincrement=True),
    sa.Column("root", sa.LargeBinary, nullable=False),
    sa.Column("tip", sa.Text, nullable=False),
    sa.Column("first_day", sa.Integer),  # the first of a thousand days; NULL: its set is a duel's or a tournament's
    sa.Column("began_at", sa.Double, nullable=False),
    sa.Column("ended_at", sa.Double),
    sa.Column("why", sa.Text),
)
OPEN_STREAM: Final = streams.c.ended_at.is_(None)
sa.Index("streams_tip", streams.c.tip)
OF_DAYS: Final = streams.c.first_day.is_not(None)
some("streams_of_days", streams.c.first_day, where=OF_DAYS)
sa.Index("streams_days", streams.c.first_day, unique=True, sqlite_where=OPEN_STREAM, postgresql_where=OPEN_STREAM)

sets = sa.Table(
    "sets",
    metadata,
    sa.Column("id", Id, primary_key=True, autoincrement=True),
    sa.Column("kind", sa.Text, nullable=False),
    sa.Column("guild", sa.BigInteger),  # NULL: everybody's
    sa.Column("day", sa.Integer),  # since 1 January 1970
    sa.Column("stream", sa.BigInteger, sa.ForeignKey("streams.id"), nullable=False),
    sa.Column("link", sa.Integer, nullable=False),  # the number of its seed in the stream
    sa.Column("name", sa.Text, nullable=False),  # the rule set's
    sa.Column("rules", sa.Text, nullable=False),
    sa.Column("width", sa.Integer, nullable=False),
    sa.Column("filter", sa.Integer, nullable=False),
    sa.Column("valuation", sa.Integer, nullable=False),
    sa.Column("deals", sa.Text, nullable=False),  # their numbers in the stream, and what they ask
    sa.Column("answers", sa.Text, nullable=False),
    sa.Column("opens", sa.Double, nullable=False),
    sa.Column("closes", sa.Double, nullable=False),
    sa.Column("void", sa.Integer, nullable=False, server_default="0"),
    sa.Column("leaf", sa.BigInteger),  # its leaf in the house's book; NULL: none yet
    sa.Column("tournament", sa.BigInteger),  # everybody in it plays the set; NULL: a day or a duel
    sa.UniqueConstraint("stream", "link"),
)
BOUND_SET: Final = sets.c.leaf.is_not(None)
VALID: Final = sets.c.void == sa.literal_column("0")
sa.Index("sets_days", sets.c.day, unique=True, sqlite_where=VALID, postgresql_where=VALID)
#: The kinds of sets.
DAY_SET: Final = "day"
DUEL_SET: Final = "duel"
SAME_SET: Final = "same"
_of_tournament = sets.c.tournament.is_not(None)
sa.Index(
    "sets_tournament", sets.c.tournament, unique=True, sqlite_where=_of_tournament, postgresql_where=_of_tournament
)
some("sets_loose", sets.c.closes, where=~BOUND_SET)
sa.Index("sets_leaf", sets.c.leaf)

#: One person's way through a set: a row that each press changes. A day played again later has a row of its own.
tries = sa.Table(
    "tries",
    metadata,
    sa.Column("set", sa.BigInteger, sa.ForeignKey("sets.id"), primary_key=True, autoincrement=False),
    sa.Column("person", sa.BigInteger, sa.ForeignKey("people.id"), primary_key=True, autoincrement=False),
    sa.Column("archive", sa.Integer, primary_key=True, autoincrement=False),  # 1: played after the day, for nothing
    sa.Column("version", sa.Integer, nullable=False),
    sa.Column("steps", sa.Text, nullable=False),
    sa.Column("began_at", sa.Double, nullable=False),
    sa.Column("finished_at", sa.Double),
    sa.Column("points", sa.Integer),  # hundredths; NULL until it is finished
    sa.Column("shown_at", sa.Double),  # when the current hand was shown; NULL: no time runs
    sqlite_with_rowid=False,
)
COUNTED: Final = sa.and_(tries.c.archive == sa.literal_column("0"), tries.c.finished_at.is_not(None))
sa.Index("tries_person", tries.c.person, tries.c.set)

#: The servers on whose board of a set a person stands, with the points of the try.
standings = sa.Table(
    "standings",
    metadata,
    sa.Column("set", sa.BigInteger, sa.ForeignKey("sets.id"), primary_key=True, autoincrement=False),
    sa.Column("person", sa.BigInteger, sa.ForeignKey("people.id"), primary_key=True, autoincrement=False),
    sa.Column("guild", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("points", sa.Integer),  # the try's
    sqlite_with_rowid=False,
)
sa.Index("standings_person", standings.c.person, standings.c.set)
SCORED: Final = standings.c.points.is_not(None)
_ranked = (standings.c.guild, standings.c.set, standings.c.points.desc(), standings.c.person)
some("standings_board", *_ranked, where=SCORED)

#: The times in which no process of the house gave a sign of life.
outages = sa.Table(
    "outages",
    metadata,
    sa.Column("began_at", sa.Double, primary_key=True),
    sa.Column("ended_at", sa.Double, nullable=False),
)

#: Duels (data.sets.duels). Each has a set of its own, on which its players have their tries.
duels = sa.Table(
    "duels",
    metadata,
    sa.Column("id", sa.BigInteger, primary_key=True, autoincrement=False),  # the number of the press that challenged
    sa.Column("guild", sa.BigInteger, nullable=False),
    sa.Column("channel", sa.BigInteger, nullable=False),
    sa.Column("message", sa.BigInteger),  # the challenge; NULL: it is not known to be posted
    sa.Column("set", sa.BigInteger, sa.ForeignKey("sets.id"), nullable=False, unique=True),
    sa.Column("state", sa.Text, nullable=False),
    sa.Column("ending", sa.Text),
    sa.Column("level", sa.Text),  # the level of a computer player; NULL: a member is challenged
    sa.Column("offered", sa.BigInteger, nullable=False),  # the stake of the challenge, in cents
    sa.Column("stake", sa.BigInteger, nullable=False),  # the same, or 0 once it is accepted for fun
    sa.Column("challenger", sa.BigInteger, sa.ForeignKey("members.id"), nullable=False),
    sa.Column("challenged", sa.BigInteger, sa.ForeignKey("members.id")),
    sa.Column("first", sa.BigInteger, sa.ForeignKey("people.id"), nullable=False),  # the persons behind both
    sa.Column("second", sa.BigInteger, sa.ForeignKey("people.id")),
    sa.Column("made_at", sa.Double, nullable=False),
    sa.Column("accepted_at", sa.Double),
    sa.Column("deadline", sa.Double, nullable=False),  # the end of the challenge, then of the duel
    sa.Column("ended_at", sa.Double),
    sa.Column("winner", sa.BigInteger, sa.ForeignKey("members.id")),
    sa.Column("done", sa.Integer, nullable=False, server_default="0"),  # players who have finished
    sa.Column("called", sa.Integer, nullable=False, server_default="0"),  # 1: those who wish were called to the end
    sa.Column("told", sa.Integer, nullable=False, server_default="0"),  # 1: its end was posted
    sa.Column("version", sa.Integer, nullable=False),
)
OPEN_DUEL: Final = duels.c.ended_at.is_(None)
some("duels_due", duels.c.deadline, where=duels.c.told == sa.literal_column("0"))
some("duels_first", duels.c.first, where=OPEN_DUEL)
some("duels_second", duels.c.second, where=OPEN_DUEL)
sa.Index("duels_guild", duels.c.guild, duels.c.ended_at)
sa.Index("duels_challenger", duels.c.challenger, duels.c.ended_at)
sa.Index("duels_challenged", duels.c.challenged, duels.c.ended_at)
