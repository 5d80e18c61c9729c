"""Turns the commands that a text names into links that can be clicked."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from discord import app_commands

from cogs.answers.anywhere import is_anywhere
from cogs.answers.client import Casino
from cogs.answers.time_limits import LOST
from cogs.words import READER

log = logging.getLogger(__name__)

#: A command as sentences name it, such as `/daily` or `/casino settings`.
_NAMED: Final = re.compile(r"`/(?P<name>[a-z]+(?: [a-z]+)?)`")


class CommandLinks:
    """Discord's links to the bot's commands, by the command's name. There are none before `learn` has succeeded."""

    def __init__(self) -> None:
        #: The links to all commands.
        self.on_servers: Mapping[str, str] = {}
        #: The links to those commands that also work without a server.
        self.anywhere: Mapping[str, str] = {}

    async def learn(self, tree: app_commands.CommandTree[Any]) -> None:
        """Ask Discord for the ids of the commands, unless they are known. If that fails, texts name commands without
        links.
        """
        if self.on_servers:
            return
        try:
            ids = {command.name: command.id for command in await tree.fetch_commands()}
        except LOST as error:
            log.info("what Discord calls the commands is not known: %s", error)
            return
        self.on_servers = dict(_links(tree, ids))
        self.anywhere = {name: link for name, link in self.on_servers.items() if is_anywhere(tree.get_command(name))}


def _links(tree: app_commands.CommandTree[Any], ids: Mapping[str, int]) -> Iterator[tuple[str, str]]:
    """Yield the name and the link of each command. Of a group only the commands in it can be clicked."""
    for command in tree.walk_commands():
        name = command.qualified_name
        number = ids.get(name.partition(" ")[0])
        if number is not None and not isinstance(command, app_commands.Group):
            yield name, f"</{name}:{number}>"


async def links_of(casino: Casino) -> Mapping[str, str]:
    """Return the links to all commands by name, or none if Discord does not answer.

    Discord is asked only if the links are not known yet.
    """
    await casino.command_links.learn(casino.tree)
    return casino.command_links.on_servers


def clickable(text: str) -> str:
    """Return a text with links in place of the commands that it names, as far as the current reader can use them."""
    links = READER.get().commands
    return _NAMED.sub(lambda found: links.get(found["name"], found[0]), text) if links else text


def linked(name: str, links: Mapping[str, str]) -> str:
    """Return a command as a link, or only its name if its id is not known."""
    return links.get(name, f"`/{name}`")
