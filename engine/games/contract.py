"""What every game promises the table.

A game is *rules* (a frozen value), a *round* (state, the fold of its steps) and a *view* (what a seat may see).
The table, the journal and the presenter know nothing else of any game.
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

#: A purse that is never too small: for replays, and wherever money is not the question.
BOTTOMLESS: Final[Cents] = 2**62


class Refusal(StrEnum):
    """Why an action is not allowed. The words for people are the presenter's."""

    ROUND_OVER = "round over"
    NOT_SEATED = "not seated"
    NOT_YOUR_TURN = "not your turn"
    NOT_OFFERED = "not offered here"
    FIRST_ACTION_ONLY = "first action only"
    TWO_CARDS_ONLY = "two cards only"
    NOT_A_PAIR = "not a pair"
    TOO_MANY_HANDS = "too many hands"
    ACES_SPLIT_ONCE = "aces split once"
    NOT_AFTER_SWAP = "not after a swap"
    ALREADY_ANSWERED = "already answered"
    INSURANCE_FIRST = "insurance first"
    NOT_NOW = "not now"
    CANNOT_PAY = "cannot pay"


class IllegalAction(Exception):
    """An action was applied that `refusal` would have refused."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(refusal.value)
        self.refusal = refusal


class BadStakes(ValueError):
    """Stakes that no round can be dealt for: on an unknown spot, not whole chips, for too many seats or for none."""


class BadRules(ValueError):
    """A rule set that cannot be. `fault` names the reason, `field` the culprit."""

    def __init__(self, fault: str, field: str = "") -> None:
        super().__init__(fault)
        self.fault = fault
        self.field = field


class By(StrEnum):
    """Who made a step."""

    MEMBER = "member"
    CLOCK = "clock"
    COMPUTER = "computer"


class Step(NamedTuple):
    """One action taken, as the record keeps it. `action` is one of the game's own words (`hit`, `war` ...)."""

    seat: Seat
    action: str
    by: By = By.MEMBER


#: What one seat staked, by spot: ``{"main": 1000}`` at blackjack, ``{"player": 500, "tie": 100}`` at baccarat.
Stakes = Mapping[str, Cents]


class Outcome(StrEnum):
    """What became of one stake, and why."""

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
    CALLED_OFF = "called off"  # after a restore: the stake comes back whole


class Line(NamedTuple):
    """One stake's end: a hand, an insurance, a spot. `returned` counts the stake itself, when it comes back."""

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
    """Who staked what in a finished round, and gets what back."""

    lines: tuple[Line, ...]

    def staked(self, seat: Seat) -> Cents:
        """All that the seat staked."""
        return sum(line.staked for line in self.lines if line.seat == seat)

    def returned(self, seat: Seat) -> Cents:
        """All that comes back to the seat."""
        return sum(line.returned for line in self.lines if line.seat == seat)

    def net(self, seat: Seat) -> Cents:
        """What the seat has won, or lost where it is negative."""
        return self.returned(seat) - self.staked(seat)


@dataclass(frozen=True, slots=True)
class Seating:
    """How a rule set seats people, and what they play for."""

    most: int  # seats
    #: What every seat stakes, and the stack it brings to pay that from. 0: within the table's limits, off the wallet.
    fixed_stake: Cents = 0
    stack: Cents = 0
    #: Whether computer players take the seats that no person has when the table starts.
    computers_fill: bool = False


class Rules(Protocol):
    """A frozen dataclass of plain values (int, bool, str, enum of str). Equal rules play equally."""

    def __hash__(self) -> int: ...

    @property
    def decks(self) -> int: ...

    @property
    def seating(self) -> Seating: ...

    @property
    def most_returned(self) -> Cents:
        """The most that a seat can get back for each chip it staked, the chip itself included. A promise that every
        game is held to (`tests/engine/games/promises.py`); nothing is reckoned from it."""

    def as_json(self) -> dict[str, Any]:
        """By value, for the record. `Game.rules_from_json` reads it back."""


