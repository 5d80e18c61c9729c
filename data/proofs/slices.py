"""Slices of an audit's walk: some rows of a table of the database, read with all that belongs to them at one moment."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from data.proofs.report import Fault
from engine.elimination.steps import IllegalStep
from engine.games.contract import IllegalAction

#: A place in a table: the values of a key.
RowKey = tuple[Any, ...]
#: An account: its guild and its name.
AccountKey = tuple[int, str]

#: The exceptions that values written by hand may cause.
UNREADABLE: Final = (
    *(ValueError, TypeError, LookupError, AttributeError, AssertionError, ArithmeticError),
    *(RecursionError, IllegalAction, IllegalStep),
)

#: The largest number that a database can store.
LAST: Final = 2**63 - 1


@dataclass(frozen=True, slots=True)
class KeyRange:
    """The rows after the key `after`, up to and including the key `until`."""

    after: RowKey
    until: RowKey

    @property
    def values(self) -> dict[str, Any]:
        """The values for a query with `between`."""
        after = {f"after_{place}": part for place, part in enumerate(self.after)}
        return {**after, **{f"until_{place}": part for place, part in enumerate(self.until)}}


def between(*key: sa.ColumnElement[Any]) -> sa.ColumnElement[bool]:
    """Return the condition for the rows of a KeyRange, by the columns of the walk's key."""
    return sa.and_(
        sa.tuple_(*key) > sa.tuple_(*_place("after", key)), sa.tuple_(*key) <= sa.tuple_(*_place("until", key))
    )


def between_tables(table: sa.ColumnElement[int], *rest: sa.ColumnElement[Any]) -> sa.ColumnElement[bool]:
    """Return the condition for the rows of a KeyRange, for a key that begins with the number of a table.

    PostgreSQL expects a quarter of all rows in any range over several columns, and would read the whole table if the
    condition did not also limit the first column.
    """
    key = (table, *rest)
    (first, *_), (last, *_) = _place("after", key), _place("until", key)
    return sa.and_(table >= first, table <= last, between(*key))


def _place(name: str, key: Sequence[sa.ColumnElement[Any]]) -> list[sa.BindParameter[Any]]:
    return [sa.bindparam(f"{name}_{place}", type_=column.type) for place, column in enumerate(key)]


@dataclass(frozen=True, slots=True)
class Slice:
    """The result of one slice of a walk: how many rows it has, and what is wrong with them."""

    looked: int  # the number of rows
    faults: Sequence[Fault] = ()
    #: The chips that an account has without a transfer that brought them (below zero: they went without one).
    surplus: Mapping[AccountKey, int] = field(default_factory=dict)


#: Reads the rows of a range of keys, and returns what is wrong with them.
Look = Callable[[AsyncConnection, KeyRange], Coroutine[Any, Any, Slice]]


@dataclass(frozen=True, eq=False)
class Walk:
    """One pass of the audit through a table, in the order of a key that has an index."""

    what: str  # the name of the rows, for progress
    look: Look
    key: tuple[sa.Column[Any], ...]
    #: The key before the first row.
    before: RowKey
    #: Rows of a slice: enough to be worth a transaction, and few enough not to hold anything up.
    size: int
    #: The condition for some of the rows, or None for all.
    which: sa.ColumnElement[bool] | None = None

    @cached_property
    def last(self) -> sa.Select[Any]:
        """The query for the key of the last row."""
        return self._of(sa.select(*self.key)).order_by(*(column.desc() for column in self.key)).limit(1)

    @cached_property
    def edge(self) -> sa.Select[Any]:
        """The query for the key of the last row of the next slice. It finds none if fewer rows are left."""
        here = self._of(sa.select(*self.key)).where(between(*self.key)).order_by(*self.key)
        return here.offset(self.size - 1).limit(1)

    def _of(self, query: sa.Select[Any]) -> sa.Select[Any]:
        return query if self.which is None else query.where(self.which)
