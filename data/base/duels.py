"""The values about duels that the bank takes and returns: frozen dataclasses."""

from __future__ import annotations

from dataclasses import dataclass, field

from data.base.sets import DealtSet
from engine.games.contract import Cents
from engine.sets.duels import DuelState, Ending
from engine.sets.tries import Try
from engine.tables.values import Member


@dataclass(frozen=True, slots=True)
class DuelDraft:
    """The secret root and seed of a duel that is not stored yet: its deals are prepared from them."""

    root: bytes = field(repr=False)
    tip: str  # the end of its chain, which may be shown
    seed: bytes = field(repr=False)
    dealt_as: str  # its name in the shuffle


@dataclass(frozen=True, slots=True)
class Challenge:
    """A challenge that is not stored yet. Its id is that of the press, so the same press challenges once."""

    id: int
    guild: int
    channel: int
    challenger: Member
    #: The member who is challenged, or None for a computer player of this level.
    challenged: Member | None
    level: str | None = None
    stake: Cents = 0


@dataclass(frozen=True, slots=True)
class Duelist:
    """One of the two in a duel: what everybody may know while the duel runs."""

    #: The numbers of the member and of the person (the same on all servers); None for a computer player.
    member: int | None
    person: int | None
    user: int | None  # Discord's; None once forgotten, and for a computer player
    began: bool
    done: bool


@dataclass(frozen=True, slots=True)
class StoredDuel:
    """A duel as it is stored, without the cards and plays of its players."""

    id: int
    guild: int
    channel: int
    message: int | None  # the challenge; None: it is not known to be posted
    set: int
    state: DuelState
    ending: Ending | None
    level: str | None  # the level of a computer player; None: a member is challenged
    offered: Cents  # the stake of the challenge
    stake: Cents  # the same, or 0 once it is accepted for fun
    #: The challenger and the challenged.
    sides: tuple[Duelist, Duelist]
    made_at: float
    accepted_at: float | None
    deadline: float  # the end of the challenge, then of the duel
    ended_at: float | None
    winner: int | None  # the member
    told: bool  # the end was posted
    version: int
    rules_name: str
    hands: int
    tip: str

    @property
    def over(self) -> bool:
        return self.state is DuelState.ENDED

    def side_of(self, user: int) -> int | None:
        """Return 0 for the challenger, 1 for the other, or None for anybody else."""
        return next((place for place, side in enumerate(self.sides) if side.user == user), None)


@dataclass(frozen=True, slots=True)
class DuelResult:
    """A duel that is over, with its deals and both tries; the try of a player who never began is None."""

    duel: StoredDuel
    deals: DealtSet
    tries: tuple[Try | None, Try | None]
    seed: bytes
    #: The points of the season that each side got for it.
    points: tuple[int, int]
