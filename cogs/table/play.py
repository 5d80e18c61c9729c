"""What a press at a table does."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Final

import discord

from cogs.casino import Casino, casino_of
from cogs.errors import Reply
from cogs.preferences import phrase_of
from cogs.table import forms
from cogs.table.keys import to_come
from cogs.table.page import Key
from cogs.table.stakes import typed, usual
from engine.games import registry as games
from engine.games.contract import Refusal, Stakes
from engine.live.refused import Reason, Refused
from engine.live.snapshot import Sitter, Snapshot
from engine.live.table import Table

Interaction = discord.Interaction[Any]
_Deed = Callable[[Casino, Interaction, Table, Key], Awaitable[Any]]


async def press(interaction: Interaction, reply: Reply, table_id: int, key: Key) -> None:
    """Do what the key says, and answer with the table as it is then."""
    casino = casino_of(interaction)
    table = open_table(casino, table_id)
    try:
        if key.word == "bet":
            await _ask_stake(interaction, reply, table, key)
            return
        with casino.presenter.held(table):
            await _DEEDS.get(key.word, _act)(casino, interaction, table, key)
            await casino.presenter.answer(reply, table)
    except Refused:
        casino.presenter.touched(table)
        raise


async def stake_filled_in(interaction: Interaction, reply: Reply, match: re.Match[str], answers: forms.Answers) -> None:
    """A stake from a form."""
    casino = casino_of(interaction)
    table = open_table(casino, int(match["table"]))
    snapshot = table.snapshot()
    sitter = seated(snapshot, interaction)
    amount = typed(answers["chips"], sitter.balance, snapshot.largest)
    with casino.presenter.held(table):
        await stake(casino, interaction, table, int(match["number"]), {match["spot"]: amount})
        await casino.presenter.answer(reply, table)


async def stake(
    casino: Casino,
    interaction: Interaction,
    table: Table,
    number: int,
    stakes: Stakes | None,
    message: int | None = None,
) -> Snapshot:
    """Stake on round `number`, with the member's own phrase for its shuffle."""
    phrase = await phrase_of(interaction)
    return await table.stake(interaction.user.id, stakes, interaction.id, phrase, message, number)


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


async def _deal(casino: Casino, interaction: Interaction, table: Table, key: Key) -> None:
    """The same stake again, or the usual one of somebody who has none yet."""
    snapshot = table.snapshot()
    sitter = seated(snapshot, interaction)
    await stake(casino, interaction, table, key.number, again(snapshot, sitter))


_DEEDS: Final[Mapping[str, _Deed]] = {"join": _join, "leave": _leave, "deal": _deal}


async def _ask_stake(interaction: Interaction, reply: Reply, table: Table, key: Key) -> None:
    snapshot = table.snapshot()
    sitter = seated(snapshot, interaction)
    if key.number != to_come(snapshot):
        raise Refused(Reason.OLD_BUTTON)
    await reply.ask(forms.stake_form(snapshot, sitter))


# -- who presses -------------------------------------------------------------------------------------------------------


def seated(snapshot: Snapshot, interaction: Interaction) -> Sitter:
    sitter = snapshot.sitter_of(interaction.user.id)
    if sitter is None or sitter.member is None:
        raise Refused(Reason.NOT_SEATED)
    return sitter


def again(snapshot: Snapshot, sitter: Sitter) -> Stakes | None:
    """None stands for the same as last time, or what the rules fix."""
    if sitter.last_stakes or getattr(snapshot.rules, "fixed_stake", None):
        return None
    return {"main": usual(snapshot, sitter)}
