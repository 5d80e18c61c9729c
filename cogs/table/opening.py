"""How somebody comes to a table: a new one, or the one that is here already."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import discord

from cogs.casino import Casino, casino_of
from cogs.errors import Reply
from cogs.refusals import Sorry
from cogs.table import play, rule_sets
from cogs.table.stakes import usual
from cogs.words import N_, _
from engine.games import registry as games
from engine.games.contract import CHIP, Stakes
from engine.live.ports import Member
from engine.live.refused import Reason, Refused
from engine.live.registry import Order
from engine.live.snapshot import Sitter, Snapshot
from engine.live.table import Table

Interaction = discord.Interaction[Any]

#: What the bot must be allowed in a channel where it keeps a table, as Discord's own settings call it.
_NEEDS: Final = {
    "view_channel": N_("View Channel"),
    "send_messages": N_("Send Messages"),
    "attach_files": N_("Attach Files"),
}
_NEEDS_IN_THREADS: Final = {**_NEEDS, "send_messages_in_threads": N_("Send Messages in Threads")}


@dataclass(frozen=True, slots=True)
class Wish:
    """What somebody typed after the command."""

    game: str
    rules_name: str
    stakes: Stakes | None = None
    computers: int = 0
    level: str = "intermediate"
    solo: bool = False
    #: Where the usual stake goes, if no other was typed.
    spot: str | None = None

    @property
    def is_bare(self) -> bool:
        """Whether nothing was said of a stake."""
        return self.stakes is None and self.spot is None


async def sit_down(interaction: Interaction, reply: Reply, wish: Wish) -> None:
    """Open a table in this channel, or take a seat at the one that is open; and stake."""
    refuse_closed_channel(interaction)
    assert interaction.guild_id is not None
    assert interaction.channel_id is not None
    casino = casino_of(interaction)
    await refuse_other_channels(casino, interaction)
    member = await casino.bank.member(interaction.guild_id, interaction.user.id)
    table = casino.registry.at(interaction.channel_id, wish.game, interaction.user.id)
    if table is None:
        await _open(casino, interaction, reply, wish, member)
    else:
        await _join(casino, interaction, reply, wish, member, table)


def refuse_closed_channel(interaction: Interaction) -> None:
    """Said before a chip moves: a table nobody can see is no table."""
    in_thread = isinstance(interaction.channel, discord.Thread)
    needs = _NEEDS_IN_THREADS if in_thread else _NEEDS
    skipped = "send_messages" if in_thread else ""
    allowed = interaction.app_permissions
    missing = [_(text) for name, text in needs.items() if name != skipped and not getattr(allowed, name)]
    if missing:
        raise Sorry(
            _("I cannot keep a table in this channel. I still need: **{missing}**.", missing=", ".join(missing))
        )


async def refuse_other_channels(casino: Casino, interaction: Interaction) -> None:
    """The server may keep its tables to some channels; their threads count as them."""
    assert interaction.guild_id is not None
    channels = (await casino.bank.guild_settings(interaction.guild_id)).channels
    here = {interaction.channel_id, getattr(interaction.channel, "parent_id", None)}
    if channels and not here & set(channels):
        where = ", ".join(f"<#{channel}>" for channel in channels)
        raise Sorry(_("Tables of this server are in {where}.", where=where))


def whole_chips(bet: int | None, spot: str = "main") -> Stakes | None:
    """An option's number as a stake. What is wrong with it, the table says."""
    return None if bet is None else {spot: bet * CHIP}


def _stakes(wish: Wish, snapshot: Snapshot, sitter: Sitter) -> Stakes | None:
    """What was typed, or the usual stake on what was typed."""
    if wish.stakes is None and wish.spot is not None:
        return {wish.spot: usual(snapshot, sitter, wish.spot)}
    return wish.stakes


# -- a new table -------------------------------------------------------------------------------------------------------


async def _open(casino: Casino, interaction: Interaction, reply: Reply, wish: Wish, member: Member) -> None:
    """Posted with the seal of its first round, and only then staked and dealt, by the edit that follows."""
    assert interaction.guild_id is not None
    assert interaction.channel_id is not None
    await _refuse_hopeless(casino, interaction.guild_id, wish, member)
    rules = await rule_sets.find(interaction, wish.game, wish.rules_name)
    order = Order(
        press=interaction.id,
        guild=interaction.guild_id,
        channel=interaction.channel_id,
        game=wish.game,
        rules_name=wish.rules_name,
        rules=rules,
        member=member,
        solo=wish.solo,
        computers=wish.computers,
        level=wish.level,
    )
    table = await casino.registry.open(order)
    with casino.presenter.held(table):
        message = await casino.presenter.post(reply, table)
        await _first_stake(casino, interaction, table, wish, message)
    await casino.presenter.redraw(table)


async def _first_stake(casino: Casino, interaction: Interaction, table: Table, wish: Wish, message: int) -> None:
    """Whatever becomes of the stake, the table knows where it is posted."""
    if wish.is_bare and games.game(wish.game).opener_deals:
        await casino.presenter.became(table, message)
        return
    snapshot = table.snapshot()
    sitter = play.seated(snapshot, interaction)
    stakes = play.again(snapshot, sitter) if wish.is_bare else _stakes(wish, snapshot, sitter)
    try:
        await play.stake(casino, interaction, table, 1, stakes, message=message)
    except Refused:
        await table.posted(message)
        raise


async def _refuse_hopeless(casino: Casino, guild: int, wish: Wish, member: Member) -> None:
    """A table is not opened for a stake that it would refuse."""
    house = await casino.bank.house(guild)
    limits = {"smallest": house.smallest_stake, "largest": house.largest_stake}
    for amount in (wish.stakes or {}).values():
        if amount < house.smallest_stake:
            raise Refused(Reason.BELOW_LIMIT, **limits)
        if amount > house.largest_stake:
            raise Refused(Reason.ABOVE_LIMIT, **limits)
    needed = sum((wish.stakes or {}).values())
    if needed > member.balance:
        in_play = await casino.bank.in_play(member.id)
        reason = Reason.CHIPS_IN_PLAY if in_play else Reason.CANNOT_PAY
        raise Refused(reason, balance=member.balance, needed=needed, staked=in_play)


# -- a table that is here ----------------------------------------------------------------------------------------------


async def _join(
    casino: Casino, interaction: Interaction, reply: Reply, wish: Wish, member: Member, table: Table
) -> None:
    """A seat, and the stake; who sits there already and stakes nothing has the table brought down to where they are."""
    snapshot = table.snapshot()
    sitter = snapshot.sitter_of(interaction.user.id)
    if sitter is not None and sitter.member is not None and wish.is_bare:
        await casino.presenter.bring(reply, table)
        return
    if wish.is_bare:
        await table.join(member, interaction.id)
    else:
        stakes = _stakes(wish, snapshot, play.standing(member) if sitter is None or sitter.member is None else sitter)
        await play.stake(casino, interaction, table, table.state.sealed, stakes, newcomer=member)
    link = f"https://discord.com/channels/{table.state.guild}/{table.state.channel}/{table.state.message}"
    await reply.say(_("You are at this channel's table: {link}", link=link))
