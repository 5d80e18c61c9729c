"""Queries for stored duels, and the conditions that statements about duels share."""

from __future__ import annotations

import json
from typing import Any, Final

import sqlalchemy as sa

from data.base.duels import Duelist, StoredDuel
from data.base.schema import members
from data.base.set_tables import DUEL_SET, OPEN_DUEL, VALID, duels, people, sets, streams, tries
from data.drivers.statement import Row, param
from data.sets.stored import STORED
from engine.sets.duels import DuelState, Ending


def word(text: str) -> sa.ColumnElement[str]:
    """Return a word as part of the SQL text, not as a parameter, so that both databases see which index serves."""
    return sa.literal_column(f"'{text}'", sa.Text())


THIS: Final = duels.c.id == param("id", sa.BigInteger())
IS_CHALLENGE: Final = duels.c.state == word(DuelState.CHALLENGED)
IS_RUNNING: Final = duels.c.state == word(DuelState.RUNNING)
#: The condition that a duel's set counts: a restored backup makes the sets of open duels void.
COUNTS: Final = sa.exists(sa.select(sets.c.id).where(sets.c.id == duels.c.set, VALID))
NEXT_VERSION: Final = duels.c.version + 1

_ada, _ben = members.alias("ada"), members.alias("ben")
_adas, _bens = tries.alias("adas"), tries.alias("bens")


def _is_of(one: sa.FromClause, person: sa.Column[Any]) -> sa.ColumnElement[bool]:
    return sa.and_(one.c.set == duels.c.set, one.c.person == person, one.c.archive == sa.literal_column("0"))


_DUELS: Final = (
    sa.select(
        duels,
        *(sets.c.name, sets.c.deals, streams.c.tip),
        *(_ada.c.user_id.label("ada"), _ben.c.user_id.label("ben")),
        *(_adas.c.began_at.label("ada_began"), _adas.c.finished_at.label("ada_done")),
        *(_bens.c.began_at.label("ben_began"), _bens.c.finished_at.label("ben_done")),
    )
    .join(sets, sets.c.id == duels.c.set)
    .join(streams, streams.c.id == sets.c.stream)
    .join(_ada, _ada.c.id == duels.c.challenger)
    .outerjoin(_ben, _ben.c.id == duels.c.challenged)
    .outerjoin(_adas, _is_of(_adas, duels.c.first))
    .outerjoin(_bens, _is_of(_bens, duels.c.second))
)
ONE_DUEL: Final = _DUELS.where(duels.c.id == sa.bindparam("id"))
_of_person = sa.select(people.c.id).where(people.c.user_id == sa.bindparam("user")).scalar_subquery()
OPEN_OF: Final = _DUELS.where(
    OPEN_DUEL, sa.or_(duels.c.first == _of_person, duels.c.second == _of_person)
).order_by(duels.c.deadline, duels.c.id)  # fmt: skip
DUE: Final = (
    sa.select(duels.c.id, duels.c.guild)
    .where(duels.c.told == sa.literal_column("0"), duels.c.deadline <= sa.bindparam("now"))
    .order_by(duels.c.deadline)
)
SOON: Final = (
    sa.select(duels.c.id, duels.c.guild)
    .where(duels.c.told == sa.literal_column("0"), duels.c.deadline <= sa.bindparam("until"))
    .where(IS_RUNNING, duels.c.called == sa.literal_column("0"), duels.c.second.is_not(None))
)
_begun = sa.exists(sa.select(tries.c.person).where(tries.c.set == duels.c.set))
RESTING: Final = sa.union(
    *(
        sa.select(duels.c.id, duels.c.guild)
        .join(members, members.c.id == side)
        .where(
            *(OPEN_DUEL, ~_begun, members.c.resting_until.is_not(None), members.c.resting_until > sa.bindparam("now")),
            sa.or_(duels.c.stake > sa.literal_column("0"), members.c.away_until > sa.bindparam("now")),
        )
        for side in (duels.c.challenger, duels.c.challenged)
    )
)
ITS_SET: Final = STORED.where(sets.c.id == sa.bindparam("set"), sets.c.kind == DUEL_SET)


def duel_of(row: Row) -> StoredDuel:
    """Return a row of `ONE_DUEL` or `OPEN_OF` as a duel."""
    sides = (
        Duelist(row.challenger, row.first, row.ada, row.ada_began is not None, row.ada_done is not None),
        Duelist(row.challenged, row.second, row.ben, row.ben_began is not None, row.ben_done is not None),
    )
    as_they_are = ("id", "guild", "channel", "message", "set", "level", "offered", "stake", "made_at", "accepted_at")
    more = ("deadline", "ended_at", "winner", "version", "tip")
    return StoredDuel(
        **{name: getattr(row, name) for name in as_they_are + more},
        state=DuelState(row.state),
        ending=Ending(row.ending) if row.ending is not None else None,
        sides=sides,
        told=bool(row.told),
        rules_name=row.name,
        hands=len(json.loads(row.deals)),
    )
