"""Promises as messages: small ones of their own, without buttons, and never edited.

A later reader can check that a promise was never edited and answers no command. So it is sent like any other message of
the channel; discord.py gives each a nonce that Discord enforces.
"""

from __future__ import annotations

from typing import Final

import discord

from cogs.answers.client import Casino
from cogs.answers.preferences import reader_of
from cogs.words import _, number, reading
from engine.fairness.chain import Promise
from engine.tables.places import is_tournament
from engine.tables.ports import ChannelClosed, NotPosted, Promised
from engine.tables.values import Chain

#: The answers of Discord after which a message was surely not posted. After any other failure nobody knows.
_REFUSED: Final = range(400, 500)

#: The codes of Discord after which trying again is of no use: a locked thread, a message or a title that AutoMod stops.
_CLOSED: Final = frozenset({160005, 200000, 200001})


class DiscordPoster:
    """The poster of promises for the tables of a bot."""

    def __init__(self, bot: Casino) -> None:
        self._bot = bot

    async def post(self, promised: Promised, before: Promised | None, language: str) -> int:
        """Post the promise of one chain or of many, and return its message id."""
        with reading(await reader_of(self._bot, promised.guild, opened_in=language)):
            text = _text(promised, before)
        return await post(self._bot.get_partial_messageable(promised.channel, guild_id=promised.guild), text)

    async def stands(self, promise: Promise) -> bool:
        """Return whether the message of a promise is still there. If Discord does not answer, it counts as there."""
        channel = self._bot.get_partial_messageable(promise.channel, guild_id=promise.guild)
        try:
            await channel.fetch_message(promise.message)
        except discord.NotFound:
            return False
        except discord.HTTPException:
            return True
        return True


async def post(channel: discord.PartialMessageable, text: str, *files: discord.File) -> int:
    """Post a message that is never edited, and return its id. Raises NotPosted if it surely was not posted."""
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
    """Return whether Discord lets the bot write no message in a channel, now or later."""
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
