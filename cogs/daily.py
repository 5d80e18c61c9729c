"""/daily: the free chips of a day."""

from __future__ import annotations

from discord import app_commands
from discord.ext import commands

from cogs.answers.client import Casino, Interaction
from cogs.answers.press import take_up
from cogs.answers.sections import Section, shown_in
from cogs.answers.serving import serving
from cogs.today.daily_chips import DailyKey, daily_chips
from cogs.today.keys import BackKey
from cogs.words import _


class DailyCommand(commands.Cog):
    """The command /daily."""

    @app_commands.command(description="Today's free chips", extras=shown_in(Section.CHIPS))
    @app_commands.guild_only()
    async def daily(self, interaction: Interaction) -> None:
        """Give the member today's free chips, or help if they have almost none left, or say when there are more."""
        async with serving(interaction) as reply:
            await reply.show(await daily_chips(interaction, [[BackKey.button(_("Today's five"))]]))


async def setup(bot: Casino) -> None:
    take_up(bot, DailyKey)
    await bot.add_cog(DailyCommand())
