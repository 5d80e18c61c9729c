"""Writes batches to PostgreSQL, and reads what every press needs, on connections taken from SQLAlchemy's pool.

While a connection is free, each batch is a transaction of its own. Batches that had to wait share a transaction; if one
of them fails, all are undone and each is written on its own.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from itertools import chain
from typing import Any, Final, TypeVar

import asyncpg
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from data.base.errors import SILENT, BadChange, is_late
from data.drivers.batch import Batch, BatchOutcome, Together, check
from data.drivers.statement import Compiled
from engine.tables.ports import BankError, BankUnavailable, OutcomeUnknown

#: The most attempts at a batch that met a conflict or a dead connection.
ATTEMPTS: Final = 4
#: Seconds to wait for a connection, and for a statement. Discord waits three seconds for an answer.
PATIENCE_SECONDS: Final = 2.5
STATEMENT_SECONDS: Final = 8.0
#: The most connections that write at once, and the most batches that share a commit.
WRITERS: Final = 8
MOST_TOGETHER: Final = 8

_BEGIN: Final = "BEGIN"
#: Begins a transaction of several batches. Each locks its rows in one agreed order, but several in a row do not, so
#: they wait for locks only briefly and are then written one by one.
_BEGIN_TOGETHER: Final = "BEGIN; SET LOCAL lock_timeout = '50ms'"

T = TypeVar("T")

_IN_THE_WAY: Final = (asyncpg.DeadlockDetectedError, asyncpg.SerializationError)
_WRONG: Final = (asyncpg.IntegrityConstraintViolationError, asyncpg.DataError)
#: Exceptions of a server that hangs up or accepts nobody at the moment.
_LOST: Final = (
    asyncpg.PostgresConnectionError,
    asyncpg.AdminShutdownError,
    asyncpg.CrashShutdownError,
    asyncpg.CannotConnectNowError,
    asyncpg.TooManyConnectionsError,
)


class _Again(Exception):
    """Raised when nothing was written and another attempt may succeed."""


class PatientConnection(asyncpg.Connection):  # type: ignore[misc]
    """The driver's connection, with a limit on its one unlimited wait: closing prepared statements.

    The driver closes them before it prepares others, without any time limit. Only this method uses that private part of
    the driver, whose version is pinned.
    """

    async def _cleanup_stmts(self) -> None:
        async with asyncio.timeout(STATEMENT_SECONDS):
            await super()._cleanup_stmts()


def hang_up(connection: Any) -> None:
    """Close the connection before SQLAlchemy does, which would wait for the answer of a silent server."""
    connection.driver_connection.terminate()


def unavailable(error: BaseException) -> BankUnavailable:
    """Return the exception that tells the operator, in one sentence, why the server cannot be used."""
    return BankUnavailable(f"The bank's server cannot be used: {_told(error)}.")


def _told(error: BaseException) -> str:
    """Return the text of an error without values: PostgreSQL adds the row, which may hold seeds."""
    if is_late(error):
        return SILENT
    driver = error.__cause__ if isinstance(error.__cause__, asyncpg.PostgresError | asyncpg.InterfaceError) else error
    if isinstance(driver, asyncpg.ClientConfigurationError):
        return str(driver).partition("\n")[0]  # such as an unknown sslmode
    if isinstance(driver, asyncpg.DataError | asyncpg.InterfaceError | UnicodeError):
        return type(driver).__name__
    return (str(driver).splitlines() or [type(driver).__name__])[0]


class _Apart(Exception):
    """Raised when a transaction of several batches failed and was undone. Each batch is then written by itself."""


@dataclass(frozen=True, slots=True)
class _PooledConnection:
    """A connection of the pool, and the driver's connection in it."""

    pooled: AsyncConnection
    driver: Any


