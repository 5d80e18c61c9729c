"""The queue of edits, which sends no more than Discord takes. Tables at which somebody must act come before others.

There are two kinds of *way* to edit a message. All edits in a channel share one limit; the token of a press has a limit
of its own, for its one message.
"""

from __future__ import annotations

import asyncio
from collections import defaultdict, deque
from collections.abc import Callable
from typing import Final, TypeAlias

from cogs.table.display import Display

#: The most edits by one way in a number of seconds: Discord takes about five in five, and one is left for others.
MOST_EDITS: Final = 4
WINDOW: Final = 5.0

#: Seconds of head start that a table has in the queue if somebody must act there.
HEAD_START: Final = 10.0

#: The number of ways above which those that were not used lately are forgotten.
MANY: Final = 1_000

#: A way of edits: a channel by its id, or a press by its token.
Way: TypeAlias = int | str


def _now() -> float:
    return asyncio.get_running_loop().time()


class Window:
    """The times of the latest edits, of which Discord takes at most `most` in some seconds."""

    def __init__(self, most: int, seconds: float) -> None:
        self._seconds = seconds
        self._sent: deque[float] = deque(maxlen=most)

    def count(self) -> None:
        """Note that an edit is sent now."""
        self._sent.append(_now())

    @property
    def pause(self) -> float:
        """Seconds until Discord takes one more edit."""
        is_full = len(self._sent) == self._sent.maxlen
        return max(0.0, self._sent[0] + self._seconds - _now()) if is_full else 0.0

    @property
    def is_over(self) -> bool:
        """Whether the latest edit is too old to count towards `most`, or there is none."""
        return not self._sent or _now() - self._sent[-1] >= self._seconds


class _LineOfTables:
    """The tables that wait for an edit through one channel or press (`Way`), and the times of the last edits sent."""

    def __init__(self) -> None:
        self.window = Window(MOST_EDITS, WINDOW)
        self.since: dict[Display, float] = {}
        self.timer: asyncio.TimerHandle | None = None

    @property
    def is_idle(self) -> bool:
        return not self.since and self.window.is_over

    def first(self) -> Display:
        """Return the table whose turn it is, and remove it from the line.

        It is the one that has waited longest. `HEAD_START` is added to the wait of a table at which somebody must act.
        """
        found = min(self.since, key=self._turn)
        del self.since[found]
        return found

    def _turn(self, display: Display) -> float:
        return self.since[display] - HEAD_START * bool(display.table.snapshot().asked)


class EditQueue:
    """The queue of tables whose message waits for an edit.

    `draw` begins the edit of a table whose turn has come; `is_due` says whether the table still needs one.
    """

    def __init__(self, draw: Callable[[Display], None], is_due: Callable[[Display], bool]) -> None:
        self._draw, self._is_due = draw, is_due
        self._lines: defaultdict[Way, _LineOfTables] = defaultdict(_LineOfTables)

    def join(self, way: Way, display: Display) -> None:
        """Put a table's message into the line of a channel or of a press (`way`), and take it out of any other line.

        When its turn comes, it is edited.
        """
        if display.waits_for not in (None, way):
            self._lines[display.waits_for].since.pop(display, None)
        if len(self._lines) > MANY:
            self._forget_idle()
        display.waits_for = way
        self._lines[way].since.setdefault(display, _now())
        self._serve(way)

    def _serve(self, way: Way) -> None:
        line = self._lines[way]
        while line.since and not line.window.pause:
            display = line.first()
            display.waits_for = None
            if self._is_due(display):
                line.window.count()
                self._draw(display)
        if line.since and line.timer is None:
            line.timer = asyncio.get_running_loop().call_later(line.window.pause, self._wake, way)

    def _wake(self, way: Way) -> None:
        self._lines[way].timer = None
        self._serve(way)

    def _forget_idle(self) -> None:
        for way in [way for way, line in self._lines.items() if line.is_idle]:
            del self._lines[way]
