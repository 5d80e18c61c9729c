"""The values that the bank returns, all of them frozen."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Final

from engine.games.contract import Cents
from engine.tables.house import HouseSettings


class Ladder(StrEnum):
    """The orders that a leaderboard can have."""

    CHIPS = "chips"
    WINNINGS = "winnings"
    WIN_RATE = "win rate"


@dataclass(frozen=True, slots=True)
class Standing:
    """A member's place on a leaderboard."""

    place: int  # equal amounts share a place
    member: int
    user: int
    value: int  # cents, or millionths for a win rate


@dataclass(frozen=True, slots=True)
class Leaderboard:
    """A page of a leaderboard, with the place of the member who asks."""

    ladder: Ladder
    page: int  # from 0
    pages: int
    rows: tuple[Standing, ...]
    own: Standing | None  # None: not on this leaderboard (yet)
    people: int


@dataclass(frozen=True, slots=True)
class Played:
    """A finished round in a member's history."""

    code: str  # the name that /verify and /history take
    table: int
    number: int
    game: str
    rules_name: str
    staked: Cents
    returned: Cents
    real: bool  # false for play chips
    at: float

    @property
    def net(self) -> Cents:
        return self.returned - self.staked


@dataclass(frozen=True, slots=True)
class HistoryPage:
    """A page of a member's finished rounds, the last first."""

    page: int
    rounds: tuple[Played, ...]
    more: bool


@dataclass(frozen=True, slots=True)
class Since:
    """When a Discord account was made, and when it joined the server; None where Discord does not say."""

    account: float | None = None
    server: float | None = None


UNSAID: Final = Since()


@dataclass(frozen=True, slots=True)
class Handout:
    """Chips given by the house: the daily ones, or help for the broke."""

    amount: Cents
    balance: Cents
    streak: int
    again: float  # when the next chips are due
    until: float  # the row of daily chips goes on if the next ones are taken by then


class Suits(StrEnum):
    """The colours of the suits."""

    TWO = "two"
    FOUR = "four"


class Shown(StrEnum):
    """The form of a table: with its picture, or in words only."""

    PICTURES = "pictures"
    TEXT = "text"


@dataclass(frozen=True, slots=True)
class MemberSettings:
    """The settings of a member."""

    language: str | None = None
    #: Whether the member is warned before a play that costs more than a twentieth of the stake.
    warnings: bool = False
    phrase: str = ""
    #: Whether the member is pinged when others wait for them.
    calls: bool = False
    #: The member's choice, or None for the server's.
    suits: Suits | None = None
    shown: Shown | None = None


@dataclass(frozen=True, slots=True)
class GuildSettings:
    """The settings of a server."""

    house: HouseSettings = field(default_factory=HouseSettings)
    language: str | None = None
    channels: tuple[int, ...] = ()  # empty: anywhere
    zone: str = "UTC"
    #: How old an account, and its stay on the server, must be for the daily chips.
    account_days: int = 0
    server_days: int = 0
    suits: Suits = Suits.TWO
    shown: Shown = Shown.PICTURES


@dataclass(frozen=True, slots=True)
class RuleSet:
    """A server's own rules of a game, by value."""

    game: str
    name: str
    rules: Mapping[str, Any]


#: When a job is due that only keeps something, or is only claimed.
NEVER: Final = 2.0**40


@dataclass(frozen=True, slots=True)
class Job:
    """Work with a due time that one process does."""

    key: str
    kind: str
    payload: Mapping[str, Any]
    due: float
    guild: int | None = None


@dataclass(frozen=True, slots=True)
class Champion:
    """A member's titles."""

    user: int
    tournaments: int
    tables: int  # elimination tables won


@dataclass(frozen=True, slots=True)
class Feeding:
    """Chips that one member has given another."""

    giver: int | None  # Discord ids, or None for forgotten people
    receiver: int | None
    amount: Cents
    gifts: int


# -- how well members play ---------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Ungraded:
    """A finished round with real chips that has no grade of the present valuation."""

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
    expected: float | None  # None: unknown
    given_away: float = 0.0
    decisions: int = 0
    right: int = 0
    #: The number of the valuation that this was worked out with; it grows with every change of how rounds are valued.
    valuation: int = 1


@dataclass(frozen=True, slots=True)
class Missed:
    """A step that was not the best one. `doc` describes the hand and the value of each action."""

    table: int
    number: int
    place: int
    member: int
    at: float
    loss: float  # cents
    doc: Mapping[str, Any]
    #: When it is asked again (None: learned), and how many times in a row it was answered right.
    due: float | None
    streak: int = 0


@dataclass(frozen=True, slots=True)
class Skill:
    """A member's graded rounds in total, in cents."""

    hands: int
    known: int  # of these, the hands whose expected result is known
    waiting: int  # finished, not graded yet
    net: Cents
    best: Cents
    worst: Cents
    expected: float
    #: The net result of the rounds whose expected result is known.
    measured: Cents
    given_away: float
    decisions: int
    right: int
    #: Hands whose grade is of an older valuation, to be worked out again.
    outdated: int = 0


@dataclass(frozen=True, slots=True)
class Stretch:
    """Some consecutive rounds: the end of the last, their net result and their expected result, in cents."""

    at: float
    net: Cents
    expected: float


@dataclass(frozen=True, slots=True)
class Head:
    """The last leaf of a server's book, now or at an earlier time: its hash proves everything before it."""

    guild: int
    place: int  # the leaf's number in the book, from 1
    hash: str
    at: float
