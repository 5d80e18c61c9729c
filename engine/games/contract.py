"""The contract between a game and a table.

A game is *rules* (a frozen value), a *round* (the state, which follows from its steps), a *view* (what a seat may see)
and an entry in the registry (`Game`) with its name and its switches. The table, the journal and the presenter know
nothing else of any game.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Final, Generic, NamedTuple, Protocol, Self, TypeAlias, TypeVar

from engine.games.cards import Shoe

Cents = int
Seat = int

CHIP: Final[Cents] = 100

#: A purse that can pay for anything: used in replays and wherever chips do not matter.
BOTTOMLESS: Final[Cents] = 2**62


class Refusal(StrEnum):
    """The reasons for which an action is not allowed. `cogs` has the sentences for people."""

    ROUND_OVER = "round over"
    NOT_SEATED = "not seated"
    NOT_YOUR_TURN = "not your turn"
    NOT_OFFERED = "not offered here"
    FIRST_ACTION_ONLY = "first action only"
    TWO_CARDS_ONLY = "two cards only"
    NOT_A_PAIR = "not a pair"
    TOO_MANY_HANDS = "too many hands"
    NOT_AFTER_SWAP = "not after a swap"
    ALREADY_ANSWERED = "already answered"
    INSURANCE_FIRST = "insurance first"
    NOT_NOW = "not now"
    CANNOT_PAY = "cannot pay"


class IllegalAction(Exception):
    """Raised for an action that `refusal` refuses, and for the settlement of a round that is not over."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(refusal.value)
        self.refusal = refusal


class BadStakes(ValueError):
    """Raised for stakes that cannot be dealt: no seats or too many, wrong spots, or wrong amounts."""


class BadRules(ValueError):
    """Raised for an impossible rule set. `fault` names the reason, `field` the field at fault."""

    def __init__(self, fault: str, field: str = "") -> None:
        super().__init__(f"{field}: {fault}" if field else fault)
        self.fault = fault
        self.field = field


class By(StrEnum):
    """The cause of a step: a member's press, a time-out, or a computer player's choice."""

    MEMBER = "member"
    CLOCK = "clock"
    COMPUTER = "computer"


class Step(NamedTuple):
    """One action as the record keeps it. `action` is one of the game's words (`hit`, `war` ...)."""

    seat: Seat
    action: str
    by: By = By.MEMBER


#: The stakes of one seat by spot: ``{"main": 1000}`` at blackjack, ``{"player": 500, "tie": 100}`` at baccarat.
Stakes = Mapping[str, Cents]


class Outcome(StrEnum):
    """The result of one stake, with its reason."""

    WIN = "win"
    NATURAL = "natural"
    DEALER_BUST = "dealer bust"
    PUSH = "push"
    LOSE = "lose"
    BUST = "bust"
    DEALER_NATURAL = "dealer natural"
    SURRENDER = "surrender"
    INSURANCE_WON = "insurance won"
    INSURANCE_LOST = "insurance lost"
    WAR_WON = "war won"
    WAR_TIED = "war tied"
    WAR_LOST = "war lost"
    CALLED_OFF = "called off"  # after a restore: the whole stake comes back


class Line(NamedTuple):
    """The settlement of one stake. `returned` includes a returned stake.

    `what` is a hand, the insurance or a spot; in a called-off round it is `all`, for everything that the seat staked.
    """

    seat: Seat
    what: str
    staked: Cents
    returned: Cents
    outcome: Outcome

    @property
    def net(self) -> Cents:
        return self.returned - self.staked


@dataclass(frozen=True, slots=True)
class Settlement:
    """The stakes of a finished round and what each seat gets back."""

    lines: tuple[Line, ...]

    def staked(self, seat: Seat) -> Cents:
        """Return everything the seat staked."""
        return sum(line.staked for line in self.lines if line.seat == seat)

    def returned(self, seat: Seat) -> Cents:
        """Return everything that comes back to the seat."""
        return sum(line.returned for line in self.lines if line.seat == seat)

    def net(self, seat: Seat) -> Cents:
        """Return the seat's winnings, negative for a loss."""
        return self.returned(seat) - self.staked(seat)


@dataclass(frozen=True, slots=True)
class Seating:
    """The seats of a rule set, and the stakes that people play for."""

    most: int  # seats
    #: The stake of every seat and the stack that pays it. 0: any stake within the table's limits, paid by the wallet.
    fixed_stake: Cents = 0
    stack: Cents = 0
    #: Whether computer players fill the empty seats when the table starts.
    computers_fill: bool = False


class Rules(Protocol):
    """The rules of a game: a frozen dataclass of int, bool, str, or enum of str. Equal rules play equally."""

    def __hash__(self) -> int: ...

    @property
    def decks(self) -> int: ...

    @property
    def seating(self) -> Seating: ...

    @property
    def most_returned(self) -> Cents:
        """The most that a seat can get back for each chip staked, that chip included.

        The contract tests hold every game to this number (`tests/engine/games/promises.py`); nothing is calculated from
        it.
        """

    def as_json(self) -> dict[str, Any]:
        """Return the rules' values as JSON, for a round's record. `Game.rules_from_json` reads them back."""


