"""Casino war (R9): one member against the house. The shortest game there is, and a whole one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final

from engine.games import plain
from engine.games.cards import Card, Shoe, height
from engine.games.contract import (
    BOTTOMLESS,
    By,
    Cents,
    Game,
    IllegalAction,
    Line,
    Outcome,
    Refusal,
    Seat,
    Settlement,
    Stakes,
    Step,
)

WAR: Final = "war"
SURRENDER: Final = "surrender"

_BURNT: Final = 3


@dataclass(frozen=True, slots=True)
class WarRules:
    decks: int = 6
    won_pays: int = 150  # per cent of the first stake, for the higher card in a war
    tied_pays: int = 200  # and for an equal one

    def __post_init__(self) -> None:
        plain.check_whole(self, "decks", 1, 8)
        plain.check_whole(self, "won_pays", 0, 500)
        plain.check_whole(self, "tied_pays", 0, 500)

    def as_json(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> WarRules:
        return plain.read(cls, values)


RULE_SETS: Final[Mapping[str, WarRules]] = {
    "ctrl-alt-bet": WarRules(),
    "casino": WarRules(won_pays=100, tied_pays=100),
}


@dataclass(frozen=True, slots=True)
class WarView:
    """The cards in the order they fell: the first one of each side, and the second one after a war."""

    player: tuple[Card, ...]
    dealer: tuple[Card, ...]
    stake: Cents
    burnt: int  # cards, face down
    surrendered: bool
    asked: tuple[Seat, ...]
    turn: int
    result: Line | None  # of a finished battle


class War:
    """A battle is its stake, its shoe and at most one step."""

    def __init__(self, rules: WarRules, stakes: Sequence[Stakes], shoe: Shoe, steps: tuple[Step, ...] = ()) -> None:
        if len(stakes) != 1 or set(stakes[0]) != {"main"}:
            raise ValueError("war is one seat with one stake")
        self.stake = stakes[0]["main"]
        plain.check_stake(self.stake)
        self.rules = rules
        self.steps = steps
        self._shoe = shoe

    @property
    def turn(self) -> int:
        return len(self.steps)

    @property
    def over(self) -> bool:
        return bool(self.steps) or height(self._shoe[0]) != height(self._shoe[1])

    @property
    def asked(self) -> tuple[Seat, ...]:
        return () if self.over else (0,)

    def refusal(self, seat: Seat, action: str, purse: Cents = BOTTOMLESS) -> Refusal | None:
        if self.over:
            return Refusal.ROUND_OVER
        if seat != 0:
            return Refusal.NOT_SEATED
        if action not in GAME.actions:
            return Refusal.NOT_OFFERED
        return Refusal.CANNOT_PAY if self.cost(seat, action) > purse else None

    def legal(self, seat: Seat, purse: Cents = BOTTOMLESS) -> tuple[str, ...]:
        return tuple(action for action in GAME.actions if self.refusal(seat, action, purse) is None)

    def cost(self, seat: Seat, action: str) -> Cents:
        return self.stake if action == WAR else 0

    def apply(self, seat: Seat, action: str, by: By = By.MEMBER) -> None:
        refusal = self.refusal(seat, action)
        if refusal:
            raise IllegalAction(refusal)
        self.steps = (Step(seat, action, by),)

    def timeout(self, seat: Seat) -> str:
        return SURRENDER

    def view(self, seat: Seat | None = None) -> WarView:
        at_war = self._took(WAR)
        return WarView(
            player=self._cards(0),
            dealer=self._cards(1),
            stake=self.stake * 2 if at_war else self.stake,
            burnt=_BURNT if at_war else 0,
            surrendered=self._took(SURRENDER),
            asked=self.asked,
            turn=self.turn,
            result=self._line() if self.over else None,
        )

    def settlement(self) -> Settlement:
        if not self.over:
            raise IllegalAction(Refusal.NOT_NOW)
        return Settlement((self._line(),))

    def fork(self) -> War:
        return War(self.rules, [{"main": self.stake}], self._shoe, self.steps)

    def _took(self, action: str) -> bool:
        return any(step.action == action for step in self.steps)

    def _cards(self, side: int) -> tuple[Card, ...]:
        places = (side, 2 + _BURNT + side) if self._took(WAR) else (side,)
        return tuple(self._shoe[place] for place in places)

    def _line(self) -> Line:
        """R9.1-R9.3."""
        stake, lead = self.stake, height(self._cards(0)[-1]) - height(self._cards(1)[-1])
        if self._took(SURRENDER):
            return Line(0, "main", stake, stake // 2, Outcome.SURRENDER)
        if self._took(WAR):
            return self._war_line(lead)
        return Line(0, "main", stake, stake * 2, Outcome.WIN) if lead > 0 else Line(0, "main", stake, 0, Outcome.LOSE)

    def _war_line(self, lead: int) -> Line:
        both = self.stake * 2
        if lead < 0:
            return Line(0, "main", both, 0, Outcome.WAR_LOST)
        pays, outcome = (self.rules.won_pays, Outcome.WAR_WON) if lead else (self.rules.tied_pays, Outcome.WAR_TIED)
        return Line(0, "main", both, both + self.stake * pays // 100, outcome)


GAME: Final = Game(
    name="war",
    rule_sets=RULE_SETS,
    rules_from_json=WarRules.from_json,
    deal=War,
    actions=(WAR, SURRENDER),
    most_seats=1,
    own_table=True,
    most_steps=1,
)
