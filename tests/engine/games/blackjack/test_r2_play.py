"""R2: insurance, double, split, surrender, and the dealer's natural without a look."""

from __future__ import annotations

import pytest

from engine.games.blackjack.notation import play, round_of
from engine.games.contract import Outcome, Refusal

# -- R2.1 insurance ----------------------------------------------------------------------------------------------------


def test_r2_1_insurance_costs_half_and_pays_2_to_1_on_a_dealer_natural() -> None:
    assert play("vegas stake 10 | T 8 / A ? | insure | dealer A K") == "18 stands, insured; dealer natural; +0"
    lines = round_of("vegas stake 10 | T 8 / A ? | insure | dealer A K").settlement().lines
    assert [(line.what, line.staked, line.returned) for line in lines] == [
        ("hand 1", 1000, 0),
        ("insurance", 500, 1500),
    ]


def test_r2_1_it_is_lost_at_the_look() -> None:
    assert play("vegas stake 10 | T 8 / A ? | insure | stand | dealer A 6") == "18 stands, insured; dealer 17; +5"
    seat = round_of("vegas stake 10 | T 8 / A 6 | insure").view().seats[0]
    assert seat.insurance_result is not None
    assert seat.insurance_result.outcome is Outcome.INSURANCE_LOST


def test_r2_1_without_a_look_it_is_open_until_the_hole_card_is_turned() -> None:
    assert round_of("classic stake 10 | T 8 / A ? | insure").view().seats[0].insurance_result is None
    assert play("classic stake 10 | T 8 / A ? | insure | stand | dealer A K") == (
        "18 stands, insured; dealer natural; +0"
    )
    assert play("classic stake 10 | T 8 / A ? | insure | stand | dealer A 6") == "18 stands, insured; dealer 17; +5"


@pytest.mark.parametrize("rules", ["vegas", "classic"])
@pytest.mark.parametrize("dealer", ["A K", "A 5"])
def test_r2_1_insuring_a_natural_is_even_money(rules: str, dealer: str) -> None:
    assert play(f"{rules} stake 10 | A K / A ? | insure | dealer {dealer}").endswith("; +10")


@pytest.mark.parametrize("rules", ["vegas", "classic"])
def test_r2_1_insurance_is_against_a_natural_and_not_against_a_21_of_three_cards(rules: str) -> None:
    assert play(f"{rules} stake 10 | T 9 / A ? | insure | stand | dealer A 5 5") == "19 stands, insured; dealer 21; -15"


def test_r2_1_insurance_is_asked_under_an_ace_only() -> None:
    assert round_of("vegas stake 10 | T 8 / A ?").legal(0) == ("insure", "decline")
    assert round_of("vegas stake 10 | T 8 / K 9").legal(0) == ("hit", "stand", "double", "surrender")


@pytest.mark.parametrize("rules", ["original", "ctrl-alt-bet"])
def test_r2_1_no_insurance_where_the_rules_have_none(rules: str) -> None:
    round = round_of(f"{rules} stake 10 | T 8 / A ?")
    assert round.refusal(0, "insure") is Refusal.NOT_OFFERED
    assert round.view().seats[0].insurance is None


def test_r2_1_each_seat_answers_for_itself() -> None:
    assert play("vegas stake 10, 20 | T 8, T 9 / A ? | 2: insure | 1: decline | dealer A Q") == (
        "18 stands / 19 stands, insured; dealer natural; -10 / +0"
    )


# -- R2.2 double -------------------------------------------------------------------------------------------------------


def test_r2_2_double_brings_one_card_and_the_hand_stands() -> None:
    assert play("vegas stake 10 | 5 6 / 6 ? | double 2 | dealer 6 T T") == "13 stands x2; dealer 26; +20"
    assert play("vegas stake 10 | T 6 / 6 ? | double T | dealer 6 T") == "26 busts x2; dealer 16; -20"


def test_r2_2_double_on_any_first_two_cards_also_after_a_split() -> None:
    assert play("vegas stake 10 | 8 8 / 6 ? | split 3 | double T T | stand | dealer 6 T 9") == (
        "21 stands x2, 18 stands; dealer 25; +30"
    )
    assert round_of("vegas stake 10 | 2 3 / 6 ? | hit 4").refusal(0, "double") is Refusal.TWO_CARDS_ONLY


def test_r2_2_original_doubles_as_the_first_action_only() -> None:
    assert play("original stake 10 | T 8 / 6 ? | double 3 | dealer 6 T 5") == "21 stands x2; dealer 21; +0"
    assert round_of("original stake 10 | 2 3 / 6 ? | hit 4").refusal(0, "double") is Refusal.FIRST_ACTION_ONLY


