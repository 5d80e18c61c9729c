"""The database tables of the bank, written once for SQLite and PostgreSQL.

There are only plain columns: integers (cents, Discord's ids), text (words, JSON, names of accounts), bytes, floats
(seconds since 1970, expected results). Writes go through compiled statements (`data.drivers.statement`) without
SQLAlchemy's processing of values, so a column must mean the same to SQLite and to PostgreSQL.
"""

from __future__ import annotations

from typing import Final

import sqlalchemy as sa

from data.base.care import breaks as breaks
from data.base.care import limits as limits
from data.base.care import wishes as wishes
from data.base.club import holdings as holdings
from data.base.club import notices as notices
from data.base.club import wares as wares
from data.base.metadata import Id, cents, some
from data.base.metadata import by_index as by_index
from data.base.metadata import metadata as metadata
from data.base.resets import OPEN_RESET as OPEN_RESET
from data.base.resets import resets as resets
from data.base.season_tables import member_days as member_days
from data.base.season_tables import season_places as season_places
from data.base.season_tables import season_points as season_points
from data.base.set_tables import duels as duels
from data.base.set_tables import sets as sets
from data.base.training import training as training

#: The newest migration. A database whose migration is not in `data/migrations/versions` is of a later release.
HEAD: Final = "0032"

# -- people ------------------------------------------------------------------------------------------------------------

members = sa.Table(
    "members",
    metadata,
    sa.Column("id", Id, primary_key=True, autoincrement=True),
    sa.Column("guild", sa.BigInteger, nullable=False),
    sa.Column("user_id", sa.BigInteger),  # Discord's; NULL once forgotten
    cents("balance"),
    # results in rounds with real chips
    cents("winnings"),
    sa.Column("rounds", sa.Integer, nullable=False, server_default="0"),
    sa.Column("won", sa.Integer, nullable=False, server_default="0"),
    sa.Column("rate", sa.Integer),  # millionths of rounds won; NULL until there are enough of them
    # titles (data.people.titles)
    sa.Column("tournaments_won", sa.Integer, nullable=False, server_default="0"),
    sa.Column("tables_won", sa.Integer, nullable=False, server_default="0"),
    sa.Column("cards_won", sa.Integer, nullable=False, server_default="0"),  # tournaments with the same cards for all
    sa.Column("first_title", sa.Double),
    # handouts
    sa.Column("daily_at", sa.Double),
    sa.Column("streak", sa.Integer, nullable=False, server_default="0"),
    sa.Column("helped_at", sa.Double),
    # the ends of the person's breaks, copied from `breaks` for the statements that move chips (data.people.breaks)
    sa.Column("resting_until", sa.Double),  # the end of any break: no chips are staked
    sa.Column("away_until", sa.Double),  # the end of a break from everything: nothing is played
    sa.Column("reset", sa.BigInteger),  # the last reset to equal chips that these chips went through
    # settings
    sa.Column("language", sa.Text),
    sa.Column("phrase", sa.Text, nullable=False, server_default=""),
    sa.Column("warnings", sa.Integer, nullable=False, server_default="0"),
    sa.Column("calls", sa.Integer, nullable=False, server_default="0"),
    sa.Column("suits", sa.Text),
    sa.Column("shown", sa.Text),
    sa.Column("hidden", sa.Integer, nullable=False, server_default="0"),  # kept off leaderboards; copied from `wishes`
    # the values that the ladders have counted (data.people.ladder); stale: something changed since
    sa.Column("counted_balance", sa.BigInteger),
    sa.Column("counted_winnings", sa.BigInteger),
    sa.Column("counted_rate", sa.BigInteger),
    sa.Column("stale", sa.Integer, nullable=False, server_default="1"),
    sa.UniqueConstraint("guild", "user_id"),
    sa.CheckConstraint("balance >= 0", name="never_in_debt"),
)

#: Conditions on members, above all those of the ladders. Indexes and queries share them, so that the indexes are used.
KNOWN: Final = members.c.user_id.is_not(None)
LISTED: Final = sa.and_(KNOWN, members.c.hidden == sa.literal_column("0"))
SEASONED: Final = sa.and_(LISTED, members.c.rounds > sa.literal_column("0"))
RATED: Final = sa.and_(LISTED, members.c.rate.is_not(None))
CHAMPION: Final = sa.and_(members.c.first_title.is_not(None), LISTED)
STALE: Final = members.c.stale == sa.literal_column("1")
for _column, _who in ((members.c.balance, LISTED), (members.c.winnings, SEASONED), (members.c.rate, RATED)):
    some(f"members_by_{_column.name}", members.c.guild, _column.desc(), members.c.id, where=_who)
