"""Drills: ever closer decisions, one's weak spots, the cells of a chart, or a missed day of Today's five (R15.1)."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import accumulate
from typing import Any, Final, Self

from engine.games.blackjack.rules import BlackjackRules
from engine.training.deals import UPS, Below, Cell, DealtHand, any_deals, cell_of, cells, deals_of, rows
from engine.training.problems import TOSS_UP, Problem, Search

#: The number of hands from which the solver chooses the next one: if dealt by chance, and if of one cell of the chart.
_OF_A_RUN: Final = 120
_OF_A_CELL: Final = 12

#: The largest difference between the best two plays that a run allows, as a part of the stake.
_WIDEST: Final = 0.15  # the first hand
_NARROWER: Final = 0.85  # the factor that each right answer brings
_NARROWEST: Final = 0.01  # the least
#: The least difference between the best two plays, as a share of the largest that is allowed for that hand.
_LEAST: Final = 0.4

#: The share of questions that are about weak spots (three of four). The others are hands dealt by chance.
_WEAK: Final = (3, 4)

#: The number of latest cells that a run does not ask again.
_RECENT: Final = 6


#: The fields whose values are JSON already.
_PLAIN: Final = ("row", "best", "ended", "answer")


class DrillKind(StrEnum):
    """The kinds of drill that ask for a play (R15.1)."""

    RUN = "run"  # ever closer decisions
    SPOTS = "spots"  # hands like those that cost the person most
    CHARTS = "charts"  # all cells of the chart, until each was answered right
    FIVE = "five"  # situations of a day of Today's five


#: The cents that a person has lost by mistakes at each cell of the chart.
Lost = Mapping[Cell, float]


@dataclass(frozen=True, slots=True)
class Drill:
    """The state of a person's drill. Every answer makes a new value."""

    kind: DrillKind
    rules: BlackjackRules
    #: Right answers in a row.
    row: int = 0
    best: int = 0  # the longest row ever
    ended: int = 0  # the row before the last answer
    #: The hand that is asked, and the one before it with its answer.
    asked: Problem | None = None
    before: Problem | None = None
    answer: str = ""
    #: The cells asked last, the newest at the end, and the numbers of the cells of the chart that are known: the last
    #: answer there was right.
    recent: tuple[Cell, ...] = ()
    known: frozenset[int] = frozenset()
    #: The cells that a drill of the kind `FIVE` asks about.
    wanted: tuple[Cell, ...] = ()

    def asking(self, problem: Problem) -> Drill:
        """Return the drill that asks about this hand next, and has its cell among the recent ones."""
        cell = cell_of(self.rules, problem.deal)
        return replace(self, asked=problem, recent=(*self.recent, cell)[-_RECENT:])

    def answered(self, action: str) -> Drill:
        """Return the drill after an answer to its hand: the row of right answers grows or ends, and no hand is asked.

        A drill of charts also notes whether the hand's cell is known now.
        """
        assert self.asked is not None
        right = self.asked.is_right(action)
        row = self.row + 1 if right else 0
        drill = replace(self, row=row, best=max(self.best, row), ended=self.row, asked=None, before=self.asked)
        drill = replace(drill, answer=action)
        if self.kind is not DrillKind.CHARTS:
            return drill
        cell = cells(self.rules).index(cell_of(self.rules, self.asked.deal))
        return replace(drill, known=self.known | {cell} if right else self.known - {cell})

    @property
    def was_right(self) -> bool:
        """Whether the last answer was right; False if there is none."""
        return self.before is not None and self.before.is_right(self.answer)

    @property
    def charted(self) -> tuple[int, int]:
        """The number of the chart's cells whose last answer was right, and the number of all cells."""
        return len(self.known), len(cells(self.rules))

    # -- as it is stored -----------------------------------------------------------------------------------------------

    def as_json(self) -> dict[str, Any]:
        """Return the drill as JSON, without its kind and without empty fields.

        Only those of its rules that differ from the usual ones are written.
        """
        problems = {"asked": self.asked, "before": self.before}
        values: dict[str, Any] = {name: getattr(self, name) for name in _PLAIN}
        values |= {name: problem.as_json() for name, problem in problems.items() if problem is not None}
        values |= {"recent": [list(cell) for cell in self.recent], "known": f"{sum(1 << n for n in self.known):x}"}
        values["wanted"] = [list(cell) for cell in self.wanted]
        usual = BlackjackRules().as_json()
        rules = {name: value for name, value in self.rules.as_json().items() if value != usual[name]}
        return {"rules": rules, **{name: value for name, value in values.items() if value}}

    @classmethod
    def from_json(cls, kind: DrillKind, doc: Mapping[str, Any]) -> Self:
        """Read what `as_json` wrote."""
        known = int(doc.get("known", "0"), 16)
        return cls(
            kind,
            BlackjackRules.from_json(doc["rules"]),
            asked=Problem.from_json(doc["asked"]) if "asked" in doc else None,
            before=Problem.from_json(doc["before"]) if "before" in doc else None,
            **{name: doc[name] for name in _PLAIN if name in doc},
            recent=tuple(Cell(*pair) for pair in doc.get("recent", ())),
            wanted=tuple(Cell(*pair) for pair in doc.get("wanted", ())),
            known=frozenset(place for place in range(known.bit_length()) if known >> place & 1),
        )


