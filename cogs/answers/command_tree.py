"""The check of every command: it must come from a server, and its texts are cleaned before it sees them."""

from __future__ import annotations

import asyncio

import discord
from discord import app_commands

from cogs.answers.client import Casino, Interaction
from cogs.answers.door import not_installed, server_of, slower
from cogs.answers.serving import serving
from cogs.words.clean import clean_options


class CommandTree(app_commands.CommandTree[Casino]):
    async def interaction_check(self, interaction: Interaction, /) -> bool:
        """Tell whether to serve a command, or a request for suggestions while somebody types one."""
        clean_options(interaction.data)
        hasty = not interaction.client.pace.admits(interaction.user.id, asyncio.get_running_loop().time())
        if not hasty and _works_here(interaction):
            return True
        if interaction.type is discord.InteractionType.autocomplete:
            await interaction.response.autocomplete([])
            return False
        async with serving(interaction):
            if hasty:
                raise slower()
            server_of(interaction)
            raise not_installed()
        return False


def _works_here(interaction: Interaction) -> bool:
    """Return whether the command works where it was typed: on a server that has the bot, or in a direct message."""
    if interaction.guild_id is not None:
        return interaction.is_guild_integration() or not interaction.is_user_integration()
    contexts = getattr(interaction.command, "allowed_contexts", None)
    return contexts is not None and bool(contexts.dm_channel)
