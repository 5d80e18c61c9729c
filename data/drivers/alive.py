"""Which processes have a PostgreSQL bank open, so that none of them finds its schema changed under it.

Each holds a lock that all may share, on a connection of its own: it goes when the process does, whatever ends it. Who
changes the schema needs the lock alone.
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
#: A server that fell over has forgotten its locks: so often it is asked.
EVERY: Final = 20.0
#: And so often it is asked for the lock while somebody changes the schema: a question that waits for hours could not be
#: told from a server that has fallen silent.
ASKING: Final = 0.1


class Alive:
    """This process's share of the lock."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine
        self._connection: AsyncConnection | None = None
        self._keeper: asyncio.Task[None] | None = None

    async def enter(self) -> None:
        """From now on nobody changes the schema. Waits for whoever is changing it."""
        await self._hold()
        self._keeper = asyncio.create_task(self._keep(), name="alive")

    async def leave(self) -> None:
        """The process does not need the schema any more."""
        if self._keeper is not None:
            self._keeper.cancel()
        await self._let_go()

    async def _hold(self) -> None:
        connection = await self._engine.connect()
        self._connection = await connection.execution_options(isolation_level="AUTOCOMMIT")
        while not (await self._connection.execute(_HOLD)).scalar():  # noqa: ASYNC110, a server rings no bell
            await asyncio.sleep(ASKING)

    async def _let_go(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            with contextlib.suppress(SQLAlchemyError, OSError):
                await connection.invalidate()  # closed, and not lent to somebody else with the lock
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
    """Whether no process has the bank open. If so, none can open it before this transaction ends."""
    return bool((await connection.execute(_ALONE)).scalar())
