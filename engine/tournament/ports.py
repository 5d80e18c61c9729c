"""What the tournaments need of the world beyond what tables need: a bank that keeps them, a voice, a calendar."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

from engine.games.contract import Cents
from engine.tables.ports import Bank
from engine.tables.values import Title, Transfer

if TYPE_CHECKING:
    from engine.tables.table import Table
    from engine.tournament.state import TournamentState
    from engine.tournament.view import TournamentView

# -- the bank ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class TournamentRow:
    """A tournament as the bank keeps it. `doc` is its own JSON; the rest is there to be searched and proved."""

    id: int
    guild: int
    channel: int
    organiser: int  # member
    phase: str  # engine.tournament.tournament.TournamentPhase
    open: bool
    starts: float
    doc: str = field(repr=False)  # it has the seed of the lots
    version: int  # 1 when it is new, and always one more than what is stored


@dataclass(frozen=True, slots=True)
class Entry:
    """Somebody is in a tournament, for so much."""

    member: int
    buy_in: Cents


@dataclass(frozen=True, slots=True)
class TournamentChange:
    """One step of a tournament with all its chips, in one transaction or not at all."""

    cause: str  # unique for ever
    row: TournamentRow
    transfers: Sequence[Transfer] = ()
    entered: Sequence[Entry] = ()
    withdrawn: Sequence[int] = ()  # members
    title: Title | None = None
    #: The next of a series. Its sign-up begins when this one's has ended.
    successor: TournamentRow | None = None
    #: Whether people are to be told of it: its job is due at once, whoever lives to see to it.
    urgent: bool = False


class DueJob(Protocol):
    """Something that one process has to do, from a moment on."""

    @property
    def key(self) -> str: ...

    @property
    def payload(self) -> Mapping[str, Any]: ...

    @property
    def due(self) -> float: ...

    @property
    def guild(self) -> int | None: ...


class Tournaments(Protocol):
    """The tournaments as the bank keeps them."""

    async def commit(self, change: TournamentChange) -> None:
        """All of it, or none and a fault of `engine.tables.ports`: StaleTable if the stored one is another."""

    async def stored(self, tournament: int) -> TournamentRow | None:
        """The tournament as the bank has it; None if it never was."""

    async def still_open(self, guild: int | None = None) -> Sequence[TournamentRow]:
        """Those of which not everything is done, of all guilds or of one."""
        ...


class Jobs(Protocol):
    """Every tournament has a job; who has claimed it runs the tournament."""

    async def waiting(self, kind: str, guild: int | None = None) -> Sequence[DueJob]:
        """What nobody has finished, the most urgent first."""
        ...

    async def claim(self, key: str, by: str, *, seconds: float) -> bool:
        """Whether the job is now this process's, for so many seconds."""
        ...

    async def renew(self, key: str, by: str, *, seconds: float) -> None:
        """Keep a claim for so many seconds more, or a BankError if it is another's."""

    async def release(self, key: str, by: str, *, due: float) -> None:
        """Give a claim up; the job is due again at that moment."""

    async def finish(self, key: str, by: str) -> None:
        """The job is done for good."""


class TournamentBank(Bank, Protocol):
    """The parts of `data.Bank` that tournaments need."""

    @property
    def tournaments(self) -> Tournaments:
        """The tournaments as the bank keeps them."""
        ...

    @property
    def jobs(self) -> Jobs:
        """Who runs which."""
        ...


# -- Discord -----------------------------------------------------------------------------------------------------------


class ChannelGone(Exception):
    """The channel of the tournament is not there any more, or closed to us."""


class Announcer(Protocol):
    """Tells people. It raises ChannelGone where nobody can be told; any other fault is passing, and tried again."""

    async def sign_up(self, view: TournamentView) -> int:
        """Post the sign-up message, or bring the posted one up to date; its id."""

    async def entrants(self, view: TournamentView) -> int:
        """Post the message that lists who is in, which is never edited; its id. NotPosted where it surely was not;
        after any other fault nobody knows."""

    async def remind(self, view: TournamentView) -> None:
        """Call those who have signed up: it begins soon."""

    async def moved(self, view: TournamentView) -> None:
        """Call those who have signed up: it starts at another hour than `moved_from`."""

    async def channel_of(self, view: TournamentView, number: int) -> int:
        """Open a thread for table `number` of this stage, and return it; the channel where no thread is to be had."""

    async def put_up(self, table: Table) -> None:
        """Post the message of a table that has none, and call those who play there."""

    async def standings(self, view: TournamentView) -> int:
        """Post the standings, or bring the posted ones up to date; the message's id."""

    async def farewell(self, view: TournamentView) -> None:
        """The end: places and prizes, or why there was nothing."""

    async def event(self, view: TournamentView) -> int | None:
        """Bring the event on the server's calendar up to date; its id, if there is one. It never fails."""


class Calendar(Protocol):
    """Knows when a series goes on, by the clocks of its time zone."""

    def following(self, state: TournamentState, after: float) -> tuple[str, float] | None:
        """The next occurrence of a series that is later than `after`: its hour as people say it, and the instant."""
