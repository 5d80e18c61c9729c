"""The expert's chart (R6.3), read from `expert_chart.csv`: a play for each hand against each up card."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import Final

from engine.games.blackjack.worth import POINTS
from engine.games.cards import PACK, Card

_FILE: Final = Path(__file__).with_name("expert_chart.csv")


class Play(StrEnum):
    """The plays that a cell of the chart can name."""

    HIT = "hit"
    STAND = "stand"
    DOUBLE = "double"
    PAIR = "pair"  # R4.3: split where the table splits, swap where it swaps


#: The play for each up card of the dealer.
PlayRow = Mapping[Card, Play]


@dataclass(frozen=True, slots=True)
class Chart:
    """The chart's rows by hard total, by soft total, and by the value of a pair's cards (11 for aces)."""

    hard: Mapping[int, PlayRow]
    soft: Mapping[int, PlayRow]
    pairs: Mapping[int, PlayRow]


@cache
def expert() -> Chart:
    """Return the expert's chart, which is read from its file once."""
    chart = Chart({}, {}, {})
    with _FILE.open(encoding="utf-8", newline="") as file:
        head, *lines = csv.reader(file)
    for name, *plays in lines:
        by_points = {_points(column): Play(play) for column, play in zip(head[1:], plays, strict=True)}
        row = {card: by_points[POINTS[card]] for card in PACK}
        for kind, total in _hands(name):
            getattr(chart, kind)[total] = row
    return chart


def _points(pip: str) -> int:
    return 11 if pip == "A" else int(pip)


def _hands(name: str) -> Iterator[tuple[str, int]]:
    """Yield each hand that a row's name covers (``hard 5-8``, ``A,8-A,10``, ``A,A and 8,8``) as its kind and its total.

    The total of a pair is given as the value of one card.
    """
    if name.startswith("hard "):
        lowest, highest = _ends(name.removeprefix("hard "))
        yield from (("hard", total) for total in range(int(lowest), int(highest) + 1))
    elif pairs := re.findall(r"\b(\w+),\1\b", name):
        yield from (("pairs", _points(pip)) for pip in pairs)
    else:
        lowest, highest = (end.removeprefix("A,") for end in _ends(name))
        yield from (("soft", 11 + other) for other in range(int(lowest), int(highest) + 1))


def _ends(span: str) -> tuple[str, str]:
    lowest, _, highest = span.partition("-")
    return lowest, highest or lowest
