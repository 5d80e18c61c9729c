"""The needs of tournaments beyond those of tables: a bank that stores them, an announcer, a calendar."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

from engine.games.contract import Cents
from engine.sets.prepared import Prepared
from engine.sets.programme import SetTerms
from engine.tables.ports import Bank
from engine.tables.values import Title, Transfer
from engine.tournament.field import Score

if TYPE_CHECKING:
    from engine.tables.table import Table
    from engine.tournament.state import TournamentState
    from engine.tournament.view import TournamentView

# -- the bank ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class TournamentRow:
    """A tournament as the bank stores it. `doc` is its own JSON; searches and the audit use the other fields."""

    id: int
    guild: int
    channel: int
    organiser: int  # member
    phase: str  # engine.tournament.tournament.TournamentPhase
    open: bool
    starts: float
    doc: str = field(repr=False)  # it holds the seed of the lots
    version: int  # 1 when it is new, and always one more than what is stored


@dataclass(frozen=True, slots=True)
class Entry:
    """The entry of a member into a tournament, and the buy-in paid for it."""

    member: int
    buy_in: Cents


@dataclass(frozen=True, slots=True)
class FieldDeals:
    """The deals that everybody in a tournament plays, and the secret root of the chain that their seed comes from."""

    root: bytes = field(repr=False)
    prepared: Prepared


@dataclass(frozen=True, slots=True)
class FieldStanding:
    """The progress of a tournament with the same cards: all that is public while they are played (R12.6)."""

    people: int
    #: Those who are done, who play, and who have not begun: the Discord ids of some of them, and the number of all.
    done: tuple[Sequence[int], int]
    playing: tuple[Sequence[int], int]
    waiting: tuple[Sequence[int], int]
    #: Whether the time for the deals is over, and whether a restored backup has made them void.
    past: bool = False
    void: bool = False

    @property
    def over(self) -> bool:
        """Whether the time for the deals is over, or everybody is done."""
        return self.past or self.done[1] == self.people


@dataclass(frozen=True, slots=True)
class TournamentChange:
    """One step of a tournament with all its chips, in one transaction."""

    cause: str  # unique: a second change with it is refused
    row: TournamentRow
    transfers: Sequence[Transfer] = ()
    entered: Sequence[Entry] = ()
    withdrawn: Sequence[int] = ()  # members
    titles: Sequence[Title] = ()
    #: The next tournament of the series, which is stored with this change: its sign-up begins.
    successor: TournamentRow | None = None
    #: Whether people must be informed: its job is then due at once, for whichever process is alive.
    urgent: bool = False
    #: The members on the podium, best first, with the points of the season that this brings them.
    podium: Sequence[tuple[int, int]] = ()
    #: The deals that everybody plays from now on.
    deals: FieldDeals | None = None
    #: The number of people who have begun the deals, once these are over.
    begun: int | None = None


class DueJob(Protocol):
    """Work that one process has to do, but not before `due` (in seconds since 1970)."""

    @property
    def key(self) -> str: ...

    @property
    def payload(self) -> Mapping[str, Any]: ...

    @property
    def due(self) -> float: ...

    @property
    def guild(self) -> int | None: ...


class Tournaments(Protocol):
    """The tournaments in the bank."""

    async def commit(self, change: TournamentChange) -> None:
        """Write the whole change, or raise an exception of `engine.tables.ports`: StaleTable if it is outdated."""

    async def stored(self, tournament: int) -> TournamentRow | None:
        """Return the tournament as the bank has it, or None if there never was one."""

    async def still_open(self, guild: int | None = None) -> Sequence[TournamentRow]:
        """Return the tournaments of a guild (None: of all) whose end is not announced yet, the earliest start first."""
        ...


class Jobs(Protocol):
    """The jobs of tournaments: the process that has claimed one (`by` is its name) runs its tournament."""

    async def waiting(self, kind: str, guild: int | None = None) -> Sequence[DueJob]:
        """Return the unfinished jobs of a kind in a guild (None: in all), most urgent first."""
        ...

    async def claim(self, key: str, by: str, *, seconds: float) -> bool:
        """Claim a job for some seconds, and return whether that succeeded.

        A job that is claimed already, even by `by`, cannot be claimed: `renew` extends a claim.
        """
        ...

    async def renew(self, key: str, by: str, *, seconds: float) -> None:
        """Extend a claim, or raise a BankError unless `by` has the job."""

    async def release(self, key: str, by: str, *, due: float, since: float) -> None:
        """Give up a claim, so that the job is due again at `due`. Raise a BankError unless `by` has the job.

        If somebody has made the job due at an earlier time, and did so after `since`, that time stays.
        """

    async def finish(self, key: str, by: str) -> None:
        """Mark a job as done, or raise a BankError unless `by` has it."""


class Fields(Protocol):
    """The bank's part for tournaments with the same cards for all: what everybody has played."""

    async def standing(self, tournament: int) -> FieldStanding:
        """Return how many people are done, are playing, and have not begun, each with the Discord ids of some of them.

        The standing also says whether the time for the deals is over, and whether they are void.
        """
        ...

    async def scores(self, tournament: int) -> Sequence[Score]:
        """Let every hand that is still open stand (R12.4), and return the scores of all players who have begun.

        Raise StillSecret while somebody may still play, or if each attempt fails because a press comes in between.
        """
        ...


