"""Messages that the bot posts by itself, not as answers."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence

import discord
from discord import ui

from cogs.answers.client import Casino
from cogs.answers.naming import calling, named
from cogs.answers.time_limits import LOST


async def post(
    bot: Casino,
    guild: int,
    channel: int,
    view: ui.LayoutView,
    *,
    files: Sequence[discord.File] = (),
    called: Sequence[int] = (),
    roles: Sequence[discord.Role] = (),
    silent: bool = False,
) -> None:
    """Post a message that calls these people and roles, then edit it so that others whom it names are shown by name.

    In a thread there is no edit, because it would add them to the thread. If the edit is lost, it is not tried again:
    only names are missing. If the post is lost, raise what Discord raised.
    """
    view.stop()
    place = bot.get_partial_messageable(channel, guild_id=guild)
    message = await place.send(view=view, files=files, allowed_mentions=calling(called, roles), silent=silent)
    everybody = named(view)
    if set(everybody) - set(called) and _adds_nobody(bot, guild, channel):
        with contextlib.suppress(*LOST):
            await message.edit(view=view, allowed_mentions=calling(everybody, roles))


def _adds_nobody(bot: Casino, guild: int, channel: int) -> bool:
    """Return whether this is a known channel and not a thread, to which an edit would add the people that it names."""
    server = bot.get_guild(guild)
    return server is not None and isinstance(server.get_channel(channel), discord.abc.Messageable)
