"""Keeps Python's garbage collector from delaying presses.

A full collection looks at every object and serves nobody in that time: most of a second with ten thousand tables. So
objects that survive a long collection are frozen and not looked at again. Tables need no collection: they form no
cycles. With a few hundred tables a collection is short, and nothing is ever frozen.
"""

from __future__ import annotations

import gc
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

#: The longest garbage collection, in seconds, that no press notices.
SHORT_SECONDS: Final = 0.05

_FULL: Final = 2


@contextmanager
def short_sweeps(seconds: float = SHORT_SECONDS) -> Iterator[None]:
    """Freeze all surviving objects after a full collection in the block, if it took longer than `seconds`.

    They stay frozen after the block.
    """
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
