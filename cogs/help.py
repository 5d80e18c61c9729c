"""/help: what there is, and how to begin."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping
from typing import Any, Final

import discord
from discord import app_commands, ui
from discord.ext import commands

from cogs.answers.client import Interaction
from cogs.answers.panel import panel
from cogs.answers.serving import LOST, serving
from cogs.table.keys import SHARED_TOLD
from cogs.table.presentation import presentation
from cogs.words import N_, _
from engine.games.registry import GAMES

log = logging.getLogger(__name__)

#: In the order of reading. A command that this bot does not have is left out.
_SECTIONS: Final = (
    (N_("Play"), (*GAMES, "elimination", "tournament")),
    (N_("Chips"), ("daily", "balance", "give", "leaderboard", "history")),
    (N_("Skill"), ("strategy", "odds", "stats")),
    (N_("Trust"), ("rules", "verify", "seed", "privacy", "settings")),
    (N_("Run it"), ("casino",)),
)


#: Told only to those who may manage the server.
_FOR_MANAGERS: Final = frozenset({"casino", "tournament schedule", "tournament move", "tournament cancel"})


class Help(commands.Cog):
    def __init__(self) -> None:
        #: By name: what Discord calls each command, asked for once.
        self._ids: Mapping[str, int] = {}

    @app_commands.command(description="What there is, and how to begin")
    async def help(self, interaction: Interaction) -> None:
        async with serving(interaction) as reply:
            await reply.show(_help(interaction, await self._known(interaction)))

    async def _known(self, interaction: Interaction) -> Mapping[str, int]:
        """Without the ids commands are told, and cannot be clicked."""
        if not self._ids:
            tree: app_commands.CommandTree[Any] = interaction.client.tree
            try:
                self._ids = {command.name: command.id for command in await tree.fetch_commands()}
            except LOST as error:
                log.info("what Discord calls the commands is not known: %s", error)
        return self._ids


def _help(interaction: Interaction, ids: Mapping[str, int]) -> ui.LayoutView:
    begin = _(
        "Begin with {blackjack} and press the buttons. The chips are this server's own: no real money, anywhere.",
        blackjack=_clickable("blackjack", ids),
    )
    return panel(_("Croupier"), begin, *_sections(interaction, ids), _keys(), divided=True)


def _keys() -> str:
    """What is printed on any key of a table, and what it does."""
    told = (presentation(name).keys_told for name in (*GAMES, "elimination"))
    return "\n".join((_("**The buttons**"), *map(_, told), _(SHARED_TOLD)))


def _sections(interaction: Interaction, ids: Mapping[str, int]) -> Iterator[str]:
    manages = interaction.permissions.manage_guild
    tree: app_commands.CommandTree[Any] = interaction.client.tree
    known = {command.name: command for command in tree.get_commands(type=discord.AppCommandType.chat_input)}
    for heading, names in _SECTIONS:
        shown = [known[name] for name in names if name in known and (manages or name not in _FOR_MANAGERS)]
        lines = [_line(command, ids, manages=manages) for command in shown]
        if lines:
            yield "\n".join((f"**{_(heading)}**", *lines))


def _line(
    command: app_commands.Command[Any, ..., Any] | app_commands.Group, ids: Mapping[str, int], *, manages: bool
) -> str:
    """The command; of a group each command in it, for the group itself cannot be clicked."""
    if not isinstance(command, app_commands.Group):
        return _("{command} {what}", command=_clickable(command.name, ids), what=_(command.description))
    names = (part.qualified_name for part in command.commands)
    inside = " ".join(_clickable(name, ids) for name in names if manages or name not in _FOR_MANAGERS)
    return _("{command} {what}", command=inside, what=_(command.description))


def _clickable(name: str, ids: Mapping[str, int]) -> str:
    number = ids.get(name.partition(" ")[0])
    return f"</{name}:{number}>" if number is not None else f"`/{name}`"


async def setup(bot: commands.Bot | commands.AutoShardedBot) -> None:
    await bot.add_cog(Help())
