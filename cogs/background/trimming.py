"""Gives free memory back to the operating system. Pictures and audits need much of it for a moment.

The C library keeps what was freed for the next time: a tenth of the memory of the process after ten thousand pictures.
Giving it back takes a few milliseconds, and the next pictures are drawn as fast as before.
"""

from __future__ import annotations

import asyncio
import ctypes
from collections.abc import Callable
from typing import Any, Final

from cogs.answers.client import Casino
from cogs.background.chore import Chore

EVERY: Final = 3600.0


class Trimming(Chore):
    """The chore that gives free memory back, each hour."""

    every = first = EVERY
    failure = "free memory is not given back"

    def __init__(self, trim: Callable[[int], Any]) -> None:
        self._trim = trim

    async def do(self) -> bool:
        await asyncio.to_thread(self._trim, 0)
        return True


def trim() -> Callable[[int], Any] | None:
    """Return the C library's function that gives all free memory back, or None where it has none."""
    try:
        return ctypes.CDLL(None).malloc_trim
    except (AttributeError, OSError, TypeError):  # another library than glibc, or Windows
        return None


async def setup(bot: Casino) -> None:
    found = trim()
    if found is not None:
        await bot.add_cog(Trimming(found))