def test_r2_2_double_as_first_action_is_never_after_a_split() -> None:
    round = round_of("vegas double=first_action stake 10 | 8 8 / 6 ? | split 3")
    assert round.refusal(0, "double") is Refusal.FIRST_ACTION_ONLY


@pytest.mark.parametrize("rules", ["kitchen", "four-seat", "ctrl-alt-bet"])
def test_r2_2_no_double_where_the_rules_have_none(rules: str) -> None:
    round = round_of(f"{rules} stake {1 if rules == 'four-seat' else 10} | 8 8 / 6 ?")
    assert round.refusal(0, "double") is round.refusal(0, "split") is Refusal.NOT_OFFERED
    assert round.legal(0) == ("hit", "stand")


# -- R2.3 and R2.4 split -----------------------------------------------------------------------------------------------


def test_r2_3_the_left_half_gets_its_card_first_and_the_right_half_when_its_turn_comes() -> None:
    round = round_of("vegas stake 10 | 8s 8h / 6 ? | split 3d")
    assert [hand.cards for hand in round.view().seats[0].hands] == [("8s", "3d"), ("8h",)]
    round = round_of("vegas stake 10 | 8s 8h / 6 ? | split 3d | stand 2c")
    assert [hand.cards for hand in round.view().seats[0].hands] == [("8s", "3d"), ("8h", "2c")]


def test_r2_3_a_resplit_hand_sits_right_of_its_sibling() -> None:
    round = round_of("vegas stake 10 | 8s 8h / 6 ? | split 8d | split 2c")
    assert [hand.cards for hand in round.view().seats[0].hands] == [("8s", "2c"), ("8d",), ("8h",)]
    assert play("vegas stake 10 | 8 8 / 6 ? | split 8 | split 2 | stand 3 | stand 4 | stand | dealer 6 T 2") == (
        "10 stands, 11 stands, 12 stands; dealer 18; -30"
    )


def test_r2_3_to_four_hands_and_no_further() -> None:
    round = round_of("vegas stake 10 | 8 8 / 6 ? | split 8 | split 8 | split 8")
    assert len(round.view().seats[0].hands) == 4
    assert round.refusal(0, "split") is Refusal.TOO_MANY_HANDS
    assert round_of("classic stake 10 | 8 8 / 6 ? | split 8").refusal(0, "split") is Refusal.TOO_MANY_HANDS


def test_r2_3_unlike_ten_values_split_where_equal_value_is_the_rule() -> None:
    assert "split" in round_of("vegas stake 10 | J K / 6 ?").legal(0)
    assert round_of("classic stake 10 | J K / 6 ?").refusal(0, "split") is Refusal.NOT_A_PAIR
    assert "split" in round_of("classic stake 10 | K K / 6 ?").legal(0)


def test_r2_3_split_is_for_two_cards() -> None:
    assert round_of("vegas stake 10 | 2 4 / 6 ?").refusal(0, "split") is Refusal.NOT_A_PAIR
    assert round_of("vegas stake 10 | 4 4 / 6 ? | hit 4").refusal(0, "split") is Refusal.TWO_CARDS_ONLY


def test_r2_3_each_half_has_a_stake_of_its_own() -> None:
    assert play("vegas stake 10 | 9 9 / 6 ? | split T | stand 2 | hit T | dealer 6 T 4") == (
        "19 stands, 21 stands; dealer 20; +0"
    )


def test_r2_4_split_aces_get_one_card_each() -> None:
    assert play("vegas  stake 10  |  A A / 6 ?  |  split  9 5  |  dealer 6 K 7") == (
        "20 stands, 16 stands; dealer 23; +20"
    )


def test_r2_4_split_aces_are_not_split_again() -> None:
    assert play("vegas stake 10 | A A / 6 ? | split A A | dealer 6 T 2") == "12 stands, 12 stands; dealer 18; -20"


def test_r2_4_classic_aces_play_on() -> None:
    assert play("classic stake 10 | A A / 6 ? | split 5 | hit 4 | stand 9 | double T | dealer 6 T 3") == (
        "20 stands, 20 stands x2; dealer 19; +30"
    )
    assert round_of("classic stake 10 | A A / 6 ? | split 5").legal(0) == ("hit", "stand", "double")


# -- R2.5 late surrender -----------------------------------------------------------------------------------------------


def test_r2_5_surrender_gives_half_the_stake_back() -> None:
    assert play("vegas stake 10 | T 6 / T ? | surrender | dealer T 7") == "16 surrenders; dealer 17; -5"


def test_r2_5_surrender_comes_after_the_look() -> None:
    assert play("vegas stake 10 | T 6 / T ? | dealer T A") == "16 stands; dealer natural; -10"


