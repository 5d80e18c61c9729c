"""A kill at every step of a try and of a training: what was acknowledged is there, and it goes on from there."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from data import Bank
from engine.tables.house import HouseSettings
from engine.training.counting import COUNT, Count
from tests.data import same_life, training_life
from tests.data.crowd import BUY_IN
from tests.data.day_life import USER
from tests.data.dealer import GUILD, LENIENT, HandClock
from tests.data.fives import first_day, perfect

ROOT = Path(__file__).resolve().parents[2]

pytestmark = pytest.mark.skipif(os.name != "posix", reason="the kills need a POSIX system")


@pytest.mark.slow
async def test_a_kill_at_every_step_of_a_try_loses_no_press(url: str) -> None:
    clock = HandClock()
    async with Bank.open(url, HouseSettings(), clock) as bank:
        day = await first_day(bank, clock)
    presses, stood, lives = len(perfect(day)), 0, 0
    while stood < presses:
        acknowledged = _life(url, clock.time)
        lives += 1
        async with Bank.open(url, HouseSettings(), clock) as bank:
            person = await bank.tries.known(USER)
            assert person is not None
            found = await bank.tries.find(day, person)
            assert found is not None
            assert found.version == len(found.steps) >= acknowledged
            assert found.version > stood or acknowledged == presses
            stood = found.version
            await bank.tries.stand(day, person, GUILD)
            assert (found.points is not None) is (stood == presses)
            assert [str(fault) for fault in (await bank.auditor.audit()).faults] == []
    assert lives > 1
    async with Bank.open(url, HouseSettings(), clock) as bank:
        (row,) = (await bank.boards.of_day(GUILD, day)).rows
        assert row.points == 100_00


@pytest.mark.slow
async def test_r15_1_a_kill_at_every_answer_of_a_training_loses_none(url: str) -> None:
    clock, stood, lives = HandClock(), 0, 0
    async with Bank.open(url, HouseSettings(), clock):
        pass
    while stood < training_life.PRESSES:
        acknowledged = _life(url, clock.time, "training_life")
        lives += 1
        async with Bank.open(url, HouseSettings(), clock) as bank:
            found = await bank.training.find(training_life.USER, COUNT, training_life.RULES)
            assert found is not None
            assert found.version >= acknowledged
            assert found.version > stood
            stood = found.version
            assert Count.from_json(found.doc).cards
    assert lives > 1


@pytest.mark.slow
async def test_r12_8_a_kill_at_every_step_of_the_same_cards_loses_none(url: str) -> None:
    clock, stood, lives = HandClock(), 0, 0
    async with Bank.open(url, LENIENT, clock):
        pass
    while stood < same_life.STEPS:
        acknowledged = _life(url, clock.time, "same_life")
        lives += 1
        async with Bank.open(url, LENIENT, clock) as bank:
            taken = await same_life.taken(bank)
            assert taken >= acknowledged
            assert taken > stood
            stood = taken
            assert [str(fault) for fault in (await bank.auditor.audit()).faults] == []
    assert lives > 1
    async with Bank.open(url, LENIENT, clock) as bank:
        balances = [(await bank.members.sign_in(GUILD, user)).balance for user in range(1, 5)]
    assert balances == [100_000 + 3 * 100 * BUY_IN, *[100_000 - 100 * BUY_IN] * 3]


def _life(url: str, now: float, what: str = "day_life") -> int:
    """Let a process play until it has acknowledged one more press, kill it, and return how many it acknowledged."""
    command = [sys.executable, "-m", f"tests.data.{what}", url, str(now)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        said = [process.stdout.readline(), process.stdout.readline()]
        process.kill()
        said.append(process.stdout.read())
    return max((int(word) for word in "".join(said).split() if word.isdigit()), default=0)
