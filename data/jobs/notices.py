"""The log of a server: lines for its managers, which wait in the bank until they are posted.

A line is written in the same transaction as what it is about, and only where the server has a channel for it. One job
for each such server has them posted; it is due when a line is added, and once a day for a digest of gifts and duels.
"""

from __future__ import annotations

from typing import Final

import sqlalchemy as sa

from data.base.json_text import compact
from data.base.schema import guilds, jobs, members, notices
from data.base.values import NEVER, Job, Logged, LogLine
from data.drivers.batch import Batch
from data.drivers.part import Part
from data.drivers.statement import Statement, insert, param
from data.jobs.jobs import hasten, rest

#: The kind of job that has the lines of a server posted.
LOG: Final = "log"
#: The most lines of a server that wait; further ones are dropped.
MOST: Final = 200

_guild = param("guild", sa.BigInteger())
_waiting = sa.select(sa.func.count()).select_from(notices).where(notices.c.guild == _guild).scalar_subquery()
_ADD: Final = Statement(
    sa.insert(notices).from_select(
        ["guild", "at", "text", "actor", "member"],
        sa.select(
            _guild,
            param("at", sa.Double()),
            param("text", sa.Text()),
            param("actor", sa.BigInteger()),
            param("member", sa.BigInteger()),
        )
        .select_from(guilds)
        .where(guilds.c.id == _guild, guilds.c.log_channel.is_not(None), _waiting < MOST),
    )
)
_new = insert(jobs).values(key=param("key"), kind=LOG, guild=param("guild"), payload=param("payload"), due=param("due"))
_BEGIN: Final = Statement(
    _new.on_conflict_do_update(
        index_elements=[jobs.c.key],
        set_={"payload": _new.excluded.payload, "due": _new.excluded.due},
        where=jobs.c.due == sa.literal_column(str(NEVER)),
    )
)
_DROP: Final = Statement(sa.delete(notices).where(notices.c.guild == param("guild"), notices.c.id <= param("last")))


def key_of(guild: int) -> str:
    """Return the key of the job that posts a server's log."""
    return f"{LOG}/{guild}"


def log(batch: Batch, guild: int, line: LogLine | None, now: float) -> None:
    """Add to a batch that a line is stored in a server's log and that its job is due now; with None add nothing.

    Nothing is stored if the server has no log, or if `MOST` (200) lines of its log wait to be posted already.
    """
    if line is not None:
        values = {"guild": guild, "at": now, "text": line.text, "actor": line.actor, "member": line.member}
        batch.add(_ADD, values)
        hasten(batch, key_of(guild), now)


def begin(batch: Batch, guild: int, digest: float) -> None:
    """Add to a batch the job of a server's log, due at the time of its first `digest`.

    If the server has this job already, nothing changes, unless it rests because there was no log.
    """
    payload = compact({"digest": digest, "dropped": 0})
    batch.add(_BEGIN, {"key": key_of(guild), "guild": guild, "payload": payload, "due": digest})


class Notices(Part):
    """The lines of all servers that are not posted yet."""

    #: Seconds between looks for new ones.
    every: float = 10.0

    async def add(self, guild: int, line: LogLine) -> None:
        """Store a line, as `log` does, in a transaction of its own."""
        batch = self._store.batch()
        log(batch, guild, line, self._clock.now())
        await self._store.write.run(batch)

    async def servers(self) -> list[int]:
        """Return the servers that have a log."""
        query = sa.select(guilds.c.id).where(guilds.c.log_channel.is_not(None)).order_by(guilds.c.id)
        return [row.id for row in await self._store.rows(query)]

    async def waiting(self, guild: int) -> tuple[Logged, ...]:
        """Return the lines of a server that are not posted, the oldest first."""
        actor, member = members.alias("actor"), members.alias("member")
        query = (
            sa.select(notices, actor.c.user_id.label("by"), member.c.user_id.label("about"))
            .outerjoin(actor, actor.c.id == notices.c.actor)
            .outerjoin(member, member.c.id == notices.c.member)
            .where(notices.c.guild == guild)
            .order_by(notices.c.id)
        )
        found = await self._store.rows(query)
        return tuple(Logged(row.id, row.at, row.text, row.by, row.about) for row in found)

    async def rest(self, job: Job, by: str, *, posted: int, dropped: int, digest: float, due: float) -> None:
        """Delete the lines up to the one with the id `posted`, and let the job wait until `due`, as `jobs.rest` does.

        The job stores the time of the next digest, and how many lines were dropped. Raises TakenOver if `by` has lost
        the job.
        """
        batch, guild = self._store.batch(), job.guild
        rest(batch, job, by, {"digest": digest, "dropped": dropped}, due)
        batch.add(_DROP, {"guild": guild, "last": posted})
        await self._store.write.run(batch)
