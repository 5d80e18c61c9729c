"""Registers the processes that have a PostgreSQL bank open, so that the schema never changes under a running one.

Each process holds a shared lock on a connection of its own. The lock ends with the process, however the process ends.
Changing the schema takes the lock exclusively.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from typing import Final

import sqlalchemy as sa
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

log = logging.getLogger(__name__)

_LOCK: Final = 0x63726F75616C6976
_HOLD: Final = sa.text(f"SELECT pg_try_advisory_lock_shared({_LOCK})")
_ALONE: Final = sa.text(f"SELECT pg_try_advisory_xact_lock({_LOCK})")
_STILL: Final = sa.text("SELECT 1")
_LEAVE: Final = sa.text(f"SELECT pg_advisory_unlock_shared({_LOCK})")
#: Seconds to wait until the server confirms that the lock is released. A silent one notices when the connection closes.
LEAVING: Final = 1.0
#: Seconds between checks that the server still holds our lock, which a server forgets when it restarts.
EVERY: Final = 20.0
#: Seconds between attempts at the lock while the schema changes: one attempt that waits for hours would look like a
#: server that does not answer.
ASKING: Final = 0.1


class Alive:
    """The lock by which this process prevents changes of the schema."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine
        self._connection: AsyncConnection | None = None
        self._keeper: asyncio.Task[None] | None = None

    async def enter(self) -> None:
        """Wait for any change of the schema to end, and prevent the next one until `leave`."""
        await self._hold()
        self._keeper = asyncio.create_task(self._keep(), name="alive")

    async def leave(self) -> None:
        """Release this process's lock, so that the schema may change once no other process holds it."""
        if self._keeper is not None:
            self._keeper.cancel()
            await asyncio.gather(self._keeper, return_exceptions=True)
        await self._say_so()
        await self._let_go()

    async def _hold(self) -> None:
        connection = await self._engine.connect()
        self._connection = await connection.execution_options(isolation_level="AUTOCOMMIT")
        while not (await self._connection.execute(_HOLD)).scalar():  # noqa: ASYNC110, a server sends no event
            await asyncio.sleep(ASKING)

    async def _say_so(self) -> None:
        """Release the lock. Closing the connection also releases it, but the server may notice that only later."""
        if self._connection is not None:
            with contextlib.suppress(SQLAlchemyError, OSError, TimeoutError):
                async with asyncio.timeout(LEAVING):
                    await self._connection.execute(_LEAVE)

    async def _let_go(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            with contextlib.suppress(SQLAlchemyError, OSError):
                await connection.invalidate()  # closed, so that the lock does not return to the pool with it
                await connection.close()

    async def _keep(self) -> None:
        while True:
            await asyncio.sleep(EVERY)
            try:
                if self._connection is None:
                    await self._hold()
                else:
                    await self._connection.execute(_STILL)
            except (SQLAlchemyError, OSError, TimeoutError) as error:
                log.info("the bank's server has to be told again that this process is alive: %s", type(error).__name__)
                await self._let_go()


async def is_alone(connection: AsyncConnection) -> bool:
    """Return whether no process has the bank open. If so, none can open it before this transaction ends."""
    return bool((await connection.execute(_ALONE)).scalar())
