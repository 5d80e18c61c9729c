"""The desk of the auditor: the proof, and the switch that stops new stakes."""

from __future__ import annotations

from typing import Final

import sqlalchemy as sa

from data.audit import Report, examine
from data.batch import Batch
from data.desk import Desk
from data.schema import stops

_STOPPED: Final = sa.select(stops.c.reason).order_by(stops.c.id).limit(1)


class Audits(Desk):
    async def audit(self) -> Report:
        """Changes nothing, whatever it finds."""
        async with self._store.reading() as connection:
            return await examine(connection, self._clock.now())

    async def inspect(self) -> Report:
        """Audit, and let stakes be placed just when it found nothing wrong."""
        report = await self.audit()
        stopped = await self.stakes_stopped()
        if report.clean and stopped is not None:
            await self.allow_stakes()
        elif not report.clean and stopped is None:
            await self.stop_stakes(str(report.faults[0]))
        return report

    async def stakes_stopped(self) -> str | None:
        """Why nobody may place a new stake; None: everybody may."""
        reason: str | None = await self._store.value(_STOPPED)
        return reason

    async def stop_stakes(self, reason: str) -> None:
        """In all processes at once. Open rounds go on."""
        batch = Batch()
        batch.add(self._store.sql.stop, {"p_reason": reason, "p_at": self._clock.now()})
        await self._store.write.run(batch)

    async def allow_stakes(self) -> None:
        batch = Batch()
        batch.add(self._store.sql.go_on, {})
        await self._store.write.run(batch)
