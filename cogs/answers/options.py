"""Types for options of commands: a choice from an enum, and a text with suggestions."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable
from enum import Enum
from typing import Any

from discord import app_commands

from cogs.answers.client import Interaction

Choices = list[app_commands.Choice[Any]]


class OneOf(app_commands.Transformer):
    """An option that is a member of an enum. Discord lists these members, each by its `label`."""

    def __init__(self, members: Iterable[Enum], label: Callable[[Any], str] = str) -> None:
        self._members = {member.value: member for member in members}
        self._choices: Choices = [app_commands.Choice(name=label(member), value=member.value) for member in members]

    @property
    def choices(self) -> Choices:
        """The list that Discord shows."""
        return self._choices

    async def transform(self, interaction: Any, value: Any, /) -> Any:
        """Return the enum's member that was chosen, or raise KeyError for a value that is not on Discord's list."""
        return self._members[value]


class Suggested(app_commands.Transformer):
    """An option that is a text, with suggestions while it is typed."""

    def __init__(self, suggest: Callable[[Interaction, str], Awaitable[Choices]]) -> None:
        self._suggest = suggest

    async def transform(self, interaction: Any, value: Any, /) -> Any:
        """Return the text as it was typed.

        The command looks it up itself, so that a refusal is in the member's language.
        """
        return value

    async def autocomplete(self, interaction: Any, value: Any, /) -> Choices:
        """Return suggestions that fit the text so far."""
        return await self._suggest(interaction, str(value))
