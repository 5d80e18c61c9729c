"""Says which roles the bot may give to members, and which channels a role lets them see."""

from __future__ import annotations

from typing import Final

import discord

from cogs.words import _

#: Permissions that no channel may give to a role that the bot gives to members.
_MODERATING: Final = discord.Permissions.elevated().value | discord.Permissions(mention_everyone=True).value
#: The most channels of a role that are listed.
_MOST_CHANNELS: Final = 20


def fault_of(guild: discord.Guild, role: discord.Role | None) -> str:
    """Return the sentence that says why the bot cannot or will not give this role to people; empty if it may.

    None stands for a role that is gone.
    """
    if role is None or role.is_default():
        return _("That role is gone.")
    if role.is_bot_managed() or role.is_premium_subscriber() or role.is_integration() or role.managed:
        return _("{role} belongs to Discord, a bot or an integration.", role=role.mention)
    if role.permissions.value & ~guild.default_role.permissions.value or _moderates(role):
        return _("{role} has permissions that @everyone lacks. I give no such role.", role=role.mention)
    if not guild.me.guild_permissions.manage_roles:
        return _("I need the **Manage Roles** permission for that.")
    if role >= guild.me.top_role:
        return _("{role} stands above my own role in Server Settings › Roles.", role=role.mention)
    return ""


def _moderates(role: discord.Role) -> bool:
    """Return whether any channel gives this role a moderator's permissions."""
    return any(each.overwrites_for(role).pair()[0].value & _MODERATING for each in role.guild.channels)


def opened_by(role: discord.Role) -> list[discord.abc.GuildChannel]:
    """Return the channels whose own permissions let this role see them."""
    return [each for each in role.guild.channels if each.overwrites_for(role).view_channel]


def opens(role: discord.Role) -> str:
    """Return mentions of the channels that this role lets people see (the first twenty), or an empty text."""
    return ", ".join(each.mention for each in opened_by(role)[:_MOST_CHANNELS])
