"""`python -m bench leaderboard`: a page and one's own place, in a guild of a thousand and one of a million.

Each look follows a change of somebody's chips, so that it also pays for catching up with it. `first look` is the first
one after all members of a guild have changed, without the chore that counts them in the background and with it; between
them stands a look while the server's statistics still say that everybody has changed.
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
from data.__main__ import SystemClock
from data.base.schema import members
from data.people.ladder import DIGIT, LEVELS, ZERO
from engine.games.contract import CHIP
from engine.tables.house import HouseSettings

_GUILDS: Final = {"a thousand": (1 << 22, 1_000), "a million": (2 << 22, 1_000_000)}
_LOOKS: Final = 60

#: A guild whose members all played since somebody last looked at the leaderboard.
_QUIET: Final = 3 << 22
_QUIET_PEOPLE: Final = 10_000

#: The SQL that writes members with widely spread chips, winnings and win rates, already counted.
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


async def fill(bank: Bank, guild: int, people: int) -> None:
    """Write members with widely spread chips, winnings and win rates, already counted."""
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
    """Return the milliseconds of a look at a page and one's own place, just after one's chips have changed."""
    member = await bank.members.sign_in(guild, user)
    await bank.chips.grant(member.id, CHIP, actor=member.id, reason="bench", press=press)
    begun = time.perf_counter()
    board = await bank.ladders.leaderboard(guild, ladder, user=user)
    spent = (time.perf_counter() - begun) * 1_000
    assert board.own is not None
    assert board.people == next(people for known, people in _GUILDS.values() if known == guild)
    return spent


async def _first_looks(bank: Bank) -> dict[str, float]:
    """Return the milliseconds of a first look without the chore, of later looks while the database's statistics are
    those from before it, and of a look after the chore.
    """
    async with bank._store.rewriting() as connection:
        await connection.execute(
            sa.insert(members), [{"guild": _QUIET, "user_id": user + 1} for user in range(_QUIET_PEOPLE)]
        )
    if not bank._store.is_file:
        async with bank._store.rewriting() as connection:
            await connection.execute(sa.text("ANALYZE members"))
    spent = {"without the chore": await _glance(bank)}
    spent["statistics of that moment"] = statistics.median([await _glance(bank, press) for press in range(1, 20)])
    async with bank._store.rewriting() as connection:
        await connection.execute(sa.update(members).where(members.c.guild == _QUIET).values(stale=1))
    for guild in await bank.ladders.crowded():
        await bank.ladders.catch_up(guild)
    return {**spent, "with it": await _glance(bank)}


async def _glance(bank: Bank, press: int = 0) -> float:
    """Return the milliseconds of a look at a page. With a `press`, somebody's chips change before it."""
    if press:
        member = await bank.members.sign_in(_QUIET, press)
        await bank.chips.grant(member.id, CHIP, actor=member.id, reason="bench", press=10**6 + press)
    begun = time.perf_counter()
    await bank.ladders.leaderboard(_QUIET, Ladder.CHIPS, user=1)
    return (time.perf_counter() - begun) * 1_000


async def _measure(url: str) -> dict[str, Any]:
    async with Bank.open(url, HouseSettings(), SystemClock()) as bank:
        for guild, people in _GUILDS.values():
            await fill(bank, guild, people)
        looks: dict[Ladder, dict[str, list[float]]] = {ladder: {name: [] for name in _GUILDS} for ladder in Ladder}
        for number in range(_LOOKS):
            for ladder in Ladder:
                for name, (guild, people) in _GUILDS.items():
                    user = 1 + (number * 7_368_787) % people
                    press = (number * 16 + list(Ladder).index(ladder)) * 2 + (people > 1_000)
                    looks[ladder][name].append(await _look(bank, guild, ladder, user, press))
        first = {name: round(spent, 2) for name, spent in (await _first_looks(bank)).items()}
    return {
        **{ladder.value: _told(looks[ladder]) for ladder in Ladder},
        f"first look, {_QUIET_PEOPLE:,} changed": first,
    }


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
