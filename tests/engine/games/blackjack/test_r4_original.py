"""R4: the swap, and what else is particular to `original`."""

from __future__ import annotations

from engine.games.blackjack.notation import play, round_of
from engine.games.contract import Refusal


def test_r4_1_the_second_card_is_replaced_and_the_stake_doubles() -> None:
    round = round_of("original stake 10 | 8s 8h / 6 ? | swap 3d")
    (hand,) = round.view().seats[0].hands
    assert hand.cards == ("8s", "3d")
    assert hand.stake == 2000
    assert hand.swapped
    assert round.cost(0, "swap") == 1000


def test_r4_1_two_cards_of_equal_value() -> None:
    assert "swap" in round_of("original stake 10 | J K / 6 ?").legal(0)
    assert round_of("original stake 10 | 7 8 / 6 ?").refusal(0, "swap") is Refusal.NOT_A_PAIR


def test_r4_1_as_the_first_action_only() -> None:
    assert round_of("original stake 10 | 4 4 / 6 ? | hit 4").refusal(0, "swap") is Refusal.FIRST_ACTION_ONLY


def test_r4_2_after_it_the_hand_hits_or_stands() -> None:
    round = round_of("original stake 10 | 8 8 / 6 ? | swap 8")
    assert round.legal(0) == ("hit", "stand")
    assert round.refusal(0, "swap") is round.refusal(0, "double") is Refusal.NOT_AFTER_SWAP
    assert play("original stake 10 | 8 8 / 6 ? | swap 2 | hit 9 | stand | dealer 6 T 2") == (
        "19 stands x2; dealer 18; +20"
    )
    assert play("original stake 10 | 8 8 / 6 ? | swap T | hit 9 | dealer 6 T") == "27 busts x2; dealer 16; -20"


def test_r4_2_after_it_a_hand_is_not_surrendered_where_a_servers_own_rules_have_both() -> None:
    own = "vegas split=no swap=yes  stake 10  |  8 8 / 9 ?"
    assert {"swap", "surrender"} <= set(round_of(own).legal(0))
    assert round_of(f"{own}  |  swap 3").refusal(0, "surrender") is Refusal.FIRST_ACTION_ONLY


def test_r4_2_a_swapped_21_stands_and_ties_any_dealer_21() -> None:
    assert play("original stake 10 | T T / T ? | swap A | dealer T A") == "21 stands x2; dealer natural; +0"
    assert play("original stake 10 | T T / T ? | swap A | dealer T 9") == "21 stands x2; dealer 19; +20"


def test_r4_the_discarded_card_is_told() -> None:
    events = round_of("original stake 10 | 8s 8h / 6 ? | swap 3d").events
    assert [(event.what.value, event.card) for event in events[-2:]] == [("discarded", "8h"), ("card", "3d")]


def test_original_any_equal_total_is_a_push() -> None:
    assert play("original stake 10 | T 6 / T ? | hit 5 | dealer T A") == "21 stands; dealer natural; +0"
    assert play("original stake 10 | T 9 / T ? | stand | dealer T 9") == "19 stands; dealer 19; +0"
    assert play("original stake 10 | A K / T ? | dealer T A") == "natural; dealer natural; +0"


def test_original_a_natural_brings_back_two_and_a_half_stakes() -> None:
    assert round_of("original stake 10 | A K / T ? | dealer T 9").settlement().returned(0) == 2500


def test_original_the_dealer_has_no_look() -> None:
    assert round_of("original stake 10 | T 9 / T ?").legal(0) == ("hit", "stand", "double")
