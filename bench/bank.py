"""`python -m bench bank`: durable presses a second, compared with the bare drivers doing the same work in the same run.

A press doubles a hand: the table's new state, the cause, the chips that move, the transfer and the step, in one commit
that is on the disk when it returns. The bare drivers send the same statements with the same values.
"""

from __future__ import annotations

import asyncio
import json
import sqlite3
import statistics
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from contextlib import ExitStack, asynccontextmanager, closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import aiosqlite
import asyncpg

from bench._server import postgres
from data import Bank
from data.__main__ import SystemClock
from data.drivers.batch import Batch
from data.drivers.sqlite import prepare
from engine.games.contract import CHIP, Step
from engine.tables.house import HouseSettings
from engine.tables.values import Account, Change, Deal, Kind, Seal, TableRow, Taken, Transfer

_GUILD: Final = 5 << 22
_TABLES: Final = 64
_LAPS: Final = 7
_ALONE: Final = 100  # presses of a lap, one after the other
_EACH: Final = 4  # presses of each of the 64

PressSeat = Callable[["DoublingTable"], Awaitable[None]]


@dataclass
class DoublingTable:
    """A table where a hand is doubled again and again."""

    id: int
    member: int
    version: int = 2
    steps: int = 0
    account: Account = field(init=False)
    escrow: Account = field(init=False)

    def __post_init__(self) -> None:
        self.account = Account(Kind.MEMBER, _GUILD, str(self.member))
        self.escrow = Account(Kind.ESCROW, _GUILD, f"{self.id}/1")

    def row(self) -> TableRow:
        self.version += 1
        return TableRow(self.id, _GUILD, 70, "blackjack", "{}" * 400, self.version, open=True, deadline=time.time())

    def double(self) -> Change:
        """Return the change of the next press, which doubles the hand again."""
        row, cause = self.row(), f"press/{self.id}/{self.version}"
        transfer = Transfer(f"{cause}/stake", self.account, self.escrow, CHIP, "stake")
        taken = Taken(1, self.steps, Step(0, "double"), time.time())
        self.steps += 1
        return Change(cause, row, [transfer], taken=[taken])


async def _seats(bank: Bank) -> list[DoublingTable]:
    """Return 64 tables with a hand dealt at each, and a rich player."""
    seats = []
    for number in range(1, _TABLES + 1):
        member = await bank.members.sign_in(_GUILD, number)
        await bank.chips.grant(member.id, 10**9, actor=member.id, reason="bench", press=number)
        seat = DoublingTable(number, member.id, version=0)
        await bank.tables.commit(Change(f"{number}/open", seat.row(), seal=Seal(1, bytes(32), "0" * 64)))
        deal = Deal(1, "blackjack", "vegas", {}, [{"main": CHIP}], [member.id], [], time.time())
        await bank.tables.commit(Change(f"{number}/deal", seat.row(), deal=deal))
        seats.append(seat)
    return seats


# -- measuring ---------------------------------------------------------------------------------------------------------


async def _alone(press: PressSeat, seats: Sequence[DoublingTable]) -> float:
    begun = time.perf_counter()
    for _ in range(_ALONE):
        await press(seats[0])
    return _ALONE / (time.perf_counter() - begun)


async def _together(press: PressSeat, seats: Sequence[DoublingTable]) -> float:
    async def play(seat: DoublingTable) -> None:
        for _ in range(_EACH):
            await press(seat)

    begun = time.perf_counter()
    await asyncio.gather(*map(play, seats))
    return _TABLES * _EACH / (time.perf_counter() - begun)


async def _speeds(presses: dict[str, PressSeat], seats: dict[str, list[DoublingTable]]) -> dict[str, dict[str, int]]:
    """Return the median presses a second of each driver. Their laps take turns, so that a busy machine slows
    all alike.
    """
    alone: dict[str, list[float]] = {name: [] for name in presses}
    together: dict[str, list[float]] = {name: [] for name in presses}
    for _ in range(_LAPS):
        for name, press in presses.items():
            alone[name].append(await _alone(press, seats[name]))
            together[name].append(await _together(press, seats[name]))
    return {
        name: {"alone": round(statistics.median(alone[name])), "64 at once": round(statistics.median(together[name]))}
        for name in presses
    }


# -- the bare drivers --------------------------------------------------------------------------------------------------


def _made(bank: Bank, seat: DoublingTable) -> Batch:
    return bank.tables._batch(seat.double(), ())


