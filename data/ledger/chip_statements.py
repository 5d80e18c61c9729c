"""What the bank writes when chips move: every guard is in the statement that moves them."""

from __future__ import annotations

import sqlalchemy as sa
from sqlalchemy.engine import Dialect

from data.drivers.batch import Statement
from data.drivers.statement import Maker, p
from data.schema import GIFT, LIVE, members, pots, stops, transfers


class ChipStatements(Maker):
    """Balances, transfers, the switch that stops new stakes."""

    def __init__(self, dialect: Dialect) -> None:
        super().__init__(dialect)
        self._chips()
        self._limits()
        self._switch()

    def _chips(self) -> None:
        amount = p("amount", sa.BigInteger())
        here = sa.and_(members.c.id == p("member"), members.c.guild == p("guild"))
        self.credit_member = self._make(
            sa.update(members).values(balance=members.c.balance + amount, stale=1).where(here)
        )
        self.debit_member = self._make(
            sa.update(members)
            .values(balance=members.c.balance - amount, stale=1)
            .where(here, members.c.balance >= amount)
        )
        upsert = self._insert(pots).values(guild=p("guild"), name=p("name"), balance=amount)
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
            .where(pots.c.guild == p("guild"), pots.c.name == p("name"), pots.c.balance >= amount)
        )
        closed = self._insert(pots).values(guild=p("guild"), name=p("name"), balance=0, closed=1)
        self.close_escrow = self._make(
            closed.on_conflict_do_update(index_elements=[pots.c.guild, pots.c.name], set_={"closed": 1})
        )
        self.transfer = self._once(transfers, "id")

    def _limits(self) -> None:
        """Found by what they must find: questions inside the transaction."""
        at_stake = (
            sa.select(transfers.c.id)
            .join(pots, sa.and_(pots.c.guild == transfers.c.guild, pots.c.name == transfers.c.target))
            .where(pots.c.guild == p("guild", sa.BigInteger()), LIVE)
        )
        mine = sa.or_(transfers.c.source == p("name", sa.Text()), transfers.c.source.like(p("stack", sa.Text())))
        self.nothing_at_stake = self._make(at_stake.where(mine).limit(sa.literal_column("1")))
        self.given_within = self._within(transfers.c.source)
        self.received_within = self._within(transfers.c.target)
        giver = members.c.id == p("member")
        self.keeps = self._make(sa.select(members.c.id).where(giver, members.c.balance >= p("kept", sa.BigInteger())))
        self.has_played = self._make(sa.select(members.c.id).where(giver, members.c.rounds >= p("hands")))

    def _within(self, side: sa.Column[str]) -> Statement:
        """One row if the gifts on this side of an account are within a cap since some moment."""
        gifts = (
            sa.select(sa.func.coalesce(sa.func.sum(transfers.c.amount), 0))
            .where(
                transfers.c.guild == p("guild", sa.BigInteger()),
                side == p("name", sa.Text()),
                GIFT,
                transfers.c.at > p("since", sa.Double()),
            )
            .scalar_subquery()
        )
        return self._make(sa.select(sa.literal_column("1")).where(gifts <= p("cap", sa.BigInteger())))

    def _switch(self) -> None:
        self.no_stop = self._make(sa.select(stops.c.id))
        self.stop = self._make(sa.insert(stops).values(reason=p("reason"), at=p("at")))
        self.go_on = self._make(sa.delete(stops))
