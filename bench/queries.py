"""`python -m bench queries`: milliseconds of what people wait for, with few rounds in a guild and with many.

The number of rounds should make no difference, because everything goes by indexes.
"""

from __future__ import annotations

import asyncio
import json
import statistics
import tempfile
import time
from collections.abc import Awaitable, Callable, Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Final

from bench._rounds import GUILD, write_rounds
from bench._server import postgres
from data import Bank, Ladder
from data.__main__ import SystemClock
from engine.tables.house import HouseSettings

_FEW: Final = 500
_MANY: Final = 50_000
_LOOKS: Final = 15

#: The queries of a command or a press, for the bank's oldest member.
ASKED: Final[dict[str, Callable[[Bank], Awaitable[object]]]] = {
    "signing in": lambda bank: bank.members.sign_in(GUILD, 1),
    "balance": lambda bank: bank.members.balance(GUILD, 1),
    "balances of a table": lambda bank: bank.members.balances([1, 2]),
    "limits of a gift": lambda bank: bank.chips.expect_gift(1, 2, 1),
    "chips in play": lambda bank: bank.members.in_play(1),
    "next daily chips": lambda bank: bank.chips.daily_due(1),
    "what a member has set": lambda bank: bank.members.settings(1),
    "a server's own rules": lambda bank: bank.guilds.rule_sets(GUILD),
    "history, first page": lambda bank: bank.records.history(1),
    "history, the last page": lambda bank: bank.records.older(1, 1, 11),
    "history, back from there": lambda bank: bank.records.newer(1, 1, 10),
    "a round by its code": lambda bank: bank.records.round("00000000", GUILD),
    "a round by its mark": lambda bank: bank.records.round("00000000-1", GUILD),
    "a round of a table": lambda bank: bank.grades.finished_round(1, 1),
    "a place's chain": lambda bank: bank.chains.in_use("place"),
    "a place's last chain": lambda bank: bank.chains.ended("place"),
    "all chains of a place": lambda bank: bank.chains.all_of("place"),
    "head of a server's book": lambda bank: bank.leaves.head(GUILD),
    "who gave whom": lambda bank: bank.records.feeding(GUILD, 0.0),
    "skill and luck": lambda bank: bank.grades.skill(1),
    "skill and luck, the last rounds": lambda bank: bank.grades.plot(1, 12),
    "rounds to be graded at once": lambda bank: bank.grades.ungraded_of(1, 50),
    "mistakes that cost most": lambda bank: bank.mistakes.costliest(1, 10),
    "mistakes to try again": lambda bank: bank.mistakes.to_try(1, 0.0),
    "one mistake": lambda bank: bank.mistakes.one(1, 1, 1, 0),
    "what somebody trains": lambda bank: bank.training.find(1, "run", "vegas"),
    "everything that somebody trains": lambda bank: bank.training.of(1),
    "a person's mistakes on all servers": lambda bank: bank.mistakes.of_person(1, 200),
    "servers that know a person": lambda bank: bank.privacy.servers(1),
    "champions": lambda bank: bank.titles.champions(GUILD),
    "tournaments": lambda bank: bank.tournaments.still_open(GUILD),
    "a tournament": lambda bank: bank.tournaments.stored(1),
    "leaderboard": lambda bank: bank.ladders.leaderboard(GUILD, Ladder.CHIPS, user=1),
    "leaderboard, by winnings": lambda bank: bank.ladders.leaderboard(GUILD, Ladder.WINNINGS, user=1),
    "leaderboard, by win rate": lambda bank: bank.ladders.leaderboard(GUILD, Ladder.WIN_RATE, user=1),
    "are stakes stopped": lambda bank: bank.auditor.stakes_stopped(),
    "guilds at play": lambda bank: bank.tables.guilds_at_play(),
    "a table": lambda bank: bank.tables.stored(1),
    "a guild's open tables": lambda bank: bank.tables.still_open(guilds=[GUILD]),
}


async def timed(bank: Bank, asked: Mapping[str, Callable[[Bank], Awaitable[object]]]) -> dict[str, float]:
    """Return the median milliseconds of each query, after a first look that does not count."""
    found = {}
    for name, ask in asked.items():
        spent = []
        for _ in range(_LOOKS + 1):
            began = time.perf_counter()
            await ask(bank)
            spent.append((time.perf_counter() - began) * 1000)
        found[name] = round(statistics.median(spent[1:]), 2)
    return found


async def _measure(url: str) -> dict[str, dict[str, float]]:
    async with Bank.open(url, HouseSettings(), SystemClock()) as bank:
        await write_rounds(bank, 0, _FEW)
        few = await timed(bank, ASKED)
        await write_rounds(bank, _FEW, _MANY)
        many = await timed(bank, ASKED)
    return {name: {f"{_FEW:,} rounds, ms": few[name], f"{_MANY:,} rounds, ms": many[name]} for name in ASKED}


def main() -> dict[str, Any]:
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="bench-")))
        found: dict[str, Any] = {"bench": "queries"}
        found["sqlite"] = asyncio.run(_measure(f"sqlite:///{folder / 'bank.db'}"))
        found["postgresql"] = asyncio.run(_measure(next(stack.enter_context(postgres()))))
    print(json.dumps(found))
    return found
