"""The boards of seasons (R14.1): everybody's standing is worked out again in the transaction that changes it.

A standing follows from the days of a member, the tries of a person, or the points for podiums and duels. A page is
read from an index. Hands that a later valuation grades again change nothing in a season that has ended.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql
from sqlalchemy.ext.asyncio import AsyncConnection

from data.base.care import wishes
from data.base.schema import member_days, members, season_places, season_points
from data.base.season_tables import PLACED, RANKED
from data.base.set_tables import SCORED, VALID, people, sets, standings
from data.base.values import SeasonBoard
from data.drivers.batch import Batch
from data.drivers.part import Part
from data.drivers.statement import Statement, insert, param
from data.seasons.calendar import Season, Week, seasons_of, stretches_of
from engine.sets.calendar import day_at, opens

#: The first valuation that says which decisions are close.
FIRST_VALUATION: Final = 3
#: Close decisions or hands from which on a member has a provisional place, and a place (R14.1).
PROVISIONAL: Final = 50
ENOUGH: Final = 200
_MILLION: Final = 1_000_000
#: The last place whose page is shown. One's own place is always shown.
LAST_PLACE: Final = 1_000


@dataclass(frozen=True, slots=True)
class SeasonStanding:
    """Somebody's place on a season's board."""

    place: int  # equals share a place
    user: int | None  # None: a former player
    value: int  # millionths (accuracy, blackjack), hundredths of points (Today's five), or points
    amount: int  # the decisions, hands, days or results behind the value
    provisional: bool


@dataclass(frozen=True, slots=True)
class SeasonPage:
    """A page of a season's board, with the standing of the person who asks."""

    page: int  # the first is 0
    pages: int
    rows: tuple[SeasonStanding, ...]
    own: SeasonStanding | None
    people: int
    #: The decisions or hands of the person who asks, while they are too few for a place.
    too_few: int = 0


# -- what follows from the days ----------------------------------------------------------------------------------------

_int, _number = sa.Integer(), sa.BigInteger()
_season = param("season", sa.Text())
_window = member_days.c.day.between(param("first", _int), param("last", _int))
COLUMNS: Final = ("guild", "season", "board", "who", "rank", "value", "amount", "valuation")


_TWO, _ONE, _NONE = (sa.literal_column(str(number), _int) for number in (RANKED, 1, 0))


def _name(board: SeasonBoard) -> sa.ColumnElement[str]:
    return sa.literal_column(f"'{board.value}'", sa.Text)


def _named(row: Sequence[sa.ColumnElement[Any]]) -> sa.Select[Any]:
    return sa.select(*(part.label(column) for part, column in zip(row, COLUMNS, strict=True)))


def _rank(amount: sa.ColumnElement[int]) -> sa.ColumnElement[int]:
    return sa.case((amount >= ENOUGH, _TWO), (amount >= PROVISIONAL, _ONE), else_=_NONE)


def _of_days() -> sa.CompoundSelect[Any]:
    """Return a query for a member's standings by accuracy and by net result per hand of blackjack.

    The accuracy is in millionths, the net result in millionths of the stake.
    """

    def total(name: str) -> sa.ColumnElement[int]:
        return sa.cast(sa.func.sum(member_days.c[name]), _number)

    sums = (
        sa.select(
            members.c.guild,
            members.c.id,
            total("close").label("close"),
            total("close_right").label("close_right"),
            total("blackjack").label("blackjack"),
            total("units").label("units"),
            sa.func.min(member_days.c.valuation).label("valuation"),
        )
        .join(members, members.c.id == member_days.c.member)
        .where(member_days.c.member == param("member", _number), _window, member_days.c.valuation >= FIRST_VALUATION)
        .group_by(members.c.guild, members.c.id)
        .cte("sums")
    )

    def standing(board: SeasonBoard, value: sa.ColumnElement[int], amount: sa.ColumnElement[int]) -> sa.Select[Any]:
        row = (sums.c.guild, _season, _name(board), sums.c.id, _rank(amount), value, amount, sums.c.valuation)
        return _named(row).where(amount > 0)

    accuracy = _quotient(sums.c.close_right * _MILLION, sums.c.close)
    net = _quotient(sums.c.units, sums.c.blackjack)
    return sa.union_all(
        standing(SeasonBoard.ACCURACY, accuracy, sums.c.close), standing(SeasonBoard.BLACKJACK, net, sums.c.blackjack)
    )


