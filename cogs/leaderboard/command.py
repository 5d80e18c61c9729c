"""The command /leaderboard."""

from __future__ import annotations

from typing import TypeAlias

from discord import app_commands
from discord.ext import commands

from cogs.answers.client import Casino, Interaction
from cogs.answers.options import OneOf
from cogs.answers.press import take_up
from cogs.answers.sections import Section, shown_in
from cogs.answers.serving import serving
from cogs.leaderboard import ladders, seasons
from cogs.words import reading
from data import Ladder, SeasonBoard


def _label(board: SeasonBoard | Ladder) -> str:
    return ladders.NAMES[board] if isinstance(board, Ladder) else seasons.NAMES[board]


_BoardOption: TypeAlias = app_commands.Transform[SeasonBoard | Ladder, OneOf((*SeasonBoard, *Ladder), _label)]


class LeaderboardCommand(commands.Cog):
    """The command /leaderboard."""

    @app_commands.command(
        description="Who plays best this season, and has the most chips", extras=shown_in(Section.CHIPS)
    )
    @app_commands.describe(by="What counts")
    @app_commands.guild_only()
    async def leaderboard(self, interaction: Interaction, by: _BoardOption | None = None) -> None:
        """Show the board that was asked for, else the season's first board that has people, else the board of chips."""
        async with serving(interaction, private=False) as reply:
            board = by or await seasons.first_with_people(interaction) or Ladder.CHIPS
            with reading(await ladders.everybody(interaction)):
                if isinstance(board, Ladder):
                    view = await ladders.view_of(interaction, board)
                else:
                    view = await seasons.view_of(interaction, board)
            await reply.show(view)
            await reply.resolve_names(view)


async def setup(bot: Casino) -> None:
    take_up(bot, ladders.LadderButton, seasons.SeasonKey, seasons.SeasonMenu)
    await bot.add_cog(LeaderboardCommand())
