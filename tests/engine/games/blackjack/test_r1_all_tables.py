"""R0 and R1: what holds at every blackjack table."""

from __future__ import annotations

import pytest

from engine.games.blackjack import BlackjackRound
from engine.games.blackjack.events import Happening
from engine.games.blackjack.notation import play, round_of
from engine.games.blackjack.rule_sets import RULE_SETS, VEGAS
from engine.games.cards import PACK
from engine.games.contract import CHIP, BadRules, By, IllegalAction, Outcome, Refusal, Step


def outcomes(text: str) -> list[str]:
    return [line.outcome.value for line in round_of(text).settlement().lines]


# -- R0 every game -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "net"),
    [
        ("vegas stake 5 | A K / 6 ? | dealer 6 T", 750),  # 3:2
        ("vegas stake 5 | T 6 / T ? | surrender | dealer T 7", -250),  # half a stake
        ("vegas stake 5 | T 6 / A ? | insure | dealer A K", 0),  # half a stake, paid 2:1
        ("vegas natural_pays=six_to_five stake 1 | A K / 6 ? | dealer 6 T", 120),
        ("kitchen stake 1 | A K / 6 ? | dealer 6 T", 100),
    ],
)
def test_r0_1_all_money_is_exact_cents(line: str, net: int) -> None:
    settlement = round_of(line).settlement()
    assert settlement.net(0) == net
    assert all(type(end.staked) is type(end.returned) is int for end in settlement.lines)


@pytest.mark.parametrize(
    "stakes",
    [
        [],
        [{}],
        [{"main": 0}],
        [{"main": -1000}],
        [{"main": 50}],
        [{"main": 1050}],
        [{"side": 1000}],
        [{"main": 1000, "side": 1000}],
        [{"main": 1000}] * 8,
    ],
)
def test_r0_1_other_stakes_than_whole_chips_on_main_are_refused(stakes: list[dict[str, int]]) -> None:
    with pytest.raises(ValueError, match=r"stake|seats"):
        BlackjackRound(VEGAS, stakes, PACK)


def test_r0_3_what_costs_chips_is_offered_to_those_who_can_pay_it_whole() -> None:
    round = round_of("vegas stake 10 | 8 8 / 6 ?")
    assert round.legal(0, purse=10 * CHIP) == ("hit", "stand", "double", "split", "surrender")
    assert round.legal(0, purse=10 * CHIP - 1) == ("hit", "stand", "surrender")
    assert round.refusal(0, "split", purse=10 * CHIP - 1) is Refusal.CANNOT_PAY
    insured = round_of("vegas stake 5 | 8 8 / A ?")
    assert insured.legal(0, purse=250) == ("insure", "decline")
    assert insured.legal(0, purse=249) == ("decline",)
    assert round_of("original stake 10 | 8 8 / 6 ?").legal(0, purse=999) == ("hit", "stand")


def test_r0_5_out_of_time_all_hands_of_the_seat_stand_with_the_cards_that_are_their_due() -> None:
    assert play("vegas stake 10 | 8 8 / 6 ? | split 3 | time 9 | dealer 6 T 9") == (
        "11 stands, 17 stands; dealer 25; +20"
    )
    assert play("vegas stake 10 | 8 8 / 6 ? | split 8 | split 3 | time T 9 | dealer 6 T T") == (
        "11 stands, 18 stands, 17 stands; dealer 26; +30"
    )


def test_r0_5_out_of_time_declines_insurance_and_leaves_the_hand_to_its_player() -> None:
    assert play(
        "vegas stake 10, 10 | 8 8, T 9 / A ? | 1: time | 2: insure | 1: hit 4 | 1: stand | 2: time | dealer A 9"
    ) == ("20 stands / 19 stands, insured; dealer 20; +0 / -15")


def test_r0_5_it_is_seen_which_hands_stand_because_time_ran_out() -> None:
    seats = (
        round_of(
            "vegas stake 10, 10 | 8 8, T 9 / A ? | 1: time | 2: insure | 1: split 3 | 1: stand 2 | 1: time | "
            "2: stand | dealer A 9"
        )
        .view()
        .seats
    )
    assert [[hand.late for hand in seat.hands] for seat in seats] == [[False, True], [False]]


