"""The hands that the rules' own authors wrote out, each as they tell it."""

from __future__ import annotations

import pytest

from engine.games.blackjack.notation import play, round_of


@pytest.mark.parametrize(
    ("cards", "totals"),
    [
        ("6 A | hit T", [17, 17]),  # a single ace
        ("3 A | hit 2 | hit 6 | hit A", [14, 16, 12, 23]),  # two aces
        ("9 T | hit A", [19, 20]),
    ],
)
def test_kitchen_ace_cases(cards: str, totals: list[int]) -> None:
    dealt, *hits = cards.split(" | ")
    seen = []
    for count in range(len(hits) + 1):
        moves = "".join(f" | {hit}" for hit in hits[:count])
        over = " | dealer 8 2" if count == len(hits) and totals[-1] > 21 else ""
        seen.append(round_of(f"kitchen stake 10 | {dealt} / 8 ?{moves}{over}").view().seats[0].hands[0].total)
    assert seen == totals


def test_kitchen_dealer_case_1() -> None:
    assert play("kitchen stake 10 | Ts 9s / 2c ? | stand | dealer 2c Kh 6c") == "19 stands; dealer 18; +10"


def test_kitchen_dealer_case_2() -> None:
    assert play("kitchen stake 10 | Ts 5s / Tc ? | stand | dealer Tc 4h 2c") == "15 stands; dealer 16; -10"


def test_classic_insurance_wins_twice_its_cost_and_comes_back() -> None:
    round = round_of("classic stake 10 | T 7 / A ? | insure | stand | dealer A J")
    assert [line.returned for line in round.settlement().lines] == [0, 1500]


def test_four_seat_payouts() -> None:
    assert play("four-seat stake 1 | A K, T 6, T 9, J 7 / 8 ? | hit J | stand | stand | dealer 8 T") == (
        "natural / 26 busts / 19 stands / 17 stands; dealer 18; +1.5 / -1 / +1 / -1"
    )
    assert play("four-seat stake 1 | A K, T 6, T 9, J 7 / 6 ? | hit J | stand | stand | dealer 6 T J") == (
        "natural / 26 busts / 19 stands / 17 stands; dealer 26; +1.5 / -1 / +1 / +1"
    )


@pytest.mark.parametrize(("dealer", "net"), [("T 9", 15), ("T 5 6", 0), ("T 5 9", 15), ("T A", 0)])
def test_ctrl_alt_bet_a_natural_breaks_even_against_any_dealer_21(dealer: str, net: int) -> None:
    assert round_of(f"ctrl-alt-bet stake 10 | A J / T ? | dealer {dealer}").settlement().net(0) == net * 100


def test_original_returns() -> None:
    def returned(line: str) -> int:
        return round_of(f"original stake 10 | {line}").settlement().returned(0)

    assert returned("T 7 / T ? | stand | dealer T 8") == 0
    assert returned("T 8 / T ? | stand | dealer T 8") == 1000
    assert returned("A T / T ? | dealer T 8") == 2500
    assert returned("T 9 / T ? | stand | dealer T 8") == 2000
    assert returned("T 2 / T ? | stand | dealer T 2 T") == 2000
