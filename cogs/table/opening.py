"""The ways to a table: to open a new one, or to sit down at one that is already open in the channel."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from typing import Final, TypeAlias

import discord
from discord import app_commands

from cogs.answers.client import Casino, Interaction
from cogs.answers.here import Here, here, member_of, server
from cogs.answers.options import OneOf
from cogs.answers.preferences import chooses_language
from cogs.answers.reply import Reply
from cogs.answers.serving import serving
from cogs.answers.time_limits import LOST
from cogs.table import inviting, rule_sets, staking
from cogs.table.door import link
from cogs.table.keys import usual
from cogs.table.permissions import missing, needed_in
from cogs.table.presentation import presentation, presented
from cogs.table.stake_form import room_on, typed
from cogs.words import N_, _, counted, ngettext
from cogs.words.refusals import Sorry
from engine.games import registry as games
from engine.games.computer import DEFAULT_LEVEL, Level
from engine.games.contract import Cents, Rules, Stakes
from engine.tables.house import HouseSettings
from engine.tables.orders import Order
from engine.tables.ports import BankError, OutcomeUnknown
from engine.tables.refused import Reason, Refused
from engine.tables.snapshot import Sitter, Snapshot, TablePhase
from engine.tables.state import FreedFor
from engine.tables.table import Table
from engine.tables.values import Member

#: A bet as it is typed: a number, half or all.
Bet: TypeAlias = app_commands.Range[str, 1, 30]
#: The option for the level of computer players.
LevelOption: TypeAlias = app_commands.Transform[Level, OneOf(Level)]
#: The choices of the option `invite`, by who may have the seats that the invited have not taken in time.
INVITE: Final[Mapping[FreedFor, str]] = {
    FreedFor.EVERYBODY: N_("People I choose; after ten minutes everybody"),
    FreedFor.COMPUTERS: N_("People I choose; after ten minutes computer players"),
}


@dataclass(frozen=True, slots=True)
class TableRequest:
    """The request for a seat at a table of a game: a command with its options, or a key that stands for one."""

    game: str
    rules: str | None = None  # the name of a rule set; None: none was typed, so the usual one
    bet: str | None = None  # a number, half or all
    computers: int | None = None  # the number of computer players at a new table
    level: Level = DEFAULT_LEVEL
    solo: bool = False  # whether to sit at a table of one's own
    #: The spot to stake on. None: the game's first one. Without a bet, a typed spot gets the usual stake.
    spot: str | None = None
    #: The next owners of seats that the invited have not taken in time; None if the table is not by invitation.
    freed_for: FreedFor | None = None

    @property
    def rules_name(self) -> str:
        return self.rules or rule_sets.default(self.game)

    @property
    def is_bare(self) -> bool:
        """Whether no stake and no spot was typed."""
        return self.bet is None and self.spot is None

    def stakes(self, balance: Cents, largest: Cents) -> Stakes | None:
        """Return the typed bet as a stake, or None if none was typed. Raise Sorry if it is no amount.

        `half` and `all` are of this balance, and at most `largest`.
        """
        if self.bet is None:
            return None
        return {self.spot or games.game(self.game).spots[0]: typed(self.bet, balance, largest)}


async def sit_down(interaction: Interaction, request: TableRequest) -> None:
    """Answer a game's command: give the member a seat in this channel, and place their stake (see `take_seat`)."""
    async with serving(interaction, private=False) as reply:
        await take_seat(interaction, reply, request)


async def take_seat(interaction: Interaction, reply: Reply, request: TableRequest) -> None:
    """Give the member a seat at an open table or open a new one, place their stake, and show the table or a link to it.

    If neither a stake nor its spot was typed, the opener of a new table places the usual stake, except in games where
    the opener deals; at an open table none is placed. While a round is played there, a newcomer gets only the seat. The
    reply must be one that everybody sees. Refuse channels where the bot cannot post or the server wants no tables.
    """
    refuse_closed_channel(interaction)
    casino = interaction.client
    await refuse_other_channels(casino, interaction)
    member = await member_of(interaction)
    table = await _table_here(casino, interaction, request)
    if table is None:
        try:
            await _open(casino, interaction, reply, request, member)
            return
        except Refused as refused:
            table = await _table_here(casino, interaction, request)
            if refused.reason is not Reason.TABLE_BUSY or table is None:
                raise
    await _join(casino, interaction, reply, request, member, table)


