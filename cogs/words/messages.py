"""``python -m cogs.words.messages [it]``: brings every catalogue up to date with the code, and begins a new one."""

from __future__ import annotations

import asyncio
import importlib
import pkgutil
import re
import sys
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import Any, Final

import discord
from babel import Locale
from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir, extract_from_file
from babel.messages.pofile import read_po, write_po
from discord import app_commands
from discord.ext import commands

import cogs
from cogs.words.catalogues import FOLDER, TRANSLATED, begun, file_of
from cogs.words.commands import OPTION
from data import Wrong

ROOT: Final = Path(cogs.__path__[0]).parent

_KEYWORDS: Final = {"_": None, "N_": None, "ngettext": (1, 2)}
_WIDTH: Final = 120
#: The head of a new catalogue. Its reviewers put their names there.
_HEAD: Final = """# Croupier in {language}.
# {translated}
# Reviewed by: nobody yet (not reviewed by a native speaker)."""


async def template() -> Catalog:
    """Return a catalogue of everything that people can read, in the source language."""
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
    """Return the tree of all commands, from a bot that never signs in."""
    bot = commands.Bot(command_prefix=(), intents=discord.Intents.none())
    vars(bot).update(presses=[], forms=[])  # which each module adds to
    for module in pkgutil.walk_packages(cogs.__path__, "cogs."):
        setup = getattr(importlib.import_module(module.name), "setup", None)
        if setup is not None and not module.name.startswith(cogs.LIVE):
            await setup(bot)
    return bot.tree


def in_commands(tree: app_commands.CommandTree[Any]) -> Iterator[tuple[str, str | None]]:
    """Yield each text to translate in the commands, with its context: `OPTION` for names of options, else None."""
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
    """Return the file of a catalogue, with its translations and exactly the messages of the template (`found`).

    The head of the file says what percentage of them is translated. The template gets the catalogue's creation date.
    """
    with file_of(code).open("rb") as text:
        catalogue = read_po(text, locale=code)
    found.creation_date = catalogue.creation_date
    catalogue.update(found, no_fuzzy_matching=True)
    catalogue.header_comment = re.sub(
        TRANSLATED.format("[0-9]+"), TRANSLATED.format(translated(catalogue)), catalogue.header_comment
    )
    return in_file(catalogue)


def translated(catalogue: Catalog) -> int:
    """Return the percentage of the messages of a catalogue that are translated: 100 only if none is missing."""
    messages = [message for message in catalogue if message.id]
    done = [message for message in messages if not message.fuzzy and all(_forms(message.string))]
    return 100 * len(done) // max(1, len(messages))


def _forms(string: Any) -> tuple[str, ...]:
    return (string,) if isinstance(string, str) else tuple(string or ("",))


def new(code: str, found: Catalog) -> bytes:
    """Return the file of a new catalogue, for a language that has no translation yet."""
    language = Locale.parse(code).english_name or code
    catalogue = Catalog(
        locale=code,
        header_comment=_HEAD.format(language=language, translated=TRANSLATED.format(0)),
        project="Croupier",
        version="1",
        creation_date=found.creation_date,
        revision_date=found.creation_date,
        last_translator="Croupier",
        language_team=language,
        charset="utf-8",
        fuzzy=False,
    )
    catalogue.msgid_bugs_address = ""
    catalogue.update(found, no_fuzzy_matching=True)
    return in_file(catalogue)


def in_file(catalogue: Catalog) -> bytes:
    """Return a catalogue as the bytes of its file."""
    written = BytesIO()
    write_po(written, catalogue, width=_WIDTH, include_lineno=False, sort_by_file=True, ignore_obsolete=True)
    return written.getvalue()


def main() -> None:
    found = asyncio.run(template())
    for code in sys.argv[1:]:
        if code not in begun():
            file = file_of(code)
            text = new(code, found)
            file.parent.mkdir(exist_ok=True)
            file.write_bytes(text)
    for code in begun():
        file_of(code).write_bytes(renewed(code, found))
        print(file_of(code).relative_to(FOLDER.parents[2]))


if __name__ == "__main__":
    main()
