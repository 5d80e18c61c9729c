"""How somebody comes to a table: a new one, or the one that is here already."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from typing import Final

import discord

from cogs.answers.client import Casino, Interaction
from cogs.answers.door import link, server_of
from cogs.answers.serving import LOST, Reply, serving
from cogs.coach.asking import refuse_unthinking
from cogs.table import play, rule_sets
from cogs.table.stake_form import usual
from cogs.words import N_, _, ngettext
from cogs.words.refusals import Sorry
from engine.games import registry as games
from engine.games.contract import CHIP, Rules, Stakes
from engine.tables.orders import Order
from engine.tables.refused import Reason, Refused
from engine.tables.snapshot import Sitter, Snapshot, TablePhase
from engine.tables.table import Table
from engine.tables.values import Member

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
    rules: str | None = None  # the name of a rule set; None: none was typed, so the usual one
    stakes: Stakes | None = None
    computers: int | None = None
    level: str = "intermediate"
    solo: bool = False
    #: Where the usual stake goes, if no other was typed.
    spot: str | None = None

    @property
    def rules_name(self) -> str:
        return self.rules or rule_sets.default(self.game)

    @property
    def is_bare(self) -> bool:
        """Whether nothing was said of a stake."""
        return self.stakes is None and self.spot is None


async def sit_down(interaction: Interaction, wish: Wish) -> None:
    """What every game's command does: open a table in this channel or sit down at the one that is open, and stake."""
    async with serving(interaction, private=False) as reply:
        await _sit_down(interaction, reply, wish)


async def _sit_down(interaction: Interaction, reply: Reply, wish: Wish) -> None:
    refuse_closed_channel(interaction)
    assert interaction.guild_id is not None
    assert interaction.channel_id is not None
    casino = interaction.client
    await refuse_other_channels(casino, interaction)
    member = await casino.bank.members.sign_in(interaction.guild_id, interaction.user.id)
    table = await _table_here(casino, interaction, wish.game)
    if table is None:
        try:
            await _open(casino, interaction, reply, wish, member)
            return
        except Refused as refused:
            table = await _table_here(casino, interaction, wish.game)
            if refused.reason is not Reason.TABLE_BUSY or table is None:
                raise
    await _join(casino, interaction, reply, wish, member, table)


async def _table_here(casino: Casino, interaction: Interaction, game: str) -> Table | None:
    """The channel's table of this game. One that is being opened this instant is waited for."""
    assert interaction.channel_id is not None
    await casino.registry.present(server_of(interaction))
    place = interaction.channel_id, game, interaction.user.id
    table = casino.registry.table_in(*place)
    if table is not None:
        await casino.presenter.arrived(table)
    return casino.registry.table_in(*place)


def refuse_closed_channel(interaction: Interaction) -> None:
    """Said before a chip moves: a table nobody can see is no table."""
    if interaction.channel is None:
        raise Sorry(_("I do not know this kind of channel, and cannot keep a table in it."))
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
    channels = (await casino.bank.guilds.settings(interaction.guild_id)).channels
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
    rules = await rule_sets.find(interaction, wish.game, wish.rules_name)
    _refuse_against_rules(wish, rules)
    refuse_unthinking(casino, wish.game, wish.level)
    if not rules.seating.fixed_stake:
        await _refuse_hopeless(casino, interaction.guild_id, wish, member)
    order = Order(
        press=interaction.id,
        guild=interaction.guild_id,
        channel=interaction.channel_id,
        game=wish.game,
        rules_name=wish.rules_name,
        rules=rules,
        member=member,
        solo=wish.solo,
        computers=wish.computers or 0,
        level=wish.level,
    )
    table = await casino.registry.open(order)
    with casino.presenter.held(table), casino.presenter.posting(table):
        async with or_not_at_all(interaction, table):
            message = await casino.presenter.post(reply, table)
        await _first_stake(casino, interaction, table, wish, message)
    await casino.presenter.redraw(table)


@asynccontextmanager
async def or_not_at_all(interaction: Interaction, table: Table) -> AsyncIterator[None]:
    """A new table whose message cannot be posted is given up at once: nobody would ever see it."""
    try:
        yield
    except LOST as error:
        with suppress(Refused):  # then the next command finds it, and posts it
            await table.leave(interaction.user.id, interaction.id)
        raise Sorry(_("Discord did not take my answer, so no table was opened. Try once more.")) from error


