"""`python -m engine.solver`: what it prints, and what it says of what cannot be."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from collections.abc import Sequence
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

import pytest

from engine.solver.__main__ import main
from engine.solver.charting import _cell

ROOT = Path(__file__).resolve().parents[3]


def told(capsys: pytest.CaptureFixture[str], *words: str) -> dict[str, Any]:
    assert main([*words, "--json"]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    found: dict[str, Any] = json.loads(out)
    return found


def refused(capsys: pytest.CaptureFixture[str], words: Sequence[str]) -> str:
    try:
        code = main(words)
    except SystemExit as left:
        code = left.code
    out, err = capsys.readouterr()
    assert (code, out, err.count("\n")) == (2, "", 1)
    return err


@pytest.fixture(scope="module")
def vegas() -> dict[str, Any]:
    out = io.StringIO()
    with redirect_stdout(out):
        assert main(["vegas", "--json"]) == 0
    found: dict[str, Any] = json.loads(out.getvalue())
    return found


@pytest.mark.slow
def test_the_whole_game_as_an_object(vegas: dict[str, Any]) -> None:
    game = vegas
    assert game["value"] == pytest.approx(-0.00330268, abs=1e-8)
    assert game["edge"] == -game["value"]
    assert (game["exact"], game["split_convention"]) == (True, "CDZ-")
    assert list(game["chart"]) == [
        *(f"hard {total}" for total in range(5, 21)),
        *(f"soft {total}" for total in range(13, 21)),
        *(f"{pip},{pip}" for pip in ("A", *map(str, range(2, 11)))),
    ]
    assert all(list(cells) == [*map(str, range(2, 11)), "A"] for cells in game["chart"].values())
    assert {(off["hand"], off["up"], off["play"], off["row"]) for off in game["off_chart"]} == {
        ("2,10", "4", "hit", "stand"),
        ("7,8", "10", "hit", "surrender/hit"),
    }
    assert game["rules"]["surrender"]["no"] == pytest.approx(0.0007260, abs=1e-7)
    assert game["rules"]["decks"].keys() == {"1", "2", "4", "8"}


@pytest.mark.parametrize(
    ("row", "cells"),
    [
        ("hard 11", ["double/hit"] * 9 + ["hit"]),
        ("hard 12", ["hit", "hit", *["stand"] * 3, *["hit"] * 5]),
        ("hard 16", [*["stand"] * 5, "hit", "hit", *["surrender/hit"] * 3]),
        ("soft 18", ["stand", *["double/stand"] * 4, "stand", "stand", "hit", "hit", "hit"]),
        ("8,8", [*["split/stand"] * 5, *["split/hit"] * 5]),
        ("9,9", [*["split/stand"] * 5, "stand", "split/stand", "split/stand", "stand", "stand"]),
        ("10,10", ["stand"] * 10),
    ],
)
def test_the_chart_of_vegas_is_the_one_in_the_books(row: str, cells: list[str], vegas: dict[str, Any]) -> None:
    assert list(vegas["chart"][row].values()) == cells


def test_one_decision_as_an_object(capsys: pytest.CaptureFixture[str]) -> None:
    decision = told(capsys, "vegas", "decks=1", "--hand", "A,7", "--up", "6")
    assert decision["best"] == "double"
    assert decision["actions"].keys() == {"stand", "hit", "double", "surrender"}
    assert decision["bust"] == 0
    assert list(decision["dealer"]) == ["17", "18", "19", "20", "21", "bust"]
    assert "insurance" not in decision
    assert decision["exact"] is True


def test_cards_are_read_in_small_letters_too(capsys: pytest.CaptureFixture[str]) -> None:
    typed = told(capsys, "vegas", "decks=1", "--hand", "a, j", "--up", "k")
    assert typed == told(capsys, "vegas", "decks=1", "--hand", "A,J", "--up", "K")


def test_a_pair_that_may_not_be_doubled_may_not_be_split_either() -> None:
    assert _cell({"double": 0.5, "split": 0.4, "hit": 0.3, "stand": 0.2}) == "double/hit"
    assert _cell({"surrender": 0.5, "split": 0.4, "hit": 0.3, "stand": 0.2}) == "surrender/split"


def test_insurance_and_naturals_are_told_where_they_matter(capsys: pytest.CaptureFixture[str]) -> None:
    decision = told(capsys, "classic", "--hand", "10,6", "--up", "A")
    assert decision["insurance"] == pytest.approx((3 * 95 / 309 - 1) / 2)
    assert decision["dealer"]["natural"] == pytest.approx(95 / 309)


def test_a_chase_ends_on_any_total_and_says_what_is_not_exact(capsys: pytest.CaptureFixture[str]) -> None:
    decision = told(capsys, "kitchen", "--hand", "10,3", "--up", "2")
    assert list(decision["dealer"])[:2] == ["13", "14"]
    assert decision["exact"] is True
    split = told(capsys, "vegas", "dealer_draws=chases", "--hand", "8,8", "--up", "6")
    assert split["exact"] is False
    assert "chases" in split["why"][0]


def test_tens_are_four_ranks_where_rank_decides(capsys: pytest.CaptureFixture[str]) -> None:
    assert "split" in told(capsys, "classic", "--hand", "J,J", "--up", "6")["actions"]
    assert "split" not in told(capsys, "classic", "--hand", "J,K", "--up", "6")["actions"]
    assert "split" in told(capsys, "vegas", "--hand", "J,K", "--up", "6")["actions"]


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["lasvegas"], "no rule set is called 'lasvegas'"),
        (["vegas", "decks=9"], "decks: must be a whole number from 1 to 8"),
        (["vegas", "decks=two"], "decks cannot be 'two'"),
        (["vegas", "deck=2"], "'deck=2' changes no rule"),
        (["vegas", "surrender=maybe"], "surrender cannot be 'maybe': yes, no"),
        (["vegas", "dealer_draws=never"], "hits soft 17"),
        (["vegas", "dealer_looks=no"], "surrender without a look"),
        (["vegas", "most_seats=8"], "most_seats"),
        (["vegas", "--hand", "9,9,9", "--up", "6"], "over 21"),
        (["vegas", "--hand", "A", "--up", "6"], "two cards or more"),
        (["vegas", "--hand", "A,11", "--up", "6"], "'11' is no card"),
        (["vegas", "decks=1", "--hand", "2,2,2,2", "--up", "2"], "the shoe has no 5 cards of rank 2"),
        (["vegas", "--hand", "A,7"], "both --hand and --up"),
        (["vegas", "--loud"], "--loud"),
        ([], "RULES"),
    ],
)
def test_what_cannot_be_is_refused_in_one_sentence(
    words: list[str], says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert says in refused(capsys, words)


def test_people_get_a_table(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["vegas"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "value       -0.3303% of the first stake under best play"
    assert lines[1] == "house edge  +0.3303%"
    assert any(line.startswith("hard 16  stand") for line in lines)
    assert "  surrender=yes: no +0.0726%" in lines


def test_people_get_one_decision_best_first() -> None:
    command = [sys.executable, "-m", "engine.solver", "vegas", "--hand", "A,7", "--up", "6"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120, check=True)
    assert done.stdout.startswith("double    +0.382807  best\nstand     +0.280488\n")
    assert done.stderr == ""
