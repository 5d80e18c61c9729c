"""Jobs: each is done by one process, and taken over when that process is gone."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final

import sqlalchemy as sa

from data.base.errors import TakenOver
from data.base.json_text import compact
from data.base.schema import WAITING, jobs
from data.base.values import NEVER, Job
from data.drivers.batch import Batch
from data.drivers.part import Part
from data.drivers.statement import Row, Statement, insert_once, param
from engine.tables.ports import AlreadyDone

waits = sa.and_(jobs.c.key == param("key"), WAITING)
_free = sa.or_(jobs.c.claimed_until.is_(None), jobs.c.claimed_until <= param("now", sa.Double()))
mine = sa.and_(waits, jobs.c.claimed_by == param("by"))
_POST: Final = insert_once(jobs, but=("claimed_by", "claimed_until", "done_at"))
_CLAIM: Final = Statement(
    sa.update(jobs).values(claimed_by=param("by"), claimed_until=param("until")).where(waits, _free)
)
_RENEW: Final = Statement(sa.update(jobs).values(claimed_until=param("until")).where(mine))
_due = param("due", sa.Double())
_hastened = sa.and_(jobs.c.due > param("since", sa.Double()), jobs.c.due < _due)
_RELEASE: Final = Statement(
    sa.update(jobs)
    .values(claimed_by=None, claimed_until=None, due=sa.case((_hastened, jobs.c.due), else_=_due))
    .where(mine)
)
#: A job that somebody hastened or moved since it was claimed keeps its new time.
_REST: Final = Statement(
    sa.update(jobs)
    .values(
        claimed_by=None,
        claimed_until=None,
        payload=param("payload"),
        due=sa.case((jobs.c.due != param("seen", sa.Double()), jobs.c.due), else_=_due),
    )
    .where(mine)
)
FINISH: Final = Statement(sa.update(jobs).values(done_at=param("at")).where(mine))
_CANCEL: Final = Statement(sa.update(jobs).values(done_at=param("at")).where(waits))
_HASTEN: Final = Statement(sa.update(jobs).values(due=param("at")).where(waits))


def post(batch: Batch, job: Job) -> None:
    """Add a job to a batch, which raises AlreadyDone if there ever was one with this key."""
    values = {"key": job.key, "kind": job.kind, "guild": job.guild, "due": job.due}
    batch.must(_POST, {**values, "payload": compact(dict(job.payload))}, AlreadyDone(job.key))


def hasten(batch: Batch, key: str, now: float) -> None:
    """Let a batch make a job due at once, if there is one with this key that is not done."""
    batch.add(_HASTEN, {"key": key, "at": now})


def rest(batch: Batch, job: Job, by: str, payload: Mapping[str, Any], due: float) -> None:
    """Let a batch give up a job that `by` has claimed: it is due again at `due`, with this new payload.

    If somebody has changed the job's due time since it was read, that time stays. The batch raises TakenOver if `by` no
    longer has the job.
    """
    values = {"key": job.key, "by": by, "payload": compact(dict(payload)), "seen": job.due, "due": due}
    batch.must(_REST, values, TakenOver(job.key))


class Jobs(Part):
    """Work with a due time, each done by one process."""

    async def post(self, job: Job) -> bool:
        """Add a job and return whether it is new: the same key twice is one job, done or not."""
        batch = self._store.batch()
        post(batch, job)
        return await self._won(batch)

    async def claim(self, key: str, by: str, *, seconds: float) -> bool:
        """Claim a job for some seconds, due or not, and return whether that succeeded.

        A job that is done, unknown, or claimed already, even by `by`, cannot be claimed: `renew` extends a claim.
        """
        now, batch = self._clock.now(), self._store.batch()
        batch.must(_CLAIM, {"key": key, "by": by, "now": now, "until": now + seconds}, AlreadyDone(key))
        return await self._won(batch)

    async def lock(self, key: str, by: str, *, seconds: float) -> bool:
        """Claim something that has no due time, for this many seconds, and return whether that succeeded.

        If the key is new, a job is stored for it. A job that is done, or that somebody has claimed (even `by` itself),
        cannot be claimed.
        """
        if await self.claim(key, by, seconds=seconds):
            return True
        kind, _slash, _name = key.partition("/")
        return await self.post(Job(key, kind, {}, NEVER)) and await self.claim(key, by, seconds=seconds)

    async def unlock(self, key: str, by: str) -> None:
        """Give up what `lock` has claimed, or raise TakenOver if `by` has lost it."""
        await self.release(key, by, due=NEVER)

    async def renew(self, key: str, by: str, *, seconds: float) -> None:
        """Extend a claim until `seconds` from now, or raise TakenOver unless `by` has the job."""
        values = {"key": key, "by": by, "until": self._clock.now() + seconds}
        await self._store.change(_RENEW, values, TakenOver(key))

    async def finish(self, key: str, by: str) -> None:
        """Mark a claimed job as done, or raise TakenOver if `by` has lost it."""
        await self._store.change(FINISH, {"key": key, "by": by, "at": self._clock.now()}, TakenOver(key))

    async def release(self, key: str, by: str, *, due: float, since: float = NEVER) -> None:
        """Give up a claimed job that is not done, and make it due at `due`, or raise TakenOver.

        A job that somebody hastened after `since` keeps its earlier time.
        """
        await self._store.change(_RELEASE, {"key": key, "by": by, "due": due, "since": since}, TakenOver(key))

    async def rest(self, job: Job, by: str, payload: Mapping[str, Any], *, due: float) -> None:
        """Give up a claimed job until `due` and store its new payload, or raise TakenOver.

        If somebody has changed its due time since it was read, that time stays.
        """
        batch = self._store.batch()
        rest(batch, job, by, payload, due)
        await self._store.write.run(batch)

    async def cancel(self, key: str) -> bool:
        """Mark a job as done, claimed or not, and return whether there was one to mark. Its key stays taken."""
        batch = self._store.batch()
        batch.must(_CANCEL, {"key": key, "at": self._clock.now()}, AlreadyDone(key))
        return await self._won(batch)

    async def waiting(self, kind: str, guild: int | None = None) -> tuple[Job, ...]:
        """Return the jobs of a kind that are not done, claimed or not, of one server or of all; the next one first."""
        query = sa.select(jobs).where(WAITING, jobs.c.kind == kind).order_by(jobs.c.due, jobs.c.key)
        found = await self._store.rows(query if guild is None else query.where(jobs.c.guild == guild))
        return tuple(map(_job, found))

    async def due(self, kind: str) -> tuple[Job, ...]:
        """Return the jobs of a kind that are due now and have no claim or one that has run out, the earliest first."""
        now = self._clock.now()
        free = sa.or_(jobs.c.claimed_until.is_(None), jobs.c.claimed_until <= now)
        query = sa.select(jobs).where(WAITING, jobs.c.due <= now, jobs.c.kind == kind, free)
        return tuple(map(_job, await self._store.rows(query.order_by(jobs.c.due, jobs.c.key))))

    # -- private ---------------------------------------------------------------------------------------------------

    async def _won(self, batch: Batch) -> bool:
        try:
            await self._store.write.run(batch)
        except AlreadyDone:
            return False
        return True


def _job(row: Row) -> Job:
    return Job(row.key, row.kind, json.loads(row.payload), row.due, row.guild)
