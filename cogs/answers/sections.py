"""The sections of `/help`. Each command names its own section, so that nobody has to keep a list of commands."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Any, Final

from discord import app_commands

from cogs.words import N_
from engine.games.registry import GAMES

_SECTION: Final = "section"
_MANAGERS: Final = "managers"

#: The `extras` of a command that only managers of the server may use, in a group of commands for everybody.
FOR_MANAGERS: Final[dict[Any, Any]] = {_MANAGERS: True}

#: A command, or a group of commands.
Command = app_commands.Command[Any, ..., Any] | app_commands.Group


class Section(StrEnum):
    """A section of `/help`. The sections are in the order of reading."""

    PLAY = "play"
    CHIPS = "chips"
    SKILL = "skill"
    TRUST = "trust"
    MANAGE = "manage"


#: The headings of the sections, which are also on the keys.
HEADINGS: Final[Mapping[Section, str]] = {
    Section.PLAY: N_("Play"),
    Section.CHIPS: N_("Chips"),
    Section.SKILL: N_("Skill"),
    Section.TRUST: N_("Trust"),
    Section.MANAGE: N_("Manage"),
}


def shown_in(section: Section) -> dict[Any, Any]:
    """Return the `extras` of a command that `/help` shows in this section."""
    return {_SECTION: section}


def section_of(command: Command) -> Section | None:
    """Return the section of `/help` that shows a command, or None if none does. Games are under Play."""
    return Section.PLAY if command.name in GAMES else command.extras.get(_SECTION)


def reading_order(command: Command) -> tuple[int, str]:
    """Return the key by which commands of a section are sorted: games in the order of the registry, the others
    by name.
    """
    games = list(GAMES)
    return games.index(command.name) if command.name in games else len(games), command.name


def is_for_managers(command: Command) -> bool:
    """Return whether a command says that only members who may manage the server can use it."""
    asked = command.default_permissions
    return _MANAGERS in command.extras or (asked is not None and asked.manage_guild)
