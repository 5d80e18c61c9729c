"""Three bot processes over one PostgreSQL, killed in turn under load; and that what checks them would notice."""

from __future__ import annotations

import re
import subprocess
import sys
from dataclasses import replace

import pytest

from tests.processes.__main__ import ROOT, Press, Process, disorder, strangers, twice_acknowledged

FIRST = Press(0, "press/1/stake", 9, version=4, asked=1.0, answered=2.0)
SECOND = Press(0, "press/2/act", 9, version=5, asked=3.0, answered=4.0)


@pytest.mark.slow
def test_three_processes_that_are_killed_in_turn_lose_nothing() -> None:
    kills = 6
    done = subprocess.run(
        [sys.executable, "-m", "tests.processes", str(kills)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    lives = 3 + kills
    found = re.fullmatch(rf"(\d+) acknowledged presses in {lives} lives of 3 processes\n", done.stdout)
    assert found is not None, done.stdout
    assert int(found[1]) >= lives * 20, "each life has answered somebody, however busy the machine is"


def test_a_press_that_is_told_an_older_table_than_an_earlier_one_is_noticed() -> None:
    assert disorder([SECOND, FIRST]) == []
    assert disorder([FIRST, replace(SECOND, version=4)]) == ["press/2/act at table 9 was told version 4 after 4"]


def test_presses_at_the_same_time_may_come_in_any_order() -> None:
    assert disorder([FIRST, replace(SECOND, asked=1.5, version=3)]) == []


def test_a_press_that_counts_twice_is_noticed() -> None:
    assert twice_acknowledged([FIRST, replace(FIRST, version=5)]) == ["press/1/stake was acknowledged 2 times"]


def test_a_table_in_two_processes_is_noticed() -> None:
    one, other = Process(0, "", presses=[FIRST]), Process(1, "", taken_up={9, 10})
    assert strangers([one, other]) == ["table 9 was in processes [0, 1]"]
