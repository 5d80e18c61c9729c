"""Everything the bank writes, as SQLAlchemy Core statements compiled once for the database at hand.

A press is a dozen statements; compiled beforehand they cost what they cost the bare driver.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.engine import Dialect
from sqlalchemy.sql.compiler import SQLCompiler
from sqlalchemy.sql.expression import ClauseElement

from data.schema import (
    GIFT,
    LIVE,
    OPEN,
    WAITING,
    causes,
    forgotten,
    guilds,
    jobs,
    keys,
    members,
    plays,
    pots,
    rounds,
    rule_sets,
    steps,
    stops,
    tables,
    tallies,
    transfers,
)

#: Rounds before a member has a win rate.
ENOUGH: Final = 20
MILLION: Final = 1_000_000


@dataclass(frozen=True, slots=True)
class Statement:
    """SQL in the driver's own words, and the order in which it takes its values."""

    sql: str
    names: tuple[str, ...]
    constants: Mapping[str, Any]

    def bind(self, values: Mapping[str, Any]) -> tuple[Any, ...]:
        return tuple(values[name] if name in values else self.constants[name] for name in self.names)


def compiled(construct: ClauseElement, dialect: Dialect) -> Statement:
    done = construct.compile(dialect=dialect)
    assert isinstance(done, SQLCompiler)
    constants = {name: value for name, value in done.params.items() if not name.startswith("p_")}
    return Statement(done.string, tuple(done.positiontup or ()), constants)


def _p(name: str, kind: sa.types.TypeEngine[Any] | None = None) -> sa.BindParameter[Any]:
    return sa.bindparam(f"p_{name}", type_=kind)


def _all(table: sa.Table, *left_out: str) -> dict[str, Any]:
    return {column.name: _p(column.name, column.type) for column in table.columns if column.name not in left_out}