class TournamentBank(Bank, Protocol):
    """The parts of `data.Bank` that tournaments need."""

    @property
    def tournaments(self) -> Tournaments:
        """The tournaments in the bank."""
        ...

    @property
    def fields(self) -> Fields:
        """The hands that everybody has played in tournaments with the same cards for all."""
        ...

    @property
    def jobs(self) -> Jobs:
        """The jobs of tournaments, which processes claim."""
        ...


# -- Discord -----------------------------------------------------------------------------------------------------------


class ChannelGone(Exception):
    """Raised when the tournament's channel is deleted, or closed to the bot."""


class Announcer(Protocol):
    """The part of the bot that posts the messages of tournaments.

    Its methods raise ChannelGone if nobody can be reached. Any other exception is temporary: the caller tries again.
    """

    async def sign_up(self, view: TournamentView) -> int:
        """Post the sign-up message, or bring the posted one up to date, and return its id."""

    async def entrants(self, view: TournamentView) -> int:
        """Post the list of entrants, which is never edited, and return its id.

        NotPosted means that it certainly was not posted; after any other exception nobody knows.
        """

    async def remind(self, view: TournamentView) -> None:
        """Ping the entrants, because the tournament begins soon."""

    async def moved(self, view: TournamentView) -> None:
        """Ping the entrants, because the start was moved from `TournamentState.moved_from`, which `view` still has."""

    async def channel_of(self, view: TournamentView, number: int) -> int:
        """Open a thread for table `number` of this stage and return its id, or the channel's if that is impossible."""

    async def put_up(self, table: Table) -> None:
        """Post the message of a table that has none, and ping those who play there."""

    async def standings(self, view: TournamentView) -> int:
        """Post the standings, or bring the posted ones up to date, and return the message's id.

        With the same cards for all, the first post pings the entrants, because they can play now.
        """

    async def farewell(self, view: TournamentView) -> None:
        """Bring the earlier messages up to date, and announce the end with pings: the places, or why there are none."""

    async def event(self, view: TournamentView) -> int | None:
        """Bring the calendar event up to date and return its id, if there is one. It never fails."""


class Dealer(Protocol):
    """The source of deals that leave something to decide, with the worth of every action."""

    async def __call__(self, terms: SetTerms, seed: bytes, name: str, hands: int) -> Prepared | None:
        """Return `hands` deals, or None if they cannot be worked out now.

        Their shoes follow from the seed and from `name`, the name of the set.
        """


async def nobody_deals(terms: SetTerms, seed: bytes, name: str, hands: int) -> Prepared | None:
    """Return None: a `Dealer` that works nothing out."""
    return None


class Calendar(Protocol):
    """The calendar of a series, which repeats by the local time of its zone."""

    def following(self, state: TournamentState, after: float) -> tuple[str, float] | None:
        """Return the first start of a series after `after`, as local time and in seconds since 1970.

        Return None for a tournament that is not repeated.
        """
