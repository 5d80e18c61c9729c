"""Days of the calendar in UTC, each as the number of days since 1 January 1970. Moments are seconds since then."""

from __future__ import annotations

from typing import Final

DAY: Final = 86_400
#: Seconds after the close in which a try that was begun in time may be finished (R11.1).
GRACE: Final = 3_600

WEEK: Final = 7
MONDAY, TUESDAY, WEDNESDAY, THURSDAY, FRIDAY, SATURDAY, SUNDAY = range(WEEK)


def day_at(now: float) -> int:
    """Return the day that it is at this moment."""
    return int(now // DAY)


def opens(day: int) -> float:
    """Return the moment at which a day begins."""
    return float(day * DAY)


def closes(day: int) -> float:
    """Return the moment at which a day ends: from then on no try of that day can be begun."""
    return opens(day + 1)


def public_from(day: int) -> float:
    """Return the moment from which the cards and answers of a day's set are public: no try of it can go on."""
    return closes(day) + GRACE


def weekday(day: int) -> int:
    """Return the day of the week, Monday being 0."""
    return (day + THURSDAY) % WEEK


def week_of(day: int) -> int:
    """Return the Monday of a day's week, as the number of that day."""
    return day - weekday(day)


def date_of(day: int) -> str:
    """Return the date of a day, as 2026-11-20."""
    era, of_era = divmod(day + 719_468, 146_097)
    year_of_era = (of_era - of_era // 1_460 + of_era // 36_524 - of_era // 146_096) // 365
    of_year = of_era - (365 * year_of_era + year_of_era // 4 - year_of_era // 100)
    month = (5 * of_year + 2) // 153
    of_month = of_year - (153 * month + 2) // 5 + 1
    month += 3 if month < 10 else -9
    return f"{year_of_era + era * 400 + (month <= 2):04}-{month:02}-{of_month:02}"
