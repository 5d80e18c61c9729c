"""A cursor for SQLAlchemy over aiosqlite that makes one call to the connection's thread for each statement.

SQLAlchemy's own cursor makes four: to make a cursor, execute, fetch the rows and close. Each call takes longer than
most of the bank's queries.
"""

from __future__ import annotations

import contextlib
import sqlite3
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import aiosqlite
from sqlalchemy.dialects.sqlite.aiosqlite import (
    AsyncAdapt_aiosqlite_connection,
    AsyncAdapt_aiosqlite_cursor,
    AsyncAdapt_aiosqlite_dbapi,
)
from sqlalchemy.util import EMPTY_DICT


class OneCallCursor(AsyncAdapt_aiosqlite_cursor):
    """A cursor that executes a statement and fetches all of its rows in one call on the connection's thread."""

    __slots__ = ()
    _awaitable_cursor_close = False  # it is closed on the thread

    def __init__(self, adapt_connection: OneCallConnection) -> None:
        self._adapt_connection = adapt_connection
        self._connection: Any = adapt_connection._connection
        self._cursor: Any = None
        self._soft_closed_memoized = EMPTY_DICT
        self._rows = deque()

    def close(self) -> None:
        """Drop the rows that were not read; the driver's cursor is closed already."""
        self._rows.clear()

    async def _execute_async(self, operation: Any, parameters: Any) -> None:
        await self._call(_execute, operation, parameters or ())

    async def _executemany_async(self, operation: Any, seq_of_parameters: Any) -> None:
        await self._call(_execute_many, operation, seq_of_parameters)

    async def _call(self, call: Any, *args: Any) -> None:
        async with self._adapt_connection._execute_mutex:
            self._cursor, rows = await self._connection._execute(call, self._connection._conn, *args)
            self._rows = deque(rows)


class OneCallConnection(AsyncAdapt_aiosqlite_connection):
    """A connection with one-call cursors."""

    __slots__ = ()
    _cursor_cls: Any = OneCallCursor

    def do(self, call: Callable[[sqlite3.Connection], object]) -> None:
        """Call a function with sqlite3's connection, on the thread of that connection."""
        self.run_async(lambda driver: driver._execute(call, driver._conn))

    def rollback(self) -> None:
        """End a transaction, if there is one: most queries need none, and each call to the thread takes long."""
        if self._connection._connection is not None and self._connection.in_transaction:
            super().rollback()


class Sqlite(AsyncAdapt_aiosqlite_dbapi):
    """The driver as `create_async_engine` takes it, with one-call connections."""

    def __init__(self) -> None:
        super().__init__(aiosqlite, sqlite3)

    def connect(self, *args: Any, **options: Any) -> OneCallConnection:
        """Return a connection as SQLAlchemy makes it, with one-call cursors."""
        return OneCallConnection(self, super().connect(*args, **options)._connection)


# -- on the threads ----------------------------------------------------------------------------------------------------


def _execute(connection: sqlite3.Connection, sql: str, values: Sequence[Any]) -> tuple[sqlite3.Cursor, Iterable[Any]]:
    with contextlib.closing(connection.cursor()) as cursor:
        cursor.execute(sql, values)
        return cursor, cursor.fetchall() if cursor.description else ()


def _execute_many(
    connection: sqlite3.Connection, sql: str, rows: Iterable[Sequence[Any]]
) -> tuple[sqlite3.Cursor, Iterable[Any]]:
    with contextlib.closing(connection.cursor()) as cursor:
        cursor.executemany(sql, rows)
        return cursor, ()
