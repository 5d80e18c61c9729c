"""The commands that need no server. They are offered in direct messages and, to people who have the app, everywhere."""

from __future__ import annotations

from typing import Final, TypeVar

from discord import app_commands

T = TypeVar("T")

_PLACES: Final = app_commands.allowed_contexts(guilds=True, dms=True, private_channels=True)
_INSTALLED: Final = app_commands.allowed_installs(guilds=True, users=True)


def anywhere(command: T) -> T:
    """Offer a command on servers, in direct messages and, to people who installed the app, wherever they write.

    Elsewhere than on a server of ours the bot can answer presses for fifteen minutes, with five messages of its own,
    and nothing else: such commands answer privately and post nothing.
    """
    return _PLACES(_INSTALLED(command))


def is_anywhere(command: object) -> bool:
    """Return whether a command works without a server."""
    contexts = getattr(command, "allowed_contexts", None)
    return contexts is not None and bool(contexts.dm_channel)
