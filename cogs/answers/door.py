"""The one door: where a press or a form comes from is checked here, for tables, tournaments, panels and menus.

A custom_id is only what somebody sent. That it was pressed in the right server, on a message of ours, and by the person
whom that message is for, is known from what Discord says of the press.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager
from enum import Enum, auto
from typing import Any, Final

import discord

from cogs.answers.client import Interaction
from cogs.table.presentation import Presentation
from cogs.words import _
from cogs.words.refusals import Sorry
from engine.tables.refused import Reason, Refused
from engine.tables.state import TableState
from engine.tables.table import Table
from engine.tournament.view import TournamentView

#: So many seconds' presses may come at once.
BURST: Final = 10.0
#: So many people are remembered, those who were heard of last.
MOST: Final = 10_000


class Pace:
    """How fast one person may press, so that nobody keeps the casino from the others: `a_second` presses in the long
    run; 0: as fast as people like."""

    def __init__(self, a_second: float) -> None:
        self._a_second = a_second
        self._used: dict[int, tuple[float, float]] = {}  # by person: presses that count against them, and since when

    def admits(self, user: int, now: float) -> bool:
        """Whether one more press of this person is served; it counts only if it is."""
        if not self._a_second:
            return True
        used, since = self._used.pop(user, (0.0, now))
        used = max(0.0, used - (now - since) * self._a_second)
        served = used + 1 <= BURST * self._a_second
        while len(self._used) >= MOST:
            del self._used[next(iter(self._used))]
        self._used[user] = used + served, now
        return served


class Stands(Enum):
    """On which messages a button, a menu or what opens a form stands."""

    #: On a message that only one person sees, as long as it has the button.
    PRIVATELY = auto()
    #: On a message that everybody sees, as long as it has the button.
    OPENLY = auto()
    #: On messages of a table or a tournament, which says itself where it is: `at_table` and the like ask for that.
    AT_ITS_TABLE = auto()


def misplaced() -> Sorry:
    return Sorry(_("That button doesn't belong here. Nothing was changed."))


def refuse_elsewhere(interaction: Interaction, stands: Stands, *, in_dms: bool = False) -> None:
    """Refuse what comes too fast, from no server, from a message that is not ours, or from one for somebody else."""
    if not interaction.client.pace.admits(interaction.user.id, asyncio.get_running_loop().time()):
        raise slower()
    if not in_dms:
        server_of(interaction)
    message = interaction.message
    if message is None:
        if stands is Stands.AT_ITS_TABLE:
            return  # a form may come without the message that it was opened from
        raise misplaced()
    me = interaction.client.user
    if me is None or message.author.id != me.id:
        raise misplaced()
    pressed = interaction.type is discord.InteractionType.component
    if pressed and stands is not Stands.AT_ITS_TABLE and not _has(message, interaction.custom_id):
        raise misplaced()
    if stands is Stands.PRIVATELY:
        _refuse_others(interaction, message)


def slower() -> Sorry:
    return Sorry(_("Too fast! Nothing was changed. Wait a moment."))


def not_installed() -> Sorry:
    return Sorry(_("I am not on this server, so I can keep no chips here. Somebody who manages it can invite me."))


def server_of(interaction: Interaction) -> int:
    """The server that the interaction comes from; chips and tables are a server's."""
    if interaction.guild_id is None:
        raise Sorry(_("That only works on a server: each one has its own chips and tables."))
    return interaction.guild_id


@asynccontextmanager
async def at_table(
    interaction: Interaction, number: int, *, form: bool = False
) -> AsyncIterator[tuple[Table, Presentation]]:
    """The open table of a press on its message, or of a form: it may have gone on in another message while that was
    filled in. While a message of it is on its way, the press waits for it; meanwhile nothing else draws the table."""
    casino, guild, user, message = interaction.client, server_of(interaction), interaction.user.id, interaction.message
    table = await casino.registry.reach(guild, number)
    if table is None:
        raise Refused(Reason.TABLE_CLOSED)
    if table.state.guild != guild:
        raise misplaced()
    with casino.presenter.held(table) as display:
        await display.arrived.wait()
        here = interaction.channel_id == table.state.channel
        if not here or not (form or (message is not None and message.id == table.state.message)):
            await _recognise(interaction, table)
        presentation = display.presentation
        greeting = await presentation.greet(table, user, interaction.id) if presentation.greet is not None else ""
        try:
            yield table, presentation
        except Refused as refused:
            if greeting:
                raise Sorry(greeting) from refused
            raise presentation.explain(refused, table.snapshot(), user) from refused


async def _recognise(interaction: Interaction, table: Table) -> None:
    """A message that the table does not know: an old one, or one whose arrival was never told."""
    state, message = table.state, interaction.message
    lost = message is not None and state.message is None and interaction.channel_id == state.channel
    if message is None or not lost or not _has(message, interaction.custom_id):
        raise Sorry(_("Nothing was changed. This table goes on [in a newer message]({link}).", link=link(state)))
    await interaction.client.presenter.became(table, message.id)


async def tournament_of(interaction: Interaction, number: int) -> TournamentView:
    """The tournament of a press or a command: one of this server, and pressed in its own channel."""
    view = await interaction.client.director.view(number)
    if view.state.guild != server_of(interaction):
        raise Refused(Reason.NO_SUCH_TOURNAMENT)
    if interaction.message is not None and interaction.channel_id != view.state.channel:
        raise misplaced()
    return view


def link(state: TableState) -> str:
    """Where the table is, to be clicked on. Its channel, while it has no message."""
    if state.message is None:
        return f"<#{state.channel}>"
    return f"https://discord.com/channels/{state.guild}/{state.channel}/{state.message}"


# -- messages ----------------------------------------------------------------------------------------------------------


def _refuse_others(interaction: Interaction, message: discord.Message) -> None:
    asked = message.interaction_metadata
    if not message.flags.ephemeral:
        raise misplaced()
    if asked is not None and asked.user.id != interaction.user.id:
        raise Sorry(_("That was meant for somebody else. Nothing was changed."))


def _has(message: discord.Message, custom_id: str | None) -> bool:
    return any(getattr(part, "custom_id", None) == custom_id for part in _parts(message.components))


def _parts(components: Sequence[Any]) -> Iterator[Any]:
    for component in components:
        yield component
        yield from _parts(getattr(component, "children", ()))
