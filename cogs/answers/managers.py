"""Who may come in."""

from __future__ import annotations

from cogs.answers.client import Interaction
from cogs.words import _
from cogs.words.refusals import Sorry


def managers_only(interaction: Interaction) -> None:
    """Discord hides the commands from others; a server may have shown them all the same, and buttons stay."""
    if interaction.guild_id is None or not interaction.permissions.manage_guild:
        raise Sorry(_("You need the **Manage Server** permission for that."))
