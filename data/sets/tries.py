"""Tries: a row for each person and set, changed by each press, and a second row for a past day played for no points."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

import sqlalchemy as sa

from data.base.errors import DayClosed, OutdatedTry, PlayedBefore
from data.base.set_tables import BOUND_SET, OPEN_DUEL, VALID, duels, people, sets, standings, tries
from data.base.sets import DealtSet, StoredSet, StoredTry
from data.base.values import EVERYWHERE
from data.drivers.batch import Batch
from data.drivers.part import Part
from data.drivers.statement import Statement, insert, param
from data.drivers.store import Store
from data.people.fingerprints import Fingerprints
from data.seasons import places
from engine.sets.calendar import GRACE
from engine.sets.tries import NEXT, Try
from engine.tables.ports import Clock, MemberGone

_KNOWN: Final = Statement(sa.select(people.c.id).where(people.c.user_id == param("user")))
_SIGN_IN: Final = Statement(insert(people).values(user_id=param("user")).on_conflict_do_nothing())
_mine = sa.and_(tries.c.set == param("set"), tries.c.person == param("person"))
_this = sa.and_(_mine, tries.c.archive == param("archive", sa.Integer()))
_FIND: Final = Statement(sa.select(*tries.c).where(_this))
#: Finds a person who is not forgotten, and keeps them from being forgotten until the batch is written.
_STILL_KNOWN: Final = Statement(
    sa.select(people.c.id)
    .where(people.c.id == param("person"), people.c.user_id.is_not(None))
    .with_for_update(key_share=True)
)
#: Locks the person, who may finish another try at this moment: the week's board sums up all days of a person.
_ALONE: Final = Statement(sa.select(people.c.id).where(people.c.id == param("person")).with_for_update(key_share=True))
_is_open = sa.and_(
    sets.c.id == param("set"),
    VALID,
    sets.c.opens <= param("now", sa.Double()),
    sets.c.closes > param("now", sa.Double()),
)
_is_public = sa.and_(sets.c.id == param("set"), sets.c.closes <= param("late", sa.Double()))


def _begin(when: sa.ColumnElement[bool]) -> Statement:
    """Return an insert of an empty try, which does nothing if the set does not meet `when`, or if the try exists."""
    empty = sa.select(
        sets.c.id,
        param("person", sa.BigInteger()),
        param("archive", sa.Integer()),
        sa.literal_column("0"),
        sa.literal_column("''"),
        param("now", sa.Double()),
    ).where(when)
    columns = ["set", "person", "archive", "version", "steps", "began_at"]
    return Statement(insert(tries).from_select(columns, empty).on_conflict_do_nothing())


_BEGIN: Final = _begin(_is_open)
_BEGIN_LATER: Final = _begin(_is_public)
_changed = {
    "version": param("version", sa.Integer()),
    "steps": param("steps"),
    "finished_at": param("finished_at", sa.Double()),
    "points": param("points", sa.Integer()),
    "shown_at": param("shown_at", sa.Double()),
}
_as_it_was = sa.and_(_this, tries.c.version == param("was", sa.Integer()))
_unfinished = tries.c.finished_at.is_(None)
_may_go_on = sa.exists().where(sets.c.id == tries.c.set, VALID, ~BOUND_SET, sets.c.closes > param("late", sa.Double()))
_PRESS: Final = Statement(sa.update(tries).values(_changed).where(_as_it_was, _unfinished, _may_go_on))
_PRESS_LATER: Final = Statement(sa.update(tries).values(_changed).where(_as_it_was, _unfinished))
_AGAIN: Final = Statement(
    sa.update(tries)
    .values(version=tries.c.version + 1, steps="", finished_at=None, points=None, began_at=param("now", sa.Double()))
    .where(_as_it_was)
)
_SCORE: Final = Statement(
    sa.update(standings)
    .values(points=param("points", sa.Integer()))
    .where(standings.c.set == param("set"), standings.c.person == param("person"))
)
#: Waits for a press of the same try, because the place on the board needs its points.
_WAIT: Final = Statement(sa.select(tries.c.version).where(_this).with_for_update(read=True))
_points = sa.select(tries.c.points).where(_this).scalar_subquery()
_stands = sa.select(sets.c.id, param("person", sa.BigInteger()), param("guild", sa.BigInteger()), _points).where(
    sets.c.id == param("set"), VALID, ~BOUND_SET, sets.c.closes > param("late", sa.Double())
)
_STAND: Final = Statement(
    insert(standings).from_select(["set", "person", "guild", "points"], _stands).on_conflict_do_nothing()
)
_DAY: Final = sa.select(sets.c.day).where(sets.c.id == sa.bindparam("set"))
#: Counts the players of a duel who have finished. Once all have, it is due.
_DONE: Final = Statement(
    sa.update(duels)
    .values(
        done=duels.c.done + 1,
        version=duels.c.version + 1,
        deadline=sa.case(
            (sa.or_(duels.c.done > 0, duels.c.second.is_(None)), param("now", sa.Double())), else_=duels.c.deadline
        ),
    )
    .where(duels.c.set == param("set"), OPEN_DUEL)
)
_LIVE: Final = 0
_LATER: Final = 1


class Tries(Part):
    """The tries of all people. This part stores the steps of each; callers work out what a press changes."""

    def __init__(self, store: Store, clock: Clock, fingerprints: Fingerprints) -> None:
        super().__init__(store, clock)
        self._fingerprints = fingerprints

    async def sign_in(self, user: int) -> int:
        """Return the number of a person, and give them one the first time."""
        found = await self.known(user)
        if found is None:
            await self._store.change(_SIGN_IN, {"user": user})
            found = await self.known(user)
        assert found is not None
        return found

    async def known(self, user: int) -> int | None:
        """Return the number of a person, or None for somebody who has none yet, or was forgotten."""
        found = await self._store.fetch(_KNOWN, {"user": user})
        return int(found[0][0]) if found else None

    async def stand(self, day: StoredSet, person: int, guild: int) -> None:
        """Put a person on a server's board of a day, unless the day is public already (R11.6).

        Their places of the week, month and quarter are worked out again. Raises MemberGone if they were forgotten.
        """
        values = {**_values(day.id, person, _LIVE), "guild": guild, "late": self._clock.now() - GRACE}
        batch = self._store.batch()
        batch.must(_STILL_KNOWN, values, MemberGone(str(person)))
        batch.add(_WAIT, values)
        batch.add(_STAND, values)
        places.scored(batch, person, day.day)
        await self._store.write.run(batch)

    async def find(self, day: DealtSet, person: int, *, archive: bool = False) -> StoredTry | None:
        """Return a person's try of a set, or None. `archive` asks for the try of a past day, which brings no points."""
        return await self.find_in(day.id, person, archive=archive)

    async def find_in(self, number: int, person: int, *, archive: bool = False) -> StoredTry | None:
        """Return a person's try of the set with this number, or None.

        `archive` asks for the try of a past day, which brings no points.
        """
        found = await self._store.fetch(_FIND, _values(number, person, int(archive)))
        return _try(found[0]) if found else None

    async def begin(self, day: StoredSet, user: int) -> StoredTry:
        """Begin a person's only try of a set, or return the one that was begun.

        Raises DayClosed if the day is not open, PlayedBefore if the person was forgotten since it opened (R11.10), and
        MemberGone if they are forgotten at this moment.
        """
        forgotten_at = await self._fingerprints.forgotten_at(EVERYWHERE, user)
        if forgotten_at is not None and forgotten_at >= day.opens:
            raise PlayedBefore(str(day.day))
        person = await self.sign_in(user)
        await self._begin(_BEGIN, {**_values(day.id, person, _LIVE), "now": self._clock.now()})
        found = await self.find(day, person)
        if found is None:
            raise DayClosed(str(day.day))
        return found

    async def begin_later(self, day: StoredSet, user: int) -> StoredTry:
        """Begin a person's try of a public day, which brings no points, or return the one that was begun (R11.9).

        Raises DayClosed if the day is not public yet, and MemberGone if the person is forgotten at this moment.
        """
        person, now = await self.sign_in(user), self._clock.now()
        values = {**_values(day.id, person, _LATER), "now": now, "late": now - GRACE}
        await self._begin(_BEGIN_LATER, values)
        found = await self.find(day, person, archive=True)
        if found is None:
            raise DayClosed(str(day.day))
        return found

    async def again(self, stored: StoredTry) -> StoredTry:
        """Empty a person's try of a past day, and return it to be played once more.

        Raises OutdatedTry if another press has changed it.
        """
        assert stored.archive
        values = _values(stored.set, stored.person, _LATER)
        fault = OutdatedTry(str(stored.set))
        await self._store.change(_AGAIN, {**values, "was": stored.version, "now": self._clock.now()}, fault)
        return StoredTry(stored.set, stored.person, stored.version + 1, "", self._clock.now(), archive=True)

    async def press(self, stored: StoredTry, after: Try) -> StoredTry:
        """Store a try as it is `after` a press, and return it. Callers show it only then.

        When it ends, the points of a day go on the boards, and a duel counts one more player as done. Raises
        OutdatedTry if another press was faster, DayClosed if the time of the try is over.
        """
        now, batch = self._clock.now(), self._store.batch()
        scores = after.over and not stored.archive
        day = await self._store.value(_DAY, {"set": stored.set}) if scores else None
        if day is not None:
            batch.add(_ALONE, {"person": stored.person})
        kept = press(batch, stored, after, now)
        if scores:
            values = {**_values(stored.set, stored.person, _LIVE), "points": kept.points, "now": now}
            batch.add(_SCORE, values)
            if day is None:
                batch.add(_DONE, values)
            else:
                places.scored(batch, stored.person, day)
        try:
            await self._store.write.run(batch)
        except OutdatedTry:
            await self._expect_time(stored)
            raise
        return kept

    # -- private -----------------------------------------------------------------------------------------------------

    async def _begin(self, statement: Statement, values: Mapping[str, Any]) -> None:
        batch = self._store.batch()
        batch.must(_STILL_KNOWN, values, MemberGone(str(values["person"])))
        batch.add(statement, values)
        await self._store.write.run(batch)

    async def _expect_time(self, stored: StoredTry) -> None:
        """Raise DayClosed if a try has not changed since it was read (`stored`).

        Call this after a press on the try was refused: if nothing has changed the try, its time must be over.
        """
        found = await self._store.fetch(_FIND, _values(stored.set, stored.person, int(stored.archive)))
        if found and _try(found[0]).version == stored.version:
            raise DayClosed(str(stored.set))


