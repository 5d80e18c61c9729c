"""/rules: all rule sets side by side, and each of them in words."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Self

import discord
from discord import app_commands, ui
from discord.ext import commands

from cogs.answers.anywhere import anywhere
from cogs.answers.client import Casino, Interaction
from cogs.answers.door import Stands
from cogs.answers.panel import in_rows, panel
from cogs.answers.press import Press, choice, take_up
from cogs.answers.reply import Reply
from cogs.answers.sections import Section, shown_in
from cogs.answers.serving import serving
from cogs.coach.asking import ask, asker_of
from cogs.table import rule_sets
from cogs.table.opening import TableRequest, take_seat
from cogs.table.presentation import BuiltIn, presentation, rules_text
from cogs.words import _, listed, share
from cogs.words.refusals import Sorry
from engine.coach import WhatIsTheHouseEdge
from engine.games.computer import Level
from engine.games.registry import GAMES
from engine.tables.refused import Reason, Refused


class RulesCommand(commands.Cog):
    """The command /rules."""

    @app_commands.command(description="Compare all rule sets, or read one in detail", extras=shown_in(Section.TRUST))
    @app_commands.describe(name="A rule set, such as vegas; leave it out to compare all of them")
    @anywhere
    async def rules(self, interaction: Interaction, name: str | None = None) -> None:
        """Compare all rule sets, or show one in detail."""
        async with serving(interaction) as reply:
            if name is None:
                await reply.show(await _compare(interaction))
            else:
                await reply.show(await _rules(interaction, *await _game_of(interaction, name)))

    @rules.autocomplete("name")
    async def _names(self, interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        known = [f"{game} {name}" for game, name in await _all(interaction)]
        found = [text for text in known if _squeezed(typed) in _squeezed(text)]
        return [app_commands.Choice(name=text, value=text) for text in found[:25]]


# -- all of them -------------------------------------------------------------------------------------------------------


async def _compare(interaction: Interaction) -> ui.LayoutView:
    """Return the page with all built-in rule sets, and a menu of these and the server's own."""
    here = interaction.guild_id is not None
    blocks = list[str | ui.ActionRow[Any]]()
    for game in GAMES:
        sets = presentation(game).sets
        blocks.append("\n".join((f"**{_(game)}**", *(_line(game, name, of) for name, of in sets.items()))))
        keys = [OpenTableKey.button(name, game=game, name=name) for name in sets if here]
        blocks += [ui.ActionRow(*row) for row in in_rows(keys)]
    edges = _("The percentage is what the house wins of each bet on average, with best play.")
    where = _("A button opens a table.") if here else _("Tables are on servers: `/blackjack` opens one there.")
    return panel(_("Which rules?"), *blocks, rows=[[RulesMenu.of(await _all(interaction))]], small=[edges, where])


def _line(game: str, name: str, of: BuiltIn) -> str:
    """Return the line of a rule set: what it is, and the lowest house edge that anybody can play at."""
    edge = share(of.edge, 2)
    if of.best:
        edge = _("{what} {edge}", what=_called(game, of.best), edge=edge)
    return _("**{name}** · {what} · {edge}", name=name, what=_(of.what), edge=edge)


class OpenTableKey(Press, template=r"rules:play:(?P<game>[a-z-]{1,20}):(?P<name>.{1,40})"):
    """The key that opens a table with these rules, as the game's own command does."""

    private: ClassVar[bool] = False

    game: str
    name: str

    async def pressed(self, interaction: Interaction, reply: Reply) -> None:
        await take_seat(interaction, reply, TableRequest(self.game, self.name))


# -- one of them -------------------------------------------------------------------------------------------------------


async def _all(interaction: Interaction) -> list[tuple[str, str]]:
    return [(game, name) for game in GAMES for name in await rule_sets.names(interaction, game)]


async def _game_of(interaction: Interaction, text: str | None) -> tuple[str, str]:
    """Return the game and the rule set that somebody typed.

    The text is the name of a game, of a rule set, or of a game and then a rule set. The first rule set that fits is
    taken. Every rule set fits an empty text. Raises Refused if none fits.
    """
    known = await _all(interaction)
    typed = (text or "").strip()
    for written in (str, _squeezed):  # two names of a server's own may differ in a hyphen
        for game, name in known:
            if written(typed) in map(written, ("", name, game, _(game), f"{game} {name}")):
                return game, name
    raise Refused(Reason.UNKNOWN_RULES, name=typed)


