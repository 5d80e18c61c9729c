"""Gives up the seats and sign-ups of people who have taken a break, so that no table waits for them (R13.2)."""

from __future__ import annotations

import contextlib
from collections.abc import Awaitable

from cogs.answers.client import Casino
from cogs.background.chore import Chore
from data import AtTables
from engine.tables.refused import Refused
from engine.tables.state import Money
from engine.tables.table import Table
from engine.tournament.ports import ChannelGone


class SeatChore(Chore):
    """The chore that gives up the seats and sign-ups of people on a break.

    It asks the bank each time, so a break that began in another process counts too.
    """

    failure = "seats are not given up"

    def __init__(self, casino: Casino) -> None:
        self._casino, self.every = casino, casino.bank.breaks.every

    async def do(self) -> bool:
        for who in await self._casino.bank.breaks.at_tables():
            for table in self._casino.registry.tables_of(who.guild, who.user):
                if _is_given_up(table, who):
                    await _tried(table.free(who.user))
        for tournament, member in await self._casino.bank.breaks.signed_up():
            if self._casino.takes_care_of(member.guild):
                await _tried(self._casino.director.release(tournament, member))
        return True


def _is_given_up(table: Table, who: AtTables) -> bool:
    """Return whether the break covers this table, so that the seat is given up.

    Seats at a tournament's tables are kept: a tournament that has begun is played to its end.
    """
    return bool(table.state.opener) and (who.from_everything or table.state.money is not Money.PLAY)


async def _tried(giving_up: Awaitable[object]) -> None:
    """Give up a seat or a sign-up. Ignore a refusal, because the chore tries again the next time.

    Ignore also that the sign-up message cannot be posted: the sign-up is given up before that.
    """
    with contextlib.suppress(Refused, ChannelGone):
        await giving_up


async def setup(bot: Casino) -> None:
    await bot.add_cog(SeatChore(bot))
