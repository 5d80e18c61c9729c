"""Standings as an elimination table shows them."""

from __future__ import annotations

from engine.elimination.elimination import Elimination, EliminationPhase, End
from engine.elimination.standings import EliminationView, view
from engine.games.contract import CHIP, By
from tests.engine.elimination.elimination import all_stake, open_table, play


def seen(rounds: str) -> EliminationView:
    table = open_table(lone=False)
    play(table, rounds)
    return view(table)


def dangers(shown: EliminationView) -> dict[str, float]:
    return {seat.entrant.key: seat.needed / CHIP for seat in shown.seats if seat.danger}


def test_a_new_table() -> None:
    shown = view(open_table(budget=100))
    assert (shown.phase, shown.round, shown.rounds, shown.heat) == (EliminationPhase.STAKING, 1, 9, 1)
    assert (shown.rounds_to_cut, shown.to_go) == (3, 1)
    assert (shown.asked, shown.smallest, shown.order) == (0, 500, (0, 1, 2, 3))
    assert [seat.rank for seat in shown.seats] == [1, 2, 3, 4]
    assert all(seat.danger for seat in shown.seats)  # all are equal: one of them would go by lots


def test_the_poorest_is_in_danger_and_told_what_it_takes() -> None:
    shown = seen("20 10 0 -30")
    assert dangers(shown) == {"D": 31}
    assert [seat.lead / CHIP for seat in shown.seats] == [50, 40, 30, 0]
    assert shown.rounds_to_cut == 2


def test_what_it_takes_is_whole_chips() -> None:
    assert dangers(seen("20 10 0 -29.5")) == {"D": 30}
    assert dangers(seen("20 10 0.5 -30")) == {"D": 31}


def test_equals_are_in_danger_together() -> None:
    assert dangers(seen("20 10 -30 -30")) == {"C": 1, "D": 1}


def test_equals_are_told_apart_by_the_heats_start() -> None:
    """After the first heat A 120, B 110, C 100; then all have 110."""
    shown = seen("20 10 0 -30 | 0 0 0 0 | 0 0 0 0 | -10 0 10 .")
    assert dangers(shown) == {"C": 1}
    assert dangers(seen("20 10 0 -30 | 0 0 0 0 | 0 0 0 0 | -20 0 0 .")) == {"C": 1}


def test_who_had_more_at_the_heats_start_needs_only_to_draw_level() -> None:
    shown = seen("20 10 0 -30 | 0 0 0 0 | 0 0 0 0 | -30 0 0 .")
    assert dangers(shown) == {"A": 10}


def test_a_bankrupt_makes_the_heat_safe_for_the_rest() -> None:
    shown = seen("20 -100 0 -30")
    assert shown.to_go == 0
    assert dangers(shown) == {}
    assert {seat.lead for seat in shown.seats} == {0}
    assert shown.seats[1].fall is not None
    assert shown.seats[1].rank == 4


def test_in_the_last_heat_only_the_leader_is_safe() -> None:
    shown = seen("20 10 0 -30 | 0 0 0 0 | 0 0 0 0 | 0 0 0 . | 0 0 0 . | 0 0 0 .")
    assert (shown.round, shown.rounds_to_cut, shown.to_go) == (7, 3, 1)
    assert dangers(shown) == {"B": 11}
    assert shown.seats[0].lead == 10 * CHIP
    assert shown.seats[3].lead == 0, "the fallen lead nobody"


def test_stakes_and_absence_are_shown() -> None:
    table = open_table()
    table.stake(0, 2_000, By.CLOCK)
    shown = view(table)
    assert shown.seats[0].staked == 2_000
    assert shown.seats[0].away
    assert shown.seats[1].staked is None
    assert shown.asked == 1
    all_stake(table)
    assert view(table).phase is EliminationPhase.DEALING


def test_a_finished_table_shows_who_won_and_how() -> None:
    shown = seen("20 -100 -100 -100")
    assert (shown.end, shown.winner, shown.asked, shown.to_go) == (End.LAST_STANDING, 0, None, 0)
    assert shown.seats[0].rank == 1
    assert sorted(seat.rank for seat in shown.seats) == [1, 2, 3, 4]
    assert shown.draws[0].round == 1


def test_what_it_takes_is_enough_and_not_a_chip_too_much() -> None:
    for nets in ("20 10 0 -30", "20 10 0.5 -29.5", "5 5 5 -15", "1 2 -3 0"):
        table = open_table(lone=False)
        play(table, f"{nets} | 0 0 0 0")
        (poorest,) = (seat for seat in view(table).seats if seat.danger)
        for more, falls in ((poorest.needed, False), (poorest.needed - 2 * CHIP, True)):
            tried = Elimination.replay(table.record())
            all_stake(tried)
            tried.played([more if seat == poorest.seat else 0 for seat in range(4)])
            assert (poorest.seat in tried.in_play) is not falls
