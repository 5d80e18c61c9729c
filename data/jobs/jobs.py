"""Jobs: each is done by one process, and taken over when that process is gone."""

from __future__ import annotations

import json
from collections.abc import Collection
from typing import Final

import sqlalchemy as sa

from data.drivers.batch import Batch, Statement
from data.drivers.statement import Row
from data.faults import TakenOver
from data.journal.reading import compact
from data.part import Part
from data.schema import WAITING, jobs
from data.statements import Statements
from data.values import Job
from engine.tables.ports import AlreadyDone

_FREE: Final = sa.or_(jobs.c.claimed_until.is_(None), jobs.c.claimed_until <= sa.bindparam("now"))
_DUE: Final = (
    sa.select(jobs)
    .where(WAITING, jobs.c.due <= sa.bindparam("now"), _FREE)
    .where(jobs.c.kind.in_(sa.bindparam("kinds", expanding=True)))
    .order_by(jobs.c.due, jobs.c.key)
    .limit(sa.bindparam("most"))
)


def posting(batch: Batch, sql: Statements, job: Job, fault: Exception) -> None:
    values = {"p_key": job.key, "p_kind": job.kind, "p_guild": job.guild, "p_due": job.due}
    batch.must(sql.jobs.post_job, {**values, "p_payload": compact(dict(job.payload))}, fault)


class Jobs(Part):
    async def post(self, job: Job) -> bool:
        """Add a job and return whether it is new: the same key twice is one job, done or not."""
        batch = Batch()
        posting(batch, self._store.sql, job, AlreadyDone(job.key))
        return await self._won(batch)

    async def claim_due(self, by: str, kinds: Collection[str], *, seconds: float, most: int = 10) -> tuple[Job, ...]:
        """Due jobs that are now `by`'s for so long, and nobody else's."""
        now = self._clock.now()
        found = await self._store.rows(_DUE, {"now": now, "kinds": list(kinds), "most": most})
        return tuple([_job(row) for row in found if await self.claim(row.key, by, seconds=seconds)])

    async def claim(self, key: str, by: str, *, seconds: float) -> bool:
        """Claim a job for some seconds, due or not, and return whether it is now `by`'s."""
        now, batch = self._clock.now(), Batch()
        values = {"p_key": key, "p_by": by, "p_now": now, "p_until": now + seconds}
        batch.must(self._store.sql.jobs.claim_job, values, AlreadyDone(key))
        return await self._won(batch)

    async def renew(self, key: str, by: str, *, seconds: float) -> None:
        """Extend a claim, or raise TakenOver if another process has taken the job."""
        await self._mine(self._store.sql.jobs.renew_job, key, by, p_until=self._clock.now() + seconds)

    async def finish(self, key: str, by: str) -> None:
        await self._mine(self._store.sql.jobs.finish_job, key, by, p_at=self._clock.now())

    async def release(self, key: str, by: str, *, due: float) -> None:
        """Give up a job that is not done: any process may claim it from `due` on."""
        await self._mine(self._store.sql.jobs.release_job, key, by, p_due=due)

    async def cancel(self, key: str) -> bool:
        """Cancel a job and return whether it was still waiting."""
        batch = Batch()
        batch.must(self._store.sql.jobs.cancel_job, {"p_key": key, "p_at": self._clock.now()}, AlreadyDone(key))
        return await self._won(batch)

    async def waiting(self, kind: str, guild: int | None = None) -> tuple[Job, ...]:
        """Return the jobs that are not done, claimed or not, the next one first."""
        query = sa.select(jobs).where(WAITING, jobs.c.kind == kind).order_by(jobs.c.due, jobs.c.key)
        found = await self._store.rows(query if guild is None else query.where(jobs.c.guild == guild))
        return tuple(map(_job, found))

    # -- private ---------------------------------------------------------------------------------------------------

    async def _won(self, batch: Batch) -> bool:
        try:
            await self._store.write.run(batch)
        except AlreadyDone:
            return False
        return True

    async def _mine(self, statement: Statement, key: str, by: str, **values: float) -> None:
        batch = Batch()
        batch.must(statement, {"p_key": key, "p_by": by, **values}, TakenOver(key))
        await self._store.write.run(batch)


def _job(row: Row) -> Job:
    return Job(row.key, row.kind, json.loads(row.payload), row.due, row.guild)
