"""A transaction written down before it begins: statements and what each must find, or nothing is written.

Batches that arrive during a write wait and are then written together, in one commit.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, TypeAlias

from data.faults import Unstorable
from engine.tables.ports import BankUnavailable

_HALF_A_PAIR: Final = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class Statement:
    """SQL in the driver's syntax, and the order in which it takes its values."""

    sql: str
    names: tuple[str, ...]
    constants: Mapping[str, Any]

    def bind(self, values: Mapping[str, Any]) -> tuple[Any, ...]:
        bound = tuple([values[name] if name in values else self.constants[name] for name in self.names])
        if not is_storable(bound):
            raise Unstorable
        return bound


def is_storable(values: Iterable[Any]) -> bool:
    """Return whether both databases store all texts among the values unchanged; PostgreSQL refuses some that SQLite
    takes.
    """
    for value in values:
        if isinstance(value, str) and ("\0" in value or (not value.isascii() and _HALF_A_PAIR.search(value))):
            return False
    return True


@dataclass(frozen=True, slots=True)
class Step:
    statement: Statement
    values: tuple[Any, ...] = field(repr=False)  # hidden from logs: seeds may be among them
    #: The number of rows that it must change or find, or None for any number.
    rows: int | None
    #: The exception to raise if it finds another number.
    fault: Exception | None


@dataclass(slots=True)
class Batch:
    steps: list[Step] = field(default_factory=list)

    def add(self, statement: Statement, values: Mapping[str, Any]) -> None:
        """Add a statement that cannot fail."""
        self.steps.append(Step(statement, statement.bind(values), None, None))

    def must(self, statement: Statement, values: Mapping[str, Any], fault: Exception, rows: int = 1) -> None:
        """Add a statement that must change (or find) exactly this many rows; otherwise undo the batch and raise
        `fault`.
        """
        self.steps.append(Step(statement, statement.bind(values), rows, fault))


def check(step: Step, rows: int) -> None:
    if step.rows is not None and rows != step.rows:
        assert step.fault is not None
        raise step.fault


# -- written together --------------------------------------------------------------------------------------------------

#: The most batches that may wait: one for every table of a full process. Any further one is refused at once.
MOST_WAITING: Final = 20_000

#: The exception that undid a batch, or None if it was written.
Result: TypeAlias = Exception | None


class Together:
    """A queue for writers: a limited number write at once, each a limited number of batches, in order of arrival.

    `write` returns the outcome of each batch, in their order.
    """

    def __init__(self, write: Callable[[list[Batch]], AsyncIterator[Result]], *, writers: int, most: int) -> None:
        self._write = write
        self._writers = writers
        self._most = most
        self._waiting: list[tuple[Batch, asyncio.Future[Result]]] = []
        self._tasks: set[asyncio.Task[None]] = set()
        self._busy = 0

    async def run(self, batch: Batch) -> None:
        """Write the batch durably, or raise what undid it. Cancelling the caller does not stop a commit."""
        if len(self._waiting) >= MOST_WAITING:
            raise BankUnavailable("The bank has more to write than it can.")
        done: asyncio.Future[Result] = asyncio.get_running_loop().create_future()
        self._waiting.append((batch, done))
        if len(self._tasks) < self._writers:
            self._tasks.add(asyncio.create_task(self._until_nobody_waits()))
        fault = await asyncio.shield(done)
        if fault is not None:
            raise fault

    async def close(self) -> None:
        """Wait until everything submitted is written."""
        while self._tasks:
            await asyncio.wait(self._tasks)

    async def _until_nobody_waits(self) -> None:
        try:
            while self._waiting:
                share = min(self._most, -(-len(self._waiting) // (self._writers - self._busy)))
                together, self._waiting = self._waiting[:share], self._waiting[share:]
                self._busy += 1
                try:
                    dones = iter([done for _, done in together])
                    async for result in self._write([batch for batch, _ in together]):
                        next(dones).set_result(result)
                finally:
                    self._busy -= 1
        finally:
            task = asyncio.current_task()
            assert task is not None
            self._tasks.discard(task)
