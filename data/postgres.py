"""Writing to PostgreSQL: each batch a transaction of its own, on a connection of SQLAlchemy's pool."""

from __future__ import annotations

import asyncio
from typing import Any, Final

import asyncpg
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from data.batch import Batch, check
from data.faults import BadChange
from engine.live.ports import BankError, BankUnavailable, OutcomeUnknown

#: Two batches in each other's way, or a connection that died in the pool: begin again, so many times in all.
ATTEMPTS: Final = 4

_IN_THE_WAY = (asyncpg.DeadlockDetectedError, asyncpg.SerializationError)
_WRONG = (asyncpg.IntegrityConstraintViolationError, asyncpg.DataError, OverflowError)
_LOST = (
    asyncpg.PostgresConnectionError,
    asyncpg.OperatorInterventionError,
    asyncpg.InterfaceError,
    asyncpg.TooManyConnectionsError,
    OSError,
    TimeoutError,
    DBAPIError,
)


class _Again(Exception):
    """Nothing was written, and the next attempt may do better."""


def unavailable(error: BaseException) -> BankUnavailable:
    return BankUnavailable(f"The bank's server cannot be used: {str(error) or type(error).__name__}.")


class PostgresWriter:
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

    # -- private ---------------------------------------------------------------------------------------------------

    def _forget(self, task: asyncio.Task[None]) -> None:
        self._running.discard(task)
        if not task.cancelled():
            task.exception()  # looked at, should the caller have gone away

    async def _persist(self, batch: Batch) -> None:
        for _ in range(ATTEMPTS - 1):
            try:
                return await self._attempt(batch)
            except _Again:
                continue
        try:
            await self._attempt(batch)
        except _Again as again:
            raise unavailable(again) from again.__cause__

    async def _attempt(self, batch: Batch) -> None:
        try:
            connection = await self._engine.connect()
        except _LOST as error:
            raise unavailable(error) from error
        try:
            await self._transact(connection, batch)
        finally:
            await _give_back(connection)

    async def _transact(self, connection: AsyncConnection, batch: Batch) -> None:
        driver: Any = (await connection.get_raw_connection()).driver_connection
        try:
            await driver.execute("BEGIN")
            for step in batch.steps:
                status: str = await driver.execute(step.statement.sql, *step.values)
                check(step, int(status.rpartition(" ")[2]))
        except BankError:
            await _undo(connection, driver)
            raise
        except (*_WRONG, *_IN_THE_WAY) as error:
            await _undo(connection, driver)
            if isinstance(error, _IN_THE_WAY):
                raise _Again(str(error)) from error
            raise BadChange(str(error)) from error
        except _LOST as error:
            await connection.invalidate(error)
            raise _Again(str(error)) from error
        except asyncpg.PostgresError as error:  # full disk, read-only, out of memory ...
            await _undo(connection, driver)
            raise unavailable(error) from error
        await _commit(connection, driver)


async def _commit(connection: AsyncConnection, driver: Any) -> None:
    try:
        await driver.execute("COMMIT")
    except (*_LOST, asyncpg.PostgresError) as error:
        await connection.invalidate(error)
        raise OutcomeUnknown(str(error)) from error


async def _undo(connection: AsyncConnection, driver: Any) -> None:
    try:
        await driver.execute("ROLLBACK")
    except (*_LOST, asyncpg.PostgresError) as error:
        await connection.invalidate(error)


async def _give_back(connection: AsyncConnection) -> None:
    try:
        await connection.close()
    except _LOST as error:
        await connection.invalidate(error)
