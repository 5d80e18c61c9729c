"""/blackjack"""

from __future__ import annotations

from typing import Final

from discord import app_commands
from discord.ext import commands

from cogs.answers.client import Casino, Interaction
from cogs.blackjack import PRESENTATION
from cogs.table import rule_sets
from cogs.table.opening import MOST_TYPED, TableRequest, sit_down
from engine.games.blackjack import GAME
from engine.games.computer import DEFAULT_LEVEL

_LEVELS: Final = [app_commands.Choice(name=str(level), value=str(level)) for level in GAME.levels]


class Blackjack(commands.Cog):
    """The command /blackjack."""

    @app_commands.command(description=PRESENTATION.help)
    @app_commands.describe(
        bet="Chips to stake on the first hand: a number, half or all",
        rules="The rule set of a new table",
        ai="Computer players at a new table",
        level="How well they play",
        solo="A new table for you alone",
    )
    @app_commands.choices(level=_LEVELS)
    @app_commands.autocomplete(rules=rule_sets.suggested(GAME.name))
    @app_commands.guild_only()
    async def blackjack(
        self,
        interaction: Interaction,
        bet: app_commands.Range[str, 1, MOST_TYPED] | None = None,
        rules: str | None = None,
        ai: app_commands.Range[int, 0, 3] | None = None,
        level: str = str(DEFAULT_LEVEL),
        solo: bool = False,  # noqa: FBT001, FBT002
    ) -> None:
        """Sit down at the channel's blackjack table, or open one."""
        await sit_down(interaction, TableRequest(GAME.name, rules, bet, ai, level, solo))


async def setup(bot: Casino) -> None:
    await bot.add_cog(Blackjack())