def test_r2_5_surrender_is_the_first_action_of_an_unsplit_hand() -> None:
    assert round_of("vegas stake 10 | T 2 / 6 ? | hit 2").refusal(0, "surrender") is Refusal.FIRST_ACTION_ONLY
    assert round_of("vegas stake 10 | 8 8 / 6 ? | split 2").refusal(0, "surrender") is Refusal.FIRST_ACTION_ONLY
    assert round_of("classic stake 10 | T 6 / 6 ?").refusal(0, "surrender") is Refusal.NOT_OFFERED


# -- R2.6 without a look -----------------------------------------------------------------------------------------------


def test_r2_6_classic_a_dealer_natural_takes_doubles_and_splits_whole() -> None:
    assert play("classic stake 10 | 5 6 / T ? | double T | dealer T A") == "21 stands x2; dealer natural; -20"
    assert play("classic stake 10 | 8 8 / T ? | split 3 | double T 9 | stand | dealer T A") == (
        "21 stands x2, 17 stands; dealer natural; -30"
    )


def test_r2_6_classic_a_natural_ties_it() -> None:
    assert play("classic stake 10, 10 | A K, T 9 / T ? | stand | dealer T A") == (
        "natural / 19 stands; dealer natural; +0 / -10"
    )


def test_r2_6_a_busted_hand_loses_to_a_dealer_natural_as_well() -> None:
    lines = round_of("classic stake 10 | T 6 / T ? | hit T | dealer T A").settlement().lines
    assert [line.outcome for line in lines] == [Outcome.BUST]


@pytest.mark.parametrize("rules", ["original", "ctrl-alt-bet"])
def test_r2_6_elsewhere_a_dealer_natural_is_only_a_21(rules: str) -> None:
    assert play(f"{rules} stake 10 | T 6 / T ? | hit 5 | dealer T A") == "21 stands; dealer natural; +0"
    assert play(f"{rules} stake 10 | T 9 / T ? | stand | dealer T A") == "19 stands; dealer natural; -10"


@pytest.mark.parametrize(
    ("rules", "stake", "net"),
    [
        ("vegas", 10, 15), ("original", 10, 15), ("classic", 10, 15), ("kitchen", 10, 10), ("four-seat", 1, 1.5),
        ("ctrl-alt-bet", 10, 0),
    ],
)  # fmt: skip
def test_r2_a_natural_against_another_dealer_21(rules: str, stake: int, net: float) -> None:
    round = round_of(f"{rules} stake {stake} | A K, T 7 / 6 ? | stand | dealer 6 6 9")
    assert round.settlement().net(0) == net * 100


@pytest.mark.parametrize("rules", ["vegas", "original", "classic", "kitchen", "four-seat", "ctrl-alt-bet"])
def test_r2_a_natural_against_a_dealer_natural_is_a_push(rules: str) -> None:
    stake = 1 if rules == "four-seat" else 10
    assert play(f"{rules} stake {stake} | A K / T ? | dealer T A") == "natural; dealer natural; +0"


# -- choices that no built-in rule set makes ---------------------------------------------------------------------------


def test_a_dealer_who_hits_soft_17() -> None:
    line = "vegas dealer_draws=hits_soft_17 stake 10 | T 8 / 6 ? | stand | dealer"
    assert play(f"{line} 6 A A") == "18 stands; dealer 18; +0"
    assert play(f"{line} 6 A T") == "18 stands; dealer 17; +10"


@pytest.mark.parametrize(("verdict", "net"), [("wins", 15), ("push", 0), ("loses", -10)])
def test_naturals_can_meet_on_other_terms(verdict: str, net: int) -> None:
    round = round_of(f"vegas natural_against_natural={verdict} stake 10 | A K / T ? | dealer T A")
    assert round.settlement().net(0) == net * 100
    round = round_of(f"vegas natural_against_21={verdict} stake 10, 10 | A K, 2 3 / 6 ? | stand | dealer 6 6 9")
    assert round.settlement().net(0) == net * 100


@pytest.mark.parametrize(("verdict", "net"), [("wins", 10), ("push", 0), ("loses", -10)])
def test_a_made_21_can_meet_a_dealer_natural_on_other_terms(verdict: str, net: int) -> None:
    round = round_of(f"classic made_21_against_natural={verdict} stake 10 | T 6 / T ? | hit 5 | dealer T A")
    assert round.settlement().net(0) == net * 100


def test_a_natural_that_another_21_could_tie_is_not_paid_at_the_look() -> None:
    round = round_of("vegas natural_against_21=push stake 10, 10 | A K, 2 3 / 6 ?")
    assert round.view().seats[0].hands[0].result is None
