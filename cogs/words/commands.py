"""What Discord shows of the commands while somebody types them, in each language that the casino speaks.

Commands have one name in all languages, because sentences name them; what is picked in a menu of Discord's,
descriptions, options and choices are translated.
"""

from __future__ import annotations

from typing import Any, Final

import discord
from discord import app_commands
from discord.app_commands import TranslationContextLocation as Location

from cogs.words.catalogues import SOURCE, catalogue, codes

#: The context of an option's name in the catalogues: such a name is one small word, which sentences write otherwise.
OPTION: Final = "option"


class CommandTranslator(app_commands.Translator):
    """Reads the catalogues; what they lack stays as it is."""

    async def translate(
        self,
        string: app_commands.locale_str,
        locale: discord.Locale,
        context: app_commands.TranslationContext[Any, Any],
    ) -> str | None:
        code = locale.value.partition("-")[0]
        if code == SOURCE or code not in codes() or _is_typed(context):
            return None
        words = catalogue(code)
        said = (
            words.pgettext(OPTION, string.message)
            if context.location is Location.parameter_name
            else words.gettext(string.message)
        )
        return said if said != string.message else None


def _is_typed(context: app_commands.TranslationContext[Any, Any]) -> bool:
    """Whether it is the name of a command that people type, no entry of a menu."""
    named = context.location in (Location.command_name, Location.group_name)
    return named and not isinstance(context.data, app_commands.ContextMenu)
