"""Baccarat, rule by rule (R8). Hands in full are in tests/golden/baccarat.txt."""

from __future__ import annotations

import dataclasses

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.fairness import shoe
from engine.games.baccarat import GAME, RULE_SETS, Baccarat, BaccaratRules, Spot, coup, total, value
from engine.games.contract import CHIP, BadRules, IllegalAction, Outcome, Refusal

PUNTO_BANCO = RULE_SETS["punto-banco"]

#: The table of R8.2: Banker's total, then Y or N for Player's third card from 0 to 9.
BANKER_TABLE = """
0 Y Y Y Y Y Y Y Y Y Y
1 Y Y Y Y Y Y Y Y Y Y
2 Y Y Y Y Y Y Y Y Y Y
3 Y Y Y Y Y Y Y Y N Y
4 N N Y Y Y Y Y Y N N
5 N N N N Y Y Y Y N N
6 N N N N N N Y Y N N
7 N N N N N N N N N N
8 N N N N N N N N N N
9 N N N N N N N N N N
"""

#: Two cards for each total.
PAIRS = {0: "KQ", 1: "KA", 2: "K2", 3: "K3", 4: "K4", 5: "K5", 6: "K6", 7: "K7", 8: "K8", 9: "K9"}
THIRD = "TA23456789"

seeds = st.binary(min_size=32, max_size=32)
spots = st.dictionaries(st.sampled_from(GAME.spots), st.integers(1, 10_000).map(lambda chips: chips * CHIP), min_size=1)
tables = st.lists(spots, min_size=1, max_size=7)
rule_sets = st.sampled_from(list(RULE_SETS.values()))


def cards(ranks: str) -> tuple[str, ...]:
    """A shoe from ranks in dealing order: Player, Banker, Player, Banker, third cards."""
    return tuple(rank + "s" for rank in ranks)


def play(ranks: str, rules: BaccaratRules = PUNTO_BANCO, **stakes: int) -> Baccarat:
    return Baccarat(rules, [stakes or {"player": CHIP}], cards(ranks))


def test_r8_1_cards_count_modulo_ten() -> None:
    values = {rank: value(rank + "s") for rank in "A23456789TJQK"}
    assert values == dict(zip("A23456789TJQK", [1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 0, 0, 0], strict=True))
    assert total(("9s", "7h")) == 6
    assert total(("9s", "9h", "9d")) == 7


def test_r8_1_eight_decks_dealt_player_banker_player_banker() -> None:
    view = play("2345").view()
    assert PUNTO_BANCO.decks == 8
    assert view.player.cards == ("2s", "4s")
    assert view.banker.cards[:2] == ("3s", "5s")


@pytest.mark.parametrize("player", range(10))
def test_r8_2_player_under_six_draws(player: int) -> None:
    dealt = coup(RULE_SETS["ctrl-alt-bet"], cards(PAIRS[player][0] + "K" + PAIRS[player][1] + "7" + "KK"))
    assert (len(dealt.player) == 3) == (player < 6)


@pytest.mark.parametrize("banker", range(10))
def test_r8_2_if_player_stood_banker_under_six_draws(banker: int) -> None:
    dealt = coup(RULE_SETS["ctrl-alt-bet"], cards("K" + PAIRS[banker][0] + "6" + PAIRS[banker][1] + "K"))
    assert (len(dealt.banker) == 3) == (banker < 6)


@pytest.mark.parametrize("row", BANKER_TABLE.split("\n")[1:-1])
def test_r8_2_if_player_drew_banker_follows_the_table(row: str) -> None:
    banker, *letters = row.split()
    for third, letter in zip(THIRD, letters, strict=True):
        shoe = cards("K" + PAIRS[int(banker)][0] + "Q" + PAIRS[int(banker)][1] + third + "K")
        drew = len(coup(RULE_SETS["ctrl-alt-bet"], shoe).banker) == 3
        assert drew == (letter == "Y"), f"Banker {banker}, Player's third card {third}"


@pytest.mark.parametrize("ranks", ["K283", "K293", "2K38", "2K39", "K9KK"])
def test_r8_3_a_two_card_eight_or_nine_ends_the_coup(ranks: str) -> None:
    view = play(ranks).view()
    assert view.natural
    assert not view.player.drew
    assert not view.banker.drew


def test_r8_3_seed_004_plays_on_against_eight_and_nine() -> None:
    dealt = coup(RULE_SETS["ctrl-alt-bet"], cards("K293" + "4"))
    assert dealt.banker == ("2s", "3s", "4s")
    assert dealt.result is Spot.TIE


