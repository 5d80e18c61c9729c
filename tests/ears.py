"""Hears every error that is logged while something else is tried."""

from __future__ import annotations

import logging
from collections.abc import Callable


class Ears(logging.Handler):
    def __init__(self, minds: Callable[[logging.LogRecord], bool] = lambda _: True) -> None:
        super().__init__(logging.ERROR)
        self._minds = minds
        self.heard: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        if self._minds(record):
            cause = f": {record.exc_info[1]!r}" if record.exc_info else ""
            self.heard.append(f"{record.name}: {record.getMessage()}{cause}")
