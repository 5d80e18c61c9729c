"""Binds what is new in the bank into the servers' books within seconds, so that a later change of it is noticed."""

from __future__ import annotations

import asyncio
from typing import Final

from cogs.answers.client import Casino
from cogs.background.chore import BankChore
from data import Bank

#: Seconds between two bindings, in which presses are served.
PAUSE: Final = 0.02
#: The most bindings of one turn: twice what the busiest bank needs. A past that was never bound takes many turns,
#: between which the process rests.
MOST: Final = 50


class Binder(BankChore):
    """The chore that binds whatever is new into the books, with at most `MOST` bindings in one run."""

    failure = "the books are not bound"

    def __init__(self, bank: Bank) -> None:
        super().__init__(bank)
        self.every = bank.leaves.every

    async def do(self) -> bool:
        for _ in range(MOST):
            if not await self._bank.leaves.bind():
                break
            await asyncio.sleep(PAUSE)
        return True


async def setup(bot: Casino) -> None:
    await bot.add_cog(Binder(bot.bank))
