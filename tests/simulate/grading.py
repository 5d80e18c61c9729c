"""Grades in a story: there is no coach here, so the numbers are made up, but days and boards must add up to them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import sqlalchemy as sa

from data import Graded
from data.base.schema import plays
from data.seasons.places import FIRST_VALUATION

if TYPE_CHECKING:
    from tests.simulate.events import Scene

#: Rounds that are graded together.
_MOST: Final = 8


async def step(scene: Scene) -> None:
    """Grade the last rounds of somebody; sometimes by a later valuation, which grades them again."""
    member, valuation = await scene.member(), FIRST_VALUATION + (scene.chance.random() < 0.5)
    for each in await scene.bank.grades.ungraded_of(member.id, _MOST, valuation=valuation):
        here = plays.c.table_id == each.table, plays.c.number == each.number, plays.c.member == member.id
        row = await scene.bank._store.row(sa.select(plays).where(*here))
        assert row is not None
        close, net = scene.chance.randrange(3), row.returned - row.staked
        units = net * 10**6 // row.staked if row.staked else 0
        right = scene.chance.randrange(close + 1)
        await scene.bank.grades.keep(
            Graded(
                *(each.table, each.number, member.id, each.at, net, -1.5, 0.25, 3, right),
                valuation=valuation,
                close=close,
                close_right=right,
                units=units,
            )
        )
