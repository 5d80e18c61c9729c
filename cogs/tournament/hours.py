"""Times as people type them, by their server's clocks, and as the engine needs them."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, timedelta
from typing import Final
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from cogs.words import N_, _, day_and_time, day_text, safe, zone_name
from cogs.words.refusals import Sorry
from engine.tournament.state import Every, TournamentState

#: The form in which a start is stored, as the server's clocks show it.
WALL: Final = "%Y-%m-%d %H:%M"
#: The longest time until the day of a tournament's start.
FURTHEST: Final = timedelta(days=366)
#: The shortest time until a tournament's start, for people to sign up.
SOONEST: Final = timedelta(minutes=1)

_TIME: Final = re.compile(
    r"(?P<hour>\d{1,2})(?:\s*[:.hH]\s*(?P<minute>\d{2})?)?\s*(?P<half>[ap]\.?m\.?)?", re.IGNORECASE
)
_STEP: Final = {Every.DAILY: timedelta(days=1), Every.WEEKLY: timedelta(days=7)}


def zone_of(name: str) -> ZoneInfo:
    """Return the time zone of this name, or UTC where this machine does not know it."""
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):  # OSError: a folder of zones
        return ZoneInfo("UTC")


def clock_at(starts: float, zone: str) -> datetime:
    """Return the date and time that the zone's clocks show at a moment."""
    return datetime.fromtimestamp(starts, zone_of(zone))


def wall_of(starts: float, zone: str) -> str:
    """Return a moment as the zone's clocks show it, in the stored form (`WALL`)."""
    return clock_at(starts, zone).strftime(WALL)


# -- what somebody typed -----------------------------------------------------------------------------------------------


def start(day: str, time: str, zone: str, now: float) -> float:
    """Return the moment that was typed. Without a day it is today or, if that is past or too soon, tomorrow.

    Raise Sorry for texts that are no day or hour, for days more than `FURTHEST` away, and for moments that are past,
    less than `SOONEST` away (too soon), or skipped or repeated by the clocks.
    """
    here = zone_of(zone)
    present = datetime.fromtimestamp(now, here)
    hour, minute = _time(time)
    chosen = _day(day, present.date())
    if chosen is not None:
        _refuse_far_away(chosen, present.date(), zone)
    wall = datetime(*(chosen or present.date()).timetuple()[:3], hour, minute)
    if chosen is None and _instant(wall, here) < present + SOONEST:
        wall += timedelta(days=1)
    return _checked(wall, here, zone, present)


def why_tomorrow(day: str, starts: float, zone: str, now: float) -> str:
    """Return the note that an hour without a day means tomorrow, and why; empty if it does not."""
    start, present = clock_at(starts, zone), clock_at(now, zone)
    if day.strip() or start.date() == present.date():
        return ""
    too_soon = N_("**{time} is too soon for today: it will be tomorrow.**")
    passed = N_("**{time} has passed today: it will be tomorrow.**")
    return _(too_soon if start.time() > present.time() else passed, time=start.strftime("%H:%M"))


def _time(text: str) -> tuple[int, int]:
    found = _TIME.fullmatch(text.strip())
    hour, minute = (int(found["hour"]), int(found["minute"] or 0)) if found else (99, 0)
    if found and found["half"]:
        hour = 99 if not 1 <= hour <= 12 else hour % 12 + (12 if found["half"].lower().startswith("p") else 0)
    if hour > 23 or minute > 59:
        raise Sorry(_("**{text}** isn't a time of day. Write one like 20:30.", text=safe(text)))
    return hour, minute


def _day(text: str, today: date) -> date | None:
    word = text.strip().casefold()
    if not word:
        return None
    if word in _WORDS:
        return today + timedelta(days=_WORDS[word])
    try:
        return date.fromisoformat(word)
    except ValueError:
        raise Sorry(
            _("**{text}** isn't a day. Write one like 2026-12-24, or today, or tomorrow.", text=safe(text))
        ) from None


#: Days in words, in every language of the bot, with the number of days until then.
_WORDS: Final = {
    **dict.fromkeys(("today", "aujourd’hui", "aujourd'hui", "heute", "hoy", "hoje"), 0),
    **dict.fromkeys(("tomorrow", "demain", "morgen", "mañana", "manana", "amanhã", "amanha"), 1),
}


def _refuse_far_away(day: date, today: date, zone: str) -> None:
    """Refuse days that are past or more than a year away."""
    if day < today:
        raise Sorry(_("{time} ({zone}) has passed. Choose a later time.", zone=zone_name(zone), time=day_text(day)))
    if day > today + FURTHEST:
        raise Sorry(_("{time} is more than a year away.", time=day_text(day)))


def _checked(wall: datetime, here: ZoneInfo, zone: str, present: datetime) -> float:
    when, place = day_and_time(wall), zone_name(zone)
    first, second = _instant(wall, here), _instant(wall, here, fold=1)
    if first.astimezone(here).replace(tzinfo=None) != wall:
        raise Sorry(
            _(
                "The clocks go forward and skip {time} ({zone}). Choose another time.",
                zone=place,
                time=when,
            )
        )
    if first != second:
        raise Sorry(
            _("The clocks go back, and {time} comes twice ({zone}). Choose another time.", zone=place, time=when)
        )
    if first < present + SOONEST:
        raise Sorry(_("{time} ({zone}) has passed. Choose a later time.", zone=place, time=when))
    return first.timestamp()


def _instant(wall: datetime, here: ZoneInfo, fold: int = 0) -> datetime:
    return wall.replace(tzinfo=here, fold=fold).astimezone(UTC)


# -- series ------------------------------------------------------------------------------------------------------------


class WallCalendar:
    """The engine's calendar of series, which keep their hour by the zone's clocks.

    If the clocks skip that hour in some night, the tournament starts an hour later.
    """

    def following(self, state: TournamentState, after: float) -> tuple[str, float] | None:
        """Return the next start of a series, both in the stored form (`WALL`) and as a time.

        It is later than `after`, and later than the start that the series gave to this tournament (`state`). Return
        None if the tournament belongs to no series.
        """
        step = _STEP.get(state.every)
        if step is None:
            return None
        here, wall = zone_of(state.zone), datetime.strptime(state.rhythm or state.wall, WALL)
        after = max(after, _instant(wall, here).timestamp())  # it may have been moved to an earlier day
        missed = max(0, (datetime.fromtimestamp(after, here).replace(tzinfo=None) - wall) // step - 1)
        wall += missed * step
        while _instant(wall, here).timestamp() <= after:
            wall += step
        return wall.strftime(WALL), _instant(wall, here).timestamp()