async def _table_here(casino: Casino, interaction: Interaction, request: TableRequest) -> Table | None:
    """Return the open table that the request is for, or None if it opens a new one.

    That is the table where the person sits, else their own, else the channel's. With `solo` it can only be their own.
    With options about computer players or guests, the channel's table counts only if they sit there. Wait for a table
    that is being posted at this moment.
    """
    guild, channel, user = here(interaction)
    await casino.registry.present(guild)
    own, shared = [await _arrived(casino, channel, request.game, whose) for whose in (user, None)]
    if not request.solo and (seated := _seated_at(casino, request.game, here(interaction), shared)) is not None:
        return seated
    new = (request.computers, request.freed_for) != (None, None)  # these are about a new table
    return own if own is not None or request.solo or new else shared


def _seated_at(casino: Casino, game: str, at: Here, shared: Table | None) -> Table | None:
    """Return a table of this game in this channel at which the person sits, or None. Elimination tables do not count.

    If they sit at several, return the channel's (`shared`) if it is among them.
    """
    tables = [
        table
        for table in casino.registry.tables_of(at.guild, at.user)
        if (table.state.channel, table.state.game) == (at.channel, game) and table.state.elimination is None
    ]
    return shared if shared in tables else next(iter(tables), None)


async def _arrived(casino: Casino, channel: int, game: str, user: int | None) -> Table | None:
    table = casino.registry.table_in(channel, game, user)
    if table is not None:
        await casino.presenter.arrived(table)
    return casino.registry.table_in(channel, game, user)


def refuse_closed_channel(interaction: Interaction) -> None:
    """Refuse a channel where the bot cannot post a table, or may not offer games (`refuse_unrestricted_channel`).

    The bot cannot post if it does not know the channel, has not joined a private thread, or lacks permissions.
    """
    if interaction.channel is None:
        raise Sorry(_("I don't know this kind of channel, so I can't open a table in it."))
    refuse_unrestricted_channel(interaction)
    if isinstance(interaction.channel, discord.Thread) and _is_private_to_others(interaction):
        raise Sorry(_("I am not in this private thread. Mention me here once, so that I can come in, and try again."))
    lacking = missing(interaction.app_permissions, needed_in(interaction.channel))
    if lacking:
        told = ", ".join(map(_, lacking))
        raise Sorry(_("I can't open a table in this channel. I still need: **{missing}**.", missing=told))


def refuse_unrestricted_channel(interaction: Interaction) -> None:
    """Refuse channels that are not marked as age-restricted, if the operator offers games to adults only.

    A thread is marked if its channel is. Direct messages, which have no games for chips, cannot be marked.
    """
    is_marked = getattr(interaction.channel, "is_nsfw", lambda: True)
    if interaction.client.settings.age_restricted and not is_marked():
        server(interaction)  # while Discord does not describe it, nobody knows the channel of a thread
        raise Sorry(_("Games are only in channels that are marked as age-restricted."))


def _is_private_to_others(interaction: Interaction) -> bool:
    """Return whether Discord hides this thread from the bot: it is private, and the bot has not joined it."""
    thread = interaction.channel
    assert isinstance(thread, discord.Thread)
    known = interaction.guild is not None and interaction.guild.get_thread(thread.id) is not None
    return thread.is_private() and not known and not interaction.app_permissions.manage_threads


async def refuse_other_channels(casino: Casino, interaction: Interaction) -> None:
    """Refuse all channels but those that the server has chosen for tables, if any. A thread counts as its channel."""
    channels = (await casino.bank.guilds.settings(here(interaction).guild)).channels
    channel_or_parent = {interaction.channel_id, getattr(interaction.channel, "parent_id", None)}
    if channels and not channel_or_parent & set(channels):
        where = ", ".join(f"<#{channel}>" for channel in channels)
        raise Sorry(_("On this server, tables are in {where}.", where=where))


