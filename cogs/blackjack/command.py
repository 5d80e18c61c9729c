"""/blackjack: a seat at the channel's table, or a new table."""

from __future__ import annotations

from typing import TypeAlias

from discord import app_commands
from discord.ext import commands

from cogs.answers.client import Casino, Interaction
from cogs.answers.options import OneOf, Suggested
from cogs.blackjack import PRESENTATION
from cogs.table import rule_sets
from cogs.table.opening import INVITE, Bet, LevelOption, TableRequest, sit_down
from engine.games.blackjack import GAME
from engine.games.computer import DEFAULT_LEVEL
from engine.tables.state import FreedFor

#: The name of a rule set.
RulesOption: TypeAlias = app_commands.Transform[str, Suggested(rule_sets.suggested(GAME.name))]
#: The fate of seats that nobody takes in time, for a table by invitation.
InviteOption: TypeAlias = app_commands.Transform[FreedFor, OneOf(FreedFor, INVITE.__getitem__)]


class BlackjackCommand(commands.Cog):
    """The command /blackjack."""

    @app_commands.command(description=PRESENTATION.help)
    @app_commands.describe(
        bet="Chips to stake on the first hand: a number, half or all",
        rules="The rule set of a new table",
        ai="Computer players at a new table",
        level="How well they play",
        solo="A new table for you alone",
        invite="A new table for people you choose",
    )
    @app_commands.guild_only()
    async def blackjack(
        self,
        interaction: Interaction,
        bet: Bet | None = None,
        rules: RulesOption | None = None,
        ai: app_commands.Range[int, 0, 3] | None = None,
        level: LevelOption = DEFAULT_LEVEL,
        solo: bool = False,  # noqa: FBT001, FBT002
        invite: InviteOption | None = None,
    ) -> None:
        """Sit down at the channel's blackjack table, or open one."""
        await sit_down(interaction, TableRequest(GAME.name, rules, bet, ai, level, solo, freed_for=invite))


async def setup(bot: Casino) -> None:
    await bot.add_cog(BlackjackCommand())
