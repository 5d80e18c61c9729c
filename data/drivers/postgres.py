"""Writing to PostgreSQL: each batch a transaction of its own, on a connection of SQLAlchemy's pool."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Final, TypeVar

import asyncpg
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from data.drivers.batch import Batch, check
from data.drivers.statement import Statement
from data.faults import SILENT, BadChange, is_late
from engine.tables.ports import BankError, BankUnavailable, OutcomeUnknown

#: Two batches in each other's way, or a connection that died in the pool: begin again, so many times in all.
ATTEMPTS: Final = 4
#: How long to wait for a connection, and for a statement. Discord waits three seconds for an answer.
PATIENCE_SECONDS: Final = 2.5
STATEMENT_SECONDS: Final = 8.0

T = TypeVar("T")

_IN_THE_WAY: Final = (asyncpg.DeadlockDetectedError, asyncpg.SerializationError)
_WRONG: Final = (asyncpg.IntegrityConstraintViolationError, asyncpg.DataError)
#: The server hangs up, or is not taking anybody just now.
_LOST: Final = (
    asyncpg.PostgresConnectionError,
    asyncpg.AdminShutdownError,
    asyncpg.CrashShutdownError,
    asyncpg.CannotConnectNowError,
    asyncpg.TooManyConnectionsError,
)


class _Again(Exception):
    """Nothing was written, and the next attempt may do better."""


def unavailable(error: BaseException) -> BankUnavailable:
    return BankUnavailable(f"The bank's server cannot be used: {_told(error)}.")


def _told(error: BaseException) -> str:
    """What went wrong. Not the values and the row it went wrong with, which PostgreSQL adds: seeds may be in them."""
    if is_late(error):
        return SILENT
    driver = error.__cause__ if isinstance(error.__cause__, asyncpg.PostgresError | asyncpg.InterfaceError) else error
    if isinstance(driver, asyncpg.DataError | asyncpg.InterfaceError | UnicodeError):
        return type(driver).__name__
    return (str(driver).splitlines() or [type(driver).__name__])[0]


class PostgresDriver:
    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine
        self._running: set[asyncio.Task[None]] = set()

    async def open(self) -> None:
        """Connections are made when they are needed."""

    async def close(self) -> None:
        if self._running:
            await asyncio.wait(self._running)

    async def run(self, batch: Batch) -> None:
        """Write it durably, or raise what stood against it. A caller that is cancelled takes no commit down with it."""
        task = asyncio.create_task(self._persist(batch))
        self._running.add(task)
        task.add_done_callback(self._forget)
        await asyncio.shield(task)

    def check(self) -> None:
        """A server keeps its files itself."""

    async def fetch(self, statement: Statement, values: tuple[Any, ...]) -> Sequence[Sequence[Any]]:
        return await self._persevere(self._ask, statement, values)

    # -- private ---------------------------------------------------------------------------------------------------

    def _forget(self, task: asyncio.Task[None]) -> None:
        self._running.discard(task)
        _ = task.cancelled() or task.exception()  # looked at, should the caller have gone away

    async def _persist(self, batch: Batch) -> None:
        await self._persevere(self._transact, batch)

    async def _persevere(self, attempt: Callable[..., Awaitable[T]], *args: Any) -> T:
        """On a connection of the pool, again if nothing was written and another attempt may do better."""
        lost = None
        for _ in range(ATTEMPTS):
            try:
                return await self._attempt(attempt, *args)
            except _Again as again:
                lost = again
        raise unavailable(lost or _Again()) from lost

    async def _attempt(self, attempt: Callable[..., Awaitable[T]], *args: Any) -> T:
        try:
            connection = await self._engine.connect()
            driver: Any = (await connection.get_raw_connection()).driver_connection
        except Exception as error:
            raise unavailable(error) from error
        try:
            return await attempt(connection, driver, *args)
        finally:
            await connection.close()

    async def _ask(
        self, connection: AsyncConnection, driver: Any, statement: Statement, values: tuple[Any, ...]
    ) -> Sequence[Sequence[Any]]:
        try:
            rows: Sequence[Sequence[Any]] = await driver.fetch(statement.sql, *values, timeout=STATEMENT_SECONDS)
        except Exception as error:
            await self._drop(connection, error)
            raise _Again(str(error)) from error
        return rows

    async def _transact(self, connection: AsyncConnection, driver: Any, batch: Batch) -> None:
        try:
            await driver.execute("BEGIN", timeout=STATEMENT_SECONDS)
            for step in batch.steps:
                status: str = await driver.execute(step.statement.sql, *step.values, timeout=STATEMENT_SECONDS)
                check(step, int(status.rpartition(" ")[2]))
        except BankError:
            await self._roll_back(connection, driver)
            raise
        except _WRONG as error:
            await self._roll_back(connection, driver)
            raise BadChange(_told(error)) from None  # the whole of it tells values
        except Exception as error:
            raise await self._undone(connection, driver, error) from error
        try:
            await driver.execute("COMMIT", timeout=STATEMENT_SECONDS)
        except Exception as error:
            await self._drop(connection, error)
            raise OutcomeUnknown(str(error)) from error

    async def _undone(self, connection: AsyncConnection, driver: Any, error: Exception) -> Exception:
        """Undo what was begun, and say what it means: nothing was committed yet."""
        answered = isinstance(error, asyncpg.PostgresError) and not isinstance(error, _LOST)
        if not answered:  # who knows what state it is in
            await self._drop(connection, error)
            return unavailable(error) if isinstance(error, TimeoutError) else _Again(_told(error))
        await self._roll_back(connection, driver)
        return _Again(_told(error)) if isinstance(error, _IN_THE_WAY) else unavailable(error)

    async def _roll_back(self, connection: AsyncConnection, driver: Any) -> None:
        try:
            await driver.execute("ROLLBACK", timeout=STATEMENT_SECONDS)
        except Exception as error:
            await self._drop(connection, error)

    async def _drop(self, connection: AsyncConnection, error: BaseException) -> None:
        """Where one connection has died the others in the pool mostly have too: begin with new ones."""
        await connection.invalidate(error)
        await self._engine.dispose()
