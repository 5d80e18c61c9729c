"""Battles written down as hands, with what came of them (tests/golden/war.txt)."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.games.contract import CHIP
from engine.games.war import GAME

GOLDEN = Path(__file__).parents[2] / "golden" / "war.txt"
LINES = [line for line in GOLDEN.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]


@pytest.mark.parametrize("line", LINES)
def test_golden_battle(line: str) -> None:
    rules, stake, first, answer, second, expected = (part.strip() for part in line.split("|"))
    player, dealer = first.split(" / ")
    shoe = [player + "s", dealer + "h"]
    if second:
        player, dealer = second.split(" / ")
        shoe += ["2c", "3c", "4c", player + "d", dealer + "c"]
    battle = GAME.deal(GAME.rule_sets[rules], [{"main": int(stake) * CHIP}], tuple(shoe))
    if answer:
        assert battle.asked == (0,)
        battle.apply(0, answer)
    assert battle.over
    result = battle.settlement().lines[0]
    assert f"{result.outcome}; {result.net / CHIP:+g}" == expected
