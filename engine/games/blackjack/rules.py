"""The rules of a blackjack table: one frozen value whose fields each do one thing (R2)."""

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
    """The payout of a winning natural, in relation to its stake."""

    THREE_TO_TWO = "3:2"
    SIX_TO_FIVE = "6:5"
    EVEN = "1:1"

    def winnings(self, stake: Cents) -> Cents:
        """Return the winnings, without the stake."""
        won, against = map(int, self.value.split(":"))
        return stake * won // against


class HandVerdict(StrEnum):
    """The results of a player's hand that a rule can set."""

    WINS = "wins"
    PUSH = "push"
    LOSES = "loses"


class DealerDraws(StrEnum):
    """The ways in which the dealer plays."""

    STANDS_ON_17 = "stands on all 17s"
    HITS_SOFT_17 = "hits soft 17"
    CHASES = "chases"  # R3.2


class Ace(StrEnum):
    """The ways in which aces count."""

    NORMAL = "normal"
    ONE_FALLS = "one falls"  # R3.1


class _OrNo(StrEnum):
    """A choice whose *no* is falsy."""

    def __bool__(self) -> bool:
        return self.value != "no"


class Double(_OrNo):
    """The hands that may double."""

    NO = "no"
    FIRST_ACTION = "first action"  # not after a split
    FIRST_TWO_CARDS = "first two cards"  # also after a split


class Split(_OrNo):
    """The pairs that may split."""

    NO = "no"
    EQUAL_RANK = "equal rank"
    EQUAL_VALUE = "equal value"


class SplitAces(StrEnum):
    """The ways in which split aces are played."""

    ONCE = "one card each"  # R2.4
    PLAY_ON = "play on"


class Turns(StrEnum):
    """The order in which seats are asked."""

    SEAT_BY_SEAT = "seat by seat"
    ROTATING = "rotating"  # R5.4


class DealerCards(StrEnum):
    """The end of the shoe that the dealer's cards come from."""

    IN_ORDER = "in order"
    FROM_FAR_END = "from the far end"  # R1.9


#: Aliases, because every hand reads these and a member of an enum takes longer to look up.
CHASES: Final = DealerDraws.CHASES
HITS_SOFT_17: Final = DealerDraws.HITS_SOFT_17
ONE_CARD_EACH: Final = SplitAces.ONCE
ROTATING: Final = Turns.ROTATING
FROM_FAR_END: Final = DealerCards.FROM_FAR_END


class RulesFault(StrEnum):
    """The reasons for which a rule set is refused (R2.8)."""

    NO_SUCH_CHOICE = "no such choice"
    SURRENDER_WITHOUT_LOOK = "surrender without a look"
    SWAP_WITH_SPLIT = "swap together with split"
    SHOE_TOO_SMALL = "more cards than the shoe can surely give to all seats"
    FIXED_STAKE_WITHOUT_STACK = "fixed stakes without stacks"
    STACK_WITHOUT_FIXED_STAKE = "stacks without fixed stakes"
    STACK_UNDER_STAKE = "a stack that cannot pay one stake"
    NOT_WHOLE_CHIPS = "not whole chips"


