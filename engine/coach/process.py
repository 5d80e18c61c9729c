"""The bot's side of the coach: it sends questions to the process one at a time, and long ones in slices."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import pickle
import sys
from collections import deque
from pathlib import Path
from typing import Any, Final, TypeVar

from engine.coach.questions import LongQuestion, Question
from engine.coach.waiting import Asked, Asker, Urgency, Waiting

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


class Superseded(CoachGone):
    """The same person has asked something newer, so this question is not answered."""


def packed(value: object) -> bytes:
    """A message between the two processes."""
    body = pickle.dumps(value)
    return len(body).to_bytes(_HEAD, "big") + body


class Coach:
    """Costs nothing until it is asked something. Safe to use from any number of tasks of one event loop."""

    def __init__(self) -> None:
        self._waiting = Waiting()
        self._process: asyncio.subprocess.Process | None = None
        self._working: asyncio.Task[None] | None = None
        self._closed = False

    async def ask(self, question: Question[A], urgency: Urgency = Urgency.PERSON, asker: Asker | None = None) -> A:
        """Return the answer. Raises what the solver raises, or CoachGone.

        A person (`asker`) has one waiting question of an urgency: a newer one replaces it, and the older one raises
        Superseded. A long question is sent in slices, so that others are answered between them.
        """
        if self._closed:
            raise CoachGone("the coach is closed")
        if len(self._waiting) >= MOST and urgency is not Urgency.TABLE:
            raise CoachGone("too many questions are waiting")
        future: asyncio.Future[A] = asyncio.get_running_loop().create_future()
        slices = question.slices() if isinstance(question, LongQuestion) else ()
        replaced = self._waiting.add(Asked(urgency, asker, deque([*slices, question]), future))
        if replaced is not None:
            _refuse(replaced.future, Superseded("the same person has asked something newer"))
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
            _refuse(self._waiting.take().future)
        await self._end_process()

    # -- private -------------------------------------------------------------------------------------------------------

    async def _work(self) -> None:
        while self._waiting:
            asked = self._waiting.take()
            if asked.future.done():
                continue
            try:
                fine, answer = await asyncio.wait_for(self._answered(asked.left.popleft()), PATIENCE)
            except (OSError, EOFError, TimeoutError) as fault:
                log.warning("the coach's process is gone: %r", fault)
                await self._end_process()
                _refuse(asked.future)
            except asyncio.CancelledError:
                _refuse(asked.future)
                raise
            else:
                self._go_on(asked, answer, fine=fine)

    def _go_on(self, asked: Asked, answer: Any, *, fine: bool) -> None:
        """Tell the answer of a question that was asked to its end; the others wait for the turn of their next slice."""
        if not fine or not asked.left:
            _tell(asked.future, answer, fine=fine)
        elif not self._waiting.add_again(asked):
            _refuse(asked.future, Superseded("the same person has asked something newer"))

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

    async def _end_process(self) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        await process.wait()


def _tell(future: asyncio.Future[Any], answer: Any, *, fine: bool) -> None:
    if future.done():
        return
    if fine:
        future.set_result(answer)
    else:
        future.set_exception(answer)


def _refuse(future: asyncio.Future[Any], why: CoachGone | None = None) -> None:
    _tell(future, why or CoachGone("the coach's process is gone"), fine=False)


async def _started() -> asyncio.subprocess.Process:
    return await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "engine.coach"),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        cwd=_ROOT,
        env={**os.environ, **_ONE_CORE, "PYTHONPATH": str(_ROOT)},
    )
