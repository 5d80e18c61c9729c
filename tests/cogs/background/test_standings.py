"""Leaderboards are counted in the background, so that a first look counts few."""

from __future__ import annotations

import sqlalchemy as sa

from cogs.background.standings import EVERY
from data.base.schema import STALE, members
from data.people.ladder import MANY

from ..conftest import Casino


async def test_members_that_changed_are_counted_though_nobody_looks(casino: Casino) -> None:
    bank = casino.bot.bank
    async with bank._store.rewriting() as connection:
        people = [{"guild": casino.guild.id, "user_id": user} for user in range(1, MANY + 50)]
        await connection.execute(sa.insert(members), people)
    await casino.env.advance_time(EVERY + 1)
    assert int(await bank._store.value(sa.select(sa.func.count()).where(STALE))) < MANY
