"""`python -m bench coach`: the cost of a press while the coach is thinking, and while it is idle.

The same member presses in three conditions that take turns, so that other work of the machine affects all of them:
nothing else; a perfect player's decision at a full table; the grading of the rounds just played.
"""

from __future__ import annotations

import asyncio
import itertools
import json
from collections.abc import Awaitable, Callable, Iterator
from statistics import median, quantiles
from typing import Any, Final

import discord

from bench._hands import positions
from bench._house import House, opened
from bench.press import Stopwatch
from engine.coach import Coach, Urgency, WhatIsBest
from engine.games.blackjack.rule_sets import VEGAS

#: The presses in one condition before the next has its turn, and the number of turns.
_PRESSES: Final = 50
_TURNS: Final = 12

#: The work that goes on during a press.
SideWork = Callable[[], Awaitable[object]]


async def _nothing() -> None:
    pass


def _thinking(coach: Coach) -> SideWork:
    """Return work that asks about new positions, so that no answer comes from memory."""
    fresh: Iterator[Any] = itertools.cycle(positions(seats=7, hands=7 * _PRESSES * _TURNS))
    return lambda: coach.ask(WhatIsBest(VEGAS, next(fresh)), Urgency.TABLE)


async def _run() -> dict[str, Any]:
    async with opened() as house:
        await house.open_table(bet=1)
        return await _figures(Stopwatch(), house)


async def _figures(watch: Stopwatch, house: House) -> dict[str, Any]:
    bot, guild = house.bot, house.channel.guild
    assert guild is not None
    coach, grader = bot.coach, bot.grader
    member = (await bot.bank.members.sign_in(guild.id, house.alice.id)).id
    assert coach is not None
    assert grader is not None
    ways: dict[str, SideWork] = {
        "nothing beside it": _nothing,
        "a perfect player thinks": _thinking(coach),
        "rounds are graded": lambda: grader.grade_of(member),
    }
    taken: dict[str, list[float]] = {name: [] for name in ways}
    for turn, (name, beside) in itertools.product(range(_TURNS + 1), ways.items()):
        for _ in range(_PRESSES):
            started = asyncio.ensure_future(beside())
            milliseconds = await watch.answer(house.press)
            await started
            if turn:  # the first turns warm everything up
                taken[name].append(milliseconds)
    graded = await bot.bank.grades.skill(member)
    return {
        "bench": "coach",
        "presses of each way": _PRESSES * _TURNS,
        "hands graded meanwhile": graded.hands,
        **{f"a press while {name}": _told(spent) for name, spent in taken.items()},
    }


def _told(spent: list[float]) -> dict[str, float]:
    return {"p50 ms": round(median(spent), 2), "p99 ms": round(quantiles(spent, n=100)[98], 2)}


def main() -> None:
    discord.utils.setup_logging(level=40, root=True)
    print(json.dumps(asyncio.run(_run())))