def refuse_unthinking(casino: Casino, game: str, level: Level) -> None:
    """Refuse a level of computer players that needs the coach, if the operator has switched the coach off."""
    if casino.coach is None and level in games.game(game).thinkers:
        raise Sorry(_("Computer players can't play at that level here: the coach is switched off."))


def _stakes(request: TableRequest, snapshot: Snapshot, sitter: Sitter) -> Stakes | None:
    """Return the typed stake; if only a spot was typed, the usual stake on it; if neither, None."""
    if request.bet is None and request.spot is not None:
        return {request.spot: usual(snapshot, sitter, request.spot)}
    spot = request.spot or games.game(request.game).spots[0]
    return request.stakes(sitter.balance, room_on(snapshot, sitter, spot))


# -- a new table -------------------------------------------------------------------------------------------------------


async def _open(casino: Casino, interaction: Interaction, reply: Reply, request: TableRequest, member: Member) -> None:
    """Open a new table with the first stake, and show it. Then explain in private what the opener does not know yet.

    Without a typed stake the usual one is placed. In games where the opener deals, none is placed if no spot was typed
    either. If the request names a number of computer players and the channel already has a table of this game, the new
    one is the opener's own, and for one person unless it is by invitation. The opener of a table by invitation is asked
    whom to invite.
    """
    rules = await rule_sets.find(interaction, request.game, request.rules_name)
    house = await casino.bank.guilds.house(here(interaction).guild)
    stakes = request.stakes(member.balance, house.largest_stake) or {}
    _refuse_against_rules(request, stakes, rules)
    refuse_unthinking(casino, request.game, request.level)
    if not rules.seating.fixed_stake:
        await _refuse_hopeless(casino, house, stakes, member)
    at = here(interaction)
    beside = request.freed_for is None and casino.registry.table_in(at.channel, request.game) is not None
    order = Order(
        press=interaction.id,
        guild=at.guild,
        channel=at.channel,
        game=request.game,
        rules_name=request.rules_name,
        rules=rules,
        member=member,
        solo=request.solo or (beside and request.computers is not None),
        computers=request.computers or 0,
        level=request.level,
        language=str(interaction.locale),
        freed_for=request.freed_for,
    )
    table = await casino.registry.open(order)
    with casino.presenter.held(table), casino.presenter.posting(table):
        if request.is_bare and games.game(request.game).opener_deals:
            async with or_not_at_all(interaction, table):
                message = await casino.presenter.post(reply, table)
            await casino.presenter.became(table, message)
        else:
            await _open_with_stake(interaction, reply, table, request)
    if request.freed_for is not None:
        await inviting.ask(reply, table)
    if not await staking.welcome(interaction, reply, table):  # one explanation at a time
        await _tell_of_languages(interaction, reply)


async def _tell_of_languages(interaction: Interaction, reply: Reply) -> None:
    """Tell a manager in private that each table speaks the language of its opener.

    This is said once on each server that has chosen no language, neither in `/casino settings` nor at Discord.
    """
    server, bank = interaction.guild, interaction.client.bank
    if server is None or chooses_language(server) or not interaction.permissions.manage_guild:
        return
    told = f"told of languages/{server.id}"
    with suppress(BankError, OutcomeUnknown):
        if (await bank.guilds.settings(server.id)).language is None and not await bank.notes.number(told):
            await bank.notes.keep_numbers({told: interaction.client.clock.now()})
            hint = _("Each table here speaks the language of the person who opens it. `/casino settings` sets one.")
            await reply.try_to_say(hint)


async def _open_with_stake(interaction: Interaction, reply: Reply, table: Table, request: TableRequest) -> None:
    """Post a new table's message as one that is loading, place the first stake, and only then show the table in it.

    Others then see a single step. If the stake is refused, the table is shown too, and the refusal is raised. If
    Discord does not take the message, close the table and raise Sorry.
    """
    presenter = interaction.client.presenter
    async with or_not_at_all(interaction, table):
        message = await presenter.announce(reply, table)
    try:
        await _first_stake(interaction, table, request, message)
    finally:
        await presenter.fill(reply, table)


