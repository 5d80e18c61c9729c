"""Casino war (R9): one member against the house. It is the shortest complete game."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar, Final

from engine.games import plain
from engine.games.cards import Card, height
from engine.games.contract import CHIP, Cents, Game, Line, Outcome, Seat, Seating
from engine.games.one_question import OneQuestion


class Answer(StrEnum):
    """The player's answers when the first two cards are equal."""

    WAR = "war"
    SURRENDER = "surrender"


_BURNT: Final = 3


@dataclass(frozen=True, slots=True)
class WarRules(plain.Values):
    """The rules of a war table. The defaults are those of `ctrl-alt-bet`; numbers out of range raise BadRules."""

    decks: int = 6
    won_pays: int = 150  # percentage of the first stake that the higher card wins in a war
    tied_pays: int = 200  # percentage of the first stake that an equal card wins in a war

    def __post_init__(self) -> None:
        plain.check_whole(self, "decks", 1, 8)
        plain.check_whole(self, "won_pays", 0, 500)
        plain.check_whole(self, "tied_pays", 0, 500)

    @property
    def seating(self) -> Seating:
        return Seating(most=1)

    @property
    def most_returned(self) -> Cents:
        """The most cents that a staked chip can bring back, itself included.

        Without a war it brings back two chips. After a war, two stakes come back with the winnings on the first, so
        each chip earns only half of the winnings, rounded up.
        """
        return max(2 * CHIP, CHIP - (-CHIP * max(self.won_pays, self.tied_pays) // 200))


RULE_SETS: Final[Mapping[str, WarRules]] = {
    "ctrl-alt-bet": WarRules(),
    "casino": WarRules(won_pays=100, tied_pays=100),
}


@dataclass(frozen=True, slots=True)
class WarView:
    """A round as everybody sees it. Each side has one card, and a second one after a war."""

    player: tuple[Card, ...]
    dealer: tuple[Card, ...]
    stake: Cents  # both stakes after a war
    burnt: int  # the number of burnt cards, which lie face down
    surrendered: bool
    result: Line | None  # the result of a finished round
    late: bool = False  # whether the player surrendered by running out of time


class War(OneQuestion[WarRules, Answer]):
    """A round of war: the higher card wins, and with equal ones the player goes to war or surrenders."""

    answers = (Answer.WAR, Answer.SURRENDER)
    silence = Answer.SURRENDER
    costs: ClassVar = {Answer.WAR: 1}

    def asks(self) -> bool:
        """Return whether the first two cards have equal ranks, so that the player surrenders or goes to war (R9.2)."""
        return height(self.card(0)) == height(self.card(1))

    @property
    def open_cards(self) -> tuple[int, ...]:
        return (0, 1, 2 + _BURNT, 3 + _BURNT) if self.took(Answer.WAR) else (0, 1)

    def view(self, seat: Seat | None = None) -> WarView:
        at_war = self.took(Answer.WAR)
        return WarView(
            player=self._cards(0),
            dealer=self._cards(1),
            stake=self.staked,
            burnt=_BURNT if at_war else 0,
            surrendered=self.took(Answer.SURRENDER),
            result=self.lines()[0] if self.over else None,
            late=self.late,
        )

    def lines(self) -> tuple[Line, ...]:
        """Return a single line for everything that was staked."""
        return (self._line(),)

    def _line(self) -> Line:
        """Settle the round: the higher card wins (R9.1), a surrender loses half (R9.2), a war has two stakes (R9.3)."""
        stake, lead = self.stake, height(self._cards(0)[-1]) - height(self._cards(1)[-1])
        if self.took(Answer.SURRENDER):
            return Line(0, "main", stake, stake // 2, Outcome.SURRENDER)
        if self.took(Answer.WAR):
            return self._war_line(lead)
        return Line(0, "main", stake, stake * 2, Outcome.WIN) if lead > 0 else Line(0, "main", stake, 0, Outcome.LOSE)

    def _cards(self, side: int) -> tuple[Card, ...]:
        return tuple(self.card(place) for place in self.open_cards[side::2])

    def _war_line(self, lead: int) -> Line:
        """Settle both stakes of a war (R9.3). `lead` is the rank of the player's last card minus the dealer's."""
        if lead < 0:
            return Line(0, "main", self.staked, 0, Outcome.WAR_LOST)
        pays, outcome = (self.rules.won_pays, Outcome.WAR_WON) if lead else (self.rules.tied_pays, Outcome.WAR_TIED)
        return Line(0, "main", self.staked, self.staked + self.stake * pays // 100, outcome)


GAME: Final = Game[WarRules, War, WarView](
    name="war",
    rule_sets=RULE_SETS,
    rules_from_json=WarRules.from_json,
    deal=War,
    actions=War.answers,
    own_table=True,
    answer_time="war_seconds",
    most_steps=1,
)
