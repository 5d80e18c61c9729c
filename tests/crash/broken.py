"""Banks that are wrong on purpose: a harness that does not catch them proves nothing about the right one."""

from __future__ import annotations

import asyncio
from typing import Any, Final

from data import Bank, Limit
from data.base.sets import StoredTry
from data.drivers.batch import Batch
from data.drivers.store import Store
from data.jobs import jobs
from data.journal.promises import TAKE
from data.journal.tables import Tables
from data.ledger import ledger, resets, settlement, shop
from data.people import breaks, limits
from data.sets import duels, fields, tries
from data.sets.tries import Tries
from engine.sets.tries import Try
from engine.tables.house import HouseSettings
from engine.tables.ports import Clock, StaleTable
from engine.tables.values import Change

#: Seconds between two transactions that should be one: on a busy machine few kills fall between them by themselves.
A_MOMENT: Final = 0.005
#: The same where the two come seldom: once in several lives.
A_WHILE: Final = 0.2


class TwoSteps:
    """A writer that takes chips in one transaction and does the rest in the next."""

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
    """A writer that pays a round or a duel out in one transaction and books its end in the next."""

    def __init__(self, store: Store) -> None:
        self._right = store.write
        ending = (settlement.FINISH, ledger.CLOSE_ESCROW, settlement.PLAY, settlement.SCORE, duels.END)
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


class CountsLater:
    """A writer that gives a place a chain of its promise in one transaction, and counts it in the next."""

    def __init__(self, store: Store) -> None:
        self._right = store.write
        self._counting = TAKE.compiled(store.engine.dialect)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._right, name)

    async def run(self, batch: Batch) -> None:
        counted = [step for step in batch.steps if step.statement is self._counting]
        await self._right.run(Batch(batch.dialect, [step for step in batch.steps if step not in counted]))
        if counted:
            await asyncio.sleep(A_MOMENT)
            await self._right.run(Batch(batch.dialect, counted))


class CountsLaterBank(Bank):
    only = "players"

    def __init__(self, store: Store, defaults: HouseSettings, clock: Clock) -> None:
        super().__init__(store, defaults, clock)
        store.write = CountsLater(store)  # type: ignore[assignment]


class DoorLater:
    """A writer that writes a break in one transaction, and shuts the door in the next."""

    def __init__(self, store: Store) -> None:
        self._right = store.write
        self._shutting = breaks._COPY.compiled(store.engine.dialect)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._right, name)

    async def run(self, batch: Batch) -> None:
        shutting = [step for step in batch.steps if step.statement is self._shutting]
        await self._right.run(Batch(batch.dialect, [step for step in batch.steps if step not in shutting]))
        if shutting:
            await asyncio.sleep(A_MOMENT)
            await self._right.run(Batch(batch.dialect, shutting))


class DoorLaterBank(Bank):
    only = "careful"

    def __init__(self, store: Store, defaults: HouseSettings, clock: Clock) -> None:
        super().__init__(store, defaults, clock)
        store.write = DoorLater(store)  # type: ignore[assignment]


class OpenDoorBank(Bank):
    """A bank that debits without asking for a break.

    Each bank is opened in a process of its own, which this changes.
    """

    only = "careful"

    def __init__(self, store: Store, defaults: HouseSettings, clock: Clock) -> None:
        super().__init__(store, defaults, clock)
        vars(ledger)["DEBIT_MEMBER"] = ledger.DEBIT_BY_ORDER


class LimitlessBank(Bank):
    """A bank that asks for no limit."""

    only = "careful"

    def __init__(self, store: Store, defaults: HouseSettings, clock: Clock) -> None:
        super().__init__(store, defaults, clock)
        vars(ledger)["expect_within"] = lambda *_, **__: None


class RisesAtOnceBank(Bank):
    """A bank that lets a limit rise at once."""

    only = "careful"

    def __init__(self, store: Store, defaults: HouseSettings, clock: Clock) -> None:
        super().__init__(store, defaults, clock)
        vars(limits)["changed"] = lambda was, most, _: Limit(was.kind, most)


