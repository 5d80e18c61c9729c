"""The banks that earlier releases left behind: as they were, or in today's schema, which each is brought to once."""

from __future__ import annotations

import contextlib
import shutil
import sqlite3
from pathlib import Path

import asyncpg

from data import Bank
from engine.tables.house import HouseSettings
from tests.data.dealer import HandClock
from tests.data.servers import Server
from tests.releases import Release


def as_file(release: Release, file: Path) -> str:
    """Write the bank of a release to a file, as it was when its process was killed, and return its address."""
    with contextlib.closing(sqlite3.connect(file)) as raw:
        raw.executescript(release.text("sqlite.sql.gz"))
    return f"sqlite:///{file}"


async def on_server(release: Release, server: Server) -> str:
    """Write the same bank to a database of its own, and return its address."""
    address = await server.empty()
    raw = await asyncpg.connect(address)
    await raw.execute(release.text("postgresql.sql.gz"))
    await raw.close()
    return address


class Upgraded:
    """Old banks in today's schema, copied for tests that only go on from there."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._on_server: dict[Release, str] = {}

    async def as_file(self, release: Release, file: Path) -> str:
        """Write the bank to a file, and return its address."""
        template = self._folder / f"{release.name}.db"
        if not template.exists():
            await _upgrade(as_file(release, template), release)
        shutil.copyfile(template, file)
        return f"sqlite:///{file}"

    async def on_server(self, release: Release, server: Server) -> str:
        """Write the bank to a database of its own, and return its address."""
        if release not in self._on_server:
            self._on_server[release] = await on_server(release, server)
            server.keep(self._on_server[release])
            await _upgrade(self._on_server[release], release)
        return await server.copy(self._on_server[release])


async def _upgrade(address: str, release: Release) -> None:
    async with Bank.open(address, HouseSettings(), HandClock(release.was["now"])):
        pass
