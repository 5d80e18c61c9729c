"""What the bank writes of tournaments and titles, compiled once."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.engine import Dialect

from data.cup_schema import OPEN, cups, entries, titles
from data.statement import Statement, compiled


def _p(name: str, kind: sa.types.TypeEngine[Any] | None = None) -> sa.BindParameter[Any]:
    return sa.bindparam(f"p_{name}", type_=kind)


class CupStatements:
    """One of each. Values are given as ``p_column``."""

    def __init__(self, dialect: Dialect) -> None:
        self._insert: Any = {"sqlite": sqlite.insert, "postgresql": postgresql.insert}[dialect.name]
        moving = {name: _p(name) for name in ("channel", "phase", "open", "starts", "doc", "version")}
        this = (cups.c.id == _p("id"), cups.c.version == _p("was", sa.Integer()), cups.c.guild == _p("guild"))
        mine = (entries.c.cup == _p("cup"), entries.c.member == _p("member"))
        self.new_cup = self._once(cups, dialect)
        self.move_cup = compiled(sa.update(cups).values(**moving).where(*this), dialect)
        self.enter = self._once(entries, dialect)
        self.withdraw = compiled(sa.delete(entries).where(*mine), dialect)
        self.title = self._once(titles, dialect)
        naming = (OPEN, cups.c.guild == _p("guild"), cups.c.doc.like(_p("naming")))
        self.in_no_cup = compiled(sa.select(cups.c.id).where(*naming).limit(sa.literal_column("1")), dialect)
        self.scrub_cup = compiled(sa.update(cups).values(doc=_p("doc")).where(cups.c.id == _p("id"), ~OPEN), dialect)

    def _once(self, table: sa.Table, dialect: Dialect) -> Statement:
        """An insert that changes no row when the key is taken."""
        row = {column.name: _p(column.name, column.type) for column in table.columns}
        return compiled(self._insert(table).values(**row).on_conflict_do_nothing(), dialect)
