"""What all tables of a casino share."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from engine.tables.house import HouseSettings
from engine.tables.ports import Bank, Clock, Seeds, Watcher


@dataclass(frozen=True, slots=True)
class Surroundings:
    bank: Bank
    clock: Clock
    seeds: Seeds
    watcher: Watcher
    house: Callable[[int], Awaitable[HouseSettings]]  # of a guild
