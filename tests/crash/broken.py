"""Banks that are wrong on purpose: a harness that does not catch them proves nothing about the right one."""

from __future__ import annotations

import asyncio
from typing import Any, Final

from data import Bank
from data.drivers.batch import Batch
from data.drivers.store import Store
from data.journal.tables import Tables
from data.ledger import ledger, settlement
from engine.tables.house import HouseSettings
from engine.tables.ports import Clock, StaleTable
from engine.tables.values import Change

#: Seconds between two transactions that should be one: on a busy machine few kills fall between them by themselves.
A_MOMENT: Final = 0.005


class TwoSteps:
    """Takes chips in one transaction and does the rest in the next."""

    def __init__(self, store: Store) -> None:
        self._right = store.write
        self._debits = ledger.DEBIT_MEMBER.compiled(store.engine.dialect)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._right, name)

    async def run(self, batch: Batch) -> None:
        first = [step for step in batch.steps if step.statement is self._debits]
        if first:
            await self._right.run(Batch(batch.dialect, first))
            await asyncio.sleep(A_MOMENT)
        rest = [step for step in batch.steps if step.statement is not self._debits]
        await self._right.run(Batch(batch.dialect, rest))


class TwoStepBank(Bank):
    def __init__(self, store: Store, defaults: HouseSettings, clock: Clock) -> None:
        super().__init__(store, defaults, clock)
        store.write = TwoSteps(store)  # type: ignore[assignment]


class PaysFirst:
    """Pays a round out in one transaction and books its end in the next."""

    def __init__(self, store: Store) -> None:
        self._right = store.write
        ending = (settlement.FINISH, ledger.CLOSE_ESCROW, settlement.PLAY, settlement.SCORE)
        self._ending = [statement.compiled(store.engine.dialect) for statement in ending]

    def __getattr__(self, name: str) -> Any:
        return getattr(self._right, name)

    async def run(self, batch: Batch) -> None:
        ending = [step for step in batch.steps if step.statement in self._ending]
        await self._right.run(Batch(batch.dialect, [step for step in batch.steps if step not in ending]))
        if ending:
            await asyncio.sleep(A_MOMENT)
            await self._right.run(Batch(batch.dialect, ending))


class PaysFirstBank(Bank):
    def __init__(self, store: Store, defaults: HouseSettings, clock: Clock) -> None:
        super().__init__(store, defaults, clock)
        store.write = PaysFirst(store)  # type: ignore[assignment]


class HastyTables(Tables):
    """Says yes before it has written."""

    async def commit(self, change: Change) -> None:
        self._later = getattr(self, "_later", set())
        task = asyncio.create_task(super().commit(change))
        self._later.add(task)
        task.add_done_callback(lambda done: done.cancelled() or done.exception())


class HastyBank(Bank):
    def __init__(self, store: Store, defaults: HouseSettings, clock: Clock) -> None:
        super().__init__(store, defaults, clock)
        self.tables = HastyTables(store, clock)


class FickleTables(Tables):
    """Writes, and says every second time that it did not."""

    _written = 0

    async def commit(self, change: Change) -> None:
        await super().commit(change)
        self._written += 1
        if self._written % 2 == 0:
            raise StaleTable


class FickleBank(Bank):
    def __init__(self, store: Store, defaults: HouseSettings, clock: Clock) -> None:
        super().__init__(store, defaults, clock)
        self.tables = FickleTables(store, clock)
