"""Milestones (R14.3): worked out from what is stored whenever somebody asks, so that none is given twice.

A day without a mistake counts once the day is over and all of its hands are graded, because another hand could spoil
it. For the same reason, accuracy counts once the season is over.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Any, Final

import sqlalchemy as sa

from data.base.schema import grades, member_days, plays, season_places, season_points, titles
from data.base.season_tables import RANKED
from data.base.set_tables import COUNTED, DAY_SET, VALID, people, sets, tries
from data.base.values import SeasonBoard, Span
from data.drivers.store import Store
from data.seasons.calendar import Season, season_named
from data.seasons.member_days import DAY
from data.seasons.places import FIRST_VALUATION
from engine.sets.calendar import SUNDAY, WEEK, day_at, weekday
from engine.stored_words import SAME_CARDS, TOURNAMENT

_MILLION: Final = 1_000_000
#: The points of a perfect day of Today's five, in hundredths.
_PERFECT: Final = 10_000


class Milestone(StrEnum):
    """The milestones: none for volume, time, losing, all-ins or streaks."""

    CLEAN_DAY = "clean day"
    CLEAN_MARATHON = "clean marathon"
    HUNDRED = "hundred"
    SHARP = "sharp"
    RAZOR_SHARP = "razor-sharp"
    PERFECT_DAY = "perfect day"
    PERFECT_SUNDAY = "perfect sunday"
    PERFECT_WEEK = "perfect week"
    MASTER = "master"
    UPHILL = "uphill"
    TABLE = "table"
    PODIUM = "podium"
    TOURNAMENT = "tournament"


_mine: Final = member_days.c.member == sa.bindparam("member")
_my_rounds: Final = plays.c.member == sa.bindparam("member"), plays.c.real == sa.literal_column("1")


def _clean(close: int) -> sa.Select[Any]:
    """Return a query for a day that is over and graded, with at least this many close decisions, all played best."""
    total, right = sa.func.sum(member_days.c.close), sa.func.sum(member_days.c.close_right)
    over = member_days.c.day < sa.bindparam("today")
    days = sa.select(member_days.c.day).where(_mine, over, member_days.c.valuation >= FIRST_VALUATION)
    begins = sa.cast(member_days.c.day, sa.BigInteger) * DAY
    that_day = plays.c.at >= begins, plays.c.at < begins + DAY
    hands = sa.select(sa.func.count()).select_from(plays).where(*_my_rounds, *that_day).scalar_subquery()
    all_of_it = sa.func.sum(member_days.c.hands) == hands
    return days.group_by(member_days.c.day).having(total >= close, total == right, all_of_it).limit(1)


def _in_a_row(close: int) -> sa.Select[Any]:
    """Return a query that finds a row if rounds in a row have at least `close` close decisions, all played best.

    Only rounds with real chips count. One that is not graded interrupts the row, because it may have a mistake.
    """
    same = plays.c.table_id == grades.c.table_id, plays.c.number == grades.c.number
    mine = grades.c.member == sa.bindparam("member"), grades.c.valuation >= FIRST_VALUATION
    ended = plays.outerjoin(grades, sa.and_(*same, *mine))
    mistakes = sa.func.coalesce(grades.c.close - grades.c.close_right, 1)
    so_far = sa.func.sum(mistakes).over(order_by=(plays.c.at, plays.c.table_id, plays.c.number))
    each = sa.select(grades.c.close, mistakes.label("mistakes"), so_far.label("so_far")).select_from(ended)
    rounds = each.where(*_my_rounds).subquery("rounds")
    stretch = sa.select(rounds.c.so_far).where(rounds.c.mistakes == 0).group_by(rounds.c.so_far)
    return stretch.having(sa.func.sum(rounds.c.close) >= close).limit(1)


_won = sa.select(titles.c.source).where(
    titles.c.guild == sa.bindparam("guild"), titles.c.member == sa.bindparam("member")
)
_of_tournament = titles.c.source.startswith(f"{TOURNAMENT}/")
_of_cards = titles.c.source.startswith(f"{SAME_CARDS}/")
#: Queries that find a row if a milestone is reached.
_REACHED: Final[Mapping[Milestone, sa.Select[Any]]] = {
    Milestone.CLEAN_DAY: _clean(20),
    Milestone.CLEAN_MARATHON: _clean(50),
    Milestone.HUNDRED: _in_a_row(100),
    Milestone.TABLE: _won.where(~_of_tournament, ~_of_cards).limit(1),
    Milestone.PODIUM: sa.select(season_points.c.source)
    .where(season_points.c.member == sa.bindparam("member"), season_points.c.source.startswith(f"{TOURNAMENT}/"))
    .limit(1),
    Milestone.TOURNAMENT: _won.where(_of_tournament).limit(1),
}
#: The seasons with a full place on the board of accuracy.
_ACCURACY: Final = sa.select(season_places.c.season, season_places.c.value).where(
    season_places.c.guild == sa.bindparam("guild"),
    season_places.c.board == SeasonBoard.ACCURACY.value,
    season_places.c.who == sa.bindparam("member"),
    season_places.c.rank == RANKED,
)
_PERFECT_DAYS: Final = (
    sa.select(sets.c.day)
    .join(tries, tries.c.set == sets.c.id)
    .join(people, people.c.id == tries.c.person)
    .where(people.c.user_id == sa.bindparam("user"), COUNTED, VALID, tries.c.points == _PERFECT, sets.c.kind == DAY_SET)
)
_FIVE: Final = (
    sa.select(season_places.c.season, season_places.c.value, season_places.c.amount)
    .join(people, people.c.id == season_places.c.who)
    .where(
        season_places.c.guild == sa.bindparam("guild"),
        season_places.c.board == SeasonBoard.FIVE.value,
        people.c.user_id == sa.bindparam("user"),
    )
)


async def reached(store: Store, guild: int, member: int, user: int, now: float) -> tuple[Milestone, ...]:
    """Return the milestones that somebody has reached, in the order of `Milestone`.

    `UPHILL` is never among them: `Duels.won_uphill` says whether it is reached.
    """
    values, found = {"guild": guild, "member": member}, set[Milestone]()
    for milestone, question in _REACHED.items():
        if await store.rows(question, {**values, "today": day_at(now)}):
            found.add(milestone)
    accuracy = max((row.value for row in await store.rows(_ACCURACY, values) if _is_over(row.season, now)), default=0)
    weekdays = {weekday(row.day) for row in await store.rows(_PERFECT_DAYS, {"user": user})}
    found |= {
        milestone
        for milestone, is_reached in (
            (Milestone.SHARP, accuracy >= _MILLION * 90 // 100),
            (Milestone.RAZOR_SHARP, accuracy >= _MILLION * 97 // 100),
            (Milestone.PERFECT_DAY, bool(weekdays)),
            (Milestone.PERFECT_SUNDAY, SUNDAY in weekdays),
            (Milestone.PERFECT_WEEK, len(weekdays) == WEEK),
            (Milestone.MASTER, any(map(_is_masterly, await store.rows(_FIVE, {"guild": guild, "user": user})))),
        )
        if is_reached
    }
    return tuple(milestone for milestone in Milestone if milestone in found)


def _is_over(name: str, now: float) -> bool:
    season = season_named(name)
    return season is not None and season.ends_at <= now


def _is_masterly(row: Any) -> bool:
    """Return whether a person's row on a board of Today's five has an average of 95 points or more.

    The board must be that of a month, and the row must have as many days as can count in a month.
    """
    season: Season | None = season_named(row.season)
    whole = season is not None and season.span is Span.MONTH and row.amount == season.best_days
    return whole and row.value >= row.amount * _PERFECT * 95 // 100
