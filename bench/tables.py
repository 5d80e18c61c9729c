"""`python -m bench tables [TABLES]`: the cost of very many open tables in one process, and the time until they are
back.

It runs tables and bank on a file, as the bot does, without Discord: four tables a guild, a hand dealt at each.
"""

from __future__ import annotations

import asyncio
import gc
import itertools
import json
import os
import random
import secrets
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, Final

from bench._outside import CountingPoster, Unwatched
from cogs.operations.sweeping import short_sweeps
from data import Bank
from data.__main__ import SystemClock
from engine.fairness import chain
from engine.games.contract import CHIP
from engine.tables import promises
from engine.tables.house import Caps, HouseSettings
from engine.tables.open_tables import OpenTables
from engine.tables.orders import Order
from engine.tables.ports import Surroundings, Watchers
from engine.tables.snapshot import Snapshot, TablePhase
from engine.tables.table import Table

_FEW: Final = 10
_A_GUILD: Final = 4
_LAPS: Final = 9
_PRESSES: Final = 400  # a lap
_CALLERS: Final = 64
_SECONDS: Final = 5.0
_UNBOUND: Final = 10**9
#: Seconds to answer: enough that nobody runs out of time during a measurement.
_HOUSE: Final = HouseSettings(think_seconds=0, turn_seconds=3600, betting_seconds=3600, idle_seconds=86400)


def _quick_tips(root: bytes) -> Iterator[bytes]:
    """Return random tips with no chain behind them: `bench promises` measures how long real ones take."""
    return (chain.slot_root(root, slot) for slot in range(1, chain.SLOTS + 1))


@dataclass
class TableProcess:
    """One process: a bank on a file, and its tables."""

    bank: Bank
    presses: Iterator[int] = field(default_factory=lambda: itertools.count(time.time_ns()))

    def __post_init__(self) -> None:
        vars(promises)["slot_tips"] = _quick_tips
        seeds = partial(secrets.token_bytes, 32)
        caps = Caps(_UNBOUND, _UNBOUND, _UNBOUND, _UNBOUND)
        around = Surroundings(
            self.bank, SystemClock(), seeds, Watchers(Unwatched()), self.bank.guilds.house, CountingPoster(), caps=caps
        )
        self.registry = OpenTables(around)

    async def open(self, number: int) -> int:
        """Open a table, deal a hand, and return the table's id."""
        guild = 1 + number // _A_GUILD
        member = await self.bank.members.sign_in(guild, number)
        order = Order(next(self.presses), guild, number, "blackjack", "vegas", member)
        table = await self.registry.open(order)
        await self._stake(table)
        return table.id

    async def _stake(self, table: Table) -> Snapshot:
        return await table.stake(table.state.opener, {"main": CHIP}, next(self.presses), message=1)

    async def press(self, table: Table) -> None:
        """Hit small totals, stand on others, and deal again."""
        now = table.snapshot()
        if now.phase is TablePhase.PLAYING:
            await table.act(table.state.opener, _choice(now), now.round, now.turn, next(self.presses))
        else:
            await self._stake(table)


def _choice(now: Snapshot) -> str:
    (seat,) = now.dealt.asked
    if "decline" in now.legal[seat]:
        return "decline"
    _, hand = now.dealt.acting
    return "hit" if now.dealt.seats[seat].hands[hand].total < 14 else "stand"


def _memory() -> int:
    if sys.platform != "linux":
        raise SystemExit("Only Linux says in a file how much memory a process has.")
    gc.collect()
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


async def _opened(casino: TableProcess, tables: int) -> list[int]:
    """Open this many tables with as many callers as on a busy evening, and return the tables' ids."""
    numbers, ids = iter(range(1, tables + 1)), []

    async def caller() -> None:
        for number in numbers:
            ids.append(await casino.open(number))

    await asyncio.gather(*(caller() for _ in range(_CALLERS)))
    return ids


async def _processor(casino: TableProcess, tables: Sequence[Table]) -> float:
    """Return the processor milliseconds of a press, over all threads, at these tables in turn."""
    began = time.process_time()
    for number in range(_PRESSES):
        await casino.press(tables[number % len(tables)])
    return (time.process_time() - began) * 1000 / _PRESSES


