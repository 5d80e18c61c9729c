"""/help: what there is, and how to begin."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import discord
from discord import app_commands, ui
from discord.ext import commands

from cogs.answers.panel import panel
from cogs.answers.press import Interaction
from cogs.answers.serving import serving
from cogs.words import N_, _
from engine.games.registry import GAMES

#: In the order of reading. A command that this bot does not have is left out.
_SECTIONS: Final = (
    (N_("Play"), (*GAMES, "elimination", "tournament")),
    (N_("Chips"), ("daily", "balance", "give", "leaderboard", "history")),
    (N_("Skill"), ("strategy", "odds", "stats")),
    (N_("Trust"), ("rules", "verify", "seed", "privacy", "settings")),
    (N_("Run it"), ("casino",)),
)


class Help(commands.Cog):
    @app_commands.command(description="What there is, and how to begin")
    async def help(self, interaction: discord.Interaction[Any]) -> None:
        async with serving(interaction) as reply:
            await reply.show(_help(interaction))


def _help(interaction: Interaction) -> ui.LayoutView:
    begin = _("Type `/blackjack` and press the buttons. The chips are this server's own: no real money, anywhere.")
    return panel(_("Croupier"), begin, *_sections(interaction))


def _sections(interaction: Interaction) -> Iterator[str]:
    tree: app_commands.CommandTree[Any] = interaction.client.tree
    known = {command.name: command for command in tree.get_commands(type=discord.AppCommandType.chat_input)}
    for heading, names in _SECTIONS:
        lines = [_line(known[name]) for name in names if name in known]
        if lines:
            yield "\n".join((f"**{_(heading)}**", *lines))


def _line(command: app_commands.Command[Any, ..., Any] | app_commands.Group) -> str:
    return f"`/{command.name}` {_(command.description)}"


async def setup(bot: commands.Bot | commands.AutoShardedBot) -> None:
    await bot.add_cog(Help())
