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

#: The most seconds for one question or slice. After that the process is ended, and the next question starts another.
PATIENCE: Final = 60.0

#: The most waiting questions. Further ones are refused, except those of tables.
MOST: Final = 1_000

#: The folder that contains `engine`.
_ROOT: Final = Path(__file__).resolve().parents[2]

#: Settings that keep numpy to one core, because idle threads would take time from the bot.
_ONE_CORE: Final = {f"{library}_NUM_THREADS": "1" for library in ("OPENBLAS", "OMP", "MKL")}

_HEAD: Final = 8  # bytes that hold a message's length


class CoachGone(Exception):
    """Raised when the process ended or took too long, the coach is closed, or too many questions are waiting."""


class Superseded(CoachGone):
    """Raised for a question when the same person asks a newer one of the same urgency on the same server."""


def packed(value: object) -> bytes:
    """Return a question or an answer as bytes for the pipe between the two processes: its length, then its pickle."""
    body = pickle.dumps(value)
    return len(body).to_bytes(_HEAD, "big") + body


class Coach:
    """The bot's access to the coach, for all tasks of one event loop. Its process starts with the first question."""

    def __init__(self) -> None:
        self._waiting = Waiting()
        self._process: asyncio.subprocess.Process | None = None
        self._working: asyncio.Task[None] | None = None
        self._closed = False

    async def ask(self, question: Question[A], urgency: Urgency = Urgency.PERSON, asker: Asker | None = None) -> A:
        """Return the answer, or raise CoachGone.

        A ValueError of the solver (UnknownRule, BadPosition) is raised here; any other error becomes a RuntimeError.

        A person has one waiting question of each urgency on a server: a newer one replaces it, and the older one raises
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
        """The number of questions in the queue: those not begun, and long ones between two slices."""
        return len(self._waiting)

    async def close(self) -> None:
        """End the process. All unanswered and all later questions raise CoachGone."""
        self._closed = True
        if self._working is not None:
            self._working.cancel()
            await asyncio.gather(self._working, return_exceptions=True)
        while self._waiting:
            _refuse(self._waiting.take().future)
        await self._end_process()

    # -- private -------------------------------------------------------------------------------------------------------

    async def _work(self) -> None:
        while self._waiting and not self._closed:
            asked = self._waiting.take()
            if asked.future.done():
                continue
            try:
                fine, answer = await asyncio.wait_for(self._answered(asked.left.popleft()), PATIENCE)
            except (OSError, EOFError, TimeoutError) as fault:
                log.warning("the coach's process is gone: %r", fault)
                _refuse(asked.future)
                await self._end_process()
            except asyncio.CancelledError:
                _refuse(asked.future)
                raise
            else:
                self._go_on(asked, answer, fine=fine)

    def _go_on(self, asked: Asked, answer: Any, *, fine: bool) -> None:
        """Pass the final answer, or an error (not `fine`), to the asker.

        After the answer to a slice, put the question back in the queue. If a newer one of the same asker and urgency
        waits there, this one raises Superseded instead.
        """
        if not fine or not asked.left:
            _tell(asked.future, answer, fine=fine)
        elif not self._waiting.add_again(asked):
            _refuse(asked.future, Superseded("the same person has asked something newer"))

    async def _answered(self, question: Question[Any]) -> tuple[bool, Any]:
        """Start the process if there is none, and send it a question.

        Return whether it was answered, and the answer or the error.
        """
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
