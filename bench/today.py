"""`python -m bench today [--size TRIES]`: a day prepared, boards of a server with 100,000 tries, and tries proved.

`TRIES` is the number of tries that are proved: a million by default, in a minute or two. Boards are asked for with the
place of somebody in the middle of them. A press of `/today` is measured beside one at a table, from its arrival to the
answer.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import statistics
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Any, Final

import sqlalchemy as sa

from bench._house import opened
from bench._outside import SetClock, answered_here
from bench._server import postgres
from bench.press import Stopwatch
from cogs.today.playing import prepare
from data import Bank, StoredSet
from data.proofs.audit import Findings, go_through
from data.proofs.sets import TRIES
from data.seasons.calendar import Week
from engine.coach.sets import prepare_day
from engine.sets.calendar import DAY, opens, week_of
from engine.sets.tries import NEXT, begun
from engine.tables.house import HouseSettings

_PEOPLE: Final = 100_000
_GUILD: Final = 1 << 22
_WAYS: Final = 1_000
_LOOKS: Final = 20
_DAYS: Final = 14
_SIZE: Final = 1_000_000
_PLAYERS: Final = 20
_AT_A_TABLE: Final = 200

_PERSONS: Final = """
INSERT INTO people (user_id)
WITH RECURSIVE crowd (i) AS (SELECT CAST(1 AS BIGINT) UNION ALL SELECT i + 1 FROM crowd WHERE i < {people})
SELECT 1000000 + i FROM crowd
"""
#: The SQL that writes tries of one set by all persons, in ways that the deals allow.
_TRIES: Final = """
INSERT INTO tries ("set", person, archive, version, steps, began_at, finished_at, points)
WITH ways (k, steps, points) AS (VALUES {ways})
SELECT {set}, people.id, 0, length(ways.steps), ways.steps, {began}, {began} + 60, ways.points
FROM people JOIN ways ON ways.k = people.id % {count}
"""
_STANDINGS: Final = """
INSERT INTO standings ("set", person, guild, points)
SELECT "set", person, {guild}, points FROM tries WHERE "set" = {set}
"""
#: The SQL that writes the places of the week, as the last press of each try works them out.
_WEEK: Final = """
INSERT INTO season_places (guild, season, board, who, rank, value, amount, valuation)
SELECT guild, '{week}', 'five', person, 2, points, 1, 0 FROM standings WHERE "set" = {set}
"""


async def _prepared(bank: Bank) -> list[float]:
    """Prepare the days that are missing, and return the milliseconds of each."""
    spent = []
    while (missing := await bank.days.to_prepare()) is not None:
        since = time.perf_counter()
        found = await prepare_day(answered_here, missing.day, missing.seed, missing.asked_before)
        spent.append((time.perf_counter() - since) * 1_000)
        await bank.days.keep(missing, found)
    return spent


def _ways(day: StoredSet) -> str:
    """Return some ways through a day, each with its points, as rows of SQL."""
    chance, rows = random.Random(day.day), []
    for number in range(_WAYS):
        found = begun(day.prepared, day.shoes)
        while not found.over:
            found = found.pressed(NEXT if found.round.over else chance.choice(found.legal), day.shoes)
        rows.append(f"({number}, '{found.steps}', {found.points})")
    return ", ".join(rows)


async def _fill(bank: Bank, day: StoredSet) -> None:
    async with bank._store.rewriting() as connection:
        values = {"set": day.id, "ways": _ways(day), "count": _WAYS, "began": day.opens + 60}
        await connection.exec_driver_sql(_TRIES.format(**values))


async def _looked(look: Callable[[], Awaitable[Any]]) -> dict[str, float]:
    """Return the median and the least milliseconds of a look. The least is what it takes where nothing else runs."""
    spent = []
    for _ in range(_LOOKS):
        since = time.perf_counter()
        await look()
        spent.append((time.perf_counter() - since) * 1_000)
    return {"ms": round(statistics.median(spent), 1), "least": round(min(spent), 1)}


async def _boards(bank: Bank, day: StoredSet) -> dict[str, dict[str, float]]:
    """Return the milliseconds of the boards, streaks and shares that people look at."""

    async def shares() -> None:
        bank.boards._shares.clear()
        await bank.boards.shares(day)

    person = _PEOPLE // 2
    return {
        "board of the day": await _looked(lambda: bank.boards.of_day(_GUILD, day, person=person)),
        "its last page that is shown": await _looked(
            lambda: bank.boards.of_day(_GUILD, day, page=_PEOPLE, person=person)
        ),
        "board of the week": await _looked(lambda: bank.boards.of_week(_GUILD, day.day, user=1_000_000 + person)),
        "a person's streak": await _looked(lambda: bank.boards.streak(person)),
        "the server's streak": await _looked(lambda: bank.boards.server_streak(_GUILD)),
        "shares, once a minute": await _looked(shares),
    }


async def _size(bank: Bank, url: str) -> int:
    if bank._store.is_file:
        return await asyncio.to_thread(os.path.getsize, url.removeprefix("sqlite:///"))
    return int(await bank._store.value(sa.text("SELECT pg_total_relation_size('tries')")))


async def _measure(url: str, most: int) -> dict[str, Any]:
    clock = SetClock()
    async with Bank.open(url, HouseSettings(), clock) as bank:
        await _prepared(bank)
        first = await bank.days.first_day()
        assert first is not None
        clock.time = opens(first + _DAYS) + DAY / 2
        spent = await _prepared(bank)
        async with bank._store.rewriting() as connection:
            await connection.exec_driver_sql(_PERSONS.format(people=_PEOPLE))
        before = await _size(bank, url)
        days = -(-most // _PEOPLE)
        for number in range(days):
            day = await bank.days.on(first + _DAYS - number)
            assert day is not None
            await _fill(bank, day)
        if bank._store.is_file:
            await bank._store.rows(sa.text("PRAGMA wal_checkpoint(TRUNCATE)"))
        size = await _size(bank, url) - before
        async with bank._store.rewriting() as connection:
            day = await _today(bank)
            await connection.exec_driver_sql(_STANDINGS.format(set=day.id, guild=_GUILD))
            await connection.exec_driver_sql(_WEEK.format(set=day.id, week=Week(week_of(day.day)).name))
        async with bank._store.patient.connect() as connection:
            await connection.execute(sa.text("ANALYZE"))
            await connection.commit()
        looks = await _boards(bank, await _today(bank))
        since, findings = time.perf_counter(), Findings()
        await go_through(TRIES, bank._store.slicing, findings)
        assert not findings.first_faults()
        return {
            "a day prepared, ms": round(statistics.median(spent), 1),
            "looked at": looks,
            f"bytes of a try, of {days * _PEOPLE:,}": round(size / (days * _PEOPLE)),
            "seconds of their audit": round(time.perf_counter() - since, 1),
        }


async def _presses() -> dict[str, float]:
    """Return the median milliseconds of a press of `/today`, and of one at a table in the same house."""
    async with opened() as house:
        await house.bot.bank.days.begin_today()
        await prepare(house.bot)
        watch = Stopwatch()
        await house.open_table(10)
        at_a_table = [await watch.answer(house.press) for _ in range(_AT_A_TABLE)]
        played: list[float] = []
        for number in range(_PLAYERS):
            guild = house.channel.guild
            assert guild is not None
            who = guild.add_member(house.env.create_user(f"player{number}"))
            played += await _played(who, (await who.slash(house.channel, "today")).response, watch)
    return {
        "a press of /today": round(statistics.median(played), 1),
        "a press at a table": round(statistics.median(at_a_table), 1),
    }


async def _played(who: Any, answer: Any, watch: Stopwatch) -> list[float]:
    """Play a whole try, and return the milliseconds of each press."""
    await who.click(answer, label="Play")
    spent = []
    while pressable := [label for label in ("Next", "No insurance", "Stand") if label in _labels(answer)]:
        spent.append(await watch.answer(partial(who.click, answer, label=pressable[0])))
    return spent


def _labels(answer: Any) -> set[str]:
    """Return the labels of a message's keys."""
    (box,) = answer.components
    return {key["label"] for row in box["components"] for key in row.get("components", ()) if "label" in key}


async def _today(bank: Bank) -> StoredSet:
    day = await bank.days.today()
    assert day is not None
    return day


def main() -> dict[str, Any]:
    parser = argparse.ArgumentParser(prog="python -m bench today", description=__doc__)
    parser.add_argument("--size", type=int, default=_SIZE, metavar="TRIES", help="tries that are proved")
    most = parser.parse_args(sys.argv[1:]).size
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="bench-")))
        found: dict[str, Any] = {"bench": "today", "unit": f"on a server with {_PEOPLE:,} tries that day"}
        found["presses, ms"] = asyncio.run(_presses())
        found["sqlite"] = asyncio.run(_measure(f"sqlite:///{folder / 'bank.db'}", most))
        found["postgresql"] = asyncio.run(_measure(next(stack.enter_context(postgres())), most))
    print(json.dumps(found))
    return found
