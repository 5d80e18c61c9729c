"""The age of an account and of a membership, as far as Discord says."""

from __future__ import annotations

import discord

from cogs.answers.client import Interaction
from data import Since


def since_of(interaction: Interaction) -> Since:
    """Return when the account of the person who typed or pressed was made, and when it joined the server."""
    user = interaction.user
    joined = user.joined_at if isinstance(user, discord.Member) else None
    return Since(user.created_at.timestamp(), joined.timestamp() if joined is not None else None)
