"""Leaderboards that do not slow down as the guild grows.

A page is read from an index. A member's own place would need a count of everybody above, so members are counted in a
histogram with six levels of buckets: a value of 48 bits is six digits to the base 256, and for each digit the number of
members in each bucket is known. A place is then the sum of six short ranges. Presses only mark a member as stale; the
histogram catches up when somebody looks, and by a chore where many have changed.

The histogram pays off above about a hundred thousand members in one guild. Without it, SQLite counts everybody above in
2 ms at a hundred thousand members, and in 25 ms at a million. With it, this takes 3 ms at any size, a page included.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

import sqlalchemy as sa

from data.base.schema import LISTED, RATED, SEASONED, STALE, members, tallies
from data.base.values import Ladder, Leaderboard, Ranked
from data.drivers.batch import Batch
from data.drivers.part import Part
from data.drivers.statement import ONE, Row, Statement, columns_of, insert, param, params
from engine.tables.ports import BankError

#: The last place whose page is shown. A member's own place is always shown.
LAST_PLACE: Final = 1_000

LEVELS: Final = 6
DIGIT: Final = 8
#: The offset that makes every value positive: winnings may be negative, so zero is in the middle of the scale.
ZERO: Final = 1 << (LEVELS * DIGIT - 1)

#: The most members that one transaction counts, and the number of attempts if members change while being counted.
CHUNK: Final = 200
ATTEMPTS: Final = 5

#: The number of changed members from which on a chore counts them. Fewer are counted quickly when somebody looks.
MANY: Final = 100

_SEEN: Final = (
    *("balance", "winnings", "rounds", "rate", "user_id", "hidden"),
    *("counted_balance", "counted_winnings", "counted_rate"),
)


class _Overtaken(BankError):
    """Raised if the stored row of a member changed between being read and being counted."""


@dataclass(frozen=True, slots=True)
class _Rungs:
    """The columns and the condition on `members` that make one order of the leaderboard (`Ladder`)."""

    value: sa.Column[Any]
    counted: str  # the name of the column with the value that is counted in the histogram
    who: sa.ColumnElement[bool]  # the condition of the members on this ladder


_LADDERS: Final = {
    Ladder.CHIPS: _Rungs(members.c.balance, "counted_balance", LISTED),
    Ladder.WINNINGS: _Rungs(members.c.winnings, "counted_winnings", SEASONED),
    Ladder.WIN_RATE: _Rungs(members.c.rate, "counted_rate", RATED),
}

#: The range and the order make both databases use the index of changed members. Otherwise one whose statistics say
#: that most members have changed would look through all members of the guild.
_STALE_ONES: Final = (
    sa.select(members)
    .where(members.c.guild.between(sa.bindparam("guild"), sa.bindparam("guild")), STALE)
    .order_by(members.c.guild, members.c.id)
    .limit(sa.literal_column(str(CHUNK)))
)
_CROWDED: Final = sa.select(members.c.guild).where(STALE).group_by(members.c.guild).having(sa.func.count() >= MANY)
_PEOPLE: Final = sa.select(sa.func.coalesce(sa.func.sum(tallies.c.people), 0)).where(
    tallies.c.guild == sa.bindparam("guild"), tallies.c.ladder == sa.bindparam("ladder"), tallies.c.level == 0
)

_COUNTED: Final = Statement(
    sa.update(members)
    .values(**params("counted_balance", "counted_winnings", "counted_rate"), stale=0)
    .where(
        members.c.id == param("member"),
        *(members.c[name].is_not_distinct_from(param(f"seen_{name}", sa.BigInteger())) for name in _SEEN),
    )
)
_more = insert(tallies).values(**columns_of(tallies))
_TALLY: Final = Statement(
    _more.on_conflict_do_update(
        index_elements=list(tallies.primary_key.columns),
        set_={"people": tallies.c.people + _more.excluded.people},
    )
)


def _ladder_page(rungs: _Rungs) -> sa.Select[Any]:
    who = sa.select(members.c.id, members.c.user_id, rungs.value.label("value")).where(
        members.c.guild == sa.bindparam("guild"), rungs.who
    )
    return who.order_by(rungs.value.desc(), members.c.id).limit(sa.bindparam("size")).offset(sa.bindparam("offset"))


def _own_rung(rungs: _Rungs) -> sa.Select[Any]:
    return sa.select(members.c.id, members.c.user_id, rungs.value.label("value")).where(
        members.c.guild == sa.bindparam("guild"), members.c.user_id == sa.bindparam("user"), rungs.who
    )


def _next_to(rungs: _Rungs) -> sa.Select[Any]:
    """Return a query for the nearest members before and behind somebody: one equal and one other on each side.

    An index finds each of the four at once, also among a hundred thousand equals.
    """
    value, number, equal = rungs.value, members.c.id, rungs.value == sa.bindparam("value")
    nearest = [
        sa.select(number, members.c.user_id, value.label("value"))
        .where(members.c.guild == sa.bindparam("guild"), rungs.who, *which)
        .order_by(*order)
        .limit(ONE)
        .subquery()
        for which, order in (
            ((value > sa.bindparam("value"),), (value, number.desc())),
            ((equal, number < sa.bindparam("member")), (number.desc(),)),
            ((equal, number > sa.bindparam("member")), (number,)),
            ((value < sa.bindparam("value"),), (value.desc(), number)),
        )
    ]
    return sa.select(sa.union_all(*map(sa.select, nearest)).subquery())


def _people_above() -> sa.Select[Any]:
    """Return a query for the number of members with a higher value than somebody.

    It adds up one short range for each digit of this value: the members with the same digits before it, and a higher
    digit in its place.
    """
    ranges = [
        sa.select(tallies.c.people).where(
            tallies.c.guild == sa.bindparam("guild"),
            tallies.c.ladder == sa.bindparam("ladder"),
            tallies.c.level == level,
            tallies.c.stretch > sa.bindparam(f"from_{level}"),
            tallies.c.stretch <= sa.bindparam(f"to_{level}"),
        )
        for level in range(LEVELS)
    ]
    every = sa.union_all(*ranges).subquery()
    return sa.select(sa.func.coalesce(sa.func.sum(every.c.people), 0))


_PAGES: Final = {ladder: _ladder_page(rungs) for ladder, rungs in _LADDERS.items()}
_OWN: Final = {ladder: _own_rung(rungs) for ladder, rungs in _LADDERS.items()}
_NEXT_TO: Final = {ladder: _next_to(rungs) for ladder, rungs in _LADDERS.items()}
_ABOVE: Final = _people_above()


class Ladders(Part):
    """Returns pages of leaderboards, and keeps the histograms for them up to date."""

    async def leaderboard(
        self, guild: int, by: Ladder, page: int = 0, size: int = 10, user: int | None = None
    ) -> Leaderboard:
        """Return a page (from 0) of a guild's leaderboard, with the place of `user`.

        Before this, the leaderboard's counts are brought up to date. If there are fewer pages, return the last.
        Forgotten and hidden members have no place.
        """
        await self.catch_up(guild)
        people = int(await self._store.value(_PEOPLE, {"guild": guild, "ladder": by.value}))
        pages = max(1, -(-min(people, LAST_PLACE) // size))
        page = max(0, min(page, pages - 1))
        found = await self._store.rows(_PAGES[by], {"guild": guild, "size": size, "offset": page * size})
        first = await self._place(guild, by, found[0].value) if page and found else 1
        own = await self._own(guild, by, user)
        return Leaderboard(by, page, pages, tuple(_standings(found, page * size, first)), own, people)

    async def around(self, guild: int, by: Ladder, own: Ranked) -> list[Ranked]:
        """Return a member (`own`) between those who stand before and behind them on the board, if there are any."""
        values = {"guild": guild, "value": own.value, "member": own.member}
        rows = sorted(await self._store.rows(_NEXT_TO[by], values), key=lambda row: (-row.value, row.id))
        index = sum((-row.value, row.id) < (-own.value, own.member) for row in rows)
        near = [await self._ranked(guild, by, row) for row in rows[max(0, index - 1) : index + 1]]
        near.insert(min(index, 1), own)
        return near

    async def crowded(self) -> list[int]:
        """Return the guilds with many members whose latest changes are not counted yet."""
        return [row.guild for row in await self._store.rows(_CROWDED)]

    async def catch_up(self, guild: int) -> None:
        """Count the members that changed since they were last counted; leave some for later if they keep changing."""
        for _ in range(ATTEMPTS):
            try:
                while stale := await self._store.rows(_STALE_ONES, {"guild": guild}):
                    await self._store.write.run(self._counting(guild, stale))
            except _Overtaken:
                continue
            return

    # -- private ---------------------------------------------------------------------------------------------------

    async def _own(self, guild: int, by: Ladder, user: int | None) -> Ranked | None:
        row = await self._store.row(_OWN[by], {"guild": guild, "user": user})
        return await self._ranked(guild, by, row) if row is not None else None

    async def _ranked(self, guild: int, by: Ladder, row: Row) -> Ranked:
        return Ranked(await self._place(guild, by, row.value), row.id, row.user_id, row.value)

    async def _place(self, guild: int, by: Ladder, value: int) -> int:
        above = await self._store.value(_ABOVE, {"guild": guild, "ladder": by.value, **_ranges(value)})
        return 1 + int(above)

    def _counting(self, guild: int, stale: Sequence[Row]) -> Batch:
        batch = self._store.batch()
        moved: Counter[tuple[str, int, int]] = Counter()
        for row in stale:
            now = {rungs.counted: _standing_value(row, ladder) for ladder, rungs in _LADDERS.items()}
            seen = {f"seen_{name}": row._mapping[name] for name in _SEEN}
            batch.must(_COUNTED, {**now, **seen, "member": row.id}, _Overtaken(str(row.id)))
            for ladder, rungs in _LADDERS.items():
                moved.update(dict.fromkeys(_stretches(ladder, now[rungs.counted]), 1))
                moved.subtract(dict.fromkeys(_stretches(ladder, row._mapping[rungs.counted]), 1))
        for (ladder_name, level, stretch), people in sorted(moved.items()):
            if people:
                place = {"guild": guild, "ladder": ladder_name, "level": level, "stretch": stretch}
                batch.add(_TALLY, {**place, "people": people})
        return batch


def _standings(rows: Sequence[Row], offset: int, first: int) -> Iterator[Ranked]:
    """Yield the members of a page with their places. Members with equal values share one place.

    The first row is at this offset on the board. Its place is `first`, perhaps shared with equals on the page before.
    """
    place, before = first, None
    for index, row in enumerate(rows):
        if index and row.value != before:
            place = offset + index + 1
        before = row.value
        yield Ranked(place, row.id, row.user_id, row.value)


def _standing_value(row: Row, ladder: Ladder) -> int | None:
    """Return the value that a member is counted with, or None if they are not on the ladder."""
    if row.user_id is None or row.hidden or (ladder is Ladder.WINNINGS and not row.rounds):
        return None
    value: int | None = row._mapping[_LADDERS[ladder].value.name]
    return value


def _stretches(ladder: Ladder, value: int | None) -> Iterator[tuple[str, int, int]]:
    if value is not None:
        for level in range(LEVELS):
            yield ladder.value, level, _stretch(value, level)


def _stretch(value: int, level: int) -> int:
    """Add `ZERO` to a value, and return the sum's digits from level 0 (the highest) to `level` as one number.

    A value that is outside the scale counts as the nearest one on it.
    """
    on_scale = max(0, min(value + ZERO, 2 * ZERO - 1))
    return on_scale >> DIGIT * (LEVELS - 1 - level)


def _ranges(value: int) -> dict[str, int]:
    stretches = [_stretch(value, level) for level in range(LEVELS)]
    lows = {f"from_{level}": stretch for level, stretch in enumerate(stretches)}
    highs = {f"to_{level}": stretch | (1 << DIGIT) - 1 for level, stretch in enumerate(stretches)}
    return lows | highs
