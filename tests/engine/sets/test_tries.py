"""A try of Today's five: presses, points and marks (R11.4, R11.5), levels and shares (R11.6), streaks (R11.8)."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace

import pytest

from engine import solver
from engine.games.blackjack.actions import ACTIONS
from engine.games.blackjack.rule_sets import ORIGINAL
from engine.games.cards import PACK
from engine.sets.answers import ACTIONS as ACTIONS_BY_LETTER
from engine.sets.answers import LETTERS, worked_out
from engine.sets.calendar import WEEK, closes, date_of, day_at, opens, public_from, weekday
from engine.sets.deals import SEAT, dealt
from engine.sets.levels import played_by
from engine.sets.prepared import Prepared
from engine.sets.programme import for_one
from engine.sets.scoring import DealGrade, GradedDecision, Mark
from engine.sets.shares import counted, share
from engine.sets.streaks import Streak, streak
from engine.sets.tries import NEXT, BadSteps, WhyRefused, begun, played

from .prepared import MONDAY, best_steps, prepared, shoes

WEEKDAYS = range(MONDAY, MONDAY + WEEK)


def gave_away(loss: int, width: int = 150_000) -> DealGrade:
    return DealGrade((GradedDecision("", "h", {"h": -loss, "s": 0}),), width)


def test_more_letters_than_any_try_can_have_are_not_played() -> None:
    for letters, why in ((513, "513 steps"), (512, WhyRefused.NOT_ALLOWED.value)):
        with pytest.raises(BadSteps) as no:
            played(prepared(MONDAY), shoes(MONDAY), "x" * letters)
        assert str(no.value) == why


@pytest.mark.parametrize("day", WEEKDAYS)
def test_r11_4_a_perfect_day_has_a_hundred_points(day: int) -> None:
    found = played(prepared(day), shoes(day), best_steps(day))
    assert found.over
    assert found.points == 100_00
    assert {grade.mark for grade in found.grades} == {Mark.RIGHT}


def test_r11_4_a_deal_brings_points_when_it_is_over() -> None:
    first = best_steps(MONDAY).split(NEXT)[0]
    tries = [played(prepared(MONDAY), shoes(MONDAY), steps) for steps in ("", first, first + NEXT)]
    assert [each.points for each in tries] == [0, 20_00, 20_00]


@pytest.mark.parametrize(
    ("loss", "points"), [(0, 20_00), (1, 20_00), (53_000, 12_93), (75_000, 10_00), (150_000, 0), (900_000, 0)]
)
def test_r11_4_a_deal_brings_twenty_points_less_what_was_given_away_over_the_width(loss: int, points: int) -> None:
    assert gave_away(loss).points == points


def test_r11_4_all_decisions_of_a_deal_count_together() -> None:
    grade = DealGrade(
        (GradedDecision("", "h", {"h": -9_000, "s": 0}), GradedDecision("h", "s", {"h": 6_000, "s": 0})), 150_000
    )
    assert grade.loss == 15_000
    assert grade.points == 18_00
    assert grade.worst.path == ""


@pytest.mark.parametrize(
    ("loss", "mark"),
    [(0, "right"), (3_000, "right"), (3_001, "close"), (75_000, "close"), (75_001, "wrong"), (400_000, "wrong")],
)
def test_r11_5_a_toss_up_is_right_and_more_than_half_the_width_is_wrong(loss: int, mark: str) -> None:
    assert gave_away(loss).mark is Mark(mark)


@pytest.mark.parametrize("day", WEEKDAYS)
def test_r11_4_wherever_a_try_can_lead_an_answer_is_there(day: int) -> None:
    """Every way through every deal ends, and each question on it has a value for just what is allowed."""
    for place, answers in enumerate(prepared(day).answers):
        start = "/".join([best_steps(day).split(NEXT)[before] for before in range(place)] + [""])
        for path, worths in answers.items():
            here = played(prepared(day), shoes(day), start + path)
            assert {LETTERS[action] for action in here.legal} == worths.keys()
            for letter in worths:
                after = here.pressed(next(word for word in ACTIONS if LETTERS[word] == letter), shoes(day))
                assert after.round.over or path + letter in answers


def test_r11_4_a_swapped_hand_has_two_units_at_stake() -> None:
    rules = for_one(ORIGINAL)
    laid = ("8h", "8s", "5d", "Kd", "7c", "Tc")
    rest = [card for card in PACK * 6 if card not in laid]
    shoe = (*laid[:4], *rest, *laid[4:])
    swapped = dealt(rules, shoe)
    swapped.apply(SEAT, "swap")
    says = solver.decision(rules, solver.Position.of_round(swapped, SEAT)).actions
    assert worked_out(rules, shoe)["w"] == {LETTERS[word]: round(2_000_000 * worth) for word, worth in says.items()}


def test_what_is_played_needs_no_solver() -> None:
    look = "import sys, engine.sets.levels, engine.sets.shares, engine.sets.streaks; print('numpy' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", look], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"


def test_a_try_goes_on_wherever_it_was_left() -> None:
    day = MONDAY
    steps = best_steps(day)
    found = begun(prepared(day), shoes(day))
    for end in range(len(steps)):
        assert played(prepared(day), shoes(day), steps[:end]).steps == found.steps == steps[:end]
        letter = steps[end]
        found = found.pressed(next((word for word in ACTIONS if LETTERS[word] == letter), letter), shoes(day))
    assert found.over
    assert found.refusal("hit") is found.refusal(NEXT) is WhyRefused.ALL_OVER


def test_a_press_that_is_not_allowed_is_refused_with_a_reason() -> None:
    day = MONDAY
    found = begun(prepared(day), shoes(day))
    assert found.refusal(NEXT) is WhyRefused.DEAL_NOT_OVER
    assert found.refusal("swap") is WhyRefused.NOT_ALLOWED
    over = played(prepared(day), shoes(day), best_steps(day).split(NEXT)[0])
    assert over.refusal("stand") is WhyRefused.DEAL_OVER
    for steps in ("/", "x", "w", best_steps(day) + "s", "s" * 1_000):
        with pytest.raises(BadSteps):
            played(prepared(day), shoes(day), steps)


def test_r11_6_what_the_levels_score_follows_from_their_play() -> None:
    expert = played_by("expert", prepared(MONDAY), shoes(MONDAY))
    amateur = played_by("amateur", prepared(MONDAY), shoes(MONDAY))
    assert expert.over
    assert amateur.over
    assert played(prepared(MONDAY), shoes(MONDAY), expert.steps).points == expert.points >= amateur.points


def test_r11_6_shares_are_told_in_steps_of_five_and_only_of_twenty() -> None:
    assert share(counted([("s", 11), ("hs", 8)]), 0, "", "s") is None
    counts = counted([("s/d", 12), ("hs/s", 9)])
    assert share(counts, 0, "", "s") == 55
    assert share(counts, 0, "", "h") == 45
    assert share(counts, 0, "", "d") == 0
    assert share(counts, 0, "h", "s") is None
    assert share(counted([("s", 20)]), 0, "", "s") == 100
    assert share(counted([("s", 5), ("hs", 35)]), 0, "", "s") == 15, "12.5 is rounded up"
    assert share(counts, 1, "", "d") == 55


@pytest.mark.parametrize(
    ("played_on", "expected"),
    [
        ([], Streak(0)),
        ([10], Streak(1)),
        ([9], Streak(1)),
        ([8], Streak(1, paused=True)),
        ([7], Streak(0)),
        ([10, 9, 8], Streak(3)),
        ([10, 8], Streak(2)),
        ([9, 7, 5, 4], Streak(4)),
        ([9, 6, 5], Streak(1)),
        ([10, 7, 6], Streak(1)),
    ],
)
def test_r11_8_one_missed_day_pauses_a_streak_and_two_in_a_row_end_it(played_on: list[int], expected: Streak) -> None:
    assert streak(played_on, 10) == expected


def test_r11_8_neutral_days_neither_add_nor_miss() -> None:
    assert streak([9, 5], 10, neutral={6, 7, 8}) == Streak(2)
    assert streak([5], 10, neutral={6, 7, 8, 9}) == Streak(1)
    assert streak([5], 10, neutral={6, 8}) == Streak(0)


def test_stored_tries_keep_their_letters() -> None:
    stored = {"h": "hit", "s": "stand", "d": "double", "p": "split", "w": "swap", "r": "surrender"}
    assert {**stored, "i": "insure", "n": "decline"} == ACTIONS_BY_LETTER


def test_a_set_is_stored_and_read_back_unchanged() -> None:
    kept = replace(prepared(MONDAY), filter=0, valuation=0)  # versions before those of today
    again = Prepared.from_json(kept.terms, kept.deals_as_json(), kept.answers_as_json(), kept.filter, kept.valuation)
    assert again == kept


def test_r11_1_a_day_is_a_date_in_utc_and_may_be_finished_an_hour_later() -> None:
    noon = MONDAY * 86_400 + 43_200.0
    assert day_at(noon) == day_at(opens(MONDAY)) == day_at(closes(MONDAY) - 0.001) == MONDAY
    assert day_at(closes(MONDAY)) == MONDAY + 1
    assert public_from(MONDAY) - closes(MONDAY) == 60 * 60


def test_days_have_the_dates_of_the_calendar() -> None:
    import datetime

    for day in (0, 11_016, 19_782, 20_512, 20_822, 30_000):
        date = datetime.date(1970, 1, 1) + datetime.timedelta(days=day)
        assert date_of(day) == date.isoformat()
        assert weekday(day) == date.weekday()
