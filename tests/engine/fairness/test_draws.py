"""Draws at elimination tables (R7.4), checked by somebody who trusts nobody."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from engine.fairness.cli import main
from engine.fairness.draws import Draws, verify_draws
from engine.fairness.reading import BadRecord, parse

from . import made


@pytest.mark.parametrize("number", range(40))
def test_honest_draws_hold_and_read_back(number: int) -> None:
    draws = made.draws(number)
    assert verify_draws(draws).holds
    assert Draws.read(parse(draws.to_json())) == draws


@pytest.mark.parametrize("number", range(120))
def test_what_was_tampered_with_is_found_or_cannot_be_read(number: int) -> None:
    text = made.spoilt_draws(number)
    try:
        draws = Draws.read(parse(text))
    except BadRecord:
        return
    if verify_draws(draws).holds:
        assert _says_the_same(draws, made.draws(number))


def test_a_seat_that_is_written_down_twice_cannot_be_read() -> None:
    """Only one of its two rows would be compared with the deck."""
    fields = json.loads(made.draws(2).to_json())
    cards = fields["draws"][0]["cards"]
    cards.insert(0, [cards[0][0], "As"])
    with pytest.raises(BadRecord):
        Draws.read(fields)


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"version": 3, "slot": 0, "path": []}, "draws of version 3 have a slot"),
        ({"version": 1}, "draws are of version 2 or 3"),
        ({"draws": [{"number": 1, "wanted": "who goes", "cards": [7]}]}, "not a seat with its cards: 7"),
        ({"draws": [{"number": 1, "wanted": "spoon", "cards": []}]}, "not a draw"),
        ({"draws": [{"number": 1, "wanted": "who goes", "cards": [[0], [4]]}]}, "not the seats of a draw: [0, 4]"),
        ({"draws": [{"number": 2, "wanted": "who goes", "cards": [[0], [3]]}]}, "draws are numbered 1, 2, 3 ..."),
    ],
)
def test_what_is_wrong_with_draws_is_said(change: dict[str, Any], fault: str) -> None:
    alone = next(draws for draws in map(made.draws, range(9)) if not draws.slot)
    fields = {**json.loads(alone.to_json()), **change}
    with pytest.raises(BadRecord) as no:
        Draws.read(fields)
    assert fault in str(no.value)


def _says_the_same(draws: Draws, honest: Draws) -> bool:
    """A seat may be left out, or what was wanted be named otherwise, where the same cards come out."""
    recorded = {drawing.number: drawing.cards for drawing in honest.drawings}
    assert draws.root == honest.root
    return all(drawing.cards.items() <= recorded[drawing.number].items() for drawing in draws.drawings)


def written(tmp_path: Path, draws: Draws) -> str:
    path = tmp_path / "draws.json"
    path.write_text(draws.to_json(), encoding="utf-8")
    return str(path)


def test_by_hand_every_card_is_shown(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    draws = made.draws(2)
    assert main([written(tmp_path, draws), "--tip", draws.promise.tip[:8]]) == 0
    said = capsys.readouterr().out
    assert draws.promise.address in said
    assert said.count("\nDraw ") + said.startswith("Draw ") == len(draws.drawings)
    assert "!!" not in said


def test_by_hand_another_root_or_tip_is_marked(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    draws = made.draws(2)
    assert main([written(tmp_path, replace(draws, root=bytes(32)))]) == 1
    assert "!! promised" in capsys.readouterr().out
    assert main([written(tmp_path, draws), "--tip", "0" * 8]) == 1
    assert "!! you saw" in capsys.readouterr().out
    assert main([written(tmp_path, draws), "--hash", "0" * 16]) == 2
