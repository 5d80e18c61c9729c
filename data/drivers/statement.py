"""Statements of SQLAlchemy Core, compiled once for the database in use.

A press is a dozen statements; compiled in advance, they cost what they cost in the bare driver.
"""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Iterable, Sequence
from functools import cache
from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.engine import Dialect
from sqlalchemy.sql.compiler import SQLCompiler
from sqlalchemy.sql.expression import ClauseElement

from data.drivers.batch import Statement

Row = sa.Row[*tuple[Any, ...]]


def compiled(construct: ClauseElement, dialect: Dialect) -> Statement:
    done = construct.compile(dialect=dialect)
    assert isinstance(done, SQLCompiler)
    constants = {name: value for name, value in done.params.items() if not name.startswith("p_")}
    return Statement(done.string, tuple(done.positiontup or ()), constants)


def rows_of(table: sa.Table, found: Iterable[Sequence[Any]]) -> list[Any]:
    """Return whole rows of a table as a driver returns them, with the names of their columns."""
    return list(map(_kind_of_row(tuple(table.columns.keys()))._make, found))


def named(found: Sequence[Row]) -> list[Any]:
    """Return the same rows as plain tuples whose values are found by name in a tenth of the time."""
    return list(map(_kind_of_row(found[0]._fields)._make, found)) if found else []


@cache
def _kind_of_row(names: tuple[str, ...]) -> Any:
    return namedtuple("Found", names)


def p(name: str, kind: sa.types.TypeEngine[Any] | None = None) -> sa.BindParameter[Any]:
    """Return a placeholder for a value given as ``p_name``."""
    return sa.bindparam(f"p_{name}", type_=kind)


def all_of(table: sa.Table, *left_out: str) -> dict[str, Any]:
    """Return a placeholder for each column."""
    return {column.name: p(column.name, column.type) for column in table.columns if column.name not in left_out}


class Maker:
    """The compiler for one database. The statements of each part are attributes of a subclass."""

    def __init__(self, dialect: Dialect) -> None:
        self._dialect = dialect
        self._insert: Any = {"sqlite": sqlite.insert, "postgresql": postgresql.insert}[dialect.name]

    def _make(self, construct: ClauseElement) -> Statement:
        return compiled(construct, self._dialect)

    def _once(self, table: sa.Table, *left_out: str) -> Statement:
        """Return an insert that changes nothing if the key is taken."""
        return self._make(self._insert(table).values(**all_of(table, *left_out)).on_conflict_do_nothing())

    def _kept(self, table: sa.Table) -> Statement:
        """Return an insert that replaces a row with the same key."""
        row = self._insert(table).values(**all_of(table))
        rest = {column.name: row.excluded[column.name] for column in table.columns if not column.primary_key}
        return self._make(row.on_conflict_do_update(index_elements=list(table.primary_key.columns), set_=rest))
