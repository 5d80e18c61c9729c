"""Breaks: people stop playing for a while, on all servers of the house, and nobody can end one early (R13).

A later break shortens no earlier one, and the one that ends last counts. Only a break for good can be ended, on
request and no sooner than after a year: then a second row takes its place, which ends thirty days after the request.
A break belongs to a keyed fingerprint, so it outlives *Forget me*. The transaction that stores it copies its end to the
person's rows of `members` (`resting_until`, `away_until`), where the statements that move chips check it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from itertools import chain
from typing import ClassVar, Final, NamedTuple

import sqlalchemy as sa

from data.base.errors import MayNotEnter, TooSoon
from data.base.schema import (
    KNOWN,
    OPEN_TABLE,
    OPEN_TOURNAMENT,
    breaks,
    entries,
    limits,
    members,
    tables,
    tournaments,
    wishes,
)
from data.base.values import NEVER, Length, Rest, Resting
from data.drivers.batch import Batch
from data.drivers.part import Part
from data.drivers.statement import Row, Statement, insert, insert_or_replace, param, params
from data.drivers.store import Store
from data.people.fingerprints import BREAK_BEGINS, DAY, HOUSE, Fingerprints, fingerprint_of
from data.people.limits import carry_limits, know_limits_again
from data.people.wishes import hide_again
from engine.sets.calendar import day_at
from engine.tables.ports import Clock
from engine.tables.values import Member

#: Seconds of each length of a break; one for good has none.
SECONDS: Final = {
    Length.DAY: DAY,
    Length.WEEK: 7 * DAY,
    Length.MONTH: 30 * DAY,
    Length.HALF_A_YEAR: 182 * DAY,
    Length.YEAR: 365 * DAY,
}
#: Seconds after which somebody may ask for the end of a break for good, and seconds from asking to that end.
ASKED_AFTER: Final = 365 * DAY
ENDS_AFTER: Final = 30 * DAY

_ROW: Final = ("fingerprint", "user_id", "what", "began_at", "until", "ends")
_ADD: Final = Statement(insert(breaks).values(**params(*_ROW)))
_mine = breaks.c.fingerprint == param("fingerprint", sa.Text())
_KNOW_AGAIN: Final = Statement(
    sa.update(breaks).values(user_id=param("user_id", sa.BigInteger())).where(_mine, breaks.c.user_id.is_(None))
)
_MINE: Final = Statement(sa.select(breaks).where(_mine).order_by(breaks.c.id))

_ender = breaks.alias("ender")
#: The condition of a break that counts. When somebody asks for the end of a break for good, a second row with that end
#: replaces it. Both have the same fingerprint, so the index of fingerprints finds the second row.
STANDS: Final = ~sa.exists(
    sa.select(_ender.c.id).where(_ender.c.fingerprint == breaks.c.fingerprint, _ender.c.ends == breaks.c.id)
)


def last_end(*which: sa.ColumnElement[bool]) -> sa.ScalarSelect[float]:
    """Return a subquery for the latest end of the breaks that meet these conditions; NULL without any.

    A break for good whose end was asked for does not count, because a later row has that end.
    """
    return sa.select(sa.func.max(breaks.c.until)).where(STANDS, *which).scalar_subquery()


ALL: Final = breaks.c.what == sa.literal_column(f"'{Rest.EVERYTHING.value}'")
_COPY: Final = Statement(
    sa.update(members)
    .values(resting_until=last_end(_mine), away_until=last_end(_mine, ALL))
    .where(members.c.user_id == param("user_id", sa.BigInteger()))
)


def _may(until: sa.Column[float | None]) -> Statement:
    awake = sa.or_(until.is_(None), until <= param("at", sa.Double()))
    return Statement(sa.select(members.c.id).where(members.c.id == param("member"), awake))


_MAY_STAKE: Final = _may(members.c.resting_until)
_MAY_PLAY: Final = _may(members.c.away_until)


_ended = breaks.alias("ended")
#: Adds a break of another bank. The break that it ends is found by the time at which that one began.
_CARRY: Final = Statement(
    insert(breaks).values(
        **params(*_ROW[:-1]),
        ends=sa.select(_ended.c.id)
        .where(
            _ended.c.fingerprint == param("fingerprint"), _ended.c.began_at == param("ended"), _ended.c.until == NEVER
        )
        .scalar_subquery(),
    )
)
_KEEP_WISHES: Final = insert_or_replace(wishes)
_KEPT: Final = (
    sa.select(breaks, _ended.c.began_at.label("ended"))
    .outerjoin(_ended, _ended.c.id == breaks.c.ends)
    .order_by(breaks.c.id)
)


class KeptCare(NamedTuple):
    """The breaks, limits and wishes of a bank that another one replaces."""

    breaks: Sequence[Row]
    limits: Sequence[Row]
    wishes: Sequence[Row]


class AtTables(NamedTuple):
    """A member on a break, on a server with an open table. This does not say whether they sit at one."""

    guild: int
    user: int
    from_everything: bool  # false: only from stakes of chips


_now = param("now", sa.Double())
_rests = sa.and_(KNOWN, members.c.resting_until.is_not(None), members.c.resting_until > _now)
_is_away = sa.case((members.c.away_until > _now, 1), else_=0)
_AT_TABLES: Final = Statement(
    sa.select(members.c.guild, members.c.user_id, _is_away).where(
        _rests, members.c.guild.in_(sa.select(tables.c.guild).where(OPEN_TABLE))
    )
)
_SIGNED_UP: Final = Statement(
    sa.select(tournaments.c.id, members.c.id, members.c.guild, members.c.user_id, members.c.balance)
    .select_from(tournaments)
    .join(entries, entries.c.tournament == tournaments.c.id)
    .join(members, members.c.id == entries.c.member)
    .where(
        OPEN_TOURNAMENT,
        tournaments.c.phase == "sign-up",
        _rests,
        sa.or_(entries.c.buy_in > sa.literal_column("0"), _is_away == sa.literal_column("1")),
    )
)


class Breaks(Part):
    """Begins breaks, says when they end, and finds people who take part in something although they are on one."""

    #: Seconds between looks for people on a break who still have a seat.
    every: ClassVar[float] = 5.0

    def __init__(self, store: Store, clock: Clock, fingerprints: Fingerprints) -> None:
        super().__init__(store, clock)
        self._fingerprints = fingerprints

    async def begin(self, user: int, what: Rest, length: Length) -> float:
        """Begin a break at once and return when it ends: `NEVER` for one for good."""
        now = self._clock.now()
        until = _end_of(length, now)
        await self._add(user, {"what": what.value, "began_at": now, "until": until, "ends": None})
        return until

    def end_of(self, length: Length) -> float:
        """Return when a break of this length would end if it began now: `NEVER` for one for good."""
        return _end_of(length, self._clock.now())

    async def of(self, user: int) -> Resting:
        """Return until when a person is on a break, from chips and from everything, and when they may ask to end it."""
        now = self._clock.now()
        rows = _standing(await self._rows(user))
        chips, everything = (
            max((row.until for row in rows if row.what in which and row.until > now), default=None)
            for which in (tuple(Rest), (Rest.EVERYTHING,))
        )
        for_good = [row.began_at + ASKED_AFTER for row in rows if row.until == NEVER]
        return Resting(chips, everything, max(for_good, default=None))

    async def days(self, user: int) -> frozenset[int]:
        """Return the days (by number) up to today on which a person was on a break. They end no streak (R11.8)."""
        spans = await self._spans(user)
        return frozenset(chain.from_iterable(range(day_at(began), day_at(end) + 1) for began, end in spans))

    async def rested(self, user: int, since: float) -> float:
        """Return for how many seconds since a moment a person was on a break.

        They are added to the time in which a streak of daily chips can be continued (R10.3).
        """
        seconds, counted = 0.0, since
        for began, end in sorted(await self._spans(user)):
            seconds += max(0.0, end - max(began, counted))
            counted = max(counted, end)
        return seconds

    async def ask_to_end(self, user: int) -> float:
        """Let a person's breaks for good end in thirty days, and return that moment.

        Until a year after the last of them began, raises TooSoon instead, and none of them ends. TooSoon has the time
        from which the person may ask, which is `NEVER` if they have no break for good.
        """
        now = self._clock.now()
        rows = [row for row in _standing(await self._rows(user)) if row.until == NEVER]
        again = max((row.began_at + ASKED_AFTER for row in rows), default=NEVER)
        if now < again:
            raise TooSoon(again)
        for row in rows:
            await self._add(user, {"what": row.what, "began_at": now, "until": now + ENDS_AFTER, "ends": row.id})
        return now + ENDS_AFTER

    async def kept(self) -> KeptCare:
        """Return the breaks, limits and choices (`Wishes`) of all people, for the bank that replaces this one."""
        rows, in_order = self._store.rows, sa.select(limits).order_by(limits.c.id)
        return KeptCare(await rows(_KEPT), await rows(in_order), await rows(sa.select(wishes)))

    async def take_over(self, kept: KeptCare) -> int:
        """Copy to this restored bank the breaks and limits that it lacks, and all rows of `wishes`.

        `kept` is what the replaced bank had. Return how many breaks were added. The fingerprints of both banks must
        have the same key (`Fingerprints.take_over`).
        """
        here = {(row.fingerprint, row.began_at, row.what) for row in await self._store.rows(sa.select(breaks))}
        lacking = [row for row in kept.breaks if (row.fingerprint, row.began_at, row.what) not in here]
        for row in lacking:
            batch = self._store.batch()
            batch.add(_CARRY, {**{name: getattr(row, name) for name in _ROW[:-1]}, "ended": row.ended})
            batch.add(_COPY, {"fingerprint": row.fingerprint, "user_id": row.user_id})
            await self._store.write.run(batch)
        await carry_limits(self._store, kept.limits)
        for row in kept.wishes:
            batch = self._store.batch()
            batch.add(_KEEP_WISHES, dict(row._mapping))
            hide_again(batch, row.user_id)
            await self._store.write.run(batch)
        await self._know_again({row.fingerprint for row in (*kept.breaks, *kept.limits) if row.user_id is None})
        return len(lacking)

    async def at_tables(self) -> Sequence[AtTables]:
        """Return everybody on a break who is a member of a guild with an open table, whether they sit there or not."""
        rows = await self._store.fetch(_AT_TABLES, {"now": self._clock.now()})
        return [AtTables(guild, user, from_everything=bool(away)) for guild, user, away in rows]

    async def signed_up(self) -> Sequence[tuple[int, Member]]:
        """Return pairs of a tournament that has not begun and a member to be taken out of it because of a break.

        Somebody on a break from chips may stay in a tournament without a buy-in.
        """
        rows = await self._store.fetch(_SIGNED_UP, {"now": self._clock.now()})
        return [(row[0], Member(*row[1:])) for row in rows]

    # -- private ---------------------------------------------------------------------------------------------------

    async def _spans(self, user: int) -> Sequence[tuple[float, float]]:
        """Return the beginning and the end of each break of a person; the end is now if the break is not over."""
        now, rows = self._clock.now(), await self._rows(user)
        ends = {row.id: row.until for row in rows} | {row.ends: row.until for row in rows}
        return [(row.began_at, min(ends[row.id], now)) for row in rows]

    async def _rows(self, user: int) -> Sequence[Row]:
        fingerprint = fingerprint_of(await self._fingerprints.key(), HOUSE, user)
        return await self._store.rows(sa.select(breaks).where(breaks.c.fingerprint == fingerprint))

    async def _know_again(self, nameless: Collection[str]) -> None:
        """Apply the breaks and limits with these fingerprints to the accounts of the people to whom they belong.

        The replaced bank had forgotten these people, and this one could not, because they are still playing in it.
        """
        if not nameless:
            return
        key = await self._fingerprints.key()
        for row in await self._store.rows(sa.select(members.c.user_id).where(KNOWN).distinct()):
            if fingerprint_of(key, HOUSE, row.user_id) in nameless:
                batch = self._store.batch()
                know_again(batch, key, row.user_id)
                know_limits_again(batch, key, row.user_id)
                await self._store.write.run(batch)

    async def _add(self, user: int, row: dict[str, object]) -> None:
        fingerprint = fingerprint_of(await self._fingerprints.key(), HOUSE, user)
        batch = self._store.batch()
        batch.add(BREAK_BEGINS, {})
        batch.add(_ADD, {"fingerprint": fingerprint, "user_id": user, **row})
        batch.add(_COPY, {"fingerprint": fingerprint, "user_id": user})
        await self._store.write.run(batch)


def _end_of(length: Length, began_at: float) -> float:
    return began_at + SECONDS[length] if length in SECONDS else NEVER


def know_again(batch: Batch, key: bytes, user: int) -> None:
    """Let a batch apply a person's breaks to their accounts, and put the Discord id back on breaks that lost it."""
    values = {"fingerprint": fingerprint_of(key, HOUSE, user), "user_id": user}
    batch.add(_KNOW_AGAIN, values)
    batch.add(_COPY, values)


def expect_awake(
    batch: Batch, numbers: Iterable[int], now: float, *, for_chips: bool, fault: Exception | None = None
) -> None:
    """Make a batch raise MayNotEnter, or `fault`, if one of these members is on a break.

    With `for_chips` any break counts, otherwise only a break from everything.
    """
    for member in sorted(numbers):
        awake = _MAY_STAKE if for_chips else _MAY_PLAY
        batch.must(awake, {"member": member, "at": now}, fault or MayNotEnter(member, for_chips=for_chips))


def _standing(rows: Sequence[Row]) -> list[Row]:
    ended = {row.ends for row in rows}
    return [row for row in rows if row.id not in ended]