async def _side_by_side(few: TableProcess, many: TableProcess) -> tuple[float, float]:
    """Return the median milliseconds of a press with few and with many tables. Laps take turns: a busy machine slows
    both.
    """
    chosen = random.Random(1).sample(many.registry.tables(), _FEW)
    laps = [(await _processor(few, few.registry.tables()), await _processor(many, chosen)) for _ in range(_LAPS)]
    return statistics.median(lap[0] for lap in laps), statistics.median(lap[1] for lap in laps)


async def _sustained(casino: TableProcess) -> tuple[float, float]:
    """Return the presses a second of many callers at tables everywhere, and the 99th percentile of a press in
    milliseconds.
    """
    tables, until, took = list(casino.registry.tables()), time.perf_counter() + _SECONDS, list[float]()
    random.Random(2).shuffle(tables)

    async def caller(mine: Sequence[Table]) -> None:
        for table in itertools.cycle(mine):
            began = time.perf_counter()
            await casino.press(table)
            took.append(time.perf_counter() - began)
            if time.perf_counter() > until:
                return

    began = time.perf_counter()
    await asyncio.gather(*(caller(tables[number::_CALLERS]) for number in range(_CALLERS)))
    speed = len(took) / (time.perf_counter() - began)
    return speed, statistics.quantiles(took, n=100)[98] * 1000


async def _after_a_kill(url: str, places: dict[int, int]) -> dict[str, float]:
    """Return the seconds until a fresh process has opened the bank, has answered a first press, and has all tables
    back. The presses are at tables of guilds that nobody has touched yet.
    """
    began = time.perf_counter()
    async with Bank.open(url, _HOUSE, SystemClock()) as bank:
        casino = TableProcess(bank)
        await casino.registry.recover()
        house, waits = time.perf_counter() - began, []
        for table in random.Random(3).sample(sorted(places)[-len(places) // 2 :], 5):
            pressed = time.perf_counter()
            await casino.registry.present(places[table])
            found = casino.registry.get(table)
            assert found is not None
            await casino.press(found)
            waits.append(time.perf_counter() - pressed)
        await casino.registry.recovered()
        whole = time.perf_counter() - began
        assert len(casino.registry.tables()) == len(places)
        await casino.registry.shutdown()
    return {
        "house open": round(house, 2),
        "first press answered": round(house + waits[0], 2),
        "slowest of the first five": round(max(waits), 2),
        "all back": round(whole, 2),
    }


async def _run(tables: int) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as folder:
        urls = [f"sqlite:///{Path(folder) / name}.db" for name in ("few", "many")]
        async with (
            Bank.open(urls[0], _HOUSE, SystemClock()) as small,
            Bank.open(urls[1], _HOUSE, SystemClock()) as large,
        ):
            few, many = TableProcess(small), TableProcess(large)
            await _opened(few, _FEW)
            before, began = _memory(), time.perf_counter()
            await _opened(many, tables)
            opening = (time.perf_counter() - began) * 1000 / tables
            bytes_each = (_memory() - before) / tables
            with_few, with_many = await _side_by_side(few, many)
            speed, slowest = await _sustained(many)
            places = {table.id: table.state.guild for table in many.registry.tables()}
            for casino in (few, many):
                await casino.registry.shutdown()
        del few, many
        gc.collect()
        back = await _after_a_kill(urls[1], places)
    return {
        "bench": "tables",
        "open tables": tables,
        "KiB a table": round(bytes_each / 1024, 1),
        "ms to open one": round(opening, 2),
        f"CPU ms a press with {_FEW} open": round(with_few, 3),
        f"CPU ms a press with {tables:,} open": round(with_many, 3),
        "times": round(with_many / with_few, 2),
        "presses a second, 64 callers": round(speed),
        "p99 ms of those": round(slowest, 1),
        "seconds after a kill": back,
    }


def main() -> None:
    tables = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
    with short_sweeps():
        print(json.dumps(asyncio.run(_run(tables))))
