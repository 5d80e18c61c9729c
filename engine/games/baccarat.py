"""Baccarat (R8). A round is dealt to its end at once, because nobody has a decision to make."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, Never, Self

from engine.games import plain
from engine.games.cards import RANKS, Card, Shoe
from engine.games.contract import (
    BOTTOMLESS,
    CHIP,
    BadStakes,
    By,
    Cents,
    Game,
    IllegalAction,
    Line,
    Outcome,
    Refusal,
    Seat,
    Seating,
    Settlement,
    Stakes,
    Step,
)


class Spot(StrEnum):
    """The spots that take a stake and can win."""

    PLAYER = "player"
    BANKER = "banker"
    TIE = "tie"


@dataclass(frozen=True, slots=True)
class BaccaratRules(plain.Values):
    """The rules of a baccarat table. The defaults are `punto-banco`; impossible values raise BadRules."""

    decks: int = 8
    #: Whether a two-card 8 or 9 on either side ends the coup (R8.3).
    naturals: bool = True
    commission: int = 5  # percentage of Banker's winnings
    tie_pays: int = 8  # odds to 1

    def __post_init__(self) -> None:
        plain.check_whole(self, "decks", 1, 8)
        plain.check_flag(self, "naturals")
        plain.check_whole(self, "commission", 0, 100)
        plain.check_whole(self, "tie_pays", 1, 9)

    @property
    def seating(self) -> Seating:
        return Seating(most=24)  # open to the whole channel (R8.5); more would not fit into one message

    @property
    def most_returned(self) -> Cents:
        """The most that a staked chip can bring back, that chip included. No spot pays more than the tie."""
        return CHIP + self.won(Spot.TIE, CHIP)

    def won(self, spot: Spot, stake: Cents) -> Cents:
        """Return what a winning stake earns (R8.4), exactly, because stakes are whole chips of 100 cents."""
        if spot is Spot.TIE:
            return stake * self.tie_pays
        return stake * (100 - self.commission) // 100 if spot is Spot.BANKER else stake


RULE_SETS: Final[Mapping[str, BaccaratRules]] = {
    "punto-banco": BaccaratRules(),
    "ctrl-alt-bet": BaccaratRules(naturals=False),
}

_VALUES: Final = {rank: min(place, 10) % 10 for place, rank in enumerate(RANKS, start=1)}

#: Whether Banker draws (R8.2): the row is Banker's total, the letter the value of Player's third card.
_BANKER_DRAWS: Final = (
    # 0123456789
    "YYYYYYYYYY",  # 0
    "YYYYYYYYYY",  # 1
    "YYYYYYYYYY",  # 2
    "YYYYYYYYNY",  # 3
    "NNYYYYYYNN",  # 4
    "NNNNYYYYNN",  # 5
    "NNNNNNYYNN",  # 6
    "NNNNNNNNNN",  # 7
    "NNNNNNNNNN",  # 8
    "NNNNNNNNNN",  # 9
)


def value(card: Card) -> int:
    """Return the value of one card (R8.1)."""
    return _VALUES[card[0]]


def total(cards: Sequence[Card]) -> int:
    """Return the total of a hand: the last digit of the sum (R8.1)."""
    return sum(map(value, cards)) % 10


@dataclass(frozen=True, slots=True)
class Coup:
    """The two hands of a finished round."""

    player: tuple[Card, ...]
    banker: tuple[Card, ...]

    @property
    def result(self) -> Spot:
        """The spot that wins (R8.4)."""
        player, banker = total(self.player), total(self.banker)
        if player == banker:
            return Spot.TIE
        return Spot.PLAYER if player > banker else Spot.BANKER


def coup(rules: BaccaratRules, shoe: Shoe) -> Coup:
    """Return the hands of a whole round from the top of the shoe (R8.1), with third cards by R8.2 and R8.3."""
    player, banker = (shoe[0], shoe[2]), (shoe[1], shoe[3])
    if rules.naturals and max(total(player), total(banker)) >= 8:
        return Coup(player, banker)
    if total(player) >= 6:
        return Coup(player, (*banker, shoe[4]) if total(banker) < 6 else banker)
    third = shoe[4]
    draws = _BANKER_DRAWS[total(banker)][value(third)] == "Y"
    return Coup((*player, third), (*banker, shoe[5]) if draws else banker)


def settle(rules: BaccaratRules, result: Spot, seat: Seat, spot: Spot, stake: Cents) -> Line:
    """Return the line that settles one stake (R8.4)."""
    if spot is result:
        return Line(seat, spot.value, stake, stake + rules.won(spot, stake), Outcome.WIN)
    if result is Spot.TIE:
        return Line(seat, spot.value, stake, stake, Outcome.PUSH)
    return Line(seat, spot.value, stake, 0, Outcome.LOSE)


@dataclass(frozen=True, slots=True)
class BaccaratHand:
    """The hand of Player or Banker, and its total."""

    cards: tuple[Card, ...]
    total: int

    @property
    def drew(self) -> bool:
        """Whether the hand has a third card."""
        return len(self.cards) == 3


@dataclass(frozen=True, slots=True)
class BaccaratView:
    """The public view: both hands, the winner, and each seat's stakes with their results."""

    player: BaccaratHand
    banker: BaccaratHand
    result: Spot
    #: Whether a two-card 8 or 9 ended the round.
    natural: bool
    seats: tuple[tuple[Line, ...], ...]


