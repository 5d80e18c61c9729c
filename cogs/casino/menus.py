"""Menus of channels and roles, and what was chosen from them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Final

import discord
from discord import ui

from cogs.answers.client import Interaction
from cogs.answers.press import choice
from cogs.background import log

#: The kinds of channels for messages, and those where tables may be opened (in a forum: in its posts). Announcement
#: channels are among both: a text channel can become one, and Discord refuses a menu that shows a channel of a kind
#: that it does not offer.
FOR_MESSAGES: Final = (discord.ChannelType.text, discord.ChannelType.news)
FOR_TABLES: Final = (
    *FOR_MESSAGES,
    discord.ChannelType.voice,
    discord.ChannelType.stage_voice,
    discord.ChannelType.forum,
    discord.ChannelType.public_thread,
    discord.ChannelType.news_thread,
)


def channel_menu(custom_id: str, off: str, kept: int | None, guild: discord.Guild | None) -> ui.ChannelSelect[Any]:
    """Return a menu in which a manager chooses one channel for messages, or none.

    `kept` is the channel chosen before, preselected if it still exists; `off` stands in the menu if none is selected.
    """
    there = channels_there([] if kept is None else [kept], guild)
    return ui.ChannelSelect(
        custom_id=custom_id, channel_types=list(FOR_MESSAGES), placeholder=off, min_values=0, max_values=1,
        default_values=there,
    )  # fmt: skip


def channels_there(ids: Sequence[int], guild: discord.Guild | None) -> list[discord.SelectDefaultValue]:
    """Return these channels as a menu's default values, without those that `guild` no longer has.

    If `guild` is None, return all of them.
    """
    there = [each for each in ids if guild is None or guild.get_channel_or_thread(each) is not None]
    return present(there, discord.SelectDefaultValueType.channel)


def present(ids: Sequence[int], kind: discord.SelectDefaultValueType) -> list[discord.SelectDefaultValue]:
    """Return these ids, of channels or of roles, as the default values of a menu."""
    return [discord.SelectDefaultValue(id=each, type=kind) for each in ids]


def channel(interaction: Interaction) -> int | None:
    """Return the channel that was chosen, if any. Raises Sorry for one that the bot cannot post in."""
    found = id_of(choice(interaction))
    if found is not None:
        log.expect_room(interaction, found)
    return found


def id_of(value: str) -> int | None:
    """Return the id that a menu's value contains, or None if it contains none. The value may be forged."""
    return int(value) if re.fullmatch(r"[0-9]{1,20}", value) else None
