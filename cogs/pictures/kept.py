"""What was drawn once is kept while there is room for it, in bytes: one patch is as large as a hundred others."""

from __future__ import annotations

from collections.abc import Callable
from threading import Lock
from typing import Final, Generic, ParamSpec, TypeVar

P = ParamSpec("P")
V = TypeVar("V")


class Kept(Generic[P, V]):
    """A function that remembers what it made, in any thread; what nobody asked for longest goes first."""

    def __init__(self, make: Callable[P, V], room: int, size: Callable[[V], int]) -> None:
        self._make: Final = make
        self._room: Final = room
        self._size: Final = size
        self._made: Final[dict[object, V]] = {}
        self._lock: Final = Lock()
        self.bytes = 0

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> V:
        with self._lock:
            made = self._made.pop(args, None)
            if made is not None:
                self._made[args] = made  # the newest again
                return made
        made = self._make(*args, **kwargs)
        with self._lock:
            self._keep(args, made)
        return made

    def _keep(self, key: object, value: V) -> None:
        if key in self._made:  # another thread was sooner
            return
        self._made[key] = value
        self.bytes += self._size(value)
        while self.bytes > self._room:
            oldest = next(iter(self._made))
            self.bytes -= self._size(self._made.pop(oldest))

    def cache_clear(self) -> None:
        """Nothing is remembered."""
        with self._lock:
            self._made.clear()
            self.bytes = 0


def kept(room: int, size: Callable[[V], int]) -> Callable[[Callable[P, V]], Kept[P, V]]:
    """Keep what the function makes while it all takes no more bytes than that."""
    return lambda make: Kept(make, room, size)
