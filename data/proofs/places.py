"""Proves the boards of seasons: each standing follows from the days, the points and the tries of its season."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, TypeAlias

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from data.base.schema import member_days, members, season_places, season_points
from data.base.season_tables import RANKED
from data.base.set_tables import SCORED, VALID, people, sets, standings
from data.base.values import SeasonBoard
from data.drivers.statement import Row
from data.proofs.report import Fault, Wrong
from data.proofs.slices import KeyRange, Slice, Walk, between
from data.seasons.calendar import seasons_of, stretches_of
from data.seasons.places import ENOUGH, FIRST_VALUATION, PROVISIONAL
from engine.sets.calendar import day_at

_MILLION: Final = 1_000_000
#: The guild, the season, the board and the number of who stands there.
_PlaceKey: TypeAlias = tuple[int, str, str, int]
#: The rank, the value and the amount.
_PlaceWorth: TypeAlias = tuple[int, int, int]

_OF_MEMBERS: Final = [board.value for board in SeasonBoard if board is not SeasonBoard.FIVE]
_LISTED: Final = (
    sa.select(season_places)
    .join(members, sa.and_(members.c.id == season_places.c.who, members.c.guild == season_places.c.guild))
    .where(members.c.user_id.is_not(None), season_places.c.board.in_(_OF_MEMBERS))
)
_DAYS: Final = (
    sa.select(member_days, members.c.guild)
    .join(members, members.c.id == member_days.c.member)
    .where(member_days.c.valuation >= FIRST_VALUATION)
)
_POINTS: Final = sa.select(season_points).join(members, members.c.id == season_points.c.member)


def strange_places(which: sa.ColumnElement[bool]) -> tuple[sa.Select[Any], ...]:
    """Return the queries of `look_at_places` for the members that meet `which`: their standings, days and points."""
    return _LISTED.where(which), _DAYS.where(which), _POINTS.where(which, members.c.user_id.is_not(None))


async def look_at_places(connection: AsyncConnection, asked: Sequence[sa.Select[Any]], here: KeyRange) -> list[Fault]:
    """Return a fault for each wrong standing of a range of members; `asked` are the queries of `strange_places`.

    A standing is not checked if one of its days was graded by another valuation than its own. If a standing is missing,
    the valuation of the member's standing by hands of blackjack counts as its own. So no fault is found if a later
    valuation saw the first close decision of a season that had ended: no standing by accuracy is added then.
    """
    listed, days, points = [(await connection.execute(query, here.values)).all() for query in asked]
    expected, changed = _by_days(days)
    expected |= _by_points(points)
    kept = {_key(row): (row.rank, row.value, row.amount) for row in listed}
    valuation = {_key(row): row.valuation for row in listed}
    graded = {key: valuation.get(key, valuation.get(_of_hands(key))) for key in changed}
    frozen = {key for key, by in graded.items() if by is not None and changed[key] != {by}}
    return list(_differences(expected, kept, but=frozen))


def _differences(
    expected: Mapping[_PlaceKey, _PlaceWorth], kept: Mapping[_PlaceKey, _PlaceWorth], but: Iterable[_PlaceKey]
) -> Iterator[Fault]:
    for key in sorted((expected.keys() | kept.keys()) - set(but)):
        if expected.get(key) != kept.get(key):
            guild, season, board, who = key
            where = f"{season}/{board}/{who}"
            yield Fault(Wrong.SEASON, where, guild, str(expected.get(key)), str(kept.get(key)))


def _key(row: Row) -> _PlaceKey:
    return row.guild, row.season, row.board, row.who


def _of_hands(key: _PlaceKey) -> _PlaceKey:
    """Return the key of the same member's standing by hands of blackjack."""
    guild, season, _board, who = key
    return guild, season, SeasonBoard.BLACKJACK.value, who


def _by_days(days: Iterable[Row]) -> tuple[dict[_PlaceKey, _PlaceWorth], Mapping[_PlaceKey, set[int]]]:
    """Return the standings that follow from days, and for each the versions of the valuation that graded its days.

    If days were graded again after the end of a season, their version is not that of the stored standing.
    """
    sums, seen = defaultdict[_PlaceKey, list[int]](lambda: [0, 0]), defaultdict[_PlaceKey, set[int]](set)
    for row in days:
        for season in seasons_of(row.day):
            for board, total, amount in (
                (SeasonBoard.ACCURACY, row.close_right * _MILLION, row.close),
                (SeasonBoard.BLACKJACK, row.units, row.blackjack),
            ):
                key = row.guild, season.name, board.value, row.member
                sums[key][0] += total
                sums[key][1] += amount
                seen[key].add(row.valuation)
    return {
        key: (_rank(amount), _quotient(total, amount), amount) for key, (total, amount) in sums.items() if amount
    }, seen


