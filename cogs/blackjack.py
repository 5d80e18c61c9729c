"""/blackjack"""

from __future__ import annotations

from typing import Any

import discord
from discord import app_commands
from discord.ext import commands

from cogs.errors import serving
from cogs.table.opening import Wish, sit_down, whole_chips


class Blackjack(commands.Cog):
    @app_commands.command(description="Sit down at this channel's blackjack table, or open one")
    @app_commands.describe(bet="Chips to stake on the first hand", rules="The rule set of a new table")
    @app_commands.guild_only()
    async def blackjack(
        self, interaction: discord.Interaction[Any], bet: int | None = None, rules: str | None = None
    ) -> None:
        async with serving(interaction, private=False) as reply:
            await sit_down(interaction, reply, Wish("blackjack", rules or "vegas", whole_chips(bet)))


async def setup(bot: commands.Bot | commands.AutoShardedBot) -> None:
    await bot.add_cog(Blackjack())
