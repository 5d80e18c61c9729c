"""The permissions that the bot needs in a channel: one list for its refusals, the doctor and the README."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import discord

from cogs.words import N_

_EVERYWHERE: Final = {"view_channel": N_("View Channel"), "attach_files": N_("Attach Files")}
_IN_CHANNELS: Final = {"send_messages": N_("Send Messages")}
_IN_THREADS: Final = {"send_messages_in_threads": N_("Send Messages in Threads")}

#: The permissions that a table needs in a channel or in a thread: discord.py's names, and those in Discord's settings.
IN_CHANNELS: Final[Mapping[str, str]] = _EVERYWHERE | _IN_CHANNELS
IN_THREADS: Final[Mapping[str, str]] = _EVERYWHERE | _IN_THREADS
#: The permissions in the README's invitation: for tables in channels and threads, and to look whether a promise still
#: stands.
INVITED: Final[Mapping[str, str]] = {
    **_EVERYWHERE,
    **_IN_CHANNELS,
    **_IN_THREADS,
    "read_message_history": "Read Message History",
}
#: The permissions without which tournaments go on, but have no threads of their own and no events on the server's
#: calendar.
FOR_TOURNAMENTS: Final[Mapping[str, str]] = {
    "create_public_threads": N_("Create Public Threads"),
    "create_events": N_("Create Events"),
}

#: The permissions that a message without files needs.
_TO_POST: Final = {name: label for name, label in IN_CHANNELS.items() if name != "attach_files"}


def missing_to_post(guild: discord.Guild, channel: int) -> Sequence[str] | None:
    """Return the labels of the permissions that the bot lacks in a channel for a message without files.

    Return None if the bot knows no text channel with this id.
    """
    there = guild.get_channel(channel)
    return missing(there.permissions_for(guild.me), _TO_POST) if isinstance(there, discord.TextChannel) else None


def needed_in(channel: object) -> Mapping[str, str]:
    """Return the permissions that a table needs in this channel. For a forum, these are the ones in its posts."""
    return IN_THREADS if isinstance(channel, discord.Thread | discord.ForumChannel) else IN_CHANNELS


def missing_in(channel: discord.abc.GuildChannel | discord.Thread, me: discord.Member) -> Sequence[str]:
    """Return the labels of the permissions that the bot lacks for a table in this channel, or in the posts of a forum.

    For a forum this calls `GuildChannel.permissions_for`. The forum's own `permissions_for` leaves out the permission
    for files if the bot can create no posts, even if the bot can send files to existing posts.
    """
    if isinstance(channel, discord.ForumChannel):
        return missing(discord.abc.GuildChannel.permissions_for(channel, me), needed_in(channel))
    return missing(channel.permissions_for(me), needed_in(channel))


def missing(allowed: discord.Permissions, needed: Mapping[str, str]) -> Sequence[str]:
    """Return the labels of the needed permissions that are not allowed."""
    return [label for name, label in needed.items() if not getattr(allowed, name)]
