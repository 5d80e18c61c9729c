"""Uploads the cards as emoji of the application, unless they are there already. Texts then write cards with them."""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Sequence
from typing import Final

import discord

from cogs.answers.client import Casino
from cogs.background.chore import Chore
from cogs.table.emoji import is_ours, wanted

log = logging.getLogger(__name__)

#: Seconds until the next attempt, after another process began the upload or Discord refused it.
AGAIN: Final = 300.0

#: The key of the lock that the uploading process holds.
_KEY: Final = "emoji"


class CardUploader(Chore):
    """The chore that uploads the cards. One process uploads them; every process looks until all are there."""

    every = AGAIN
    failure = "cards are written in letters for now"

    def __init__(self, bot: Casino) -> None:
        self._bot = bot
        self._name = secrets.token_hex(8)

    async def do(self) -> bool:
        return not await self.provide()

    async def provide(self) -> bool:
        """Upload missing cards and then delete old ones. If none is missing, or another process does so, do neither.

        Then let texts use the cards that are there, and return whether all are among the application's emoji.
        """
        images = await asyncio.to_thread(wanted)
        there = await self._bot.fetch_application_emojis()
        lacking = {name: image for name, image in images.items() if name not in {emoji.name for emoji in there}}
        if lacking and await self._bot.bank.jobs.lock(_KEY, self._name, seconds=AGAIN):
            try:
                await self._upload(lacking)
                await self._remove([emoji for emoji in there if is_ours(emoji.name) and emoji.name not in images])
            finally:
                await self._bot.bank.jobs.unlock(_KEY, self._name)
            there = await self._bot.fetch_application_emojis()
        self._bot.emoji.learn(there)
        return images.keys() <= {emoji.name for emoji in there}

    async def _upload(self, images: dict[str, bytes]) -> None:
        """Upload these cards, by name, one after the other, and renew the lock after each."""
        for name, image in images.items():
            await self._bot.create_application_emoji(name=name, image=image)
            await self._bot.bank.jobs.renew(_KEY, self._name, seconds=AGAIN)
        log.info("uploaded %d cards as emoji of the application", len(images))

    async def _remove(self, old: Sequence[discord.Emoji]) -> None:
        """Delete cards whose picture has changed. Messages that show them keep them."""
        for emoji in old:
            await emoji.delete()


async def setup(bot: Casino) -> None:
    if bot.settings.card_emoji:
        await bot.add_cog(CardUploader(bot))
