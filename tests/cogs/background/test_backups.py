"""Backups are made on a schedule by a process of their own; what it says is in the log."""

from __future__ import annotations

import asyncio
import logging
import os
import signal
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from cogs.background.backups import Backups
from data import Bank
from data.copies.shelf import Shelf
from engine.tables.house import HouseSettings
from settings import ROOT

pytestmark = pytest.mark.usefixtures("no_migrations")


class Clock:
    def now(self) -> float:
        return 1_800_000_000.0


@dataclass
class BackupSettings:
    database_url: str
    backup_folder: str
    playground_database_url: str = ""
    backup_hours: float = 24
    backups_kept: int = 2


@pytest.fixture
async def settings(tmp_path: Path) -> BackupSettings:
    """Return the settings of a bank with one member."""
    settings = BackupSettings(f"sqlite:///{tmp_path / 'bank.db'}", str(tmp_path / "backups"))
    async with Bank.open(settings.database_url, HouseSettings(), Clock()) as bank:
        await bank.members.sign_in(7, 1)
    return settings


async def keep(settings: BackupSettings) -> bool:
    url = f"sqlite:///{Path(settings.backup_folder).with_name('bank.db')}"
    async with Bank.open(url, HouseSettings(), Clock()) as bank:
        return await Backups(bank, settings).keep()


async def test_a_backup_is_made_and_proved_when_it_is_time(
    settings: BackupSettings, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.INFO):
        assert await keep(settings)
        assert await keep(settings)
    made, waited = [record.getMessage() for record in caplog.records if record.name == "cogs.background.backups"]
    assert "restored and audited: 1 transfers, 0 rounds" in made
    assert waited.endswith("is young enough.")
    assert len(os.listdir(settings.backup_folder)) == 1


def test_as_many_backups_stay_as_are_to_be_kept_and_the_newest_are_they(tmp_path: Path) -> None:
    shelf = Shelf(tmp_path)
    for day in (3, 1, 2):
        (tmp_path / f"2026010{day}-000000.backup").touch()
    shelf.drop_all_but(2, datetime(2026, 1, 3, tzinfo=UTC).timestamp())
    assert [path.name[:8] for path in shelf.kept] == ["20260102", "20260103"]


def test_the_first_backups_to_go_are_those_dated_in_the_future_and_never_one_with_a_name_of_its_own(
    tmp_path: Path,
) -> None:
    shelf = Shelf(tmp_path)
    for name in ("20260101-000000", "20260102-000000", "20270101-000000", "before the move"):
        (tmp_path / f"{name}.backup").touch()
    shelf.drop_all_but(2, datetime(2026, 1, 2, tzinfo=UTC).timestamp())
    assert sorted(path.stem for path in tmp_path.iterdir()) == ["20260101-000000", "20260102-000000", "before the move"]


async def test_what_keeps_a_backup_from_being_made_is_an_error_in_the_log(
    settings: BackupSettings, caplog: pytest.LogCaptureFixture
) -> None:
    settings.database_url += ".gone"
    assert not await keep(settings)
    (told,) = [record for record in caplog.records if record.name == "cogs.background.backups"]
    assert told.levelno == logging.ERROR
    assert "There is no" in told.getMessage()


async def test_a_process_that_was_killed_without_a_word_is_named_in_the_log(
    settings: BackupSettings, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """The system kills one when memory is short."""
    start = asyncio.create_subprocess_exec

    async def killed(*_: str, **named: Any) -> asyncio.subprocess.Process:
        return await start("sh", "-c", "kill -KILL $$", **named)

    monkeypatch.setattr(asyncio, "create_subprocess_exec", killed)
    assert not await keep(settings)
    (told,) = [record for record in caplog.records if record.name == "cogs.background.backups"]
    assert (told.levelno, told.getMessage()) == (logging.ERROR, "no backup was made: its process ended with -9")


async def test_the_process_of_a_backup_ends_with_the_bot(
    settings: BackupSettings, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun = asyncio.get_running_loop().create_future()
    start = asyncio.create_subprocess_exec

    async def slow(*words: str, **named: Any) -> asyncio.subprocess.Process:
        assert words[1:4] == ("-m", "data", "backups")
        assert words[5:] == ("--keep", "2", "--every", "24")
        assert named["env"] == {**os.environ, "DATABASE_URL": settings.database_url, "PYTHONPATH": str(ROOT)}
        begun.set_result(await start("sleep", "60", **named))
        return begun.result()  # type: ignore[no-any-return]

    monkeypatch.setattr(asyncio, "create_subprocess_exec", slow)
    async with Bank.open(settings.database_url, HouseSettings(), Clock()) as bank:
        making = asyncio.create_task(Backups(bank, settings).do())
        process = await asyncio.wait_for(begun, 20)
        assert os.getpriority(os.PRIO_PROCESS, process.pid) == min(os.nice(0) + 15, 19), "players come first"
        making.cancel()
        with pytest.raises(asyncio.CancelledError):
            await making
        assert await asyncio.wait_for(process.wait(), 20) == -signal.SIGKILL
