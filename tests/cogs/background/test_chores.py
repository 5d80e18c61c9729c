"""Of all processes that share a bank, the one with its lease does the work; the others wait for their turn."""

from __future__ import annotations

import asyncio
import datetime
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import discord
import pytest
from discord.ext import tasks
from prometheus_client import REGISTRY

from cogs.background import archivist, backups, binder, chore, emoji_upload, removals
from cogs.background.archivist import Archivist
from cogs.background.audits import AuditChore
from cogs.background.backups import Backups
from cogs.background.chore import Chore
from cogs.background.emoji_upload import CardUploader
from cogs.background.removals import Removals
from cogs.background.standings import Standings
from cogs.background.trimming import Trimming
from cogs.operations.figures import AUDIT_FAULTS
from engine.fairness.chain import LENGTH
from engine.sets.calendar import DAY
from settings import ROOT

from ..conftest import Casino


@pytest.mark.parametrize("name", ["AuditChore", "Binder", "Archivist", "DayChore", "Standings"])
async def test_a_chore_of_the_bank_waits_for_the_lease_and_faults_are_counted_where_it_is(
    casino: Casino, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setattr(chore, "ASKED_AGAIN", 0.001)
    answers = iter([False, False, False, True])

    async def held() -> bool:
        return next(answers)

    monkeypatch.setattr(casino.bot.bank.lease, "held", held)
    AUDIT_FAULTS.set(2)
    cog: Any = casino.bot.get_cog(name)
    assert isinstance(cog, Chore)
    async with asyncio.timeout(10):
        await cog.turn()
    assert next(answers, None) is None, "it has asked until the lease was here"
    faults = REGISTRY.get_sample_value("croupier_audit_faults")
    AUDIT_FAULTS.set(0)
    assert faults == (0 if name == "AuditChore" else 2)


async def test_the_house_prepares_its_days_says_that_it_is_up_and_ends_a_chain_that_is_used_up(
    casino: Casino, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first look comes when tables have what they need. Times in which nobody looked count as an outage."""
    bank, cog = casino.bot.bank, casino.bot.get_cog("DayChore")
    assert isinstance(cog, Chore)
    assert cog.first == cog.every == bank.days.every
    await bank.days.begin_today()
    assert await bank.days.today() is None
    assert await cog.do()
    today = await bank.days.today()
    assert today is not None
    assert await bank.days.to_prepare() is None
    began = casino.bot.clock.now()
    casino.env.backend.clock.advance(1_000)
    assert await cog.do()
    assert await bank.outages.lost(began) == pytest.approx(1_000, abs=10)
    casino.env.backend.clock.advance((LENGTH + 2) * DAY)
    monkeypatch.setattr(casino.bot, "coach", None)  # the days of three years later need not be prepared
    assert (await bank.days.on_paper(today.day)).root is None
    assert await cog.do()
    assert (await bank.days.on_paper(today.day)).root is not None


@pytest.mark.parametrize(
    ("kind", "first", "every"),
    [
        (AuditChore, 0, 3_600),
        (Archivist, 3_600, 3_600),
        (Backups, 300, 1_800),
        (CardUploader, 0, 300),
        (Removals, 3_600, 3_600),
        (Standings, 0, 300),
        (Trimming, 3_600, 3_600),
    ],
)
def test_a_start_has_urgent_work_and_each_chore_comes_round_at_its_own_pace(
    kind: type[Chore], first: float, every: float
) -> None:
    assert (kind.first, kind.every) == (first, every)


class Counting(Chore):
    """A chore that counts its turns; before the second one somebody sets the machine's clock."""

    every = 0.05

    def __init__(self, monkeypatch: pytest.MonkeyPatch, hours: float) -> None:
        self.turns, self.third = 0, asyncio.Event()
        self._monkeypatch, self._ahead = monkeypatch, datetime.timedelta(hours=hours)

    async def do(self) -> bool:
        self.turns += 1
        if self.turns == 1:
            asyncio.get_running_loop().call_later(self.every / 2, self._set_clock)
        if self.turns == 3:
            self.third.set()
        return True

    def _set_clock(self) -> None:
        ahead = self._ahead

        class Set(datetime.datetime):
            @classmethod
            def now(cls, tz: datetime.tzinfo | None = None) -> Any:
                return datetime.datetime.now(tz) + ahead

        for module in (tasks, discord.utils):
            self._monkeypatch.setattr(module, "datetime", SimpleNamespace(**{**vars(datetime), "datetime": Set}))


@pytest.mark.parametrize("hours", [-1, 1])
async def test_a_clock_that_is_set_neither_stops_a_chore_nor_hurries_it(
    monkeypatch: pytest.MonkeyPatch, hours: float
) -> None:
    chore = Counting(monkeypatch, hours)
    await chore.cog_load()
    begun = asyncio.get_running_loop().time()
    try:
        await asyncio.wait_for(chore.third.wait(), 5)
        await asyncio.sleep(4 * chore.every)
        passed = asyncio.get_running_loop().time() - begun
    finally:
        await chore.cog_unload()
    assert chore.turns < 2 + passed / chore.every, "there is a pause after each turn"


def test_chores_leave_time_for_presses_and_for_other_processes() -> None:
    assert (archivist.PAUSE, archivist.DAY, binder.PAUSE, binder.MOST) == (0.1, 86_400.0, 0.02, 50)
    assert (chore.ASKED_AGAIN, chore.CLAIM) == (30.0, 90.0)
    assert backups.ROOT == ROOT


async def test_a_chore_that_fails_is_named_in_the_log_and_comes_round_again(
    casino: Casino, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def full() -> bool:
        raise OSError("the disk is full")

    bot = casino.bot
    left_out = [Backups(bot.bank, bot.settings), CardUploader(bot), Trimming(print)]  # here, or by this system
    for each in [*(cog for cog in bot.cogs.values() if isinstance(cog, Chore)), *left_out]:
        monkeypatch.setattr(each, "do", full)
        assert await each._is_left()
    told = {record.getMessage() for record in caplog.records if record.name.startswith("cogs.background")}
    assert {line.removesuffix(": the disk is full") for line in told} == {
        "a reset is not carried out",
        "champions' roles are not handed on",
        "duels are not ended",
        "free memory is not given back",
        "no backup was made",
        "old rounds are not archived",
        "roles are not given",
        "seats are not given up",
        "servers that removed the bot are not forgotten",
        "the bank could not be audited",
        "the books are not bound",
        "the emoji of cards are not up to date",
        "the leaderboards are not counted",
        "the logs of servers are not posted",
        "the message about Today's five is not posted",
        "the next days are not prepared",
    }


async def test_operators_switch_some_chores_off_and_no_backup_is_made_of_the_playground(
    casino: Casino, monkeypatch: pytest.MonkeyPatch
) -> None:
    bot, playground = casino.bot, casino.settings.database_url
    modules: dict[str, Any] = {"Backups": backups, "Removals": removals, "CardUploader": emoji_upload}
    for name, values, there in (
        ("Backups", {"backup_hours": 24.0}, True),
        ("Backups", {"backup_hours": 0.0}, False),
        ("Backups", {"backup_hours": 24.0, "playground_database_url": playground}, False),
        ("Removals", {"forget_servers_days": 90}, True),
        ("Removals", {"forget_servers_days": 0}, False),
        ("CardUploader", {"card_emoji": True}, True),
        ("CardUploader", {"card_emoji": False}, False),
    ):
        await bot.remove_cog(name)
        monkeypatch.setattr(bot, "settings", replace(casino.settings, **values))  # type: ignore[arg-type]
        await modules[name].setup(bot)
        assert (bot.get_cog(name) is not None) is there
        await bot.remove_cog(name)
