"""Boards, streaks and the archive of Today's five, and the share of players who chose each action.

All are read or worked out from the tries and their points when somebody asks.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any, Final

import sqlalchemy as sa

from data.base.care import wishes
from data.base.set_tables import COUNTED, DAY_SET, SCORED, VALID, people, sets, standings, streams, tries
from data.base.sets import ArchivedDay, Board, Placed, StoredSet
from data.base.values import SeasonBoard
from data.drivers.part import Part
from data.drivers.statement import Row
from data.drivers.store import Store
from data.seasons.calendar import Week
from data.seasons.places import Seasons, SeasonStanding
from data.sets.days import Days
from engine.sets.calendar import GRACE, day_at, week_of
from engine.sets.shares import ENOUGH, Counts, counted
from engine.sets.streaks import Streak, streak
from engine.tables.ports import Clock

#: People on a page of a board, and days on one of the archive.
PAGE: Final = 10
#: The last place whose page is shown. A person's own place is always shown.
LAST_PLACE: Final = 1_000
#: The number of people of a server who must finish a day so that it counts for the server's streak (R11.8).
TOGETHER: Final = 2
#: Seconds before shares are counted again.
FRESH: Final = 60.0

#: The condition of a person with a place. People who are hidden from leaderboards have none, and leave no gap.
_LISTED: Final = standings.c.person.not_in(
    sa.select(people.c.id).where(people.c.user_id.in_(sa.select(wishes.c.user_id).where(wishes.c.hidden == 1)))
)
_board = sa.and_(standings.c.guild == sa.bindparam("guild"), standings.c.set == sa.bindparam("set"), SCORED, _LISTED)
_PEOPLE: Final = sa.select(sa.func.count()).select_from(standings).where(_board)
_PAGE: Final = (
    sa.select(standings.c.person, standings.c.points)
    .where(_board)
    .order_by(standings.c.points.desc(), standings.c.person)
    .limit(PAGE)
    .offset(sa.bindparam("offset"))
)
_BETTER: Final = (
    sa.select(sa.func.count()).select_from(standings).where(_board, standings.c.points > sa.bindparam("points"))
)
_OWN: Final = sa.select(standings.c.points).where(
    standings.c.set == sa.bindparam("set"),
    standings.c.person == sa.bindparam("person"),
    standings.c.guild == sa.bindparam("guild"),
    SCORED,
    _LISTED,
)
_USERS: Final = sa.select(people.c.id, people.c.user_id).where(
    people.c.id.in_(sa.bindparam("people", expanding=True)), people.c.user_id.is_not(None)
)
_UNFINISHED: Final = (
    sa.select(people.c.user_id)
    .join(standings, standings.c.person == people.c.id)
    .join(tries, sa.and_(tries.c.set == standings.c.set, tries.c.person == standings.c.person, tries.c.archive == 0))
    .where(
        standings.c.guild == sa.bindparam("guild"),
        standings.c.set == sa.bindparam("set"),
        tries.c.finished_at.is_(None),
        people.c.user_id.is_not(None),
        _LISTED,
    )
    .order_by(people.c.id)
    .limit(PAGE)
)
_DAYS_PLAYED: Final = (
    sa.select(sets.c.day)
    .join(tries, tries.c.set == sets.c.id)
    .where(tries.c.person == sa.bindparam("person"), COUNTED, VALID, sets.c.kind == DAY_SET)
)
_together = (
    sa.select(sa.func.count())
    .select_from(
        sa.select(standings.c.person)
        .where(standings.c.guild == sa.bindparam("guild"), standings.c.set == sets.c.id, SCORED)
        .order_by(standings.c.points.desc())  # the order of the index, which is used then
        .limit(TOGETHER)
        .correlate(sets)
        .subquery()
    )
    .correlate(sets)
    .scalar_subquery()
)
_DAYS_TOGETHER: Final = sa.select(sets.c.day).where(VALID, sets.c.kind == DAY_SET, _together >= TOGETHER)
_finished_here = sa.exists().where(standings.c.guild == sa.bindparam("guild"), standings.c.set == sets.c.id, SCORED)
_ANY_FINISHED: Final = (
    sa.select(sets.c.id)
    .where(
        sets.c.day.between(sa.bindparam("first"), sa.bindparam("last")), VALID, sets.c.kind == DAY_SET, _finished_here
    )
    .limit(1)
)
_CHOICES: Final = (
    sa.select(tries.c.steps, sa.func.count().label("people"))
    .where(tries.c.set == sa.bindparam("set"), COUNTED)
    .group_by(tries.c.steps)
)
_live, _later = tries.alias("live"), tries.alias("later")
_ARCHIVE: Final = (
    sa.select(
        sets.c.id,
        sets.c.day,
        sets.c.name,
        _live.c.points,
        _later.c.version.label("later"),
        sa.select(sa.func.min(streams.c.first_day)).scalar_subquery().label("first"),
    )
    .outerjoin(
        _live,
        sa.and_(_live.c.set == sets.c.id, _live.c.person == sa.bindparam("person"), _live.c.archive == 0),
    )
    .outerjoin(
        _later,
        sa.and_(_later.c.set == sets.c.id, _later.c.person == sa.bindparam("person"), _later.c.archive == 1),
    )
    .where(VALID, sets.c.kind == DAY_SET, sets.c.day < sa.bindparam("before"), sets.c.closes <= sa.bindparam("late"))
    .order_by(sets.c.day.desc())
    .limit(sa.bindparam("most"))
)


class Boards(Part):
    """The boards, streaks, shares and past days of Today's five."""

    def __init__(self, store: Store, clock: Clock, days: Days, seasons: Seasons) -> None:
        super().__init__(store, clock)
        self._days = days
        self._seasons = seasons
        self._shares: dict[int, tuple[float, Counts]] = {}

    async def of_day(self, guild: int, day: StoredSet, page: int = 0, person: int | None = None) -> Board:
        """Return a page of a server's board of one day, with the place of `person` (a number, not a Discord id).

        If there are fewer pages, return the last.
        """
        here = {"guild": guild, "set": day.id}
        found = int(await self._store.value(_PEOPLE, here))
        pages = _pages(found)
        page = min(max(page, 0), pages - 1)
        rows = await self._store.rows(_PAGE, {**here, "offset": page * PAGE})
        placed = await self._placed(rows, 1 + await self._better(here, rows[0].points) if rows else 1, page * PAGE + 1)
        points = await self._store.value(_OWN, {**here, "person": person}) if person is not None else None
        own = None
        if points is not None and person is not None:
            users = await self._users([person])
            own = Placed(1 + await self._better(here, points), users.get(person, 0), points)
        return Board(page, pages, placed, own, found)

    async def any_finished(self, guild: int, first: int, last: int) -> bool:
        """Return whether anybody of a server, hidden or not, finished one of the days from `first` to `last`."""
        found = await self._store.rows(_ANY_FINISHED, {"guild": guild, "first": first, "last": last})
        return bool(found)

    async def unfinished(self, guild: int, day: StoredSet) -> tuple[int, ...]:
        """Return the Discord ids of up to ten people of a server, none hidden, who began a day and did not finish."""
        return tuple(row.user_id for row in await self._store.rows(_UNFINISHED, {"guild": guild, "set": day.id}))

    async def of_week(self, guild: int, day: int, page: int = 0, user: int | None = None) -> Board:
        """Return a page of a server's board of a week, with the place of `user` (a Discord id).

        `day` is any day of the week. The board sums up each person's days. If there are fewer pages, return the last.
        """
        found = await self._seasons.board(guild, Week(week_of(day)), SeasonBoard.FIVE, page, PAGE, user)
        own = None if found.own is None else _of_week(found.own)
        return Board(found.page, found.pages, tuple(map(_of_week, found.rows)), own, found.people)

    async def streak(self, person: int, *, resting: Collection[int] = ()) -> Streak:
        """Return a person's streak of days that they finished.

        The days in `resting`, on which they were on a break, do not count as missed.
        """
        return await self._streak(await self._store.rows(_DAYS_PLAYED, {"person": person}), resting)

    async def server_streak(self, guild: int) -> Streak:
        """Return a server's streak: days on which at least two of its people finished."""
        return await self._streak(await self._store.rows(_DAYS_TOGETHER, {"guild": guild}), ())

    async def shares(self, day: StoredSet) -> Counts | None:
        """Return how many people chose what, of all who have finished a day, or None while they are too few.

        The numbers may be a minute old.
        """
        now = self._clock.now()
        at, counts = self._shares.get(day.id, (0.0, {}))
        if not 0 <= now - at < FRESH:
            rows = await self._store.rows(_CHOICES, {"set": day.id})
            finished = sum(row.people for row in rows)
            counts = counted((row.steps, row.people) for row in rows) if finished >= ENOUGH else {}
            self._shares = {number: kept for number, kept in self._shares.items() if now - kept[0] < FRESH}
            self._shares[day.id] = now, counts
        return counts or None

    async def archive(self, person: int | None, before: int, most: int = PAGE) -> tuple[ArchivedDay, ...]:
        """Return the last public days before the day `before`, the latest first, each with how a person played it.

        If `person` is None, because the bank does not know the person, no day counts as played.
        """
        late = self._clock.now() - GRACE
        rows = await self._store.rows(_ARCHIVE, {"person": person, "before": before, "late": late, "most": most})
        return tuple(
            ArchivedDay(row.id, row.day, row.day - row.first + 1, row.name, row.points, row.later is not None)
            for row in rows
        )

    # -- private -----------------------------------------------------------------------------------------------------

    async def _streak(self, rows: Sequence[Row], resting: Collection[int]) -> Streak:
        played = {row.day for row in rows}
        if not played:
            return Streak(0)
        now, first = self._clock.now(), min(played)
        today, unfinished = day_at(now), day_at(now - GRACE)  # yesterday, while it may still be finished
        neutral = await self._days.neutral(first, today)
        return streak(played, today, neutral=neutral | {unfinished} | set(resting), first=first)

    async def _better(self, here: dict[str, Any], points: int) -> int:
        return int(await self._store.value(_BETTER, {**here, "points": points}))

    async def _placed(self, rows: Sequence[Row], place: int, line: int) -> tuple[Placed, ...]:
        """Return the rows of a page with their places; rows with equal points share a place.

        `place` is that of the first row, and `line` is its line on the whole board, from 1.
        """
        users = await self._users([row.person for row in rows])
        placed = list[Placed]()
        for number, row in enumerate(rows, line):
            if placed and int(row.points) != placed[-1].points:
                place = number
            placed.append(Placed(place, users.get(row.person, 0), int(row.points)))
        return tuple(placed)

    async def _users(self, numbers: Sequence[int]) -> dict[int, int]:
        if not numbers:
            return {}
        return {row.id: row.user_id for row in await self._store.rows(_USERS, {"people": list(numbers)})}


def _of_week(standing: SeasonStanding) -> Placed:
    return Placed(standing.place, standing.user or 0, standing.value, standing.amount)


def _pages(people: int) -> int:
    """Return the number of pages of a board with this many people."""
    return max(1, -(-min(people, LAST_PLACE) // PAGE))
