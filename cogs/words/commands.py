"""The texts that Discord shows of commands while somebody types, in every language.

A command has one name in all languages, because sentences name it. Entries of Discord's menus, descriptions, options
and choices are translated.
"""

from __future__ import annotations

from typing import Any, Final

import discord
from discord import app_commands
from discord.app_commands import TranslationContextLocation as Location

from cogs.words.catalogues import catalogue, codes

#: The context of option names in the catalogues. A name is one lower-case word, and may be translated differently.
OPTION: Final = "option"


class CommandTranslator(app_commands.Translator):
    """A translator that takes texts from the catalogues. A text that they lack stays as it is."""

    async def translate(
        self,
        string: app_commands.locale_str,
        locale: discord.Locale,
        context: app_commands.TranslationContext[Any, Any],
    ) -> str | None:
        code = locale.value.partition("-")[0]
        if code not in codes() or _is_typed(context):
            return None
        words = catalogue(code)
        said = (
            words.pgettext(OPTION, string.message)
            if context.location is Location.parameter_name
            else words.gettext(string.message)
        )
        return said if said != string.message else None


def _is_typed(context: app_commands.TranslationContext[Any, Any]) -> bool:
    """Return whether the text is the name of a typed command, not of a menu entry."""
    named = context.location in (Location.command_name, Location.group_name)
    return named and not isinstance(context.data, app_commands.ContextMenu)
