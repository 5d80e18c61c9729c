"""Prepares Today's five ahead, and records that the house is up: days on which it was down do not break a streak."""

from __future__ import annotations

from cogs.answers.client import Casino
from cogs.background.chore import BankChore
from cogs.today.playing import prepare


class DayChore(BankChore):
    """The chore that records that the house is up, ends chains of seeds that are used up and, with a coach, prepares
    days.

    It begins a minute after the start, when tables have what they need.
    """

    failure = "the next days are not prepared"

    def __init__(self, casino: Casino) -> None:
        super().__init__(casino.bank)
        self._casino = casino
        self.every = self.first = casino.bank.days.every

    async def do(self) -> bool:
        await self._bank.outages.beat()
        await self._bank.days.end_used_up()
        if self._casino.coach is not None:
            await prepare(self._casino)
        return True


async def setup(bot: Casino) -> None:
    await bot.add_cog(DayChore(bot))
