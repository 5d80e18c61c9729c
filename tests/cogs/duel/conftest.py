"""Ada and Ben on a server with duels."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import discord
import pytest
import simcord

from data import StoredDuel
from data.base.sets import DealtSet
from engine.sets.tries import Try

from ..conftest import Casino, keys
from ..today.conftest import LABELS


class Duelling:
    """Two people who challenge each other, and how they play."""

    def __init__(self, casino: Casino) -> None:
        self.casino = casino
        self.ada, self.ben, self.cleo = (casino.person(name) for name in ("ada", "ben", "cleo"))

    @property
    def bank(self) -> Any:
        return self.casino.bot.bank

    async def challenges(self, who: simcord.MemberActor | None = None, **options: Any) -> simcord.ResponseMessage:
        """Challenge Ben; five hands are enough here. Return the private answer."""
        wanted = {"member": self.ben, "hands": 5, **options}
        typed = {name: value for name, value in wanted.items() if value is not None}
        return await self.casino.ask("duel", who or self.ada, **typed)

    async def accepted(self, **options: Any) -> discord.Message:
        """Let Ben accept a challenge, and return its message."""
        await self.challenges(**options)
        await self.ben.click(self.casino.message, label="Accept 50" if options.get("stake") else "Accept")
        return self.casino.message

    async def duel(self, who: simcord.MemberActor | None = None) -> StoredDuel:
        """The only open duel of somebody."""
        (duel,) = await self.bank.duels.open_of((who or self.ada).id)
        found: StoredDuel = duel
        return found

    async def opens(self, who: simcord.MemberActor, message: discord.Message) -> simcord.ResponseMessage:
        """Open one's own hands."""
        result = await who.click(message, label="Play my hands")
        assert result.response is not None
        return result.response

    async def plays(
        self, who: simcord.MemberActor, answer: Any, *, choose: Callable[..., Any] = max, hands: int = 99
    ) -> None:
        """Play some hands: with `max` the best of every decision, with `min` the worst."""
        duel = await self.duel(who)
        deals: DealtSet = await self.bank.duels.deals(duel)
        while True:
            found: Try = (await self.bank.duels.find(duel, who.id)).on(deals)
            if found.over or (found.round.over and found.place + 1 >= hands):
                return
            if found.round.over:
                await who.click(answer, label="Next")
            else:
                worths = found.prepared.answers[found.place][found.letters[-1]]
                await who.click(answer, label=LABELS[choose(worths, key=worths.__getitem__)])


@pytest.fixture
def duelling(casino: Casino) -> Duelling:
    return Duelling(casino)


__all__ = ["keys"]
