"""Sends suggestions while somebody types an option. If none come, the command itself says later what is wrong."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterator
from typing import Any, Final, cast

from discord import app_commands

from cogs.answers.client import Interaction
from cogs.answers.serving import is_our_fault
from cogs.answers.time_limits import LOST
from cogs.words.refusals import Sorry
from engine.tables.ports import BankError, OutcomeUnknown
from engine.tables.refused import Refused

log = logging.getLogger(__name__)

#: Seconds for which Discord waits for suggestions.
IN_TIME: Final = 3.0


async def suggest(interaction: Interaction, *, hasty: bool) -> None:
    """Send suggestions that fit the text so far, or none if the person types too fast or the bank does not answer.

    Errors are only logged. discord.py would report an answer that is late or lost as an error, and neither people nor
    operators could do anything about it.
    """
    try:
        async with asyncio.timeout(IN_TIME):
            if not hasty:
                await _suggested(interaction)
            if not interaction.response.is_done():
                await interaction.response.autocomplete([])
    except Exception as error:
        if isinstance(error, LOST) and not is_our_fault(error):
            log.info("suggestions came too late: %s", error)
        else:
            log.exception("nothing could be suggested")


async def _suggested(interaction: Interaction) -> None:
    """Let the command suggest, as discord.py would, unless the command or its option is gone. If the bank or a rule
    refuses, only log it.
    """
    command, data = interaction.command, cast(dict[str, Any], interaction.data)
    typed = next(_typed_in(data.get("options")), None)
    if typed is None or not isinstance(command, app_commands.Command):
        return
    try:
        await command._invoke_autocomplete(interaction, typed, interaction.namespace)
    except (BankError, OutcomeUnknown, Refused, Sorry, app_commands.AppCommandError) as error:
        log.info("nothing is suggested: %s", error)


def _typed_in(options: Any) -> Iterator[str]:
    """Yield the name of the option in which somebody types, also within groups of commands."""
    for option in options or ():
        if option.get("focused"):
            yield option["name"]
        yield from _typed_in(option.get("options"))
