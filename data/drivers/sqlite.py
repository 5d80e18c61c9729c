"""Writes batches to a SQLite file, and reads from it what every press needs.

SQLite has one writer at a time, so one connection on one thread writes, and another one reads. Whole batches go to the
thread rather than single statements. Batches that wait for the disk together are committed together, and each can be
undone on its own.
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, TypeVar

import sqlalchemy as sa
from sqlalchemy.dialects.sqlite.base import SQLiteCompiler
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from data.base.errors import SILENT, BadChange, is_late
from data.drivers.batch import Batch, BatchOutcome, Together, check
from data.drivers.file import Identity, changed, identities, lost
from data.drivers.statement import Compiled
from engine.tables.ports import BankError, BankUnavailable, OutcomeUnknown

#: Seconds to wait for another process that is writing. Discord waits three seconds for an answer.
PATIENCE_SECONDS: Final = 2.0
#: The size at which the write-ahead log is copied into the file and cut back. It is four times what SQLite chooses
#: itself: with many open tables the log grows quickly, because each commit changes other pages.
LOG_BYTES: Final = 16 * 2**20
PAGE_BYTES: Final = 4096
#: The most batches that share a commit.
MOST_TOGETHER: Final = 64

_PRAGMAS: Final = (
    f"PRAGMA busy_timeout = {int(PATIENCE_SECONDS * 1000)}",
    "PRAGMA journal_mode = WAL",
    "PRAGMA synchronous = FULL",
    "PRAGMA foreign_keys = ON",
    f"PRAGMA journal_size_limit = {LOG_BYTES}",
    f"PRAGMA wal_autocheckpoint = {LOG_BYTES // PAGE_BYTES}",
)

T = TypeVar("T")


class Compiler(SQLiteCompiler):
    """A compiler of statements that names the index a query must use: without statistics, SQLite may choose badly."""

    def get_from_hint_text(self, table: sa.FromClause, text: str | None) -> str | None:
        """Return the hint as it is, to be put behind the table's name."""
        return text


def unavailable(error: BaseException) -> BankUnavailable:
    """Return the exception that tells the operator, in one sentence, why the file cannot be used."""
    return BankUnavailable(f"The bank's file cannot be used: {SILENT if is_late(error) else error}.")


class _FileConnection:
    """A connection of SQLAlchemy's pool that is in use from `open` to `close`, and aiosqlite's connection inside it."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine
        self._held: AsyncConnection | None = None
        self._aiosqlite: Any = None

    async def open(self) -> None:
        try:
            self._held = await self._engine.connect()
            self._aiosqlite = (await self._held.get_raw_connection()).driver_connection
        except DBAPIError as error:
            raise unavailable(error.orig or error) from error

    async def close(self) -> None:
        held, self._held = self._held, None
        if held is not None:
            await held.close()

    async def do(self, call: Callable[..., T], *args: Any) -> T:
        """Call a function with sqlite3's connection, on the thread of that connection, and return its result.

        aiosqlite's public methods take one statement a call. A whole batch in one call needs aiosqlite's private queue.
        Only this method and `one_call` use that queue, and the version is pinned.
        """
        if self._held is None:
            raise BankUnavailable("The bank is closed.")
        result: T = await self._aiosqlite._execute(call, self._aiosqlite._conn, *args)
        return result


class SqliteDriver:
    """The driver for SQLite: one connection writes batches, and one is for the reads of every press."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine
        self._file = Path()
        self._opened: Mapping[Path, Identity] = {}
        self._writer = _FileConnection(engine)
        self._reader = _FileConnection(engine)
        self._together = Together(self._write, writers=1, most=MOST_TOGETHER)
        self.run = self._together.run

    async def open(self) -> None:
        """Open both connections, and remember which files they have."""
        await self._writer.open()
        await self._reader.open()
        assert self._engine.url.database is not None
        self._file = Path(self._engine.url.database)
        await self._reader.do(_fetch, "SELECT 1 FROM sqlite_master", ())  # the write-ahead log exists from here on
        self._opened = identities(self._file)

    async def close(self) -> None:
        await self._together.close()
        self._opened = {}  # SQLite itself removes the companions now
        await self._writer.close()
        await self._reader.close()

    def check(self) -> None:
        """Raise BankUnavailable if a file of the bank was removed or replaced: what is written would be lost.

        SQLite goes on committing to a removed write-ahead log, and nobody finds those commits after a kill.
        """
        path = changed(self._opened)
        if path is not None:
            raise lost(self._file, path)

    async def fetch(self, statement: Compiled, values: tuple[Any, ...]) -> Sequence[Sequence[Any]]:
        """Return the rows that a compiled statement finds, or raise BankUnavailable."""
        self.check()
        try:
            return await self._reader.do(_fetch, statement.sql, values)
        except sqlite3.Error as error:
            raise unavailable(error) from error

    # -- private ---------------------------------------------------------------------------------------------------

    async def _write(self, batches: list[Batch]) -> AsyncIterator[BatchOutcome]:
        try:
            self.check()
            results: list[BatchOutcome] = await self._writer.do(write_together, batches)
        except Exception as error:
            fault = error if isinstance(error, BankError) else OutcomeUnknown(str(error))
            results = [fault for _ in batches]
        else:
            try:
                self.check()
            except BankUnavailable as gone:
                results = [OutcomeUnknown(str(gone)) if result is None else result for result in results]
        for result in results:
            yield result


