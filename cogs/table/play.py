"""What a press at a table does."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from typing import Any, Final

import discord

from cogs.answers import forms
from cogs.answers.client import Casino, casino_of
from cogs.answers.preferences import phrase_of
from cogs.answers.serving import Reply
from cogs.elimination import presses
from cogs.table.keys import to_come
from cogs.table.page import Key
from cogs.table.stakes import stake_form, typed, usual
from cogs.words import N_, _
from cogs.words.refusals import Sorry
from engine.games import registry as games
from engine.games.contract import Refusal, Stakes
from engine.tables.ports import Member
from engine.tables.refused import Reason, Refused
from engine.tables.snapshot import Sitter, Snapshot
from engine.tables.table import Table

Interaction = discord.Interaction[Any]
_Deed = Callable[[Casino, Interaction, Table, Key], Awaitable[Any]]


#: What somebody is told who does not sit at the table, where nobody can join.
_STRANGERS: Final[Mapping[str, str]] = {
    "baccarat": N_("You are not in this game yet. **Player**, **Banker** and **Tie** let you in."),
    "war": N_("This is somebody else's table. `/war` opens one of your own."),
}


async def press(interaction: Interaction, reply: Reply, table_id: int, key: Key) -> None:
    """Do what the key says, and answer with the table as it is then."""
    casino = casino_of(interaction)
    table = open_table(casino, table_id)
    async with _pressing(casino, interaction, table):
        if key.word in ("bet", presses.OTHER) or key.word in games.game(table.state.game).spots:
            await _ask_stake(interaction, reply, table, key)
        else:
            await _DEEDS.get(key.word, _act)(casino, interaction, table, key)
            await casino.presenter.answer(reply, table)


@asynccontextmanager
async def _pressing(casino: Casino, interaction: Interaction, table: Table) -> AsyncIterator[None]:
    """Meanwhile nothing else draws the table. What is refused may be so because the message shows something old."""
    user = interaction.user.id
    with casino.presenter.held(table):
        returned = await presses.welcome_back(table, user, interaction.id)
        try:
            yield
        except Refused as refused:
            casino.presenter.touched(table)
            if refused.reason is Reason.NOT_SEATED and table.state.game in _STRANGERS:
                raise Sorry(_(_STRANGERS[table.state.game])) from refused
            raise presses.explained(refused, table.snapshot(), user, returned=returned) from refused


async def stake_filled_in(interaction: Interaction, reply: Reply, match: re.Match[str], answers: forms.Answers) -> None:
    """A stake from a form."""
    casino = casino_of(interaction)
    table = open_table(casino, int(match["table"]))
    async with _pressing(casino, interaction, table):
        snapshot = table.snapshot()
        newcomer = await _newcomer(casino, interaction, snapshot)
        balance = newcomer.balance if newcomer is not None else seated(snapshot, interaction).balance
        amount = typed(answers["chips"], balance, snapshot.largest)
        stakes = {match["spot"]: amount}
        await stake(casino, interaction, table, int(match["number"]), stakes, newcomer=newcomer)
        await casino.presenter.answer(reply, table)


async def stake(
    casino: Casino,
    interaction: Interaction,
    table: Table,
    number: int,
    stakes: Stakes | None,
    message: int | None = None,
    newcomer: Member | None = None,
) -> Snapshot:
    """Stake on round `number`, with the member's own phrase for its shuffle."""
    phrase = await phrase_of(interaction)
    return await table.stake(interaction.user.id, stakes, interaction.id, phrase, message, number, newcomer)


def open_table(casino: Casino, table_id: int) -> Table:
    table = casino.registry.get(table_id)
    if table is None:
        raise Refused(Reason.TABLE_CLOSED)
    return table


# -- deeds -------------------------------------------------------------------------------------------------------------


async def _act(casino: Casino, interaction: Interaction, table: Table, key: Key) -> None:
    if key.word not in games.game(table.state.game).actions:
        raise Refused(Reason.ILLEGAL, refusal=Refusal.NOT_OFFERED)
    await table.act(interaction.user.id, key.word, key.number, key.turn, interaction.id)