def test_a_soft_hand_has_two_counts_for_as_long_as_a_card_may_fall_on_it() -> None:
    waiting, standing = (
        round_of(f"vegas stake 10 | A 9 / A 6 | decline {rest}").view() for rest in ("", "| stand | dealer A 6")
    )
    assert [view.seats[0].hands[0].soft for view in (waiting, standing)] == [True, False]
    assert [view.dealer.soft for view in (waiting, standing)] == [True, False]


def test_r0_5_out_of_time_is_one_step_and_no_button() -> None:
    round = round_of("vegas stake 10 | 8 8 / 6 ?")
    assert round.timeout(0) == "time"
    assert "time" not in round.legal(0)
    round = round_of("vegas stake 10 | 8 8 / 6 ? | split 3 | time 9 | dealer 6 T 9")
    assert round.steps == [Step(0, "split"), Step(0, "time", By.CLOCK)]


# -- R1 ----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("cards", "total", "soft"),
    [
        ("2 9", 11, False),
        ("J Q", 20, False),
        ("A 6", 17, True),
        ("A A", 12, True),
        ("6 A | hit T", 17, False),
        ("A A | hit 9", 21, False),
        ("A A | hit T", 12, False),
        ("A 2 | hit A | hit A | hit A", 16, True),
        ("A 2 | hit A | hit A | hit A | hit 9", 15, False),
    ],
)
def test_r1_1_a_hand_is_worth_its_best_total(cards: str, total: int, soft: bool) -> None:  # noqa: FBT001
    dealt, *hits = cards.split("|", 1)
    over = "| dealer 6 T 5" if total == 21 else ""
    hand = round_of(f"vegas stake 10 | {dealt} / 6 ? {'|' + hits[0] if hits else ''} {over}").view().seats[0].hands[0]
    assert (hand.total, hand.soft) == (total, soft)


def test_r1_2_cards_go_round_twice_and_the_first_seat_dealt_acts_first() -> None:
    round = BlackjackRound(VEGAS, [{"main": 1000}] * 3, ("2s", "3s", "4s", "5s", "6s", "7s", "8s", "9s"))
    assert [hands[0].cards for hands in round.hands] == [["2s", "6s"], ["3s", "7s"], ["4s", "8s"]]
    assert round.view().dealer.cards == ("5s", None)
    assert round.asked == (0,)
    assert [(event.what, event.seat, event.hand) for event in round.events] == [
        (Happening.CARD, 0, 0),
        (Happening.CARD, 1, 0),
        (Happening.CARD, 2, 0),
        (Happening.CARD, None, 0),
        (Happening.CARD, 0, 0),
        (Happening.CARD, 1, 0),
        (Happening.CARD, 2, 0),
        (Happening.FACE_DOWN, None, 0),
    ]


def test_r1_3_a_two_card_21_is_a_natural() -> None:
    assert play("vegas stake 10 | K A / 6 ? | dealer 6 T") == "natural; dealer 16; +15"


def test_r1_3_a_21_after_a_split_is_no_natural() -> None:
    assert play("vegas stake 10 | A A / 6 ? | split K Q | dealer 6 T 5") == "21 stands, 21 stands; dealer 21; +0"
    assert play("classic stake 10 | A A / T ? | split K Q | dealer T A") == "21 stands, 21 stands; dealer natural; -20"


def test_r1_3_a_21_after_a_swap_is_no_natural() -> None:
    assert play("original stake 10 | A A / 6 ? | swap K | dealer 6 T 5") == "21 stands x2; dealer 21; +0"


def test_r1_4_over_21_loses_at_once_whatever_the_dealer_does() -> None:
    assert play("vegas stake 10, 10 | T 6, T 8 / 6 ? | hit 9 | stand | dealer 6 T 9") == (
        "25 busts / 18 stands; dealer 25; -10 / +10"
    )
    in_play = round_of("vegas stake 10, 10 | T 6, T 8 / 6 ? | hit 9")
    result = in_play.view().seats[0].hands[0].result
    assert result is not None
    assert (result.outcome, result.returned) == (Outcome.BUST, 0)


