"""The values that the bank takes and returns, all of them frozen."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
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
class Ranked:
    """A member's place on a leaderboard."""

    place: int  # equal amounts share a place
    member: int
    user: int
    value: int  # cents, or millionths for a win rate


@dataclass(frozen=True, slots=True)
class Leaderboard:
    """A page of a leaderboard, with the place of the member who asks."""

    ladder: Ladder
    page: int  # the first is 0
    pages: int
    rows: tuple[Ranked, ...]
    own: Ranked | None  # None: not on this leaderboard (yet)
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
    """A page of a member's finished rounds, the last first, and whether there are newer and older ones."""

    rounds: tuple[Played, ...]
    newer: bool
    older: bool


@dataclass(frozen=True, slots=True)
class Ages:
    """When a Discord account was made, and when it joined the server; None where Discord does not say."""

    account: float | None = None
    server: float | None = None


UNSAID: Final = Ages()


@dataclass(frozen=True, slots=True)
class Handout:
    """Chips given by the house: the daily ones, or help for the broke."""

    amount: Cents
    balance: Cents
    streak: int
    again: float  # when the next daily chips are due


class Suits(StrEnum):
    """The number of colours in which cards show their suits."""

    TWO = "two"
    FOUR = "four"


class Appearance(StrEnum):
    """The form of a table: with its picture, or in words only."""

    PICTURES = "pictures"
    TEXT = "text"


@dataclass(frozen=True, slots=True)
class MemberSettings:
    """The choices of a member for one server."""

    language: str | None = None
    #: Whether the member is warned before a play that costs more than a twentieth of the stake.
    warnings: bool = False
    phrase: str = ""  # enters the shuffle of rounds with no other person in them
    #: Whether the member is pinged when others wait for them.
    calls: bool = False
    #: The member's choice, or None for the server's.
    suits: Suits | None = None
    shown: Appearance | None = None


class Rest(StrEnum):
    """The kinds of break (R13.1): from staking chips, or from everything."""

    CHIPS = "chips"
    EVERYTHING = "everything"


class Length(StrEnum):
    """The lengths of a break."""

    DAY = "a day"
    WEEK = "a week"
    MONTH = "a month"
    HALF_A_YEAR = "six months"
    YEAR = "a year"
    FOR_GOOD = "for good"


@dataclass(frozen=True, slots=True)
class Resting:
    """The breaks of a person that are not over."""

    #: When stakes are accepted again; None if they are accepted now.
    chips: float | None = None
    #: When everything else may be played again; None if it may be played now.
    everything: float | None = None
    #: The moment from which the end of a break for good may be asked for; None without one, or once it is asked for.
    may_ask: float | None = None


class LimitKind(StrEnum):
    """The limits that people may set for themselves (R13.3)."""

    LOSS_DAY = "loss in a day"
    LOSS_WEEK = "loss in a week"
    HANDS_DAY = "hands in a day"


@dataclass(frozen=True, slots=True)
class Limit:
    """A limit as it is now, and a rise that waits."""

    kind: LimitKind
    most: int | None = None  # cents or hands; None: no limit
    later: int | None = None  # the limit from `later_at` on; None: no limit
    later_at: float | None = None  # None: no rise waits


class Challenges(StrEnum):
    """The challenges to duels that a person takes: all, only those without a stake, or none.

    Invitations to tables ping only people who take all challenges.
    """

    EVERYBODY = "everybody"
    FOR_FUN = "for fun only"
    NOBODY = "nobody"


@dataclass(frozen=True, slots=True)
class Wishes:
    """The *wishes* of a person: choices that count on all servers of the house."""

    hidden: bool = False  # not shown on leaderboards
    challenges: Challenges = Challenges.EVERYBODY
    #: The number of people whose challenges are refused. It is only read; storing `Wishes` does not change it.
    silenced: int = 0


@dataclass(frozen=True, slots=True)
class Currency:
    """The name that a server gives its chips: for one, for many, and an emoji or nothing."""

    one: str
    many: str
    emoji: str = ""


@dataclass(frozen=True, slots=True)
class DayPost:
    """The setting of a server that gets a message about Today's five each day, and the podium of each ended season."""

    channel: int
    #: The hour of the day in UTC.
    hour: int = 1
    since: int = 0  # the day on which its channel was chosen
    #: The role that it calls, or None.
    role: int | None = None


class Span(StrEnum):
    """The length of a season."""

    MONTH = "month"
    QUARTER = "quarter"


