"""The queue of the coach: the most urgent questions first, and among equals servers and people take turns."""

from __future__ import annotations

import asyncio
from collections import deque
from dataclasses import dataclass
from enum import IntEnum
from typing import Any, Final, NamedTuple

from engine.coach.questions import Question


class Urgency(IntEnum):
    """The priority of a question. Lower numbers are answered first."""

    TABLE = 0  # everybody at a table waits
    PERSON = 1
    LATER = 2  # long questions, and those without a waiting person


class Asker(NamedTuple):
    """The person who asks, and the server where they ask."""

    guild: int
    person: int


@dataclass(eq=False, slots=True)
class Asked:
    """A question in the queue.

    `left` is what is still to be sent: of a long question its remaining slices, and then the question itself.
    """

    urgency: Urgency
    asker: Asker | None
    left: deque[Question[Any]]
    future: asyncio.Future[Any]


#: The waiting questions of each person of a server (None: without an asker), in the order of their turns.
_People = dict[int | None, deque[Asked]]


class Waiting:
    """The waiting questions: at most one of each urgency for an `Asker`, any number without one.

    Servers take turns, and within a server its people. Questions without an asker count as one more server.
    """

    def __init__(self) -> None:
        self._servers: Final[dict[Urgency, dict[int | None, _People]]] = {urgency: {} for urgency in Urgency}
        self._count = 0

    def __len__(self) -> int:
        return self._count

    def add(self, asked: Asked) -> Asked | None:
        """Add a question. Return the one of the same asker and urgency that it replaces, or None."""
        line = self._line(asked)
        older = line.pop() if asked.asker is not None and line else None
        line.append(asked)
        self._count += older is None
        return older

    def add_again(self, asked: Asked) -> bool:
        """Put a question that was begun back in the queue, and return True.

        If its asker already waits with a newer question of the same urgency, change nothing and return False.
        """
        line = self._line(asked)
        if asked.asker is not None and line:
            return False
        line.append(asked)
        self._count += 1
        return True

    def take(self) -> Asked:
        """Remove and return the question whose turn it is. There must be one."""
        servers = next(servers for servers in self._servers.values() if servers)
        guild = next(iter(servers))
        people = servers.pop(guild)
        person = next(iter(people))
        line = people.pop(person)
        asked = line.popleft()
        if line:
            people[person] = line
        if people:
            servers[guild] = people
        self._count -= 1
        return asked

    def _line(self, asked: Asked) -> deque[Asked]:
        guild, person = asked.asker or (None, None)
        return self._servers[asked.urgency].setdefault(guild, {}).setdefault(person, deque())
