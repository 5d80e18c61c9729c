"""What the bank writes of tables and rounds: in one order only, and each step once."""

from __future__ import annotations

from typing import Final

import sqlalchemy as sa
from sqlalchemy.engine import Dialect

from data.drivers.statement import Maker, p
from data.schema import OPEN_CHAIN, chains, members, plays, pots, rounds, steps, tables
from engine.fairness.chain import LENGTH

#: Rounds before a member has a win rate.
ENOUGH: Final = 20
MILLION: Final = 1_000_000


class JournalStatements(Maker):
    """Causes, tables, rounds, results."""

    def __init__(self, dialect: Dialect) -> None:
        super().__init__(dialect)
        self._tables()
        self._rounds()
        self._results()
        self._chains()

    def _tables(self) -> None:
        self.new_table = self._once(tables, "causes_from")
        changing = {name: p(name) for name in ("doc", "version", "open", "deadline", "channel")}
        self.move_table = self._make(
            sa.update(tables)
            .values(**changing)
            .where(tables.c.id == p("id"), tables.c.version == p("was", sa.Integer()), tables.c.guild == p("guild"))
        )

    def _rounds(self) -> None:
        this = sa.and_(rounds.c.table_id == p("table_id"), rounds.c.number == p("number"))
        playing = sa.and_(this, rounds.c.dealt_at.is_not(None), rounds.c.finished_at.is_(None))
        sealing = ("table_id", "number", "guild", "seed", "commitment", "code", "version", "scheme", "chain", "link")
        sealed = self._insert(rounds).values(**{name: p(name) for name in sealing})
        self.seal = self._make(sealed.on_conflict_do_nothing())
        anew = {name: sealed.excluded[name] for name in sealing if name not in ("table_id", "number")}
        not_dealt = sa.and_(rounds.c.dealt_at.is_(None), rounds.c.link.is_not(None))
        key = list(rounds.primary_key.columns)
        #: Under scheme 2 nothing of a round is shown before it is dealt, so it may be sealed from another chain.
        self.seal_anew = self._make(sealed.on_conflict_do_update(index_elements=key, set_=anew, where=not_dealt))
        dealing = (
            "version", "scheme", "game", "rules_name", "rules", "stakes", "members", "inputs", "dealt_at", "players",
            "phrase", "previous", "build",
        )  # fmt: skip
        self.deal = self._make(
            sa.update(rounds).values(**{name: p(name) for name in dealing}).where(this, rounds.c.dealt_at.is_(None))
        )
        self.step = self._make(
            self._insert(steps)
            .from_select(
                [column.name for column in steps.columns],
                sa.select(*[p(column.name, column.type) for column in steps.columns]).where(
                    sa.exists(sa.select(rounds.c.number).where(playing))
                ),
            )
            .on_conflict_do_nothing()
        )

    def _results(self) -> None:
        this = sa.and_(rounds.c.table_id == p("table_id"), rounds.c.number == p("number"))
        playing = sa.and_(this, rounds.c.dealt_at.is_not(None), rounds.c.finished_at.is_(None))
        owing = sa.select(pots.c.name).where(
            pots.c.guild == rounds.c.guild, pots.c.name == p("escrow", sa.Text()), pots.c.balance != 0
        )
        self.finish = self._make(
            sa.update(rounds)
            .values(lines=p("lines"), outcome=p("outcome"), hash=p("hash"), finished_at=p("at"))
            .where(playing, ~sa.exists(owing))
        )
        self.play = self._once(plays)
        one_more, won = members.c.rounds + 1, members.c.won + p("won", sa.Integer())
        self.score = self._make(
            sa.update(members)
            .values(
                rounds=one_more,
                won=won,
                winnings=members.c.winnings + p("net", sa.BigInteger()),
                rate=sa.case((one_more >= ENOUGH, sa.cast(won, sa.BigInteger) * MILLION // one_more)),
                stale=1,
            )
            .where(members.c.id == p("member"))
        )

    def _chains(self) -> None:
        this = sa.and_(chains.c.id == p("id"), OPEN_CHAIN)
        self.begin_chain = self._once(chains)
        self.promise_chain = self._make(
            sa.update(chains).values(message=p("message")).where(this, chains.c.message.is_(None))
        )
        self.end_chain = self._make(sa.update(chains).values(ended_at=p("at"), why=p("why")).where(this))
        below = chains.alias()
        above = sa.and_(chains.c.id == p("id"), chains.c.place.like("tournament/%"))
        follows = sa.and_(below.c.ended_at.is_(None), below.c.place.like(chains.c.place.concat("/%")))
        self.table_in_use = self._make(sa.select(below.c.id).join(chains, follows).where(above))
        here = sa.and_(chains.c.place == p("place"), OPEN_CHAIN)
        self.chain_in_use = self._make(sa.select(chains).where(here))
        self.chain_stays_in_use = self._make(sa.select(chains.c.id).where(here).with_for_update(read=True))
        ended = sa.select(chains).where(chains.c.place == p("place"), ~OPEN_CHAIN)
        #: A place of an earlier release goes on in the first one that asks.
        taken = {"place": p("place"), "member": p("member", sa.BigInteger()), "phrase": p("phrase")}
        self.take_over_chain = self._make(
            sa.update(chains).values(**taken).where(chains.c.place == p("earlier"), OPEN_CHAIN)
        )
        newest = ended.order_by(chains.c.ended_at.desc(), chains.c.id).limit(sa.literal_column("1"))
        self.chain_ended_last = self._make(newest)
        self.end_place = self._make(sa.update(chains).values(ended_at=p("at"), why=p("why")).where(here))
        before = p("link", sa.Integer()) - 1
        stands = chains.c.message.is_not(None)
        self.use_chain = self._make(
            sa.update(chains)
            .values(used=p("link", sa.Integer()))
            .where(this, chains.c.used == before, chains.c.finished == before, stands)
        )
        used_up = chains.c.used >= LENGTH
        self.keep_hash = self._make(
            sa.update(chains)
            .values(
                last=p("hash"),
                finished=chains.c.finished + 1,
                ended_at=sa.func.coalesce(chains.c.ended_at, sa.case((used_up, p("at", sa.Double())))),
                why=sa.func.coalesce(chains.c.why, sa.case((used_up, "used up"))),
            )
            .where(chains.c.id == p("id"))
        )