def _bare_sqlite(bank: Bank, connection: sqlite3.Connection) -> PressSeat:
    async def press(seat: DoublingTable) -> None:
        connection.execute("BEGIN IMMEDIATE")
        for step in _made(bank, seat).steps:
            connection.execute(step.statement.sql, step.values)
        connection.execute("COMMIT")

    return press


def _bare_aiosqlite(bank: Bank, connection: aiosqlite.Connection) -> PressSeat:
    one_at_a_time = asyncio.Lock()

    async def press(seat: DoublingTable) -> None:
        batch = _made(bank, seat)
        async with one_at_a_time:
            await connection.execute("BEGIN IMMEDIATE")
            for step in batch.steps:
                await connection.execute(step.statement.sql, step.values)
            await connection.commit()

    return press


def _bare_asyncpg(bank: Bank, pool: Any) -> PressSeat:
    async def press(seat: DoublingTable) -> None:
        batch = _made(bank, seat)
        async with pool.acquire() as connection, connection.transaction():
            for step in batch.steps:
                await connection.execute(step.statement.sql, *step.values)

    return press


def _ours(bank: Bank) -> PressSeat:
    async def press(seat: DoublingTable) -> None:
        await bank.tables.commit(seat.double())

    return press


# -- both databases ----------------------------------------------------------------------------------------------------


@asynccontextmanager
async def _bank(url: str) -> AsyncIterator[tuple[Bank, list[DoublingTable]]]:
    async with Bank.open(url, HouseSettings(), SystemClock()) as bank:
        yield bank, await _seats(bank)


async def _on_sqlite(folder: Path) -> dict[str, Any]:
    """Measure each competitor on a file of its own, because they would wait for each other's locks."""
    files = {name: folder / f"{name}.db" for name in ("bank", "aiosqlite", "sqlite3")}
    async with (
        _bank(f"sqlite:///{files['bank']}") as (bank, ours),
        _bank(f"sqlite:///{files['aiosqlite']}") as (_, theirs),
        _bank(f"sqlite:///{files['sqlite3']}") as (_, bare),
        aiosqlite.connect(files["aiosqlite"], isolation_level=None) as asynchronous,
    ):
        for pragma in ("journal_mode = WAL", "synchronous = FULL", "foreign_keys = ON"):
            await asynchronous.execute(f"PRAGMA {pragma}")
        with closing(sqlite3.connect(files["sqlite3"], isolation_level=None)) as plain:
            prepare(plain)
            presses = {
                "bank": _ours(bank),
                "aiosqlite": _bare_aiosqlite(bank, asynchronous),
                "sqlite3": _bare_sqlite(bank, plain),
            }
            speeds = await _speeds(presses, {"bank": ours, "aiosqlite": theirs, "sqlite3": bare})
        making = _microseconds(lambda: _made(bank, ours[0]))
    return {**speeds, **_compared(speeds, "aiosqlite"), "microseconds": _spent(speeds, making)}


async def _on_postgres(urls: Iterator[str]) -> dict[str, Any]:
    one, other = next(urls), next(urls)
    async with _bank(one) as (bank, ours), _bank(other) as (_, theirs), asyncpg.create_pool(other, max_size=16) as pool:
        presses = {"bank": _ours(bank), "asyncpg": _bare_asyncpg(bank, pool)}
        speeds = await _speeds(presses, {"bank": ours, "asyncpg": theirs})
    return {**speeds, **_compared(speeds, "asyncpg")}


def _compared(speeds: dict[str, dict[str, int]], bare: str) -> dict[str, float]:
    return {f"of {bare}, {how}": round(speeds["bank"][how] / speeds[bare][how], 2) for how in ("alone", "64 at once")}


def _microseconds(deed: Callable[[], object], times: int = 500) -> float:
    begun = time.perf_counter()
    for _ in range(times):
        deed()
    return (time.perf_counter() - begun) / times * 1e6


def _spent(speeds: dict[str, dict[str, int]], making: float) -> dict[str, int]:
    """Return the microseconds that each part of a single press takes."""
    whole, bare = 1e6 / speeds["bank"]["alone"], 1e6 / speeds["sqlite3"]["alone"]
    return {
        "a press": round(whole),
        "making its statements": round(making),
        "SQLite and the disk": round(bare - making),
        "to the writer's thread and back": round(whole - bare),
    }


def main() -> dict[str, Any]:
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="bench-")))
        found = {"bench": "bank", "unit": "durable presses/s", "sqlite": asyncio.run(_on_sqlite(folder))}
        found["postgresql"] = asyncio.run(_on_postgres(stack.enter_context(postgres())))
    print(json.dumps(found))
    return found
