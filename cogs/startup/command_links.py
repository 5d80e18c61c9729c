"""Asks Discord for the ids of the commands, so that texts can link to the commands that they name."""

from __future__ import annotations

from discord.ext import commands

from cogs.answers.client import Casino


class CommandLinker(commands.Cog):
    """A cog that asks for the ids when the bot has signed in, and again at a later sign-in if that failed."""

    def __init__(self, casino: Casino) -> None:
        self._casino = casino

    @commands.Cog.listener()
    async def on_ready(self) -> None:
        await self._casino.command_links.learn(self._casino.tree)


async def setup(bot: Casino) -> None:
    await bot.add_cog(CommandLinker(bot))
