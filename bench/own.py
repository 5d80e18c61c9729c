"""`python -m bench own [ROUNDS]`: milliseconds of what `/stats` reads, with a thousand own rounds and with many."""

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
from data import Bank
from data.__main__ import SystemClock
from engine.tables.house import HouseSettings

#: The number of rounds of each member, played at 200 a day.
_ROUNDS: Final = (1_000, 100_000)
_LOOKS: Final = 9

_NUMBERS: Final = """
WITH RECURSIVE numbers (i) AS (SELECT CAST(0 AS BIGINT) UNION ALL SELECT i + 1 FROM numbers WHERE i + 1 < {rounds})
"""
_FILL: Final = f"""
INSERT INTO members (id, guild, user_id, balance, rounds) VALUES ({{member}}, 4194304, {{member}}, 0, {{rounds}});
INSERT INTO tables (id, guild, channel, game, doc, version, causes_from, open)
VALUES ({{member}}, 4194304, 70, 'blackjack', '{{{{}}}}', 9, 9, 0);
INSERT INTO rounds (table_id, number, guild, seed, commitment, code, version, scheme)
{_NUMBERS} SELECT {{member}}, i, 4194304, '', '', '', 1, '1' FROM numbers;
INSERT INTO plays (table_id, number, member, staked, returned, real, at)
{_NUMBERS} SELECT {{member}}, i, {{member}}, 1000, 1000 + i % 3 * 1000 - 1000, 1, 1800000000 + i * 432 FROM numbers;
INSERT INTO grades (table_id, number, member, at, net, expected, given_away, decisions, "right", valuation)
{_NUMBERS} SELECT {{member}}, i, {{member}}, 1800000000 + i * 432, i % 3 * 1000 - 1000, -5.5, 2.5, 2, 1, 3 FROM numbers;
INSERT INTO member_days (member, day, valuation, hands, known, net, measured, expected, given_away, decisions, "right")
SELECT member, CAST(at AS BIGINT) / 86400, 3, count(*), count(*), sum(net), sum(net), sum(expected), sum(given_away),
       sum(decisions), sum("right") FROM grades WHERE member = {{member}} GROUP BY member, CAST(at AS BIGINT) / 86400
"""


async def _stats(bank: Bank, member: int) -> None:
    """Read what `/stats` shows of a member whose rounds are all graded."""
    assert not await bank.grades.ungraded_of(member, 500, valuation=3)
    assert (await bank.grades.skill(member, valuation=3)).hands
    assert await bank.grades.plot(member, 120)


async def _measure(url: str, sizes: tuple[int, ...]) -> dict[str, float]:
    found = {}
    async with Bank.open(url, HouseSettings(), SystemClock()) as bank:
        for member, rounds in enumerate(sizes, 1):
            async with bank._store.rewriting() as connection:
                for command in _FILL.format(member=member, rounds=rounds).split(";\n"):
                    await connection.execute(sa.text(command))
            spent = []
            for _ in range(_LOOKS):
                began = time.perf_counter()
                await _stats(bank, member)
                spent.append((time.perf_counter() - began) * 1_000)
            found[f"{rounds:,} own rounds, ms"] = round(statistics.median(spent), 2)
    return found


def main() -> dict[str, Any]:
    given = [int(word) for word in sys.argv[1:] if word.isdigit()]
    sizes = (_ROUNDS[0], *(given or _ROUNDS[1:]))
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="bench-")))
        found: dict[str, Any] = {"bench": "own", "sqlite": asyncio.run(_measure(f"sqlite:///{folder / 'b.db'}", sizes))}
        found["postgresql"] = asyncio.run(_measure(next(stack.enter_context(postgres())), sizes))
    print(json.dumps(found))
    return found
