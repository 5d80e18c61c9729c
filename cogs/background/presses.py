"""Takes up the presses and forms of all tables, also of those that an earlier process posted."""

from __future__ import annotations

import discord
from discord.ext import commands

from cogs.answers import forms
from cogs.answers.door import Stands
from cogs.answers.press import Interaction, missed, take_up
from cogs.answers.serving import is_taken
from cogs.coach.caution import SureButton
from cogs.table import play, stakes
from cogs.table.components import TableButton


async def setup(bot: commands.Bot | commands.AutoShardedBot) -> None:
    take_up(bot, TableButton, SureButton)
    forms.taken_by(stakes.FORM, play.stake_filled_in, Stands.AT_ITS_TABLE)
    bot.add_listener(_what_nobody_took, "on_interaction")


async def _what_nobody_took(interaction: Interaction) -> None:
    """Forms, which discord.py keeps nothing of, and presses that it dropped."""
    if interaction.type is discord.InteractionType.modal_submit:
        await forms.submitted(interaction)
    elif interaction.type is discord.InteractionType.component and not is_taken(interaction):
        await missed(interaction)
