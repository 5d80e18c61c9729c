"""/war"""

from __future__ import annotations

from typing import Any

import discord
from discord import app_commands
from discord.ext import commands

from cogs.answers.serving import serving
from cogs.table import rule_sets
from cogs.table.opening import Wish, sit_down, whole_chips

_GAME = "war"


class War(commands.Cog):
    @app_commands.command(description="Casino war: your card against the dealer's")
    @app_commands.describe(bet="Chips to stake", rules="The rule set of a new table")
    @app_commands.guild_only()
    async def war(
        self, interaction: discord.Interaction[Any], bet: int | None = None, rules: str | None = None
    ) -> None:
        async with serving(interaction, private=False) as reply:
            await sit_down(interaction, reply, Wish(_GAME, rules, whole_chips(bet)))

    @war.autocomplete("rules")
    async def _rules(self, interaction: discord.Interaction[Any], typed: str) -> list[app_commands.Choice[str]]:
        return await rule_sets.suggested(interaction, _GAME, typed)


async def setup(bot: commands.Bot | commands.AutoShardedBot) -> None:
    await bot.add_cog(War())
