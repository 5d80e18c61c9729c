"""What a commit on SQLite promises: after the power cut it is there."""

from __future__ import annotations

import sqlite3
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
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
