"""A table of sample days of Today's five, from a root that is public: `python -m engine.fairness days`."""

from __future__ import annotations

import argparse
import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from engine.fairness.chain import LENGTH, seed_of
from engine.fairness.sets import day_name, stream
from engine.sets.answers import worked_out
from engine.sets.calendar import WEEK, date_of, weekday
from engine.sets.choosing import WEEKS, chosen, gap_of
from engine.sets.levels import SHOWN, played_by
from engine.sets.prepared import Prepared
from engine.sets.programme import PERCENT, programme
from engine.sets.scoring import HUNDREDTHS

#: The first day of the table: Monday, 4 January 2027.
FIRST: Final = 20_822
#: The root that the table's seeds follow from. No house uses it.
ROOT: Final = hashlib.sha256(b"Today's five").digest()

_WEEKDAYS: Final = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")


@dataclass(frozen=True, slots=True)
class SampleDay:
    """One row of the table: a day with its deals, and the points that computer players make."""

    day: int
    prepared: Prepared
    #: The difference between the best two first plays of each deal, in millionths of the unit.
    gaps: tuple[int, ...]
    #: The points of a computer player of each level of `SHOWN`, in hundredths.
    points: tuple[int, ...]


def sample_days(count: int) -> Iterator[SampleDay]:
    """Work out and yield the table's first days, `count` of them."""
    asked: dict[int, tuple[str, ...]] = {}
    for day in range(FIRST, FIRST + count):
        terms, name = programme(day), day_name(day)
        shoes = stream(seed_of(ROOT, day - FIRST + 1), name, terms.rules.decks)
        before = [situation for weeks in range(1, WEEKS + 1) for situation in asked.get(day - WEEK * weeks, ())]
        deals = chosen(terms, shoes, before)
        prepared = Prepared(terms, deals, tuple(worked_out(terms.rules, shoes(deal.number)) for deal in deals))
        asked[day] = prepared.situations
        points = tuple(played_by(level, prepared, shoes).points for level in SHOWN)
        yield SampleDay(day, prepared, tuple(gap_of(terms.rules, shoes(deal.number)) for deal in deals), points)


def table(count: int) -> Iterator[str]:
    """Yield the lines of a table of `count` days, in Markdown."""
    yield f"| day | rules | width | deals, and how much the best two plays differ | {' | '.join(SHOWN)} |"
    yield "|---|---|---|---|" + "---|" * len(SHOWN)
    for sample in sample_days(count):
        terms = sample.prepared.terms
        deals = " · ".join(
            f"{situation} ({gap / PERCENT:.1f} %)"
            for situation, gap in zip(sample.prepared.situations, sample.gaps, strict=True)
        )
        points = " | ".join(f"{points / HUNDREDTHS:.1f}" for points in sample.points)
        day = f"{_WEEKDAYS[weekday(sample.day)]} {date_of(sample.day)}"
        yield f"| {day} | {terms.name} | {terms.width // PERCENT} % | {deals} | {points} |"


def print_days(arguments: Sequence[str]) -> int:
    """Print the table of as many days as the arguments say, and return 0, the exit code.

    Exit with code 2 if one chain has no seeds for this many.
    """
    parser = argparse.ArgumentParser(prog="python -m engine.fairness days", description="Print a table of days.")
    parser.add_argument("count", nargs="?", type=int, default=60, help=f"how many days (60), at most {LENGTH}")
    count = parser.parse_args(arguments).count
    if not 1 <= count <= LENGTH:
        parser.error(f"a table has 1 to {LENGTH} days, not {count}")
    for line in table(count):
        print(line)
    return 0
