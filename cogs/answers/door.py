"""The door: the check of where a press or a form comes from, for tables, tournaments, panels and menus.

Anybody can send any custom_id. Only what Discord says of a press proves that it was made on the right server, on a
message of ours, and by the person whom the message is for.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from enum import Enum, auto
from typing import Any, Final

import discord

from cogs.answers.client import Interaction
from cogs.answers.here import here
from cogs.words import _
from cogs.words.refusals import Sorry

#: The most presses that one person may make at once, in seconds of the rate: thirty at three a second.
BURST: Final = 10.0
#: The most people whose presses are remembered. Those who pressed longest ago are forgotten first.
MOST: Final = 10_000


class Pace:
    """A limit on the presses and commands of each person, so that nobody slows the casino for others.

    `a_second` is the rate in the long run; 0 sets no limit.
    """

    def __init__(self, a_second: float) -> None:
        self._a_second = a_second
        self._used: dict[int, tuple[float, float]] = {}  # each person's counted presses, and the time of the count

    def admits(self, user: int, now: float) -> bool:
        """Return whether one more press of this person is served at `now` (in seconds), and count it if so."""
        if not self._a_second:
            return True
        used, since = self._used.pop(user, (0.0, now))
        used = max(0.0, used - (now - since) * self._a_second)
        served = used + 1 <= max(1.0, BURST * self._a_second)
        while len(self._used) >= MOST:
            del self._used[next(iter(self._used))]
        self._used[user] = used + served, now
        return served


class Stands(Enum):
    """The kinds of messages that a button or a menu may be on, or that a form may have been opened from."""

    #: A message that only one person sees, as long as it has the button.
    PRIVATELY = auto()
    #: A message that only one person sees, about what is their own and needs no server. Such buttons also work in
    #: direct messages, and anywhere for people who installed the app for themselves.
    PERSONALLY = auto()
    #: A message that everybody sees, as long as it has the button.
    OPENLY = auto()
    #: A message of a table or a tournament, or none for a form that a command opened. Tables check the message
    #: themselves, see `at_table`.
    AT_ITS_TABLE = auto()


def misplaced() -> Sorry:
    return Sorry(_("That button doesn't belong here. Nothing was changed."))


def refuse_elsewhere(interaction: Interaction, stands: Stands) -> None:
    """Raise Sorry for a press or a form that comes too fast, or from a place or a message that `stands` does not allow.

    The message must be the bot's and be for this person, as far as `stands` asks for that. For a press it must also
    still have the button. Each call counts as a press.
    """
    if not interaction.client.pace.admits(interaction.user.id, asyncio.get_running_loop().time()):
        raise slower()
    if stands is not Stands.PERSONALLY:
        here(interaction)
    message = interaction.message
    if message is None:
        if stands is Stands.AT_ITS_TABLE:
            return  # a form may come without the message that it was opened from
        raise misplaced()
    me = interaction.client.user
    if me is None or message.author.id != me.id:
        raise misplaced()
    pressed = interaction.type is discord.InteractionType.component
    if pressed and stands is not Stands.AT_ITS_TABLE and not has(message, interaction.custom_id):
        raise misplaced()
    if stands in (Stands.PRIVATELY, Stands.PERSONALLY):
        _refuse_others(interaction, message)


def slower() -> Sorry:
    return Sorry(_("Too fast! Nothing was changed. Wait a moment."))


def managers_only(interaction: Interaction) -> None:
    """Refuse people who may not manage the server. Discord hides the commands, but a server may show them, and old
    buttons stay.
    """
    if interaction.guild_id is None or not interaction.permissions.manage_guild:
        raise Sorry(_("You need the **Manage Server** permission for that."))


# -- messages ----------------------------------------------------------------------------------------------------------


def _refuse_others(interaction: Interaction, message: discord.Message) -> None:
    asked = message.interaction_metadata
    if not message.flags.ephemeral:
        raise misplaced()
    if asked is not None and asked.user.id != interaction.user.id:
        raise Sorry(_("That was meant for somebody else. Nothing was changed."))


def has(message: discord.Message, custom_id: str | None) -> bool:
    """Return whether a button or menu with this custom_id is on the message."""
    found = (getattr(part, "custom_id", None) for part in _parts(message.components))
    return custom_id is not None and custom_id in found


def _parts(components: Sequence[Any]) -> Iterator[Any]:
    for component in components:
        yield component
        yield from _parts(getattr(component, "children", ()))
