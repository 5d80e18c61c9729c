"""The bot's side of the coach: questions wait here, the most urgent first, and go to the process one at a time."""

from __future__ import annotations

import asyncio
import contextlib
import heapq
import itertools
import logging
import os
import pickle
import sys
from enum import IntEnum
from pathlib import Path
from typing import Any, Final, TypeVar

from engine.coach.questions import Question

log = logging.getLogger(__name__)

A = TypeVar("A")

#: A question that takes longer has lost its way: the process is ended, and the next question starts another.
PATIENCE: Final = 60.0

#: So many questions wait; further ones of those who can wait are refused.
MOST: Final = 1_000

#: Where `engine` lies.
_ROOT: Final = Path(__file__).resolve().parents[2]

#: One core is enough, and threads that spin for more would take it from the bot.
_ONE_CORE: Final = {f"{library}_NUM_THREADS": "1" for library in ("OPENBLAS", "OMP", "MKL")}

_HEAD: Final = 8  # bytes that say how many follow


class CoachGone(Exception):
    """The process ended over the question, the coach is closed, or too many are waiting."""


class Urgency(IntEnum):
    """Who waits for the answer."""

    TABLE = 0  # everybody at a table
    PERSON = 1
    NOBODY = 2


def packed(value: object) -> bytes:
    """A message between the two processes."""
    body = pickle.dumps(value)
    return len(body).to_bytes(_HEAD, "big") + body


class Coach:
    """Costs nothing until it is asked something. Safe to use from any number of tasks of one event loop."""

    def __init__(self) -> None:
        self._waiting: list[tuple[int, int, Question[Any], asyncio.Future[Any]]] = []
        self._numbers = itertools.count()
        self._process: asyncio.subprocess.Process | None = None
        self._working: asyncio.Task[None] | None = None
        self._closed = False

    async def ask(self, question: Question[A], urgency: Urgency = Urgency.PERSON) -> A:
        """The answer. Raises what the solver raises, or CoachGone. Whoever stops waiting is not answered."""
        if self._closed:
            raise CoachGone("the coach is closed")
        if len(self._waiting) >= MOST and urgency is not Urgency.TABLE:
            raise CoachGone("too many questions are waiting")
        future: asyncio.Future[A] = asyncio.get_running_loop().create_future()
        heapq.heappush(self._waiting, (urgency, next(self._numbers), question, future))
        if self._working is None or self._working.done():
            self._working = asyncio.create_task(self._work(), name="coach")
        return await future

    @property
    def waiting(self) -> int:
        """How many questions nobody has begun to answer."""
        return len(self._waiting)

    async def close(self) -> None:
        """Whoever still waits gets CoachGone."""
        self._closed = True
        if self._working is not None:
            self._working.cancel()
            await asyncio.gather(self._working, return_exceptions=True)
        while self._waiting:
            self._refuse(heapq.heappop(self._waiting)[-1])
        await self._end_process()

    # -- private -------------------------------------------------------------------------------------------------------

    async def _work(self) -> None:
        while self._waiting:
            _, _, question, future = heapq.heappop(self._waiting)
            if future.done():
                continue
            try:
                fine, answer = await asyncio.wait_for(self._answered(question), PATIENCE)
            except (OSError, EOFError, TimeoutError) as fault:
                log.warning("the coach's process is gone: %r", fault)
                await self._end_process()
                self._refuse(future)
            except asyncio.CancelledError:
                self._refuse(future)
                raise
            else:
                self._tell(future, answer, fine=fine)

    async def _answered(self, question: Question[Any]) -> tuple[bool, Any]:
        """Whether it could be answered, and the answer or why not."""
        if self._process is None:
            self._process = await _started()
        sent, heard = self._process.stdin, self._process.stdout
        assert sent is not None
        assert heard is not None
        sent.write(packed(question))
        await sent.drain()
        size = int.from_bytes(await heard.readexactly(_HEAD), "big")
        answer: tuple[bool, Any] = pickle.loads(await heard.readexactly(size))
        return answer

    def _tell(self, future: asyncio.Future[Any], answer: Any, *, fine: bool) -> None:
        if future.done():
            return
        if fine:
            future.set_result(answer)
        else:
            future.set_exception(answer)

    def _refuse(self, future: asyncio.Future[Any]) -> None:
        if not future.done():
            future.set_exception(CoachGone("the coach's process is gone"))

    async def _end_process(self) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        await process.wait()


async def _started() -> asyncio.subprocess.Process:
    return await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "engine.coach"),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        cwd=_ROOT,
        env={**os.environ, **_ONE_CORE, "PYTHONPATH": str(_ROOT)},
    )
