"""Duels: the tries of both, and how they end (R12.3 to R12.6).

A duel is one row that only moves forward. The deals, their answers and the tries are those of any other set.
"""

from __future__ import annotations

from typing import ClassVar, Final

import sqlalchemy as sa

from data.base import accounts
from data.base.duels import Duelist, DuelResult, StoredDuel
from data.base.errors import DuelMoved, OutdatedTry
from data.base.set_tables import OPEN_DUEL, duels, sets, tries
from data.base.sets import DealtSet, StoredTry
from data.drivers.batch import Batch
from data.drivers.part import Part
from data.drivers.statement import Row, Statement, columns_of, insert, param
from data.drivers.store import Store
from data.people.members import Members
from data.seasons import places
from data.sets import tries as pressing
from data.sets.chained import end_stream
from data.sets.duel_points import BEFORE, BROUGHT, points_of
from data.sets.duel_rows import (
    COUNTS,
    DUE,
    IS_RUNNING,
    ITS_SET,
    NEXT_VERSION,
    ONE_DUEL,
    OPEN_OF,
    RESTING,
    SOON,
    THIS,
    duel_of,
)
from data.sets.outages import Outages
from data.sets.stakes import paid_out, pay
from data.sets.stored import duel_set_of
from data.sets.tries import Tries
from engine.fairness.chain import seed_of
from engine.sets.duels import CALLED, HAND, LINK, DuelState, DuelVerdict, Ending, all_stood, net, stood, verdict
from engine.sets.levels import played_by
from engine.sets.tries import Try
from engine.tables.ports import Clock, StillSecret

#: The most attempts at an end: it is worked out again if somebody pressed at the same moment.
_TRIES: Final = 5

#: Locks the duel against other steps at the same time, and raises its version, because somebody has begun.
_BEGINS: Final = Statement(
    sa.update(duels)
    .values(version=NEXT_VERSION)
    .where(
        *(THIS, IS_RUNNING, COUNTS),
        sa.or_(duels.c.first == param("person"), duels.c.second == param("person")),
    )
)
_begun = columns_of(tries, but=("finished_at", "points"))
_BEGIN: Final = Statement(insert(tries).values(**_begun).on_conflict_do_nothing())
END: Final = Statement(
    sa.update(duels)
    .values(
        state=DuelState.ENDED.value,
        ending=param("ending", sa.Text()),
        winner=param("winner", sa.BigInteger()),
        done=param("done", sa.Integer()),
        told=param("told", sa.Integer()),
        ended_at=param("now", sa.Double()),
        deadline=param("now", sa.Double()),
        version=NEXT_VERSION,
    )
    .where(THIS, OPEN_DUEL, duels.c.version == param("was", sa.Integer()))
)
_END_SET: Final = Statement(sa.update(sets).values(closes=param("now", sa.Double())).where(sets.c.id == param("set")))
_END_STREAM: Final = end_stream(sa.select(sets.c.stream).where(sets.c.id == param("set")))
_CALLED: Final = Statement(sa.update(duels).values(called=1).where(THIS, IS_RUNNING, duels.c.called == 0))
_TOLD: Final = Statement(sa.update(duels).values(told=1).where(THIS, ~OPEN_DUEL, duels.c.told == 0))
#: The duels that a member has won by decisions, the last one first.
_WON: Final = (
    sa.select(duels.c.id)
    .where(
        sa.or_(duels.c.challenger == sa.bindparam("member"), duels.c.challenged == sa.bindparam("member")),
        duels.c.winner == sa.bindparam("member"),
        duels.c.ending == Ending.DECISIONS.value,
    )
    .order_by(duels.c.ended_at.desc())
)


