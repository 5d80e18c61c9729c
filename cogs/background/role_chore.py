"""Gives and takes back roles: what an earlier process left undone, expired roles, and those of returning people."""

from __future__ import annotations

import logging
from collections import OrderedDict
from datetime import datetime
from typing import Final

import discord
from discord.ext import commands

from cogs.answers.client import Casino, Interaction
from cogs.answers.time_limits import LOST
from cogs.background import roles
from cogs.background.chore import GuildChore
from data import ROLE, Job
from engine.tables.ports import BankError, OutcomeUnknown

log = logging.getLogger(__name__)

#: The most people whose joining is remembered. Those remembered for the longest time are forgotten first.
MOST: Final = 20_000


class RoleChore(GuildChore):
    """The chore that gives and takes back the roles of this process's servers."""

    kind = ROLE
    failure = "roles are not given"

    def __init__(self, bot: Casino, every: float) -> None:
        super().__init__(bot, every)
        #: When each user joined each guild, as of their last press.
        self._came: OrderedDict[tuple[int, int], datetime] = OrderedDict()

    async def look(self, job: Job, guild: int) -> None:
        await roles.settle(self._bot, job, self._name)

    @commands.Cog.listener()
    async def on_interaction(self, interaction: Interaction) -> None:
        """Give a member's lost roles back at their first press after a start of the bot, or after they rejoined.

        A press before Discord has described the server does not count.
        """
        member = interaction.user
        if not isinstance(member, discord.Member) or member.joined_at is None:
            return
        if self._came.get((member.guild.id, member.id)) == member.joined_at:
            return
        if self._bot.described(member.guild.id) is None:
            return
        try:
            await roles.restore(self._bot, member, member.joined_at)
        except (*LOST, BankError, OutcomeUnknown) as error:
            log.info("somebody who came back may lack roles until their next press: %s", error)
        else:
            self._remember(member.guild.id, member.id, member.joined_at)

    def _remember(self, guild: int, user: int, came: datetime) -> None:
        self._came[guild, user] = came
        self._came.move_to_end((guild, user))
        if len(self._came) > MOST:
            self._came.popitem(last=False)


async def setup(bot: Casino) -> None:
    await bot.add_cog(RoleChore(bot, bot.bank.shop.every))
