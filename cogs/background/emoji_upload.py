"""Uploads the cards as emoji of the application, unless they are there already. Texts then write cards with them."""

from __future__ import annotations

import asyncio
import contextlib
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
    """The chore that uploads the cards, in one process at a time.

    Every process repeats it until all cards are there. Then it deletes the emoji with outdated pictures.
    """

    every = AGAIN
    failure = "the emoji of cards are not up to date"

    def __init__(self, bot: Casino) -> None:
        self._bot = bot
        self._name = secrets.token_hex(8)

    async def do(self) -> bool:
        return not await self.provide()

    async def provide(self) -> bool:
        """Upload missing cards, unless another process does so, and let texts use the cards that are there.

        Once all are among the application's emoji, delete old ones. Return whether all are.
        """
        images = await asyncio.to_thread(wanted)
        there = await self._bot.fetch_application_emojis()
        lacking = {name: image for name, image in images.items() if name not in {emoji.name for emoji in there}}
        if lacking and await self._bot.bank.jobs.lock(_KEY, self._name, seconds=AGAIN):
            try:
                await self._upload(lacking)
            finally:
                await self._bot.bank.jobs.unlock(_KEY, self._name)
            there = await self._bot.fetch_application_emojis()
        self._bot.emoji.learn(there)
        complete = images.keys() <= {emoji.name for emoji in there}
        if complete:
            await self._remove([emoji for emoji in there if is_ours(emoji.name) and emoji.name not in images])
        return complete

    async def _upload(self, images: dict[str, bytes]) -> None:
        """Upload these cards, by name, one after the other, and renew the lock after each."""
        for name, image in images.items():
            await self._bot.create_application_emoji(name=name, image=image)
            await self._bot.bank.jobs.renew(_KEY, self._name, seconds=AGAIN)
        log.info("uploaded %d cards as emoji of the application", len(images))

    async def _remove(self, old: Sequence[discord.Emoji]) -> None:
        """Delete the emoji of cards whose picture has changed. Messages with such an emoji go on showing it."""
        for emoji in old:
            with contextlib.suppress(discord.NotFound):  # another process was faster
                await emoji.delete()


async def setup(bot: Casino) -> None:
    if bot.settings.card_emoji:
        await bot.add_cog(CardUploader(bot))
