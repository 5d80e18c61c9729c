"""`python -m bench audit [ROUNDS]`: seconds of a whole audit against the rounds of the bank, a million if not told.

On PostgreSQL the bank is audited as it was filled: without statistics.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import sys
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Final

from bench._rounds import write_rounds
from bench._server import postgres
from data import Bank
from engine.tables.house import HouseSettings

_MOST: Final = 1_000_000
_FEWEST: Final = 1_000


class _Clock:
    def now(self) -> float:
        return time.time()


async def _measure(url: str, most: int) -> dict[str, float]:
    """Each bank is ten times as large as the one before."""
    seconds: dict[str, float] = {}
    written, size = 0, min(_FEWEST, most)
    async with Bank.open(url, HouseSettings(), _Clock()) as bank:
        while size <= most:
            await write_rounds(bank, written, size)
            written = size
            begun = time.perf_counter()
            report = await bank.auditor.audit()
            seconds[f"{size:,} rounds"] = round(time.perf_counter() - begun, 2)
            assert (report.clean, report.rounds) == (True, size), report.faults[:3]
            size *= 10
    return seconds


def _told(seconds: dict[str, float]) -> dict[str, Any]:
    spent = list(seconds.values())
    times = [round(more / less, 1) for less, more in itertools.pairwise(spent)]
    return {**seconds, "ten times the rounds take so many times as long": times}


def main() -> dict[str, Any]:
    most = int(sys.argv[1]) if len(sys.argv) > 1 else _MOST
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="bench-")))
        found: dict[str, Any] = {"bench": "audit", "unit": "seconds of a whole audit"}
        found["sqlite"] = _told(asyncio.run(_measure(f"sqlite:///{folder / 'bank.db'}", most)))
        found["postgresql"] = _told(asyncio.run(_measure(next(stack.enter_context(postgres())), most)))
    print(json.dumps(found))
    return found
