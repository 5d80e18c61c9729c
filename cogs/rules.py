"""/rules: the rules of a table, in words."""

from __future__ import annotations

import re
from typing import Any, Self

import discord
from discord import app_commands, ui
from discord.ext import commands

from cogs.answers.client import Interaction
from cogs.answers.panel import panel
from cogs.answers.serving import Press, Reply, choice, serving, take_up
from cogs.coach.asking import ask, asker_of
from cogs.table import rule_sets
from cogs.table.presentation import presentation, rules_told
from cogs.words import _, listed, share
from cogs.words.refusals import Sorry
from engine.coach import WhatIsKept
from engine.games.registry import GAMES
from engine.tables.refused import Reason, Refused


class RulesTold(commands.Cog):
    @app_commands.command(description="The rules of a table, in words")
    @app_commands.describe(name="A rule set, such as vegas")
    @app_commands.guild_only()
    async def rules(self, interaction: Interaction, name: str | None = None) -> None:
        async with serving(interaction) as reply:
            await reply.show(await _rules(interaction, *await _game_of(interaction, name)))

    @rules.autocomplete("name")
    async def _names(self, interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        known = [f"{game} {name}" for game, name in await _all(interaction)]
        found = [text for text in known if _squeezed(typed) in _squeezed(text)]
        return [app_commands.Choice(name=text, value=text) for text in found[:25]]


async def _all(interaction: Interaction) -> list[tuple[str, str]]:
    return [(game, name) for game in GAMES for name in await rule_sets.names(interaction, game)]


async def _game_of(interaction: Interaction, text: str | None) -> tuple[str, str]:
    """What was typed: a rule set's name, or a game's and then its rule set's."""
    known = await _all(interaction)
    typed = (text or "").strip()
    for written in (str, _squeezed):  # two names of a server's own may differ in a hyphen
        for game, name in known:
            if written(typed) in map(written, ("", name, game, _(game), f"{game} {name}")):
                return game, name
    raise Refused(Reason.UNKNOWN_RULES, name=typed)


def _squeezed(name: str) -> str:
    """As names are told apart by people: *red dog* is `red-dog`."""
    return re.sub(r"[\s_-]", "", name).casefold()


async def _rules(interaction: Interaction, game: str, name: str) -> ui.LayoutView:
    rules = await rule_sets.find(interaction, game, name)
    lines = "\n".join(f"**{heading}** · {text}" for heading, text in rules_told(game, rules))
    kept = await _house_edge(interaction, game, rules)
    menu = RulesMenu.of(await _all(interaction), (game, name))
    return panel(_("{name} · {game}", name=name, game=_(game)), lines, kept, rows=[[menu]])


async def _house_edge(interaction: Interaction, game: str, rules: Any) -> str:
    """What the house keeps of a stake, of whom or on what. Nothing where the coach does not say."""
    if interaction.client.coach is None:
        return ""
    try:
        kept = await ask(interaction.client, WhatIsKept(game, rules), asker_of(interaction))
    except Sorry:
        return ""
    told = [_("{what} {edge}", what=_called(game, word), edge=share(edge, 2)) for word, edge in kept.items()]
    lines = [_("**House edge** · {edges}", edges=listed(told))] if told else []
    if any(edge < 0 for edge in kept.values()):
        lines.append(_("Below zero it is the player who gains."))
    return "\n".join(lines)


def _called(game: str, word: str) -> str:
    """A stake's spot or an answer as its key says; a level as people choose it."""
    cap = presentation(game).cap(word)
    return _(cap.label if cap is not None else str(word))


class RulesMenu(Press, template=r"rules:choose"):
    """The other rule sets, one choice away."""

    @classmethod
    def of(cls, known: list[tuple[str, str]], shown: tuple[str, str]) -> Self:
        options = [
            discord.SelectOption(label=name, description=_(game), value=f"{game} {name}", default=(game, name) == shown)
            for game, name in known[:25]
        ]
        return cls(ui.Select(custom_id=cls.id_of(), options=options))

    async def pressed(self, interaction: Interaction, reply: Reply) -> None:
        game, name = await _game_of(interaction, choice(interaction))
        await reply.redraw(await _rules(interaction, game, name))


async def setup(bot: commands.Bot | commands.AutoShardedBot) -> None:
    take_up(bot, RulesMenu)
    await bot.add_cog(RulesTold())