class Round(Protocol):
    """One round, dealt at once from a shoe. Synchronous, deterministic, and unaware of money beyond its stakes.

    What its public names say may be seen by all; the shoe and the cards that lie face down are private.
    """

    @property
    def steps(self) -> Sequence[Step]: ...

    @property
    def turn(self) -> int:
        """The number of the question now asked; a button carries it. It moves when the question does:
        another hand, another card to decide on. Seats asked at once (insurance) share one number."""

    @property
    def asked(self) -> tuple[Seat, ...]:
        """The seats that are asked now. Empty when, and only when, the round is over."""

    @property
    def over(self) -> bool: ...

    @property
    def open_cards(self) -> tuple[int, ...]:
        """The places in the shoe of the cards that lie face up, or lay so before they were discarded.
        Nothing that the round shows may depend on any other card."""

    @property
    def cards_taken(self) -> int:
        """How many cards have left the shoe, face down or up."""

    def refusal(self, seat: Seat, action: str, purse: Cents = BOTTOMLESS) -> Refusal | None:
        """The only legality check. `purse` is what the seat has beside its stakes (R0.3)."""

    def legal(self, seat: Seat, purse: Cents = BOTTOMLESS) -> tuple[str, ...]:
        """The actions that `refusal` lets pass, in the order of the buttons."""

    def cost(self, seat: Seat, action: str) -> Cents:
        """What taking the action adds to the seat's stakes."""

    def apply(self, seat: Seat, action: str, by: By = By.MEMBER, purse: Cents = BOTTOMLESS) -> None:
        """Take the action and all that follows from it (cards, dealer, settlement), or raise IllegalAction with what
        `refusal` says. Whatever it raises, the round is then as it was before."""

    def timeout(self, seat: Seat) -> str:
        """The action that an asked seat's silence stands for (R0.5)."""

    def view(self, seat: Seat | None = None) -> object:
        """What that seat (None: an onlooker) may see. Never the hole card before it is turned, never the shoe."""

    def settlement(self) -> Settlement:
        """Of a finished round."""

    def fork(self) -> Self:
        """A copy that can be played on without touching this one."""


R = TypeVar("R", bound=Rules)
N = TypeVar("N", bound=Round)
V = TypeVar("V")

#: How a computer player plays: (round, its seat, its purse) -> an action that is legal there.
Policy: TypeAlias = Callable[[N, Seat, Cents], str]


@dataclass(frozen=True)  # a generic one with slots cannot be made by its full name (Python 3.11)
class Game(Generic[R, N, V]):
    """An entry of the registry (`engine.games.registry`): a game by its rules, its round and its view."""

    #: As people type it. Its module has the same name, with an underscore for a hyphen.
    name: str
    #: The built-in rule sets by name; the first is the default.
    rule_sets: Mapping[str, R]
    #: Reads what `Rules.as_json` wrote, or raises BadRules.
    rules_from_json: Callable[[Mapping[str, Any]], R]
    #: (rules, stakes seat by seat, shoe) -> a round that is dealt. Raises BadStakes on impossible stakes.
    deal: Callable[[R, Sequence[Stakes], Shoe], N]
    #: Every action word of the game, in the order its buttons are shown.
    actions: tuple[str, ...]
    #: Where a seat can stake.
    spots: tuple[str, ...] = ("main",)
    #: Whether the betting window ends when its opener says so (baccarat) and not when all have staked.
    opener_deals: bool = False
    #: Whether each member has a table of their own (war) and not each channel.
    own_table: bool = False
    #: The computer players of the game by level, where it has any.
    computers: Mapping[str, Policy[N]] = field(default_factory=dict)
    #: Levels that think for longer than a press may wait: the house has their moves worked out elsewhere
    #: (`engine.tables.ports.Think`). Here is what they play where nobody does that.
    thinkers: Mapping[str, Policy[N]] = field(default_factory=dict)
    #: The same rules without their fixed stake, where they can have one: at elimination everybody stakes as they like.
    any_stake: Callable[[R], R] = lambda rules: rules
    #: What a finished round's view adds to the road of the table's results, where the game keeps one.
    bead: Callable[[V], str] | None = None
    #: The setting of the house that says how long a person has for an answer.
    answer_time: str = "turn_seconds"
    #: Whether somebody who is asked can be told what each action is worth.
    has_odds: bool = False
    #: No round takes more steps than this, whatever is pressed.
    most_steps: int = 500

    @property
    def levels(self) -> tuple[str, ...]:
        """Of all its computer players, from the weakest to the strongest."""
        return (*self.computers, *self.thinkers)

    def policy(self, level: str) -> Policy[N]:
        """How a computer player of that level plays without taking its time."""
        return self.computers[level] if level in self.computers else self.thinkers[level]


#: A game of which only itself knows what its rules, rounds and views are.
AnyGame: TypeAlias = Game[Any, Any, Any]
