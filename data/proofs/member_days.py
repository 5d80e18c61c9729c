"""Proves the days of members: each is the sum of its grades, and each grade has the result of its round."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from data.base.schema import grades, member_days, members, plays
from data.base.season_tables import counted
from data.proofs.report import Fault, Wrong
from data.proofs.slices import LAST, KeyRange, Slice, Walk, between, between_tables
from data.seasons.member_days import DAY

#: The most by which sums of fractions of cents differ if they are added in another order.
_ROUNDING: Final = 0.01

_seconds = sa.literal_column(str(DAY), sa.BigInteger)
_begins = sa.cast(member_days.c.day, sa.BigInteger) * _seconds
_that_day = sa.and_(grades.c.member == member_days.c.member, grades.c.at >= _begins, grades.c.at < _begins + _seconds)
_same = sa.and_(_that_day, grades.c.valuation == member_days.c.valuation)


def _differs(name: str, counted_again: sa.ColumnElement[float]) -> sa.ColumnElement[bool]:
    kept = member_days.c[name]
    if isinstance(kept.type, sa.Double):
        return sa.func.abs(kept - counted_again) > _ROUNDING
    return kept != counted_again


_sums = {
    name: sa.func.coalesce(sa.func.sum(sa.case((grades.c.member.is_not(None), part))), 0)
    for name, part in counted(grades).items()
}


def strange_days(which: sa.ColumnElement[bool]) -> tuple[sa.Select[tuple[int, int]], ...]:
    """Return queries for the members who meet a condition and have a day that is not the sum of its grades.

    A day has sums for each valuation. When another valuation grades a hand again, the best and the worst result stay
    in the old sums, so these two are compared over all valuations of the day. The last query compares the hands of all
    days with the number of grades: it finds members with a grade that no day counts.
    """
    who = sa.select(members.c.id, members.c.guild)
    days = who.join(member_days, member_days.c.member == members.c.id).where(which)
    key = (members.c.id, members.c.guild, member_days.c.day)
    each = days.outerjoin(grades, _same).group_by(*key, *member_days.primary_key.columns, *member_days.c[*_sums])
    extremes = (
        sa.func.max(member_days.c.best) != sa.func.max(grades.c.net),
        sa.func.min(member_days.c.worst) != sa.func.min(grades.c.net),
    )
    in_days = sa.select(sa.func.coalesce(sa.func.sum(member_days.c.hands), 0))
    graded = sa.select(sa.func.count()).select_from(grades).where(grades.c.member == members.c.id)
    of_member = in_days.where(member_days.c.member == members.c.id)
    return (
        each.having(sa.or_(*(_differs(name, part) for name, part in _sums.items()))),
        days.join(grades, _that_day).group_by(*key).having(sa.or_(*extremes)),
        who.where(which, of_member.scalar_subquery() != graded.scalar_subquery()),
    )


async def look_at_days(
    connection: AsyncConnection, asked: Sequence[sa.Select[tuple[int, int]]], here: KeyRange
) -> list[Fault]:
    """Return a fault for each member in this range whom one of the queries of `strange_days` finds."""
    wrong = {(row.id, row.guild) for query in asked for row in (await connection.execute(query, here.values)).all()}
    return [Fault(Wrong.GRADES, f"member/{member}", guild, "the sum", "another") for member, guild in sorted(wrong)]


_BY_MEMBER: Final = strange_days(between(members.c.id))


async def _members(connection: AsyncConnection, here: KeyRange) -> Slice:
    return Slice(0, await look_at_days(connection, _BY_MEMBER, here))


_KEY: Final = (grades.c.table_id, grades.c.number, grades.c.member)
_result = sa.and_(
    *(plays.c[name] == grades.c[name] for name in ("table_id", "number", "member")),
    plays.c.returned - plays.c.staked == grades.c.net,
    plays.c.at == grades.c.at,
)
_NO_RESULT: Final = (
    sa.select(grades.c.member, members.c.guild)
    .join(members, members.c.id == grades.c.member)
    .where(between_tables(*_KEY), ~sa.exists(sa.select(plays.c.member).where(_result)))
)


async def _grades(connection: AsyncConnection, here: KeyRange) -> Slice:
    found = (await connection.execute(_NO_RESULT, here.values)).all()
    return Slice(0, [Fault(Wrong.RESULT, f"member/{row.member}", row.guild, "the round's", "another") for row in found])


MEMBER_DAYS: Final = Walk("days", _members, (members.c.id,), (0,), 20)
GRADES: Final = Walk("grades", _grades, _KEY, (-LAST, -1, -1), 20_000)
