"""/help: the commands, and how to begin."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any, ClassVar, Final

import discord
from discord import app_commands, ui
from discord.ext import commands

from cogs.answers.anywhere import anywhere, is_anywhere
from cogs.answers.clickable import linked, links_of
from cogs.answers.client import Casino, Interaction
from cogs.answers.door import Stands
from cogs.answers.links import links
from cogs.answers.panel import Rows, in_rows, panel
from cogs.answers.press import Press, take_up
from cogs.answers.reply import Reply
from cogs.answers.sections import HEADINGS, Command, Section, is_for_managers, reading_order, section_of
from cogs.answers.serving import serving
from cogs.care.keys import CareKey
from cogs.table.keys import SHARED_KEYS
from cogs.table.presentation import presentation
from cogs.words import N_, _
from engine.games.registry import GAMES

log = logging.getLogger(__name__)

#: The name of the page that explains the buttons of a table.
_BUTTONS: Final = "buttons"


class HelpCommand(commands.Cog):
    """The command /help."""

    @app_commands.command(description="What you can do here, and how to start")
    @anywhere
    async def help(self, interaction: Interaction) -> None:
        """Explain the casino and its commands."""
        async with serving(interaction) as reply:
            await reply.show(await _overview(interaction))


async def _overview(interaction: Interaction) -> ui.LayoutView:
    """Return the page with the names of all commands that this person can use here. Its keys lead to the sections."""
    known = await links_of(interaction.client)
    begin = _begin(interaction, linked("blackjack", known))
    lines = (
        _("**{heading}** {commands}", heading=_(heading), commands=" ".join(_names(interaction, section, known)))
        for section, heading in _shown(interaction).items()
    )
    rows: Rows = [*in_rows([*_keys(interaction), CareKey.of()]), *links(interaction.client)]
    return panel(_("Croupier"), begin, "\n".join(lines), rows=rows)


def _begin(interaction: Interaction, blackjack: str) -> str:
    if interaction.guild_id is None:
        return _("Tables and chips are on servers: `/blackjack` starts there. This works here:")
    return _(
        "Start with {blackjack}, then just press buttons. You play for this server's own chips: no real money, "
        "anywhere.",
        blackjack=blackjack,
    )


async def _page(interaction: Interaction, name: str) -> ui.LayoutView:
    """Return the page of one section: what its commands do, or what the buttons of tables mean.

    A section that has nothing for this person leads to the overview.
    """
    if name == _BUTTONS:
        texts = (_(presentation(game).keys_text) for game in (*GAMES, "elimination"))
        return panel(_("Buttons"), *texts, _(SHARED_KEYS), rows=in_rows(_keys(interaction, name)), divided=True)
    known = await links_of(interaction.client)
    section = next((each for each in _shown(interaction) if each == name), None)
    if section is None:
        return await _overview(interaction)
    lines = [
        _(
            "{command} {what}",
            command=" ".join(_clickables(interaction, command, known)),
            what=_(command.description),
        )
        for command in _commands(interaction, section)
    ]
    return panel(_(HEADINGS[section]), "\n".join(lines), rows=in_rows(_keys(interaction, name)))


def _keys(interaction: Interaction, shown: str = "") -> list[ui.Item[Any]]:
    sections = {str(section): heading for section, heading in _shown(interaction).items()}
    return [
        HelpKey.button(_(heading), enabled=name != shown, page=name)
        for name, heading in (sections | {_BUTTONS: N_("Buttons")}).items()
    ]


class HelpKey(Press, template=r"help:(?P<page>[a-z]{1,12})"):
    """The key that shows one section of the help in place of the page that it is on."""

    stands: ClassVar[Stands] = Stands.PERSONALLY

    page: str

    async def pressed(self, interaction: Interaction, reply: Reply) -> None:
        await reply.redraw(await _page(interaction, self.page))


# -- which commands ----------------------------------------------------------------------------------------------------


def _shown(interaction: Interaction) -> Mapping[Section, str]:
    """Return the sections that have a command for this person here, with their headings."""
    return {section: heading for section, heading in HEADINGS.items() if _commands(interaction, section)}


def _commands(interaction: Interaction, section: Section) -> list[Command]:
    tree: app_commands.CommandTree[Any] = interaction.client.tree
    known = tree.get_commands(type=discord.AppCommandType.chat_input)
    works: Callable[[Command], bool] = is_anywhere if interaction.guild_id is None else partial(_may, interaction)
    here = [each for each in known if section_of(each) is section and works(each)]
    return sorted(here, key=reading_order)


def _may(interaction: Interaction, command: Command) -> bool:
    return interaction.permissions.manage_guild or not is_for_managers(command)


def _names(interaction: Interaction, section: Section, links: Mapping[str, str]) -> Iterator[str]:
    for command in _commands(interaction, section):
        yield from _clickables(interaction, command, links)


def _clickables(interaction: Interaction, command: Command, links: Mapping[str, str]) -> Iterator[str]:
    """Yield the link of a command or, for a group, of each command in it that this person can use. The group itself
    cannot be clicked.
    """
    if not isinstance(command, app_commands.Group):
        yield linked(command.name, links)
        return
    for part in command.commands:
        if _may(interaction, part):
            yield linked(part.qualified_name, links)


async def setup(bot: Casino) -> None:
    take_up(bot, HelpKey)
    await bot.add_cog(HelpCommand())
