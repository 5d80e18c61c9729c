"""Rounds written down from the deal to the last chip (tests/golden/blackjack.txt)."""

from __future__ import annotations

import pytest

from engine.games.blackjack.actions import ACTIONS, TIME
from engine.games.blackjack.notation import round_of
from tests.golden.blackjack import FILE, retold, rounds, story

TEXT = FILE.read_text(encoding="utf-8")
TOLD = {block.split("\n", 1)[0]: block.splitlines()[1:] for block in TEXT.strip().split("\n\n")}


@pytest.mark.parametrize("line", rounds(TEXT))
def test_golden_playthrough(line: str) -> None:
    assert story(line) == TOLD[line]


def test_the_file_is_what_regenerating_it_writes() -> None:
    assert retold(TEXT) == TEXT


def test_golden_playthroughs_take_every_action() -> None:
    taken = {step.action for line in rounds(TEXT) for step in round_of(line).steps}
    assert taken == {*ACTIONS, TIME}
