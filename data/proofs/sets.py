"""Proves the sets: deals follow from their chain, and points on boards from the tries, which are played again."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from typing import Final

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from data.base.schema import tournaments
from data.base.set_tables import BOUND_SET, DAY_SET, duels, people, sets, standings, streams, tries
from data.base.sets import DealtSet
from data.drivers.statement import Row
from data.journal.leaves import HOUSE_BOOK
from data.proofs.report import Fault, Wrong
from data.proofs.slices import LAST, UNREADABLE, KeyRange, Slice, Walk, between
from data.sets.stored import SET_OF, STORED
from engine.fairness.chain import LENGTH, tip_of
from engine.games.blackjack.round import BlackjackRound
from engine.sets.answers import LETTERS, questions
from engine.sets.calendar import GRACE, closes, opens
from engine.sets.choosing import FILTER, SetDeal
from engine.sets.deals import SEAT, dealt, situation
from engine.sets.programme import programme
from engine.sets.tries import Try, played

# -- chains ------------------------------------------------------------------------------------------------------------

_STREAMS: Final = sa.select(streams).where(between(streams.c.id)).order_by(streams.c.id)


async def _look_at_streams(connection: AsyncConnection, here: KeyRange) -> Slice:
    rows = (await connection.execute(_STREAMS, here.values)).all()
    return Slice(0, [fault for row in rows for fault in _stream(row)])


def _stream(row: Row) -> Iterator[Fault]:
    tip = tip_of(bytes(row.root))
    if tip != row.tip:
        yield Fault(Wrong.CHAIN, f"stream/{row.id}", HOUSE_BOOK, f"the tip {tip}", row.tip)


# -- sets --------------------------------------------------------------------------------------------------------------

_SETS: Final = STORED.add_columns(streams.c.first_day).where(between(sets.c.id)).order_by(sets.c.id)
_LONE: Final = (
    sa.select(sets.c.id)
    .outerjoin(duels, duels.c.set == sets.c.id)
    .outerjoin(tournaments, tournaments.c.id == sets.c.tournament)
    .where(between(sets.c.id), sets.c.kind != DAY_SET, duels.c.id.is_(None), tournaments.c.id.is_(None))
)
_ORPHANS: Final = sa.select(sets.c.id).outerjoin(streams, streams.c.id == sets.c.stream)


async def _look_at_sets(connection: AsyncConnection, here: KeyRange) -> Slice:
    rows = (await connection.execute(_SETS, here.values)).all()
    lost = (await connection.execute(_ORPHANS.where(between(sets.c.id), streams.c.id.is_(None)), here.values)).scalars()
    faults = [Fault(Wrong.DAY, f"set/{number}", HOUSE_BOOK, "a chain", "none") for number in lost]
    lone = (await connection.execute(_LONE, here.values)).scalars()
    faults += [Fault(Wrong.DUEL, f"set/{number}", HOUSE_BOOK, "a duel or a tournament", "none") for number in lone]
    for row in rows:
        faults += _set(row)
    return Slice(len(rows), faults)


def _set(row: Row) -> Iterator[Fault]:
    """Find a set that cannot be played, or that does not fit its chain, its deals or, for a day, its date.

    Answers and situations follow from the deals; the link, the times and the rules of a day follow from its date.
    """
    try:
        kept = SET_OF[row.kind](row)
        if row.kind == DAY_SET:
            yield from _day(row, kept)
        if not 1 <= row.link <= LENGTH or len(kept.prepared.deals) != len(kept.prepared.answers):
            yield Fault(Wrong.DAY, f"set/{row.id}", HOUSE_BOOK, "the answers of each deal", row.deals)
        elif not _answers_all(kept):
            yield Fault(Wrong.DAY, f"set/{row.id}", HOUSE_BOOK, "an answer to each question", "others")
        elif (asked := _situations(kept)) != kept.prepared.situations:
            yield Fault(Wrong.DAY, f"set/{row.id}", HOUSE_BOOK, str(asked), str(kept.prepared.situations))
    except UNREADABLE as error:
        yield Fault(
            Wrong.DAY, f"set/{row.id}", HOUSE_BOOK, "a day that can be played", f"{type(error).__name__}: {error}"
        )


def _day(row: Row, kept: DealtSet) -> Iterator[Fault]:
    due = programme(row.day) if row.filter == FILTER else kept.prepared.terms
    found = row.guild, row.link, row.opens, row.closes, kept.prepared.terms
    expected = None, row.day - row.first_day + 1, opens(row.day), closes(row.day), due
    if found != expected:
        yield Fault(Wrong.DAY, f"set/{row.id}", HOUSE_BOOK, str(expected), str(found))


def _answers_all(kept: DealtSet) -> bool:
    """Return whether the stored answers have a value for each legal action of each question that the deals can lead to.

    Any other question or action must be missing.
    """
    return all(
        {path: worths.keys() for path, worths in answers.items()}
        == {path: {LETTERS[word] for word in asked.legal(SEAT)} for path, asked in questions(_dealt(kept, deal))}
        for deal, answers in zip(kept.prepared.deals, kept.prepared.answers, strict=True)
    )


def _dealt(kept: DealtSet, deal: SetDeal) -> BlackjackRound:
    return dealt(kept.prepared.terms.rules, kept.shoes(deal.number))


def _situations(kept: DealtSet) -> tuple[str, ...]:
    """Return the situations that the deals of a set ask about, by dealing them again."""
    return tuple(situation(_dealt(kept, deal)) for deal in kept.prepared.deals)


SETS: Final = Walk("sets", _look_at_sets, (sets.c.id,), (-LAST,), 10)
STREAMS: Final = Walk("streams", _look_at_streams, (streams.c.id,), (-LAST,), 20)

# -- tries -------------------------------------------------------------------------------------------------------------

_TRIES: Final = sa.select(tries).where(between(tries.c.set, tries.c.person, tries.c.archive))
_NOBODYS: Final = (
    sa.select(tries.c.set, tries.c.person)
    .outerjoin(people, people.c.id == tries.c.person)
    .where(between(tries.c.set, tries.c.person, tries.c.archive), people.c.id.is_(None))
)
_THEIR_SETS: Final = STORED.where(sets.c.id.in_(sa.bindparam("sets", expanding=True)))


async def _look_at_tries(connection: AsyncConnection, here: KeyRange) -> Slice:
    rows = (await connection.execute(_TRIES, here.values)).all()
    numbers = sorted({row.set for row in rows})
    theirs = (await connection.execute(_THEIR_SETS, {"sets": numbers})).all() if numbers else ()
    played_on = {row.id: _played_on(row) for row in theirs}
    faults = [fault for row in rows for fault in _try(row, played_on.get(row.set))]
    for row in (await connection.execute(_NOBODYS, here.values)).all():
        faults.append(Fault(Wrong.TRY, f"set/{row.set} person/{row.person}", HOUSE_BOOK, "a person", "none"))
    return Slice(len(rows), faults)


class _ReplayedSet:
    """A set on which tries are played again. It remembers their ends, because many people take the same steps."""

    def __init__(self, row: Row) -> None:
        self.row = row
        self._kept: DealtSet | None = None
        self._ends: dict[str, tuple[bool, int | None]] = {}

    def end(self, steps: str) -> tuple[bool, int | None]:
        """Return whether these steps end the try, and its points if they do."""
        if steps not in self._ends:
            self._kept = self._kept or SET_OF[self.row.kind](self.row)
            found: Try = played(self._kept.prepared, self._kept.shoes, steps)
            while len(self._ends) >= _WAYS:
                self._ends.pop(next(iter(self._ends)))
            self._ends[steps] = found.over, found.points if found.over else None
        return self._ends[steps]


#: Makes a `_ReplayedSet` of a row. The last few are remembered for the next slice, unless their row has changed.
_played_on: Final = lru_cache(4)(_ReplayedSet)
#: The most ways through a set that are remembered.
_WAYS: Final = 10_000


def _try(row: Row, of: _ReplayedSet | None) -> Iterator[Fault]:
    def fault(expected: object, found: object) -> Fault:
        return Fault(Wrong.TRY, f"set/{row.set} person/{row.person}", HOUSE_BOOK, str(expected), str(found))

    if of is None:
        yield fault("a set", "none")
        return
    try:
        over, points = of.end(row.steps)
    except UNREADABLE as error:
        yield fault("steps that the deals allow", f"{row.steps}: {error}")
        return
    if (row.finished_at is not None, row.points) != (over, points):
        yield fault((over, points), (row.finished_at is not None, row.points))
    if row.archive not in (0, 1) or (row.version < len(row.steps) if row.archive else row.version != len(row.steps)):
        yield fault(f"{len(row.steps)} changes", row.version)
    if not row.archive and of.row.kind == DAY_SET and not _in_time(row, of.row):
        yield fault(f"between {of.row.opens} and {of.row.closes}", (row.began_at, row.finished_at))


def _in_time(row: Row, day: Row) -> bool:
    """Return whether a try was begun while its day was open, and finished no later than is allowed (R11.1)."""
    late = row.finished_at is not None and row.finished_at > day.closes + GRACE
    return bool(day.opens <= row.began_at < day.closes) and not late


TRIES: Final = Walk("tries", _look_at_tries, (tries.c.set, tries.c.person, tries.c.archive), (-LAST, -LAST, -1), 2_000)

# -- boards ------------------------------------------------------------------------------------------------------------

_PLACES: Final = (
    sa.select(standings, tries.c.points.label("of_the_try"))
    .outerjoin(
        tries, sa.and_(tries.c.set == standings.c.set, tries.c.person == standings.c.person, tries.c.archive == 0)
    )
    .where(
        between(standings.c.set, standings.c.person, standings.c.guild),
        standings.c.points.is_distinct_from(tries.c.points),
    )
)


async def _look_at_places(connection: AsyncConnection, here: KeyRange) -> Slice:
    rows = (await connection.execute(_PLACES, here.values)).all()
    faults = [
        Fault(Wrong.TRY, f"set/{row.set} person/{row.person}", row.guild, str(row.of_the_try), str(row.points))
        for row in rows
    ]
    return Slice(0, faults)


PLACES: Final = Walk(
    "places", _look_at_places, (standings.c.set, standings.c.person, standings.c.guild), (-LAST, -LAST, -LAST), 5_000
)

#: The walks through everything about sets, and through what is not bound yet.
ALL_SETS: Final = (STREAMS, SETS, TRIES, PLACES)
_open_sets = sa.select(sets.c.id).where(~BOUND_SET)
OPEN_SETS: Final = (
    replace(SETS, which=~BOUND_SET),
    replace(TRIES, which=tries.c.set.in_(_open_sets)),
    replace(PLACES, which=standings.c.set.in_(_open_sets)),
)
