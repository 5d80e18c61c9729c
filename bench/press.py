"""`python -m bench press`: what a press costs, from the interaction's arrival to the sent answer.

The bot itself on a simulated Discord, with its durable commit on a file and its picture. What the simulation and
discord.py cost is measured in the same run, some presses of each in turn, and taken off: by a bare button of discord.py
on a message of as many keys, the same texts and such a picture, which answers with that very message, made before. A
button that only acknowledges, on a message of its own, stands beside it: no table is read there, and none written.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections import defaultdict
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from io import BytesIO
from statistics import mean, median, quantiles
from typing import Any, ClassVar, Self

import discord
from discord import ui
from simcord.http import router

import cogs.blackjack.looks
import cogs.table.components
from bench._house import House, opened
from bot import CasinoBot
from cogs.answers.client import Interaction
from cogs.answers.door import Stands
from cogs.answers.serving import Press, Reply, take_up
from cogs.table.components import PICTURE
from cogs.table.presentation import presented
from engine.tables.snapshot import Snapshot, TablePhase

_WARM_UP = 60
_PRESSES = 400
_IN_TURN = 20


class EmptyButton(Press, template=r"bench:empty"):
    stands: ClassVar[Stands] = Stands.OPENLY

    @classmethod
    def of(cls) -> Self:
        return cls(ui.Button(label="Nothing", custom_id="bench:empty"))

    async def pressed(self, interaction: Interaction, reply: Reply) -> None:
        await interaction.response.defer()


class ReadyButton(ui.DynamicItem[ui.Button[Any]], template=r"bench:ready:\d+"):
    """discord.py's own and nothing of ours: it answers with what was made before."""

    view: ClassVar[ui.LayoutView]
    image: ClassVar[bytes]

    @classmethod
    async def from_custom_id(cls, interaction: Any, item: ui.Item[Any], match: Any, /) -> Self:
        assert isinstance(item, ui.Button)
        return cls(item)

    async def callback(self, interaction: Any) -> None:
        file = discord.File(BytesIO(self.image), filename=PICTURE)
        await interaction.response.edit_message(view=type(self).view, attachments=[file])


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


class Presser:
    """Presses, and adds up what that cost: milliseconds until the answer, of all threads, and of the event loop's."""

    def __init__(self, watch: Stopwatch, press: Callable[[], Awaitable[Any]]) -> None:
        self._watch = watch
        self._press = press
        self.latencies: list[float] = []
        self._cpu = self._loop = 0.0

    async def press(self, times: int) -> None:
        worked, looped = time.process_time(), time.thread_time()
        for _ in range(times):
            self.latencies.append(await self._watch.answer(self._press))
        self._cpu += time.process_time() - worked
        self._loop += time.thread_time() - looped

    @property
    def cpu(self) -> float:
        return self._cpu * 1000 / len(self.latencies)

    @property
    def loop(self) -> float:
        return self._loop * 1000 / len(self.latencies)


async def _run() -> dict[str, Any]:
    async with opened() as house:
        take_up(house.bot, EmptyButton)
        house.bot.add_dynamic_items(ReadyButton)
        watch = Stopwatch()
        install(watch, house.bot)
        return await _figures(watch, house)


async def _figures(watch: Stopwatch, house: House) -> dict[str, Any]:
    await house.open_table(bet=1)
    while house.now().phase is not TablePhase.PLAYING:
        await house.press()
    _make_ready(house.now())
    here = house.bot.get_partial_messageable(house.channel.id)
    ready = await here.send(view=ReadyButton.view, file=discord.File(BytesIO(ReadyButton.image), PICTURE))
    view = ui.LayoutView(timeout=None)
    view.add_item(ui.ActionRow(EmptyButton.of()))
    empty = await here.send(view=view)
    kinds = (
        lambda: house.alice.click(empty, custom_id="bench:empty"),
        lambda: house.alice.click(ready, custom_id="bench:ready:0"),
        house.press,
    )
    for presses in (_WARM_UP, _PRESSES):
        nothing, bare, table = [Presser(watch, kind) for kind in kinds]
        watch.spent.clear()
        for _ in range(presses // _IN_TURN):
            house.env.backend.transcript.clear()
            for presser in (nothing, bare, table):
                await presser.press(_IN_TURN)
    return {
        "bench": "press",
        "presses": _PRESSES,
        "CPU ms": round(table.cpu - bare.cpu, 2),
        "of those on the event loop": round(table.loop - bare.loop, 2),
        "CPU ms with the simulation": round(table.cpu, 2),
        "CPU ms of such a message, made before": round(bare.cpu, 2),
        "CPU ms of an empty button": round(nothing.cpu, 2),
        "p50 ms": round(median(table.latencies), 2),
        "p99 ms": round(quantiles(table.latencies, n=100)[98], 2),
        "p50 ms of an empty button": round(median(nothing.latencies), 2),
        "where it goes, ms a press": {
            name: round(sum(spent) / _PRESSES, 2) for name, spent in sorted(watch.spent.items(), key=_weight)
        },
        "mean ms": round(mean(table.latencies), 2),
    }


def _make_ready(table: Snapshot) -> None:
    """The table's message, each of its keys a bare button."""
    page = presented(table).face(table)
    assert page.picture is not None
    ReadyButton.view, ReadyButton.image = cogs.table.components.build(page, table), page.picture.draw()
    number = 0
    for row in ReadyButton.view.walk_children():
        if isinstance(row, ui.ActionRow):
            keys = len(row.children)
            row.clear_items()
            for _ in range(keys):
                row.add_item(ReadyButton(ui.Button(label="Surrender", custom_id=f"bench:ready:{number}")))
                number += 1


def _weight(item: tuple[str, list[float]]) -> float:
    return -sum(item[1])


def main() -> None:
    discord.utils.setup_logging(level=40, root=True)
    print(json.dumps(asyncio.run(_run())))
