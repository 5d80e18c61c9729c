"""`python -m bench seasons [MEMBERS]`: milliseconds of a page of a season's board and one's own place.

Everybody is on every board, and one in a hundred is hidden. The target is 50 ms at 100,000 members.
"""

from __future__ import annotations

import asyncio
import json
import statistics
import sys
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Final

import sqlalchemy as sa

from bench._server import postgres
from data import Bank, SeasonBoard, Span, season_at
from data.__main__ import SystemClock
from engine.tables.house import HouseSettings

_MEMBERS: Final = 20_000
_GUILD: Final = 4_194_304
_LOOKS: Final = 15
_NUMBERS: Final = """
WITH RECURSIVE numbers (i) AS (SELECT CAST(1 AS BIGINT) UNION ALL SELECT i + 1 FROM numbers WHERE i < {people})
"""
_FILL: Final = f"""
INSERT INTO members (id, guild, user_id, balance, rounds, hidden)
{_NUMBERS} SELECT i, {_GUILD}, i, 0, 10, CASE WHEN i % 100 = 0 THEN 1 ELSE 0 END FROM numbers;
INSERT INTO people (id, user_id) {_NUMBERS} SELECT i, i FROM numbers;
INSERT INTO wishes (user_id, hidden) {_NUMBERS} SELECT i, 1 FROM numbers WHERE i % 100 = 0;
INSERT INTO season_places (guild, season, board, who, rank, value, amount, valuation)
{_NUMBERS} SELECT {_GUILD}, '{{season}}', board, i, 1 + i % 2, i * 7919 % 1000000, 200, 3
FROM numbers CROSS JOIN (SELECT 'accuracy' AS board UNION ALL SELECT 'five' UNION ALL SELECT 'blackjack'
                         UNION ALL SELECT 'points') AS boards
"""


async def _measure(url: str, people: int) -> dict[str, float]:
    season, found = season_at(time.time(), Span.MONTH), {}
    async with Bank.open(url, HouseSettings(), SystemClock()) as bank:
        async with bank._store.rewriting() as connection:
            for command in _FILL.format(people=people, season=season.name).split(";\n"):
                await connection.execute(sa.text(command))
        async with bank._store.patient.connect() as connection:
            alone = await connection.execution_options(isolation_level="AUTOCOMMIT")
            await alone.execute(sa.text("ANALYZE" if bank._store.is_file else "VACUUM ANALYZE"))
        for board in SeasonBoard:
            spent = []
            for look in range(_LOOKS):
                began = time.perf_counter()
                await bank.seasons.board(_GUILD, season, board, look, user=1 + look * 7_919 % people)
                spent.append((time.perf_counter() - began) * 1_000)
            found[board.value] = round(statistics.median(spent), 2)
    return found


def main() -> dict[str, Any]:
    people = next((int(word) for word in sys.argv[1:] if word.isdigit()), _MEMBERS)
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="bench-")))
        line: dict[str, Any] = {"bench": "seasons", "unit": f"ms for a page and one's own place, {people:,} members"}
        line["sqlite"] = asyncio.run(_measure(f"sqlite:///{folder / 'bank.db'}", people))
        line["postgresql"] = asyncio.run(_measure(next(stack.enter_context(postgres())), people))
    print(json.dumps(line))
    return line
