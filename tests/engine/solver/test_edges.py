"""The house edge, worked out exactly, is the one that has been published."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

import pytest

from engine.games.baccarat import RULE_SETS as BACCARAT
from engine.games.baccarat import BaccaratRules, Coup, Spot, coup
from engine.games.cards import Shoe
from engine.games.war import RULE_SETS as WAR
from engine.games.war import WarRules
from engine.solver import edges
from engine.solver.edges import RANKS, baccarat_chances, baccarat_edges, chances, war_edge


def test_r8_3_punto_banco_ends_as_published() -> None:
    odds = baccarat_chances(BACCARAT["punto-banco"])
    assert sum(odds.values()) == 1
    assert odds[Spot.BANKER] == pytest.approx(0.458597, abs=1e-6)
    assert odds[Spot.PLAYER] == pytest.approx(0.446247, abs=1e-6)
    assert odds[Spot.TIE] == pytest.approx(0.095156, abs=1e-6)


def test_r8_4_punto_banco_keeps_what_is_published() -> None:
    edges = baccarat_edges(BACCARAT["punto-banco"])
    assert 100 * edges[Spot.BANKER] == pytest.approx(1.057906, abs=1e-6)
    assert 100 * edges[Spot.PLAYER] == pytest.approx(1.235081, abs=1e-6)
    assert 100 * edges[Spot.TIE] == pytest.approx(14.359629, abs=1e-6)


def test_r8_3_without_naturals_player_keeps_its_edge_and_the_tie_favours_its_stake() -> None:
    """Both sides gain the same by drawing against a standing 8 or 9: only ties become likelier."""
    edges = baccarat_edges(BACCARAT["ctrl-alt-bet"])
    assert edges[Spot.PLAYER] == baccarat_edges(BACCARAT["punto-banco"])[Spot.PLAYER]
    assert 100 * edges[Spot.BANKER] == pytest.approx(1.012698, abs=1e-6)
    assert 100 * edges[Spot.TIE] == pytest.approx(-1.915198, abs=1e-6)


def test_r9_3_casino_war_keeps_what_is_published() -> None:
    casino = WAR["casino"]
    assert war_edge(casino, "war") == pytest.approx(0.028771, abs=1e-6)
    assert 100 * war_edge(casino, "surrender") == pytest.approx(3.70, abs=0.005)


@pytest.mark.parametrize(
    ("decks", "war", "surrender"),
    [
        (1, 2.42, 2.94),
        (2, 2.70, 3.40),
        (3, 2.79, 3.55),
        (4, 2.84, 3.62),
        (5, 2.86, 3.67),
        (6, 2.88, 3.70),
        (7, 2.89, 3.72),
        (8, 2.90, 3.73),
    ],
)
def test_r9_3_casino_war_by_decks_as_published(decks: int, war: float, surrender: float) -> None:
    rules = WarRules(decks=decks, won_pays=100, tied_pays=100)
    assert 100 * war_edge(rules, "war") == pytest.approx(war, abs=0.005)
    assert 100 * war_edge(rules, "surrender") == pytest.approx(surrender, abs=0.005)


def test_r9_3_ctrl_alt_bet_war_as_worked_out_by_hand() -> None:
    tie = Fraction(23, 311)  # the second card is one of the 23 left of the first one's 24
    again = Fraction(22 * 21 + 12 * 24 * 23, 310 * 309)  # the next two are equal
    either = (1 - again) / 2  # and otherwise each side is as likely to be higher
    rules = WAR["ctrl-alt-bet"]
    assert war_edge(rules, "war") == tie * (2 * either - Fraction(3, 2) * either - 2 * again)
    assert war_edge(rules, "surrender") == tie / 2


def test_a_pair_from_one_pack() -> None:
    def pair(shoe: Shoe) -> bool:
        return shoe[0][0] == shoe[1][0]

    assert chances(pair, RANKS, decks=1)[True] == Fraction(3, 51)
    assert chances(pair, RANKS, decks=1, twins={1: 0}) == chances(pair, RANKS, decks=1)


# -- in parts ----------------------------------------------------------------------------------------------------------


@pytest.fixture
def coups(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """The coups that are played from now on; nothing is kept of earlier ones."""
    played = Counter[str]()

    def counted(rules: BaccaratRules, shoe: Shoe) -> Coup:
        played["coups"] += 1
        return coup(rules, shoe)

    monkeypatch.setattr(edges, "coup", counted)
    edges._coups.cache_clear()
    return played


def test_a_tenth_of_the_coups_is_played_at_a_time_and_none_twice(coups: Counter[str]) -> None:
    rules = BaccaratRules(decks=3)
    parts = []
    for first in range(10):
        edges.keep_coups(rules, first)
        parts.append(coups["coups"])
        coups.clear()
    assert max(parts) < sum(parts) / 5
    baccarat_edges(rules)
    assert not coups


def test_coups_do_not_depend_on_what_a_spot_pays(coups: Counter[str]) -> None:
    dear = baccarat_edges(BaccaratRules(decks=2, commission=50, tie_pays=1))
    coups.clear()
    assert baccarat_edges(BaccaratRules(decks=2))[Spot.BANKER] < dear[Spot.BANKER]
    assert not coups
