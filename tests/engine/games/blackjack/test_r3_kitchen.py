"""R3: one falling ace, and a dealer who chases."""

from __future__ import annotations

import pytest

from engine.games.blackjack.notation import play, round_of


@pytest.mark.parametrize(
    ("cards", "total", "soft"),
    [
        ("3 A", 14, True),
        ("3 A | hit 2", 16, True),
        ("3 A | hit 2 | hit 6", 12, False),
        ("9 T | hit A", 20, False),
        ("A A", 12, False),
        ("A A | hit 5", 17, False),
        ("A 9", 20, True),
    ],
)
def test_r3_1_exactly_one_ace_falls(cards: str, total: int, soft: bool) -> None:  # noqa: FBT001
    dealt, *hits = cards.split("|", 1)
    round = round_of(f"kitchen stake 10 | {dealt} / 6 ? {'|' + hits[0] if hits else ''}")
    hand = round.view().seats[0].hands[0]
    assert (hand.total, hand.soft) == (total, soft)


@pytest.mark.parametrize(
    ("cards", "total"),
    [
        ("3 A | hit 2 | hit 6 | hit A", 23),
        ("A A | hit T", 22),
        ("A 3 | hit 2 | hit 6 | hit A", 23),
        ("6 A | hit A | hit A", 29),
    ],
)
def test_r3_1_a_second_ace_never_falls(cards: str, total: int) -> None:
    dealt, hits = cards.split("|", 1)
    assert play(f"kitchen stake 10 | {dealt} / 6 ? | {hits} | dealer 6 2") == f"{total} busts; dealer 8; -10"


def test_r3_1_holds_for_the_dealer_too() -> None:
    assert play("kitchen stake 10 | T 9 / A ? | stand | dealer A A T") == "19 stands; dealer 22; +10"


@pytest.mark.parametrize(
    ("player", "dealer", "ends"),
    [
        ("T 9", "2 K 6", "19 stands; dealer 18; +10"),
        ("T 5", "T 4 2", "15 stands; dealer 16; -10"),
        ("T 7", "T 6 A", "17 stands; dealer 17; +0"),
        ("T 7", "T 7", "17 stands; dealer 17; +0"),
        ("T 9", "T 7", "19 stands; dealer 17; +10"),
        ("T 2", "T 2", "12 stands; dealer 12; +0"),
        ("T 2", "T 3", "12 stands; dealer 13; -10"),
        ("T 6", "9 6 A", "16 stands; dealer 16; +0"),
        ("T 6", "9 6 7", "16 stands; dealer 22; +10"),
        ("2 3", "2 2 A", "5 stands; dealer 15; -10"),
    ],
)
def test_r3_2_the_dealer_chases_a_low_total_and_stands_on_17(player: str, dealer: str, ends: str) -> None:
    assert play(f"kitchen stake 10 | {player} / {dealer[0]} ? | stand | dealer {dealer}") == ends


def test_r3_3_he_chases_the_highest_standing_total() -> None:
    assert play("kitchen stake 10, 10 | T 2, T 4 / 6 ? | stand | stand | dealer 6 7 A") == (
        "12 stands / 14 stands; dealer 14; -10 / +0"
    )
    assert play("kitchen stake 10, 10 | T 2, T 8 / 6 ? | stand | stand | dealer 6 7 2 2") == (
        "12 stands / 18 stands; dealer 17; -10 / +10"
    )


def test_r3_3_busted_hands_and_naturals_do_not_count() -> None:
    assert play("kitchen stake 10, 10, 10 | A K, T 6, T 2 / 6 ? | hit T | stand | dealer 6 7") == (
        "natural / 26 busts / 12 stands; dealer 13; +10 / -10 / -10"
    )


def test_r3_3_with_no_standing_hand_he_does_not_draw() -> None:
    assert play("kitchen stake 10, 10 | A K, T 6 / 6 ? | hit T | dealer 6 2") == (
        "natural / 26 busts; dealer 8; +10 / -10"
    )
    assert play("kitchen natural_against_21=push stake 10 | A K / 6 ? | dealer 6 2") == "natural; dealer 8; +10"


def test_kitchen_pays_a_natural_1_to_1_and_looks() -> None:
    assert play("kitchen stake 10 | A K / 6 ? | dealer 6 2") == "natural; dealer 8; +10"
    assert play("kitchen stake 10 | T 9 / A ? | dealer A K") == "19 stands; dealer natural; -10"
