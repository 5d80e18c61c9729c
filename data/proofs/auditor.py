"""The auditor: the proof, and the switch that stops new stakes."""

from __future__ import annotations

import asyncio
from typing import Final

import sqlalchemy as sa

from data.drivers.batch import Batch
from data.drivers.store import Store
from data.part import Part
from data.proofs.audit import audit
from data.proofs.report import Report
from data.schema import stops
from engine.tables.ports import Clock

_STOPPED: Final = sa.select(stops.c.reason).order_by(stops.c.id).limit(1)


class Auditor(Part):
    def __init__(self, store: Store, clock: Clock) -> None:
        super().__init__(store, clock)
        self._inspecting = asyncio.Lock()
        self._sound: Report | None = None

    async def audit(self) -> Report:
        """Changes nothing, whatever it finds."""
        return await audit(self._store.slicing, self._clock.now())

    async def inspect(self, *, within: float = 0.0) -> Report:
        """Audit, and let stakes be placed just when it found nothing wrong.

        It reads everything, so it is done once at a time; one that was clean so many seconds ago may do.
        """
        async with self._inspecting:
            if self._sound is None or not 0 <= self._clock.now() - self._sound.at < within:
                report = await self._inspect()
                self._sound = report if report.clean else None
                return report
            return self._sound

    async def stakes_stopped(self) -> str | None:
        """Why nobody may place a new stake; None: everybody may."""
        reason: str | None = self._store.watch.trouble() or await self._store.value(_STOPPED)
        return reason

    async def stop_stakes(self, reason: str) -> None:
        """In all processes at once. Open rounds go on."""
        batch = Batch()
        batch.add(self._store.sql.chips.stop, {"p_reason": reason, "p_at": self._clock.now()})
        await self._store.write.run(batch)

    async def allow_stakes(self) -> None:
        batch = Batch()
        batch.add(self._store.sql.chips.go_on, {})
        await self._store.write.run(batch)

    # -- private ---------------------------------------------------------------------------------------------------

    async def _inspect(self) -> Report:
        report = await self.audit()
        stopped = await self._store.value(_STOPPED)
        if report.clean and stopped is not None:
            await self.allow_stakes()
        elif not report.clean and stopped is None:
            await self.stop_stakes(str(report.faults[0]))
        return report
