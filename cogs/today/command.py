"""/today: the five hands of the day."""

from __future__ import annotations

from discord import app_commands
from discord.ext import commands

from cogs.answers.anywhere import anywhere
from cogs.answers.client import Casino, Interaction
from cogs.answers.press import take_up
from cogs.answers.sections import Section, shown_in
from cogs.answers.serving import serving
from cogs.today import boards, calling, keys, proof


class TodayCommand(commands.Cog):
    """The cog of `/today`, which opens the five hands of the day."""

    @app_commands.command(
        description="Five hands a day, the same for everybody: only your decisions count",
        extras=shown_in(Section.PLAY),
    )
    @anywhere
    async def today(self, interaction: Interaction) -> None:
        """Show the day's five hands, or how the person played them."""
        async with serving(interaction) as reply:
            view, files = await keys.home(interaction)
            await reply.show(view, files)


async def setup(bot: Casino) -> None:
    take_up(bot, keys.PlayKey, keys.ActKey, keys.RulesKey, keys.BackKey, keys.HandsKey, keys.ShareKey, keys.OpenKey)
    take_up(bot, keys.PastKey, keys.PastMenu, boards.BoardKey, boards.TurnKey, boards.OpenBoardKey, keys.TrainKey)
    take_up(bot, calling.TellKey, proof.DayProofKey, keys.DayMotionKey, keys.ReplayKey)
    await bot.add_cog(TodayCommand())