_won = (members.c.tournaments_won.desc(), members.c.tables_won.desc(), members.c.first_title, members.c.id)
some("members_by_titles", members.c.guild, *_won, where=CHAMPION)
some("members_stale", members.c.guild, members.c.id, where=STALE)
some("members_user", members.c.user_id, where=KNOWN)
some("members_hidden", members.c.guild, members.c.id, where=members.c.hidden == sa.literal_column("1"))
some("members_resting", members.c.guild, where=members.c.resting_until.is_not(None))

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
    sa.Column("house", sa.Text, nullable=False, server_default="{}"),  # settings that differ from the defaults
    sa.Column("language", sa.Text),
    sa.Column("channels", sa.Text, nullable=False, server_default="[]"),
    sa.Column("zone", sa.Text, nullable=False, server_default="UTC"),
    sa.Column("account_days", sa.Integer, nullable=False, server_default="0"),
    sa.Column("server_days", sa.Integer, nullable=False, server_default="0"),
    sa.Column("suits", sa.Text, nullable=False, server_default="two"),
    sa.Column("shown", sa.Text, nullable=False, server_default="pictures"),
    sa.Column("log_channel", sa.BigInteger),  # NULL: no log
    sa.Column("currency", sa.Text),  # the names of chips: one, many, emoji; NULL: chips
    sa.Column("season", sa.Text, nullable=False, server_default="month"),  # the length of a season
    sa.Column("day_post", sa.Text),  # channel, hour, first day and role of the message about Today's five; NULL: none
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

#: All accounts with a stored balance, such as stacks, escrows and pools, but no wallets: those are in `members`.
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
some("pots_live", pots.c.guild, where=LIVE)

