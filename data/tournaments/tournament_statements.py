"""What the bank writes of tournaments and titles, compiled once."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.engine import Dialect

from data.drivers.statement import Statement, compiled
from data.tournaments.tournament_schema import OPEN, entries, titles, tournaments


def _p(name: str, kind: sa.types.TypeEngine[Any] | None = None) -> sa.BindParameter[Any]:
    return sa.bindparam(f"p_{name}", type_=kind)


class TournamentStatements:
    """One of each. Values are given as ``p_column``."""

    def __init__(self, dialect: Dialect) -> None:
        self._insert: Any = {"sqlite": sqlite.insert, "postgresql": postgresql.insert}[dialect.name]
        moving = {name: _p(name) for name in ("channel", "phase", "open", "starts", "doc", "version")}
        this = (
            tournaments.c.id == _p("id"),
            tournaments.c.version == _p("was", sa.Integer()),
            tournaments.c.guild == _p("guild"),
        )
        mine = (entries.c.tournament == _p("tournament"), entries.c.member == _p("member"))
        self.new_tournament = self._once(tournaments, dialect)
        self.move_tournament = compiled(sa.update(tournaments).values(**moving).where(*this), dialect)
        self.enter = self._once(entries, dialect)
        self.withdraw = compiled(sa.delete(entries).where(*mine), dialect)
        self.title = self._once(titles, dialect)
        naming = (OPEN, tournaments.c.guild == _p("guild"), tournaments.c.doc.like(_p("naming")))
        self.in_no_tournament = compiled(
            sa.select(tournaments.c.id).where(*naming).limit(sa.literal_column("1")), dialect
        )
        self.scrub_tournament = compiled(
            sa.update(tournaments).values(doc=_p("doc")).where(tournaments.c.id == _p("id"), ~OPEN), dialect
        )

    def _once(self, table: sa.Table, dialect: Dialect) -> Statement:
        """An insert that changes no row when the key is taken."""
        row = {column.name: _p(column.name, column.type) for column in table.columns}
        return compiled(self._insert(table).values(**row).on_conflict_do_nothing(), dialect)
