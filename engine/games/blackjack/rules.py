"""The rules of one blackjack table: one frozen value, each field doing one thing (rulebook R2)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from enum import StrEnum
from functools import cached_property, lru_cache
from typing import Any, Final, Self

from engine.games import plain
from engine.games.cards import PACK, RANKS
from engine.games.contract import CHIP, BadRules, Cents, Seating


class Pays(StrEnum):
    """What a winning natural wins, against its stake."""

    THREE_TO_TWO = "3:2"
    SIX_TO_FIVE = "6:5"
    EVEN = "1:1"

    def winnings(self, stake: Cents) -> Cents:
        """What is won beside the stake."""
        won, against = map(int, self.value.split(":"))
        return stake * won // against


class Verdict(StrEnum):
    """How the player's hand ends where the rules decide it by name."""

    WINS = "wins"
    PUSH = "push"
    LOSES = "loses"


class DealerDraws(StrEnum):
    """How the dealer plays his hand."""

    STANDS_ON_17 = "stands on all 17s"
    HITS_SOFT_17 = "hits soft 17"
    CHASES = "chases"  # R3.2


class Ace(StrEnum):
    """How aces count."""

    NORMAL = "normal"
    ONE_FALLS = "one falls"  # R3.1


class _OrNo(StrEnum):
    """A choice that is false where the rules say no."""

    def __bool__(self) -> bool:
        return self.value != "no"


class Double(_OrNo):
    """When a hand may double."""

    NO = "no"
    FIRST_ACTION = "first action"  # never after a split
    FIRST_TWO_CARDS = "first two cards"  # after a split as well


class Split(_OrNo):
    """Which pairs may split."""

    NO = "no"
    EQUAL_RANK = "equal rank"
    EQUAL_VALUE = "equal value"


class SplitAces(StrEnum):
    """What becomes of split aces."""

    ONCE = "one card each"  # R2.4
    PLAY_ON = "play on"


class Turns(StrEnum):
    """In which order the seats are asked."""

    SEAT_BY_SEAT = "seat by seat"
    ROTATING = "rotating"  # R5.4


#: By themselves: every hand asks about these, and a member of an enum takes longer to find than a name.
CHASES: Final = DealerDraws.CHASES
HITS_SOFT_17: Final = DealerDraws.HITS_SOFT_17
ONE_CARD_EACH: Final = SplitAces.ONCE
ROTATING: Final = Turns.ROTATING


class Fault(StrEnum):
    """Why a rule set cannot be (R2.8)."""

    NO_SUCH_CHOICE = "no such choice"
    SURRENDER_WITHOUT_LOOK = "surrender without a look"
    SWAP_WITH_SPLIT = "swap together with split"
    SHOE_TOO_SMALL = "more cards than the shoe can surely give to all seats"
    FIXED_STAKE_WITHOUT_STACK = "fixed stakes without stacks"
    STACK_WITHOUT_FIXED_STAKE = "stacks without fixed stakes"
    STACK_UNDER_STAKE = "a stack that cannot pay one stake"
    NOT_WHOLE_CHIPS = "not whole chips"


