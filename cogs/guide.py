"""/help and /rules"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final, Self

import discord
from discord import app_commands, ui
from discord.ext import commands

from cogs.errors import Reply, serving
from cogs.panel import panel
from cogs.rules_told import told
from cogs.table import rule_sets
from cogs.table.press import Interaction, Press, take_up
from cogs.words import N_, _
from engine.games.registry import GAMES
from engine.tables.refused import Reason, Refused

#: In the order of reading. A command that this bot does not have is left out.
_SECTIONS: Final = (
    (N_("Play"), ("blackjack", "baccarat", "war", "elimination", "tournament")),
    (N_("Chips"), ("daily", "balance", "give", "leaderboard", "history")),
    (N_("Skill"), ("strategy", "odds", "stats")),
    (N_("Trust"), ("rules", "verify", "seed", "privacy", "settings")),
    (N_("Run it"), ("casino",)),
)


class Guide(commands.Cog):
    @app_commands.command(description="What there is, and how to begin")
    async def help(self, interaction: discord.Interaction[Any]) -> None:
        async with serving(interaction) as reply:
            await reply.show(_help(interaction))

    @app_commands.command(description="The rules of a table, in words")
    @app_commands.describe(name="A rule set, such as vegas")
    @app_commands.guild_only()
    async def rules(self, interaction: discord.Interaction[Any], name: str | None = None) -> None:
        async with serving(interaction) as reply:
            await reply.show(await _rules(interaction, *await _game_of(interaction, name)))

    @rules.autocomplete("name")
    async def _names(self, interaction: discord.Interaction[Any], typed: str) -> list[app_commands.Choice[str]]:
        found = [f"{game} {name}" for game, name in await _all(interaction) if typed.casefold() in f"{game} {name}"]
        return [app_commands.Choice(name=text, value=text) for text in found[:25]]


# -- help --------------------------------------------------------------------------------------------------------------


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


# -- rules -------------------------------------------------------------------------------------------------------------


async def _all(interaction: Interaction) -> list[tuple[str, str]]:
    return [(game, name) for game in GAMES for name in await rule_sets.names(interaction, game)]


async def _game_of(interaction: Interaction, text: str | None) -> tuple[str, str]:
    """What was typed: a rule set's name, or a game's and then its rule set's."""
    known = await _all(interaction)
    typed = (text or "").strip()
    for game, name in known:
        if typed in ("", name, game, f"{game} {name}"):
            return game, name
    raise Refused(Reason.UNKNOWN_RULES, name=typed)


async def _rules(interaction: Interaction, game: str, name: str) -> ui.LayoutView:
    rules = await rule_sets.find(interaction, game, name)
    lines = "\n".join(f"**{heading}** · {text}" for heading, text in told(game, rules))
    menu = RulesMenu.of(await _all(interaction), (game, name))
    return panel(_("{name} · {game}", name=name, game=game), lines, rows=[[menu]])


class RulesMenu(Press, template=r"rules:choose"):
    """The other rule sets, one choice away."""

    @classmethod
    def of(cls, known: list[tuple[str, str]], shown: tuple[str, str]) -> Self:
        options = [
            discord.SelectOption(label=name, description=game, value=f"{game} {name}", default=(game, name) == shown)
            for game, name in known[:25]
        ]
        return cls(ui.Select(custom_id="rules:choose", options=options))

    @classmethod
    def read(cls, item: ui.Item[Any], match: re.Match[str]) -> Self:
        return cls(item)

    async def pressed(self, interaction: Interaction, reply: Reply) -> None:
        data: Any = interaction.data or {}
        game, name = await _game_of(interaction, str((data.get("values") or [""])[0]))
        await reply.redraw(await _rules(interaction, game, name))


async def setup(bot: commands.Bot | commands.AutoShardedBot) -> None:
    take_up(bot, RulesMenu)
    await bot.add_cog(Guide())