@asynccontextmanager
async def or_not_at_all(interaction: Interaction, table: Table) -> AsyncIterator[None]:
    """Close a new table and raise Sorry if the block cannot post its message: nobody would ever see the table."""
    try:
        yield
    except LOST as error:
        with suppress(Refused):  # then the next command finds it, and posts it
            await table.leave(interaction.user.id, interaction.id)
        raise Sorry(_("Discord didn't take my answer, so no table was opened. Try again.")) from error


async def _first_stake(interaction: Interaction, table: Table, request: TableRequest, message: int) -> None:
    """Place the opener's first stake, and tell the table the id of its message even if the stake is refused."""
    snapshot = table.snapshot()
    sitter = staking.seated(snapshot, interaction)
    stakes = staking.again(snapshot, sitter) if request.is_bare else _stakes(request, snapshot, sitter)
    try:
        await staking.stake(interaction, table, 1, stakes, message=message)
    except Refused:
        await table.posted(message)
        raise


def _refuse_against_rules(request: TableRequest, stakes: Stakes, rules: Rules) -> None:
    """Refuse options that contradict each other or the rules, which may fix the stake and the seats (R5)."""
    fixed, seats = rules.seating.fixed_stake, rules.seating.most
    if request.freed_for is not None and request.solo:
        raise Sorry(_("Choose `solo` or `invite`, not both."))
    if request.freed_for is not None and rules.seating.computers_fill:
        raise Sorry(
            _("At **{rules}** computer players take all free seats: leave `invite` out.", rules=request.rules_name)
        )
    if request.freed_for is not None and seats == 1:
        raise Sorry(_("At **{rules}** the only seat is yours: leave `invite` out.", rules=request.rules_name))
    if fixed and any(amount != fixed for amount in stakes.values()):
        raise Refused(Reason.FIXED_STAKE, stake=fixed)
    if request.computers is None:
        return
    if rules.seating.computers_fill:
        raise Sorry(_("At **{rules}** computer players take all free seats: leave `ai` out.", rules=request.rules_name))
    if request.freed_for is not None and request.computers >= seats - 1:
        raise Sorry(
            _("At **{rules}** that leaves no seat for a guest: choose fewer with `ai`.", rules=request.rules_name)
        )
    if request.computers >= seats:
        text = ngettext(
            "At **{rules}** there is {count} seat, and it is yours: leave `ai` out.",
            "At **{rules}** there are {count} seats, and one of them is yours: choose fewer with `ai`.",
            seats,
            rules=request.rules_name,
        )
        raise Sorry(text)


async def _refuse_hopeless(casino: Casino, house: HouseSettings, stakes: Stakes, member: Member) -> None:
    """Refuse a first stake that the new table would refuse: outside the limits, or more than the member has."""
    limits = {"smallest": house.smallest_stake, "largest": house.largest_stake}
    for amount in stakes.values():
        if amount < house.smallest_stake:
            raise Refused(Reason.BELOW_LIMIT, **limits)
        if amount > house.largest_stake:
            raise Refused(Reason.ABOVE_LIMIT, **limits)
    needed = sum(stakes.values())
    if needed > member.balance:
        in_play = await casino.bank.members.in_play(member.id)
        reason = Reason.CHIPS_IN_PLAY if in_play else Reason.CANNOT_PAY
        raise Refused(reason, balance=member.balance, needed=needed, staked=in_play)


# -- a table that is here ----------------------------------------------------------------------------------------------