@dataclass(frozen=True)  # no slots, so that `seating` and the hash can be cached
class BlackjackRules:
    """The rules of a blackjack table. The defaults are `vegas`; impossible or contradictory fields raise BadRules."""

    decks: int = 6
    natural_pays: Pays = Pays.THREE_TO_TWO
    #: The result of a player's natural against a dealer natural, and against any other dealer 21.
    natural_against_natural: HandVerdict = HandVerdict.PUSH
    natural_against_21: HandVerdict = HandVerdict.WINS
    #: The result of a player's 21 that is no natural against a dealer natural. PUSH: a dealer natural is only a 21.
    made_21_against_natural: HandVerdict = HandVerdict.LOSES
    dealer_looks: bool = True
    dealer_draws: DealerDraws = DealerDraws.STANDS_ON_17
    ace: Ace = Ace.NORMAL
    double: Double = Double.FIRST_TWO_CARDS
    split: Split = Split.EQUAL_VALUE
    #: The most hands that one seat can have after splits.
    split_hands: int = 4
    split_aces: SplitAces = SplitAces.ONCE
    swap: bool = False
    insurance: bool = True
    surrender: bool = True
    turns: Turns = Turns.SEAT_BY_SEAT
    most_seats: int = 7
    #: Whether computer players fill the empty seats when the table starts.
    computers_fill: bool = False
    #: The stake of every seat and the stack that pays it. 0: any stake within the table's limits, paid by the wallet.
    fixed_stake: Cents = 0
    stack: Cents = 0
    dealer_cards: DealerCards = DealerCards.IN_ORDER

    def __post_init__(self) -> None:
        for field, kind in _KINDS.items():
            _check(self, field, kind)
        for contradiction, fault, field in (
            (self.surrender and not self.dealer_looks, RulesFault.SURRENDER_WITHOUT_LOOK, "surrender"),
            (self.swap and self.split, RulesFault.SWAP_WITH_SPLIT, "swap"),
            (self.fixed_stake and not self.stack, RulesFault.FIXED_STAKE_WITHOUT_STACK, "stack"),
            (self.stack and not self.fixed_stake, RulesFault.STACK_WITHOUT_FIXED_STAKE, "fixed_stake"),
            (self.stack < self.fixed_stake, RulesFault.STACK_UNDER_STAKE, "stack"),
            (self.fixed_stake % CHIP, RulesFault.NOT_WHOLE_CHIPS, "fixed_stake"),
            (self.stack % CHIP, RulesFault.NOT_WHOLE_CHIPS, "stack"),
            (most_cards(self) > self.decks * len(PACK), RulesFault.SHOE_TOO_SMALL, "decks"),
        ):
            if contradiction:
                raise BadRules(fault, field)

    def __hash__(self) -> int:
        """Return the cached hash: each round finds its legal actions by it."""
        return self._hash

    @cached_property
    def _hash(self) -> int:
        return hash(tuple([getattr(self, field) for field in _KINDS]))

    def __getstate__(self) -> dict[str, Any]:
        """Return only the fields, for pickling: texts hash differently in other processes, so no cached hash fits."""
        return {field: getattr(self, field) for field in _KINDS}

    @cached_property
    def seating(self) -> Seating:
        """The seats of the table. Cached, because every drawing of the table needs them."""
        return Seating(self.most_seats, self.fixed_stake, self.stack, self.computers_fill)

    @property
    def most_returned(self) -> Cents:
        natural = CHIP + self.natural_pays.winnings(CHIP)
        return max(2 * CHIP, natural, self._most_insured(natural) if self.insurance else 0)

    def _most_insured(self, natural: Cents) -> Cents:
        """Return the most that an insured hand and its insurance together bring back for each chip staked, rounded up.

        Insurance costs half the hand's stake, and returns three times what it cost. `natural` is what a chip on a
        natural brings back.
        """
        hand = 0
        if self.natural_against_natural is HandVerdict.WINS:
            hand = natural
        elif self.made_21_against_natural is HandVerdict.WINS and not self.dealer_looks:
            hand = 2 * CHIP
        return -(-2 * (hand + 3 * CHIP // 2) // 3)

    def as_json(self) -> dict[str, Any]:
        return {field: _plain(getattr(self, field)) for field in _KINDS}

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> Self:
        """Return the rules with these fields, or raise BadRules.

        A missing field takes its default, so older records and short forms stay readable.
        """
        return plain.read(cls, {field: _read(field, value) for field, value in values.items()})


_KINDS: Final[Mapping[str, type]] = {field.name: type(field.default) for field in fields(BlackjackRules)}
_RANGES: Final = {
    "decks": (1, 8),
    "split_hands": (2, 4),
    "most_seats": (1, 7),
    "fixed_stake": (0, 10**12),
    "stack": (0, 10**12),
}


def any_stake(rules: BlackjackRules) -> BlackjackRules:
    """Return these rules without a fixed stake and without stacks, so that any stakes can be dealt."""
    return _without_fixed_stake(rules) if rules.fixed_stake else rules


@lru_cache(64)
def _without_fixed_stake(rules: BlackjackRules) -> BlackjackRules:
    return replace(rules, fixed_stake=0, stack=0)


def _check(rules: BlackjackRules, field: str, kind: type) -> None:
    if kind is int:
        plain.check_whole(rules, field, *_RANGES[field])
    elif kind is bool:
        plain.check_flag(rules, field)
    elif not isinstance(getattr(rules, field), kind):
        raise BadRules(RulesFault.NO_SUCH_CHOICE, field)


def _plain(value: Any) -> Any:
    return value.value if isinstance(value, StrEnum) else value


def _read(field: str, value: Any) -> Any:
    """Return the choice that a word names. Any other value stays as it is, for the rules to check."""
    kind = _KINDS.get(field, int)
    return kind(value) if issubclass(kind, StrEnum) and value in list(kind) else value


def most_cards(rules: BlackjackRules) -> int:
    """Return the most cards that any round under these rules can take.

    A hand that draws holds at most 20 points (aces count 1), and a dealer who draws holds at most 16. This limits the
    points of all cards but the last of each hand. The number of cards is largest if the smallest cards of the shoe make
    up these points. A swap discards one more card for each seat.
    """
    hands = rules.most_seats * (1 if rules.split is Split.NO else rules.split_hands)
    points = 20 * hands + 16
    drawn_before_the_last = 0
    for pip in range(1, len(RANKS) + 1):
        fitting = min(4 * rules.decks, points // min(pip, 10))
        drawn_before_the_last += fitting
        points -= fitting * min(pip, 10)
    return drawn_before_the_last + hands + 1 + (rules.most_seats if rules.swap else 0)
