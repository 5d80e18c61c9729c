"""Calls people who are not done shortly before a duel ends, ends duels, and posts how they ended (R12.3, R12.4)."""

from __future__ import annotations

from cogs.answers.client import Casino
from cogs.background.chore import Chore
from cogs.duel.keys import called, drawn


class DuelEnds(Chore):
    """The chore that ends the duels of this process's servers, and calls people shortly before."""

    failure = "duels are not ended"

    def __init__(self, casino: Casino) -> None:
        self._casino, self.every = casino, casino.bank.duels.every

    async def do(self) -> bool:
        for number, guild in await self._casino.bank.duels.due():
            if self._casino.takes_care_of(guild):
                ended = await self._casino.bank.duels.end(number)
                if ended is not None:
                    await drawn(self._casino, ended)
        for number, guild in await self._casino.bank.duels.soon():
            if self._casino.takes_care_of(guild):
                await called(self._casino, number)
        return True


async def setup(bot: Casino) -> None:
    await bot.add_cog(DuelEnds(bot))
