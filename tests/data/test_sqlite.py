"""Commits on SQLite that a power cut does not undo, and statements that cost one call each."""

from __future__ import annotations

import sqlite3
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import aiosqlite
import pytest
import sqlalchemy as sa
from sqlalchemy.exc import OperationalError
from sqlalchemy.ext.asyncio import AsyncEngine

from data.drivers.sqlite import SqliteDriver
from data.drivers.store import make_engine
from data.drivers.url import address

FULL = 2
ASKED = "SELECT * FROM pragma_synchronous, pragma_journal_mode, pragma_foreign_keys"


def answers(connection: sqlite3.Connection) -> object:
    return connection.execute(ASKED).fetchone()


@pytest.fixture
async def engine(tmp_path: Path) -> AsyncIterator[AsyncEngine]:
    engine = make_engine(address(f"sqlite:///{tmp_path / 'casino.db'}"))
    yield engine
    await engine.dispose()


@pytest.mark.parametrize("line", ["_writer", "_reader"])
async def test_every_commit_waits_for_the_disk(engine: AsyncEngine, line: str) -> None:
    driver = SqliteDriver(engine)
    await driver.open()
    assert await getattr(driver, line).do(answers) == (FULL, "wal", 1)
    await driver.close()


async def test_so_do_the_connections_that_migrate_and_restore(engine: AsyncEngine) -> None:
    async with engine.connect() as connection:
        assert tuple((await connection.exec_driver_sql(ASKED)).one()) == (FULL, "wal", 1)


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return the calls on the threads of connections, in order."""
    asked: list[str] = []
    execute = aiosqlite.Connection._execute

    async def noted(self: aiosqlite.Connection, call: Any, *args: Any, **options: Any) -> Any:
        asked.append(call.__name__)
        return await execute(self, call, *args, **options)

    monkeypatch.setattr(aiosqlite.Connection, "_execute", noted)
    return asked


async def test_a_statement_is_one_call_on_the_thread(engine: AsyncEngine, calls: list[str]) -> None:
    async with engine.connect() as connection:
        calls.clear()
        await connection.exec_driver_sql("CREATE TABLE cards (rank)")
        written = await connection.execute(sa.text("INSERT INTO cards VALUES (:rank)"), [{"rank": 2}, {"rank": 3}])
        ranks = (await connection.execute(sa.text("SELECT rank FROM cards WHERE rank > :rank"), {"rank": 1})).all()
        assert len(calls) == 3
    assert written.rowcount == 2
    assert [rank for (rank,) in ranks] == [2, 3]


async def test_a_statement_that_fails_leaves_its_connection_as_it_was(engine: AsyncEngine) -> None:
    async with engine.connect() as connection:
        for wrong in ("SELECT nothing", "SELECT CAST(x'ff' AS TEXT)"):
            with pytest.raises(OperationalError):
                await connection.exec_driver_sql(wrong)
        assert (await connection.exec_driver_sql("SELECT 1")).scalar_one() == 1