@pytest.mark.parametrize(("up", "hole"), [("A", "K"), ("T", "A"), ("K", "A")])
def test_r1_5_a_natural_found_by_the_look_ends_the_round(up: str, hole: str) -> None:
    declined = "| decline" if up == "A" else ""
    assert play(f"vegas stake 10 | 8 8 / {up} ? {declined} | dealer {up} {hole}") == "16 stands; dealer natural; -10"


def test_r1_5_the_dealer_looks_under_aces_and_tens_only() -> None:
    under_ten = round_of("vegas stake 10 | 8 8 / K 9")
    under_nine = round_of("vegas stake 10 | 8 8 / 9 K")
    assert [event.what for event in under_ten.events].count(Happening.LOOKED) == 1
    assert Happening.LOOKED not in [event.what for event in under_nine.events]


def test_r1_5_insurance_is_asked_of_all_seats_at_once_before_the_look() -> None:
    round = round_of("vegas stake 10, 10, 10 | 8 8, A K, 9 9 / A ?")
    assert round.asked == (0, 1, 2)
    assert round.refusal(0, "hit") is Refusal.INSURANCE_FIRST
    first = round.turn
    round.apply(2, "decline")
    assert round.asked == (0, 1)
    assert round.turn == first
    assert round.refusal(2, "decline") is Refusal.ALREADY_ANSWERED


def test_r1_5_nothing_is_settled_before_the_look() -> None:
    seats = round_of("vegas stake 10, 10 | 8 8, A K / A ? | 1: insure").view().seats
    assert seats[0].insurance == 500
    assert seats[0].insurance_result is None
    assert seats[1].hands[0].result is None


def test_r1_5_naturals_never_act_and_are_paid_right_after_the_look() -> None:
    round = round_of("vegas stake 10, 10 | A K, 9 9 / T 9")
    assert round.asked == (1,)
    paid = round.view().seats[0].hands[0].result
    assert paid is not None
    assert paid.net == 15 * CHIP


def test_r1_5_naturals_wait_where_the_dealer_does_not_look() -> None:
    assert round_of("classic stake 10, 10 | A K, 9 9 / T ?").view().seats[0].hands[0].result is None


def test_r1_6_the_hole_card_is_always_turned() -> None:
    assert play("vegas stake 10 | T 6 / 6 ? | hit T | dealer 6 5") == "26 busts; dealer 11; -10"
    assert play("vegas stake 10 | A T / 6 ? | dealer 6 5") == "natural; dealer 11; +15"
    assert play("vegas stake 10 | T 6 / 6 ? | surrender | dealer 6 5") == "16 surrenders; dealer 11; -5"


def test_r1_6_the_dealer_draws_for_one_hand_that_hangs_on_it() -> None:
    assert play("vegas stake 10, 10 | T 6, 2 3 / 6 ? | hit T | stand | dealer 6 5 6") == (
        "26 busts / 5 stands; dealer 17; -10 / -10"
    )


def test_r1_6_the_dealer_draws_for_a_natural_only_where_another_21_ties_it() -> None:
    assert play("ctrl-alt-bet stake 10 | A T / 6 ? | dealer 6 5 T") == "natural; dealer 21; +0"
    assert play("ctrl-alt-bet stake 10 | A T / 6 ? | dealer 6 5 6") == "natural; dealer 17; +15"
    assert play("classic stake 10 | A T / 6 ? | dealer 6 5") == "natural; dealer 11; +15"


def test_r1_6_insurance_alone_draws_no_card() -> None:
    assert play("classic stake 10 | 8 8 / A ? | insure | hit T | dealer A 2") == "26 busts, insured; dealer 13; -15"


