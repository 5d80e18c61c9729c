"""Virtual time: nobody waits for real, and nothing happens in an order that the seed does not give."""

from __future__ import annotations

import asyncio
import selectors
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Final

#: When every story begins, in seconds since 1970.
BEGINNING: Final = 1_800_000_000.0


class Stuck(AssertionError):
    """Everybody waits, and nothing will ever happen."""


class _Hours(selectors.SelectSelector):
    """Nothing comes in from outside, so waiting is turning the clock on."""

    def __init__(self) -> None:
        super().__init__()
        self.time = 0.0

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        if timeout is None:
            raise Stuck("everybody waits for ever")
        self.time += max(timeout, 0.0)
        return []


class VirtualLoop(asyncio.SelectorEventLoop):
    """An event loop whose time passes at once. It has no threads. Nobody looks at pictures here, so none are drawn."""

    def __init__(self) -> None:
        self._hours = _Hours()
        super().__init__(self._hours)

    def time(self) -> float:
        return self._hours.time

    def run_in_executor(self, executor: Any, func: Callable[..., Any], *args: Any) -> asyncio.Future[Any]:  # type: ignore[override]
        done = self.create_future()
        try:
            done.set_result(func(*args) if _is_the_banks(func) else b"a picture")
        except Exception as error:
            done.set_exception(error)
        return done


def _is_the_banks(func: Any) -> bool:
    """Whether this is work of the bank's, which is done on the spot."""
    inner = func.args[0] if isinstance(func, partial) and func.args else func  # as asyncio.to_thread wraps it
    while isinstance(inner, partial):
        inner = inner.func
    return str(getattr(inner, "__module__", "")).startswith("data.")


class HouseClock:
    """The time as people call it, which can be wrong."""

    def __init__(self, loop: VirtualLoop) -> None:
        self._loop = loop
        self.ahead = 0.0

    def now(self) -> float:
        return BEGINNING + self._loop.time() + self.ahead


def told(counts: Mapping[str, int]) -> str:
    """Counts in one line."""
    return ", ".join(f"{name} {count}" for name, count in sorted(counts.items())) or "none"
