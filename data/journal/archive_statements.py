"""What binding and putting away write: a round goes into a leaf once, and gives what it has to a pack once."""

from __future__ import annotations

import sqlalchemy as sa
from sqlalchemy.engine import Dialect

from data.drivers.statement import Maker, p
from data.journal.packs import PUT_AWAY
from data.schema import causes, leaves, packs, rounds, steps, tables
from data.tournaments.tournament_schema import tournaments


class ArchiveStatements(Maker):
    """Leaves and packs, and what is taken out of rounds."""

    def __init__(self, dialect: Dialect) -> None:
        super().__init__(dialect)
        this = sa.and_(rounds.c.table_id == p("table_id"), rounds.c.number == p("number"))
        emptied = dict.fromkeys(PUT_AWAY) | {"seed": p("seed", rounds.c.seed.type), "pack": p("pack")}
        self.new_leaf = self._once(leaves)
        loose = sa.and_(rounds.c.leaf.is_(None), rounds.c.finished_at.is_not(None))
        self.bind_round = self._make(sa.update(rounds).values(leaf=p("leaf", sa.BigInteger())).where(this, loose))
        self.new_pack = self._once(packs)
        self.empty_round = self._make(
            sa.update(rounds).values(**emptied).where(this, rounds.c.pack.is_(None), rounds.c.leaf.is_not(None))
        )
        self.drop_steps = self._make(
            sa.delete(steps).where(steps.c.table_id == p("table_id"), steps.c.number == p("number"))
        )
        self.forget_cause = self._make(sa.delete(causes).where(causes.c.cause == p("cause")))
        self.causes_from = [
            self._make(
                sa.update(table)
                .values(causes_from=p("version", sa.Integer()))
                .where(table.c.id == p("of"), table.c.causes_from < p("version", sa.Integer()))
            )
            for table in (tables, tournaments)
        ]
