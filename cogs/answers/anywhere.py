"""Marks the commands that need no server.

They are offered in direct messages too and, to people who installed the app for themselves, everywhere.
"""

from __future__ import annotations

from typing import Final, TypeVar

from discord import app_commands

T = TypeVar("T")

_PLACES: Final = app_commands.allowed_contexts(guilds=True, dms=True, private_channels=True)
_INSTALLED: Final = app_commands.allowed_installs(guilds=True, users=True)


def anywhere(command: T) -> T:
    """Offer a command on servers, in direct messages and, to people who installed the app, everywhere (a decorator).

    Where the bot is not a member, Discord lets it only answer, for fifteen minutes and with at most five further
    messages. So there these commands answer privately and post nothing else.
    """
    return _PLACES(_INSTALLED(command))


def is_anywhere(command: object) -> bool:
    """Return whether a command works without a server, as those marked with `anywhere` do."""
    contexts = getattr(command, "allowed_contexts", None)
    return contexts is not None and bool(contexts.dm_channel)
