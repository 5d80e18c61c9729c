"""Finds the server, the channel and the member of an interaction, and how old the member's account is."""

from __future__ import annotations

from typing import NamedTuple

import discord

from cogs.answers.client import Interaction
from cogs.words import _
from cogs.words.refusals import Sorry
from data import Ages
from engine.tables.values import Member


class Here(NamedTuple):
    """The server and the channel that an interaction comes from, and the person who typed or pressed."""

    guild: int
    channel: int
    user: int


def here(interaction: Interaction) -> Here:
    """Return the server, channel and user of an interaction. Chips and tables belong to a server, so refuse direct
    messages and servers without the bot (`leave_out_server`).
    """
    if interaction.guild_id is None or interaction.channel_id is None:
        if interaction.context.guild:
            text = _("I am not on this server, so I can keep no chips here. Somebody who manages it can invite me.")
            raise Sorry(text)
        raise Sorry(_("That only works on a server: each one has its own chips and tables."))
    return Here(interaction.guild_id, interaction.channel_id, interaction.user.id)


def leave_out_server(interaction: Interaction) -> None:
    """Remove from an interaction a server where the bot is not a member, as if it came from a direct message.

    People who installed the app for themselves can use it on any server, but such a server has no accounts, boards or
    settings.
    """
    if interaction.guild_id is None or interaction.is_guild_integration():
        return
    if interaction.is_user_integration() or interaction.client.get_guild(interaction.guild_id) is None:
        interaction.guild_id = None


def server(interaction: Interaction) -> discord.Guild:
    """Return the server with its roles and channels. Raises Sorry if there is none, or Discord has not described it."""
    if interaction.guild is None or interaction.guild.unavailable:
        raise Sorry(_("Discord doesn't tell me about this server yet. Try again in a moment."))
    return interaction.guild


async def member_of(interaction: Interaction) -> Member:
    """Return the member who typed or pressed, and open their account if they have none. Refuse direct messages."""
    guild, _channel, user = here(interaction)
    return await interaction.client.bank.members.sign_in(guild, user)


def ages_of(interaction: Interaction) -> Ages:
    """Return when the account of the person who typed or pressed was made, and when it joined the server, if known."""
    user = interaction.user
    joined = user.joined_at if isinstance(user, discord.Member) else None
    return Ages(user.created_at.timestamp(), joined.timestamp() if joined is not None else None)
