"""Jobs that hand on champions' roles: one for each server that has any, due after a week, a season or a tournament."""

from __future__ import annotations

from datetime import datetime, time, timedelta
from typing import Final, NamedTuple
from zoneinfo import ZoneInfo

import sqlalchemy as sa

from data.base.json_text import compact
from data.base.schema import WAITING, jobs, members
from data.drivers.batch import Batch
from data.drivers.statement import Statement, insert, param
from data.jobs.jobs import hasten

#: The kind of the job that hands champions' roles on.
CHAMPIONS: Final = "champions"
#: Seconds after midnight at which the first server is looked at.
_AFTER: Final = 300
#: Seconds over which all servers are spread.
_SPREAD: Final = 600
#: The number of low bits of a Discord id that do not belong to its time.
_BELOW_TIME: Final = 22
_WEEK: Final = timedelta(days=7)

_new = insert(jobs).values(
    key=param("key"), kind=CHAMPIONS, guild=param("guild"), payload=param("payload"), due=param("due")
)
_BEGIN: Final = Statement(_new.on_conflict_do_update(index_elements=[jobs.c.key], set_={"due": _new.excluded.due}))
_here = sa.select(members.c.guild).where(members.c.user_id == param("user_id", sa.BigInteger()))
_HASTEN_ALL: Final = Statement(
    sa.update(jobs).values(due=param("at")).where(WAITING, jobs.c.kind == CHAMPIONS, jobs.c.guild.in_(_here))
)


class LastWeek(NamedTuple):
    """The last whole week of a server, from Monday to Monday in its time zone, and the end of the current week."""

    begins: float
    ends: float
    next: float


def week_at(now: float, zone: str) -> LastWeek:
    """Return the last whole week in a time zone. Its champion reigns at this moment."""
    here = ZoneInfo(zone)
    today = datetime.fromtimestamp(now, here).date()
    monday = datetime.combine(today - timedelta(days=today.weekday()), time(), here)
    return LastWeek(*(moment.timestamp() for moment in (monday - _WEEK, monday, monday + _WEEK)))


def next_handover(guild: int, now: float, zone: str, season_ends: float) -> float:
    """Return when a server's roles are handed on the next time: some minutes after the next end of a week or season."""
    return min(week_at(now, zone).next, season_ends) + _AFTER + (guild >> _BELOW_TIME) % _SPREAD


def begin(batch: Batch, guild: int, now: float) -> None:
    """Add to a batch the job that looks for a server's champions, due now. If the job exists, only make it due."""
    batch.add(_BEGIN, {"key": _key(guild), "guild": guild, "payload": compact({}), "due": now})


def look_again(batch: Batch, guild: int, now: float) -> None:
    """Let a batch make the search for a server's champions due now, if the server gives them roles."""
    hasten(batch, _key(guild), now)


def look_everywhere(batch: Batch, user: int, now: float) -> None:
    """Let a batch make the search for champions due now on all servers of a person that give roles to champions."""
    batch.add(_HASTEN_ALL, {"user_id": user, "at": now})


def _key(guild: int) -> str:
    return f"{CHAMPIONS}/{guild}"
