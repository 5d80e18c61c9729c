"""Facts that others have worked out, against the games as they are dealt here."""

from __future__ import annotations

import hashlib
from itertools import product
from math import perm

import pytest

from engine.games.baccarat import RULE_SETS, Spot, coup
from engine.games.war import WarRules
from engine.solver.edges import baccarat_chances, war_edge

#: The cards by value, from 0.
CARDS = ("Ts", "As", *(f"{pip}s" for pip in range(2, 10)))

#: SHA-256 over what the npm package `baccarat-engine` 1.1.5 says of all sequences of six values, 000000 to 999999: who
#: wins (p, b, t), then 1 if Player drew, and 2 more if Banker drew. It was run once; its rules share nothing with ours.
ANOTHER_ENGINE = "3f3b5f102dd5320ba34ca9ccd54dc70f45f3fe5d71930f2ca3e5ba558e9699fe"


@pytest.mark.long
def test_r8_another_engine_deals_all_million_coups_the_same_way() -> None:
    said = []
    for cards in product(CARDS, repeat=6):
        dealt = coup(RULE_SETS["punto-banco"], cards)
        third = (len(dealt.player) == 3) + 2 * (len(dealt.banker) == 3)
        said.append(f"{dealt.result.value[0]}{third}")
    assert hashlib.sha256("".join(said).encode()).hexdigest() == ANOTHER_ENGINE


def test_r8_as_many_permutations_of_six_cards_as_published_end_each_way() -> None:
    """Exactly, out of eight decks (Wizard of Odds)."""
    odds = baccarat_chances(RULE_SETS["punto-banco"])
    ways = {spot: odds[spot] * perm(416, 6) for spot in Spot}
    assert ways == {
        Spot.BANKER: 2_292_252_566_437_888,
        Spot.PLAYER: 2_230_518_282_592_256,
        Spot.TIE: 475_627_426_473_216,
    }


@pytest.mark.parametrize(
    ("decks", "per_cent"),
    [(1, 2.06), (2, 2.24), (3, 2.29), (4, 2.31), (5, 2.32), (6, 2.33), (7, 2.34), (8, 2.34)],
)
def test_r9_3_casino_war_with_a_bonus_for_a_second_tie_by_decks_as_published(decks: int, per_cent: float) -> None:
    rules = WarRules(decks=decks, won_pays=100, tied_pays=200)
    assert 100 * war_edge(rules, "war") == pytest.approx(per_cent, abs=0.0051)
