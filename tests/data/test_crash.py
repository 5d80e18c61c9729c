"""kill -9, thirty times and sixty: no chip lost or made, no acknowledged press missing, no refused one written."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize(
    ("kills", "of_each"), [(30, (23, 3, 3, 1)), pytest.param(60, (47, 6, 6, 1), marks=pytest.mark.slow)]
)
def test_kills_lose_nothing_and_the_broken_banks_are_caught(kills: int, of_each: tuple[int, ...]) -> None:
    command = [sys.executable, "-m", "tests.crash", str(kills)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=240, check=False)
    assert done.returncode == 0, done.stderr
    assert "TwoStepBank caught: a balance is not the sum of its transfers" in done.stdout
    for broken in ("PaysFirstBank", "HastyBank", "FickleBank"):
        assert re.search(f"{broken} caught: (?!Traceback|the casino hangs)", done.stdout), done.stdout
    groups = re.findall(r"(\d+) kills, (\d+) acknowledged presses, (\d+) refused ones, nothing lost", done.stdout)
    killed, presses, refused = zip(*(map(int, group) for group in groups), strict=True)
    assert killed == of_each
    assert min(presses[:3]) > 0  # where the server itself falls over, one short life may not get to one
    assert refused[0] > 0
    on_file = done.stdout.partition("rounds played: ")[2].partition("\n")[0]
    assert {"blackjack", "war", "tournament"} <= {word.split()[0] for word in on_file.split(", ")}, on_file
