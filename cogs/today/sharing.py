"""Sharing a result: a post for the channel, or a text to copy where the bot may not post."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import discord
from discord import ui

from cogs.answers.client import Interaction
from cogs.answers.here import here
from cogs.answers.panel import BRASS, panel
from cogs.answers.posting import post
from cogs.answers.preferences import reader_of
from cogs.answers.reply import Reply
from cogs.answers.time_limits import LOST
from cogs.today import texts
from cogs.today.playing import Playing
from cogs.words import _, mention, reading, safe
from cogs.words.refusals import Sorry

#: Seconds for which a press that posts a result keeps later presses from posting it in the same channel too.
_MEANTIME: Final = 60.0

#: A function that makes a key in the reader's language.
MakeKey = Callable[[], ui.Item[Any]]


async def share(interaction: Interaction, reply: Reply, found: Playing, key: MakeKey) -> None:
    """Post the presser's result in the channel or, if the bot cannot post there, show them a text to copy.

    Raise Sorry if it was posted in this channel already. `key` makes the key below the post.
    """
    if not _may_post(interaction):
        await reply.show(_to_copy(interaction, found))
        return
    jobs, press = interaction.client.bank.jobs, str(interaction.id)
    once = f"shared/{found.day.id}/{found.stored.person}/{here(interaction).channel}"
    if not await jobs.lock(once, press, seconds=_MEANTIME):
        raise Sorry(_("This result has already been shared here."))
    await reply.acknowledge()
    if await _posted(interaction, found, key):
        await jobs.finish(once, press)
        return
    await jobs.unlock(once, press)
    await reply.show(_to_copy(interaction, found))


def _may_post(interaction: Interaction) -> bool:
    if interaction.guild_id is None:
        return False
    allowed = interaction.app_permissions
    in_thread = isinstance(interaction.channel, discord.Thread)
    return allowed.view_channel and (allowed.send_messages_in_threads if in_thread else allowed.send_messages)


async def _posted(interaction: Interaction, found: Playing, key: MakeKey) -> bool:
    """Post the result in the server's language with its owner's name, and return whether it surely arrived."""
    guild, channel, user = here(interaction)
    with reading(await reader_of(interaction.client, guild, opened_in=str(interaction.locale))):
        view = panel(*_lines(mention(user), found), rows=[[key()]], colour=BRASS)
    try:
        await post(interaction.client, guild, channel, view)
    except LOST:
        return False
    return True


def _lines(name: str, found: Playing) -> tuple[str, str]:
    """Return the heading and the line that everybody sees of a result: the marks and the points, and no card."""
    heading = _("{name} · {day}", name=name, day=texts.short_name_of(found.day))
    return heading, f"{texts.progress(found.found)} **{texts.points(found.found.points)}**"


def _to_copy(interaction: Interaction, found: Playing) -> ui.LayoutView:
    lines = "\n".join(_lines(safe(interaction.user.display_name), found)).replace("**", "")
    return panel(_("Your result to share"), _("I can't post here. Copy this:"), f"```\n{lines}\n```")
