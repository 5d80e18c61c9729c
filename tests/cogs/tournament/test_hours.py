"""Hours by a server's clocks: gaps, doubled hours, series over them, and whatever else somebody types."""

from __future__ import annotations

import contextlib
from dataclasses import replace
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cogs.tournament import hours
from cogs.tournament.command import _DAYS as DAYS
from cogs.words import LANGUAGES, _, speaking
from cogs.words.refusals import Sorry
from engine.games.contract import CHIP
from engine.tournament.state import Every, TournamentState
from engine.tournament.tournament import Tournament, TournamentTerms

PARIS = "Europe/Paris"
NOW = datetime(2026, 3, 1, 12, 0, tzinfo=UTC).timestamp()


def said(moment: float, zone: str = PARIS) -> str:
    return datetime.fromtimestamp(moment, ZoneInfo(zone)).strftime(hours.WALL)


@pytest.mark.parametrize(
    ("typed", "hour"),
    [
        ("20:30", "20:30"), ("20h30", "20:30"), ("20.30", "20:30"), ("8", "08:00"), ("8pm", "20:00"),
        ("8:15 pm", "20:15"), ("12am", "00:00"), ("12 p.m.", "12:00"), ("00:00", "00:00"),
        (" 9:05 ", "09:05"), ("20h", "20:00"),
    ],
)  # fmt: skip
def test_hours_are_written_in_many_ways(typed: str, hour: str) -> None:
    assert said(hours.start("2026-03-05", typed, PARIS, NOW)) == f"2026-03-05 {hour}"


@pytest.mark.parametrize("typed", ["", "noon", "24:00", "12:60", "-1", "13pm", "0pm", "20:3", "20:30:00"])
def test_what_is_no_hour_is_refused(typed: str) -> None:
    with pytest.raises(Sorry, match="n't a time of day"):
        hours.start("tomorrow", typed, PARIS, NOW)


@pytest.mark.parametrize(
    ("day", "date"), [("today", "2026-03-01"), ("Tomorrow", "2026-03-02"), ("demain", "2026-03-02")]
)
def test_days_are_dates_or_words(day: str, date: str) -> None:
    assert said(hours.start(day, "20:30", PARIS, NOW)) == f"{date} 20:30"


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_days_that_are_suggested_are_days_in_every_language(language: str) -> None:
    with speaking(language):
        suggested = [_(day) for day in DAYS]
        assert [said(hours.start(day, "20:30", PARIS, NOW)) for day in suggested] == [
            "2026-03-01 20:30",
            "2026-03-02 20:30",
        ]


def test_without_a_day_it_is_the_next_time_that_the_hour_comes() -> None:
    assert said(hours.start("", "13:30", PARIS, NOW)) == "2026-03-01 13:30"  # it is 13:00 there
    assert said(hours.start("", "12:59", PARIS, NOW)) == "2026-03-02 12:59"


@pytest.mark.parametrize(
    ("day", "time", "why"),
    [
        ("", "13:02", ""),
        ("", "13:00", "**13:00 has passed today: it will be tomorrow.**"),
        ("", "13:01", "**13:01 is too soon for today: it will be tomorrow.**"),
        ("", "9:05", "**09:05 has passed today: it will be tomorrow.**"),
        ("tomorrow", "9:05", ""),
        ("2026-03-02", "13:01", ""),
    ],
)
def test_whoever_names_no_day_is_told_why_it_is_tomorrow(day: str, time: str, why: str) -> None:
    now = NOW + 15  # 13:00:15 there
    assert hours.why_tomorrow(day, hours.start(day, time, PARIS, now), PARIS, now) == why


@pytest.mark.parametrize(("day", "time"), [("2026-03-01", "13:00"), ("2026-02-28", "20:00"), ("today", "0:00")])
def test_the_past_is_refused(day: str, time: str) -> None:
    with pytest.raises(Sorry, match="has passed"):
        hours.start(day, time, PARIS, NOW)


def test_more_than_a_year_ahead_is_refused() -> None:
    assert said(hours.start("2027-03-02", "20:00", PARIS, NOW)) == "2027-03-02 20:00"
    with pytest.raises(Sorry, match=r"^March 3, 2027 is more than a year away\.$"):
        hours.start("2027-03-03", "20:00", PARIS, NOW)


def test_an_hour_that_the_clocks_leave_out_is_refused() -> None:
    with pytest.raises(Sorry, match="skip March 29, 2026, 02:30"):
        hours.start("2026-03-29", "2:30", PARIS, NOW)
    assert said(hours.start("2026-03-29", "3:00", PARIS, NOW)) == "2026-03-29 03:00"
    assert said(hours.start("2026-03-29", "2:30", "UTC", NOW), "UTC") == "2026-03-29 02:30"


