"""Animations of finished hands, step by step: at most one a minute for each person."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from io import BytesIO
from typing import Final, NamedTuple
from weakref import WeakKeyDictionary

import discord

from cogs.answers.client import Casino, Interaction
from cogs.answers.panel import Rows, panel
from cogs.answers.reply import Reply
from cogs.pictures import animated
from cogs.table.page import Picture
from cogs.words import READER, _
from cogs.words.refusals import Sorry

#: Seconds until the same person may have another animation made.
PAUSE: Final = 60.0
#: The file's name on the message.
_FILE: Final = f"hand.{animated.FORMAT}"

#: The time of the last animation of each person who had one made lately, for each bot.
_made: Final[WeakKeyDictionary[Casino, dict[int, float]]] = WeakKeyDictionary()


class Moment(NamedTuple):
    """A hand as it was after one of its steps."""

    picture: Picture
    line: str  # the step in words
    odds: str = ""  # the worth of each choice before the step, if there was one


def expect_pause(interaction: Interaction) -> None:
    """Note that an animation is made now for this person, or raise Sorry.

    Readers who see tables in words get none, others only if their last one is at least a minute ago.
    """
    if not READER.get().pictures:
        raise Sorry(_("You see tables in words, so there is nothing to animate."))
    now = interaction.client.clock.now()
    recent = {user: at for user, at in _made.get(interaction.client, {}).items() if now - at < PAUSE}
    if interaction.user.id in recent:
        raise Sorry(_("One animation a minute. Try again in a moment."))
    _made[interaction.client] = recent | {interaction.user.id: now}


async def show(interaction: Interaction, reply: Reply, heading: str, hand: Sequence[Moment], rows: Rows) -> None:
    """Replace the message that was pressed by an animation of a finished hand.

    It shows the end first, then each step from the deal on. `rows` are the keys below it, such as one that leads back.
    Call `expect_pause` first. Raise Sorry if the animation cannot be made.
    """
    drawn = [await asyncio.to_thread(moment.picture.draw) for moment in hand]
    row = [animated.Frame(file, moment.line, moment.odds) for file, moment in zip(drawn, hand, strict=True)]
    try:
        image = await animated.apart([row[-1], *row])
    except animated.NotAnimated as error:
        raise Sorry(_("The animation couldn't be made. Try again in a minute.")) from error
    alt = hand[-1].picture.alt
    view = panel(heading, rows=rows, picture=(_FILE, alt))
    await reply.redraw(view, [discord.File(BytesIO(image), _FILE, description=alt)])
