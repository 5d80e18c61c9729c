"""Grades of played rounds: what is still to be graded, the totals of a member, and mistakes to learn from."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Collection, Sequence
from typing import Any, Final

import sqlalchemy as sa

from data.base import accounts
from data.base.json_text import compact
from data.base.schema import grades, members, mistakes, plays, rounds, transfers
from data.base.values import Graded, Missed, PlotPoint, Skill, Ungraded
from data.drivers.part import Part
from data.drivers.statement import Row, Statement, columns_of, insert, param, params
from data.journal import reading
from data.journal.round_rows import ROUNDS
from data.seasons import member_days, milestones, places
from data.seasons.milestones import Milestone
from engine.games.blackjack.actions import DECLINE
from engine.games.contract import Cents
from engine.tables.ports import MemberGone
from engine.tables.values import StoredRound

_SAME: Final = sa.and_(
    grades.c.table_id == plays.c.table_id, grades.c.number == plays.c.number, grades.c.member == plays.c.member
)
#: The order in which rounds end, also of those that ended in the same instant.
_ENDED: Final = (plays.c.at, plays.c.table_id, plays.c.number)
_OUTDATED: Final = grades.c.valuation < sa.bindparam("valuation")
#: Plays with real chips that have no grade of this valuation or a later one, the newest first, without those of
#: forgotten members.
_UNGRADED: Final = (
    sa.select(plays.c.table_id, plays.c.number, members.c.guild, plays.c.at)
    .join(members, sa.and_(members.c.id == plays.c.member, members.c.user_id.is_not(None)))
    .join(grades, _SAME, isouter=True)
    .where(plays.c.real == sa.literal_column("1"), sa.or_(grades.c.member.is_(None), _OUTDATED))
    .order_by(*(column.desc() for column in _ENDED))
    .limit(sa.bindparam("most"))
)
_SHARD: Final = members.c.guild.bitwise_rshift(sa.literal_column("22"))

#: The columns of a grade besides the round, the member and the time.
_GRADED: Final = (
    *("net", "expected", "given_away", "decisions", "right", "valuation"),
    *("close", "close_right", "units"),
)
_MINE: Final = grades.c.member == sa.bindparam("member")
_KNOWN: Final = grades.c.expected.is_not(None)


def _stretches() -> sa.Select[Any]:
    """Return a query that divides a member's rounds, in order of time, into equal parts and sums up each part.

    Rounds whose expected result is unknown are left out.
    """
    order = (grades.c.at, grades.c.table_id, grades.c.number)
    numbered = (
        sa.select(
            grades.c.at,
            grades.c.net,
            grades.c.expected,
            (sa.func.ntile(sa.bindparam("stretches", type_=sa.Integer)).over(order_by=order)).label("stretch"),
        )
        .where(_MINE, _KNOWN)
        .subquery()
    )
    sums = (
        sa.func.max(numbered.c.at).label("at"),
        sa.func.sum(numbered.c.net).label("net"),
        sa.func.sum(numbered.c.expected).label("expected"),
    )
    return sa.select(*sums).group_by(numbered.c.stretch).order_by(numbered.c.stretch)


_STRETCHES: Final = _stretches()
#: The number of graded rounds above which a member's plot is made from sums of days: reading all would take too long.
_MANY: Final = 5_000


def _replace(table: sa.Table, but: Collection[str] = ()) -> Statement:
    """Return an insert that overwrites a row with the same key, except for the columns in `but`."""
    row, key = list(table.columns.keys()), [column.name for column in table.primary_key.columns]
    new = insert(table).values(**columns_of(table))
    rest = {name: new.excluded[name] for name in row if name not in (*but, *key)}
    return Statement(new.on_conflict_do_update(index_elements=key, set_=rest))


_LOCK: Final = Statement(
    sa.select(members.c.id)
    .where(members.c.id == param("member"), members.c.user_id.is_not(None))
    .with_for_update(key_share=True)
)
_mistake = [mistakes.c[name] == param(name) for name in ("table_id", "number", "place", "member")]
_KEEP_GRADE: Final = _replace(grades)
_KEEP_MISTAKE: Final = _replace(mistakes, but=("due", "streak"))
_DROP_MISTAKE: Final = Statement(sa.delete(mistakes).where(*_mistake))
_LEARN: Final = Statement(
    sa.update(mistakes).values(**params("due", "streak")).where(*_mistake, mistakes.c.due == param("was_due"))
)


#: A person's mistakes in playing hands. Those about insurance are the ones that had *No insurance* as a choice.
_OF_PERSON: Final = (
    sa.select(mistakes)
    .join(members, members.c.id == mistakes.c.member)
    .where(members.c.user_id == sa.bindparam("user"), ~mistakes.c.doc.contains(f'"{DECLINE}":'))
    .order_by(mistakes.c.loss.desc(), mistakes.c.at)
    .limit(sa.bindparam("most"))
)


class Grades(Part):
    """The grades of members' play, round by round.

    A *valuation* is a version of how plays are graded (`engine.coach.grading.VALUATION`). When a later one comes, the
    rounds are graded again.
    """

    # -- what is to be graded ------------------------------------------------------------------------------------------

    async def ungraded(
        self,
        before: float,
        since: float,
        most: int,
        shards: Collection[int] | None = None,
        shard_count: int = 1,
        *,
        valuation: int = 1,
        after: Ungraded | None = None,
    ) -> tuple[Ungraded, ...]:
        """Return rounds that ended after `since`, up to `before`, without a grade of this valuation or a later one.

        The newest come first; `after` is the last one of the page before. They are of all guilds, or of the guilds in
        these shards. Play chips and forgotten members do not count. At most `most` results of members are looked at; a
        round with several is returned once.
        """
        query = _UNGRADED.where(plays.c.at <= (before if after is None else after.at), plays.c.at > since)
        if after is not None:
            last = zip((after.at, after.table, after.number), _ENDED, strict=True)
            query = query.where(sa.tuple_(*_ENDED) < sa.tuple_(*(sa.literal(value, by.type) for value, by in last)))
        if shards is not None:
            query = query.where((_SHARD % shard_count).in_(shards))
        return _unique(await self._store.rows(query, {"most": most, "valuation": valuation}))

    async def ungraded_of(self, member: int, most: int, *, valuation: int = 1) -> tuple[Ungraded, ...]:
        """Return up to `most` rounds of a member that are not graded by version `valuation` or a later one.

        The newest come first. Rounds with play chips do not count.
        """
        skill = await self.skill(member, valuation=valuation)
        left = min(most, skill.waiting + skill.outdated)  # the search ends with the last of them
        if not left:
            return ()
        query = _UNGRADED.where(plays.c.member == member)
        return _unique(await self._store.rows(query, {"most": left, "valuation": valuation}))

    async def finished_round(self, table: int, number: int) -> StoredRound | None:
        """Return a round by its table and number, or None while it is not over."""
        this = sa.and_(rounds.c.table_id == table, rounds.c.number == number, rounds.c.finished_at.is_not(None))
        async with self._store.reading() as connection:
            found = await reading.stored_rounds(connection, ROUNDS.where(this))
        return found[0] if found else None

    async def purses(self, guild: int, stored: StoredRound, seat: int) -> tuple[Cents | None, ...]:
        """Return, for each step of a round, the chips that this seat had besides its stakes before the step.

        The value is None at steps of other seats, and at all steps if it is unknown. A step of this seat may have
        stored the value; otherwise it is worked out from the ledger.
        """
        member, steps = stored.members[seat], stored.record.steps if stored.record is not None else ()
        mine = [place for place, step in enumerate(steps) if step.seat == seat]
        noted = [stored.purses[place] if place in mine else None for place in range(len(steps))]
        if member is None or all(noted[place] is not None for place in mine):
            return tuple(noted)
        left = await self._after_staking(guild, stored, member)
        if left is None:
            return (None,) * len(steps)
        at_first, paid = left
        for place in mine:
            noted[place] = at_first - sum(amount for step, amount in paid.items() if step < place)
        return tuple(noted)

    # -- grades --------------------------------------------------------------------------------------------------------

    async def keep(self, grade: Graded, missed: Sequence[Missed] = ()) -> None:
        """Store a grade and its mistakes in place of the older ones of this member and round.

        The sums of the member's day are updated, and so are the member's places in the seasons of that day. A season
        that has ended is not updated if it had counted an older grade. A step that still counts as a mistake keeps its
        due time and streak. Nothing is stored of a person who was forgotten.
        """
        batch, again = self._store.batch(), await self._is_ranked(grade)
        this = {"table_id": grade.table, "number": grade.number, "member": grade.member, "at": grade.at}
        batch.must(_LOCK, this, MemberGone(str(grade.member)))
        member_days.uncount(batch, this)
        batch.add(_KEEP_GRADE, {**this, **{name: getattr(grade, name) for name in _GRADED}})
        member_days.count(batch, this)
        day, now = int(grade.at // member_days.DAY), self._clock.now()
        places.graded(batch, grade.member, day, again=again, now=now)
        for place in await self._places_of(grade) - {one.place for one in missed}:
            batch.add(_DROP_MISTAKE, {**this, "place": place})
        for one in missed:
            more = {"place": one.place, "loss": one.loss, "doc": compact(dict(one.doc))}
            batch.add(_KEEP_MISTAKE, {**this, **more, "due": one.due, "streak": one.streak})
        with contextlib.suppress(MemberGone):
            await self._store.write.run(batch)

    async def skill(self, member: int, *, valuation: int = 1) -> Skill:
        """Return the totals of all grades of a member.

        `valuation` is the present version of grading; `outdated` counts the hands with a grade of an older one.
        """
        return await member_days.skill(self._store, member, valuation)

    async def milestones(self, guild: int, member: int, user: int) -> tuple[Milestone, ...]:
        """Return the milestones that a member has reached, in the order of `Milestone`.

        `UPHILL` is never among them: `Duels.won_uphill` says whether it is reached.
        """
        return await milestones.reached(self._store, guild, member, user, self._clock.now())

    async def plot(self, member: int, most: int) -> tuple[PlotPoint, ...]:
        """Return the member's rounds with a known expected result, in order, summed up in at most `most` points.

        Where there are very many rounds, each point sums up whole days.
        """
        if (await self.skill(member)).hands > _MANY:
            return await member_days.plot(self._store, member, most)
        found = await self._store.rows(_STRETCHES, {"member": member, "stretches": most})
        return tuple(PlotPoint(row.at, int(row.net), float(row.expected)) for row in found)

    # -- private -------------------------------------------------------------------------------------------------------

    async def _is_ranked(self, grade: Graded) -> bool:
        """Return whether the stored grade of this member and round, if any, counts on the boards of its season."""
        this = (grades.c.table_id == grade.table, grades.c.number == grade.number, grades.c.member == grade.member)
        kept = await self._store.value(sa.select(grades.c.valuation).where(*this))
        return kept is not None and kept >= places.FIRST_VALUATION

    async def _places_of(self, grade: Graded) -> set[int]:
        """Return the numbers of the steps that are stored as mistakes of this member in this round."""
        this = (mistakes.c.table_id == grade.table, mistakes.c.number == grade.number)
        query = sa.select(mistakes.c.place).where(*this, mistakes.c.member == grade.member)
        return {row.place for row in await self._store.rows(query)}

    async def _after_staking(
        self, guild: int, stored: StoredRound, member: int
    ) -> tuple[Cents, dict[int, Cents]] | None:
        """Return the chips that a member had left once the stakes were placed, and what later steps cost them.

        The costs are by the numbers of the steps, from 0; steps that cost nothing are left out. Return None if no stake
        of the member was booked. Return None also if other chips came or went during the round, because nobody knows
        between which steps.
        """
        wallet, escrow = accounts.member(member), accounts.escrow(stored.table, stored.number)
        purses = (wallet, accounts.stack(stored.table, member))
        here = transfers.c.guild == guild
        query = sa.select(transfers).where(here, sa.or_(transfers.c.target == escrow, transfers.c.source == escrow))
        moved = await self._store.rows(query.order_by(transfers.c.id))
        paid = [move for move in moved if move.target == escrow and move.source in purses]
        staked = [move for move in paid if "/stake/" in move.key]
        if not staked:
            return None
        purse, since, until = staked[0].source, staked[-1].id, moved[-1].id
        touching = sa.and_(here, sa.or_(transfers.c.source == purse, transfers.c.target == purse))
        others = touching, transfers.c.id > since, transfers.c.id <= until
        elsewhere = transfers.c.target != escrow, transfers.c.source != escrow
        if await self._store.row(sa.select(transfers.c.id).where(*others, *elsewhere).limit(1)):
            return None
        signed = sa.case((transfers.c.target == purse, transfers.c.amount), else_=-transfers.c.amount)
        balance = await self._store.value(
            sa.select(sa.func.coalesce(sa.func.sum(signed), 0)).where(touching, transfers.c.id <= since)
        )
        return int(balance), {int(move.key.rpartition("/")[2]): move.amount for move in paid if "/step/" in move.key}


class Mistakes(Part):
    """The steps of members that were not the best ones."""

    async def costliest(self, member: int, most: int) -> tuple[Missed, ...]:
        """Return a member's costliest mistakes, the costliest first."""
        query = sa.select(mistakes).where(mistakes.c.member == member).order_by(mistakes.c.loss.desc(), mistakes.c.at)
        return tuple(map(_missed, await self._store.rows(query.limit(most))))

    async def of_person(self, user: int, most: int) -> tuple[Missed, ...]:
        """Return a person's costliest mistakes on all servers, the costliest first, without those about insurance."""
        return tuple(map(_missed, await self._store.rows(_OF_PERSON, {"user": user, "most": most})))

    async def to_try(self, member: int, now: float) -> tuple[Missed | None, int]:
        """Return a member's costliest mistake that is due to be asked again (None: none is), and how many are due."""
        due = sa.and_(mistakes.c.member == member, mistakes.c.due <= now)
        query = sa.select(mistakes).where(due).order_by(mistakes.c.loss.desc(), mistakes.c.at).limit(1)
        row = await self._store.row(query)
        count = await self._store.value(sa.select(sa.func.count()).select_from(mistakes).where(due))
        return (None if row is None else _missed(row)), int(count)

    async def one(self, member: int, table: int, number: int, place: int) -> Missed | None:
        """Return a mistake of this member by its round and step, or None."""
        this = (mistakes.c.table_id == table, mistakes.c.number == number, mistakes.c.place == place)
        row = await self._store.row(sa.select(mistakes).where(mistakes.c.member == member, *this))
        return None if row is None else _missed(row)

    async def learn(self, missed: Missed, was_due: float) -> None:
        """Store when the mistake is asked again, and how many right answers in a row it had.

        Do nothing unless the stored due time is still `was_due`: of two answers at the same time only the first counts.
        """
        values = {name: getattr(missed, name) for name in ("number", "place", "member", "due", "streak")}
        await self._store.change(_LEARN, {**values, "table_id": missed.table, "was_due": was_due})


def _unique(found: Sequence[Row]) -> tuple[Ungraded, ...]:
    """Return each round once, even if several members played in it."""
    return tuple(dict.fromkeys(Ungraded(row.table_id, row.number, row.guild, row.at) for row in found))


def _missed(row: Row) -> Missed:
    return Missed(
        table=row.table_id,
        number=row.number,
        place=row.place,
        member=row.member,
        at=row.at,
        loss=row.loss,
        doc=json.loads(row.doc),
        due=row.due,
        streak=row.streak,
    )
