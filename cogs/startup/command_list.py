"""Registers the bot's commands if they have changed or Discord lists others. Discord limits how often that is done."""

from __future__ import annotations

import hashlib
import json
import logging
from typing import TYPE_CHECKING, Any, Final

from discord import app_commands

from cogs.words.commands import CommandTranslator
from data import Note
from engine.games.registry import GAMES

if TYPE_CHECKING:
    from data import Bank
    from engine.tables.ports import Clock

log = logging.getLogger(__name__)

#: The kind of note that holds the fingerprint of the list last registered.
_KIND: Final = "commands"
#: Commands that simulate gambling; `Duel` is the one after a right click.
_FOR_ADULTS: Final = frozenset({*GAMES, "elimination", "tournament", "duel", "Duel"})


async def tell_discord(tree: app_commands.CommandTree[Any], bank: Bank, clock: Clock) -> None:
    """Register the commands if they have changed or Discord lists others; if not, this costs one request.

    Only one process at a time may call it.
    """
    await tree.set_translator(translator := CommandTranslator())
    stored = await bank.notes.of(_KIND)
    fingerprint = await _fingerprint(tree, translator)
    if [note.values["fingerprint"] for note in stored] == [fingerprint] and await _knows_them_all(tree):
        return
    listed = await tree.sync()
    log.info("registered %d commands at Discord", len(listed))
    for note in stored:
        await bank.notes.drop(_KIND, note.name)
    await bank.notes.keep(Note(_KIND, str(clock.now()), {"fingerprint": fingerprint}))


def restrict_to_adults(tree: app_commands.CommandTree[Any]) -> None:
    """Have Discord offer the games to adults only, in channels that are marked as age-restricted.

    `cogs.table.opening.refuse_unrestricted_channel` refuses keys that open a table or ask for a duel elsewhere.
    """
    for command in tree.get_commands():
        if command.name in _FOR_ADULTS:
            command.nsfw = True


async def _fingerprint(tree: app_commands.CommandTree[Any], translator: app_commands.Translator) -> str:
    payload = [await command.get_translated_payload(tree, translator) for command in tree.get_commands()]
    return hashlib.sha256(json.dumps(payload, sort_keys=True).encode()).hexdigest()


async def _knows_them_all(tree: app_commands.CommandTree[Any]) -> bool:
    """Return whether Discord lists exactly the commands of this release, by name.

    The stored fingerprint cannot tell: somebody may have emptied the list, or another bot may have used the database.
    """
    listed = {command.name for command in await tree.fetch_commands()}
    return listed == {command.name for command in tree.get_commands()}