@pytest.mark.parametrize("ranks", ["2K374", "32325"])
def test_r8_3_eight_and_nine_with_three_cards_are_no_naturals(ranks: str) -> None:
    view = play(ranks).view()
    assert max(view.player.total, view.banker.total) == 9
    assert not view.natural


@pytest.mark.parametrize("chips", [1, 3, 7, 33, 9_999])
def test_r8_4_banker_pays_ninety_five_hundredths_to_the_cent(chips: int) -> None:
    assert play("2K47", banker=chips * CHIP).settlement().net(0) == 95 * chips


def test_r8_4_a_tie_returns_player_and_banker_stakes_and_pays_eight_to_one() -> None:
    lines = play("3A46", player=500, banker=700, tie=100).settlement().lines
    assert [(line.what, line.returned, line.outcome) for line in lines] == [
        ("player", 500, Outcome.PUSH),
        ("banker", 700, Outcome.PUSH),
        ("tie", 900, Outcome.WIN),
    ]


def test_r8_4_stakes_are_settled_in_the_order_of_the_spots() -> None:
    coup = Baccarat(PUNTO_BANCO, [{"tie": 100, "player": 200}], cards("3K46"))
    assert [line.what for line in coup.settlement().lines] == ["player", "tie"]


@pytest.mark.parametrize(
    "stakes",
    [[], [{}], [{"main": 100}], [{"player": 0}], [{"player": -100}], [{"tie": 150}], [{"player": 100}] * 25],
)
def test_impossible_stakes_are_refused(stakes: list[dict[str, int]]) -> None:
    with pytest.raises(ValueError, match=r"stake|seat"):
        Baccarat(PUNTO_BANCO, stakes, cards("3K46"))


@given(rule_sets, tables, seeds)
def test_a_coup_is_over_as_soon_as_it_is_dealt(rules: BaccaratRules, stakes: list[dict[str, int]], seed: bytes) -> None:
    coup = Baccarat(rules, stakes, shoe(seed, (), rules.decks))
    assert coup.over
    assert not coup.asked
    assert not coup.steps
    assert not coup.legal(0)
    assert coup.refusal(0, "hit") is Refusal.ROUND_OVER
    assert coup.cost(0, "hit") == 0
    with pytest.raises(IllegalAction):
        coup.apply(0, "hit")
    with pytest.raises(IllegalAction):
        coup.timeout(0)


@given(rule_sets, tables, seeds)
def test_every_stake_is_settled_once(rules: BaccaratRules, stakes: list[dict[str, int]], seed: bytes) -> None:
    coup = Baccarat(rules, stakes, shoe(seed, (), rules.decks))
    settlement, result = coup.settlement(), coup.view().result
    assert [{line.what: line.staked for line in seat} for seat in coup.view().seats] == stakes
    assert settlement.lines == tuple(line for seat in coup.view().seats for line in seat)
    for line in settlement.lines:
        assert 0 <= line.returned <= rules.most_returned * line.staked // CHIP
        assert (line.net > 0) == (line.what == result)
        assert (line.net == 0) == (result is Spot.TIE and line.what != "tie")


@given(rule_sets, seeds)
def test_the_view_shows_what_was_dealt(rules: BaccaratRules, seed: bytes) -> None:
    dealt = shoe(seed, (), rules.decks)
    coup = Baccarat(rules, [{"tie": CHIP}], dealt)
    view = coup.view()
    used = len(view.player.cards) + len(view.banker.cards)
    assert sorted(view.player.cards + view.banker.cards) == sorted(dealt[place] for place in range(used))
    assert view.player.total == sum(map(value, view.player.cards)) % 10
    assert coup.view(0) == view == coup.fork().view()


@pytest.mark.parametrize("rules", RULE_SETS.values(), ids=RULE_SETS)
def test_rules_read_back_by_value(rules: BaccaratRules) -> None:
    assert GAME.rules_from_json(rules.as_json()) == rules


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("decks", 0),
        ("decks", 9),
        ("decks", True),
        ("naturals", 1),
        ("commission", -1),
        ("commission", 101),
        ("tie_pays", 0),
        ("tie_pays", 10),
        ("tie_pays", "8"),
    ],
)
def test_impossible_rules_are_refused_with_the_field(field: str, value: object) -> None:
    with pytest.raises(BadRules) as refused:
        GAME.rules_from_json({**PUNTO_BANCO.as_json(), field: value})
    assert refused.value.field == field


def test_unknown_rules_are_refused() -> None:
    with pytest.raises(BadRules, match="unknown"):
        GAME.rules_from_json({"wheels": 3})
    with pytest.raises(dataclasses.FrozenInstanceError):
        PUNTO_BANCO.decks = 6  # type: ignore[misc]