class Round(Protocol):
    """One round, dealt from a shoe when it is made. It is deterministic, and knows no chips but its stakes.

    Everybody may see its public attributes; the shoe and the cards that lie face down are private.
    """

    @property
    def steps(self) -> Sequence[Step]: ...

    @property
    def turn(self) -> int:
        """The number of the current question, which each button carries.

        It changes with the question: another hand, or another card to decide on. Seats that are asked at the same time
        (about insurance) share it.
        """

    @property
    def asked(self) -> tuple[Seat, ...]:
        """The seats that are asked now; none only when the round is over."""

    @property
    def over(self) -> bool: ...

    @property
    def open_cards(self) -> tuple[int, ...]:
        """The places in the shoe of cards that lie face up, or did before they were discarded.

        Two rounds with the same cards at these places look alike after the same steps, whatever the other cards are.
        """

    @property
    def taken(self) -> tuple[int, ...]:
        """The places in the shoe of all cards taken, face down or up, in dealing order.

        The round asks the shoe for no other card.
        """

    def refusal(self, seat: Seat, action: str, purse: Cents = BOTTOMLESS) -> Refusal | None:
        """Return why the action is not allowed, or None. This is the only legality check.

        `purse` is what the seat can still pay, beyond its stakes (R0.3).
        """

    def legal(self, seat: Seat, purse: Cents = BOTTOMLESS) -> tuple[str, ...]:
        """Return the actions that `refusal` allows and that have buttons, in the order of the buttons."""

    def cost(self, seat: Seat, action: str) -> Cents:
        """Return what the action adds to the seat's stakes."""

    def apply(self, seat: Seat, action: str, by: By = By.MEMBER, purse: Cents = BOTTOMLESS) -> None:
        """Take the action and everything that follows from it: cards, the dealer's play, the settlement.

        Raise IllegalAction with the reason if `refusal` refuses it. After any exception the round is as it was before.
        """

    def timeout(self, seat: Seat) -> str:
        """Return the action that a seat takes when its time runs out (R0.5)."""

    def view(self, seat: Seat | None = None) -> object:
        """Return what that seat (None: an onlooker) may see: never the shoe, nor the hole card before it is turned."""

    def settlement(self) -> Settlement:
        """Return the settlement of a finished round. Raises IllegalAction before its end."""

    def fork(self) -> Self:
        """Return a copy that can be played on without changing this round."""


R = TypeVar("R", bound=Rules)
N = TypeVar("N", bound=Round)
V = TypeVar("V")

#: A computer player's choice: (round, its seat, its purse) -> an action that is legal there.
Policy: TypeAlias = Callable[[N, Seat, Cents], str]


@dataclass(frozen=True)  # no slots: a generic dataclass with slots cannot call its base by name (Python 3.11)
class Game(Generic[R, N, V]):
    """An entry of the registry (`engine.games.registry`): a game's name, rule sets, dealing and options."""

    #: The name that people type. Its module has the same name, with underscores for hyphens.
    name: str
    #: The built-in rule sets by name. The first is the default.
    rule_sets: Mapping[str, R]
    #: The reader of what `Rules.as_json` wrote. It raises BadRules.
    rules_from_json: Callable[[Mapping[str, Any]], R]
    #: The dealing of a round: (rules, stakes by seat, shoe) -> round. It raises BadStakes for impossible stakes.
    deal: Callable[[R, Sequence[Stakes], Shoe], N]
    #: The action words that have buttons, in the order of these.
    actions: tuple[str, ...]
    #: The spots that a seat can stake on.
    spots: tuple[str, ...] = ("main",)
    #: Whether the betting window ends when the opener deals (baccarat) rather than when all have staked.
    opener_deals: bool = False
    #: Whether each member has a table (war) rather than each channel.
    own_table: bool = False
    #: The game's computer players by level, if it has any.
    computers: Mapping[str, Policy[N]] = field(default_factory=dict)
    #: The levels whose actions take longer to work out than a press may wait (`engine.tables.ports.Think`), with the
    #: choices that they make where nothing was worked out.
    thinkers: Mapping[str, Policy[N]] = field(default_factory=dict)
    #: The function that takes a fixed stake out of rules: at elimination tables everybody chooses a stake.
    any_stake: Callable[[R], R] = lambda rules: rules
    #: The function that makes a word of a finished round's view for the table's list of results; None: no such list.
    bead: Callable[[V], str] | None = None
    #: The name of the house setting with a person's seconds to answer.
    answer_time: str = "turn_seconds"
    #: Whether a person who is asked can be shown what each action is worth.
    has_odds: bool = False
    #: The version of its dealing and playing, in each record: a game that changes keeps its old version for old rounds.
    build: int = 1
    #: The most steps that any round can take.
    most_steps: int = 500

    @property
    def levels(self) -> tuple[str, ...]:
        """The levels of its computer players."""
        return (*self.computers, *self.thinkers)

    def policy(self, level: str) -> Policy[N]:
        """Return the function that chooses for a computer player of this level, without waiting for the solver."""
        return self.computers[level] if level in self.computers else self.thinkers[level]


#: A game whose type parameters are unknown here.
AnyGame: TypeAlias = Game[Any, Any, Any]
