"""The days of members: sums of the grades of each day, because reading all grades of a long past takes long.

A day changes in the transaction that stores a grade. A grade that is worked out again moves from the sums of its old
valuation to those of the new one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import sqlalchemy as sa

from data.base.schema import grades, member_days, members
from data.base.season_tables import counted
from data.base.values import PlotPoint, Skill
from data.drivers.batch import Batch
from data.drivers.statement import Row, Statement, insert, param
from data.drivers.store import Store

DAY: Final = 86_400

_day = param("day", sa.Integer())
_this = (
    grades.c.table_id == param("table_id", sa.BigInteger()),
    grades.c.number == param("number", sa.Integer()),
    grades.c.member == param("member", sa.BigInteger()),
)
_here = (member_days.c.member == param("member", sa.BigInteger()), member_days.c.day == _day)
_SUMS: Final = counted(grades)
_UNCOUNT: Final = Statement(
    sa.update(member_days)
    .values({name: member_days.c[name] - part for name, part in _SUMS.items()})
    .where(*_here, *_this, member_days.c.valuation == grades.c.valuation)
)
_DROP_EMPTY: Final = Statement(sa.delete(member_days).where(*_here, member_days.c.hands == 0))


def _count() -> Statement:
    """Return the insert that adds a grade to the sums of its day."""
    row = {"member": grades.c.member, "day": _day, "valuation": grades.c.valuation, **_SUMS}
    row |= {"best": grades.c.net, "worst": grades.c.net}
    new = insert(member_days).from_select(list(row), sa.select(*row.values()).where(*_this))
    was, comes = member_days.c, new.excluded
    sums = {name: was[name] + comes[name] for name in _SUMS}
    sums["best"] = sa.case((comes.best > was.best, comes.best), else_=was.best)
    sums["worst"] = sa.case((comes.worst < was.worst, comes.worst), else_=was.worst)
    return Statement(new.on_conflict_do_update(index_elements=list(member_days.primary_key.columns), set_=sums))


_COUNT: Final = _count()


def uncount(batch: Batch, grade: Mapping[str, Any]) -> None:
    """Add to a batch the statement that takes a member's stored grade of a round, if any, out of the sums of its day.

    Call this before the batch replaces the stored grade. `grade` has the key of the grade and the time of its round.
    """
    batch.add(_UNCOUNT, {**grade, "day": int(grade["at"] // DAY)})


def count(batch: Batch, grade: Mapping[str, Any]) -> None:
    """Add to a batch the statements that add a member's stored grade of a round to the sums of its day.

    They also delete those sums of the day in which no grade is left. `grade` has the key of the grade and the time of
    its round.
    """
    values = {**grade, "day": int(grade["at"] // DAY)}
    batch.add(_COUNT, values)
    batch.add(_DROP_EMPTY, values)


# -- what people are shown ---------------------------------------------------------------------------------------------

_outdated = member_days.c.valuation < sa.bindparam("valuation")
_parts: Final = {
    **{name: sa.func.sum(member_days.c[name]) for name in ("hands", "known", "net", "measured", "expected")},
    **{name: sa.func.sum(member_days.c[name]) for name in ("given_away", "decisions", "right")},
    "best": sa.func.max(member_days.c.best),
    "worst": sa.func.min(member_days.c.worst),
    "outdated": sa.func.sum(sa.case((_outdated, member_days.c.hands), else_=0)),
}
_played = sa.select(members.c.rounds).where(members.c.id == sa.bindparam("member")).scalar_subquery()
_TOTALS: Final = sa.select(
    *(sa.func.coalesce(part, 0).label(name) for name, part in _parts.items()),
    sa.func.coalesce(_played, 0).label("played"),
).where(member_days.c.member == sa.bindparam("member"))
_DAYS: Final = (
    sa.select(
        member_days.c.day,
        sa.func.sum(member_days.c.known).label("known"),
        sa.func.sum(member_days.c.measured).label("net"),
        sa.func.sum(member_days.c.expected).label("expected"),
    )
    .where(member_days.c.member == sa.bindparam("member"))
    .group_by(member_days.c.day)
    .order_by(member_days.c.day)
)


async def skill(store: Store, member: int, valuation: int) -> Skill:
    """Return the totals of a member's grades. Grades of an older valuation than this one are counted as outdated."""
    row = await store.row(_TOTALS, {"member": member, "valuation": valuation})
    assert row is not None
    return Skill(
        hands=int(row.hands),
        known=int(row.known),
        waiting=max(0, int(row.played) - int(row.hands)),
        net=int(row.net),
        best=int(row.best),
        worst=int(row.worst),
        expected=float(row.expected),
        measured=int(row.measured),
        given_away=float(row.given_away),
        decisions=int(row.decisions),
        right=int(row.right),
        outdated=int(row.outdated),
    )


async def plot(store: Store, member: int, most: int) -> tuple[PlotPoint, ...]:
    """Return a member's days in order, summed up in at most this many points, each of about equally many hands.

    Hands whose expected result is unknown are left out.
    """
    days = await store.rows(_DAYS, {"member": member})
    return tuple(_point(some) for some in _stretches([day for day in days if day.known], most))


def _stretches(days: Sequence[Row], most: int) -> Iterator[Sequence[Row]]:
    """Yield at most `most` groups of consecutive days, each with about equally many hands."""
    hands, reached, some = sum(day.known for day in days), 0, list[Row]()
    for day in days:
        share = reached * most // hands
        reached += day.known
        some.append(day)
        if reached * most // hands > share:
            yield some
            some = []
    if some:
        yield some


def _point(days: Sequence[Row]) -> PlotPoint:
    end = float((days[-1].day + 1) * DAY)
    return PlotPoint(end, int(sum(day.net for day in days)), float(sum(day.expected for day in days)))
