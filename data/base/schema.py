"""The database tables of the bank, once for both databases.

There are only plain columns: integers (cents, Discord's ids), text (words, JSON, names of accounts), bytes, floats
(seconds since 1970). Writes go through compiled statements (`data.drivers.statement`) without SQLAlchemy's processing
of values, so a column must mean the same to SQLite and to PostgreSQL.
"""

from __future__ import annotations

from typing import Any, Final

import sqlalchemy as sa

#: The newest migration; a database with one that is not in `data/migrations/versions` is a newer one.
HEAD: Final = "0012"

metadata = sa.MetaData()

_Id = sa.BigInteger().with_variant(sa.Integer(), "sqlite")  # SQLite numbers only INTEGER keys by itself


def _cents(name: str) -> sa.Column[int]:
    return sa.Column(name, sa.BigInteger, nullable=False, server_default="0")


def by_index(name: str) -> str:
    """Return a hint for SQLite, which keeps no statistics and may choose an index that leads through everything."""
    return f"INDEXED BY {name}"


def _some(name: str, *columns: sa.ColumnElement[Any], where: sa.ColumnElement[bool]) -> None:
    """Make an index of some rows."""
    sa.Index(name, *columns, sqlite_where=where, postgresql_where=where)


# -- people ------------------------------------------------------------------------------------------------------------

members = sa.Table(
    "members",
    metadata,
    sa.Column("id", _Id, primary_key=True, autoincrement=True),
    sa.Column("guild", sa.BigInteger, nullable=False),
    sa.Column("user_id", sa.BigInteger),  # Discord's; NULL once forgotten
    _cents("balance"),
    # results in rounds with real chips
    _cents("winnings"),
    sa.Column("rounds", sa.Integer, nullable=False, server_default="0"),
    sa.Column("won", sa.Integer, nullable=False, server_default="0"),
    sa.Column("rate", sa.Integer),  # millionths of rounds won; NULL until there are enough of them
    # titles (data.people.titles)
    sa.Column("tournaments_won", sa.Integer, nullable=False, server_default="0"),
    sa.Column("tables_won", sa.Integer, nullable=False, server_default="0"),
    sa.Column("first_title", sa.Double),
    # handouts
    sa.Column("daily_at", sa.Double),
    sa.Column("streak", sa.Integer, nullable=False, server_default="0"),
    sa.Column("helped_at", sa.Double),
    # settings
    sa.Column("language", sa.Text),
    sa.Column("phrase", sa.Text, nullable=False, server_default=""),
    sa.Column("warnings", sa.Integer, nullable=False, server_default="0"),
    sa.Column("calls", sa.Integer, nullable=False, server_default="0"),
    sa.Column("suits", sa.Text),
    sa.Column("shown", sa.Text),
    # the values that the ladders have counted (data.people.ladder); stale: something changed since
    sa.Column("counted_balance", sa.BigInteger),
    sa.Column("counted_winnings", sa.BigInteger),
    sa.Column("counted_rate", sa.BigInteger),
    sa.Column("stale", sa.Integer, nullable=False, server_default="1"),
    sa.UniqueConstraint("guild", "user_id"),
    sa.CheckConstraint("balance >= 0", name="never_in_debt"),
)

#: The members on each ladder. Queries use these very conditions, so that the indexes serve them.
KNOWN: Final = members.c.user_id.is_not(None)
SEASONED: Final = sa.and_(KNOWN, members.c.rounds > sa.literal_column("0"))
RATED: Final = sa.and_(KNOWN, members.c.rate.is_not(None))
CHAMPION: Final = sa.and_(members.c.first_title.is_not(None), KNOWN)
STALE: Final = members.c.stale == sa.literal_column("1")
for _column, _who in ((members.c.balance, KNOWN), (members.c.winnings, SEASONED), (members.c.rate, RATED)):
    _some(f"members_by_{_column.name}", members.c.guild, _column.desc(), members.c.id, where=_who)
_won = (members.c.tournaments_won.desc(), members.c.tables_won.desc(), members.c.first_title, members.c.id)
_some("members_by_titles", members.c.guild, *_won, where=CHAMPION)
_some("members_stale", members.c.guild, where=STALE)

