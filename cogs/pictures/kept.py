"""What was drawn once is kept while there is room for it, in bytes: one patch is as large as a hundred others."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from threading import Lock
from typing import Final, Generic, TypeVar

V = TypeVar("V")


class Kept(Generic[V]):
    """What was made, by what it was made of, in any thread; what nobody asked for longest goes first."""

    def __init__(self, room: int, size: Callable[[V], int]) -> None:
        self._room: Final = room
        self._size: Final = size
        self._made: Final[dict[Hashable, V]] = {}
        self._lock: Final = Lock()
        self.bytes = 0

    def get(self, key: Hashable) -> V | None:
        """It, and it is the newest again; None where it must be made."""
        with self._lock:
            made = self._made.pop(key, None)
            if made is not None:
                self._made[key] = made
            return made

    def put(self, key: Hashable, value: V) -> None:
        """Keep it, and let go of the oldest where there is no room for all."""
        with self._lock:
            if key in self._made:  # another thread was sooner
                return
            self._made[key] = value
            self.bytes += self._size(value)
            while self.bytes > self._room:
                oldest = next(iter(self._made))
                self.bytes -= self._size(self._made.pop(oldest))

    def clear(self) -> None:
        """Nothing is kept."""
        with self._lock:
            self._made.clear()
            self.bytes = 0
