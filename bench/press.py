"""`python -m bench press`: the cost of a press, from the arrival of the interaction to the answer.

The bot runs on a simulated Discord, with its durable commit to a file and its picture. The cost of the simulation and
of discord.py is measured in the same run, some presses of each in turn, and subtracted. It is that of a bare discord.py
button on a message with as many keys, the same texts and such a picture, which answers with a ready message. A button
that only acknowledges stands beside it; it reads and writes no table. The simulation's work of checking whether the bot
has come to rest is left out, because Discord does not check that.

Processor time is counted thread by thread, and the median of all blocks of presses counts, so that a slow moment of the
machine appears in no figure.
"""

from __future__ import annotations

import asyncio
import json
import sys
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
from cogs.answers.press import Press, take_up
from cogs.answers.reply import Reply
from cogs.answers.serving import TAKEN
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
    """A plain discord.py button that answers with a ready message."""

    view: ClassVar[ui.LayoutView]
    image: ClassVar[bytes]

    @classmethod
    async def from_custom_id(cls, interaction: Any, item: ui.Item[Any], match: Any, /) -> Self:
        assert isinstance(item, ui.Button)
        return cls(item)

    async def callback(self, interaction: Any) -> None:
        interaction.extras[TAKEN] = True  # otherwise the bot, which does not know the button, would answer it too
        file = discord.File(BytesIO(self.image), filename=TABLE_FILE)
        await interaction.response.edit_message(view=type(self).view, attachments=[file])


class Stopwatch:
    """A note of when the last answer was handed to Discord, how many there were, and how long the event loop only
    checked for rest.
    """

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
        """Return the milliseconds from a press to its answer."""
        started = time.perf_counter()
        await press()
        return (self._answered - started) * 1000


class Presser:
    """Somebody who presses in blocks. It has the milliseconds to each answer, and the work of each thread by block."""

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
        """Return the processor milliseconds that a thread spends on a press, in the median block."""
        return median([block.get(thread, 0.0) for block in self._blocks])

    @property
    def all_cpu(self) -> float:
        return sum(map(self.cpu, (LOOP, PICTURE_THREAD, BANK)))


def _worked(watch: Stopwatch) -> defaultdict[str, float]:
    """Return the processor seconds of each kind of thread so far, without those of the simulation."""
    if sys.platform != "linux":
        raise SystemExit("Only Linux has a clock for each thread.")
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
    """Copy the table's message, with a bare button for each of its keys."""
    page = presented(table).page_of(table)
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