async def _first_stake(casino: Casino, interaction: Interaction, table: Table, wish: Wish, message: int) -> None:
    """Whatever becomes of the stake, the table knows where it is posted."""
    if wish.is_bare and games.game(wish.game).opener_deals:
        await casino.presenter.became(table, message)
        return
    snapshot = table.snapshot()
    sitter = play.seated(snapshot, interaction)
    stakes = play.again(snapshot, sitter) if wish.is_bare else _stakes(wish, snapshot, sitter)
    try:
        await play.stake(interaction, table, 1, stakes, message=message)
    except Refused:
        await table.posted(message)
        raise


def _refuse_against_rules(wish: Wish, rules: Rules) -> None:
    """What the rules fix is not to be chosen (R5)."""
    fixed, seats = rules.seating.fixed_stake, rules.seating.most
    if fixed and any(amount != fixed for amount in (wish.stakes or {}).values()):
        raise Refused(Reason.FIXED_STAKE, stake=fixed)
    if wish.computers is None:
        return
    if rules.seating.computers_fill:
        raise Sorry(_("At **{rules}** computer players take all free seats: leave `ai` out.", rules=wish.rules_name))
    if wish.computers >= seats:
        text = ngettext(
            "At **{rules}** there is {count} seat, and it is yours: leave `ai` out.",
            "At **{rules}** there are {count} seats, and one of them is yours: choose fewer with `ai`.",
            seats,
            rules=wish.rules_name,
        )
        raise Sorry(text)


async def _refuse_hopeless(casino: Casino, guild: int, wish: Wish, member: Member) -> None:
    """A table is not opened for a stake that it would refuse."""
    house = await casino.bank.guilds.house(guild)
    limits = {"smallest": house.smallest_stake, "largest": house.largest_stake}
    for amount in (wish.stakes or {}).values():
        if amount < house.smallest_stake:
            raise Refused(Reason.BELOW_LIMIT, **limits)
        if amount > house.largest_stake:
            raise Refused(Reason.ABOVE_LIMIT, **limits)
    needed = sum((wish.stakes or {}).values())
    if needed > member.balance:
        in_play = await casino.bank.members.in_play(member.id)
        reason = Reason.CHIPS_IN_PLAY if in_play else Reason.CANNOT_PAY
        raise Refused(reason, balance=member.balance, needed=needed, staked=in_play)


# -- a table that is here ----------------------------------------------------------------------------------------------


async def _join(
    casino: Casino, interaction: Interaction, reply: Reply, wish: Wish, member: Member, table: Table
) -> None:
    """A seat, and the stake; who sits there already and stakes nothing has the table brought down to where they are."""
    snapshot = table.snapshot()
    if wish.rules is not None and wish.rules != snapshot.rules_name:
        raise Sorry(
            _("The table of this channel plays **{rules}**. Leave `rules` out to sit down.", rules=snapshot.rules_name)
        )
    if wish.computers is not None or (wish.solo and not snapshot.solo):
        raise Sorry(
            _(
                "There is a table in this channel already, and `ai` and `solo` are for a new one. "
                "Leave them out, or **Leave** that table first."
            )
        )
    sitter = snapshot.sitter_of(interaction.user.id)
    if sitter is not None and sitter.member is None:
        sitter = None  # only their last hand still lies there
    if casino.presenter.is_nowhere(table) or (sitter is not None and wish.is_bare):
        await casino.presenter.bring(reply, table)
    if not wish.is_bare:
        stakes = _stakes(wish, snapshot, sitter or play.standing(member))
        await _stake_or_sit(casino, interaction, table, stakes, member)
    elif sitter is None:
        await table.join(member, interaction.id)
    if not reply.shown:
        await reply.say(_welcome(table, interaction.user.id))


async def _stake_or_sit(
    casino: Casino, interaction: Interaction, table: Table, stakes: Stakes | None, member: Member
) -> None:
    """A round that is being played takes no stakes, but a seat for the next one is to be had."""
    try:
        await play.stake(interaction, table, table.state.sealed, stakes, newcomer=member)
    except Refused as refused:
        if refused.reason is not Reason.ROUND_RUNNING or table.state.chair_of(member.user) is not None:
            raise
        await table.join(member, interaction.id)


def _welcome(table: Table, user: int) -> str:
    snapshot = table.snapshot()
    sitter = snapshot.sitter_of(user)
    if snapshot.phase is TablePhase.PLAYING and sitter is not None and sitter.seat is None:
        return _(
            "You have a seat at [this channel's table]({link}) and can stake when the round is over.",
            link=link(table.state),
        )
    return _("You are at [this channel's table]({link}).", link=link(table.state))
