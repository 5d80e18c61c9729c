"""Opening of elimination tables, by the command or by Play again."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Final
from weakref import WeakValueDictionary

from cogs.answers.client import Interaction
from cogs.answers.door import server_of
from cogs.answers.serving import Reply
from cogs.table.door import link
from cogs.table.opening import or_not_at_all, refuse_closed_channel, refuse_other_channels, refuse_unthinking
from cogs.words import N_, _
from cogs.words.refusals import Sorry
from engine.elimination.terms import SEATS
from engine.games.computer import fresh_names
from engine.games.contract import Cents, Rules
from engine.tables.orders import GAME, EliminationOrder, Player
from engine.tables.values import Member

#: Locks by channel and person: the second of two simultaneous commands finds the table of the first.
_opening: Final[WeakValueDictionary[tuple[int | None, int], asyncio.Lock]] = WeakValueDictionary()


@dataclass(frozen=True, slots=True)
class EliminationRequest:
    """The table that a member asks for."""

    budget: Cents
    level: str
    rules_name: str
    rules: Rules


async def refuse_where_it_cannot_be(interaction: Interaction) -> None:
    """Refuse a channel in which no table can be opened."""
    refuse_closed_channel(interaction)
    await refuse_other_channels(interaction.client, interaction)


async def open_table(interaction: Interaction, reply: Reply, request: EliminationRequest) -> None:
    """Open a table for the member and three computer players, or show the one that they are playing at."""
    refuse_unthinking(interaction.client, GAME, request.level)
    async with _opening.setdefault((interaction.channel_id, interaction.user.id), asyncio.Lock()):
        if not await _is_here(interaction, reply):
            await _open(interaction, reply, await _order(interaction, request))


async def _order(interaction: Interaction, request: EliminationRequest) -> EliminationOrder:
    assert interaction.guild_id is not None
    assert interaction.channel_id is not None
    member = await interaction.client.bank.members.sign_in(interaction.guild_id, interaction.user.id)
    return EliminationOrder(
        press=interaction.id,
        guild=interaction.guild_id,
        channel=interaction.channel_id,
        rules_name=request.rules_name,
        rules=request.rules,
        budget=request.budget,
        players=_contenders(member, request.level),
        opener=interaction.user.id,
    )


def _contenders(opener: Member, level: str) -> tuple[Player, ...]:
    names = fresh_names(SEATS - 1, set())
    return Player(opener), *(Player(computer=name, level=level) for name in names)


async def _is_here(interaction: Interaction, reply: Reply) -> bool:
    """Post the member's table if it had no message yet, and return whether there was one.

    Raises Sorry if the table has a message, because a second table is not allowed.
    """
    assert interaction.channel_id is not None
    casino = interaction.client
    await casino.registry.present(server_of(interaction))
    table = casino.registry.elimination_of(interaction.channel_id, interaction.user.id)
    if table is None:
        return False
    await casino.presenter.arrived(table)
    if not casino.presenter.is_nowhere(table):
        if table.state.solo:
            text = N_("You are already playing at [a tournament table]({link}) here.")
        else:
            text = N_("You are already playing at [an elimination table]({link}) here.")
        raise Sorry(_(text, link=link(table.state)))
    await casino.presenter.bring(reply, table)
    return True


async def _open(interaction: Interaction, reply: Reply, elimination: EliminationOrder) -> None:
    casino = interaction.client
    table = await casino.registry.open_elimination(elimination)
    async with or_not_at_all(interaction, table):
        await casino.presenter.bring(reply, table)
