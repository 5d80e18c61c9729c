"""Watches what the bank depends on: free disk space, the size of the write-ahead log, the machine's clock.

If one of them is in trouble, no new stakes are taken, so that the disk space that is left is enough for open hands.
"""

from __future__ import annotations

import logging
import shutil
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

log = logging.getLogger(__name__)

MIB: Final = 2**20
#: The free bytes on the disk below which space is short.
ROOM: Final = 64 * MIB
#: The size of the write-ahead log that is trouble: SQLite should have cut it back to `sqlite.LOG_BYTES` long before.
LARGEST_LOG: Final = 256 * MIB
#: Seconds by which the clock may be set before that counts as a jump, and seconds after a jump until the clock is
#: trusted again.
JUMP_SECONDS: Final = 30.0
EVENLY_SECONDS: Final = 120.0
#: Seconds for which an answer of `Watch.trouble` is kept before clock, disk and log are looked at again.
GLANCE_SECONDS: Final = 2.0


def _steady() -> float:
    """Return seconds of a clock that nobody sets and that also runs while the machine sleeps."""
    if sys.platform == "linux":
        return time.clock_gettime(time.CLOCK_BOOTTIME)
    if sys.platform == "darwin":
        return time.clock_gettime(time.CLOCK_MONOTONIC)
    return time.monotonic()


@dataclass
class Watch:
    """The check of clock, disk and log before new stakes. `file` is the bank's, or None for a bank on a server."""

    file: Path | None
    wall: Callable[[], float] = time.time
    steady: Callable[[], float] = _steady
    _offset: float = field(init=False)
    _even_since: float = field(init=False)
    _looked: float | None = field(init=False, default=None)
    _trouble: str | None = field(init=False, default=None)

    def __post_init__(self) -> None:
        self._offset = self.wall() - self.steady()
        self._even_since = self.steady() - EVENLY_SECONDS

    def trouble(self) -> str | None:
        """Return why no new stakes are taken, as words for the operator, or None; log when that changes."""
        now = self.steady()
        if self._looked is None or not 0 <= now - self._looked < GLANCE_SECONDS:
            self._looked = now
            found = self._clock(now) or self._room() or self._log()
            if found != self._trouble:
                log.log(logging.WARNING if found else logging.INFO, "new stakes: %s", found or "taken again")
            self._trouble = found
        return self._trouble

    # -- private ---------------------------------------------------------------------------------------------------

    def _clock(self, now: float) -> str | None:
        offset = self.wall() - now
        if abs(offset - self._offset) > JUMP_SECONDS:
            self._even_since = now
        self._offset = offset
        return "the clock of this machine has jumped" if now - self._even_since < EVENLY_SECONDS else None

    def _room(self) -> str | None:
        try:
            short = self.file is not None and shutil.disk_usage(self.file.parent).free < ROOM
        except OSError:
            return None  # a press will be refused for a better reason
        return "the disk is nearly full" if short else None

    def _log(self) -> str | None:
        try:
            size = self.file.with_name(f"{self.file.name}-wal").stat().st_size if self.file is not None else 0
        except OSError:
            return None
        return "the write-ahead log has become very large" if size > LARGEST_LOG else None
