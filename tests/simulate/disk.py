"""The disk: SQLite run in line, behind a layer that fails when the story says so.

aiosqlite gives each connection a thread and a queue. Here the queue does what it is given at once, on the spot, and the
answer comes after a while of virtual time: the rest of the bank is the real one, down to its files.
"""

from __future__ import annotations

import asyncio
import random
import sqlite3
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import aiosqlite

#: The failures of a disk, by how they show.
FAULTS: Final = ("locked", "full", "full at the commit", "kept, not told", "lost, not told", "unreadable", "slow")


class Disk:
    """The disk under one process, until that is killed."""

    def __init__(self, injected: Counter[str]) -> None:
        self.chance = random.Random(0)
        self.coming: list[str] = []
        self.dead = False
        self.untold = 0  # commits that were kept, and nobody was told
        self._injected = injected
        self._open: list[sqlite3.Connection] = []

    def fails(self, *kinds: str) -> str:
        """The next fault that the story has for such a moment."""
        for kind in kinds:
            if kind in self.coming:
                self.coming.remove(kind)
                self._injected[f"disk: {kind}"] += 1
                return kind
        return ""

    def connect(self, *args: Any, **more: Any) -> sqlite3.Connection:
        connection = sqlite3.connect(*args, **{**more, "factory": _Connection, "check_same_thread": False})
        connection.disk = self  # type: ignore[attr-defined]
        self._open.append(connection)
        return connection

    def die(self) -> None:
        """Drop everything that was not committed."""
        self.dead = True
        for connection in self._open:
            connection.close()

    def delay(self) -> float:
        if self.fails("slow"):
            return self.chance.uniform(0.5, 4.0)
        return self.chance.choice((0.0, 0.0, 0.001, 0.01))


#: The disks by name. The address of a bank names the disk through which every connection to it goes.
_plugged: dict[str, Disk] = {}


def through(disk: Disk, file: Path) -> str:
    """The address of this file behind this disk."""
    name = str(len(_plugged))
    _plugged[name] = disk
    return f"sqlite:///{file}?uri=true&disk={name}"


def _error(text: str, code: int) -> sqlite3.OperationalError:
    error = sqlite3.OperationalError(text)
    error.sqlite_errorcode = code
    return error


class _Connection(sqlite3.Connection):
    disk: Disk

    def execute(self, sql: str, *values: Any) -> sqlite3.Cursor:
        word = sql[:6]
        if word == "BEGIN " and self.disk.fails("locked"):
            raise _error("database is locked", sqlite3.SQLITE_BUSY)
        if word in ("INSERT", "UPDATE") and self.disk.fails("full"):
            raise _error("database or disk is full", sqlite3.SQLITE_FULL)
        if word == "SELECT" and self.disk.fails("unreadable"):
            raise _error("disk I/O error", sqlite3.SQLITE_IOERR)
        if word == "COMMIT":
            self._commit()
        return super().execute(sql, *values)

    def _commit(self) -> None:
        fault = self.disk.fails("full at the commit", "kept, not told", "lost, not told")
        if fault == "full at the commit":
            raise _error("database or disk is full", sqlite3.SQLITE_FULL)
        if fault:
            self.disk.untold += fault == "kept, not told"
            super().execute("COMMIT" if fault == "kept, not told" else "ROLLBACK")
            raise _error("disk I/O error", sqlite3.SQLITE_IOERR)

    def cursor(self, *_: Any) -> sqlite3.Cursor:  # type: ignore[override]
        return super().cursor(_Cursor)


class _Cursor(sqlite3.Cursor):
    def execute(self, sql: str, *values: Any) -> sqlite3.Cursor:
        if sql.startswith("PRAGMA busy_timeout"):
            sql = "PRAGMA busy_timeout = 0"  # whom would we wait for?
        disk: Disk = self.connection.disk  # type: ignore[attr-defined]
        if sql.startswith("SELECT") and disk.fails("unreadable"):
            raise _error("disk I/O error", sqlite3.SQLITE_IOERR)
        return super().execute(sql, *values)


class _Queue:
    """A queue in place of aiosqlite's: things are done at once and answered a little later, in order."""

    def __init__(self, disk: Disk) -> None:
        self._disk = disk
        self._free_at = 0.0

    def put_nowait(self, order: tuple[asyncio.Future[Any] | None, Callable[[], Any]]) -> None:
        done, work = order
        if self._disk.dead:
            return  # nobody will ever hear
        try:
            result, error = work(), None
        except Exception as found:
            result, error = None, found
        if done is None:
            return
        loop = asyncio.get_running_loop()
        self._free_at = max(self._free_at, loop.time() + self._disk.delay())
        loop.call_at(self._free_at, self._tell, done, result, error)

    def _tell(self, done: asyncio.Future[Any], result: Any, error: Exception | None) -> None:
        if done.done() or self._disk.dead:
            return
        done.set_result(result) if error is None else done.set_exception(error)


class _Inline(aiosqlite.Connection):
    """A connection without a thread."""

    def __init__(self, connector: Callable[[], sqlite3.Connection], disk: Disk) -> None:
        super().__init__(connector, 64)
        self._tx = _Queue(disk)  # type: ignore[assignment]

    def __await__(self) -> Any:
        return self._connect().__await__()

    def __del__(self) -> None:
        """A killed process closes nothing."""


def _connect(address: str, **more: Any) -> _Inline:
    file, _, name = address.partition("?disk=")
    disk = _plugged[name]
    return _Inline(lambda: disk.connect(file, **more), disk)


@contextmanager
def in_line() -> Iterator[None]:
    """Let every connection that is opened inside the block be one of these."""
    real, aiosqlite.connect = aiosqlite.connect, _connect  # type: ignore[assignment]
    try:
        yield
    finally:
        aiosqlite.connect = real
        _plugged.clear()
