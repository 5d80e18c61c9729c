"""`python -m bench audit [ROUNDS]`: seconds of an audit by the number of rounds, up to 100,000 by default.

The money: every balance from its transfers. The rounds, as tables deal them today: each is dealt and played again and
compared with its transfers. Beside them stands what the engine alone deals from such shoes and checks from records. On
PostgreSQL the bank is audited without statistics. Small banks are audited several times, and the fastest run counts.
The last figures show what presses notice of an audit.
"""

from __future__ import annotations

import asyncio
import gc
import itertools
import json
import os
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Final

from bench._rounds import write_rounds
from bench._server import postgres
from bench.engine import dealt_and_played_again
from bench.tables import TableProcess
from data import Bank
from data.__main__ import SystemClock
from data.proofs.audit import MONEY, audit
from data.proofs.rounds import ROUNDS
from data.proofs.slices import Walk
from engine.fairness.record import RecordTwo
from engine.tables.house import HouseSettings
from engine.tables.table import Table

_MOST: Final = 100_000
_FEWEST: Final = 1_000
#: The number of rounds up to which a bank counts as small, and how often a small bank is audited.
_SMALL: Final = 10_000
_OFTEN: Final = 3
#: The rounds of the bank in which people press beside an audit, its tables, and the seconds of pressing.
_BESIDE: Final = 10_000
_TABLES: Final = 16
_SECONDS: Final = 5.0


async def _measure(url: str, most: int) -> dict[str, Any]:
    """Return the figures of audits of a bank that grows tenfold each time."""
    filling, money, rounds, busy = dict[int, float](), dict[int, float](), dict[int, float](), dict[int, float]()
    written, size = 0, min(_FEWEST, most)
    async with Bank.open(url, HouseSettings(), SystemClock()) as bank:
        while size <= most:
            begun = time.perf_counter()
            await write_rounds(bank, written, size, RecordTwo.scheme)
            await _tidied(bank)
            filling[size] = time.perf_counter() - begun
            money[size], _ = await _audited(bank, MONEY, size)
            rounds[size], busy[size] = await _audited(bank, (ROUNDS,), size)
            written, size = size, size * 10
        begun = time.perf_counter()
        assert (await bank.auditor.audit_at_once(os.cpu_count() or 1)).clean
        whole = time.perf_counter() - begun
    speeds = dealt_and_played_again()
    dealt, again = speeds["dealt"], written / busy[written]
    return {
        name: {
            **{f"{size:,} rounds": round(spent, 2) for size, spent in seconds.items()},
            "rounds/s": round(written / seconds[written]),
            "ten times the rounds take so many times as long": _times(seconds),
        }
        for name, seconds in (("money", money), ("each round again", rounds))
    } | {
        "rounds/s": {
            "the engine deals from committed shoes, of processor time": dealt,
            **_beside_dealt(dealt, "dealt and played again from a record", speeds["again"]),
            **_beside_dealt(dealt, "checked from a record of scheme 1", speeds["scheme 1"]),
            **_beside_dealt(dealt, "checked from a record of scheme 2", speeds["scheme 2"]),
            **_beside_dealt(dealt, "checked from a record of scheme 3", speeds["scheme 3"]),
            **_beside_dealt(dealt, "read, proved and dealt again by the audit", again),
            "the whole audit with all cores, by the clock": round(written / whole),
        },
        "filled in": {f"{size:,} rounds": round(spent, 1) for size, spent in filling.items()},
    }


def _beside_dealt(dealt: int, what: str, speed: float) -> dict[str, Any]:
    return {f"{what}, of processor time": round(speed), f"{what}: costs so many dealt ones": round(dealt / speed, 1)}


async def _tidied(bank: Bank) -> None:
    """Vacuum as PostgreSQL does after so large an insert, but without statistics, which it only collects later."""
    if not bank._store.is_file:
        async with bank._store.patient.connect() as connection:
            alone = await connection.execution_options(isolation_level="AUTOCOMMIT")
            await alone.exec_driver_sql("VACUUM")


async def _audited(bank: Bank, walks: Sequence[Walk], size: int) -> tuple[float, float]:
    """Return the seconds of an audit: by the clock, and of this process's work."""
    spent = list[tuple[float, float]]()
    for _ in range(_OFTEN if size <= _SMALL else 1):
        begun, busy = time.perf_counter(), time.process_time()
        report = await audit(bank._store.slicing, begun, walks)
        spent.append((time.perf_counter() - begun, time.process_time() - busy))
        assert (report.clean, report.rounds) == (True, size if ROUNDS in walks else 0), report.faults[:3]
    return min(spent)


def _times(seconds: dict[int, float]) -> list[float]:
    return [round(more / less, 1) for less, more in itertools.pairwise(seconds.values())]


# -- presses beside an audit -------------------------------------------------------------------------------------------


async def _beside(url: str) -> dict[str, int]:
    """Return acknowledged presses a second: undisturbed, during an endless audit, and while the books are bound."""
    async with Bank.open(url, HouseSettings(), SystemClock()) as bank:
        await write_rounds(bank, 0, _BESIDE)
        casino = TableProcess(bank)
        tables = [await casino.open(number) for number in range(_TABLES)]
        at_play = [table for table in map(casino.registry.get, tables) if table is not None]
        alone = await _pressed(casino, at_play)
        binding = asyncio.create_task(_again_and_again(bank.leaves.bind))
        bound = await _pressed(casino, at_play)
        binding.cancel()
        auditing = asyncio.create_task(_again_and_again(bank.auditor.audit))
        audited = await _pressed(casino, at_play)
        auditing.cancel()
        await asyncio.gather(binding, auditing, return_exceptions=True)
        await casino.registry.shutdown()
    return {"alone": alone, "while the past is bound": bound, "while everything is audited": audited}


async def _again_and_again(deed: Any) -> None:
    while True:
        await deed()


async def _pressed(casino: TableProcess, tables: Sequence[Table]) -> int:
    end = time.perf_counter() + _SECONDS

    async def play(table: Table) -> int:
        pressed = 0
        while time.perf_counter() < end:
            await casino.press(table)
            pressed += 1
        return pressed

    return round(sum(await asyncio.gather(*map(play, tables))) / _SECONDS)


def main() -> dict[str, Any]:
    most = int(sys.argv[1]) if len(sys.argv) > 1 else _MOST
    gc.freeze()  # frozen, as a bot does that has run for a while
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="bench-")))
        found: dict[str, Any] = {"bench": "audit", "unit": "seconds, unless it says otherwise"}
        found["sqlite"] = asyncio.run(_measure(f"sqlite:///{folder / 'bank.db'}", most))
        found["postgresql"] = asyncio.run(_measure(next(stack.enter_context(postgres())), most))
        found["presses/s"] = asyncio.run(_beside(f"sqlite:///{folder / 'beside.db'}"))
    print(json.dumps(found))
    return found