def _quotient(whole: sa.ColumnElement[int], by: sa.ColumnElement[int]) -> sa.ColumnElement[int]:
    """Return the SQL that divides whole numbers and rounds towards zero, as both databases do."""
    return sa.cast(whole, _number).op("/", return_type=_number)(by)


def _of_five(whose: sa.ColumnElement[bool]) -> sa.Select[Any]:
    """Return a query for these people's standings by Today's five: one for each server whose boards they are on.

    The value of a standing is the sum of the points of the person's best days on that server's boards.
    """
    best = (
        sa.select(
            standings.c.guild,
            standings.c.person,
            standings.c.points,
            sa.func.row_number()
            .over(partition_by=(standings.c.guild, standings.c.person), order_by=standings.c.points.desc())
            .label("place"),
        )
        .join(sets, sets.c.id == standings.c.set)
        .where(
            whose,
            SCORED,
            VALID,
            sets.c.day.between(param("first", _int), param("last", _int)),
        )
        .subquery("best")
    )
    points, days = sa.cast(sa.func.sum(best.c.points), _number), sa.func.count()
    row = (best.c.guild, _season, _name(SeasonBoard.FIVE), best.c.person, _TWO, points, days, _NONE)
    return _named(row).where(best.c.place <= param("best_days", _int)).group_by(best.c.guild, best.c.person)


def _of_points() -> sa.Select[Any]:
    """Return a query for a member's standing by the points of podiums and duels."""
    here = season_points.c
    points = sa.cast(sa.func.sum(here.points), _number)
    row = (here.guild, _season, _name(SeasonBoard.POINTS), here.member, _TWO, points, sa.func.count(), _NONE)
    within = (here.at >= param("from", sa.Double()), here.at < param("until", sa.Double()))
    return _named(row).where(here.member == param("member", _number), *within).group_by(here.guild, here.member)


def _standing(found: sa.Select[Any] | sa.CompoundSelect[Any]) -> postgresql.Insert:
    """Return an insert of the standings that a query finds. They replace stored ones with the same key."""
    rows = found.subquery("found")
    new = insert(season_places).from_select(list(COLUMNS), sa.select(rows).where(sa.true()))
    changed = {name: new.excluded[name] for name in ("rank", "value", "amount", "valuation")}
    return new.on_conflict_do_update(index_elements=list(season_places.primary_key.columns), set_=changed)


_DAYS: Final = Statement(_standing(_of_days()))
#: The deletion of a member's standings of a season that follow from days.
_NO_DAYS: Final = Statement(
    sa.delete(season_places).where(
        season_places.c.guild
        == sa.select(members.c.guild).where(members.c.id == param("member", _number)).scalar_subquery(),
        season_places.c.season == _season,
        season_places.c.board.in_([_name(SeasonBoard.ACCURACY), _name(SeasonBoard.BLACKJACK)]),
        season_places.c.who == param("member", _number),
    )
)
_FIVE: Final = Statement(_standing(_of_five(standings.c.person == param("person", _number))))
_POINTS: Final = Statement(_standing(_of_points()))
_ADD: Final = Statement(
    insert(season_points)
    .values(**{name: param(name) for name in ("source", "member", "guild", "at", "points")})
    .on_conflict_do_nothing()
)


def _values(stretch: Season | Week) -> dict[str, Any]:
    return {
        "season": stretch.name,
        "first": stretch.first,
        "last": stretch.last,
        "from": opens(stretch.first),
        "until": opens(stretch.last + 1),
        "best_days": stretch.best_days,
    }


def graded(batch: Batch, member: int, day: int, *, again: bool, now: float) -> None:
    """Add to a batch a member's standings that follow from a day, whose sums the batch has just changed.

    If the new grade replaces one that counted already (`again`), ended seasons stay as they are.
    """
    for season in seasons_of(day):
        if not again or day_at(now) <= season.last:
            if again:  # it may have been the only grade with a decision that counts
                batch.add(_NO_DAYS, {"season": season.name, "member": member})
            batch.add(_DAYS, {**_values(season), "member": member})


