"""A bank into which SQL copied a crowd, and the time of looks at it."""

from __future__ import annotations

import statistics
import time
from collections.abc import Awaitable, Callable, Iterable
from typing import Any, Final

import sqlalchemy as sa

from data import Bank

#: Looks of which the median counts.
LOOKS: Final = 20


async def copy(bank: Bank, statements: Iterable[str]) -> None:
    """Run statements that copy a crowd into the bank, and take the database's statistics of it."""
    async with bank._store.rewriting() as connection:
        for statement in statements:
            await connection.exec_driver_sql(statement)
    async with bank._store.patient.connect() as connection:
        await connection.execute(sa.text("ANALYZE"))
        await connection.commit()


async def median(work: Callable[[int], Awaitable[Any]]) -> float:
    """Return the median milliseconds of some work, which is given the number of the look."""
    spent = []
    for look in range(LOOKS):
        since = time.perf_counter()
        await work(look)
        spent.append((time.perf_counter() - since) * 1_000)
    return round(statistics.median(spent), 1)