class PostgresDriver:
    """The driver for PostgreSQL: it writes batches, and runs the reads of every press, on connections that it keeps."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine
        self._in_hand: list[_PooledConnection] = []
        self._together = Together(self._write, writers=WRITERS, most=MOST_TOGETHER)
        self.run = self._together.run

    async def open(self) -> None:
        """Do nothing: connections are made when they are needed."""

    async def close(self) -> None:
        await self._together.close()
        while self._in_hand:
            await self._in_hand.pop().pooled.close()

    def check(self) -> None:
        """Do nothing: the server looks after its own files."""

    async def fetch(self, statement: Compiled, values: tuple[Any, ...]) -> Sequence[Sequence[Any]]:
        """Return the rows that a compiled statement finds, or raise BankUnavailable.

        If the connection is lost, ask again on another one.
        """
        return await self._persevere(self._ask, statement, values)

    # -- private ---------------------------------------------------------------------------------------------------

    async def _write(self, batches: list[Batch]) -> AsyncIterator[BatchOutcome]:
        try:
            fault = await self._fault(batches)
        except _Apart:
            async for result in self._one_by_one(batches):
                yield result
        else:
            for _ in batches:
                yield fault

    async def _one_by_one(self, batches: list[Batch]) -> AsyncIterator[BatchOutcome]:
        """Write each batch on its own and yield its outcome.

        Once a batch fails with BankUnavailable, the remaining batches are not tried, and get the same outcome.
        """
        fault = None
        for batch in batches:
            if not isinstance(fault, BankUnavailable):
                fault = await self._fault([batch])
            yield fault

    async def _fault(self, batches: list[Batch]) -> BatchOutcome:
        """Write the batches in one transaction, and return None or the exception with which that failed.

        After OutcomeUnknown nobody knows whether they are written; after any other exception they are not.
        Raises _Apart if there are several batches, and a statement was refused or found the wrong number of rows.
        """
        try:
            await self._persevere(self._transact, batches)
        except _Apart:
            raise
        except Exception as fault:
            return fault
        return None

    async def _persevere(self, attempt: Callable[..., Awaitable[T]], *args: Any) -> T:
        """Call `attempt` with a connection and these arguments until it does not raise _Again, and return its result.

        If a connection has died, the next attempt uses another. Raises BankUnavailable after `ATTEMPTS` attempts.
        """
        lost = None
        for _ in range(ATTEMPTS):
            try:
                async with self._line() as line:
                    return await attempt(line, *args)
            except _Again as again:
                lost = again
        raise unavailable(lost or _Again()) from lost

    @asynccontextmanager
    async def _line(self) -> AsyncIterator[_PooledConnection]:
        """Lend a connection that nobody else uses, and keep it for the next caller.

        Taking one from the pool needs half as much time as a statement.
        """
        line = self._in_hand.pop() if self._in_hand else await self._new()
        try:
            yield line
        except asyncio.CancelledError:  # a statement that is prepared and not run leaves a transaction open
            if not line.driver.is_closed():
                await line.pooled.invalidate()
            raise
        finally:
            if len(self._in_hand) < WRITERS and not line.driver.is_closed():
                self._in_hand.append(line)
            else:
                await line.pooled.close()

    async def _new(self) -> _PooledConnection:
        try:
            pooled = await self._engine.connect()
            return _PooledConnection(pooled, (await pooled.get_raw_connection()).driver_connection)
        except Exception as error:
            raise unavailable(error) from error

    async def _ask(
        self, line: _PooledConnection, statement: Compiled, values: tuple[Any, ...]
    ) -> Sequence[Sequence[Any]]:
        try:
            rows: Sequence[Sequence[Any]] = await line.driver.fetch(statement.sql, *values, timeout=STATEMENT_SECONDS)
        except Exception as error:
            await self._drop(line, error)
            raise _unanswered(error) from error
        return rows

    async def _transact(self, line: _PooledConnection, batches: list[Batch]) -> None:
        alone = len(batches) == 1
        try:
            await line.driver.execute(_BEGIN if alone else _BEGIN_TOGETHER, timeout=STATEMENT_SECONDS)
            for step in chain.from_iterable(batch.steps for batch in batches):
                status: str = await line.driver.execute(step.statement.sql, *step.values, timeout=STATEMENT_SECONDS)
                check(step, int(status.rpartition(" ")[2]))
        except Exception as error:
            raise await self._undone(line, error, alone=alone) from None  # the full message contains values
        try:
            await line.driver.execute("COMMIT", timeout=STATEMENT_SECONDS)
        except Exception as error:
            await self._drop(line, error)
            raise OutcomeUnknown(str(error)) from error

    async def _undone(self, line: _PooledConnection, error: Exception, *, alone: bool) -> Exception:
        """Roll back a transaction that is not committed, and return the exception to raise instead of `error`.

        If the server did not answer, return that of `_unanswered`. If it answered, return that of `_meant` for a
        single batch (`alone`), and _Apart for several batches.
        """
        answered = isinstance(error, BankError | asyncpg.PostgresError) and not isinstance(error, _LOST)
        if not answered:  # its state is unknown
            await self._drop(line, error)
            return _unanswered(error)
        try:
            await line.driver.execute("ROLLBACK", timeout=STATEMENT_SECONDS)
        except Exception as lost:
            await self._drop(line, lost)
        return _meant(error) if alone else _Apart()

    async def _drop(self, line: _PooledConnection, error: BaseException) -> None:
        """Close this connection and all that are idle: where one has died, most others have too."""
        dead, self._in_hand = [line, *self._in_hand], []
        for each in dead:
            await each.pooled.invalidate(error)
            await each.pooled.close()
        await self._engine.dispose()


def _unanswered(error: Exception) -> Exception:
    """Return the exception to raise when the server did not answer and nothing was written.

    It is BankUnavailable if the time for an answer ran out, otherwise _Again, which leads to another attempt.
    """
    return unavailable(error) if is_late(error) else _Again(_told(error))


def _meant(error: Exception) -> Exception:
    """Return the exception for an error that the server reported about a single batch."""
    if isinstance(error, BankError):
        return error
    if isinstance(error, _WRONG):
        return BadChange(_told(error))
    return _Again(_told(error)) if isinstance(error, _IN_THE_WAY) else unavailable(error)
