"""Rounds in one line of text: read, played, told, written, read again."""

from __future__ import annotations

import random

import pytest

from engine.fairness import shoe
from engine.games.blackjack import GAME, BlackjackRound
from engine.games.blackjack.notation import BadNotation, play, positions, round_of, summary, write
from engine.games.contract import CHIP, BadRules, BadStakes, By, IllegalAction


def random_round(name: str, number: int, steps: int) -> BlackjackRound:
    chance = random.Random(f"{name} {number}")
    rules = GAME.rule_sets[name]
    seats = range(chance.randint(1, rules.most_seats))
    stakes = [{"main": rules.fixed_stake or chance.randint(1, 50) * CHIP} for _ in seats]
    round = BlackjackRound(rules, stakes, shoe(chance.randbytes(32), (), rules.decks))
    while not round.over and len(round.steps) < steps:
        seat = chance.choice(round.asked)
        action = chance.choice([*round.legal(seat), *["time"] * (chance.random() < 0.1)])
        round.apply(seat, action, By.CLOCK if action == "time" else By.MEMBER)
    return round


@pytest.mark.parametrize("name", GAME.rule_sets)
def test_a_finished_round_is_written_and_read_again(name: str) -> None:
    for number in range(150):
        round = random_round(name, number, 500)
        line = write(round, name)
        again = round_of(line)
        assert again.view() == round.view()
        assert again.steps == round.steps
        assert again.settlement() == round.settlement()
        assert write(again, name) == line


@pytest.mark.parametrize("name", ["original", "classic", "ctrl-alt-bet"])
def test_without_a_look_a_round_in_play_is_written_and_read_again(name: str) -> None:
    for number in range(100):
        round = random_round(name, number, number % 5)
        if not round.over:
            assert summary(round_of(write(round, name))) == summary(round)


def test_a_line_may_stop_anywhere() -> None:
    assert play("vegas stake 10 | 8 8 / 6 ?") == "16 acts; dealer 6 ?; 1 may hit stand double split surrender"
    assert play("vegas stake 10, 20 | 8 8, A K / A ?") == "16 waits / natural; dealer 11 ?; 1 2 may insure decline"
    assert play("vegas stake 10 | 8 8 / 6 ? | split 3") == "11 acts, 8 waits; dealer 6 ?; 1 may hit stand double"


def test_every_position_of_a_line_is_told() -> None:
    seen = [summary(round) for round in positions("kitchen stake 10 | 2 3 / 6 ? | hit 4 | stand | dealer 6 4")]
    assert seen == [
        "5 acts; dealer 6 ?; 1 may hit stand",
        "9 acts; dealer 6 ?; 1 may hit stand",
        "9 stands; dealer 10; -10",
    ]


def test_fields_of_the_rules_can_be_changed() -> None:
    rules = round_of("vegas decks=8 surrender=no dealer_draws=hits_soft_17 stake 1 | 2 3 / 6 ?").rules
    assert (rules.decks, rules.surrender, rules.dealer_draws.value) == (8, False, "hits soft 17")


def test_one_stake_is_everybodys() -> None:
    assert round_of("vegas stake 10 | 2 3, 4 5 / 6 ?").stakes == (1000, 1000)


def test_ranks_and_whole_cards_can_be_mixed() -> None:
    hand = round_of("kitchen stake 10 | 10s T / 6 ? | hit Ah | dealer 6 2 T").view()
    assert hand.seats[0].hands[0].cards == ("Ts", "Th", "Ah")


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        ("vegas stake 10", "no cards"),
        ("poker stake 10 | 2 3 / 6 ?", "no rule set"),
        ("vegas insurance=ja stake 10 | 2 3 / 6 ?", "'insurance=ja' changes no rule"),
        ("vegas dealer_draws=always stake 10 | 2 3 / 6 ?", "'dealer_draws=always' changes no rule"),
        ("vegas decks=two stake 10 | 2 3 / 6 ?", "'decks=two' changes no rule"),
        ("vegas jokers=2 stake 10 | 2 3 / 6 ?", "'jokers=2' changes no rule"),
        ("vegas stake 10, 20 | 2 3 / 6 ?", "2 stakes for 1 seats"),
        ("vegas stake ten | 2 3 / 6 ?", "'ten' is no stake"),
        ("vegas | 2 3 / 6 ?", "'' is no stake"),
        ("vegas stake 10 | 2 / 6 ?", "two cards"),
        ("vegas stake 10 | 2 3 / 6", "two cards"),
        ("vegas stake 10 | 2 1 / 6 ?", "'1' is no card"),
        ("vegas stake 10 | 2 3 / 6 ? | HIT 5", "no action"),
        ("vegas stake 10 | 2 3 / 6 ? | hit", "more cards than are written"),
        ("vegas stake 10 | 2 3 / 6 ? | hit 4 5", "-1 cards at hit"),
        ("vegas stake 10 | 2 3 / 6 ? | stand 4 | dealer 6 T 5", "-1 cards at stand"),
        ("vegas stake 10 | 2 3 / 6 ? | stand | dealer 6 T", "more cards than are written"),
        ("vegas stake 10 | 2 3 / 6 ? | stand | dealer 6 T 5 5", "the dealer has 6s Ts 5s"),
        ("vegas stake 10 | 2 3 / 6 ? | stand | dealer 7 T", "does not begin"),
        ("vegas stake 10 | 2 3 / 6 9 | stand | dealer 6 T", "does not begin"),
        ("vegas stake 10 | 2 3 / 6 ? | stand", "not known"),
        ("vegas stake 10 | 2 3 / T ?", "not known"),
        ("vegas stake 10, 10 | 2 3, 4 5 / A ? | insure", "2 seats are asked"),
        ("kitchen stake 10, 10 | 2 2, 2 2 / 2 ?", "no such card left"),
        ("kitchen stake 10, 10 | 2s 2s, 2 3 / 2 ?", "no such card left: 2s"),
    ],
)
def test_a_line_that_describes_no_round_says_why(line: str, fault: str) -> None:
    with pytest.raises(BadNotation, match=fault.replace("?", r"\?")):
        play(line)


def test_rules_and_stakes_that_cannot_be_are_refused_in_a_line_too() -> None:
    with pytest.raises(BadRules):
        play("vegas decks=0 stake 10 | 2 3 / 6 ?")
    with pytest.raises(BadStakes):
        play("vegas stake 0 | 2 3 / 6 ?")


def test_an_illegal_action_is_refused_in_a_line_too() -> None:
    with pytest.raises(IllegalAction, match="not a pair"):
        play("vegas stake 10 | 2 3 / 6 ? | split 4")