#: The number of a guild's members in each bucket of a ladder, coarse to fine (data.people.ladder).
tallies = sa.Table(
    "tallies",
    metadata,
    sa.Column("guild", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("ladder", sa.Text, primary_key=True),
    sa.Column("level", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("stretch", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("people", sa.BigInteger, nullable=False),
    sqlite_with_rowid=False,
)

#: Keyed hashes of people who were forgotten lately (data.people.fingerprints), and the key.
forgotten = sa.Table(
    "forgotten",
    metadata,
    sa.Column("guild", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("fingerprint", sa.Text, primary_key=True),
    sa.Column("at", sa.Double, nullable=False),
)
keys = sa.Table(
    "keys",
    metadata,
    sa.Column("name", sa.Text, primary_key=True),
    sa.Column("value", sa.LargeBinary, nullable=False),
)

guilds = sa.Table(
    "guilds",
    metadata,
    sa.Column("id", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("house", sa.Text, nullable=False, server_default="{}"),  # what differs from the defaults
    sa.Column("language", sa.Text),
    sa.Column("channels", sa.Text, nullable=False, server_default="[]"),
    sa.Column("zone", sa.Text, nullable=False, server_default="UTC"),
    sa.Column("account_days", sa.Integer, nullable=False, server_default="0"),
    sa.Column("server_days", sa.Integer, nullable=False, server_default="0"),
    sa.Column("suits", sa.Text, nullable=False, server_default="two"),
    sa.Column("shown", sa.Text, nullable=False, server_default="pictures"),
)

rule_sets = sa.Table(
    "rule_sets",
    metadata,
    sa.Column("guild", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("game", sa.Text, primary_key=True),
    sa.Column("name", sa.Text, primary_key=True),
    sa.Column("rules", sa.Text, nullable=False),
)

# -- chips -------------------------------------------------------------------------------------------------------------

#: Escrows and computer players. Members keep their balance themselves; the house and the mint have none to keep.
pots = sa.Table(
    "pots",
    metadata,
    sa.Column("guild", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("name", sa.Text, primary_key=True),
    sa.Column("balance", sa.BigInteger, nullable=False),
    sa.Column("closed", sa.Integer, nullable=False, server_default="0"),  # an escrow whose round is over
    sa.CheckConstraint("balance >= 0", name="never_in_debt"),
    sqlite_with_rowid=False,
)
LIVE: Final = sa.and_(pots.c.closed == sa.literal_column("0"), pots.c.balance > sa.literal_column("0"))
_some("pots_live", pots.c.guild, where=LIVE)

transfers = sa.Table(
    "transfers",
    metadata,
    sa.Column("id", _Id, primary_key=True, autoincrement=True),
    sa.Column("key", sa.Text, nullable=False, unique=True),
    sa.Column("guild", sa.BigInteger, nullable=False),
    sa.Column("source", sa.Text, nullable=False),
    sa.Column("target", sa.Text, nullable=False),
    sa.Column("amount", sa.BigInteger, nullable=False),
    sa.Column("reason", sa.Text, nullable=False),
    sa.Column("actor", sa.BigInteger),
    sa.Column("at", sa.Double, nullable=False),
    sa.CheckConstraint("amount > 0", name="moves_something"),
    sa.CheckConstraint("source <> target", name="moves_somewhere"),
)
# with the amount: sums are read from an index alone
sa.Index("transfers_source", transfers.c.guild, transfers.c.source, transfers.c.amount)
sa.Index("transfers_target", transfers.c.guild, transfers.c.target, transfers.c.source, transfers.c.amount)
GIFT: Final = transfers.c.reason == sa.literal_column("'gift'")
_some("transfers_gifts", transfers.c.guild, transfers.c.source, transfers.c.at, where=GIFT)
_some("transfers_gifts_to", transfers.c.guild, transfers.c.target, transfers.c.at, where=GIFT)

#: While there is a row, no new stake is accepted.
stops = sa.Table(
    "stops",
    metadata,
    sa.Column("id", _Id, primary_key=True, autoincrement=True),
    sa.Column("reason", sa.Text, nullable=False),
    sa.Column("at", sa.Double, nullable=False),
)

# -- the journal ------------------------------------------------------------------------------------------------------

tables = sa.Table(
    "tables",
    metadata,
    sa.Column("id", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("guild", sa.BigInteger, nullable=False),
    sa.Column("channel", sa.BigInteger, nullable=False),
    sa.Column("game", sa.Text, nullable=False),
    sa.Column("doc", sa.Text, nullable=False),
    sa.Column("version", sa.Integer, nullable=False),
    sa.Column("open", sa.Integer, nullable=False),
    sa.Column("deadline", sa.Double),
    sa.Column("causes_from", sa.Integer, nullable=False, server_default="0"),  # older ones may be forgotten
)
OPEN_TABLE: Final = tables.c.open == sa.literal_column("1")
_some("tables_open", tables.c.guild, where=OPEN_TABLE)

#: Every change once: presses, time-outs, handouts.
causes = sa.Table(
    "causes",
    metadata,
    sa.Column("cause", sa.Text, primary_key=True),
    sa.Column("at", sa.Double, nullable=False),
    sa.Column("of", sa.BigInteger),  # the table or tournament
    sa.Column("version", sa.Integer),  # that it was brought to
    sqlite_with_rowid=False,
)
sa.Index("causes_of", causes.c.of, causes.c.version)

#: Chains of seeds (scheme 2), one open at a time for each place.
chains = sa.Table(
    "chains",
    metadata,
    sa.Column("id", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("place", sa.Text, nullable=False),
    sa.Column("guild", sa.BigInteger, nullable=False),
    sa.Column("channel", sa.BigInteger, nullable=False),
    sa.Column("root", sa.LargeBinary, nullable=False),
    sa.Column("tip", sa.Text, nullable=False),
    sa.Column("message", sa.BigInteger),  # that promised it; NULL: it is not known to stand
    sa.Column("used", sa.Integer, nullable=False),  # rounds dealt
    sa.Column("last", sa.Text, nullable=False),  # the hash of the place's last finished round
    sa.Column("began_at", sa.Double, nullable=False),
    sa.Column("ended_at", sa.Double),
    sa.Column("why", sa.Text),
    sa.Column("finished", sa.Integer, nullable=False, server_default="0"),  # rounds dealt and over
    sa.Column("member", sa.BigInteger),  # whose own place it is; NULL: several share it, or an earlier release began it
    sa.Column("phrase", sa.Text, nullable=False, server_default=""),  # of that member
)
_some("chains_of_members", chains.c.member, chains.c.began_at, where=chains.c.member.is_not(None))
OPEN_CHAIN: Final = chains.c.ended_at.is_(None)
sa.Index("chains_open", chains.c.place, unique=True, sqlite_where=OPEN_CHAIN, postgresql_where=OPEN_CHAIN)
sa.Index("chains_place", chains.c.place, chains.c.ended_at)

#: Old rounds, compressed together (data.journal.packs).
packs = sa.Table(
    "packs",
    metadata,
    sa.Column("id", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("guild", sa.BigInteger, nullable=False),
    sa.Column("rounds", sa.Integer, nullable=False),
    sa.Column("content", sa.LargeBinary, nullable=False),
    sa.Column("digest", sa.Text, nullable=False),
)

rounds = sa.Table(
    "rounds",
    metadata,
    sa.Column("table_id", sa.BigInteger, sa.ForeignKey("tables.id"), primary_key=True, autoincrement=False),
    sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("guild", sa.BigInteger, nullable=False),
    sa.Column("seed", sa.LargeBinary, nullable=False),
    sa.Column("commitment", sa.Text, nullable=False),
    sa.Column("code", sa.Text, nullable=False),  # what people call it: a mark, or the commitment's beginning
    sa.Column("version", sa.Integer, nullable=False),
    sa.Column("scheme", sa.Text, nullable=False),
    sa.Column("game", sa.Text),
    sa.Column("rules_name", sa.Text),
    sa.Column("rules", sa.Text),
    sa.Column("stakes", sa.Text),
    sa.Column("members", sa.Text),
    sa.Column("inputs", sa.Text),
    sa.Column("dealt_at", sa.Double),
    sa.Column("lines", sa.Text),
    sa.Column("outcome", sa.Text),
    sa.Column("finished_at", sa.Double),
    # scheme 2
    sa.Column("chain", sa.BigInteger),
    sa.Column("link", sa.Integer),  # the number of the round in its chain
    sa.Column("players", sa.Text),
    sa.Column("phrase", sa.Text),
    sa.Column("previous", sa.Text),  # hash of the place's round before
    sa.Column("hash", sa.Text),  # of the whole record
    sa.Column("pack", sa.BigInteger),  # where the rest of the round is, once compressed
    sa.Column("leaf", sa.BigInteger),  # of the guild's book that it is bound in; NULL: none yet
    sa.Column("build", sa.Integer),  # scheme 3: the version of the game
)
sa.Index("rounds_code", rounds.c.guild, rounds.c.code)
sa.Index("rounds_leaf", rounds.c.leaf, rounds.c.guild)
#: The condition of a round that is over and not in a pack.
LOOSE: Final = sa.and_(rounds.c.finished_at.is_not(None), rounds.c.pack.is_(None))
_some("rounds_loose", rounds.c.guild, rounds.c.finished_at, where=LOOSE)

#: Each guild's book: transfers and finished rounds, bound by a chain of hashes (data.journal.leaves). Leaves that were
#: bound together have the same number and the same stretch of transfers.
leaves = sa.Table(
    "leaves",
    metadata,
    sa.Column("number", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("guild", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("place", sa.BigInteger, nullable=False),  # in the guild's book, from 1
    sa.Column("since", sa.BigInteger, nullable=False),  # the last transfer of the leaves before
    sa.Column("until", sa.BigInteger, nullable=False),  # the last that may be in this one
    sa.Column("transfers", sa.Integer, nullable=False),
    sa.Column("rounds", sa.Integer, nullable=False),
    sa.Column("head", sa.Text, nullable=False),
    sa.Column("at", sa.Double, nullable=False),
    sa.UniqueConstraint("guild", "place"),
    sqlite_with_rowid=False,
)
sa.Index("leaves_head", leaves.c.head)

steps = sa.Table(
    "steps",
    metadata,
    sa.Column("table_id", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("place", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("seat", sa.Integer, nullable=False),
    sa.Column("action", sa.Text, nullable=False),
    sa.Column("by", sa.Text, nullable=False),
    sa.Column("at", sa.Double, nullable=False),
    sa.Column("purse", sa.BigInteger),  # what the seat had beside its stakes; NULL: more than anything could cost
    sa.ForeignKeyConstraint(["table_id", "number"], ["rounds.table_id", "rounds.number"]),
    sqlite_with_rowid=False,
)

#: The result of a finished round for each member in it.
plays = sa.Table(
    "plays",
    metadata,
    sa.Column("table_id", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("member", sa.BigInteger, sa.ForeignKey("members.id"), primary_key=True, autoincrement=False),
    sa.Column("staked", sa.BigInteger, nullable=False),
    sa.Column("returned", sa.BigInteger, nullable=False),
    sa.Column("real", sa.Integer, nullable=False),  # 0: play chips of an elimination table
    sa.Column("at", sa.Double, nullable=False),
    sa.ForeignKeyConstraint(["table_id", "number"], ["rounds.table_id", "rounds.number"]),
)
sa.Index("plays_member", plays.c.member, plays.c.at.desc())
sa.Index("plays_at", plays.c.at)

# -- how well it was played --------------------------------------------------------------------------------------------

#: Grades of finished rounds with real chips, in cents. They follow from the journal: a lost one is made again.
grades = sa.Table(
    "grades",
    metadata,
    sa.Column("table_id", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("member", sa.BigInteger, sa.ForeignKey("members.id"), primary_key=True, autoincrement=False),
    sa.Column("at", sa.Double, nullable=False),  # of the round's end
    sa.Column("net", sa.BigInteger, nullable=False),
    sa.Column("expected", sa.Double),  # NULL: unknown
    sa.Column("given_away", sa.Double, nullable=False),
    sa.Column("decisions", sa.Integer, nullable=False),
    sa.Column("right", sa.Integer, nullable=False),
    sa.Column("valuation", sa.Integer, nullable=False, server_default="1"),  # of an older one: it is worked out again
    sa.ForeignKeyConstraint(["table_id", "number"], ["rounds.table_id", "rounds.number"]),
    sqlite_with_rowid=False,
)
sa.Index("grades_member", grades.c.member, grades.c.at)

#: Steps that were not the best ones, to be asked again.
mistakes = sa.Table(
    "mistakes",
    metadata,
    sa.Column("table_id", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("place", sa.Integer, primary_key=True, autoincrement=False),  # of the step
    sa.Column("member", sa.BigInteger, sa.ForeignKey("members.id"), nullable=False),
    sa.Column("at", sa.Double, nullable=False),
    sa.Column("loss", sa.Double, nullable=False),  # cents
    sa.Column("doc", sa.Text, nullable=False),  # the hand, and what each action was worth
    sa.Column("due", sa.Double),  # when it is asked again; NULL: it is learned
    sa.Column("streak", sa.Integer, nullable=False, server_default="0"),  # right answers in a row
    sa.ForeignKeyConstraint(["table_id", "number"], ["rounds.table_id", "rounds.number"]),
    sqlite_with_rowid=False,
)
sa.Index("mistakes_member", mistakes.c.member, mistakes.c.loss.desc())

#: The times up to which work that goes through the whole journal is done (data.jobs.marks).
marks = sa.Table(
    "marks",
    metadata,
    sa.Column("name", sa.Text, primary_key=True),
    sa.Column("at", sa.Double, nullable=False),
)

# -- work to do --------------------------------------------------------------------------------------------------------

jobs = sa.Table(
    "jobs",
    metadata,
    sa.Column("key", sa.Text, primary_key=True),
    sa.Column("kind", sa.Text, nullable=False),
    sa.Column("guild", sa.BigInteger),
    sa.Column("payload", sa.Text, nullable=False),
    sa.Column("due", sa.Double, nullable=False),
    sa.Column("claimed_by", sa.Text),
    sa.Column("claimed_until", sa.Double),
    sa.Column("done_at", sa.Double),
)
WAITING: Final = jobs.c.done_at.is_(None)
_some("jobs_due", jobs.c.due, where=WAITING)

# -- competitions ------------------------------------------------------------------------------------------------------

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
OPEN_TOURNAMENT: Final = tournaments.c.open == sa.literal_column("1")
sa.Index("tournaments_open", tournaments.c.guild, sqlite_where=OPEN_TOURNAMENT, postgresql_where=OPEN_TOURNAMENT)

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
