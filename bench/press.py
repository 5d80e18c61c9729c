"""`python -m bench press`: what a press costs, from the interaction's arrival to the sent answer.

The bot itself on a simulated Discord, with its durable commit on a file and its picture. What the simulation and
discord.py cost is measured in the same run, some presses of each in turn, and taken off: by a bare button of discord.py
on a message of as many keys, the same texts and such a picture, which answers with that very message, made before. A
button that only acknowledges, on a message of its own, stands beside it: no table is read there, and none written.
What the simulation works to see whether the bot has come to rest is no part of any figure: Discord does not ask.

Processor time is counted for each thread by itself, and of all blocks of presses the middle one counts: what a slow
moment of the machine does to a few blocks is in no figure.
"""

from __future__ import annotations

import asyncio
import json
import threading
import time
from collections import defaultdict
from collections.abc import Awaitable, Callable, Coroutine, Generator
from io import BytesIO
from statistics import mean, median, quantiles
from types import coroutine
from typing import Any, ClassVar, Final, Self

import discord
from discord import ui
from simcord import Env
from simcord.http import router

import cogs.table.components
from bench._house import House, opened
from cogs.answers.client import Interaction
from cogs.answers.door import Stands
from cogs.answers.serving import TAKEN, Press, Reply, take_up
from cogs.table.page import TABLE_FILE
from cogs.table.presentation import presented
from engine.tables.snapshot import Snapshot, TablePhase

_WARM_UP: Final = 60
_PRESSES: Final = 800
_IN_TURN: Final = 20

LOOP: Final = "event loop"
PICTURE_THREAD: Final = "picture, on its own thread"
BANK: Final = "durable commit, on the bank's threads"


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
        interaction.extras[TAKEN] = True  # or the bot, which knows no such button, would say so in an answer of its own
        file = discord.File(BytesIO(self.image), filename=TABLE_FILE)
        await interaction.response.edit_message(view=type(self).view, attachments=[file])


class Stopwatch:
    """Notes when the last answer was handed to Discord, how many were, and for how many seconds the event loop worked
    only to see whether the bot has come to rest."""

    def __init__(self) -> None:
        self._answered = 0.0
        self.answers = 0
        self.waited = 0.0
        dispatch, settle = router.dispatch, Env._settle_internal

        def noted(*args: Any, **kwargs: Any) -> Any:
            self._answered = time.perf_counter()
            self.answers += 1
            return dispatch(*args, **kwargs)

        router.dispatch = noted
        Env._settle_internal = lambda env, **how: self._timed(settle(env, **how))  # type: ignore[assignment, method-assign]

    @coroutine
    def _timed(self, steps: Coroutine[Any, Any, None]) -> Generator[Any, None, None]:
        while True:
            began = time.thread_time()
            try:
                step = steps.send(None)
            except StopIteration:
                return
            finally:
                self.waited += time.thread_time() - began
            yield step

    async def answer(self, press: Callable[[], Awaitable[Any]]) -> float:
        """Milliseconds from a press to its answer."""
        started = time.perf_counter()
        await press()
        return (self._answered - started) * 1000


class Presser:
    """Presses in blocks, and keeps what they cost: milliseconds until each answer, and each block's of every thread."""

    def __init__(self, watch: Stopwatch, press: Callable[[], Awaitable[Any]]) -> None:
        self._watch = watch
        self._press = press
        self.latencies: list[float] = []
        self._blocks: list[dict[str, float]] = []

    async def press(self, times: int) -> None:
        before, answers = _worked(self._watch), self._watch.answers
        for _ in range(times):
            self.latencies.append(await self._watch.answer(self._press))
        worked = _worked(self._watch)
        assert self._watch.answers - answers == times, "each press has one answer, and nothing else is asked of Discord"
        self._blocks.append({name: (worked[name] - before[name]) * 1000 / times for name in worked})

    def cpu(self, thread: str) -> float:
        """Milliseconds a press, in the middle one of the blocks."""
        return median([block.get(thread, 0.0) for block in self._blocks])

    @property
    def all_cpu(self) -> float:
        return sum(map(self.cpu, (LOOP, PICTURE_THREAD, BANK)))


def _worked(watch: Stopwatch) -> defaultdict[str, float]:
    """Seconds of the processor that each kind of thread has had so far, without what the simulation had alone."""
    spent = defaultdict[str, float](float, {LOOP: -watch.waited})
    for thread in threading.enumerate():
        assert thread.ident is not None
        name = LOOP if thread is threading.main_thread() else BANK if "connection" in thread.name else PICTURE_THREAD
        spent[name] += time.clock_gettime(time.pthread_getcpuclockid(thread.ident))
    return spent


async def _run() -> dict[str, Any]:
    async with opened() as house:
        take_up(house.bot, EmptyButton)
        house.bot.add_dynamic_items(ReadyButton)
        return await _figures(Stopwatch(), house)


async def _figures(watch: Stopwatch, house: House) -> dict[str, Any]:
    await house.open_table(bet=1)
    while house.now().phase is not TablePhase.PLAYING:
        await house.press()
    _make_ready(house.now())
    here = house.bot.get_partial_messageable(house.channel.id)
    ready = await here.send(view=ReadyButton.view, file=discord.File(BytesIO(ReadyButton.image), TABLE_FILE))
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
        for _ in range(presses // _IN_TURN):
            house.env.backend.transcript.clear()
            for presser in (nothing, bare, table):
                await presser.press(_IN_TURN)
    beyond = {name: round(table.cpu(name) - bare.cpu(name), 2) for name in (PICTURE_THREAD, LOOP, BANK)}
    return {
        "bench": "press",
        "presses": _PRESSES,
        "CPU ms": round(table.all_cpu - bare.all_cpu, 2),
        "CPU ms with the simulation": round(table.all_cpu, 2),
        "CPU ms of such a message, made before": round(bare.all_cpu, 2),
        "CPU ms of an empty button": round(nothing.all_cpu, 2),
        "p50 ms": round(median(table.latencies), 2),
        "p99 ms": round(quantiles(table.latencies, n=100)[98], 2),
        "p50 ms of an empty button": round(median(nothing.latencies), 2),
        "mean ms": round(mean(table.latencies), 2),
        "where it goes, CPU ms a press": beyond,
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


def main() -> None:
    discord.utils.setup_logging(level=40, root=True)
    print(json.dumps(asyncio.run(_run())))
