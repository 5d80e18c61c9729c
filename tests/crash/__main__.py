"""``python -m tests.crash N``: kill the casino N times, and prove each time that nothing was lost.

A tenth of them on PostgreSQL, a tenth on one that cuts its connections first, some on one that falls over. Fourteen
banks that are broken on purpose come before all that: what does not catch them proves nothing.

It needs a POSIX system, whose `SIGKILL` gives a process no moment more.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import logging
import os
import shutil
import signal
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import asyncpg

from data import Bank
from tests.crash.broken import (
    CountsLaterBank,
    DoorLaterBank,
    FickleBank,
    HastyBank,
    HastyTriesBank,
    LimitlessBank,
    MarksFirstBank,
    OpenDoorBank,
    PaysFirstBank,
    PrizesLaterBank,
    RisesAtOnceBank,
    ScoresLaterBank,
    SellsFirstBank,
    TwoStepBank,
)
from tests.crash.harness import LONGEST_LIFE, SHORT_LIFE, Harness, Lost, Score
from tests.data.scratch import scratch as memory
from tests.data.servers import Server, postgres

BROKEN: Final = (
    *(TwoStepBank, PaysFirstBank, CountsLaterBank, HastyBank, FickleBank),
    *(DoorLaterBank, OpenDoorBank, LimitlessBank, RisesAtOnceBank),
    *(SellsFirstBank, ScoresLaterBank, HastyTriesBank, MarksFirstBank, PrizesLaterBank),
)
#: Kills of one bank; then a new one, for each look back reads all of it.
A_BANK = 400


def on_sqlite(folder: Path, kills: int, kind: type[Bank] = Bank) -> Score:
    return _on(lambda: f"sqlite:///{tempfile.mkdtemp(dir=folder)}/bank.db", kills, kind)


def on_postgres(server: Server, kills: int) -> Score:
    return _on(lambda: asyncio.run(server.new()), kills, Bank)


def on_postgres_that_hangs_up(server: Server, kills: int) -> Score:
    """Before the casino dies, its connections do."""
    return _on(lambda: asyncio.run(server.new()), kills, Bank, lambda url: lambda: asyncio.run(hang_up(url)))


def on_postgres_that_falls_over(server: Server, kills: int) -> Score:
    """Before the casino dies, one of the server's own processes is killed, and the whole server starts again."""
    return _on(lambda: asyncio.run(server.new()), kills, Bank, lambda url: lambda: asyncio.run(knock_over(url)))


async def knock_over(url: str) -> None:
    connection = await asyncpg.connect(url)
    pid = await connection.fetchval("SELECT pg_backend_pid()")
    os.kill(pid, signal.SIGKILL)
    connection.terminate()
    while True:
        await asyncio.sleep(0.02)
        with contextlib.suppress(asyncpg.PostgresError, OSError):
            await (await asyncpg.connect(url)).close()
            return


async def hang_up(url: str) -> None:
    connection = await asyncpg.connect(url)
    others = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database()"
    await connection.execute(f"{others} AND pid <> pg_backend_pid()")
    await connection.close()


def _on(
    new: Callable[[], str],
    kills: int,
    kind: type[Bank],
    striking: Callable[[str], Callable[[], None] | None] = lambda _: None,
) -> Score:
    total = Score()
    while total.kills < kills:
        url = new()
        longest = LONGEST_LIFE if kind is Bank else SHORT_LIFE
        harness = Harness(url, kind, seed=total.kills, longest_life=longest, strike=striking(url))
        score = harness.run(min(A_BANK, kills - total.kills))
        total = total + score
    return total


def caught(folder: Path, kind: type[Bank], within: int) -> str:
    """How the harness catches a broken bank; Lost if it does not."""
    try:
        on_sqlite(folder, within, kind)
    except Lost as found:
        return str(found)
    raise Lost(f"{kind.__name__} was not caught in {within} kills")


@contextmanager
def scratch() -> Iterator[Path]:
    folder = Path(tempfile.mkdtemp(prefix="crash-", dir=memory()))
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def main() -> int:
    asked = argparse.ArgumentParser(prog="python -m tests.crash", description=__doc__)
    asked.add_argument("kills", metavar="N", type=int, nargs="?", default=300)
    kills = asked.parse_args().kills
    if os.name != "posix":
        asked.error("the kills need a POSIX system")
    logging.disable()  # cut connections are what this is about
    try:
        with scratch() as folder, postgres() as server:
            for broken in BROKEN:
                print(f"{broken.__name__} caught: {caught(folder, broken, within=400)[:200]}", flush=True)
            some, few = max(1, kills // 10), max(1, kills // 60)
            print(f"SQLite: {on_sqlite(folder, max(1, kills - 2 * some - few))}", flush=True)
            print(f"PostgreSQL: {on_postgres(server, some)}", flush=True)
            print(f"PostgreSQL that hangs up: {on_postgres_that_hangs_up(server, some)}", flush=True)
            print(f"PostgreSQL that falls over: {on_postgres_that_falls_over(server, few)}", flush=True)
    except Lost as lost:
        print(f"LOST: {lost}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