async def _join(
    casino: Casino, interaction: Interaction, reply: Reply, request: TableRequest, member: Member, table: Table
) -> None:
    """Give a member a seat at an open table, place their stake if they typed a sum or a spot, and say where they sit.

    While a round is played, a newcomer gets only the seat, and the stake of somebody who has one is refused. Post the
    table again if it has no message, or for a seated member who typed neither sum nor spot; one who was leaving then
    stays. If the opener of a table by invitation typed `invite` again, do nothing but ask whom else to invite.
    """
    snapshot = table.snapshot()
    sitter = snapshot.sitter_of(interaction.user.id)
    if sitter is not None and sitter.member is None:
        sitter = None  # only their last hand still lies there
    if request.freed_for is not None and table.state.invitation is not None and table.state.opener == member.user:
        await inviting.ask(reply, table)
        return
    own = casino.registry.table_in(table.state.channel, request.game, member.user) is table
    _refuse_new(request, table, own=own, seated=sitter is not None)
    if casino.presenter.is_nowhere(table) or (sitter is not None and request.is_bare):
        await casino.presenter.bring(reply, table)
    stakes = None if request.is_bare else _stakes(request, snapshot, sitter or staking.standing(member))
    try:
        staked = not request.is_bare and await _stake_or_sit(casino, interaction, table, stakes, member)
        if request.is_bare and (sitter is None or sitter.leaving):
            await table.join(member, interaction.id)
    except Refused as refused:
        raise presented(snapshot).explain(refused, table.snapshot(), member.user) from refused
    if not reply.shown:
        await reply.say(_told_where(table, stakes, staked=staked))
    await staking.welcome(interaction, reply, table)


def _refuse_new(request: TableRequest, table: Table, *, own: bool, seated: bool) -> None:
    """Refuse options that only a new table can have.

    `own` says whether the open table is the person's own, `seated` whether they sit there.
    """
    state = table.state
    values = {"rules": state.rules_name, "link": link(state)}
    others = request.rules is not None and request.rules != state.rules_name
    if others and seated:
        text = N_(
            "You are sitting at [a table of **{rules}**]({link}). Leave `rules` out, or **Leave** that table first."
        )
    elif others and own:
        text = N_("Your guests still play at [your table of **{rules}**]({link}). Leave `rules` out to sit down there.")
    elif others:
        text = N_("The table of this channel plays **{rules}**. Leave `rules` out to sit down.")
    elif request.computers is not None and own and not seated:
        text = N_("Your guests still play at [your table]({link}). Leave `ai` out to sit down there.")
    elif request.computers is not None:
        text = N_("You are sitting at [a table]({link}) here, and `ai` is for a new one. **Leave** that table first.")
    elif request.freed_for is not None and own and not seated:
        text = N_("Your guests still play at [your table]({link}). Leave `invite` out to sit down there.")
    elif request.freed_for is not None:
        text = N_("You have [a table]({link}) here, and `invite` is for a new one. **Leave** that table first.")
    else:
        return
    alone = "" if own else presentation(request.game).alone
    raise Sorry(" ".join(filter(None, (_(text, **values), alone and _(alone)))))


async def _stake_or_sit(
    casino: Casino, interaction: Interaction, table: Table, stakes: Stakes | None, member: Member
) -> bool:
    """Place the stake, with a seat for a newcomer, and return True. Raise Refused if stake or seat is refused.

    While a round is played, give a newcomer only a seat, and let somebody who is leaving stay, and return False; raise
    Refused for others who have a seat. If `stakes` is None, `Table.stake` chooses the stake.
    """
    try:
        await staking.stake(interaction, table, table.state.sealed, stakes, newcomer=member)
    except Refused as refused:
        chair = table.state.chair_of(member.user)
        if refused.reason is not Reason.ROUND_RUNNING or (chair is not None and not chair.leaving):
            raise
        await table.join(member, interaction.id)
        return False
    return True


def _told_where(table: Table, stakes: Stakes | None, *, staked: bool) -> str:
    """Return the sentence that says where the member sits, and what became of their bet."""
    values = {"link": link(table.state), "bet": counted(sum((stakes or {}).values()))}
    if staked:
        return _("Your bet of {bet} is on [the table]({link}).", **values)
    if table.state.phase is not TablePhase.PLAYING:
        return _("You are at [the table]({link}).", **values)
    if stakes:
        return _(
            "You have a seat at [the table]({link}). Your bet of {bet} was not placed: a round is being played, and "
            "you can stake when it is over.",
            **values,
        )
    return _("You have a seat at [the table]({link}) and can stake when the round is over.", **values)
