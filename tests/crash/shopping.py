"""People who buy roles, and a Discord that gives them, refuses them and takes them back."""

from __future__ import annotations

import random
from typing import Final

from data import ROLE, Bank, Job, Sold, Ware
from engine.games.contract import CHIP
from engine.tables.values import Member

#: Roles for good and for a moment.
WARES: Final = (Ware(901, 5 * CHIP), Ware(902, 5 * CHIP, 0.02), Ware(903, 5 * CHIP, 0.02))
#: Seconds of a claim: a life that was killed holds it no longer.
_CLAIM: Final = 0.2


async def open_shop(bank: Bank, guild: int) -> None:
    for ware in WARES:
        await bank.shop.offer(guild, ware)


async def buy(bank: Bank, me: Member, press: int, chance: random.Random) -> None:
    await bank.shop.buy(me, chance.choice(WARES), press)


async def settle(bank: Bank, life: int, chance: random.Random) -> None:
    """Give, refuse or take back one role that is due."""
    due = await bank.jobs.due(ROLE)
    if due:
        job, name = chance.choice(due), f"life {life}"
        if await bank.jobs.claim(job.key, name, seconds=_CLAIM):
            await _settle(bank, job, name, chance)


async def _settle(bank: Bank, job: Job, name: str, chance: random.Random) -> None:
    held = await bank.shop.holding(job.payload["holding"])
    if held is not None and held.state is Sold.HELD:
        await bank.shop.ended(job, name)
    elif chance.random() < 0.7:
        await bank.shop.given(job, name)
    else:
        await bank.shop.refund(job, name)
