"""Fields: tournaments with the same cards for all, and the tries of everybody in them (R12.8).

The deals, their answers and the tries are those of any other set. The tournament says who takes part and when it is
over; an entry names the person whose try it is.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Final

import sqlalchemy as sa

from data.base.errors import FieldClosed, NotInField, OutdatedTry
from data.base.schema import entries, members, tournaments
from data.base.set_tables import SAME_SET, sets, tries
from data.base.sets import DealtSet, FieldResult, StoredField, StoredTry
from data.base.values import NEVER
from data.drivers.batch import Batch
from data.drivers.part import Part
from data.drivers.statement import ONE, Row, Statement, columns_of, insert, param
from data.drivers.store import Store
from data.sets import tries as pressing
from data.sets.chained import add_set, end_stream
from data.sets.outages import Outages
from data.sets.stored import STORED, same_set_of
from data.sets.tries import Tries
from engine.sets.duels import RUNS_FOR, all_stood, net
from engine.sets.shares import counted
from engine.sets.tries import Try, played
from engine.tables.ports import AlreadyDone, Clock, StaleTable, StillSecret
from engine.tournament.field import Score
from engine.tournament.ports import FieldDeals, FieldStanding, TournamentRow
from engine.tournament.tournament import TournamentPhase

#: The most people that a board names in each of its groups: those who are done, who play, and who have not begun.
NAMED: Final = 20
#: Tries that are compared, or whose hands stand, at a time.
_AT_ONCE: Final = 50
#: The most attempts to let unplayed hands stand while people press at the same moment.
_TRIES: Final = 5

_this = entries.c.tournament == sa.bindparam("tournament")
_its_try = sa.and_(
    tries.c.set == sa.bindparam("set"), tries.c.person == entries.c.person, tries.c.archive == sa.literal_column("0")
)
_ITS_SET: Final = (
    STORED.add_columns(tournaments.c.phase, tournaments.c.guild.label("played_in"))
    .join(tournaments, tournaments.c.id == sets.c.tournament)
    .where(sets.c.tournament == sa.bindparam("tournament"))
)
_ENTRY: Final = (
    sa.select(entries.c.member, entries.c.person)
    .join(members, members.c.id == entries.c.member)
    .where(_this, members.c.user_id == sa.bindparam("user"))
)
_COUNTS: Final = (
    sa.select(
        sa.func.count().label("people"),
        sa.func.count(entries.c.person).label("begun"),
        sa.func.count(tries.c.finished_at).label("done"),
    )
    .select_from(entries.outerjoin(tries, _its_try))
    .where(_this)
)
_named = sa.select(members.c.user_id).join(entries, entries.c.member == members.c.id).where(_this).limit(NAMED)
_played_by = _named.join(tries, _its_try)
_DONE: Final = _played_by.where(tries.c.finished_at.is_not(None)).order_by(tries.c.finished_at, entries.c.member)
_PLAYING: Final = _played_by.where(tries.c.finished_at.is_(None)).order_by(tries.c.began_at, entries.c.member)
_WAITING: Final = _named.where(entries.c.person.is_(None)).order_by(entries.c.member)

#: Finds a tournament that is being played, after waiting for a step that may end it, and keeps it from ending until the
#: batch is written.
_IS_PLAYED: Final = Statement(
    sa.select(tournaments.c.id)
    .where(
        tournaments.c.id == param("tournament", sa.BigInteger()),
        tournaments.c.phase == sa.literal_column(f"'{TournamentPhase.PLAYING.value}'", sa.Text()),
    )
    .with_for_update(read=True)
)
_NAME: Final = Statement(
    sa.update(entries)
    .values(person=param("person", sa.BigInteger()))
    .where(
        entries.c.tournament == param("tournament", sa.BigInteger()),
        entries.c.member == param("member", sa.BigInteger()),
        entries.c.person.is_(None),
    )
)
_BEGIN: Final = Statement(
    insert(tries).values(**columns_of(tries, but=("finished_at", "points"))).on_conflict_do_nothing()
)
_mine_of_set = sa.and_(tries.c.set == sa.bindparam("set"), tries.c.archive == sa.literal_column("0"))
_UNFINISHED: Final = sa.select(tries).where(_mine_of_set, tries.c.finished_at.is_(None)).limit(_AT_ONCE)
_ALL: Final = (
    sa.select(entries.c.member, tries.c.steps)
    .select_from(entries.join(tries, _its_try))
    .where(_this)
    .order_by(entries.c.member)
)
_CHOICES: Final = sa.select(tries.c.steps, sa.func.count().label("people")).where(_mine_of_set).group_by(tries.c.steps)
_begun = (
    sa.select(sa.func.count())
    .where(entries.c.tournament == param("tournament", sa.BigInteger()), entries.c.person.is_not(None))
    .scalar_subquery()
)
_AS_MANY: Final = Statement(sa.select(ONE).where(_begun == param("begun", sa.BigInteger())))
_its_own = sa.and_(
    sets.c.tournament == param("tournament", sa.BigInteger()), sets.c.closes == sa.literal_column(str(NEVER))
)
_END_STREAM: Final = end_stream(sa.select(sets.c.stream).where(_its_own))
_END_SET: Final = Statement(sa.update(sets).values(closes=param("now", sa.Double())).where(_its_own))


class Fields(Part):
    """The deals and tries of tournaments with the same cards for all, on all servers."""

    def __init__(self, store: Store, clock: Clock, tries: Tries, outages: Outages) -> None:
        super().__init__(store, clock)
        self._tries, self._outages = tries, outages

    async def known(self, tournament: int) -> StoredField:
        """Return the deals of a tournament, or raise FieldClosed before there are any."""
        return _field(await self._row(tournament))

    # -- playing -----------------------------------------------------------------------------------------------------

    async def begin(self, field: StoredField, user: int) -> StoredTry:
        """Begin somebody's try and the time of its first hand, and return it. If it was begun before, only return it.

        Raises NotInField for anybody who has not signed up, FieldClosed once the time or the tournament is over.
        """
        entry = await self._entry(field, user)
        if entry.person is None:
            if field.over or field.deals.void or await self._is_past(field.deals.opens):
                raise FieldClosed(str(field.tournament))
            await self._begin(field, entry.member, await self._tries.sign_in(user))
        found = await self.find(field, user)
        assert found is not None
        return found

    async def find(self, field: StoredField, user: int) -> StoredTry | None:
        """Return somebody's try, or None before it is begun. Raises NotInField for anybody who has not signed up."""
        entry = await self._entry(field, user)
        return await self._tries.find_in(field.deals.id, entry.person) if entry.person is not None else None

    async def standing(self, tournament: int) -> FieldStanding:
        """Return how many people are done, are playing, and have not begun, each with the Discord ids of some of them.

        There are at most `NAMED` ids of each: of the first to finish, the first to begin, and any who have not begun.
        Raises FieldClosed before there are any deals.
        """
        row = await self._row(tournament)
        here = {"tournament": tournament, "set": row.id}
        counts = await self._store.row(_COUNTS, here)
        assert counts is not None
        done, playing, waiting = [
            tuple(each.user_id for each in await self._store.rows(query, here) if each.user_id is not None)
            for query in (_DONE, _PLAYING, _WAITING)
        ]
        return FieldStanding(
            counts.people,
            (done, counts.done),
            (playing, counts.begun - counts.done),
            (waiting, counts.people - counts.begun),
            past=await self._is_past(row.opens),
            void=bool(row.void),
        )

    # -- the end -----------------------------------------------------------------------------------------------------

    async def scores(self, tournament: int) -> tuple[Score, ...]:
        """Let every hand that is still open stand (R12.4), and return the scores of all players who have begun.

        Raises StillSecret while somebody may still play. Also raises it if people press during every attempt; a later
        call may succeed then.
        """
        if not (await self.standing(tournament)).over:
            raise StillSecret(f"tournament {tournament}")
        deals = same_set_of(await self._row(tournament))
        for _ in range(_TRIES):
            try:
                while await self._let_stand(deals):
                    pass
            except OutdatedTry:
                continue
            break
        else:
            raise StillSecret(f"tournament {tournament}")  # people press all the time: a later call may succeed
        rows = await self._store.rows(_ALL, {"tournament": tournament, "set": deals.id})
        found = list[Score]()
        for start in range(0, len(rows), _AT_ONCE):
            found += await asyncio.to_thread(_scored, deals, rows[start : start + _AT_ONCE])
        return tuple(found)

    async def result(self, tournament: int, user: int) -> FieldResult:
        """Return all deals with how many people chose what, and the try of `user`, if any.

        A hand that somebody did not play in time counts as if they had declined insurance and stood: a stored try does
        not tell such steps from presses.

        Raises StillSecret before the tournament is over, and FieldClosed if it has no deals.
        """
        row = await self._row(tournament)
        field = _field(row)
        if not field.over:
            raise StillSecret(f"tournament {tournament}")
        rows = await self._store.rows(_CHOICES, {"set": row.id})
        counts = counted((each.steps, each.people) for each in rows)
        try:
            stored = await self.find(field, user)
        except NotInField:
            stored = None
        own = stored.on(field.deals) if stored is not None else None
        return FieldResult(field, counts, sum(each.people for each in rows), own, field.deals.seed)

    # -- private -----------------------------------------------------------------------------------------------------

    async def _row(self, tournament: int) -> Row:
        row = await self._store.row(_ITS_SET, {"tournament": tournament})
        if row is None:
            raise FieldClosed(str(tournament))
        return row

    async def _entry(self, field: StoredField, user: int) -> Row:
        row = await self._store.row(_ENTRY, {"tournament": field.tournament, "user": user})
        if row is None:
            raise NotInField(str(user))
        return row

    async def _is_past(self, opened: float) -> bool:
        """Return whether the time to play deals that opened at this moment is over (R12.3).

        The minutes that the house was down do not count.
        """
        late = self._clock.now() - opened - RUNS_FOR
        return late >= 0 and late >= await self._outages.lost(opened)

    async def _begin(self, field: StoredField, member: int, person: int) -> None:
        now, batch = self._clock.now(), self._store.batch()
        batch.must(_IS_PLAYED, {"tournament": field.tournament}, FieldClosed(str(field.tournament)))
        batch.add(_NAME, {"tournament": field.tournament, "member": member, "person": person})
        empty = {"set": field.deals.id, "person": person, "archive": 0, "version": 0, "steps": ""}
        batch.add(_BEGIN, {**empty, "began_at": now, "shown_at": now})
        await self._store.write.run(batch)

    async def _let_stand(self, deals: DealtSet) -> bool:
        """Let all unplayed hands of up to fifty people stand and store that; return whether there was anybody."""
        rows = await self._store.rows(_UNFINISHED, {"set": deals.id})
        batch, now = self._store.batch(), self._clock.now()
        for row in rows:
            stored = StoredTry(**{**row._mapping, "archive": False})
            pressing.press(batch, stored, all_stood(stored.on(deals), deals.shoes), now)
        if rows:
            await self._store.write.run(batch)
        return bool(rows)


