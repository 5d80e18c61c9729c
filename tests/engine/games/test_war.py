"""Casino war, rule by rule (R9). Battles in full are in tests/golden/war.txt."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.fairness import shoe
from engine.games.cards import PACK, height
from engine.games.contract import CHIP, BadRules, By, IllegalAction, Refusal, Step
from engine.games.war import GAME, RULE_SETS, War, WarRules

RULES = RULE_SETS["ctrl-alt-bet"]
TIED = ("7s", "7h", "2c", "3c", "4c", "9s", "8h")

seeds = st.binary(min_size=32, max_size=32)
chips = st.integers(1, 10_000)
rule_sets = st.sampled_from(list(RULE_SETS.values()))
answers = st.sampled_from(GAME.actions)


def battle(*cards: str, stake: int = 10 * CHIP, rules: WarRules = RULES) -> War:
    return War(rules, [{"main": stake}], cards)


def test_r9_1_aces_are_high_and_suits_ignored() -> None:
    assert sorted({card[0] for card in PACK}, key=height) == list("23456789TJQKA")
    assert battle("As", "Kh").settlement().net(0) == 10 * CHIP
    assert battle("As", "Ah").asked == (0,)


def test_r9_1_the_higher_rank_wins_at_once() -> None:
    for cards, net in ((("9s", "8s"), 1000), (("8s", "9s"), -1000)):
        round_ = battle(*cards)
        assert round_.over
        assert not round_.asked
        assert not round_.legal(0)
        assert round_.settlement().net(0) == net


def test_r9_1_one_member_with_one_stake() -> None:
    wrong: list[list[dict[str, int]]] = [[], [{"main": CHIP}] * 2, [{}], [{"tie": CHIP}], [{"main": CHIP, "tie": CHIP}]]
    for stakes in wrong:
        with pytest.raises(ValueError, match=r"one seat|one stake"):
            War(RULES, stakes, TIED)
    for cents in (0, -CHIP, 150):
        with pytest.raises(ValueError, match="whole chips"):
            War(RULES, [{"main": cents}], TIED)


def test_r9_2_equal_ranks_ask_once() -> None:
    round_ = battle(*TIED)
    assert round_.asked == (0,)
    assert round_.turn == 0
    assert round_.legal(0) == ("war", "surrender")
    round_.apply(0, "war")
    assert round_.over
    assert round_.turn == 1
    assert round_.refusal(0, "war") is Refusal.ROUND_OVER
    assert round_.steps == (Step(0, "war", By.MEMBER),)


def test_r9_2_war_burns_three_cards_and_deals_one_each() -> None:
    round_ = battle(*TIED)
    round_.apply(0, "war")
    view = round_.view(0)
    assert (view.player, view.dealer, view.burnt) == (("7s", "9s"), ("7h", "8h"), 3)
    assert view.stake == 20 * CHIP


def test_r9_2_surrender_loses_half_to_the_cent() -> None:
    round_ = battle(*TIED, stake=7 * CHIP)
    round_.apply(0, "surrender")
    assert round_.settlement().net(0) == -350
    assert round_.view().surrendered
    assert round_.view().burnt == 0


def test_r0_3_war_is_offered_only_to_who_can_pay_it_whole() -> None:
    round_ = battle(*TIED)
    assert round_.cost(0, "war") == 10 * CHIP
    assert round_.legal(0, purse=10 * CHIP) == ("war", "surrender")
    assert round_.legal(0, purse=10 * CHIP - 1) == ("surrender",)
    assert round_.refusal(0, "war", purse=0) is Refusal.CANNOT_PAY


def test_r0_5_silence_surrenders() -> None:
    round_ = battle(*TIED)
    assert round_.timeout(0) == "surrender"
    round_.apply(0, "surrender", By.CLOCK)
    assert round_.view().late


def test_wrong_seats_and_words_are_refused() -> None:
    round_ = battle(*TIED)
    assert round_.refusal(1, "war") is Refusal.NOT_SEATED
    assert round_.refusal(0, "hit") is Refusal.NOT_OFFERED
    for seat, action in ((1, "war"), (0, "hit")):
        with pytest.raises(IllegalAction):
            round_.apply(seat, action)
    assert not round_.over


def test_an_open_battle_has_no_settlement() -> None:
    with pytest.raises(IllegalAction):
        battle(*TIED).settlement()
    assert battle(*TIED).view().result is None


def test_a_fork_is_played_on_alone() -> None:
    round_ = battle(*TIED)
    fork = round_.fork()
    fork.apply(0, "war")
    assert fork.over
    assert not round_.over
    assert round_.steps == ()


@given(rule_sets, chips, seeds, answers)
def test_what_is_seen_does_not_depend_on_the_cards_to_come(
    rules: WarRules, chips: int, seed: bytes, answer: str
) -> None:
    dealt = shoe(seed, (), rules.decks)
    whole = War(rules, [{"main": chips * CHIP}], dealt)
    cut = War(rules, [{"main": chips * CHIP}], (dealt[0], dealt[1]))
    assert whole.view() == cut.view()


@given(rule_sets, chips, st.sampled_from(PACK), st.permutations(PACK), answers)
def test_every_battle_is_settled_within_its_stakes(
    rules: WarRules, chips: int, first: str, rest: list[str], answer: str
) -> None:
    twin = first[0] + ("s" if first[1] != "s" else "h")
    round_ = War(rules, [{"main": chips * CHIP}], (first, twin, *rest))
    round_.apply(0, answer)
    line = round_.settlement().lines[0]
    assert round_.settlement().lines == (round_.view().result,)
    assert line.staked == chips * CHIP * (2 if answer == "war" else 1)
    assert 0 <= line.returned <= 2 * line.staked


@pytest.mark.parametrize("rules", RULE_SETS.values(), ids=RULE_SETS)
def test_rules_read_back_by_value(rules: WarRules) -> None:
    assert GAME.rules_from_json(rules.as_json()) == rules


@pytest.mark.parametrize(
    ("field", "value"),
    [
        *(("decks", 0), ("decks", 9), ("won_pays", -1), ("won_pays", 501), ("tied_pays", -1), ("tied_pays", 501)),
        *(("tied_pays", 1.5), ("horses", 2)),
    ],
)
def test_impossible_rules_are_refused_with_the_field(field: str, value: object) -> None:
    with pytest.raises(BadRules) as refused:
        GAME.rules_from_json({**RULES.as_json(), field: value})
    assert refused.value.field == field
