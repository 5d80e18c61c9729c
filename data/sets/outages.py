"""The times in which no process of the house gave a sign of life."""

from __future__ import annotations

from typing import Final

import sqlalchemy as sa

from data.base.set_tables import outages
from data.drivers.part import Part
from data.drivers.statement import insert_once
from data.drivers.store import Store
from data.jobs.notes import MARK, Notes
from engine.tables.ports import Clock

#: Seconds without a sign of life that count as an outage: more than two beats have failed.
SILENT: Final = 150.0

_HEARTBEAT: Final = "heartbeat"
_OUTAGE: Final = insert_once(outages)
BETWEEN: Final = sa.select(outages).where(
    outages.c.ended_at > sa.bindparam("since"), outages.c.began_at < sa.bindparam("until")
)


class Outages(Part):
    """Stores signs of life, and says for how long the house was down."""

    def __init__(self, store: Store, clock: Clock) -> None:
        super().__init__(store, clock)
        self._notes = Notes(store, clock)

    async def beat(self) -> None:
        """Store a sign of life; if the last one was longer than `SILENT` ago, also store that silence as an outage."""
        now, last = self._clock.now(), await self._notes.number(_HEARTBEAT)
        batch = self._store.batch()
        if last and now - last > SILENT:
            batch.add(_OUTAGE, {"began_at": last, "ended_at": now})
        if now > last:
            batch.add(MARK, {"name": _HEARTBEAT, "at": now})
        await self._store.write.run(batch)

    async def lost(self, since: float) -> float:
        """Return for how many seconds since a moment the house was down, including an outage that is not over yet."""
        now, last = self._clock.now(), await self._notes.number(_HEARTBEAT)
        found = await self._store.rows(BETWEEN, {"since": since, "until": now})
        spans: list[tuple[float, float]] = [(row.began_at, row.ended_at) for row in found]
        if last and now - last > SILENT:
            spans.append((last, now))
        return sum(min(end, now) - max(began, since) for began, end in spans if min(end, now) > max(began, since))
