"""Tells when the process should stop: at a signal, or when one of its parts has ended."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from typing import Any, Final

_SIGNALS: Final = (signal.SIGINT, signal.SIGTERM)


@asynccontextmanager
async def until_told_to_stop() -> AsyncIterator[asyncio.Event]:
    """Yield an event that Ctrl-C or SIGTERM sets. After that both act as usual: they interrupt or end the process."""
    told = asyncio.Event()
    loop = asyncio.get_running_loop()

    def stop() -> None:
        told.set()
        ignore()

    try:
        ignore = _heard_by_the_loop(loop, stop)
    except NotImplementedError:  # Windows has none
        ignore = _heard_by_python(loop, stop)
    try:
        yield told
    finally:
        ignore()


def _heard_by_the_loop(loop: asyncio.AbstractEventLoop, stop: Callable[[], None]) -> Callable[[], None]:
    """Let the loop call `stop` at a signal, and return a function that undoes this."""

    def ignore() -> None:
        for number in _SIGNALS:
            loop.remove_signal_handler(number)

    for number in _SIGNALS:
        loop.add_signal_handler(number, stop)
    return ignore


def _heard_by_python(loop: asyncio.AbstractEventLoop, stop: Callable[[], None]) -> Callable[[], None]:
    """Let Python call `stop` at a signal, where the loop cannot do so, and return a function that undoes this."""
    before = {number: signal.getsignal(number) for number in _SIGNALS}

    def ignore() -> None:
        for number, handler in before.items():
            signal.signal(number, handler)

    for number in _SIGNALS:
        signal.signal(number, lambda *_: loop.call_soon_threadsafe(stop))
    return ignore


async def first_of(*waits: Coroutine[Any, Any, Any]) -> None:
    """Wait until one of these coroutines ends, raise what it raised, and cancel the others."""
    tasks = [asyncio.ensure_future(wait) for wait in waits]
    try:
        done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        for task in done:
            task.result()
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