def five(rules: BlackjackRules, missed: Iterable[str]) -> Drill:
    """Return a drill of missed situations, written as Today's five names them: `hard 16 v 10`.

    Those that no two cards can make are left out.
    """
    cells = (Cell(*situation.split(" v ")) for situation in missed)
    return Drill(DrillKind.FIVE, rules, wanted=tuple(cell for cell in cells if cell.row in rows(rules)))


def lost_at(rules: BlackjackRules, mistakes: Iterable[tuple[DealtHand, float]]) -> Lost:
    """Return what mistakes cost at each cell of the chart, in cents. Cells that no two cards can make are left out."""
    lost: dict[Cell, float] = {}
    for deal, loss in mistakes:
        cell = cell_of(rules, deal)
        if cell.row in rows(rules):
            lost[cell] = lost.get(cell, 0.0) + loss
    return lost


def next_search(drill: Drill, below: Below, lost: Lost | None = None) -> Search:
    """Return the search for a drill's next hand: the hands to choose from, and how much the best two plays may differ.

    `lost` says where the person loses most; only a drill of weak spots uses it. A quarter of the hands of that drill
    are dealt by chance; all of them, if `lost` is missing or empty. `below` is the source of chance.
    """
    if drill.kind is DrillKind.SPOTS and lost and below(_WEAK[1]) < _WEAK[0]:
        return Search(drill.rules, _like(drill.rules, lost, below), TOSS_UP)
    if drill.kind is DrillKind.FIVE and drill.wanted:
        cell = drill.wanted[below(len(drill.wanted))]
        return Search(drill.rules, deals_of(drill.rules, cell, below, _OF_A_CELL), TOSS_UP)
    if drill.kind is DrillKind.CHARTS:
        return Search(drill.rules, deals_of(drill.rules, _unknown(drill, below), below, _OF_A_CELL), TOSS_UP)
    high = narrowed(drill.row if drill.kind is DrillKind.RUN else 0)
    deals = any_deals(drill.rules, below, _OF_A_RUN, drill.recent)
    return Search(drill.rules, deals, high * _LEAST, high)


def narrowed(row: int) -> float:
    """Return how much the best two plays may differ, in parts of the stake, after `row` right answers in a row."""
    return float(max(_NARROWEST, _WIDEST * _NARROWER**row))


def _unknown(drill: Drill, below: Below) -> Cell:
    """Return a random cell of the chart that the person does not know yet. If all are known, return any cell."""
    every = cells(drill.rules)
    left = [cell for place, cell in enumerate(every) if place not in drill.known] or every
    return left[below(len(left))]


def _like(rules: BlackjackRules, lost: Lost, below: Below) -> Sequence[DealtHand]:
    """Choose a cell where the person loses, costly ones more often, and return hands of that cell or one like it.

    At least half of the time they are of that cell, otherwise of the same row against another up card.
    """
    cells, losses = list(lost), list(accumulate(max(1, round(loss)) for loss in lost.values()))
    row, up = cells[bisect_right(losses, below(losses[-1]))]
    return deals_of(rules, Cell(row, up if below(2) else UPS[below(len(UPS))]), below, _OF_A_CELL)
