"""The base of every part of the bank."""

from __future__ import annotations

from data.drivers.store import Store
from engine.tables.ports import Clock


class Part:
    """A part of the bank, with the store and the clock that all parts share."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self._store = store
        self._clock = clock
