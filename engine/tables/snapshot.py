"""What a table shows: one frozen value, drawn by the presenter and by nobody else."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Generic, TypeAlias, TypeVar

from engine.games.contract import Cents, Seat, Settlement, Stakes

if TYPE_CHECKING:
    from engine.tables.state import Seated


class TablePhase(StrEnum):
    BETTING = "betting"  # before the first round, or between rounds
    PLAYING = "playing"
    CLOSED = "closed"


class CloseReason(StrEnum):
    LEFT = "everyone left"
    BROKE = "no stack pays another stake"
    IDLE = "nobody played"
    ADMIN = "closed by an admin"
    WON = "the contest is decided"  # stored
    CANCELLED = "the tournament is cancelled"


@dataclass(frozen=True, slots=True)
class Sitter:
    """Somebody at the table, person or computer player. `place` is the number people see, from 1."""

    place: int
    user: int | None  # Discord id of a person
    member: int | None
    computer: str | None = None  # a computer player's name
    level: str | None = None
    balance: Cents = 0
    last_stakes: Stakes | None = None
    #: Staked for the round to come (betting), or in the round on display.
    staked: Stakes | None = None
    #: The seat in the round on display; None: sits out, or joined after the deal.
    seat: Seat | None = None
    leaving: bool = False


R = TypeVar("R")
V = TypeVar("V")


@dataclass(frozen=True)  # a generic one with slots cannot be made by its full name (Python 3.11)
class GameSnapshot(Generic[R, V]):
    """A table as everybody may see it. `R` and `V` are the rules and the view of the game that is played there."""

    table: int
    guild: int
    channel: int
    message: int | None
    version: int
    game: str
    rules_name: str
    rules: R
    solo: bool
    opener: int  # Discord id
    phase: TablePhase
    #: The number of the round on display, or to come when none was dealt yet.
    round: int
    sitters: tuple[Sitter, ...]
    #: The dealt round's public view; None before the first deal.
    view: V = None  # type: ignore[assignment]
    #: By seat of the round: what its buttons may do now, funds counted. Computer players press none.
    legal: tuple[tuple[str, ...], ...] = ()
    turn: int = 0
    #: When the open question, the betting window or the idle table ends (seconds since 1970).
    deadline: float | None = None
    settlement: Settlement | None = None
    #: SHA-256 of the seed of the round on display, and of the one after it (shown once the round is over).
    commitment: str = ""
    next_commitment: str = ""
    #: Of a finished round only.
    revealed_seed: str = ""
    smallest: Cents = 100
    largest: Cents = 1_000_000
    close_reason: CloseReason | None = None
    #: The table's last results, oldest first, where the game keeps a road of them.
    road: tuple[str, ...] = ()
    #: Of an elimination table: `engine.elimination.standings.EliminationView`, and what the stake buttons stake
    #: for the seat that is asked (`smallest`, `half`, `double`, `all in`).
    elimination: Any = None
    offers: Mapping[str, Cents] = field(default_factory=dict)
    #: All who take part in the elimination, by its seats, the fallen too.
    players: tuple[Seated, ...] = ()

    def sitter_of(self, user: int) -> Sitter | None:
        return next((sitter for sitter in self.sitters if sitter.user == user), None)

    def sitter_at(self, seat: Seat) -> Sitter | None:
        return next((sitter for sitter in self.sitters if sitter.seat == seat), None)


#: Of a table of any game.
Snapshot: TypeAlias = GameSnapshot[Any, Any]
