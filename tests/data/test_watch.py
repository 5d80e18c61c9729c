"""Where the house is not well no new stakes are taken, and what has begun goes on."""

from __future__ import annotations

import logging
import os
from collections import namedtuple
from dataclasses import dataclass
from pathlib import Path

import pytest

from data import Bank
from data.drivers import watch
from data.drivers.watch import Watch
from engine.tables.refused import Reason
from engine.tables.snapshot import TablePhase
from tests.data.dealer import GUILD, HandClock
from tests.data.seated import Seated, refused

HOUR = 3_600.0


@dataclass
class Clocks:
    """The clock on the wall, and the one that nobody sets."""

    shown: float = 1_800_000_000.0
    passed: float = 5_000.0

    def pass_by(self, seconds: float) -> None:
        self.shown += seconds
        self.passed += seconds

    def watch(self, file: Path | None = None) -> Watch:
        return Watch(file, lambda: self.shown, lambda: self.passed)


async def test_in_trouble_a_hand_is_played_to_its_end_and_no_other_begins(
    bank: Bank, clock: HandClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    seated = await Seated(bank, clock).sit()
    while seated.table.snapshot().phase is not TablePhase.PLAYING:
        await seated.stake()
    monkeypatch.setattr(bank._store.watch, "trouble", lambda: "the disk is nearly full")
    assert await bank.auditor.stakes_stopped() == "the disk is nearly full"
    await seated.stand()
    assert await refused(seated.stake) is Reason.STAKES_STOPPED
    assert await bank.members.in_play((await bank.members.sign_in(GUILD, 1)).id) == 0
    assert (await bank.auditor.inspect()).clean, "nor does a clean audit let stakes be placed"
    assert await refused(seated.stake) is Reason.STAKES_STOPPED
    monkeypatch.undo()
    assert await refused(seated.stake) is None
    await seated.over()


def test_too_little_room_on_the_disk_is_trouble_until_there_is_more(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    usage = namedtuple("usage", "total used free")
    clocks, free = Clocks(), 64 * 2**20 - 1
    monkeypatch.setattr(watch.shutil, "disk_usage", lambda _: usage(0, 0, free))
    watching = clocks.watch(tmp_path / "bank.db")
    assert watching.trouble() == "the disk is nearly full"
    free += 1
    assert watching.trouble() is not None, "not looked at again at once"
    clocks.pass_by(watch.GLANCE_SECONDS)
    assert watching.trouble() is None
    assert clocks.watch().trouble() is None, "a server's disk is the server's"
    assert [(line.levelname, line.message) for line in caplog.records] == [
        ("WARNING", "new stakes: the disk is nearly full"),
        ("INFO", "new stakes: taken again"),
    ]


def test_a_disk_that_cannot_be_looked_at_is_no_trouble(tmp_path: Path) -> None:
    """A press will be refused for a better reason."""
    assert Clocks().watch(tmp_path / "gone" / "bank.db").trouble() is None


def test_a_swollen_log_is_trouble(tmp_path: Path) -> None:
    (tmp_path / "bank.db-wal").touch()
    os.truncate(tmp_path / "bank.db-wal", 256 * 2**20)
    assert Clocks().watch(tmp_path / "bank.db").trouble() is None
    os.truncate(tmp_path / "bank.db-wal", 256 * 2**20 + 1)
    assert Clocks().watch(tmp_path / "bank.db").trouble() == "the write-ahead log has become very large"


@pytest.mark.parametrize("jump", [6 * HOUR, -6 * HOUR, 31, -31])
def test_a_clock_that_jumps_is_trouble_until_it_has_run_evenly(jump: float) -> None:
    clocks = Clocks()
    watching = clocks.watch()
    assert watching.trouble() is None
    clocks.pass_by(HOUR)
    assert watching.trouble() is None
    clocks.shown += jump
    clocks.pass_by(5)
    assert watching.trouble() == "the clock of this machine has jumped"
    clocks.pass_by(118)
    assert watching.trouble() is not None
    clocks.pass_by(2)
    assert watching.trouble() is None


def test_a_clock_that_is_nudged_is_none() -> None:
    clocks = Clocks()
    watching = clocks.watch()
    for _ in range(50):
        clocks.shown += 30.0  # as a time service corrects it
        clocks.pass_by(60)
        assert watching.trouble() is None