def scored(batch: Batch, person: int, day: int) -> None:
    """Add to a batch a person's standings after they finished a day of Today's five, or came onto a server's board."""
    for stretch in stretches_of(day):
        batch.add(_FIVE, {**_values(stretch), "person": person})


async def without(connection: AsyncConnection, days: Collection[int]) -> None:
    """Work out again the standings of everybody who played these days of Today's five, which have become void.

    This runs in the caller's transaction.
    """
    those = sa.select(standings.c.person).join(sets, sets.c.id == standings.c.set).where(sets.c.day.in_(days), ~VALID)
    here = season_places.c
    for stretch in {stretch for day in days for stretch in stretches_of(day)}:
        leave = sa.delete(season_places).where(
            here.season == stretch.name, here.board == SeasonBoard.FIVE.value, here.who.in_(those)
        )
        await connection.execute(leave)
        again = _standing(_of_five(standings.c.person.in_(those)))
        await connection.execute(again, {param(name).key: value for name, value in _values(stretch).items()})


def award(batch: Batch, guild: int, source: str, points: Sequence[tuple[int, int]], at: float) -> None:
    """Add to a batch the points that members get for a podium or a duel, and their new standings.

    `source` names the tournament or the duel. A member who has points for it already gets no more.
    """
    for member, amount in points:
        batch.add(_ADD, {"source": source, "member": member, "guild": guild, "at": at, "points": amount})
        for season in seasons_of(day_at(at)):
            batch.add(_POINTS, {**_values(season), "member": member})


#: The deletion of a person's standings on a server's boards of Today's five.
LEAVE: Final = Statement(
    sa.delete(season_places).where(
        season_places.c.guild == param("guild"),
        season_places.c.board == _name(SeasonBoard.FIVE),
        season_places.c.who
        == sa.select(people.c.id).where(people.c.user_id == param("user_id", _number)).scalar_subquery(),
    )
)


# -- what people are shown ---------------------------------------------------------------------------------------------

_here = sa.and_(
    season_places.c.guild == sa.bindparam("guild"),
    season_places.c.season == sa.bindparam("season"),
    season_places.c.board == sa.bindparam("board"),
    PLACED,
)
#: The persons who want to be hidden, each looked up: joined with them, PostgreSQL would read all people.
_its_person = sa.select(people.c.id).where(people.c.user_id == wishes.c.user_id).scalar_subquery()
_wished = sa.select(_its_person.label("id")).where(wishes.c.hidden == 1).subquery("wished")
_HIDDEN: Final = {
    True: sa.select(_wished.c.id).where(_wished.c.id.is_not(None)),
    False: sa.select(members.c.id).where(
        members.c.guild == sa.bindparam("guild"), members.c.hidden == sa.literal_column("1")
    ),
}
_WHO: Final = {True: people, False: members}


@dataclass(frozen=True, slots=True)
class _BoardQueries:
    """The queries for one kind of board: of people on all servers (Today's five), or of members."""

    people: sa.Select[Any]  # the number of those with a place
    page: sa.Select[Any]
    better: sa.Select[Any]  # the number of those above a rank and a value
    own: sa.Select[Any]


