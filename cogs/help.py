"""/help: the commands, and how to begin."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping
from typing import Any, ClassVar, Final
from weakref import WeakKeyDictionary

import discord
from discord import app_commands, ui
from discord.ext import commands

from cogs.answers.client import Casino, Interaction
from cogs.answers.links import links
from cogs.answers.panel import panel
from cogs.answers.sections import HEADINGS, Command, Section, reading_order, section_of
from cogs.answers.serving import LOST, Press, Reply, serving, take_up
from cogs.table.keys import SHARED_TOLD
from cogs.table.presentation import presentation
from cogs.words import N_, _
from engine.games.registry import GAMES

log = logging.getLogger(__name__)

#: The page that explains the buttons of a table.
_BUTTONS: Final = "buttons"
#: Keys in a row of a phone.
_ABREAST: Final = 3

#: The section for members who may manage the server.
_FOR_MANAGERS: Final = frozenset({"casino", "tournament schedule", "tournament move", "tournament cancel"})


class Help(commands.Cog):
    """The command /help."""

    @app_commands.command(description="What you can do here, and how to start")
    @app_commands.allowed_contexts(guilds=True, dms=True)
    async def help(self, interaction: Interaction) -> None:
        """Explain the casino and its commands."""
        async with serving(interaction) as reply:
            await reply.show(await _overview(interaction))


async def _overview(interaction: Interaction) -> ui.LayoutView:
    """Return all commands by name, short enough for a phone. Each key below it shows more."""
    ids = await _ids_of(interaction)
    begin = _(
        "Start with {blackjack}, then just press buttons. You play for this server's own chips: no real money, "
        "anywhere.",
        blackjack=_clickable("blackjack", ids),
    )
    lines = (
        _("**{heading}** {commands}", heading=_(heading), commands=" ".join(_names(interaction, section, ids)))
        for section, heading in _shown(interaction).items()
    )
    return panel(_("Croupier"), begin, "\n".join(lines), rows=_keys(interaction) + links(interaction.client))


async def _page(interaction: Interaction, name: str) -> ui.LayoutView:
    """Return one section: what each command does, or what the keys of a table mean."""
    if name == _BUTTONS:
        return panel(_("Buttons"), *_buttons_text(), rows=_keys(interaction, name), divided=True)
    section, ids = next((each for each in _shown(interaction) if each == name), None), await _ids_of(interaction)
    if section is None:
        return await _overview(interaction)
    lines = [
        _("{command} {what}", command=" ".join(_clickables(interaction, command, ids)), what=_(command.description))
        for command in _commands(interaction, section)
    ]
    return panel(_(HEADINGS[section]), "\n".join(lines), rows=_keys(interaction, name))


def _buttons_text() -> Iterator[str]:
    for name in (*GAMES, "elimination"):
        yield _(presentation(name).keys_text)
    yield _(SHARED_TOLD)


def _keys(interaction: Interaction, shown: str = "") -> list[list[ui.Item[Any]]]:
    sections = {str(section): heading for section, heading in _shown(interaction).items()}
    keys: list[ui.Item[Any]] = [
        HelpKey.button(_(heading), enabled=name != shown, page=name)
        for name, heading in (sections | {_BUTTONS: N_("Buttons")}).items()
    ]
    return [keys[start : start + _ABREAST] for start in range(0, len(keys), _ABREAST)]


class HelpKey(Press, template=r"help:(?P<page>[a-z]{1,12})"):
    """Shows one section of the help in place of what is there."""

    in_dms: ClassVar[bool] = True

    page: str

    async def pressed(self, interaction: Interaction, reply: Reply) -> None:
        await reply.redraw(await _page(interaction, self.page))


# -- which commands ----------------------------------------------------------------------------------------------------


def _shown(interaction: Interaction) -> Mapping[Section, str]:
    """Return the sections that have a command for this person, with their headings."""
    return {section: heading for section, heading in HEADINGS.items() if _commands(interaction, section)}


def _commands(interaction: Interaction, section: Section) -> list[Command]:
    tree: app_commands.CommandTree[Any] = interaction.client.tree
    known = tree.get_commands(type=discord.AppCommandType.chat_input)
    here = [each for each in known if section_of(each) is section and _may(interaction, each.name)]
    return sorted(here, key=reading_order)


def _may(interaction: Interaction, name: str) -> bool:
    return interaction.permissions.manage_guild or name not in _FOR_MANAGERS


def _names(interaction: Interaction, section: Section, ids: Mapping[str, int]) -> Iterator[str]:
    for command in _commands(interaction, section):
        yield from _clickables(interaction, command, ids)


def _clickables(interaction: Interaction, command: Command, ids: Mapping[str, int]) -> Iterator[str]:
    """Return the command or, of a group, each command in it, because the group itself cannot be clicked."""
    if not isinstance(command, app_commands.Group):
        yield _clickable(command.name, ids)
        return
    for part in command.commands:
        if _may(interaction, part.qualified_name):
            yield _clickable(part.qualified_name, ids)


def _clickable(name: str, ids: Mapping[str, int]) -> str:
    number = ids.get(name.partition(" ")[0])
    return f"</{name}:{number}>" if number is not None else f"`/{name}`"


#: Discord's id of each command by its name, asked for once by each bot.
_ids: Final[WeakKeyDictionary[Casino, Mapping[str, int]]] = WeakKeyDictionary()


async def _ids_of(interaction: Interaction) -> Mapping[str, int]:
    """Return Discord's ids of the commands. Without them the commands are named, but cannot be clicked."""
    casino = interaction.client
    if casino not in _ids:
        tree: app_commands.CommandTree[Any] = casino.tree
        try:
            _ids[casino] = {command.name: command.id for command in await tree.fetch_commands()}
        except LOST as error:
            log.info("what Discord calls the commands is not known: %s", error)
            return {}
    return _ids[casino]


async def setup(bot: Casino) -> None:
    take_up(bot, HelpKey)
    await bot.add_cog(Help())
