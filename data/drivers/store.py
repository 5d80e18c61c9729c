"""The database behind the bank: SQLAlchemy's engine for queries, and the bare driver for what every press does."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Any, Final, Protocol

import sqlalchemy as sa
from sqlalchemy import event
from sqlalchemy.engine import URL
from sqlalchemy.exc import DataError, DBAPIError, IntegrityError, SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from data.base.errors import Unstorable
from data.drivers import sqlite
from data.drivers.alive import Alive
from data.drivers.batch import Batch
from data.drivers.one_call import Sqlite
from data.drivers.statement import Compiled, Row, Statement, is_storable
from data.drivers.url import file_of
from data.drivers.watch import Watch

#: Seconds after which a query is given up.
ANSWER_SECONDS: Final = 8.0
#: Seconds after which a migration or a backup is given up: they may be slow, but not silent for this long.
LONGEST_SECONDS: Final = 3600.0

_FEW_ROWS: Final = (
    "SELECT set_config(method, 'off', true) FROM unnest("
    "ARRAY['enable_seqscan', 'enable_hashjoin', 'enable_mergejoin', 'enable_bitmapscan', 'jit']) AS method"
)


#: Milliseconds to wait for the lock that keeps rows from being added: a vacuum may hold the table for seconds.
STILLED_MILLISECONDS: Final = 100
_NOT_AVAILABLE: Final = "55P03"


class Driver(Protocol):
    """The methods that a database must offer for the statements of every press."""

    async def open(self) -> None:
        """Open the connections that are kept from the start, if there are any."""

    async def close(self) -> None:
        """Finish what has begun, and close."""

    async def run(self, batch: Batch) -> None:
        """Write a batch in one transaction, or raise the exception with which that failed.

        After OutcomeUnknown nobody knows whether it is written; after any other exception it is not.
        """

    def check(self) -> None:
        """Raise BankUnavailable if the database is no longer the one that was opened."""

    async def fetch(self, statement: Compiled, values: tuple[Any, ...]) -> Sequence[Sequence[Any]]:
        """Return the rows that a compiled statement finds."""
        ...


def make_engine(url: URL, *, patient: bool = False) -> AsyncEngine:
    """Make SQLAlchemy's engine for the database at this address.

    Values of statements are hidden from logs, because seeds of open rounds are among them. On PostgreSQL every
    statement has a time limit, even those that SQLAlchemy and the driver send by themselves. The limit is
    `ANSWER_SECONDS`, or `LONGEST_SECONDS` if `patient`.
    """
    if url.get_backend_name() == "sqlite":
        alone = {"isolation_level": None}
        room = {"pool_size": 6, "max_overflow": 4, "pool_timeout": ANSWER_SECONDS}
        engine = create_async_engine(url, module=Sqlite(), connect_args=alone, hide_parameters=True, **room)
        engine.dialect.statement_compiler = sqlite.Compiler
        event.listen(engine.sync_engine, "connect", lambda connection, _: connection.do(sqlite.prepare))
        return engine
    from data.drivers import postgres  # only a bank on PostgreSQL needs its driver to be installed

    reaching = {
        "connection_class": postgres.PatientConnection,
        "timeout": postgres.PATIENCE_SECONDS,
        "command_timeout": LONGEST_SECONDS if patient else ANSWER_SECONDS,
    }
    at_work, alive, at_leisure = 16, 1, 3  # see data.drivers.alive
    pool = {
        "pool_size": at_leisure if patient else at_work + alive, "max_overflow": 0, "pool_timeout": ANSWER_SECONDS
    }  # fmt: skip
    engine = create_async_engine(url, connect_args=reaching, hide_parameters=True, **pool)
    event.listen(engine.sync_engine, "close", lambda connection, _: postgres.hang_up(connection))
    return engine


class Store:
    """An open database: its engines for queries, and its driver for the statements of every press."""

    def __init__(self, url: URL) -> None:
        self.engine = make_engine(url)
        #: The engine for queries that may be slow.
        self.patient = self.engine if self.is_file else make_engine(url, patient=True)
        self.write: Driver = self._driver()
        self.alive = Alive(self.engine)
        self.watch = Watch(file_of(url))

    @property
    def is_file(self) -> bool:
        return self.engine.dialect.name == "sqlite"

    def _driver(self) -> Driver:
        if self.is_file:
            return sqlite.SqliteDriver(self.engine)
        from data.drivers import postgres

        return postgres.PostgresDriver(self.engine)

    async def close(self) -> None:
        await self.write.close()
        await self.alive.leave()
        await self.engine.dispose()
        await self.patient.dispose()

    # -- writing -----------------------------------------------------------------------------------------------------

    def batch(self) -> Batch:
        """Return an empty batch, to be filled and handed to `write.run`."""
        return Batch(self.engine.dialect)

    async def change(self, statement: Statement, values: Mapping[str, Any], fault: Exception | None = None) -> None:
        """Write one statement. If there is a `fault` and not exactly one row changes, write nothing and raise it."""
        batch = self.batch()
        if fault is None:
            batch.add(statement, values)
        else:
            batch.must(statement, values, fault)
        await self.write.run(batch)

    # -- reading -----------------------------------------------------------------------------------------------------

    @asynccontextmanager
    async def reading(self, *, patient: bool = False) -> AsyncIterator[AsyncConnection]:
        """Yield a connection that sees the whole bank as it is at the first query, whatever is written later.

        With `patient`, each query may take up to `LONGEST_SECONDS`.
        """
        self.write.check()
        with told(self.is_file):
            async with (self.patient if patient else self.engine).connect() as connection:
                if self.is_file:
                    await connection.exec_driver_sql("BEGIN")
                else:
                    await connection.execution_options(isolation_level="REPEATABLE READ")
                yield connection

    async def newest_for_good(self, number: sa.Column[int]) -> int:
        """Return a number such that every later row has a higher one, or zero if that cannot be known now.

        PostgreSQL assigns numbers before it commits, so the table is locked for a moment in which nobody adds rows.
        """
        newest = sa.select(sa.func.coalesce(sa.func.max(number), 0))
        self.write.check()
        with told(self.is_file):
            async with self.engine.connect() as connection:
                if not self.is_file and not await _stilled(connection, number.table.name):
                    return 0
                return int((await connection.execute(newest)).scalar_one())

    @asynccontextmanager
    async def slicing(self) -> AsyncIterator[AsyncConnection]:
        """Yield a connection like that of `reading`, for queries about few rows of large tables.

        PostgreSQL without statistics might otherwise read the whole tables.
        """
        async with self.reading() as connection:
            if not self.is_file:
                await connection.exec_driver_sql(_FEW_ROWS)
            yield connection

    @asynccontextmanager
    async def rewriting(self) -> AsyncIterator[AsyncConnection]:
        """Yield a connection in a transaction, for work that no batch can hold, and commit if the block ends well."""
        self.write.check()
        with told(self.is_file):
            async with self.patient.connect() as connection:
                if self.is_file:
                    await connection.exec_driver_sql("BEGIN IMMEDIATE")
                yield connection
                await connection.commit()

    async def fetch(self, statement: Statement, values: Mapping[str, Any]) -> Sequence[Sequence[Any]]:
        """Return the rows of a statement, read with the bare driver. What every press reads is read like this."""
        made = statement.compiled(self.engine.dialect)
        return await self.write.fetch(made, made.bind(values))

    async def rows(self, query: sa.Executable, values: dict[str, Any] | None = None) -> Sequence[Row]:
        """Return the rows of a query, which is asked once more if its connection had died in the pool.

        Raises BankUnavailable if the database does not answer, and Unstorable for a text that it cannot hold.
        """
        self.write.check()
        if not is_storable((values or {}).values()):
            raise Unstorable
        with told(self.is_file):
            try:
                return await self._ask(query, values)
            except DBAPIError as error:
                if not error.connection_invalidated:
                    raise
            return await self._ask(query, values)  # the connection died in the pool

    async def _ask(self, query: sa.Executable, values: dict[str, Any] | None) -> Sequence[Row]:
        async with asyncio.timeout(ANSWER_SECONDS), self.engine.connect() as connection:
            return (await connection.execute(query, values)).all()

    async def row(self, query: sa.Executable, values: dict[str, Any] | None = None) -> Row | None:
        """Return the first row of a query, or None."""
        found = await self.rows(query, values)
        return found[0] if found else None

    async def value(self, query: sa.Executable, values: dict[str, Any] | None = None) -> Any:
        """Return the first column of the first row of a query, or None."""
        found = await self.row(query, values)
        return found[0] if found else None


async def _stilled(connection: AsyncConnection, table: str) -> bool:
    """Lock the table against new rows until this transaction ends, and return whether the lock came soon."""
    await connection.exec_driver_sql(f"SET LOCAL lock_timeout = {STILLED_MILLISECONDS}")
    try:
        await connection.exec_driver_sql(f"LOCK TABLE {table} IN SHARE MODE")
    except DBAPIError as error:
        if getattr(error.orig, "sqlstate", "") != _NOT_AVAILABLE:
            raise
        return False
    return True


class told:
    """A context manager that turns exceptions into BankUnavailable, with a sentence that says what is wrong.

    These are the exceptions of SQLAlchemy and the drivers, and every OSError and TimeoutError in the block.
    """

    def __init__(self, is_file: bool) -> None:  # noqa: FBT001
        if is_file:
            self._say = sqlite.unavailable
        else:
            from data.drivers import postgres

            self._say = postgres.unavailable

    def __enter__(self) -> None: ...

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, IntegrityError | DataError):
            raise self._say(error.orig or error) from None  # the full message contains values
        if isinstance(error, DBAPIError):
            raise self._say(error.orig or error) from error
        if isinstance(error, SQLAlchemyError | OSError | TimeoutError):
            raise self._say(error) from error
