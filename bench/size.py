"""`python -m bench size`: bytes of the database for a round, really played at tables and bound, by tables of the bank.

A table's bytes include its indexes. Room that is used again stands apart: half-empty pages, and on PostgreSQL the old
versions of rows. Once it is packed, after months, a round has no causes any more.
"""

from __future__ import annotations

import asyncio
import json
import tempfile
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Final

import sqlalchemy as sa

from bench._server import postgres
from bench.tables import TableProcess
from data import Bank
from data.__main__ import SystemClock
from data.base.schema import metadata
from engine.tables.house import HouseSettings
from engine.tables.table import Table

_TABLES: Final = 40
_ROUNDS: Final = 4_000
#: Seconds after which a round is packed: at once, and packs need not be full.
_AGE: Final = -3600.0
#: The fewest bytes a round for which a table has a line of its own.
_WORTH: Final = 10

#: The bytes of each table with its indexes. SQLite counts them where it was built with `dbstat`.
_BY_TABLE: Final = {
    "sqlite": "SELECT s.tbl_name, sum(d.pgsize) FROM dbstat d JOIN sqlite_schema s ON s.name = d.name GROUP BY 1",
    "postgresql": "SELECT relname, pg_total_relation_size(oid) FROM pg_class WHERE relkind = 'r'",
}
_WHOLE: Final = {
    "sqlite": "SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()",
    "postgresql": "SELECT pg_database_size(current_database())",
}


async def _sizes(bank: Bank) -> dict[str, int]:
    """Return the bytes of the whole bank, and of each table where the database tells it."""
    kind = bank._store.engine.dialect.name
    async with bank._store.reading() as connection:
        sizes = {"all": int((await connection.execute(sa.text(_WHOLE[kind]))).scalar_one())}
    try:
        async with bank._store.reading() as connection:
            found = (await connection.execute(sa.text(_BY_TABLE[kind]))).all()
    except sa.exc.OperationalError:
        return sizes
    return sizes | {name: int(size) for name, size in found if name in metadata.tables}


async def _play(casino: TableProcess, rounds: int) -> None:
    """Play this many rounds at some tables, and bind them into the book."""

    async def play(table: Table) -> None:
        last = table.snapshot().round + rounds // _TABLES
        while table.snapshot().round < last:
            await casino.press(table)

    await asyncio.gather(*map(play, casino.registry.tables()))
    while await casino.bank.leaves.bind():
        pass


async def _measure(url: str) -> dict[str, int]:
    async with Bank.open(url, HouseSettings(turn_seconds=3600, betting_seconds=3600), SystemClock()) as bank:
        casino = TableProcess(bank)
        for number in range(1, _TABLES + 1):
            await casino.open(number)
        before = await _sizes(bank)
        await _play(casino, _ROUNDS)
        after = await _sizes(bank)
        await casino.registry.shutdown()
        clean = await _cleaned(bank)
        while await bank.archive.put_away(_AGE):
            pass
        packed = await _cleaned(bank)
    each = {name: round((clean[name] - before[name]) / _ROUNDS) for name in after}
    told = {name: each[name] for name in sorted(each, key=lambda name: -each[name]) if each[name] >= _WORTH}
    return told | {
        "room that is used again": round((after["all"] - clean["all"]) / _ROUNDS),
        "once packed": round((packed["all"] - packed["causes"] - before["all"] + before["causes"]) / _ROUNDS),
    }


async def _cleaned(bank: Bank) -> dict[str, int]:
    """Give the space of deleted rows back to the system, and return the sizes after it."""
    async with bank._store.engine.connect() as connection:
        alone = await connection.execution_options(isolation_level="AUTOCOMMIT")
        await alone.execute(sa.text("VACUUM" if bank._store.is_file else "VACUUM FULL"))
    return await _sizes(bank)


def main() -> dict[str, Any]:
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="bench-")))
        found: dict[str, Any] = {"bench": "size", "unit": "bytes a round"}
        found["sqlite"] = asyncio.run(_measure(f"sqlite:///{folder / 'bank.db'}"))
        found["postgresql"] = asyncio.run(_measure(next(stack.enter_context(postgres()))))
    print(json.dumps(found))
    return found
