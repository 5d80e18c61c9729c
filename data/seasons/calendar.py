"""Seasons, which are months or quarters in UTC, and weeks, which have a board of Today's five."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import MAXYEAR, date
from typing import ClassVar, Final

from data.base.values import Span
from engine.sets.calendar import WEEK, day_at, opens, week_of

_FIRST_DAY: Final = date(1970, 1, 1).toordinal()
_MONTHS: Final = 12
_QUARTER: Final = 3


@dataclass(frozen=True, slots=True)
class Season:
    """A month or a quarter."""

    span: Span
    year: int
    number: int  # the month or the quarter of the year, from 1

    @property
    def name(self) -> str:
        """The name that the bank keeps: ``2026-11`` or ``2026-Q4``."""
        return f"{self.year}-{self.number:02}" if self.span is Span.MONTH else f"{self.year}-Q{self.number}"

    @property
    def first(self) -> int:
        """The first day, counted from 1 January 1970."""
        return date(self.year, (self.number - 1) * self._months + 1, 1).toordinal() - _FIRST_DAY

    @property
    def last(self) -> int:
        """The last day, counted from 1 January 1970."""
        return self._moved(1).first - 1

    @property
    def ends_at(self) -> float:
        """The moment at which it ends, in Unix seconds."""
        return opens(self.last + 1)

    @property
    def before(self) -> Season:
        """The season before this one."""
        return self._moved(-1)

    @property
    def best_days(self) -> int:
        """The number of best days that count on the board of Today's five (R14.1)."""
        return 20 * self._months

    @property
    def _months(self) -> int:
        return 1 if self.span is Span.MONTH else _QUARTER

    def _moved(self, by: int) -> Season:
        of_year = _MONTHS // self._months
        year, place = divmod(self.year * of_year + self.number - 1 + by, of_year)
        return Season(self.span, year, place + 1)


@dataclass(frozen=True, slots=True)
class Week:
    """A week from Monday to Sunday, which has a board of Today's five."""

    first: int  # its Monday, counted from 1 January 1970

    #: The most days of Today's five that count: all of them.
    best_days: ClassVar[int] = WEEK

    @property
    def name(self) -> str:
        """The name that the bank keeps, as ``2026-W47``."""
        then = date.fromordinal(_FIRST_DAY + self.first).isocalendar()
        return f"{then.year}-W{then.week:02}"

    @property
    def last(self) -> int:
        """The last day, a Sunday."""
        return self.first + WEEK - 1


def season_of(day: int, span: Span) -> Season:
    """Return the month or the quarter that a day is in; days are counted from 1 January 1970."""
    then = date.fromordinal(_FIRST_DAY + day)
    return Season(span, then.year, then.month if span is Span.MONTH else (then.month - 1) // _QUARTER + 1)


def season_at(now: float, span: Span) -> Season:
    """Return the season that runs at this moment."""
    return season_of(day_at(now), span)


def seasons_of(day: int) -> tuple[Season, ...]:
    """Return the month and the quarter that a day is in."""
    return tuple(season_of(day, span) for span in Span)


def stretches_of(day: int) -> tuple[Season | Week, ...]:
    """Return the month, the quarter and the week that a day is in: each has a board of Today's five."""
    return *seasons_of(day), Week(week_of(day))


def season_named(name: str) -> Season | None:
    """Return the season of a name, or None if there is no such season, or if it is in the last year of the calendar."""
    year, _dash, number = name.partition("-")
    span = Span.QUARTER if number.startswith("Q") else Span.MONTH
    number = number.removeprefix("Q")
    if not (year.isdecimal() and number.isdecimal() and len(year) == 4 and year.isascii() and number.isascii()):
        return None
    found = Season(span, int(year), int(number))
    is_one = 1 <= found.number <= _MONTHS // found._months and found.year < MAXYEAR and found.name == name
    return found if is_one else None
