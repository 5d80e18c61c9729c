"""Coups written down as hands, with what came of them (tests/golden/baccarat.txt)."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.games.baccarat import GAME, Baccarat
from engine.games.cards import Card
from engine.games.contract import CHIP

GOLDEN = Path(__file__).parents[2] / "golden" / "baccarat.txt"
LINES = [line for line in GOLDEN.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]


def stakes_of(text: str) -> dict[str, int]:
    words = [stake.split() for stake in text.split(",")]
    return {spot: int(chips) * CHIP for spot, chips in words}


def cards_of(text: str) -> list[Card]:
    player, banker = (hand.split() for hand in text.split("/"))
    order = [player[0], banker[0], player[1], banker[1], *player[2:], *banker[2:]]
    return [rank + "shdcsh"[place] for place, rank in enumerate(order)]


def came_of(coup: Baccarat, seats: int) -> str:
    view = coup.view()
    totals = f"{view.result} {view.player.total}-{view.banker.total}{', natural' if view.natural else ''}"
    nets = [coup.settlement().net(seat) for seat in range(seats)]
    return f"{totals}; " + " ".join(f"{net / CHIP:+g}" for net in nets)


def deal(line: str) -> tuple[Baccarat, int, int]:
    rules, stakes, cards, _ = line.split("|")
    seats = [stakes_of(seat) for seat in stakes.split(";")]
    shoe = cards_of(cards)
    return GAME.deal(GAME.rule_sets[rules.strip()], seats, tuple(shoe)), len(seats), len(shoe)


@pytest.mark.parametrize("line", LINES)
def test_golden_coup(line: str) -> None:
    coup, seats, cards = deal(line)
    view = coup.view()
    assert came_of(coup, seats) == line.split("|")[-1].strip()
    assert len(view.player.cards) + len(view.banker.cards) == cards