# -- what a step of the tournament brings along ------------------------------------------------------------------------


def open_for_all(batch: Batch, row: TournamentRow, deals: FieldDeals, now: float) -> None:
    """Add to a batch the deals that everybody in a tournament plays from now on.

    The batch raises AlreadyDone if they are stored already.
    """
    done = AlreadyDone(f"tournament {row.id}")
    add_set(batch, SAME_SET, row.guild, deals.root, deals.prepared, now, done, tournament=row.id)


def expect_begun(batch: Batch, tournament: int, begun: int) -> None:
    """Make the batch raise StaleTable unless exactly `begun` people have begun the deals.

    The result of the tournament has only these people in it, so nobody else may have begun since.
    """
    stale = StaleTable(f"tournament {tournament} has more players")
    batch.must(_AS_MANY, {"tournament": tournament, "begun": begun}, stale)


def close_for_all(batch: Batch, tournament: int, now: float) -> None:
    """Make a batch close the deals of a tournament that is over. A tournament without deals is left as it is."""
    values = {"tournament": tournament, "now": now}
    batch.add(_END_STREAM, values)
    batch.add(_END_SET, values)


# -- small things ------------------------------------------------------------------------------------------------------


def _field(row: Row) -> StoredField:
    over = row.phase != TournamentPhase.PLAYING
    return StoredField(row.tournament, row.played_in, over, same_set_of(row))


def _scored(deals: DealtSet, rows: Sequence[Row]) -> list[Score]:
    return [score_of(row.member, played(deals.prepared, deals.shoes, row.steps)) for row in rows]


def score_of(member: int, found: Try) -> Score:
    """Return the score of a try that is over."""
    return Score(str(member), found.losses, net(found))
