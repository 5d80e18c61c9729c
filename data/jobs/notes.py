"""Notes and numbers: small values that other parts of the bot store by name, and find again after a restart.

Notes are stored as jobs that are never due, because earlier releases stored them so.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import sqlalchemy as sa

from data.base.schema import marks
from data.base.values import NEVER, Job
from data.drivers.part import Part
from data.drivers.statement import insert_or_replace
from data.drivers.store import Store
from data.jobs.jobs import Jobs
from engine.tables.ports import Clock

MARK: Final = insert_or_replace(marks)


@dataclass(frozen=True, slots=True)
class Note:
    """A stored mapping of values, with a kind and a name that is unique among its kind."""

    kind: str
    name: str
    values: Mapping[str, Any]
    guild: int | None = None


class Notes(Part):
    """The notes, by kind and name, and the numbers, by name."""

    def __init__(self, store: Store, clock: Clock) -> None:
        super().__init__(store, clock)
        self._jobs = Jobs(store, clock)

    async def keep(self, note: Note) -> bool:
        """Store a note unless there ever was one of its kind and name, and return whether it was stored."""
        return await self._jobs.post(Job(f"{note.kind}/{note.name}", note.kind, note.values, NEVER, note.guild))

    async def of(self, kind: str) -> tuple[Note, ...]:
        """Return all notes of a kind."""
        kept = await self._jobs.waiting(kind)
        return tuple(Note(kind, job.key.removeprefix(f"{kind}/"), job.payload, job.guild) for job in kept)

    async def drop(self, kind: str, name: str) -> None:
        """Drop a note, so that `of` does not find it any more."""
        await self._jobs.cancel(f"{kind}/{name}")

    # -- numbers -------------------------------------------------------------------------------------------------------

    async def number(self, name: str) -> float:
        """Return the number under this name, or 0."""
        return float(await self._store.value(sa.select(marks.c.at).where(marks.c.name == name)) or 0.0)

    async def numbers(self, beginning: str) -> Mapping[str, float]:
        """Return the numbers whose names have this beginning, by name."""
        found = sa.select(marks).where(marks.c.name.startswith(beginning, autoescape=True))
        return {row.name: float(row.at) for row in await self._store.rows(found)}

    async def keep_numbers(self, numbers: Mapping[str, float]) -> None:
        """Store numbers under their names, in place of earlier ones."""
        batch = self._store.batch()
        for name, at in numbers.items():
            batch.add(MARK, {"name": name, "at": at})
        await self._store.write.run(batch)