def press(batch: Batch, stored: StoredTry, after: Try, now: float) -> StoredTry:
    """Add to a batch that `after` replaces what is stored of a try, and return the try as it is stored then.

    `after` is the same try, some presses later. The batch raises OutdatedTry if the stored try has changed since it was
    read, or if its time is over.
    """
    over, same_deal = after.over, after.steps.count(NEXT) == stored.steps.count(NEXT)
    kept = replace(
        stored,
        version=stored.version + 1 if stored.archive else len(after.steps),
        steps=after.steps,
        finished_at=now if over else None,
        points=after.points if over else None,
        shown_at=stored.shown_at if stored.shown_at is None or same_deal else now,
    )
    values = {**_values(stored.set, stored.person, int(stored.archive)), "was": stored.version, "late": now - GRACE}
    values |= {name: getattr(kept, name) for name in _changed}
    batch.must(_PRESS_LATER if stored.archive else _PRESS, values, OutdatedTry(str(stored.set)))
    return kept


def _values(number: int, person: int, archive: int) -> dict[str, Any]:
    return {"set": number, "person": person, "archive": archive}


def _try(row: Any) -> StoredTry:
    number, person, archive, version, steps, began_at, finished_at, points, shown_at = row
    return StoredTry(number, person, version, steps, began_at, finished_at, points, bool(archive), shown_at)
