"""What the bank answers: plain frozen values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from engine.games.contract import Cents
from engine.tables.house import HouseSettings


class Ladder(StrEnum):
    """What leaderboards rank by."""

    CHIPS = "chips"
    WINNINGS = "winnings"
    WIN_RATE = "win rate"


@dataclass(frozen=True, slots=True)
class Standing:
    place: int  # equals share one
    member: int
    user: int
    value: int  # cents; of a win rate, millionths


@dataclass(frozen=True, slots=True)
class Leaderboard:
    ladder: Ladder
    page: int  # from 0
    pages: int
    rows: tuple[Standing, ...]
    own: Standing | None  # None: not on this ladder (yet)
    people: int


@dataclass(frozen=True, slots=True)
class Played:
    """A finished round in a member's history."""

    code: str  # what /verify and /history take
    table: int
    number: int
    game: str
    rules_name: str
    staked: Cents
    returned: Cents
    real: bool  # False: play chips
    at: float

    @property
    def net(self) -> Cents:
        return self.returned - self.staked


@dataclass(frozen=True, slots=True)
class HistoryPage:
    page: int
    rounds: tuple[Played, ...]
    more: bool


@dataclass(frozen=True, slots=True)
class Handout:
    """Chips given by the house: a day's, or help for the broke."""

    amount: Cents
    balance: Cents
    streak: int
    again: float  # when the next one is due


class Suits(StrEnum):
    """In how many colours the suits are."""

    TWO = "two"
    FOUR = "four"


class Shown(StrEnum):
    """How a table is shown: with its picture, or all in words."""

    PICTURES = "pictures"
    TEXT = "text"


@dataclass(frozen=True, slots=True)
class MemberSettings:
    language: str | None = None
    #: Asked before a play that costs more than a twentieth of the stake.
    warnings: bool = False
    phrase: str = ""
    #: Called when others wait for them.
    calls: bool = False
    #: None: as the server's tables.
    suits: Suits | None = None
    shown: Shown | None = None


@dataclass(frozen=True, slots=True)
class GuildSettings:
    house: HouseSettings = field(default_factory=HouseSettings)
    language: str | None = None
    channels: tuple[int, ...] = ()  # none: anywhere
    zone: str = "UTC"
    #: How old an account, and its stay on the server, must be for the daily chips.
    account_days: int = 0
    server_days: int = 0
    suits: Suits = Suits.TWO
    shown: Shown = Shown.PICTURES


@dataclass(frozen=True, slots=True)
class RuleSet:
    """A guild's own rules of a game, by value."""

    game: str
    name: str
    rules: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Job:
    """Work that is due at a time and done by one process."""

    key: str
    kind: str
    payload: Mapping[str, Any]
    due: float
    guild: int | None = None


@dataclass(frozen=True, slots=True)
class Champion:
    """Somebody's titles."""

    user: int
    tournaments: int
    tables: int  # elimination tables of their own


@dataclass(frozen=True, slots=True)
class Feeding:
    """Chips that one member has given another."""

    giver: int | None  # Discord ids; None: forgotten
    receiver: int | None
    amount: Cents
    gifts: int


# -- how well it was played --------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Ungraded:
    """A finished round with real chips that nobody has looked at yet."""

    table: int
    number: int
    guild: int
    at: float


@dataclass(frozen=True, slots=True)
class Graded:
    """How well a member played a round, in cents."""

    table: int
    number: int
    member: int
    at: float
    net: Cents
    expected: float | None  # None: nobody can say
    given_away: float = 0.0
    decisions: int = 0
    right: int = 0


@dataclass(frozen=True, slots=True)
class Missed:
    """A step that was not the best one. `doc` tells the hand, and what each action was worth."""

    table: int
    number: int
    place: int
    member: int
    at: float
    loss: float  # cents
    doc: Mapping[str, Any]
    #: When it is asked again (None: it is learned), and how often it was answered right in a row.
    due: float | None
    streak: int = 0


@dataclass(frozen=True, slots=True)
class Skill:
    """What all rounds come to, in cents, that somebody has looked at to grade a member."""

    hands: int
    known: int  # among them, those of which it is known what they were to bring
    waiting: int  # finished, not graded yet
    net: Cents
    best: Cents
    worst: Cents
    expected: float
    #: The net result of those that are known.
    measured: Cents
    given_away: float
    decisions: int
    right: int


@dataclass(frozen=True, slots=True)
class Stretch:
    """Some rounds in a row: when the last of them ended, what they brought and what they were to bring, in cents."""

    at: float
    net: Cents
    expected: float


@dataclass(frozen=True, slots=True)
class Head:
    """The last leaf of a guild's book, or one that was: whoever writes down its hash can prove all before it."""

    guild: int
    place: int  # of the leaf in the book, from 1
    hash: str
    at: float