class Duels(Part):
    """Lets both sides of a duel play, and ends duels, on all servers."""

    #: Seconds between looks for duels that are due.
    every: ClassVar[float] = 5.0

    def __init__(self, store: Store, clock: Clock, members: Members, tries: Tries, outages: Outages) -> None:
        super().__init__(store, clock)
        self._members, self._tries, self._outages = members, tries, outages

    async def get(self, number: int) -> StoredDuel | None:
        """Return the duel of this number, or None."""
        row = await self._store.row(ONE_DUEL, {"id": number})
        return duel_of(row) if row is not None else None

    async def known(self, number: int) -> StoredDuel:
        """Return the duel of this number, or raise DuelMoved if there is none."""
        duel = await self.get(number)
        if duel is None:
            raise DuelMoved(str(number))
        return duel

    async def open_of(self, user: int) -> tuple[StoredDuel, ...]:
        """Return the duels of a person that are not over, the first to end first."""
        return tuple(duel_of(row) for row in await self._store.rows(OPEN_OF, {"user": user}))

    async def is_past(self, duel: StoredDuel) -> bool:
        """Return whether the time of a challenge or duel is over, not counting the minutes that the house was down."""
        late = self._clock.now() - duel.deadline
        since = duel.made_at if duel.accepted_at is None else duel.accepted_at
        return late >= 0 and late >= await self._outages.lost(since)

    # -- playing -----------------------------------------------------------------------------------------------------

    async def deals(self, duel: StoredDuel) -> DealtSet:
        """Return all deals of a duel. The caller must show a player only those that this player has come to."""
        return duel_set_of(await self._row_of_set(duel))

    async def begin(self, duel: StoredDuel, user: int) -> StoredTry:
        """Begin a player's try and the time of its first hand, or return the try that was begun.

        Raises DuelMoved if the duel does not run, its time is over, or this user is not in it.
        """
        person = _person(duel, user)
        if person is None:
            raise DuelMoved(str(duel.id))
        found = await self._tries.find_in(duel.set, person)
        if found is not None:
            return found
        if duel.state is not DuelState.RUNNING or await self.is_past(duel):
            raise DuelMoved(str(duel.id))
        now, batch = self._clock.now(), self._store.batch()
        batch.must(_BEGINS, {"id": duel.id, "person": person}, DuelMoved(str(duel.id)))
        empty = {"set": duel.set, "person": person, "archive": 0, "version": 0, "steps": ""}
        batch.add(_BEGIN, {**empty, "began_at": now, "shown_at": now})
        await self._store.write.run(batch)
        found = await self._tries.find_in(duel.set, person)
        assert found is not None
        return found

    async def find(self, duel: StoredDuel, user: int) -> StoredTry | None:
        """Return a player's try; None for somebody who has not begun, or is not in the duel."""
        person = _person(duel, user)
        return await self._tries.find_in(duel.set, person) if person is not None else None

    async def in_time(self, stored: StoredTry, deals: DealtSet) -> StoredTry:
        """Return the try; if the time of its hand is over, let the hand stand and store that first (R12.3).

        Storing raises what `Tries.press` raises.
        """
        if stored.shown_at is None or stored.finished_at is not None:
            return stored
        found, late = stored.on(deals), self._clock.now() - stored.shown_at - HAND
        if found.round.over or late < 0 or late < await self._outages.lost(stored.shown_at):
            return stored
        return await self._tries.press(stored, stood(found, deals.shoes))

    # -- the end -----------------------------------------------------------------------------------------------------

    async def due(self) -> list[tuple[int, int]]:
        """Return the numbers of duels that may have to end, or whose end is to be announced, each with its server."""
        now = {"now": self._clock.now()}
        found = [*await self._store.rows(DUE, now), *await self._store.rows(RESTING, now)]
        return [(row.id, row.guild) for row in found]

    async def soon(self) -> list[tuple[int, int]]:
        """Return the duels of two people that end within two hours, each with its server.

        A duel whose players were already called to its end is left out.
        """
        found = await self._store.rows(SOON, {"until": self._clock.now() + CALLED})
        return [(row.id, row.guild) for row in found]

    async def called(self, number: int) -> bool:
        """Store that the players of a duel are called now, because it ends soon, and return True.

        Return False if they were called before, or if the duel is not running.
        """
        return await self._marked(_CALLED, number)

    async def end(self, number: int, why: Ending | None = None) -> StoredDuel | None:
        """End a duel that is due, or an open challenge for the reason `why`. Return the ended duel; None if it goes on.

        If the duel was over before, return it unchanged, or with a `why` return None. Raises DuelMoved if there is no
        such duel, or if people press during every attempt.
        """
        for _ in range(_TRIES):
            duel = await self.known(number)
            if duel.over:
                return duel if why is None else None
            try:
                if not await self._end(duel, why):
                    return None
            except (DuelMoved, OutdatedTry):
                continue
            return await self.known(number)
        raise DuelMoved(str(number))

    async def mark_posted(self, number: int) -> bool:
        """Store that the end of a duel is posted; return False if it was posted before, or if the duel is not over."""
        return await self._marked(_TOLD, number)

    async def won_uphill(self, member: int) -> bool:
        """Return whether a member ever won a duel by better decisions, but with a lower net result than the other."""
        for row in await self._store.rows(_WON, {"member": member}):
            duel = await self.known(row.id)
            tries = (await self.result(duel)).tries
            winner = next(place for place, side in enumerate(duel.sides) if side.member == member)
            mine, theirs = tries[winner], tries[1 - winner]
            if mine is not None and theirs is not None and net(mine) < net(theirs):
                return True
        return False

    async def result(self, duel: StoredDuel) -> DuelResult:
        """Return a duel with its deals, both tries, seed and points. Raises StillSecret before the duel is over."""
        if not duel.over:
            raise StillSecret(f"duel {duel.id}")
        row = await self._row_of_set(duel)
        deals = duel_set_of(row)
        one, other = [await self._stood(duel, side, deals, self._store.batch()) for side in duel.sides]
        brought = {
            each.member: each.points for each in await self._store.rows(BROUGHT, {"duel": accounts.duel(duel.id)})
        }
        challenger, challenged = (brought.get(side.member, 0) for side in duel.sides)
        return DuelResult(duel, deals, (one, other), seed_of(bytes(row.root), LINK), (challenger, challenged))

    # -- private -----------------------------------------------------------------------------------------------------

    async def _marked(self, statement: Statement, number: int) -> bool:
        try:
            await self._store.change(statement, {"id": number}, DuelMoved(str(number)))
        except DuelMoved:
            return False
        return True

    async def _row_of_set(self, duel: StoredDuel) -> Row:
        row = await self._store.row(ITS_SET, {"set": duel.set})
        assert row is not None
        return row

    async def _end(self, duel: StoredDuel, why: Ending | None) -> bool:
        """End a duel, pay its stakes and points, and return True; or return False if it is to go on.

        `why` is the reason for which somebody ends an open challenge, or None to end only what is due. Raises
        DuelMoved or OutdatedTry if somebody changed the duel or a try at the same moment.
        """
        now, batch = self._clock.now(), self._store.batch()
        found = await self._verdict(duel, why, batch)
        if found is None:
            return False
        winner = duel.sides[found.winner].member if found.winner is not None else None
        done = sum(side.began for side in duel.sides) if found.ending is not Ending.CALLED_OFF else 0
        values: dict[str, object] = {
            "id": duel.id,
            "was": duel.version,
            "ending": found.ending.value,
            "winner": winner,
            "done": done,
        }
        values |= {"told": int(duel.level is not None), "now": now, "set": duel.set}
        batch.must(END, values, DuelMoved(str(duel.id)))
        batch.add(_END_SET, values)
        batch.add(_END_STREAM, values)
        pay(batch, list(paid_out(duel, winner)), now)
        places.award(batch, duel.guild, accounts.duel(duel.id), await self._points(duel, found.ending, winner), now)
        await self._store.write.run(batch)
        return True

    async def _points(self, duel: StoredDuel, ending: Ending, winner: int | None) -> list[tuple[int, int]]:
        """Return the members who get points of the season for a duel that ends like this, and how many points.

        `winner` is a member, or None if nobody has won.
        """
        challenger, challenged = (side.member for side in duel.sides)
        assert challenger is not None
        pair = {"set": duel.set, "challenger": challenger, "challenged": challenged}
        before = await self._store.row(BEFORE, pair) or ()
        return list(points_of(ending, winner, (challenger, challenged), duel.accepted_at, before))

    async def _verdict(self, duel: StoredDuel, why: Ending | None, batch: Batch) -> DuelVerdict | None:
        """Return how a duel ends now, or None if it goes on.

        `why` is the reason if somebody ends an open challenge, else None. If the time of an accepted duel is over, the
        batch also gets the action *stand* for all hands that are left in tries that were begun.
        """
        deals = await self.deals(duel)
        if deals.void or await self._is_called_off(duel):
            return DuelVerdict(Ending.CALLED_OFF)
        past = await self.is_past(duel)
        if duel.state is DuelState.CHALLENGED:
            ending = Ending.UNANSWERED if past else why
            return DuelVerdict(ending) if ending is not None else None
        all_done = all(side.done or side.person is None for side in duel.sides)
        if why is not None or not (past or all_done):
            return None
        one, other = [await self._stood(duel, side, deals, batch) for side in duel.sides]
        return verdict(one, other, duel.level)

    async def _is_called_off(self, duel: StoredDuel) -> bool:
        """Return whether the break of a player calls off a duel that nobody has begun (R12.4)."""
        if any(side.began for side in duel.sides):
            return False
        rows = [await self._members.row(side.member) for side in duel.sides if side.member is not None]
        ends = [row.resting_until if duel.stake else row.away_until for row in rows]
        return any(until is not None and until > self._clock.now() for until in ends)

    async def _stood(self, duel: StoredDuel, side: Duelist, deals: DealtSet, batch: Batch) -> Try | None:
        """Return a player's try, played to its end, or None if they never began.

        If hands are left, the action *stand* is played on all of them, and the batch stores this. A computer player's
        try is worked out.
        """
        if side.person is None:
            return played_by(duel.level or "", deals.prepared, deals.shoes)
        stored = await self._tries.find_in(duel.set, side.person)
        if stored is None:
            return None
        found = all_stood(stored.on(deals), deals.shoes)
        if stored.finished_at is None:
            pressing.press(batch, stored, found, self._clock.now())
        return found


def _person(duel: StoredDuel, user: int) -> int | None:
    side = duel.side_of(user)
    return duel.sides[side].person if side is not None else None