def _rank(amount: int) -> int:
    return (amount >= PROVISIONAL) + (amount >= ENOUGH)


def _quotient(total: int, amount: int) -> int:
    return total // amount if total >= 0 else -(-total // amount)


def _by_points(points: Iterable[Row]) -> dict[_PlaceKey, _PlaceWorth]:
    sums = defaultdict[_PlaceKey, list[int]](list)
    for row in points:
        for season in seasons_of(day_at(row.at)):
            sums[row.guild, season.name, SeasonBoard.POINTS.value, row.member].append(row.points)
    return {key: (RANKED, sum(each), len(each)) for key, each in sums.items()}


_BY_MEMBER: Final = strange_places(between(members.c.id))


async def _members(connection: AsyncConnection, here: KeyRange) -> Slice:
    return Slice(0, await look_at_places(connection, _BY_MEMBER, here))


# -- Today's five ------------------------------------------------------------------------------------------------------

_FIVE: Final = (
    sa.select(season_places)
    .join(people, people.c.id == season_places.c.who)
    .where(between(people.c.id), season_places.c.board == SeasonBoard.FIVE.value)
)
_SCORED: Final = (
    sa.select(standings.c.guild, standings.c.person, standings.c.points, sets.c.day)
    .join(sets, sets.c.id == standings.c.set)
    .where(between(standings.c.person), SCORED, VALID)
)


async def _persons(connection: AsyncConnection, here: KeyRange) -> Slice:
    listed = (await connection.execute(_FIVE, here.values)).all()
    found = defaultdict[_PlaceKey, list[int]](list)
    most = dict[_PlaceKey, int]()
    for row in (await connection.execute(_SCORED, here.values)).all():
        for stretch in stretches_of(row.day):
            key = row.guild, stretch.name, SeasonBoard.FIVE.value, row.person
            found[key].append(row.points)
            most[key] = stretch.best_days
    counted = {key: sorted(points, reverse=True)[: most[key]] for key, points in found.items()}
    kept = {_key(row): (row.rank, row.value, row.amount) for row in listed}
    expected = {key: (RANKED, sum(points), len(points)) for key, points in counted.items()}
    return Slice(0, list(_differences(expected, kept, but=())))


# -- whose points these are --------------------------------------------------------------------------------------------

_STRAY: Final = (
    sa.select(season_points)
    .outerjoin(members, sa.and_(members.c.id == season_points.c.member, members.c.guild == season_points.c.guild))
    .where(between(season_points.c.source, season_points.c.member), members.c.id.is_(None))
)
_NOBODY: Final = (
    sa.select(season_places)
    .outerjoin(members, sa.and_(members.c.id == season_places.c.who, members.c.guild == season_places.c.guild))
    .outerjoin(people, people.c.id == season_places.c.who)
    .where(
        between(*season_places.primary_key.columns),
        sa.case((season_places.c.board == SeasonBoard.FIVE.value, people.c.id), else_=members.c.id).is_(None),
    )
)


async def _stray_points(connection: AsyncConnection, here: KeyRange) -> Slice:
    found = (await connection.execute(_STRAY, here.values)).all()
    return Slice(0, [Fault(Wrong.SEASON, row.source, row.guild, "a member", str(row.member)) for row in found])


async def _nobody(connection: AsyncConnection, here: KeyRange) -> Slice:
    found = (await connection.execute(_NOBODY, here.values)).all()
    return Slice(
        0, [Fault(Wrong.SEASON, f"{row.season}/{row.board}", row.guild, "somebody", str(row.who)) for row in found]
    )


PLACES: Final = (
    Walk("seasons", _members, (members.c.id,), (0,), 200),
    Walk("seasons", _persons, (people.c.id,), (0,), 200),
    Walk("seasons", _stray_points, (season_points.c.source, season_points.c.member), ("", 0), 2_000),
    Walk("seasons", _nobody, tuple(season_places.primary_key.columns), (-(2**63), "", "", 0), 5_000),
)
