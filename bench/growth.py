"""`python -m bench growth`: milliseconds of what people ask for on a server of 100,000 members, as its rounds grow.

Every second round is one busy member's, so that what grows with somebody's own rounds shows too. `today` has the boards
of Today's five.
"""

from __future__ import annotations

import asyncio
import json
import tempfile
from collections.abc import Awaitable, Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Final

import sqlalchemy as sa

from bench._rounds import GUILD, write_rounds
from bench._server import postgres
from bench.leaderboard import fill
from bench.queries import timed
from data import Bank, Ladder
from data.__main__ import SystemClock
from engine.coach.grading import VALUATION
from engine.tables.house import HouseSettings

_PEOPLE: Final = 100_000
_ROUNDS: Final = (5_000, 50_000, 500_000)

_BUSY: Final = 1
_QUIET: Final = 2

#: The SQL that gives the busy member every second round, each round a grade, and each member's days their sums.
_PLAYED: Final = f"""
UPDATE plays SET member = {_BUSY} WHERE number % 2 = 0 AND member <> {_BUSY};
INSERT INTO grades (table_id, number, member, at, net, expected, given_away, decisions, "right", valuation)
SELECT table_id, number, member, at, returned - staked, -8, 1, 2, 1, {VALUATION} FROM plays WHERE true
ON CONFLICT DO NOTHING;
DELETE FROM member_days;
INSERT INTO member_days (member, day, valuation, hands, known, net, measured, expected, given_away, decisions, "right")
SELECT member, CAST(at AS BIGINT) / 86400, {VALUATION}, count(*), count(*), sum(net), sum(net), sum(expected),
       sum(given_away), sum(decisions), sum("right") FROM grades GROUP BY member, CAST(at AS BIGINT) / 86400;
ANALYZE
"""

#: The queries of each command.
ASKED: Final[dict[str, Callable[[Bank], Awaitable[object]]]] = {
    "/balance": lambda bank: bank.ladders.leaderboard(GUILD, Ladder.CHIPS, user=_BUSY),
    "/balance: chips in play": lambda bank: bank.members.in_play(_BUSY),
    "/leaderboard, by winnings": lambda bank: bank.ladders.leaderboard(GUILD, Ladder.WINNINGS, user=_QUIET),
    "/leaderboard, its last page": lambda bank: bank.ladders.leaderboard(GUILD, Ladder.CHIPS, page=_PEOPLE),
    "/history": lambda bank: bank.records.history(_BUSY),
    "/history, its last page": lambda bank: bank.records.older(_BUSY, 1, 11),
    "/stats of the busy member: skill": lambda bank: bank.grades.skill(_BUSY, valuation=VALUATION),
    "/stats of the busy member: curve": lambda bank: bank.grades.plot(_BUSY, 120),
    "/stats of the busy member: what is not graded yet": lambda bank: bank.grades.ungraded_of(
        _BUSY, 50, valuation=VALUATION
    ),
    "/stats of another: skill": lambda bank: bank.grades.skill(_QUIET, valuation=VALUATION),
    "/stats of another: curve": lambda bank: bank.grades.plot(_QUIET, 120),
    "/verify": lambda bank: bank.records.round("00000000", GUILD),
}


async def _measure(url: str) -> dict[str, dict[str, float]]:
    found: dict[str, dict[str, float]] = {name: {} for name in ASKED}
    async with Bank.open(url, HouseSettings(), SystemClock()) as bank:
        await fill(bank, GUILD, _PEOPLE)
        for first, last in zip((0, *_ROUNDS), _ROUNDS, strict=False):
            await write_rounds(bank, first, last)
            async with bank._store.rewriting() as connection:
                for command in _PLAYED.split(";\n"):
                    await connection.execute(sa.text(command))
            for name, spent in (await timed(bank, ASKED)).items():
                found[name][f"{last:,} rounds"] = spent
    return found


def main() -> dict[str, Any]:
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="bench-")))
        found: dict[str, Any] = {"bench": "growth", "unit": "ms"}
        found["sqlite"] = asyncio.run(_measure(f"sqlite:///{folder / 'bank.db'}"))
        found["postgresql"] = asyncio.run(_measure(next(stack.enter_context(postgres()))))
    print(json.dumps(found))
    return found