# -- on the threads --------------------------------------------------------------------------------------------------


def prepare(connection: sqlite3.Connection) -> None:
    """Run the pragmas that every new connection needs, and try again for a while if the file is locked.

    Two processes may switch a new file to WAL at once, and SQLite does not wait for a lock then.
    """
    until = time.monotonic() + PATIENCE_SECONDS
    for pragma in _PRAGMAS:
        while True:
            try:
                connection.execute(pragma)
                break
            except sqlite3.OperationalError as error:
                if error.sqlite_errorcode != sqlite3.SQLITE_BUSY or time.monotonic() > until:
                    raise
                time.sleep(0.02)


def _fetch(connection: sqlite3.Connection, sql: str, values: tuple[Any, ...]) -> Sequence[Sequence[Any]]:
    rows: list[tuple[Any, ...]] = connection.execute(sql, values).fetchall()
    return rows


def write_together(connection: sqlite3.Connection, batches: list[Batch]) -> list[BatchOutcome]:
    """Write all batches in one commit, and return the outcome of each."""
    try:
        connection.execute("BEGIN IMMEDIATE")
    except sqlite3.Error as error:
        return [unavailable(error) for _ in batches]
    alone = len(batches) == 1
    results: list[BatchOutcome] = []
    try:
        for batch in batches:
            results.append(_write_one(connection, batch, alone=alone))
    except sqlite3.Error as error:  # the fault is the file's, so all batches are undone
        _undo(connection)
        return [unavailable(error) for _ in batches]
    if alone and results[0] is not None:
        _undo(connection)
        return results
    return _commit(connection, results)


def _write_one(connection: sqlite3.Connection, batch: Batch, *, alone: bool) -> BatchOutcome:
    if not alone:
        connection.execute("SAVEPOINT one")
    try:
        for step in batch.steps:
            cursor = connection.execute(step.statement.sql, step.values)
            rows = cursor.rowcount if cursor.description is None else len(cursor.fetchall())
            check(step, rows)
    except Exception as error:
        if isinstance(error, sqlite3.Error) and not isinstance(error, sqlite3.IntegrityError):
            raise
        if not alone:
            connection.execute("ROLLBACK TO one")
            connection.execute("RELEASE one")
        return error if isinstance(error, BankError) else BadChange(str(error))
    if not alone:
        connection.execute("RELEASE one")
    return None


def _commit(connection: sqlite3.Connection, results: list[BatchOutcome]) -> list[BatchOutcome]:
    try:
        connection.execute("COMMIT")
        return results
    except sqlite3.Error as error:
        certain = error.sqlite_errorcode in (sqlite3.SQLITE_FULL, sqlite3.SQLITE_BUSY)
        _undo(connection)
        fault = unavailable(error) if certain else OutcomeUnknown(str(error))
        return [fault if result is None else result for result in results]


def _undo(connection: sqlite3.Connection) -> None:
    if connection.in_transaction:
        connection.execute("ROLLBACK")
