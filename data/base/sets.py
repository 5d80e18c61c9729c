"""The values about sets that the bank returns: days, tries, boards and tournaments, all of them frozen."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

from engine.fairness.sets import stream
from engine.sets.deals import Stream
from engine.sets.prepared import Prepared
from engine.sets.shares import Counts
from engine.sets.tries import Try, played


@dataclass(frozen=True, slots=True)
class StreamPromise:
    """The public part of the chain of seeds that deals Today's five."""

    tip: str
    #: The first day that it deals; every later one takes the next seed.
    first_day: int


@dataclass(frozen=True, slots=True)
class DayToPrepare:
    """A day of Today's five that is not prepared yet, with what its preparation needs."""

    day: int
    stream: int
    link: int  # the number of its seed in the stream
    seed: bytes = field(repr=False)
    #: The situations that the same weekday of the four weeks before asked about: a tuple for each day that this chain
    #: has dealt, the latest first.
    before: tuple[tuple[str, ...], ...] = ()

    @property
    def asked_before(self) -> frozenset[str]:
        """The situations of all days in `before`."""
        return frozenset(situation for five in self.before for situation in five)


@dataclass(frozen=True, kw_only=True)
class DealtSet:
    """A set with its deals. Its seed and its answers are secret until it is over."""

    id: int
    dealt_as: str  # its name in the shuffle
    prepared: Prepared = field(repr=False)
    tip: str
    link: int
    seed: bytes = field(repr=False)
    opens: float
    closes: float
    #: Whether a restored backup has ended it: nothing of it counts.
    void: bool = False

    @cached_property
    def shoes(self) -> Stream:
        """The shoes that its deals are taken from."""
        return stream(self.seed, self.dealt_as, self.prepared.terms.rules.decks)


@dataclass(frozen=True, kw_only=True)
class StoredSet(DealtSet):
    """A day of Today's five that is prepared."""

    day: int  # since 1 January 1970
    number: int  # its public number; the first is 1


@dataclass(frozen=True, slots=True)
class StoredTry:
    """One person's way through a set, as it is stored."""

    set: int
    person: int
    version: int
    steps: str  # a letter for each action, with ``/`` between the deals
    began_at: float
    finished_at: float | None = None
    points: int | None = None  # hundredths
    #: Whether it is played after the day, for no points.
    archive: bool = False
    #: When the current hand was shown; None where no time runs.
    shown_at: float | None = None

    def on(self, deals: DealtSet) -> Try:
        """Return the try with its steps played on these deals, ready for the next press."""
        return played(deals.prepared, deals.shoes, self.steps)


@dataclass(frozen=True, slots=True)
class Placed:
    """A person's place on a board."""

    place: int  # equal points share a place
    user: int  # 0: somebody who is being forgotten
    points: int  # hundredths
    days: int = 1  # the days that brought the points


@dataclass(frozen=True, slots=True)
class Board:
    """A page of a board, with the place of the person who asks."""

    page: int  # the first is 0
    pages: int
    rows: tuple[Placed, ...]
    own: Placed | None  # None: not on this board
    people: int  # all people on the board


@dataclass(frozen=True, slots=True)
class ArchivedDay:
    """A past day, and how a person played it."""

    set: int
    day: int
    number: int
    name: str  # the rule set's
    points: int | None  # hundredths; None: not finished while the day was open
    #: Whether the person has begun it afterwards, for no points.
    played_later: bool


# -- the same cards for all --------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class StoredField:
    """The deals that everybody in a tournament plays."""

    tournament: int
    guild: int
    over: bool  # whether the tries were compared, or the tournament was called off
    deals: DealtSet


@dataclass(frozen=True, slots=True)
class FieldResult:
    """The deals of a tournament that is over, how many players chose what, and one person's own try."""

    field: StoredField
    counts: Counts  # a hand that was not played in time counts as one that stood, with insurance declined
    people: int  # players
    own: Try | None  # None: this person has not played
    seed: bytes
