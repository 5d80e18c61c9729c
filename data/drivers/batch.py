"""A transaction as a value: a list of statements, some with the number of rows that they must change or find.

If one of these changes or finds another number of rows, nothing is written.

Batches that arrive while all writers are busy wait. A writer then takes several and writes them in one commit.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, TypeAlias

from sqlalchemy.engine import Dialect

from data.drivers.statement import Compiled, Statement
from engine.tables.ports import BankUnavailable


@dataclass(frozen=True, slots=True)
class BatchStep:
    """A statement with its values, and how many rows it must change or find."""

    statement: Compiled
    values: tuple[Any, ...] = field(repr=False)  # hidden from logs: seeds may be among them
    #: The number of rows that it must change or find, or None for any number.
    rows: int | None
    #: The exception to raise if it finds another number.
    fault: Exception | None


@dataclass(slots=True)
class Batch:
    """The statements of one transaction, for the database of this dialect; `Store.batch` makes one."""

    dialect: Dialect
    steps: list[BatchStep] = field(default_factory=list)

    def add(self, statement: Statement, values: Mapping[str, Any]) -> None:
        """Add a statement that may change any number of rows."""
        made = statement.compiled(self.dialect)
        self.steps.append(BatchStep(made, made.bind(values), None, None))

    def must(self, statement: Statement, values: Mapping[str, Any], fault: Exception, rows: int = 1) -> None:
        """Add a statement that must change or find exactly this many rows, or else undo the batch and raise `fault`."""
        made = statement.compiled(self.dialect)
        self.steps.append(BatchStep(made, made.bind(values), rows, fault))


def check(step: BatchStep, rows: int) -> None:
    """Raise the fault of a step if `rows` is not the number of rows that it must change or find."""
    if step.rows is not None and rows != step.rows:
        assert step.fault is not None
        raise step.fault


# -- written together --------------------------------------------------------------------------------------------------

#: The most batches that may wait: one for every table of a full process. Any further one is refused at once.
MOST_WAITING: Final = 20_000

#: None if a batch was written. After OutcomeUnknown nobody knows whether it is; after any other exception it is not.
BatchOutcome: TypeAlias = Exception | None


class Together:
    """A queue of batches. Up to `writers` tasks take them in order of arrival, each up to `most` of them at a time.

    `write` writes the batches that a task has taken, and yields the outcome of each in their order.
    """

    def __init__(self, write: Callable[[list[Batch]], AsyncIterator[BatchOutcome]], *, writers: int, most: int) -> None:
        self._write = write
        self._writers = writers
        self._most = most
        self._waiting: list[tuple[Batch, asyncio.Future[BatchOutcome]]] = []
        self._tasks: set[asyncio.Task[None]] = set()
        self._busy = 0

    async def run(self, batch: Batch) -> None:
        """Write the batch durably, or raise the exception of its outcome; BankUnavailable if too many wait.

        Cancelling the caller does not stop a commit.
        """
        if len(self._waiting) >= MOST_WAITING:
            raise BankUnavailable("The bank has more to write than it can.")
        done: asyncio.Future[BatchOutcome] = asyncio.get_running_loop().create_future()
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