class Baccarat:
    """A round of baccarat with its stakes. It is over as soon as it is dealt."""

    turn = 0
    asked: tuple[Seat, ...] = ()
    steps: tuple[Step, ...] = ()
    over = True

    def __init__(self, rules: BaccaratRules, stakes: Sequence[Stakes], shoe: Shoe) -> None:
        self.rules = rules
        _check(rules, stakes)
        self._stakes = tuple({spot: seat[spot] for spot in Spot if spot in seat} for seat in stakes)
        self._coup = coup(rules, shoe)

    @property
    def open_cards(self) -> tuple[int, ...]:
        return self.taken

    @property
    def taken(self) -> tuple[int, ...]:
        return tuple(range(len(self._coup.player) + len(self._coup.banker)))

    def refusal(self, seat: Seat, action: str, purse: Cents = BOTTOMLESS) -> Refusal:
        return Refusal.ROUND_OVER

    def legal(self, seat: Seat, purse: Cents = BOTTOMLESS) -> tuple[str, ...]:
        return ()

    def cost(self, seat: Seat, action: str) -> Cents:
        return 0

    def apply(self, seat: Seat, action: str, by: By = By.MEMBER, purse: Cents = BOTTOMLESS) -> Never:
        raise IllegalAction(Refusal.ROUND_OVER)

    def timeout(self, seat: Seat) -> Never:
        raise IllegalAction(Refusal.ROUND_OVER)

    def view(self, seat: Seat | None = None) -> BaccaratView:
        player, banker = self._coup.player, self._coup.banker
        drawn = len(player) + len(banker) - 4
        return BaccaratView(
            BaccaratHand(player, total(player)),
            BaccaratHand(banker, total(banker)),
            self._coup.result,
            natural=self.rules.naturals and not drawn and max(total(player), total(banker)) >= 8,
            seats=tuple(self._lines(seat) for seat in range(len(self._stakes))),
        )

    def settlement(self) -> Settlement:
        return Settlement(tuple(line for seat in range(len(self._stakes)) for line in self._lines(seat)))

    def fork(self) -> Self:
        return self  # a finished round never changes

    def _lines(self, seat: Seat) -> tuple[Line, ...]:
        stakes = self._stakes[seat].items()
        return tuple(settle(self.rules, self._coup.result, seat, spot, stake) for spot, stake in stakes)


def _check(rules: BaccaratRules, stakes: Sequence[Stakes]) -> None:
    most = rules.seating.most
    if not 0 < len(stakes) <= most:
        raise BadStakes(f"stakes of {len(stakes)} seats, where a coup has 1 to {most}")
    for seat, staked in enumerate(stakes):
        if not staked or set(staked) - set(GAME.spots):
            raise BadStakes(f"seat {seat} stakes on {sorted(staked)}, not on {', '.join(GAME.spots)}")
        for stake in staked.values():
            plain.check_stake(stake)


GAME: Final = Game[BaccaratRules, Baccarat, BaccaratView](
    name="baccarat",
    rule_sets=RULE_SETS,
    rules_from_json=BaccaratRules.from_json,
    deal=Baccarat,
    actions=(),
    spots=tuple(spot.value for spot in Spot),
    opener_deals=True,
    bead=lambda view: view.result.value,
    most_steps=0,
)
