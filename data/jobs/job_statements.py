"""The statements that write jobs."""

from __future__ import annotations

import sqlalchemy as sa
from sqlalchemy.engine import Dialect

from data.drivers.statement import Maker, p
from data.schema import WAITING, jobs


class JobStatements(Maker):
    """The statements that write jobs."""

    def __init__(self, dialect: Dialect) -> None:
        super().__init__(dialect)
        self._jobs()

    def _jobs(self) -> None:
        self.post_job = self._once(jobs, "claimed_by", "claimed_until", "done_at")
        free = sa.or_(jobs.c.claimed_until.is_(None), jobs.c.claimed_until <= p("now", sa.Double()))
        this = jobs.c.key == p("key")
        self.claim_job = self._make(
            sa.update(jobs).values(claimed_by=p("by"), claimed_until=p("until")).where(this, WAITING, free)
        )
        mine = sa.and_(this, WAITING, jobs.c.claimed_by == p("by"))
        self.renew_job = self._make(sa.update(jobs).values(claimed_until=p("until")).where(mine))
        self.finish_job = self._make(sa.update(jobs).values(done_at=p("at")).where(mine))
        self.release_job = self._make(
            sa.update(jobs).values(claimed_by=None, claimed_until=None, due=p("due")).where(mine)
        )
        self.hasten_job = self._make(sa.update(jobs).values(due=p("at")).where(this, WAITING))
        self.cancel_job = self._make(sa.update(jobs).values(done_at=p("at")).where(this, WAITING))
        here = (jobs.c.guild == p("guild"), jobs.c.payload.like(p("naming")))
        self.in_no_job = self._make(sa.select(jobs.c.key).where(WAITING, *here).limit(sa.literal_column("1")))
        self.scrub_job = self._make(sa.update(jobs).values(payload=p("payload")).where(this))
