"""What the tournaments need of the world beyond what tables need: a bank that keeps them, a voice, a calendar."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from engine.games.contract import Cents
from engine.live.ports import Bank, Title, Transfer

if TYPE_CHECKING:
    from engine.live.cup_state import CupState
    from engine.live.cup_view import CupView
    from engine.live.table import Table

# -- the bank ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class CupRow:
    """A tournament as the bank keeps it. `doc` is its own JSON; the rest is there to be searched and proved."""

    id: int
    guild: int
    channel: int
    organiser: int  # member
    phase: str  # engine.games.tournament.cup.CupPhase
    open: bool
    starts: float
    doc: str
    version: int  # 1 when it is new, and always one more than what is stored


@dataclass(frozen=True, slots=True)
class Entry:
    """Somebody is in a tournament, for so much."""

    member: int
    buy_in: Cents


@dataclass(frozen=True, slots=True)
class CupChange:
    """One step of a tournament with all its chips, in one transaction or not at all."""

    cause: str  # unique for ever
    row: CupRow
    transfers: Sequence[Transfer] = ()
    entered: Sequence[Entry] = ()
    withdrawn: Sequence[int] = ()  # members
    title: Title | None = None
    #: The next of a series. Its sign-up begins when this one's has ended.
    successor: CupRow | None = None


class DueJob(Protocol):
    @property
    def key(self) -> str: ...

    @property
    def payload(self) -> Mapping[str, Any]: ...

    @property
    def due(self) -> float: ...

    @property
    def guild(self) -> int | None: ...


class CupBank(Bank, Protocol):
    """What the director needs of `data.Bank`. Every tournament has a job; who has claimed it runs the tournament."""

    async def commit_cup(self, change: CupChange) -> None:
        """All of it, or none and a fault of `engine.live.ports`: StaleTable if the stored one is another."""

    async def stored_cup(self, cup: int) -> CupRow | None: ...

    async def open_cups(self, guild: int | None = None) -> Sequence[CupRow]: ...

    async def waiting_jobs(self, kind: str, guild: int | None = None) -> Sequence[DueJob]: ...

    async def claim_job(self, key: str, by: str, *, seconds: float) -> bool: ...

    async def renew_job(self, key: str, by: str, *, seconds: float) -> None: ...

    async def release_job(self, key: str, by: str, *, due: float) -> None: ...

    async def finish_job(self, key: str, by: str) -> None: ...


# -- Discord -----------------------------------------------------------------------------------------------------------


class PlaceGone(Exception):
    """The channel of the tournament is not there any more, or closed to us."""


class Herald(Protocol):
    """Tells people. It raises PlaceGone where nobody can be told; any other fault is passing, and tried again."""

    async def sign_up(self, view: CupView) -> int:
        """Post the sign-up message, or bring the posted one up to date; its id."""

    async def remind(self, view: CupView) -> None: ...

    async def place(self, view: CupView, number: int) -> int:
        """Where table `number` of this stage shall be: a thread of its own, or the channel."""

    async def put_up(self, table: Table) -> None:
        """Post the message of a table that has none, and call those who play there."""

    async def standings(self, view: CupView) -> int:
        """Post the standings, or bring the posted ones up to date; the message's id."""

    async def farewell(self, view: CupView) -> None:
        """The end: places and prizes, or why there was nothing."""


class Calendar(Protocol):
    def following(self, state: CupState, after: float) -> tuple[str, float] | None:
        """The next occurrence of a series that is later than `after`: its hour as people say it, and the instant."""
