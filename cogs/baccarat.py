"""/baccarat"""

from __future__ import annotations

from typing import Any

import discord
from discord import app_commands
from discord.ext import commands

from cogs.answers.serving import serving
from cogs.table import rule_sets
from cogs.table.baccarat import SPOTS
from cogs.table.opening import Wish, sit_down, whole_chips
from engine.games.baccarat import Spot

_GAME = "baccarat"
_SPOTS = [app_commands.Choice(name=name, value=spot) for spot, name in SPOTS.items()]


class Baccarat(commands.Cog):
    @app_commands.command(description="A coup of baccarat, open to the whole channel")
    @app_commands.describe(bet="Chips to stake", on="What to stake them on", rules="The rule set of a new table")
    @app_commands.choices(on=_SPOTS)
    @app_commands.guild_only()
    async def baccarat(
        self,
        interaction: discord.Interaction[Any],
        bet: int | None = None,
        on: str | None = None,
        rules: str | None = None,
    ) -> None:
        async with serving(interaction, private=False) as reply:
            stakes = whole_chips(bet, on or Spot.PLAYER.value)
            await sit_down(interaction, reply, Wish(_GAME, rules, stakes, spot=on))

    @baccarat.autocomplete("rules")
    async def _rules(self, interaction: discord.Interaction[Any], typed: str) -> list[app_commands.Choice[str]]:
        return await rule_sets.suggested(interaction, _GAME, typed)


async def setup(bot: commands.Bot | commands.AutoShardedBot) -> None:
    await bot.add_cog(Baccarat())
