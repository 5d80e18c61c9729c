"""Posts and edits the messages of duels on Discord."""

from __future__ import annotations

import logging
from collections.abc import Sequence

from discord import ui

from cogs.answers.client import Casino, Interaction
from cogs.answers.naming import naming
from cogs.answers.posting import post
from cogs.answers.time_limits import LOST
from data import StoredDuel

log = logging.getLogger(__name__)


def is_private(interaction: Interaction) -> bool:
    """Return whether only the presser sees the message that was pressed on."""
    return interaction.message is not None and interaction.message.flags.ephemeral


async def edit(bot: Casino, duel: StoredDuel, view: ui.LayoutView) -> None:
    """Edit the message of a duel, if it has one. A failure of Discord is only logged."""
    if duel.message is None:
        return
    view.stop()
    place = bot.get_partial_messageable(duel.channel, guild_id=duel.guild)
    try:
        await place.get_partial_message(duel.message).edit(view=view, allowed_mentions=naming(view))
    except LOST as error:
        log.info("the message of duel %d is not drawn: %s", duel.id, error)


async def send(bot: Casino, duel: StoredDuel, view: ui.LayoutView, called: Sequence[int]) -> None:
    """Post a message in the duel's channel, and ping these people in it. A failure of Discord is only logged."""
    try:
        await post(bot, duel.guild, duel.channel, view, called=called)
    except LOST as error:
        log.info("a message of duel %d is not posted: %s", duel.id, error)
