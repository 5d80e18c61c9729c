"""The message about Today's five that a server gets each day: one job for each such server, due once a day."""

from __future__ import annotations

from typing import Final

from data.base.json_text import compact
from data.base.schema import jobs
from data.base.values import DayPost
from data.drivers.batch import Batch
from data.drivers.statement import Statement, insert, param
from engine.sets.calendar import day_at, opens

#: The kind of job that has the message posted. It remembers the last day that was posted.
DAY_POST: Final = "day post"
#: Seconds after the full hour at which the first server gets its message.
_AFTER: Final = 300
#: Seconds over which all servers are spread.
_SPREAD: Final = 600
#: The number of low bits of a Discord id that do not belong to its time.
_BELOW_TIME: Final = 22

_new = insert(jobs).values(
    key=param("key"), kind=DAY_POST, guild=param("guild"), payload=param("payload"), due=param("due")
)
_BEGIN: Final = Statement(
    _new.on_conflict_do_update(index_elements=[jobs.c.key], set_={"due": _new.excluded.due})
)  # fmt: skip


def moment(guild: int, hour: int, day: int) -> float:
    """Return when a server gets the message of a day: some minutes after `hour` (UTC) on that day."""
    return opens(day) + hour * 3_600 + _AFTER + (guild >> _BELOW_TIME) % _SPREAD


def next_moment(guild: int, hour: int, now: float) -> float:
    """Return when a server gets its next message: some minutes after this hour (UTC), today or tomorrow."""
    today = moment(guild, hour, day_at(now))
    return today if now < today else moment(guild, hour, day_at(now) + 1)


def begin(batch: Batch, guild: int, post: DayPost, now: float) -> None:
    """Add to a batch the job of a server's message, due at the next chosen hour.

    If the server has this job already, only its due time changes, so that no day is posted twice.
    """
    due = next_moment(guild, post.hour, now)
    payload = compact({"day": 0, "told": False})
    batch.add(_BEGIN, {"key": f"{DAY_POST}/{guild}", "guild": guild, "payload": payload, "due": due})
