"""A cache of drawings limited in bytes, because one drawing may be as large as a hundred others."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from threading import Lock
from typing import Final, Generic, TypeVar

V = TypeVar("V")


class SizedCache(Generic[V]):
    """A thread-safe cache of at most `room` bytes, as `size` counts them. The least recently used entries go first."""

    def __init__(self, room: int, size: Callable[[V], int]) -> None:
        self._room: Final = room
        self._size: Final = size
        self._made: Final[dict[Hashable, V]] = {}
        self._lock: Final = Lock()
        self.bytes = 0

    def get(self, key: Hashable) -> V | None:
        """Return the entry and make it the newest, or None if it has to be made."""
        with self._lock:
            made = self._made.pop(key, None)
            if made is not None:
                self._made[key] = made
            return made

    def put(self, key: Hashable, value: V) -> None:
        """Keep an entry, unless the key has one, and drop the least recently used ones while there is no room."""
        with self._lock:
            if key in self._made:  # another thread was faster
                return
            self._made[key] = value
            self.bytes += self._size(value)
            while self.bytes > self._room:
                oldest = next(iter(self._made))
                self.bytes -= self._size(self._made.pop(oldest))

    def clear(self) -> None:
        """Drop all entries."""
        with self._lock:
            self._made.clear()
            self.bytes = 0
