"""`python -m bench leaderboard`: a page and one's own place, in a guild of a thousand and one of a million.

Each look follows a change of somebody's chips, so it also pays for catching up with that.
"""

from __future__ import annotations

import asyncio
import json
import statistics
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Final

import sqlalchemy as sa

from bench._server import postgres
from data import Bank, Ladder
from data.people.ladder import DIGIT, LEVELS, ZERO
from engine.games.contract import CHIP
from engine.tables.house import HouseSettings

_GUILDS: Final = {"a thousand": (1 << 22, 1_000), "a million": (2 << 22, 1_000_000)}
_LOOKS: Final = 60

#: Members with widely spread chips, winnings and win rates, already counted.
_CROWD: Final = """
INSERT INTO members (guild, user_id, balance, winnings, rounds, won, rate,
                     counted_balance, counted_winnings, counted_rate, stale)
WITH RECURSIVE crowd (i, chips, won) AS (
    SELECT CAST(1 AS BIGINT), CAST(7919 AS BIGINT), CAST(104729 AS BIGINT)
    UNION ALL
    SELECT i + 1, ((i + 1) * 7919) % 4999999, ((i + 1) * 104729) % 9999991 FROM crowd WHERE i < {people}
)
SELECT {guild}, i, chips, won - 5000000, 30, 10, won / 10, chips, won - 5000000, won / 10, 0 FROM crowd
"""
_TALLY: Final = """
INSERT INTO tallies (guild, ladder, level, stretch, people)
SELECT guild, '{ladder}', {level}, ({column} + {zero}) / {width}, count(*) FROM members WHERE guild = {guild}
GROUP BY guild, ({column} + {zero}) / {width}
"""
_COLUMNS: Final = {Ladder.CHIPS: "balance", Ladder.WINNINGS: "winnings", Ladder.WIN_RATE: "rate"}


class _Clock:
    def now(self) -> float:
        return time.time()


async def _fill(bank: Bank, guild: int, people: int) -> None:
    async with bank._store.rewriting() as connection:
        await connection.execute(sa.text(_CROWD.format(guild=guild, people=people)))
        for ladder, column in _COLUMNS.items():
            for level in range(LEVELS):
                width = 1 << DIGIT * (LEVELS - 1 - level)
                values = {"guild": guild, "ladder": ladder.value, "level": level, "column": column}
                await connection.execute(sa.text(_TALLY.format(**values, width=width, zero=ZERO)))
    async with bank._store.patient.connect() as connection:
        await connection.execute(sa.text("ANALYZE"))
        await connection.commit()


async def _look(bank: Bank, guild: int, ladder: Ladder, user: int, press: int) -> float:
    """Return the milliseconds of a page and one's own place, just after one's chips have changed."""
    member = await bank.members.sign_in(guild, user)
    await bank.chips.grant(member.id, CHIP, actor=member.id, reason="bench", press=press)
    begun = time.perf_counter()
    board = await bank.ladders.leaderboard(guild, ladder, user=user)
    spent = (time.perf_counter() - begun) * 1_000
    assert board.own is not None
    assert board.people == next(people for known, people in _GUILDS.values() if known == guild)
    return spent


async def _measure(url: str) -> dict[str, Any]:
    async with Bank.open(url, HouseSettings(), _Clock()) as bank:
        for guild, people in _GUILDS.values():
            await _fill(bank, guild, people)
        looks: dict[Ladder, dict[str, list[float]]] = {ladder: {name: [] for name in _GUILDS} for ladder in Ladder}
        for number in range(_LOOKS):
            for ladder in Ladder:
                for name, (guild, people) in _GUILDS.items():
                    user = 1 + (number * 7_368_787) % people
                    press = (number * 16 + list(Ladder).index(ladder)) * 2 + (people > 1_000)
                    looks[ladder][name].append(await _look(bank, guild, ladder, user, press))
    return {ladder.value: _told(looks[ladder]) for ladder in Ladder}


def _told(looks: dict[str, list[float]]) -> dict[str, float]:
    told = {name: round(statistics.median(spent), 2) for name, spent in looks.items()}
    return {**told, "times": round(told["a million"] / told["a thousand"], 2)}


def main() -> dict[str, Any]:
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="bench-")))
        found: dict[str, Any] = {"bench": "leaderboard", "unit": "ms for a page and one's own place"}
        found["sqlite"] = asyncio.run(_measure(f"sqlite:///{folder / 'bank.db'}"))
        found["postgresql"] = asyncio.run(_measure(next(stack.enter_context(postgres()))))
    print(json.dumps(found))
    return found