def _squeezed(name: str) -> str:
    """Return a name in lower case without spaces, hyphens and underscores, so that *Red Dog* finds `red-dog`."""
    return re.sub(r"[\s_-]", "", name).casefold()


async def _rules(interaction: Interaction, game: str, name: str) -> ui.LayoutView:
    rules = await rule_sets.find(interaction, game, name)
    about = _(presentation(game).sets[name].what) if name in presentation(game).sets else ""
    lines = "\n".join(f"**{heading}** · {text}" for heading, text in rules_text(game, rules))
    kept = await _house_edge(interaction, game, rules)
    keys: list[ui.Item[Any]] = [CompareKey.button(_("Compare all"))]
    if interaction.guild_id is not None:
        keys.insert(0, OpenTableKey.button(_("Play"), style=discord.ButtonStyle.success, game=game, name=name))
    menu = RulesMenu.of(await _all(interaction), (game, name))
    heading = _("{name} · {game}", name=name, game=_(game))
    return panel(heading, about and f"-# {about}", lines, kept, rows=[keys, [menu]])


async def _house_edge(interaction: Interaction, game: str, rules: Any) -> str:
    """Return the lines about the house edge: for each kind of player, or for each stake or answer.

    Return an empty text if the coach is switched off or does not answer.
    """
    if interaction.client.coach is None:
        return ""
    try:
        kept = await ask(interaction.client, WhatIsTheHouseEdge(game, rules), asker_of(interaction))
    except Sorry:
        return ""
    told = {word: _("{what} {edge}", what=_called(game, word), edge=share(edge, 2)) for word, edge in kept.items()}
    lines = list[str]()
    if Level.PERFECT in kept:
        lines.append(_("**House edge** · {edge} with best play", edge=share(kept[Level.PERFECT], 2)))
        lines.append(_("**What computer players lose here** · {edges}", edges=listed(told.values())))
        lines += _why_upset(kept)
    elif told:
        lines.append(_("**House edge** · {edges}", edges=listed(told.values())))
    if any(edge < 0 for edge in kept.values()):
        lines.append(_("Below zero, the player wins in the long run."))
    return "\n".join(lines)


def _why_upset(kept: Mapping[str, float]) -> list[str]:
    """Return a note if experts (who play by a chart) lose more than amateurs (who only hit up to 16), else nothing."""
    if kept[Level.EXPERT] <= kept[Level.AMATEUR]:
        return []
    return [
        _(
            "-# Amateurs do better here than experts, whose chart is made for a dealer who draws to 17: this one "
            "chases the highest hand, so standing on a low one loses."
        )
    ]


def _called(game: str, word: str) -> str:
    """Return the name of a spot, an answer or a level as its key has it; without such a key, return the word itself."""
    cap = presentation(game).cap(word)
    return _(cap.label if cap is not None else str(word))


class RulesMenu(Press, template=r"rules:choose"):
    """The menu of rule sets (the first 25), which shows the chosen one in detail."""

    stands: ClassVar[Stands] = Stands.PERSONALLY

    @classmethod
    def of(cls, known: Sequence[tuple[str, str]], shown: tuple[str, str] | None = None) -> Self:
        options = [
            discord.SelectOption(label=name, description=_(game), value=f"{game} {name}", default=(game, name) == shown)
            for game, name in known[:25]
        ]
        return cls(ui.Select(custom_id=cls.carries.of(), options=options, placeholder=_("Read one in detail")))

    async def pressed(self, interaction: Interaction, reply: Reply) -> None:
        game, name = await _game_of(interaction, choice(interaction))
        await reply.redraw(await _rules(interaction, game, name))


class CompareKey(Press, template=r"rules:compare"):
    """The key that leads back to the page with all rule sets."""

    stands: ClassVar[Stands] = Stands.PERSONALLY

    async def pressed(self, interaction: Interaction, reply: Reply) -> None:
        await reply.redraw(await _compare(interaction))


async def setup(bot: Casino) -> None:
    take_up(bot, RulesMenu, CompareKey, OpenTableKey)
    await bot.add_cog(RulesCommand())