def _queries(*, of_persons: bool) -> _BoardQueries:
    places, who, hidden = season_places.c, _WHO[of_persons].c, _HIDDEN[of_persons]
    listed = sa.and_(_here, places.who.not_in(hidden))
    row = (places.rank, places.value, places.amount, places.who)
    mine = who.user_id == sa.bindparam("user")
    if not of_persons:
        mine = sa.and_(mine, members.c.guild == sa.bindparam("guild"))
    board = sa.and_(*(places[name] == sa.bindparam(name) for name in ("guild", "season", "board")))
    same = places.rank == sa.bindparam("rank")
    above = places.rank > sa.bindparam("rank"), sa.and_(same, places.value > sa.bindparam("value"))

    def count(*ranges: sa.ColumnElement[bool]) -> sa.Select[Any]:
        """Return a query that counts the people in these ranges of the index, without the few who are hidden.

        It counts everybody, looks the hidden people up one by one, and subtracts them.
        """
        each = [sa.select(sa.func.count()).select_from(season_places).where(board, some) for some in ranges]
        unseen = hidden.subquery("unseen")
        here = sa.and_(board, places.who == unseen.c.id, places.rank > 0, sa.or_(*ranges))
        # a subquery for each hidden person: for a join, PostgreSQL would read the whole board
        one = sa.select(sa.func.count()).select_from(season_places).where(here).correlate(unseen).scalar_subquery()
        looked_up = sa.select(sa.cast(sa.func.coalesce(sa.func.sum(one), 0), _number)).select_from(unseen)
        return sa.select(sum((part.scalar_subquery() for part in each), -looked_up.scalar_subquery()))

    return _BoardQueries(
        count(places.rank > sa.literal_column("0")),
        sa.select(*row, who.user_id)
        .outerjoin(_WHO[of_persons], who.id == places.who)
        .where(listed)
        .order_by(places.rank.desc(), places.value.desc(), places.who)
        .limit(sa.bindparam("size"))
        .offset(sa.bindparam("offset")),
        count(*above),
        sa.select(*row, who.user_id)
        .join(_WHO[of_persons], who.id == places.who)
        .where(board, places.who.not_in(hidden), mine),
    )


_MEMBERS: Final = _queries(of_persons=False)
_BOARDS: Final = dict.fromkeys(SeasonBoard, _MEMBERS) | {SeasonBoard.FIVE: _queries(of_persons=True)}


class Seasons(Part):
    """The boards of seasons and weeks, of all guilds."""

    async def board(
        self, guild: int, season: Season | Week, by: SeasonBoard, page: int = 0, size: int = 10, user: int | None = None
    ) -> SeasonPage:
        """Return a page of the board of a season or a week, with the place of `user`.

        If there are fewer pages, return the last. Hidden people are left out and leave no gap.
        """
        asked, here = _BOARDS[by], {"guild": guild, "season": season.name, "board": by.value}
        found = int(await self._store.value(asked.people, here))
        pages = max(1, -(-min(found, LAST_PLACE) // size))
        page = max(0, min(page, pages - 1))
        rows = await self._store.rows(asked.page, {**here, "size": size, "offset": page * size})
        place = 1 + await self._better(asked, here, rows[0]) if rows else 1
        placed = list[SeasonStanding]()
        for number, row in enumerate(rows):
            before = rows[number - 1] if number else row
            if (row.rank, row.value) != (before.rank, before.value):
                place = page * size + number + 1
            placed.append(_standing_of(row, place))
        own = await self._store.row(asked.own, {**here, "user": user}) if user is not None else None
        if own is None or not own.rank:
            return SeasonPage(page, pages, tuple(placed), None, found, too_few=own.amount if own is not None else 0)
        mine = _standing_of(own, 1 + await self._better(asked, here, own))
        return SeasonPage(page, pages, tuple(placed), mine, found)

    async def ended(self, guild: int, running: Season, most: int = 12) -> tuple[Season, ...]:
        """Return which of the `most` seasons before `running` have a standing of anybody in a guild, the latest first.

        Standings with too few decisions or hands for a place count, too.
        """
        found, season = list[Season](), running
        query = sa.select(season_places.c.who).where(
            season_places.c.guild == guild, season_places.c.season == sa.bindparam("season")
        )
        for _number in range(most):
            season = season.before
            if await self._store.row(query.limit(1), {"season": season.name}):
                found.append(season)
        return tuple(found)

    # -- private -------------------------------------------------------------------------------------------------------

    async def _better(self, asked: _BoardQueries, here: dict[str, Any], row: Any) -> int:
        return int(await self._store.value(asked.better, {**here, "rank": row.rank, "value": row.value}))


def _standing_of(row: Any, place: int) -> SeasonStanding:
    return SeasonStanding(place, row.user_id, int(row.value), int(row.amount), provisional=row.rank == 1)