@pytest.mark.parametrize(
    ("dealer", "result"),
    [
        ("T 7", "+10"),
        ("T 8", "+0"),
        ("T 9", "-10"),
        ("T 6 T", "+10"),
        ("T 2 A 4", "+10"),
        ("A 6", "+10"),
        ("2 A 4", "+10"),
        ("2 A 3 A", "+10"),
    ],
)
def test_r1_7_totals_decide_and_a_push_returns_the_stake(dealer: str, result: str) -> None:
    up = dealer[0]
    insurance = "| decline" if up == "A" else ""
    assert play(f"vegas stake 10 | T 8 / {up} ? {insurance} | stand | dealer {dealer}").endswith(f"; {result}")


def test_r1_7_a_hand_that_reaches_21_stands_by_itself() -> None:
    assert play("vegas stake 10 | 5 6 / 6 ? | hit T | dealer 6 T T") == "21 stands; dealer 26; +10"


def test_r1_8_a_seat_plays_its_hands_left_to_right() -> None:
    round = round_of("vegas stake 10, 10 | 8 8, T 9 / 6 ? | split 2")
    assert round.acting == (0, 0)
    round = round_of("vegas stake 10, 10 | 8 8, T 9 / 6 ? | split 2 | stand 3")
    assert round.acting == (0, 1)
    round = round_of("vegas stake 10, 10 | 8 8, T 9 / 6 ? | split 2 | stand 3 | stand")
    assert round.acting == (1, 0)


# -- refusals and turns ------------------------------------------------------------------------------------------------


def test_other_seats_and_finished_rounds_are_refused() -> None:
    round = round_of("vegas stake 10, 10 | 8 8, T 9 / 6 ?")
    assert round.refusal(1, "hit") is Refusal.NOT_YOUR_TURN
    assert round.refusal(2, "hit") is round.refusal(-1, "hit") is Refusal.NOT_SEATED
    assert round_of("vegas stake 10, 10 | 8 8, T 9 / 6 ? | stand").refusal(0, "hit") is Refusal.NOT_YOUR_TURN
    assert round.refusal(0, "dance") is Refusal.NOT_OFFERED
    assert round.refusal(0, "insure") is Refusal.NOT_NOW
    with pytest.raises(IllegalAction):
        round.apply(1, "hit")
    with pytest.raises(IllegalAction):
        round.settlement()
    over = round_of("vegas stake 10 | A T / 6 ? | dealer 6 5")
    assert over.refusal(0, "hit") is over.refusal(0, "time") is Refusal.ROUND_OVER


def test_the_turn_number_moves_with_every_question() -> None:
    line = "vegas stake 10 | 8 8 / A 9"
    numbers = [round_of(line).turn]
    for step in ("decline", "split 2", "hit 2", "stand 3", "stand"):
        line = f"{line} | {step}"
        numbers.append(round_of(line if step != "stand" else f"{line} | dealer A 9").turn)
    assert numbers == [1, 2, 3, 4, 5, 6]
    assert round_of("vegas stake 10 | 8 8 / 6 ?").turn == 1


def test_events_tell_of_insurance_and_the_look() -> None:
    events = round_of("vegas stake 10, 10 | 8 8, T 9 / A 5 | 2: insure | 1: decline").events
    assert [(event.what.value, event.seat, event.hand) for event in events[-3:]] == [
        ("taken", 1, 0),
        ("taken", 0, 0),
        ("looked", None, 0),
    ]


@pytest.mark.parametrize("name", RULE_SETS)
def test_events_tell_the_whole_round(name: str) -> None:
    stake = RULE_SETS[name].fixed_stake // CHIP or 10
    round = round_of(f"{name} stake {stake} | T 6 / 6 ? | hit T | dealer 6 5")
    told = [(event.what.value, event.seat, event.card) for event in round.events]
    assert told == [
        ("card", 0, "Ts"),
        ("card", None, "6s"),
        ("card", 0, "6h"),
        ("face down", None, None),
        ("taken", 0, None),
        ("card", 0, "Th"),
        ("turned", None, "5s"),
        ("settled", 0, None),
    ]
    assert round.events[-1].line == round.settlement().lines[0]


def test_bad_rules_name_their_field() -> None:
    with pytest.raises(BadRules) as caught:
        RULE_SETS["vegas"].from_json({"jokers": 2})
    assert caught.value.field == "jokers"
