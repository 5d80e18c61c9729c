"""The permissions that the bot needs in a channel: one list for its refusals, the doctor and the README."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import discord

from cogs.words import N_

_EVERYWHERE: Final = {"view_channel": N_("View Channel"), "attach_files": N_("Attach Files")}
_IN_CHANNELS: Final = {"send_messages": N_("Send Messages")}
_IN_THREADS: Final = {"send_messages_in_threads": N_("Send Messages in Threads")}

#: The permissions of a table in its channel, as Discord's own settings call them.
IN_CHANNELS: Final[Mapping[str, str]] = _EVERYWHERE | _IN_CHANNELS
IN_THREADS: Final[Mapping[str, str]] = _EVERYWHERE | _IN_THREADS
#: The permissions in the README's invitation: tables in channels and threads, and a look whether a promise still
#: stands.
INVITED: Final[Mapping[str, str]] = {
    **_EVERYWHERE,
    **_IN_CHANNELS,
    **_IN_THREADS,
    "read_message_history": "Read Message History",
}
#: The permissions that tournaments can do without: threads of their own, and events on the server's calendar.
FOR_TOURNAMENTS: Final[Mapping[str, str]] = {
    "create_public_threads": "Create Public Threads",
    "create_events": "Create Events",
}


def missing(allowed: discord.Permissions, needed: Mapping[str, str]) -> Sequence[str]:
    """Return what is not allowed of what is needed, by its label."""
    return [label for name, label in needed.items() if not getattr(allowed, name)]
