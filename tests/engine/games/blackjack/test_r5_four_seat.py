"""R5: rotating turns."""

from __future__ import annotations

import pytest

from engine.games.blackjack import GAME, BlackjackRound
from engine.games.blackjack.notation import play, round_of
from engine.games.blackjack.rule_sets import FOUR_SEAT, VEGAS
from engine.games.cards import PACK
from engine.games.contract import CHIP, BadStakes


def test_r5_1_four_players() -> None:
    with pytest.raises(ValueError, match="5 stakes at a table of 4 seats"):
        BlackjackRound(FOUR_SEAT, [{"main": 100}] * 5, PACK)
    assert FOUR_SEAT.computers_fill
    assert (FOUR_SEAT.fixed_stake, FOUR_SEAT.stack) == (100, 1000)


def test_r5_3_naturals_win_one_and_a_half_at_once_and_are_skipped() -> None:
    round = round_of("four-seat stake 1 | 2 3, A K, 4 5, 6 7 / 6 ? | hit 2")
    assert round.asked == (2,)
    paid = round.view().seats[1].hands[0].result
    assert paid is not None
    assert paid.net == 150


def test_r5_3_a_dealer_natural_ends_the_round() -> None:
    assert play("four-seat stake 1 | 2 3, A K, 4 5, 6 7 / A ? | dealer A T") == (
        "5 stands / natural / 9 stands / 13 stands; dealer natural; -1 / +0 / -1 / -1"
    )


def test_r5_4_each_player_is_asked_once_in_order_until_all_stand_or_are_out() -> None:
    line = "four-seat stake 1 | 2 3, 4 5, 6 7, T 9 / 6 ?"
    asked = []
    for move in ("hit 2", "hit T", "hit T", "stand", "hit T", "stand"):
        round = round_of(line)
        asked.append(round.asked[0])
        line = f"{line} | {move}"
    assert asked == [0, 1, 2, 3, 0, 1]
    assert round_of(line).asked == (0,)
    assert play(f"{line} | stand | dealer 6 K 5") == (
        "17 stands / 19 stands / 23 busts / 19 stands; dealer 21; -1 / -1 / -1 / -1"
    )


def test_r5_4_who_is_out_of_time_is_not_asked_again() -> None:
    assert play("four-seat stake 1 | 2 3, 4 5 / 6 ? | time | hit 2 | hit 9 | stand | dealer 6 T T") == (
        "5 stands / 20 stands; dealer 26; +1 / +1"
    )


def test_r5_4_a_split_hand_takes_its_turns_left_to_right() -> None:
    line = "vegas turns=rotating stake 10 | 8 8, 2 3 / 6 ? | split 2"
    asked = [round_of(line).acting]
    for move in ("hit 2", "stand", "stand 2", "hit 9"):
        line = f"{line} | {move}"
        asked.append(round_of(line).acting)
    assert asked == [(1, 0), (0, 0), (1, 0), (0, 1), (0, 1)]


def test_r5_1_everybody_stakes_exactly_the_fixed_stake() -> None:
    with pytest.raises(BadStakes, match="everybody stakes 100"):
        BlackjackRound(FOUR_SEAT, [{"main": CHIP}, {"main": 2 * CHIP}], PACK)


def test_r7_6_elimination_stakes_as_it_likes_under_the_same_rules() -> None:
    rules = GAME.any_stake(FOUR_SEAT)
    assert BlackjackRound(rules, [{"main": CHIP}, {"main": 25 * CHIP}], PACK).stakes == (100, 2500)
    assert GAME.any_stake(VEGAS) == VEGAS
