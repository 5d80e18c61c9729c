"""One alarm of one table: set anew with every change, and it rings in a task of its own."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any


class Alarm:
    def __init__(self, name: str) -> None:
        self._name = name
        self._handle: asyncio.TimerHandle | None = None
        self._ringing: set[asyncio.Task[None]] = set()

    def set(self, delay: float, ring: Callable[[], Coroutine[Any, Any, None]]) -> None:
        """Only the last one that was set rings."""
        self.stop()
        self._handle = asyncio.get_running_loop().call_later(max(delay, 0.0), self._ring, ring)

    def stop(self) -> None:
        if self._handle is not None:
            self._handle.cancel()
            self._handle = None

    def silence(self) -> None:
        """Stop, and let go of what is ringing already."""
        self.stop()
        for task in self._ringing:
            task.cancel()

    def _ring(self, ring: Callable[[], Coroutine[Any, Any, None]]) -> None:
        self._handle = None
        task = asyncio.get_running_loop().create_task(ring(), name=self._name)
        self._ringing.add(task)
        task.add_done_callback(self._ringing.discard)