@dataclass(frozen=True, slots=True)
class GuildSettings:
    """The choices of those who manage a server, for all who play there."""

    house: HouseSettings = field(default_factory=HouseSettings)
    language: str | None = None
    channels: tuple[int, ...] = ()  # empty: anywhere
    zone: str = "UTC"
    #: The least age of an account, and of its stay on the server, for daily chips. By default gifts require no less.
    account_days: int = 0
    server_days: int = 0
    suits: Suits = Suits.TWO
    shown: Appearance = Appearance.PICTURES
    #: The server's own name for chips, or None.
    currency: Currency | None = None
    #: The channel of the log for its managers, or None for no log.
    log_channel: int | None = None
    #: The message about Today's five, or None for none.
    day_post: DayPost | None = None
    season: Span = Span.MONTH


@dataclass(frozen=True, slots=True)
class Ware:
    """A role that a server sells."""

    role: int
    price: Cents
    seconds: float | None = None  # None: for good


class SeasonBoard(StrEnum):
    """The kinds of boards of a season."""

    ACCURACY = "accuracy"
    FIVE = "five"
    BLACKJACK = "blackjack"
    POINTS = "points"


class Championship(StrEnum):
    """The ways to win a role of champions."""

    WEEK = "week"
    SEASON = "season"
    TOURNAMENT = "tournament"


class Sold(StrEnum):
    """The states of a role that somebody bought or won."""

    PAID = "paid"  # not given yet
    HELD = "held"
    OVER = "over"
    REFUNDED = "refunded"


@dataclass(frozen=True, slots=True)
class Holding:
    """A role that somebody bought or won."""

    id: int
    guild: int
    role: int
    member: int
    user: int | None  # None once forgotten
    price: Cents
    seconds: float | None  # None: for good
    at: float
    until: float | None  # None: not given yet, for good, or still champion
    state: Sold
    championship: Championship | None = None  # None: it was bought


@dataclass(frozen=True, slots=True)
class ImportPlan:
    """The changes that an import of balances from a file would make."""

    new: int  # accounts to open
    more: Sequence[Cents]  # the gain of each person who gets more
    less: Sequence[Cents]  # the loss of each person who gets less
    same: int
    forgotten: int  # people who are skipped


@dataclass(frozen=True, slots=True)
class LogLine:
    """A line for a server's log, in its language. The text names people as ``{actor}`` and ``{member}``."""

    text: str
    #: The numbers of the members whom the text names; None for one whom it does not name.
    actor: int | None = None
    member: int | None = None


@dataclass(frozen=True, slots=True)
class Logged:
    """A line that waits to be posted, with the Discord ids of its people.

    An id is None if the line does not name such a person, or if that person was forgotten.
    """

    id: int
    at: float
    text: str
    actor: int | None
    member: int | None


@dataclass(frozen=True, slots=True)
class RuleSet:
    """A server's own rules of a game: their name, and the value of each rule."""

    game: str
    name: str
    rules: Mapping[str, Any]


#: The number that stands for all servers together, where a guild's is expected.
EVERYWHERE: Final = 0

#: A time that never comes: the due time of jobs that only store something or are only claimed, the end of a break for
#: good, and the closing time of the set of a duel or tournament that is not over.
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
    """A member who has won titles, with the number of each kind."""

    user: int
    tournaments: int  # series of tables won
    tables: int  # elimination tables won
    cards: int = 0  # tournaments with the same cards for all


@dataclass(frozen=True, slots=True)
class Feeding:
    """The chips that one member has passed to another by gifts and lost duels."""

    giver: int | None  # Discord ids, or None for forgotten people
    receiver: int | None
    amount: Cents
    gifts: int  # the number of gifts and duels


# -- how well members play ---------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Ungraded:
    """A finished round with real chips for which a member has no grade, or only one of an older version."""

    table: int
    number: int
    guild: int
    at: float


@dataclass(frozen=True, slots=True)
class Graded:
    """The grade of a member's play in a round; amounts are in cents."""

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
    #: The number of close decisions, whose two best plays are nearly equal, and the number of those that were played
    #: best.
    close: int = 0
    close_right: int = 0
    #: The net result of blackjack in millionths of the stake; None: another game.
    units: int | None = None


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
class Trained:
    """The state of a person's training at a rule set. The version grows with each press; before the first it is 0."""

    what: str  # the drill
    rules: str  # the name of the rule set
    version: int = 0
    doc: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Skill:
    """A member's graded rounds in total; amounts are in cents."""

    hands: int
    known: int  # the hands among them whose expected result is known
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
class PlotPoint:
    """Some consecutive rounds, with the sums of their net and of their expected results in cents."""

    at: float  # the end of the last, or of its day
    net: Cents
    expected: float


@dataclass(frozen=True, slots=True)
class Head:
    """The last leaf of a server's book, now or at an earlier time: its hash proves everything before it."""

    guild: int
    place: int  # the leaf's number in the book, from 1
    hash: str
    at: float
