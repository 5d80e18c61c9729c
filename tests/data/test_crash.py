"""kill -9, sixty times: no chip lost or made, no acknowledged press missing, no refused one written."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

#: The endings of duels by what people do, by a break and by time. Equal sums of mistakes are rare.
ENDINGS = ("declined", "withdrawn", "unanswered", "called-off", "nobody-began", "one-began", "decisions")

pytestmark = pytest.mark.skipif(os.name != "posix", reason="the kills need a POSIX system")


@pytest.mark.slow
def test_kills_lose_nothing_and_the_broken_banks_are_caught() -> None:
    command = [sys.executable, "-m", "tests.crash", "60"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=420, check=False)
    assert done.returncode == 0, done.stderr
    assert "TwoStepBank caught: a balance is not the sum of its transfers" in done.stdout
    for broken, fault in {
        "DoorLaterBank": "the door of",
        "OpenDoorBank": r"\d+ was let in on a break",
        "LimitlessBank": r"\d+ was let in past a limit",
        "RisesAtOnceBank": "a limit of",
        "SellsFirstBank": "jobs wait for it",
        "CountsLaterBank": "chains name promise",
        "ScoresLaterBank": "on a board, and",
        "MarksFirstBank": r"reset \d+ (left|marked) member",
        "PrizesLaterBank": r"tournament \d+ is over, (was paid|took)",
        "HastyTriesBank": "try/.* was acknowledged and is gone",
    }.items():
        assert re.search(f"{broken} caught: .*{fault}", done.stdout), done.stdout
    for broken in ("PaysFirstBank", "HastyBank", "FickleBank"):
        assert re.search(f"{broken} caught: (?!Traceback|the casino hangs)", done.stdout), done.stdout
    groups = re.findall(r"(\d+) kills, (\d+) acknowledged presses, (\d+) refused ones, nothing lost", done.stdout)
    killed, presses, refused = zip(*(map(int, group) for group in groups), strict=True)
    assert killed == (47, 6, 6, 1)
    assert min(presses[:3]) > 0  # where the server itself falls over, one short life may not get to one
    assert refused[0] > 0
    on_file = done.stdout.partition("rounds played: ")[2].partition("\n")[0]
    games = {word.split()[0] for word in on_file.split(", ")}
    assert games >= {"blackjack", "war", "duel", "tournament", "day", "reset", "same-cards"}, on_file
    missed = {f"duel-{ending}" for ending in ENDINGS} - games
    assert len(missed) <= 1, on_file  # lives are short, so one of them may not come up
