"""Promises as messages: small ones of their own, without buttons, and never edited.

Anybody can check later that a promise was never edited, and that it is not the answer to a command. discord.py sends it
with a nonce that Discord enforces, so a repeated request does not post it twice.
"""

from __future__ import annotations

from typing import Final

import discord

from cogs.answers.client import Casino
from cogs.answers.preferences import reader_of
from cogs.answers.time_limits import LOST
from cogs.words import _, number, reading
from engine.fairness.chain import Promise
from engine.tables.places import is_tournament
from engine.tables.ports import ChannelClosed, NotPosted, Promised
from engine.tables.values import Chain

#: The HTTP statuses after which a message was certainly not posted. After any other failure nobody knows.
_REFUSED: Final = range(400, 500)

#: The codes of Discord after which trying again is of no use: a locked thread, a message or a title that AutoMod stops.
_CLOSED: Final = frozenset({160005, 200000, 200001})


class DiscordPoster:
    """The poster of promises that sends them as messages of the bot (`engine.tables.ports.Poster`)."""

    def __init__(self, bot: Casino) -> None:
        self._bot = bot

    async def post(self, promised: Promised, before: Promised | None, language: str) -> int:
        """Post a promise and return the message's id.

        If a promise ended before it (`before`), the text also shows that promise's root. The text is in the server's
        language or, if the server has chosen none, in `language`.

        Raises NotPosted or its subclass ChannelClosed if the promise certainly was not posted. After any other
        exception nobody knows whether it was.
        """
        with reading(await reader_of(self._bot, promised.guild, opened_in=language)):
            text = _text(promised, before)
        return await post(self._bot.get_partial_messageable(promised.channel, guild_id=promised.guild), text)

    async def stands(self, promise: Promise) -> bool:
        """Return whether the message of a promise is still there: False only if Discord says that it is gone."""
        channel = self._bot.get_partial_messageable(promise.channel, guild_id=promise.guild)
        try:
            await channel.fetch_message(promise.message)
        except discord.NotFound:
            return False
        except LOST:
            return True
        return True


async def post(channel: discord.PartialMessageable, text: str, *files: discord.File) -> int:
    """Post a message that is never edited, without a notification, and return its id.

    Raise NotPosted if it certainly was not posted, or its subclass ChannelClosed if trying again in this channel is of
    no use. After any other exception nobody knows whether it was posted.
    """
    try:
        return (await channel.send(text, files=files, suppress_embeds=True, silent=True)).id
    except discord.RateLimited as error:
        raise NotPosted(str(error)) from error
    except discord.HTTPException as error:
        if is_closed(error):
            raise ChannelClosed(str(error)) from error
        if error.status in _REFUSED:
            raise NotPosted(str(error)) from error
        raise


def is_closed(error: discord.HTTPException) -> bool:
    """Return whether this error means that the bot cannot post the message in the channel, now or later."""
    return isinstance(error, (discord.Forbidden, discord.NotFound)) or error.code in _CLOSED


def line(sentence: str, digits: str) -> str:
    """Return a line of small print: a sentence, and the digits that prove it, hidden until somebody taps them."""
    return f"-# {sentence} ||{digits}||"


def _text(promised: Promised, before: Promised | None) -> str:
    if isinstance(promised, Chain) and is_tournament(promised.place):
        locked = _("🔒 Seats, ties and shuffles of the next tournament are locked in: nobody can change them now.")
    else:
        rounds = number(promised.rounds)
        locked = _("🔒 The next {rounds} shuffles here are locked in: nobody can change them now.", rounds=rounds)
    text = line(locked, promised.tip)
    if before is None:
        return text
    shown = _("🔓 The ones before are open now: anyone can deal them again.")
    return f"{text}\n{line(shown, f'{before.tip} {before.root.hex()}')}"
