"""Stakes of computer players at elimination tables, and those behind the buttons (R7.6)."""

from __future__ import annotations

import pytest

from engine.elimination.elimination import Elimination
from engine.elimination.stakes import computer_stake, suggestions, within
from engine.games.contract import CHIP
from tests.engine.elimination.elimination import all_stake, open_table, play

QUIET = "0 0 0 0"


def after(rounds: str, level: str, *, people: str = "") -> Elimination:
    table = open_table(people=people, lone=False, level=level)
    play(table, rounds)
    return table


def in_chips(table: Elimination, seat: int) -> float:
    return computer_stake(table, seat) / CHIP


@pytest.mark.parametrize(("seat", "stake"), [(0, 10), (1, 10), (2, 7)])
def test_r7_6_amateurs_stake_a_tenth_of_the_budget(seat: int, stake: int) -> None:
    assert in_chips(after("0 60 -92.5 0", "amateur"), seat) == stake  # C has only seven whole chips left


@pytest.mark.parametrize(("seat", "stake"), [(0, 10), (1, 16), (2, 5), (3, 9)])
def test_r7_6_intermediates_stake_a_tenth_of_their_stack(seat: int, stake: int) -> None:
    assert in_chips(after("0 60 -80 -0.5", "intermediate"), seat) == stake


def test_r7_6_experts_stay_above_the_one_below() -> None:
    table = after("20 10 0 -30", "expert")
    assert in_chips(table, 0) == 5  # B, ten behind, has not staked: the smallest is enough
    table.stake(1, 40 * CHIP)
    table.stake(2, 5 * CHIP)
    table.stake(3, 5 * CHIP)
    assert in_chips(table, 0) == 31  # B would have 150


def test_r7_6_an_expert_reckons_with_the_smallest_stake_of_an_equal_who_has_not_staked() -> None:
    assert in_chips(after("20 20 0 -30", "expert"), 0) == 6  # B may win five


def test_r7_6_the_last_expert_waits_with_the_smallest_stake() -> None:
    assert in_chips(after("20 10 0 -30", "expert"), 3) == 5


def test_r7_6_experts_pass_the_one_above_in_a_heats_last_round() -> None:
    table = after(f"20 10 0 -30 | {QUIET}", "expert")
    assert table.round == 3
    assert in_chips(table, 3) == 31  # C has 100, D 70
    table.stake(2, 10 * CHIP)
    assert in_chips(table, 3) == 41


def test_r7_6_an_expert_who_cannot_pass_goes_all_in() -> None:
    table = after(f"20 10 0 -60 | {QUIET}", "expert")
    assert in_chips(table, 3) == 40


def test_r7_6_an_expert_in_no_danger_does_not_gamble_in_the_last_round() -> None:
    table = after(f"20 10 0 -30 | {QUIET}", "expert")
    assert in_chips(table, 1) == 5


def test_r7_6_in_the_last_round_the_second_passes_the_first() -> None:
    table = after("0 0 0 -1 | 0 0 0 0 | 0 0 0 0 | 0 0 -1 . | 0 0 0 . | 0 0 0 . | 0 -20 . . | 0 0 . .", "expert")
    assert table.round == 9
    assert in_chips(table, 1) == 21
    assert in_chips(table, 0) == 5


@pytest.mark.parametrize("level", ["amateur", "intermediate", "expert", "perfect"])
def test_every_level_stakes_all_when_that_is_less_than_the_smallest(level: str) -> None:
    table = after("-97 0 0 0", level)
    assert in_chips(table, 0) == 3


def test_a_wish_becomes_the_nearest_legal_stake() -> None:
    table = after("-0.5 0 0 0", "expert")
    assert within(table, 0, 0) == 500
    assert within(table, 0, 1_250) == 1_200
    assert within(table, 0, 10**9) == 9_900


def test_buttons_offer_what_can_be_staked() -> None:
    table = open_table()
    assert suggestions(table, 0) == {"smallest": 500, "half": 5_000, "double": 1_000, "all in": 10_000}
    assert suggestions(table, 1) == {}  # not asked


def test_double_is_twice_the_minimum_whatever_was_staked_before() -> None:
    table = open_table()
    table.stake(0, 3_000)
    all_stake(table)
    table.played([2_000, 0, 0, 0])
    for seat in (1, 2, 3):
        table.stake(seat, 500)
    assert suggestions(table, 0) == {"smallest": 500, "half": 6_000, "double": 1_000, "all in": 12_000}


def test_double_is_not_offered_beyond_the_stack() -> None:
    table = open_table()
    table.stake(0, 9_100)
    all_stake(table)
    table.played([-9_100, 0, 0, 0])
    for seat in (1, 2, 3):
        table.stake(seat, 500)
    assert "double" not in suggestions(table, 0)


def test_the_last_chips_are_one_button() -> None:
    table = open_table()
    play(table, "-97 0 0 0")
    for seat in (1, 2, 3):
        table.stake(seat, 500)
    assert set(suggestions(table, 0).values()) == {300}
