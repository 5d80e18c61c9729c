"""`python -m bench press`: what a press costs, from the interaction's arrival to the sent answer.

The bot itself on a simulated Discord, with its durable commit on a file and its picture. What the simulation costs is
measured in the same run by a button that only acknowledges, and taken off.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections import defaultdict
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from statistics import mean, median, quantiles
from typing import Any, ClassVar, Self

import discord
from discord import ui
from simcord.http import router

import cogs.blackjack.looks
import cogs.coach.grader
import cogs.table.components
from bench._house import House, opened
from bot import CasinoBot
from cogs.answers.client import Interaction
from cogs.answers.door import Stands
from cogs.answers.serving import Press, Reply, take_up

_WARM_UP = 60
_PRESSES = 400


class EmptyButton(Press, template=r"bench:empty"):
    stands: ClassVar[Stands] = Stands.OPENLY

    @classmethod
    def of(cls) -> Self:
        return cls(ui.Button(label="Nothing", custom_id="bench:empty"))

    async def pressed(self, interaction: Interaction, reply: Reply) -> None:
        await interaction.response.defer()


class Stopwatch:
    """Milliseconds by name, and when the last answer was handed to Discord."""

    def __init__(self) -> None:
        self.spent: defaultdict[str, list[float]] = defaultdict(list)
        self.answered = 0.0

    async def answer(self, press: Callable[[], Awaitable[Any]]) -> float:
        """Milliseconds from a press to its answer."""
        started = time.perf_counter()
        await press()
        return (self.answered - started) * 1000

    @contextmanager
    def running(self, name: str) -> Iterator[None]:
        started = time.perf_counter()
        try:
            yield
        finally:
            self.spent[name].append((time.perf_counter() - started) * 1000)

    def watch(self, name: str, deed: Callable[..., Any]) -> Callable[..., Any]:
        def watched(*args: Any, **kwargs: Any) -> Any:
            with self.running(name):
                return deed(*args, **kwargs)

        return watched

    def watch_async(self, name: str, deed: Callable[..., Awaitable[Any]]) -> Callable[..., Awaitable[Any]]:
        async def watched(*args: Any, **kwargs: Any) -> Any:
            with self.running(name):
                return await deed(*args, **kwargs)

        return watched


def install(watch: Stopwatch, bot: CasinoBot) -> None:
    cogs.coach.grader.PAUSE = 3600.0  # type: ignore[misc]  # what is graded by itself would fall into some press
    dispatch = router.dispatch

    def answered(*args: Any, **kwargs: Any) -> Any:
        watch.answered = time.perf_counter()
        return dispatch(*args, **kwargs)

    router.dispatch = answered
    for name, owner, part in (
        ("durable commit", bot.bank.tables, "commit"),
        ("balances", bot.bank.members, "balances"),
        ("picture, on its own thread", cogs.blackjack.looks, "render"),
        ("message's layout", cogs.table.components, "build"),
    ):
        deed = getattr(owner, part)
        wrap = watch.watch_async if asyncio.iscoroutinefunction(deed) else watch.watch
        setattr(owner, part, wrap(name, deed))


async def _measured(watch: Stopwatch, presses: int, press: Callable[[], Awaitable[Any]]) -> tuple[list[float], float]:
    """Latencies in ms, and CPU ms a press (all threads)."""
    worked = time.process_time()
    latencies = [await watch.answer(press) for _ in range(presses)]
    return latencies, (time.process_time() - worked) * 1000 / presses


async def _run() -> dict[str, Any]:
    async with opened() as house:
        take_up(house.bot, EmptyButton)
        watch = Stopwatch()
        install(watch, house.bot)
        return await _figures(watch, house)


async def _figures(watch: Stopwatch, house: House) -> dict[str, Any]:
    view = ui.LayoutView(timeout=None)
    view.add_item(ui.ActionRow(EmptyButton.of()))
    empty = await house.bot.get_partial_messageable(house.channel.id).send(view=view)
    await house.open_table(bet=1)

    async def press_nothing() -> None:
        await house.alice.click(empty, label="Nothing")

    await _measured(watch, _WARM_UP, press_nothing)
    nothing, nothing_cpu = await _measured(watch, _PRESSES, press_nothing)
    await _measured(watch, _WARM_UP, house.press)
    watch.spent.clear()
    house.env.backend.transcript.clear()
    latencies, cpu = await _measured(watch, _PRESSES, house.press)
    return {
        "bench": "press",
        "presses": _PRESSES,
        "CPU ms": round(cpu - nothing_cpu, 2),
        "CPU ms with the simulation": round(cpu, 2),
        "CPU ms of an empty button": round(nothing_cpu, 2),
        "p50 ms": round(median(latencies), 2),
        "p99 ms": round(quantiles(latencies, n=100)[98], 2),
        "p50 ms of an empty button": round(median(nothing), 2),
        "where it goes, ms a press": {
            name: round(sum(spent) / _PRESSES, 2) for name, spent in sorted(watch.spent.items(), key=_weight)
        },
        "mean ms": round(mean(latencies), 2),
    }


def _weight(item: tuple[str, list[float]]) -> float:
    return -sum(item[1])


def main() -> None:
    discord.utils.setup_logging(level=40, root=True)
    print(json.dumps(asyncio.run(_run())))
