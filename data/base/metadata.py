"""The helpers with which the tables of the database are defined."""

from __future__ import annotations

from typing import Any, Final

import sqlalchemy as sa

metadata = sa.MetaData()

Id: Final = sa.BigInteger().with_variant(sa.Integer(), "sqlite")  # SQLite numbers only INTEGER keys by itself


def cents(name: str) -> sa.Column[int]:
    """Return a column for an amount in cents, by default 0."""
    return sa.Column(name, sa.BigInteger, nullable=False, server_default="0")


def by_index(name: str) -> str:
    """Return the hint that makes SQLite use this index. Without statistics it may choose one that reads all rows."""
    return f"INDEXED BY {name}"


def some(name: str, *columns: sa.ColumnElement[Any], where: sa.ColumnElement[bool]) -> None:
    """Add an index over these columns to their table, with only the rows that fit `where`."""
    sa.Index(name, *columns, sqlite_where=where, postgresql_where=where)
