"""A timer that runs a coroutine in a task of its own, and the pauses between attempts to get a promise."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from contextvars import Context
from typing import Any, Final

_OF_NOBODY: Final = Context()

#: Seconds between attempts to get a promise: `SEEK_SECONDS`, doubled with each failure, `LONGEST_SEEK` at most.
SEEK_SECONDS = 2.0
LONGEST_SEEK = 60.0


def seek_pause(failures: int) -> float:
    """Return the seconds until the next attempt to get a promise, after this many failures."""
    return min(SEEK_SECONDS * 2.0 ** min(failures, 9), LONGEST_SEEK)


class Alarm:
    """A timer that goes off once for its latest setting.

    Its tasks do not inherit the context of the press that set the timer: neither the language nor the id in the logs.
    """

    __slots__ = ("_handle", "_name", "_ringing")

    def __init__(self, name: str) -> None:
        self._name = name
        self._handle: asyncio.TimerHandle | None = None
        self._ringing: tuple[asyncio.Task[None], ...] = ()

    def set(self, delay: float, ring: Callable[[], Coroutine[Any, Any, None]]) -> None:
        """Call `ring` after `delay` seconds and run its coroutine in a task. This replaces an earlier setting.

        A task that is running already goes on.
        """
        if self._handle is not None:
            self._handle.cancel()
        self._handle = asyncio.get_running_loop().call_later(max(delay, 0.0), self._ring, ring, context=_OF_NOBODY)

    def stop(self) -> None:
        """Cancel the timer. A task that is running already goes on."""
        if self._handle is not None:
            self._handle.cancel()
            self._handle = None

    def silence(self) -> None:
        """Cancel the timer and the tasks that it has started."""
        self.stop()
        for task in self._ringing:
            task.cancel()

    def _ring(self, ring: Callable[[], Coroutine[Any, Any, None]]) -> None:
        self._handle = None
        task = asyncio.get_running_loop().create_task(ring(), name=self._name)
        self._ringing += (task,)
        task.add_done_callback(self._rang)

    def _rang(self, task: asyncio.Task[None]) -> None:
        self._ringing = tuple(other for other in self._ringing if other is not task)
