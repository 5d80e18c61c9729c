"""What every part of the bank has at hand."""

from __future__ import annotations

from data.drivers.store import Store
from engine.tables.house import HouseSettings
from engine.tables.ports import Clock


class Part:
    def __init__(self, store: Store, defaults: HouseSettings, clock: Clock) -> None:
        self._store = store
        self._defaults = defaults
        self._clock = clock
