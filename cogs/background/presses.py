"""Takes up the presses and forms of all tables, also of those that an earlier process posted."""

from __future__ import annotations

from discord.ext import commands

from cogs.answers import forms
from cogs.answers.door import Stands
from cogs.answers.press import missed, take_up
from cogs.coach.caution import SureButton
from cogs.table import play, stakes
from cogs.table.buttons import TableButton


async def setup(bot: commands.Bot | commands.AutoShardedBot) -> None:
    take_up(bot, TableButton, SureButton)
    bot.add_listener(missed, "on_interaction")
    forms.taken_by(stakes.FORM, play.stake_filled_in, Stands.AT_ITS_TABLE)
    bot.add_listener(forms.submitted, "on_interaction")