transfers = sa.Table(
    "transfers",
    metadata,
    sa.Column("id", Id, primary_key=True, autoincrement=True),
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
# Both indexes include the amount and the time. So any sum, even that of the last day, is read from the index only.
sa.Index("transfers_source", transfers.c.guild, transfers.c.source, transfers.c.at, transfers.c.amount)
sa.Index(
    "transfers_target", transfers.c.guild, transfers.c.target, transfers.c.at, transfers.c.source, transfers.c.amount
)
GIFT: Final = transfers.c.reason == sa.literal_column("'gift'")
some("transfers_gifts", transfers.c.guild, transfers.c.source, transfers.c.at, where=GIFT)
some("transfers_gifts_to", transfers.c.guild, transfers.c.target, transfers.c.at, where=GIFT)

#: While there is a row, no new stake is accepted.
stops = sa.Table(
    "stops",
    metadata,
    sa.Column("id", Id, primary_key=True, autoincrement=True),
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
    sa.Column("causes_from", sa.Integer, nullable=False, server_default="0"),  # causes up to this version may be gone
)
OPEN_TABLE: Final = tables.c.open == sa.literal_column("1")
some("tables_open", tables.c.guild, where=OPEN_TABLE)

#: The causes of changes (presses, time-outs), each stored once, so that none counts twice.
causes = sa.Table(
    "causes",
    metadata,
    sa.Column("cause", sa.Text, primary_key=True),
    sa.Column("at", sa.Double, nullable=False),
    sa.Column("of", sa.BigInteger),  # the table or tournament
    sa.Column("version", sa.Integer),  # the version that the change made
    sqlite_with_rowid=False,
)
sa.Index("causes_of", causes.c.of, causes.c.version)

#: Promises that cover many chains of a channel. At most one of a channel still has chains for places to take.
promises = sa.Table(
    "promises",
    metadata,
    sa.Column("id", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("guild", sa.BigInteger, nullable=False),
    sa.Column("channel", sa.BigInteger, nullable=False),
    sa.Column("root", sa.LargeBinary, nullable=False),
    sa.Column("tip", sa.Text, nullable=False),  # the top of the tree over the tips, which the message shows
    sa.Column("tips", sa.LargeBinary, nullable=False),  # the tips of its chains, one after the other
    sa.Column("message", sa.BigInteger),  # NULL: it is not known to be posted
    sa.Column("slots", sa.Integer, nullable=False),  # chains that places have taken
    sa.Column("began_at", sa.Double, nullable=False),
    sa.Column("ended_at", sa.Double),
    sa.Column("why", sa.Text),  # why it was given up, or is over
)
OPEN_PROMISE: Final = promises.c.ended_at.is_(None)
HAS_SLOTS: Final = sa.and_(promises.c.why.is_(None), promises.c.slots < sa.literal_column("256"))
sa.Index("promises_in_use", promises.c.channel, unique=True, sqlite_where=HAS_SLOTS, postgresql_where=HAS_SLOTS)
sa.Index("promises_channel", promises.c.channel, promises.c.ended_at)

#: Chains of seeds (schemes 2 and 3), one open at a time for each place.
chains = sa.Table(
    "chains",
    metadata,
    sa.Column("id", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("place", sa.Text, nullable=False),
    sa.Column("guild", sa.BigInteger, nullable=False),
    sa.Column("channel", sa.BigInteger, nullable=False),
    sa.Column("root", sa.LargeBinary, nullable=False),
    sa.Column("tip", sa.Text, nullable=False),
    sa.Column("message", sa.BigInteger),  # the message that promised it; NULL: it is not known to be posted
    sa.Column("used", sa.Integer, nullable=False),  # rounds dealt
    sa.Column("last", sa.Text, nullable=False),  # the hash of the place's last finished round
    sa.Column("began_at", sa.Double, nullable=False),
    sa.Column("ended_at", sa.Double),
    sa.Column("why", sa.Text),
    sa.Column("finished", sa.Integer, nullable=False, server_default="0"),  # rounds dealt and over
    sa.Column("member", sa.BigInteger),  # its owner; NULL: several share it, or an earlier release began it
    sa.Column("phrase", sa.Text, nullable=False, server_default=""),  # that member's
    sa.Column("promise", sa.BigInteger),  # the promise that covers it and others; NULL: it has a message of its own
    sa.Column("slot", sa.Integer, nullable=False, server_default="0"),  # its number there, from 1
    sa.Column("path", sa.LargeBinary),  # the hashes that lead from its tip to what that promise shows
)
_shares = chains.c.promise.is_not(None)
_slot = chains.c.promise, chains.c.slot
sa.Index("chains_slot", *_slot, unique=True, sqlite_where=_shares, postgresql_where=_shares)
some("chains_of_members", chains.c.member, chains.c.began_at, where=chains.c.member.is_not(None))
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

#: The rules that rounds were dealt by: each text once, under its SHA-256 (data.journal.round_rows).
rule_texts = sa.Table(
    "rule_texts",
    metadata,
    sa.Column("hash", sa.LargeBinary, primary_key=True),
    sa.Column("text", sa.Text, nullable=False),
    sqlite_with_rowid=False,
)

rounds = sa.Table(
    "rounds",
    metadata,
    sa.Column("table_id", sa.BigInteger, sa.ForeignKey("tables.id"), primary_key=True, autoincrement=False),
    sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("guild", sa.BigInteger, nullable=False),
    sa.Column("seed", sa.LargeBinary, nullable=False),
    sa.Column("commitment", sa.Text, nullable=False),  # empty: the tip of its chain
    sa.Column("code", sa.Text, nullable=False),  # its public name: a mark, or the commitment's beginning
    sa.Column("version", sa.Integer, nullable=False),
    sa.Column("scheme", sa.Text, nullable=False),
    sa.Column("game", sa.Text),
    sa.Column("rules_name", sa.Text),
    sa.Column("rules", sa.Text),  # NULL: named by `rules_hash`, or in a pack
    sa.Column("stakes", sa.Text),
    sa.Column("members", sa.Text),
    sa.Column("inputs", sa.Text),
    sa.Column("dealt_at", sa.Double),
    sa.Column("lines", sa.Text),
    sa.Column("outcome", sa.Text),  # the hash of the lines; NULL: the hash of the record covers them
    sa.Column("finished_at", sa.Double),
    # schemes 2 and 3
    sa.Column("chain", sa.BigInteger),
    sa.Column("link", sa.Integer),  # the number of the round in its chain
    sa.Column("players", sa.Text),
    sa.Column("phrase", sa.Text),
    sa.Column("previous", sa.Text),  # hash of the place's round before
    sa.Column("hash", sa.Text),  # the hash of the whole record
    sa.Column("pack", sa.BigInteger),  # the pack with the rest of the round, once compressed
    sa.Column("leaf", sa.BigInteger),  # its leaf in the guild's book; NULL: none yet
    sa.Column("build", sa.Integer),  # scheme 3: the version of the game
    sa.Column("rules_hash", sa.LargeBinary),  # the hash of a text in `rule_texts`
)
sa.Index("rounds_code", rounds.c.guild, rounds.c.code)
sa.Index("rounds_leaf", rounds.c.leaf, rounds.c.guild)
#: The condition of a round that is over and not in a pack.
LOOSE: Final = sa.and_(rounds.c.finished_at.is_not(None), rounds.c.pack.is_(None))
some("rounds_loose", rounds.c.guild, rounds.c.finished_at, where=LOOSE)

#: Each guild's book: transfers and finished rounds, bound by a chain of hashes (data.journal.leaves). Leaves that were
#: bound together have the same number and the same stretch of transfers.
leaves = sa.Table(
    "leaves",
    metadata,
    sa.Column("number", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("guild", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("place", sa.BigInteger, nullable=False),  # its number in the guild's book; the first is 1
    sa.Column("since", sa.BigInteger, nullable=False),  # the last transfer of the leaves before
    sa.Column("until", sa.BigInteger, nullable=False),  # the last that may be in this one
    sa.Column("transfers", sa.Integer, nullable=False),
    sa.Column("rounds", sa.Integer, nullable=False),
    sa.Column("head", sa.Text, nullable=False),
    sa.Column("at", sa.Double, nullable=False),
    sa.Column("breaks", sa.Integer, nullable=False, server_default="0"),  # only in the house's own book
    sa.Column("limits", sa.Integer, nullable=False, server_default="0"),  # only in the house's own book
    sa.Column("sets", sa.Integer, nullable=False, server_default="0"),  # only in the house's own book
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
    sa.Column("purse", sa.BigInteger),  # the seat's chips besides its stakes; NULL: more than anything could cost
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

#: Grades of finished rounds with real chips, in cents. They follow from the journal: a lost one is worked out again.
grades = sa.Table(
    "grades",
    metadata,
    sa.Column("table_id", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("member", sa.BigInteger, sa.ForeignKey("members.id"), primary_key=True, autoincrement=False),
    sa.Column("at", sa.Double, nullable=False),  # the end of the round
    sa.Column("net", sa.BigInteger, nullable=False),
    sa.Column("expected", sa.Double),  # NULL: unknown
    sa.Column("given_away", sa.Double, nullable=False),
    sa.Column("decisions", sa.Integer, nullable=False),
    sa.Column("right", sa.Integer, nullable=False),
    sa.Column("valuation", sa.Integer, nullable=False, server_default="1"),  # an older one is worked out again
    # the number of close decisions, whose two best plays are nearly equal, and of those that were played best
    sa.Column("close", sa.Integer, nullable=False, server_default="0"),
    sa.Column("close_right", sa.Integer, nullable=False, server_default="0"),
    sa.Column("units", sa.BigInteger),  # the net result of blackjack in millionths of the stake; NULL: another game
    sa.ForeignKeyConstraint(["table_id", "number"], ["rounds.table_id", "rounds.number"]),
    sqlite_with_rowid=False,
)
sa.Index("grades_member", grades.c.member, grades.c.at)

#: Steps that were not the best ones, stored so that their members can be asked again.
mistakes = sa.Table(
    "mistakes",
    metadata,
    sa.Column("table_id", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("place", sa.Integer, primary_key=True, autoincrement=False),  # the step's
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

#: Numbers by name (data.jobs.notes), such as the time up to which rounds are graded and that of the last whole audit.
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
some("jobs_due", jobs.c.due, where=WAITING)

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
    sa.Column("causes_from", sa.Integer, nullable=False, server_default="0"),  # causes up to this version may be gone
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
    sa.Column("person", sa.BigInteger),  # the player of the same cards; NULL: not begun
    sqlite_with_rowid=False,
)
sa.Index("entries_member", entries.c.member)

titles = sa.Table(
    "titles",
    metadata,
    sa.Column("source", sa.Text, primary_key=True),  # ``table/900``, ``cup/900`` or ``same/900/7``
    sa.Column("guild", sa.BigInteger, nullable=False),
    sa.Column("member", sa.BigInteger, sa.ForeignKey("members.id"), nullable=False),
    sa.Column("at", sa.Double, nullable=False),
    sqlite_with_rowid=False,
)
sa.Index("titles_guild", titles.c.guild, titles.c.member)
