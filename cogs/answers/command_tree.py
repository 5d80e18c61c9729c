"""Checks every command before it runs: whether it works where it was typed, and whether it comes too fast."""

from __future__ import annotations

import asyncio

import discord
from discord import app_commands

from cogs.answers.anywhere import is_anywhere
from cogs.answers.client import Casino, Interaction
from cogs.answers.door import slower
from cogs.answers.here import here, leave_out_server
from cogs.answers.serving import serving
from cogs.answers.suggesting import suggest
from cogs.words.clean import clean_options


class CommandTree(app_commands.CommandTree[Casino]):
    async def interaction_check(self, interaction: Interaction, /) -> bool:
        """Clean the texts of a command's options, count the command for `pace`, and return whether to run it.

        If not, tell the person why. Before all this, a server where the bot is not a member is removed from the
        interaction. Requests for suggestions, which come while somebody types a command, are answered here.
        """
        leave_out_server(interaction)
        clean_options(interaction.data)
        hasty = not interaction.client.pace.admits(interaction.user.id, asyncio.get_running_loop().time())
        if interaction.type is discord.InteractionType.autocomplete:
            await suggest(interaction, hasty=hasty)
            return False
        if not hasty and (interaction.guild_id is not None or is_anywhere(interaction.command)):
            return True
        async with serving(interaction):
            if hasty:
                raise slower()
            here(interaction)  # refuses everything that is no server of ours
        return False
