"""Python's sweeping for what nobody holds any more, kept so short that no press waits for it.

A full sweep looks at all there is, and nobody is served meanwhile: with ten thousand tables for most of a second. What
outlives a long one is not looked at again. Tables are among that, and need no sweeping: nothing of them goes in a ring.
"""

from __future__ import annotations

import gc
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

#: A press that waits so long for a sweep does not notice it.
SHORT_SECONDS: Final = 0.05

_FULL: Final = 2


@contextmanager
def short_sweeps(seconds: float = SHORT_SECONDS) -> Iterator[None]:
    """Meanwhile a full sweep that takes longer spares those to come what it has seen."""
    began = 0.0

    def watch(phase: str, about: dict[str, Any]) -> None:
        nonlocal began
        if about["generation"] < _FULL:
            return
        if phase == "start":
            began = time.perf_counter()
        elif time.perf_counter() - began > seconds:
            gc.freeze()

    gc.callbacks.append(watch)
    try:
        yield
    finally:
        gc.callbacks.remove(watch)
