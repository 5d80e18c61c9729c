"""Backups are made on a schedule by a process of their own; what it says is in the log."""

from __future__ import annotations

import logging
import os
from dataclasses import dataclass
from pathlib import Path

import pytest

from cogs.background.backups import Backups
from data import Bank
from engine.tables.house import HouseSettings


class Clock:
    def now(self) -> float:
        return 1_800_000_000.0


@dataclass
class Plan:
    database_url: str
    backup_folder: str
    playground_database_url: str = ""
    backup_hours: float = 24
    backups_kept: int = 2


@pytest.fixture
async def plan(tmp_path: Path) -> Plan:
    """Of a bank with one member."""
    plan = Plan(f"sqlite:///{tmp_path / 'bank.db'}", str(tmp_path / "backups"))
    async with Bank.open(plan.database_url, HouseSettings(), Clock()) as bank:
        await bank.members.sign_in(7, 1)
    return plan


async def keep(plan: Plan) -> bool:
    url = f"sqlite:///{Path(plan.backup_folder).with_name('bank.db')}"
    async with Bank.open(url, HouseSettings(), Clock()) as bank:
        return await Backups(bank, plan).keep()


async def test_a_backup_is_made_and_proved_when_it_is_time(plan: Plan, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO):
        assert await keep(plan)
        assert await keep(plan)
    made, waited = [record.getMessage() for record in caplog.records if record.name == "cogs.background.backups"]
    assert "restored and audited: 1 transfers, 0 rounds" in made
    assert waited.endswith("is young enough.")
    assert len(os.listdir(plan.backup_folder)) == 1


async def test_what_keeps_a_backup_from_being_made_is_an_error_in_the_log(
    plan: Plan, caplog: pytest.LogCaptureFixture
) -> None:
    plan.database_url += ".gone"
    assert not await keep(plan)
    (told,) = [record for record in caplog.records if record.name == "cogs.background.backups"]
    assert told.levelno == logging.ERROR
    assert "There is no" in told.getMessage()
