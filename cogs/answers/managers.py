"""The check for commands and buttons that only managers of a server may use."""

from __future__ import annotations

from cogs.answers.client import Interaction
from cogs.words import _
from cogs.words.refusals import Sorry


def managers_only(interaction: Interaction) -> None:
    """Refuse everybody else. Discord hides the commands, but a server may show them, and old buttons stay."""
    if interaction.guild_id is None or not interaction.permissions.manage_guild:
        raise Sorry(_("You need the **Manage Server** permission for that."))
