"""Statements of SQLAlchemy Core, each written once for both databases and compiled when it is first used.

A press runs a dozen statements. Once compiled, they take no longer than in the bare driver.
"""

from __future__ import annotations

import re
from collections import namedtuple
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql
from sqlalchemy.engine import Dialect
from sqlalchemy.sql.compiler import SQLCompiler
from sqlalchemy.sql.expression import ClauseElement

from data.base.errors import Unstorable

Row = sa.Row[*tuple[Any, ...]]

#: The prefix of our parameters, because SQLAlchemy uses the bare names of columns itself.
_PREFIX: Final = "p_"
_HALF_A_PAIR: Final = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class Compiled:
    """SQL in the driver's syntax, and the order in which it takes its values."""

    sql: str
    names: tuple[str, ...]
    constants: Mapping[str, Any]  # the values that stand in the statement itself

    def bind(self, values: Mapping[str, Any]) -> tuple[Any, ...]:
        """Return the values in the driver's order, or raise Unstorable if a text cannot be stored in both databases."""
        bound = tuple([values[name] if name in values else self.constants[name] for name in self.names])
        if not is_storable(bound):
            raise Unstorable
        return bound


class Statement:
    """A statement for both databases, usually a constant beside the method that runs it."""

    def __init__(self, construct: ClauseElement) -> None:
        self._construct = construct
        self._compiled: dict[str, Compiled] = {}

    def compiled(self, dialect: Dialect) -> Compiled:
        """Return the statement compiled for a database, which is done only the first time."""
        if dialect.name not in self._compiled:
            self._compiled[dialect.name] = _compile(self._construct, dialect)
        return self._compiled[dialect.name]


def _compile(construct: ClauseElement, dialect: Dialect) -> Compiled:
    done = construct.compile(dialect=dialect)
    assert isinstance(done, SQLCompiler)
    constants = {_named(name): value for name, value in done.params.items() if not name.startswith(_PREFIX)}
    return Compiled(done.string, tuple(map(_named, done.positiontup or ())), constants)


def _named(name: str) -> str:
    """Return the name of one of our parameters without `_PREFIX`, or that of a constant with a colon before it.

    SQLAlchemy names constants by itself. The colon keeps them apart from parameters.
    """
    return name.removeprefix(_PREFIX) if name.startswith(_PREFIX) else f":{name}"


def is_storable(values: Iterable[Any]) -> bool:
    """Return whether both databases can store all texts among the values; PostgreSQL refuses some that SQLite takes."""
    for value in values:
        if isinstance(value, str) and ("\0" in value or (not value.isascii() and _HALF_A_PAIR.search(value))):
            return False
    return True


# -- writing statements ------------------------------------------------------------------------------------------------


def param(name: str, kind: sa.types.TypeEngine[Any] | None = None) -> sa.BindParameter[Any]:
    """Return the bind parameter of a `Statement` for a value of this name. Plain queries need `sa.bindparam`.

    `kind` is needed where no column gives the type.
    """
    return sa.bindparam(f"{_PREFIX}{name}", type_=kind)


def params(*names: str) -> dict[str, sa.BindParameter[Any]]:
    """Return the bind parameters for columns of these names."""
    return {name: param(name) for name in names}


def columns_of(table: sa.Table, but: Collection[str] = ()) -> dict[str, sa.BindParameter[Any]]:
    """Return the bind parameters for all columns except those in `but`, each with the column's type."""
    return {column.name: param(column.name, column.type) for column in table.columns if column.name not in but}


def insert(table: sa.Table) -> postgresql.Insert:
    """Return an insert that may say what to do if the key is taken. SQLite understands the same clauses."""
    return postgresql.insert(table)


def insert_once(table: sa.Table, *, but: Collection[str] = ()) -> Statement:
    """Return an insert of all columns except those in `but`; if any unique key is taken, it changes nothing."""
    return Statement(insert(table).values(**columns_of(table, but)).on_conflict_do_nothing())


def insert_or_replace(table: sa.Table) -> Statement:
    """Return an insert that replaces a row with the same key."""
    row = insert(table).values(**columns_of(table))
    rest = {column.name: row.excluded[column.name] for column in table.columns if not column.primary_key}
    return Statement(row.on_conflict_do_update(index_elements=list(table.primary_key.columns), set_=rest))


#: The number one: the LIMIT of queries that only ask whether there is such a row.
ONE: Final[sa.ColumnClause[Any]] = sa.literal_column("1")


# -- rows --------------------------------------------------------------------------------------------------------------


def rows_of(asked: sa.Table | sa.Select[Any], found: Iterable[Sequence[Any]]) -> list[Any]:
    """Turn a driver's rows into named tuples, with the names of the columns of the table or query that was asked."""
    columns = asked.columns if isinstance(asked, sa.Table) else asked.selected_columns
    return list(map(_kind_of_row(tuple(columns.keys()))._make, found))


def named(found: Sequence[Row]) -> list[Any]:
    """Return SQLAlchemy's rows as named tuples, from which values are read by name several times faster."""
    return list(map(_kind_of_row(found[0]._fields)._make, found)) if found else []


@cache
def _kind_of_row(names: tuple[str, ...]) -> Any:
    return namedtuple("Found", names)
