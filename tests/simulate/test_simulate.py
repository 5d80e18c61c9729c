"""The simulation itself: one seed is one run, a failing run is told again shortly, and what is broken is found."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.games import registry
from tests.simulate.judge import Judge
from tests.simulate.planted import PLANTED
from tests.simulate.story import Failure, Story, prepared, shrunk

ROOT = Path(__file__).resolve().parents[2]

#: Bugs that a few hundred events bring to light; `make simulate` looks for all of them.
SOON = (
    "bank: says yes before it has written",
    "bank: writes a table that is not the table",
    "bank: writes another cause",
    "bank: writes neither losses nor winnings",
    "bank: names rules that it does not keep",
    "presenter: keeps new messages to itself",
    "promise: is not posted",
    "table: deals other cards than promised",
    "today: says yes and keeps no press",
    "training: says yes and keeps no answer",
    "duel: says yes and keeps no acceptance",
)

_TELL = """
import hashlib
from tests.simulate.__main__ import hush
from tests.simulate.story import Story, prepared
hush()
with prepared():
    story = Story("the same", 300)
    assert story.tell() is None
print(hashlib.sha256(repr((story.lines, story.score, story.ended)).encode()).hexdigest())
"""


@pytest.fixture(autouse=True)
def house() -> Iterator[None]:
    with prepared():
        yield


@pytest.mark.slow
def test_the_same_seed_gives_the_same_run_step_for_step_in_any_process() -> None:
    """Down to every row that is left in the bank, whatever the interpreter makes of sets and hashes."""
    tellings = [
        subprocess.Popen([sys.executable, "-c", _TELL], cwd=ROOT, env=os.environ | {"PYTHONHASHSEED": seed}, stdout=-1)
        for seed in ("1", "2")
    ]
    one, other = (telling.communicate(timeout=240)[0] for telling in tellings)
    assert one == other
    assert len(one) == 65


def test_nothing_is_broken_and_everything_happens() -> None:
    story = Story("all is well", 500)
    assert story.tell() is None
    assert story.score.rounds > 50
    assert min(story.score.kinds["plays_the_day"], story.score.kinds["duels"]) > 3
    assert story.score.kinds["trains"] > 0
    assert story.score.kinds["buys"] > 3
    assert min(story.score.kinds["grades"], story.score.kinds["resets"]) > 0
    assert min(story.score.kinds["rests"], story.score.kinds["sets_a_limit"]) > 0
    assert {kind.partition(":")[0] for kind in story.score.injected} == {"disk", "Discord", "process", "clock"}


def test_bugs_are_planted_wherever_there_is_something_to_lose() -> None:
    assert len(PLANTED) >= 10
    assert {name.partition(":")[0] for name in PLANTED} >= {
        "table",
        "promise",
        "bank",
        "presenter",
        "director",
        "today",
        "training",
        "care",
        "roles",
        "duel",
        "reset",
        "season",
        "the same cards",
    }


@pytest.mark.thinned
@pytest.mark.parametrize("name", SOON)
def test_a_planted_bug_is_found_soon(name: str) -> None:
    bug, _within = PLANTED[name]
    assert Story("planted 0", 500, bug=bug, quiet=False).tell() is not None


def test_without_a_bug_nothing_is_found_in_the_same_story() -> None:
    """Or the bugs would be found wherever they are not."""
    assert Story("planted 0", 500, quiet=False).tell() is None


def test_what_the_judge_cannot_even_look_at_is_a_failure_too(monkeypatch: pytest.MonkeyPatch) -> None:
    def no_such_table(*_: object) -> None:
        raise LookupError("no such table")

    monkeypatch.setattr(Judge, "_compare", no_such_table)
    failure = Story("planted 0", 500, quiet=False).tell()
    assert failure is not None
    assert "LookupError('no such table'), in no_such_table" in failure.why
    assert failure.lines


def test_a_failing_run_is_shrunk_to_a_short_story(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is the same one however many games there are."""
    monkeypatch.setattr(registry, "GAMES", {name: registry.GAMES[name] for name in ("blackjack", "war")})
    bug, within = PLANTED["bank: writes another cause"]
    long = Story("planted 0", within, bug=bug).tell()
    assert isinstance(long, Failure)
    short = shrunk(long, bug)
    assert len(short.lines) <= 5 < len(long.lines)
    assert any(" opens" in line for line in short.lines)
    only = frozenset(int(line.split()[0]) for line in short.lines)
    assert Story("planted 0", within, only, bug, quiet=False).tell() == short
