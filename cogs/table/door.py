"""The door of tables: where a press on a table comes from, and which table it is for."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from cogs.answers.client import Interaction
from cogs.answers.door import has, misplaced
from cogs.answers.here import here
from cogs.table.presentation import Presentation
from cogs.words import _
from cogs.words.refusals import Sorry
from engine.tables.refused import Reason, Refused
from engine.tables.state import TableState
from engine.tables.table import Table


@asynccontextmanager
async def at_table(
    interaction: Interaction, number: int, *, form: bool = False
) -> AsyncIterator[tuple[Table, Presentation]]:
    """Yield table `number` and its presentation. Hold back other edits of the table's message while the block runs.

    Refuse a table that is closed or on another server, and a press on a message that is not the table's newest. A
    `form` may be on an older one, because the table may go on while people fill it in. At an elimination table, a press
    of an absent player first brings that player back, with a greeting. If the block then raises Refused, raise Sorry
    with the greeting instead. Without a greeting, raise the refusal in the words of the game.
    """
    casino, guild, user, message = interaction.client, here(interaction).guild, interaction.user.id, interaction.message
    table = await casino.registry.reach(guild, number)
    if table is None:
        raise Refused(Reason.TABLE_CLOSED)
    if table.state.guild != guild:
        raise misplaced()
    with casino.presenter.held(table) as display:
        await display.arrived.wait()
        in_channel = interaction.channel_id == table.state.channel
        if not in_channel or not (form or (message is not None and message.id == table.state.message)):
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
    """Accept a message whose arrival Discord never confirmed. Refuse an old one, with a link to the newest."""
    state, message = table.state, interaction.message
    lost = message is not None and state.message is None and interaction.channel_id == state.channel
    if message is None or not lost or not has(message, interaction.custom_id):
        raise Sorry(_("Nothing was changed. This table goes on [in a newer message]({link}).", link=link(state)))
    await interaction.client.presenter.became(table, message.id)


def link(state: TableState) -> str:
    """Return a link to the table's message, or to its channel while it has none."""
    if state.message is None:
        return f"<#{state.channel}>"
    return f"https://discord.com/channels/{state.guild}/{state.channel}/{state.message}"