class Statements:
    """One of each. Values are given as ``p_column``."""

    def __init__(self, dialect: Dialect) -> None:
        self._dialect = dialect
        self._insert: Any = {"sqlite": sqlite.insert, "postgresql": postgresql.insert}[dialect.name]
        self._people()
        self._chips()
        self._tables()
        self._rounds()
        self._odds_and_ends()
        self._questions()

    def _make(self, construct: ClauseElement) -> Statement:
        return compiled(construct, self._dialect)

    def _once(self, table: sa.Table, *left_out: str) -> Statement:
        """An insert that changes no row when the key is taken."""
        return self._make(self._insert(table).values(**_all(table, *left_out)).on_conflict_do_nothing())

    def _kept(self, table: sa.Table) -> Statement:
        """An insert that replaces what has the same key."""
        row = self._insert(table).values(**_all(table))
        rest = {column.name: row.excluded[column.name] for column in table.columns if not column.primary_key}
        return self._make(row.on_conflict_do_update(index_elements=list(table.primary_key.columns), set_=rest))

    # -- people --------------------------------------------------------------------------------------------------

    def _people(self) -> None:
        me = members.c.id == _p("member")
        self.open_member = self._make(
            self._insert(members)
            .values({name: _p(name) for name in ("guild", "user_id", "balance", "daily_at", "helped_at")})
            .on_conflict_do_nothing()
        )
        nobody = {"user_id": None, "language": None, "warnings": 1, "phrase": "", "stale": 1}
        nobody |= {"daily_at": None, "helped_at": None, "streak": 0}
        self.forget_member = self._make(
            sa.update(members).values(**nobody).where(me, members.c.user_id == _p("user_id"))
        )
        self.remember = self._kept(forgotten)
        self.forget_fingerprints = self._make(sa.delete(forgotten).where(forgotten.c.at <= _p("at")))
        self.make_key = self._once(keys)
        self.open_with_chips = self._make(
            sa.insert(transfers).from_select(
                ["key", "guild", "source", "target", "amount", "reason", "at"],
                sa.select(
                    sa.literal("open/", sa.Text) + sa.cast(members.c.id, sa.Text),
                    members.c.guild,
                    sa.literal("mint", sa.Text),
                    sa.literal("member/", sa.Text) + sa.cast(members.c.id, sa.Text),
                    members.c.balance,
                    sa.literal("opening", sa.Text),
                    _p("at", sa.Double()),
                ).where(members.c.guild == _p("guild"), members.c.user_id == _p("user_id")),
            )
        )
        self.daily = self._make(
            sa.update(members)
            .values(daily_at=_p("at"), streak=_p("streak"))
            .where(me, members.c.daily_at.is_not_distinct_from(_p("seen", sa.Double())))
        )
        self.helped = self._make(
            sa.update(members)
            .values(helped_at=_p("at"))
            .where(
                me, members.c.balance < _p("poor"), members.c.helped_at.is_not_distinct_from(_p("seen", sa.Double()))
            )
        )
        counted = ("counted_balance", "counted_winnings", "counted_rate")
        seen = [
            members.c[name].is_not_distinct_from(_p(f"seen_{name}", sa.BigInteger()))
            for name in ("balance", "winnings", "rounds", "rate", "user_id", *counted)
        ]
        self.counted = self._make(
            sa.update(members).values(**{name: _p(name) for name in counted}, stale=0).where(me, *seen)
        )
        self.member_settings = self._make(
            sa.update(members).values(language=_p("language"), warnings=_p("warnings"), phrase=_p("phrase")).where(me)
        )

    # -- chips -----------------------------------------------------------------------------------------------------

    def _chips(self) -> None:
        amount = _p("amount", sa.BigInteger())
        here = sa.and_(members.c.id == _p("member"), members.c.guild == _p("guild"))
        self.credit_member = self._make(
            sa.update(members).values(balance=members.c.balance + amount, stale=1).where(here)
        )
        self.debit_member = self._make(
            sa.update(members)
            .values(balance=members.c.balance - amount, stale=1)
            .where(here, members.c.balance >= amount)
        )
        upsert = self._insert(pots).values(guild=_p("guild"), name=_p("name"), balance=amount)
        self.credit_pot = self._make(
            upsert.on_conflict_do_update(
                index_elements=[pots.c.guild, pots.c.name],
                set_={"balance": pots.c.balance + upsert.excluded.balance},
                where=pots.c.closed == 0,
            )
        )
        self.debit_pot = self._make(
            sa.update(pots)
            .values(balance=pots.c.balance - amount)
            .where(pots.c.guild == _p("guild"), pots.c.name == _p("name"), pots.c.balance >= amount)
        )
        closed = self._insert(pots).values(guild=_p("guild"), name=_p("name"), balance=0, closed=1)
        self.close_escrow = self._make(
            closed.on_conflict_do_update(index_elements=[pots.c.guild, pots.c.name], set_={"closed": 1})
        )
        self.transfer = self._once(transfers, "id")
        given = (
            sa.select(sa.func.coalesce(sa.func.sum(transfers.c.amount), 0))
            .where(
                transfers.c.guild == _p("guild", sa.BigInteger()),
                transfers.c.source == _p("name", sa.Text()),
                GIFT,
                transfers.c.at > _p("since", sa.Double()),
            )
            .scalar_subquery()
        )
        at_stake = (
            sa.select(transfers.c.id)
            .join(pots, sa.and_(pots.c.guild == transfers.c.guild, pots.c.name == transfers.c.target))
            .where(pots.c.guild == _p("guild", sa.BigInteger()), LIVE)
        )
        mine = sa.or_(transfers.c.source == _p("name", sa.Text()), transfers.c.source.like(_p("stack", sa.Text())))
        self.nothing_at_stake = self._make(at_stake.where(mine).limit(sa.literal_column("1")))
        self.within_gift_cap = self._make(sa.select(sa.literal_column("1")).where(given <= _p("cap", sa.BigInteger())))

    # -- the journal -------------------------------------------------------------------------------------------------

    def _tables(self) -> None:
        self.cause = self._once(causes)
        self.no_stop = self._make(sa.select(stops.c.id))
        here = (tables.c.guild == _p("guild"), tables.c.doc.like(_p("naming")))
        self.at_no_table = self._make(sa.select(tables.c.id).where(OPEN, *here).limit(sa.literal_column("1")))
        self.scrub_table = self._make(sa.update(tables).values(doc=_p("doc")).where(tables.c.id == _p("id"), ~OPEN))
        self.new_table = self._once(tables)
        changing = {name: _p(name) for name in ("doc", "version", "open", "deadline", "channel")}
        self.move_table = self._make(
            sa.update(tables)
            .values(**changing)
            .where(tables.c.id == _p("id"), tables.c.version == _p("was", sa.Integer()), tables.c.guild == _p("guild"))
        )

    def _rounds(self) -> None:
        this = sa.and_(rounds.c.table_id == _p("table_id"), rounds.c.number == _p("number"))
        playing = sa.and_(this, rounds.c.dealt_at.is_not(None), rounds.c.finished_at.is_(None))
        sealing = ("table_id", "number", "guild", "seed", "commitment", "code", "version", "scheme")
        self.seal = self._make(
            self._insert(rounds).values(**{name: _p(name) for name in sealing}).on_conflict_do_nothing()
        )
        dealing = ("version", "scheme", "game", "rules_name", "rules", "stakes", "members", "inputs", "dealt_at")
        self.deal = self._make(
            sa.update(rounds).values(**{name: _p(name) for name in dealing}).where(this, rounds.c.dealt_at.is_(None))
        )
        self.step = self._make(
            self._insert(steps)
            .from_select(
                [column.name for column in steps.columns],
                sa.select(*[_p(column.name, column.type) for column in steps.columns]).where(
                    sa.exists(sa.select(rounds.c.number).where(playing))
                ),
            )
            .on_conflict_do_nothing()
        )
        owing = sa.select(pots.c.name).where(
            pots.c.guild == rounds.c.guild, pots.c.name == _p("escrow", sa.Text()), pots.c.balance != 0
        )
        self.finish = self._make(
            sa.update(rounds)
            .values(lines=_p("lines"), outcome=_p("outcome"), finished_at=_p("at"))
            .where(playing, ~sa.exists(owing))
        )
        self.play = self._once(plays)
        one_more, won = members.c.rounds + 1, members.c.won + _p("won", sa.Integer())
        self.score = self._make(
            sa.update(members)
            .values(
                rounds=one_more,
                won=won,
                winnings=members.c.winnings + _p("net", sa.BigInteger()),
                rate=sa.case((one_more >= ENOUGH, sa.cast(won, sa.BigInteger) * MILLION // one_more)),
                stale=1,
            )
            .where(members.c.id == _p("member"))
        )

    # -- the rest ------------------------------------------------------------------------------------------------------

    def _odds_and_ends(self) -> None:
        self.stop = self._make(sa.insert(stops).values(reason=_p("reason"), at=_p("at")))
        self.go_on = self._make(sa.delete(stops))
        self.post_job = self._once(jobs, "claimed_by", "claimed_until", "done_at")
        free = sa.or_(jobs.c.claimed_until.is_(None), jobs.c.claimed_until <= _p("now", sa.Double()))
        this = jobs.c.key == _p("key")
        self.claim_job = self._make(
            sa.update(jobs).values(claimed_by=_p("by"), claimed_until=_p("until")).where(this, WAITING, free)
        )
        mine = sa.and_(this, WAITING, jobs.c.claimed_by == _p("by"))
        self.renew_job = self._make(sa.update(jobs).values(claimed_until=_p("until")).where(mine))
        self.finish_job = self._make(sa.update(jobs).values(done_at=_p("at")).where(mine))
        self.release_job = self._make(
            sa.update(jobs).values(claimed_by=None, claimed_until=None, due=_p("due")).where(mine)
        )
        self.cancel_job = self._make(sa.update(jobs).values(done_at=_p("at")).where(this, WAITING))
        here = (jobs.c.guild == _p("guild"), jobs.c.payload.like(_p("naming")))
        self.in_no_job = self._make(sa.select(jobs.c.key).where(WAITING, *here).limit(sa.literal_column("1")))
        self.scrub_job = self._make(sa.update(jobs).values(payload=_p("payload")).where(this))
        self.keep_rules = self._kept(rule_sets)
        self.keep_guild = self._kept(guilds)
        which = (rule_sets.c.guild == _p("guild"), rule_sets.c.game == _p("game"), rule_sets.c.name == _p("name"))
        self.drop_rules = self._make(sa.delete(rule_sets).where(*which))
        tally = self._insert(tallies).values(**_all(tallies))
        self.tally = self._make(
            tally.on_conflict_do_update(
                index_elements=list(tallies.primary_key.columns),
                set_={"people": tallies.c.people + tally.excluded.people},
            )
        )

    def _questions(self) -> None:
        """What every press asks."""
        known = sa.and_(members.c.guild == _p("guild"), members.c.user_id == _p("user_id"))
        self.find_member = self._make(sa.select(members.c.id, members.c.balance).where(known))
        self._balances: dict[int, Statement] = {}

    def balances(self, people: int) -> Statement:
        """Of so many members, called ``p_0``, ``p_1`` ..."""
        if people not in self._balances:
            these = members.c.id.in_([_p(str(number), sa.BigInteger()) for number in range(people)])
            self._balances[people] = self._make(sa.select(members.c.id, members.c.balance).where(these))
        return self._balances[people]


_made: dict[str, Statements] = {}


def statements(dialect: Dialect) -> Statements:
    """Compiled once in the life of the process."""
    if dialect.name not in _made:
        _made[dialect.name] = Statements(dialect)
    return _made[dialect.name]
