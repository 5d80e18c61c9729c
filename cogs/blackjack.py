"""/blackjack"""

from __future__ import annotations

from typing import Any

import discord
from discord import app_commands
from discord.ext import commands

from cogs.answers.serving import serving
from cogs.table import rule_sets
from cogs.table.opening import Wish, sit_down, whole_chips
from engine.games.blackjack.players import PLAYERS
from engine.games.computer import DEFAULT_LEVEL

_GAME = "blackjack"
_LEVELS = [app_commands.Choice(name=str(level), value=str(level)) for level in PLAYERS]


class Blackjack(commands.Cog):
    @app_commands.command(description="Sit down at this channel's blackjack table, or open one")
    @app_commands.describe(
        bet="Chips to stake on the first hand",
        rules="The rule set of a new table",
        ai="Computer players at a new table",
        level="How well they play",
        solo="A new table for you alone",
    )
    @app_commands.choices(level=_LEVELS)
    @app_commands.guild_only()
    async def blackjack(
        self,
        interaction: discord.Interaction[Any],
        bet: int | None = None,
        rules: str | None = None,
        ai: app_commands.Range[int, 0, 3] | None = None,
        level: str = str(DEFAULT_LEVEL),
        solo: bool = False,  # noqa: FBT001, FBT002
    ) -> None:
        async with serving(interaction, private=False) as reply:
            await sit_down(interaction, reply, Wish(_GAME, rules, whole_chips(bet), ai, level, solo))

    @blackjack.autocomplete("rules")
    async def _rules(self, interaction: discord.Interaction[Any], typed: str) -> list[app_commands.Choice[str]]:
        return await rule_sets.suggested(interaction, _GAME, typed)


async def setup(bot: commands.Bot | commands.AutoShardedBot) -> None:
    await bot.add_cog(Blackjack())
