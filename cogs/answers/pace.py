"""How fast one person may press: nobody can keep the casino from the others by pressing without a pause."""

from __future__ import annotations

from typing import Final

#: So many seconds' presses may come at once.
BURST: Final = 10.0
#: So many people are remembered, those who were heard of last.
MOST: Final = 10_000


class Pace:
    """`a_second` presses in the long run; 0: as fast as people like."""

    def __init__(self, a_second: float) -> None:
        self._a_second = a_second
        self._used: dict[int, tuple[float, float]] = {}  # by person: presses that count against them, and since when

    def admits(self, user: int, now: float) -> bool:
        """Whether one more press of this person is served; it counts only if it is."""
        if not self._a_second:
            return True
        used, since = self._used.pop(user, (0.0, now))
        used = max(0.0, used - (now - since) * self._a_second)
        served = used + 1 <= BURST * self._a_second
        while len(self._used) >= MOST:
            del self._used[next(iter(self._used))]
        self._used[user] = used + served, now
        return served