@dataclass(frozen=True)  # without slots: `seating` and the hash are worked out once
class Rules:
    """The defaults are `vegas`. Raises BadRules when the fields contradict each other."""

    decks: int = 6
    natural_pays: Pays = Pays.THREE_TO_TWO
    #: A player's natural against the dealer's, and against a dealer 21 of any other make.
    natural_against_natural: Verdict = Verdict.PUSH
    natural_against_21: Verdict = Verdict.WINS
    #: A player's 21 that is no natural, against the dealer's natural. PUSH: a dealer natural is only a 21.
    made_21_against_natural: Verdict = Verdict.LOSES
    dealer_looks: bool = True
    dealer_draws: DealerDraws = DealerDraws.STANDS_ON_17
    ace: Ace = Ace.NORMAL
    double: Double = Double.FIRST_TWO_CARDS
    split: Split = Split.EQUAL_VALUE
    #: The most hands that a seat can hold by splitting.
    split_hands: int = 4
    split_aces: SplitAces = SplitAces.ONCE
    swap: bool = False
    insurance: bool = True
    surrender: bool = True
    turns: Turns = Turns.SEAT_BY_SEAT
    most_seats: int = 7
    #: Whether computer players take the seats that no person has when the table starts.
    computers_fill: bool = False
    #: What every seat stakes, and the stack it brings to pay that from. 0: within the table's limits, off the wallet.
    fixed_stake: Cents = 0
    stack: Cents = 0

    def __post_init__(self) -> None:
        for field, kind in _KINDS.items():
            _check(self, field, kind)
        for contradiction, fault, field in (
            (self.surrender and not self.dealer_looks, Fault.SURRENDER_WITHOUT_LOOK, "surrender"),
            (self.swap and self.split, Fault.SWAP_WITH_SPLIT, "swap"),
            (self.fixed_stake and not self.stack, Fault.FIXED_STAKE_WITHOUT_STACK, "stack"),
            (self.stack and not self.fixed_stake, Fault.STACK_WITHOUT_FIXED_STAKE, "fixed_stake"),
            (self.stack < self.fixed_stake, Fault.STACK_UNDER_STAKE, "stack"),
            (self.fixed_stake % CHIP, Fault.NOT_WHOLE_CHIPS, "fixed_stake"),
            (self.stack % CHIP, Fault.NOT_WHOLE_CHIPS, "stack"),
            (most_cards(self) > self.decks * len(PACK), Fault.SHOE_TOO_SMALL, "decks"),
        ):
            if contradiction:
                raise BadRules(fault, field)

    def __hash__(self) -> int:
        """Each round looks its law up by it."""
        return self._hash

    @cached_property
    def _hash(self) -> int:
        return hash(tuple([getattr(self, field) for field in _KINDS]))

    def __getstate__(self) -> dict[str, Any]:
        """The fields alone: in another process the hash is another one."""
        return {field: getattr(self, field) for field in _KINDS}

    @cached_property
    def seating(self) -> Seating:
        """As every game says it: asked whenever the table is shown."""
        return Seating(self.most_seats, self.fixed_stake, self.stack, self.computers_fill)

    @property
    def most_returned(self) -> Cents:
        natural = CHIP + self.natural_pays.winnings(CHIP)
        return max(2 * CHIP, natural, self._most_insured(natural) if self.insurance else 0)

    def _most_insured(self, natural: Cents) -> Cents:
        """Against a dealer natural half a stake of insurance comes back threefold, beside what the hand brings."""
        hand = 0
        if self.natural_against_natural is Verdict.WINS:
            hand = natural
        elif self.made_21_against_natural is Verdict.WINS and not self.dealer_looks:
            hand = 2 * CHIP
        return -(-2 * (hand + 3 * CHIP // 2) // 3)

    def as_json(self) -> dict[str, Any]:
        return {field: _plain(getattr(self, field)) for field in _KINDS}

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> Self:
        """A field left out has its default, so that older records and short forms stay readable."""
        return plain.read(cls, {field: _read(field, value) for field, value in values.items()})


_KINDS: Final[Mapping[str, type]] = {field.name: type(field.default) for field in fields(Rules)}
_RANGES: Final = {
    "decks": (1, 8),
    "split_hands": (2, 4),
    "most_seats": (1, 7),
    "fixed_stake": (0, 10**12),
    "stack": (0, 10**12),
}


def any_stake(rules: Rules) -> Rules:
    """The same rules where everybody stakes as they like, off the wallet."""
    return _without_fixed_stake(rules) if rules.fixed_stake else rules


@lru_cache(64)
def _without_fixed_stake(rules: Rules) -> Rules:
    return replace(rules, fixed_stake=0, stack=0)


def _check(rules: Rules, field: str, kind: type) -> None:
    if kind is int:
        plain.check_whole(rules, field, *_RANGES[field])
    elif kind is bool:
        plain.check_flag(rules, field)
    elif not isinstance(getattr(rules, field), kind):
        raise BadRules(Fault.NO_SUCH_CHOICE, field)


def _plain(value: Any) -> Any:
    return value.value if isinstance(value, StrEnum) else value


def _read(field: str, value: Any) -> Any:
    """The choice that a word names. Anything else is judged by the rules themselves."""
    kind = _KINDS.get(field, int)
    return kind(value) if issubclass(kind, StrEnum) and value in list(kind) else value


def most_cards(rules: Rules) -> int:
    """No round can take more cards than this, however they fall.

    A hand that draws holds 20 points at most (aces 1) and the dealer 16, so all cards but the last of each hand share
    so many points: the most of them are the smallest of the shoe. A swap discards one card a seat.
    """
    hands = rules.most_seats * (1 if rules.split is Split.NO else rules.split_hands)
    points = 20 * hands + 16
    drawn_before_the_last = 0
    for pip in range(1, len(RANKS) + 1):
        fitting = min(4 * rules.decks, points // min(pip, 10))
        drawn_before_the_last += fitting
        points -= fitting * min(pip, 10)
    return drawn_before_the_last + hands + 1 + (rules.most_seats if rules.swap else 0)
