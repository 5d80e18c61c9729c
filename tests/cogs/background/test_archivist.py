"""Old rounds are archived in whole packs each hour, after as many days as the operator says."""

from __future__ import annotations

from pathlib import Path

import pytest
import sqlalchemy as sa

from bot import DiscordClock
from cogs.background import archivist
from cogs.background.archivist import Archivist
from data import Bank
from data.base.schema import rounds
from engine.tables.house import HouseSettings
from tests.data.by_hand import bind_all, by_hand

from ..conftest import Casino, played

DAY = 86_400.0


async def archived(casino: Casino) -> int:
    return int(await casino.bot.bank._store.value(sa.select(sa.func.count()).where(rounds.c.pack.is_not(None))))


@pytest.mark.parametrize(("days", "old", "found"), [(90, 91, 4), (90, 89, 0), (0, 91, 0)])
async def test_rounds_are_archived_when_they_are_older_than_the_operators_days(
    casino: Casino, monkeypatch: pytest.MonkeyPatch, days: int, old: int, found: int
) -> None:
    monkeypatch.setattr(archivist, "PAUSE", 0.0)
    monkeypatch.setattr("data.journal.archive.PACK", 2)
    await played(casino, 5)
    await bind_all(casino.bot.bank)
    casino.env.backend.clock.advance(old * DAY)
    chore = Archivist(casino.bot.bank, days, graded=False)
    assert (chore.first, chore.every) == (3600.0, 3600.0)
    assert await chore.do()
    assert await archived(casino) == found


@pytest.mark.usefixtures("no_migrations")
async def test_a_month_later_nobody_knows_any_more_who_was_forgotten(tmp_path: Path) -> None:
    async with Bank.open(f"sqlite:///{tmp_path / 'bank.db'}", HouseSettings(), DiscordClock()) as bank:
        await bank.members.sign_in(7, 1)
        await bank.privacy.forget(7, 1)
        for days, known in ((0, True), (31, False)):
            await by_hand(bank, f"UPDATE forgotten SET at = at - {days * DAY}")
            assert await Archivist(bank, 0, graded=False).do()
            assert (await bank.fingerprints.forgotten_at(7, 1) is not None) is known
