"""Notices when the process should stop."""

from __future__ import annotations

import asyncio
import contextlib
import signal
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager
from typing import Any


@asynccontextmanager
async def until_told_to_stop() -> AsyncIterator[asyncio.Event]:
    """Return an event that Ctrl-C and SIGTERM set. A second signal ends the process at once."""
    told = asyncio.Event()
    loop = asyncio.get_running_loop()
    signals = (signal.SIGINT, signal.SIGTERM)

    def stop() -> None:
        told.set()
        for number in signals:
            loop.remove_signal_handler(number)

    with contextlib.suppress(NotImplementedError):  # Windows: Ctrl-C raises KeyboardInterrupt there
        for number in signals:
            loop.add_signal_handler(number, stop)
    yield told
    with contextlib.suppress(NotImplementedError):
        for number in signals:
            loop.remove_signal_handler(number)


async def first_of(*waits: Coroutine[Any, Any, Any]) -> None:
    """Wait until one of them ends, and raise what it raised."""
    tasks = [asyncio.ensure_future(wait) for wait in waits]
    try:
        done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        for task in done:
            task.result()
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
