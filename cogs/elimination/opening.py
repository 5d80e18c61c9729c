"""Opens elimination tables, for the command and for the button *Play again*."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Final
from weakref import WeakValueDictionary

from cogs.answers.client import Interaction
from cogs.answers.here import here, member_of
from cogs.answers.reply import Reply
from cogs.table.door import link
from cogs.table.opening import or_not_at_all, refuse_closed_channel, refuse_other_channels, refuse_unthinking
from cogs.words import N_, _
from cogs.words.refusals import Sorry
from engine.elimination.terms import SEATS
from engine.games.computer import Level, fresh_names
from engine.games.contract import Cents, Rules
from engine.tables.orders import GAME, Contender, EliminationOrder

#: Locks by channel and person: the second of two simultaneous commands finds the table of the first.
_opening: Final[WeakValueDictionary[tuple[int | None, int], asyncio.Lock]] = WeakValueDictionary()


@dataclass(frozen=True, slots=True)
class EliminationRequest:
    """The table that a member asks for."""

    budget: Cents  # the play chips that each player begins with
    level: Level  # the computer players'
    rules_name: str
    rules: Rules


async def refuse_where_it_cannot_be(interaction: Interaction) -> None:
    """Refuse a channel where the bot cannot post or may not offer games, or where the server wants no tables."""
    refuse_closed_channel(interaction)
    await refuse_other_channels(interaction.client, interaction)


def refuse_too_few_seats(rules_name: str, rules: Rules) -> None:
    """Refuse rules with fewer seats than an elimination table has: its cards could not be dealt by them."""
    if rules.seating.most < SEATS:
        raise Sorry(_("Four players take part, and **{rules}** has fewer seats. Choose other rules.", rules=rules_name))


async def open_table(interaction: Interaction, reply: Reply, request: EliminationRequest) -> None:
    """Open a table for the member and three computer players and post it, or do neither.

    Refuse a level that needs the coach where there is none, and a member who already plays at an elimination table in
    this channel. If that one has no message yet, post it instead.
    """
    casino = interaction.client
    refuse_unthinking(casino, GAME, request.level)
    async with _opening.setdefault((interaction.channel_id, interaction.user.id), asyncio.Lock()):
        if await _is_here(interaction, reply):
            return
        table = await casino.registry.open_elimination(await _order(interaction, request))
        async with or_not_at_all(interaction, table):
            await casino.presenter.bring(reply, table)


async def _order(interaction: Interaction, request: EliminationRequest) -> EliminationOrder:
    at, member = here(interaction), await member_of(interaction)
    computers = [Contender(computer=name, level=request.level) for name in fresh_names(SEATS - 1, set())]
    return EliminationOrder(
        press=interaction.id,
        guild=at.guild,
        channel=at.channel,
        rules_name=request.rules_name,
        rules=request.rules,
        budget=request.budget,
        players=(Contender(member), *computers),
        opener=at.user,
        language=str(interaction.locale),
    )


async def _is_here(interaction: Interaction, reply: Reply) -> bool:
    """Return whether the member has an elimination table in this channel. If its message is missing, post it.

    Raises Sorry if the table has its message, because a second table is not allowed.
    """
    casino, at = interaction.client, here(interaction)
    await casino.registry.present(at.guild)
    table = casino.registry.elimination_of(at.channel, at.user)
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