class SellsFirst:
    """A writer that sells a role in one transaction, and posts the job that gives it in the next."""

    def __init__(self, store: Store) -> None:
        self._right = store.write
        self._buying = shop._BUY.compiled(store.engine.dialect)
        self._posting = jobs._POST.compiled(store.engine.dialect)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._right, name)

    async def run(self, batch: Batch) -> None:
        sold = any(step.statement is self._buying for step in batch.steps)
        posting = [step for step in batch.steps if sold and step.statement is self._posting]
        await self._right.run(Batch(batch.dialect, [step for step in batch.steps if step not in posting]))
        if posting:
            await asyncio.sleep(A_MOMENT)
            await self._right.run(Batch(batch.dialect, posting))


class SellsFirstBank(Bank):
    only = "shoppers"

    def __init__(self, store: Store, defaults: HouseSettings, clock: Clock) -> None:
        super().__init__(store, defaults, clock)
        store.write = SellsFirst(store)  # type: ignore[assignment]


class MarksFirst:
    """A writer that marks members of a reset in one transaction, and books their transfers in the next."""

    def __init__(self, store: Store) -> None:
        self._right = store.write
        self._marking = resets._MARK.compiled(store.engine.dialect)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._right, name)

    async def run(self, batch: Batch) -> None:
        marking = [step for step in batch.steps if step.statement is self._marking]
        if marking:
            await self._right.run(Batch(batch.dialect, marking))
            await asyncio.sleep(A_MOMENT)
        await self._right.run(Batch(batch.dialect, [step for step in batch.steps if step not in marking]))


class MarksFirstBank(Bank):
    only = "equals"

    def __init__(self, store: Store, defaults: HouseSettings, clock: Clock) -> None:
        super().__init__(store, defaults, clock)
        store.write = MarksFirst(store)  # type: ignore[assignment]


class PrizesLater:
    """A writer that ends the same cards for all in one transaction, and pays the prizes in the next."""

    def __init__(self, store: Store) -> None:
        self._right = store.write
        self._ending = fields._AS_MANY.compiled(store.engine.dialect)
        paying = (ledger.CREDIT_MEMBER, ledger.CREDIT_POT, ledger.DEBIT_POT, ledger.TRANSFER)
        self._paying = [statement.compiled(store.engine.dialect) for statement in paying]

    def __getattr__(self, name: str) -> Any:
        return getattr(self._right, name)

    async def run(self, batch: Batch) -> None:
        ends = any(step.statement is self._ending for step in batch.steps)
        paying = [step for step in batch.steps if ends and step.statement in self._paying]
        await self._right.run(Batch(batch.dialect, [step for step in batch.steps if step not in paying]))
        if paying:
            await asyncio.sleep(A_WHILE)
            await self._right.run(Batch(batch.dialect, paying))


class PrizesLaterBank(Bank):
    only = "crowd"

    def __init__(self, store: Store, defaults: HouseSettings, clock: Clock) -> None:
        super().__init__(store, defaults, clock)
        store.write = PrizesLater(store)  # type: ignore[assignment]


class ScoresLater:
    """A writer that ends a try in one transaction, and writes its points on the boards in the next."""

    def __init__(self, store: Store) -> None:
        self._right = store.write
        self._scoring = tries._SCORE.compiled(store.engine.dialect)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._right, name)

    async def run(self, batch: Batch) -> None:
        scored = [step for step in batch.steps if step.statement is self._scoring]
        await self._right.run(Batch(batch.dialect, [step for step in batch.steps if step not in scored]))
        if scored:
            await asyncio.sleep(A_MOMENT)
            await self._right.run(Batch(batch.dialect, scored))


class ScoresLaterBank(Bank):
    only = "fivers"

    def __init__(self, store: Store, defaults: HouseSettings, clock: Clock) -> None:
        super().__init__(store, defaults, clock)
        store.write = ScoresLater(store)  # type: ignore[assignment]


class HastyTries(Tries):
    """Tries that show the result of a press before it is stored."""

    async def press(self, stored: StoredTry, after: Try) -> StoredTry:
        self._later = getattr(self, "_later", set())
        task = asyncio.create_task(self._press(stored, after))
        self._later.add(task)
        task.add_done_callback(lambda done: done.cancelled() or done.exception())
        return stored

    async def _press(self, stored: StoredTry, after: Try) -> None:
        await asyncio.sleep(A_MOMENT)
        await super().press(stored, after)


class HastyTriesBank(Bank):
    only = "fivers"

    def __init__(self, store: Store, defaults: HouseSettings, clock: Clock) -> None:
        super().__init__(store, defaults, clock)
        self.tries = HastyTries(store, clock, self.fingerprints)


class HastyTables(Tables):
    """Tables that say yes before they have written."""

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
