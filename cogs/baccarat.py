"""/baccarat"""

from __future__ import annotations

from typing import Any

import discord
from discord import app_commands
from discord.ext import commands

from cogs.errors import serving
from cogs.table import rule_sets
from cogs.table.opening import Wish, sit_down
from engine.games.baccarat import Spot
from engine.games.contract import CHIP

_GAME = "baccarat"
_SPOTS = [app_commands.Choice(name=spot.value.capitalize(), value=spot.value) for spot in Spot]


class Baccarat(commands.Cog):
    @app_commands.command(description="Stake on this channel's next coup: Player, Banker or a tie")
    @app_commands.describe(bet="Chips to stake", on="What to stake on", rules="The rule set of a new table")
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
            stakes = None if bet is None else {on or Spot.PLAYER.value: bet * CHIP}
            await sit_down(interaction, reply, Wish(_GAME, rules or rule_sets.default(_GAME), stakes))

    @baccarat.autocomplete("rules")
    async def _rules(self, interaction: discord.Interaction[Any], typed: str) -> list[app_commands.Choice[str]]:
        return await rule_sets.suggested(interaction, _GAME, typed)


async def setup(bot: commands.Bot | commands.AutoShardedBot) -> None:
    await bot.add_cog(Baccarat())