def test_an_hour_that_comes_twice_is_refused() -> None:
    with pytest.raises(Sorry, match="October 25, 2026, 02:30 comes twice"):
        hours.start("2026-10-25", "2:30", PARIS, NOW)
    assert said(hours.start("2026-10-25", "3:00", PARIS, NOW)) == "2026-10-25 03:00"


def test_a_zone_that_nobody_knows_is_utc() -> None:
    assert hours.zone_of("Nowhere/At_All") == hours.zone_of("America") == ZoneInfo("UTC")


# -- series ------------------------------------------------------------------------------------------------------------


def series(wall: str, every: Every = Every.DAILY, zone: str = PARIS) -> TournamentState:
    tournament = Tournament(TournamentTerms(100 * CHIP), b"s" * 32)
    return TournamentState(1, 1, 1, 1, "original", {}, 0.0, tournament.record(), every, zone, wall)


def after(wall: str) -> float:
    return datetime.strptime(wall, hours.WALL).replace(tzinfo=ZoneInfo(PARIS)).timestamp()


@pytest.mark.parametrize(
    ("wall", "following"),
    [
        ("2026-03-27 20:30", "2026-03-28 20:30"),
        ("2026-03-28 20:30", "2026-03-29 20:30"),  # 23 hours later
        ("2026-10-24 20:30", "2026-10-25 20:30"),  # 25 hours later
        ("2026-12-31 20:30", "2027-01-01 20:30"),
    ],
)
def test_a_series_keeps_its_hour_by_the_clocks(wall: str, following: str) -> None:
    found = hours.WallCalendar().following(series(wall), after(wall))
    assert found is not None
    assert (found[0], said(found[1])) == (following, following)


def test_in_a_night_without_its_hour_it_starts_an_hour_later_and_keeps_its_hour_afterwards() -> None:
    calendar = hours.WallCalendar()
    found = calendar.following(series("2026-03-28 02:30"), after("2026-03-28 02:30"))
    assert found is not None
    assert (found[0], said(found[1])) == ("2026-03-29 02:30", "2026-03-29 03:30")
    found = calendar.following(series(found[0]), found[1])
    assert found is not None
    assert (found[0], said(found[1])) == ("2026-03-30 02:30", "2026-03-30 02:30")


def test_what_was_missed_is_passed_over() -> None:
    found = hours.WallCalendar().following(series("2026-03-02 20:30", Every.WEEKLY), after("2026-03-31 20:30"))
    assert found is not None
    assert found[0] == "2026-04-06 20:30"


@pytest.mark.parametrize("alone", ["2026-03-03 20:30", "2026-03-04 21:00", "2026-03-05 19:00"])
def test_a_series_of_which_one_was_moved_goes_on_at_its_own_hour(alone: str) -> None:
    wednesdays = replace(series(alone, Every.WEEKLY), rhythm="2026-03-04 20:30")
    found = hours.WallCalendar().following(wednesdays, after(alone))
    assert found is not None
    assert found[0] == "2026-03-11 20:30"


def test_once_is_once() -> None:
    assert hours.WallCalendar().following(series("2026-03-02 20:30", Every.ONCE), NOW) is None


@given(
    st.datetimes(datetime(2026, 1, 1), datetime(2030, 1, 1)),
    st.floats(0, 400 * 86_400),
    st.sampled_from([Every.DAILY, Every.WEEKLY]),
    st.sampled_from([PARIS, "UTC", "America/St_Johns", "Australia/Lord_Howe", "Asia/Kathmandu"]),
)
def test_the_next_one_is_later_and_no_more_than_a_step_away(
    first: datetime, wait: float, every: Every, zone: str
) -> None:
    state = series(first.strftime(hours.WALL), every, zone)
    begun = datetime.strptime(state.wall, hours.WALL).replace(tzinfo=ZoneInfo(zone)).timestamp()
    found = hours.WallCalendar().following(state, begun + wait)
    assert found is not None
    step = 86_400 * (7 if every is Every.WEEKLY else 1)
    assert begun + wait < found[1] <= begun + wait + step + 3_600
    assert found[0][-5:] == state.wall[-5:]
    again = hours.WallCalendar().following(replace(state, wall=found[0]), found[1])
    assert again is not None
    assert step - 3_600 <= again[1] - found[1] <= step + 3_600


@given(
    st.text(max_size=12) | st.dates().map(str) | st.just(""),
    st.text(max_size=12) | st.times().map(lambda time: f"{time:%H:%M}"),
    st.sampled_from([PARIS, "Pacific/Kiritimati", "Pacific/Pago_Pago"]),
)
def test_whatever_is_typed_is_an_instant_or_a_sentence(day: str, time: str, zone: str) -> None:
    with contextlib.suppress(Sorry):
        assert NOW < hours.start(day, time, zone, NOW) < NOW + 400 * 86_400
