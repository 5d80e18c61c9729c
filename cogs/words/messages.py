"""``python -m cogs.words.messages``: brings every catalogue up to date with the code and the commands."""

from __future__ import annotations

import asyncio
import importlib
import pkgutil
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import Any, Final

import discord
from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir, extract_from_file
from babel.messages.pofile import read_po, write_po
from discord import app_commands
from discord.ext import commands

import cogs
from cogs.words.catalogues import FOLDER, SOURCE, codes, file_of
from cogs.words.commands import OPTION
from data import Wrong

ROOT: Final = Path(cogs.__path__[0]).parent

_KEYWORDS: Final = {"_": None, "N_": None, "ngettext": (1, 2)}
_WIDTH: Final = 120


async def template() -> Catalog:
    """Return everything that people can read, in the source language."""
    found = Catalog(charset="utf-8")
    for wrong in Wrong:
        found.add(wrong.value, locations=[("the auditor", 0)])
    for file, message in _in_code():
        found.add(message, locations=[(file, 0)])
    for text, context in in_commands(await command_tree()):
        found.add(text, context=context, locations=[("commands", 0)])
    return found


def _in_code() -> Iterator[tuple[str, Any]]:
    for message in extract_from_file("python", ROOT / "bot.py", keywords=_KEYWORDS):
        yield "bot.py", message[1]
    for found in extract_from_dir(ROOT / "cogs", [("**.py", "python")], keywords=_KEYWORDS):
        yield f"cogs/{Path(found[0]).as_posix()}", found[2]


async def command_tree() -> app_commands.CommandTree[Any]:
    """Return every command, from a bot that never signs in."""
    bot = commands.Bot(command_prefix=(), intents=discord.Intents.none())
    for module in pkgutil.walk_packages(cogs.__path__, "cogs."):
        if not module.name.startswith("cogs.background.") and hasattr(importlib.import_module(module.name), "setup"):
            await bot.load_extension(module.name)
    return bot.tree


def in_commands(tree: app_commands.CommandTree[Any]) -> Iterator[tuple[str, str | None]]:
    """Yield the texts that Discord shows of the commands. Option names have a context of their own."""
    for command in tree.walk_commands(type=discord.AppCommandType.chat_input):
        yield command.description, None
        for option in command.parameters if isinstance(command, app_commands.Command) else ():
            yield option.name, OPTION
            yield str(option.description), None
            for choice in option.choices:
                yield choice.name, None
    for kind in (discord.AppCommandType.user, discord.AppCommandType.message):
        for menu in tree.get_commands(type=kind):
            yield menu.name, None


def renewed(code: str, found: Catalog) -> bytes:
    """Return the catalogue with exactly the messages of the template; translations stay."""
    with file_of(code).open("rb") as text:
        catalogue = read_po(text, locale=code)
    found.creation_date = catalogue.creation_date
    catalogue.update(found, no_fuzzy_matching=True)
    written = BytesIO()
    write_po(written, catalogue, width=_WIDTH, include_lineno=False, sort_by_file=True, ignore_obsolete=True)
    return written.getvalue()


def main() -> None:
    found = asyncio.run(template())
    for code in codes():
        if code != SOURCE:
            file_of(code).write_bytes(renewed(code, found))
            print(file_of(code).relative_to(FOLDER.parents[2]))


if __name__ == "__main__":
    main()