async def _join(casino: Casino, interaction: Interaction, table: Table, key: Key) -> None:
    assert interaction.guild_id is not None
    member = await casino.bank.member(interaction.guild_id, interaction.user.id)
    await table.join(member, interaction.id)


async def _leave(casino: Casino, interaction: Interaction, table: Table, key: Key) -> None:
    await table.leave(interaction.user.id, interaction.id)


async def _stake_again(casino: Casino, interaction: Interaction, table: Table, key: Key) -> None:
    """The same stake again, or the usual one of somebody who has none yet."""
    snapshot = table.snapshot()
    sitter = seated(snapshot, interaction)
    await stake(casino, interaction, table, key.number, again(snapshot, sitter))


async def _deal(casino: Casino, interaction: Interaction, table: Table, key: Key) -> None:
    """End the window that is open to the whole channel."""
    if not games.game(table.state.game).opener_deals:
        raise Refused(Reason.ILLEGAL, refusal=Refusal.NOT_OFFERED)
    await table.deal(interaction.user.id, interaction.id, key.number)


async def _offer(casino: Casino, interaction: Interaction, table: Table, key: Key) -> None:
    """One of the stakes that an elimination table offers."""
    snapshot = table.snapshot()
    seated(snapshot, interaction)
    amount = presses.offered(snapshot, key.word)
    await stake(casino, interaction, table, key.number, {games.game(snapshot.game).spots[0]: amount})


async def _back(casino: Casino, interaction: Interaction, table: Table, key: Key) -> None:
    """That the key was pressed was all that was needed."""
    seated(table.snapshot(), interaction)


_DEEDS: Final[Mapping[str, _Deed]] = {
    "join": _join,
    "leave": _leave,
    "deal": _stake_again,
    "again": _stake_again,
    "cards": _deal,
    **dict.fromkeys(presses.OFFERS, _offer),
    presses.BACK: _back,
}


async def _ask_stake(interaction: Interaction, reply: Reply, table: Table, key: Key) -> None:
    snapshot = table.snapshot()
    if key.number != to_come(snapshot):
        raise Refused(Reason.OLD_BUTTON)
    spots = games.game(snapshot.game).spots
    newcomer = await _newcomer(casino_of(interaction), interaction, snapshot)
    sitter = seated(snapshot, interaction) if newcomer is None else standing(newcomer)
    await reply.ask(stake_form(snapshot, sitter, key.word if key.word in spots else spots[0]))


# -- who presses -------------------------------------------------------------------------------------------------------


def seated(snapshot: Snapshot, interaction: Interaction) -> Sitter:
    sitter = snapshot.sitter_of(interaction.user.id)
    if sitter is None or sitter.member is None:
        raise Refused(Reason.NOT_SEATED)
    return sitter


async def _newcomer(casino: Casino, interaction: Interaction, snapshot: Snapshot) -> Member | None:
    """Who is not seated yet and may stake all the same: where stakes are open to the whole channel."""
    sitter = snapshot.sitter_of(interaction.user.id)
    if (sitter is not None and sitter.member is not None) or not games.game(snapshot.game).opener_deals:
        return None
    assert interaction.guild_id is not None
    return await casino.bank.member(interaction.guild_id, interaction.user.id)


def standing(newcomer: Member) -> Sitter:
    return Sitter(place=0, user=newcomer.user, member=newcomer.id, balance=newcomer.balance)


def again(snapshot: Snapshot, sitter: Sitter) -> Stakes | None:
    """None stands for the same as last time, or what the rules fix."""
    if sitter.last_stakes or snapshot.rules.seating.fixed_stake:
        return None
    spots = games.game(snapshot.game).spots
    if len(spots) > 1:
        raise Sorry(_("You have not staked here yet: there is nothing to repeat."))
    return {spots[0]: usual(snapshot, sitter, spots[0])}
