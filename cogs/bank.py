"""/balance /daily /give"""

from __future__ import annotations

import re
from typing import Any, Self

import discord
from discord import app_commands, ui
from discord.ext import commands

from cogs.casino import casino_of
from cogs.errors import Reply, serving
from cogs.panel import FELT, button, panel
from cogs.refusals import Sorry
from cogs.table.press import Interaction, Press, take_up
from cogs.words import _, chips, mention, ngettext, when
from data import Handout, NotBroke, TooSoon
from engine.games.contract import CHIP, Cents
from engine.tables.ports import Member

Somebody = discord.Member | discord.User


class Bank(commands.Cog):
    @app_commands.command(description="Your chips, or somebody else's")
    @app_commands.describe(member="Whose; yours if you leave it out")
    @app_commands.guild_only()
    async def balance(self, interaction: discord.Interaction[Any], member: discord.Member | None = None) -> None:
        async with serving(interaction) as reply:
            if member is None or member.id == interaction.user.id:
                await reply.show(await _own_balance(interaction))
            else:
                await reply.show(await _balance_of(interaction, member))

    @app_commands.command(description="Today's free chips; more for each day in a row")
    @app_commands.guild_only()
    async def daily(self, interaction: discord.Interaction[Any]) -> None:
        async with serving(interaction) as reply:
            await reply.show(await _daily(interaction))

    @app_commands.command(description="Give somebody chips of yours")
    @app_commands.describe(member="Who gets them", amount="How many chips")
    @app_commands.guild_only()
    async def give(self, interaction: discord.Interaction[Any], member: discord.Member, amount: int) -> None:
        async with serving(interaction) as reply:
            if member.bot:
                raise Sorry(_("Bots have no purse."))
            giver = await _signed_in(interaction)
            _refuse_gift(giver, member.id, amount * CHIP)
            await reply.show(_gift_question(interaction, giver, member, amount * CHIP))


async def _signed_in(interaction: Interaction) -> Member:
    assert interaction.guild_id is not None
    return await casino_of(interaction).bank.member(interaction.guild_id, interaction.user.id)


# -- balances ----------------------------------------------------------------------------------------------------------


async def _own_balance(interaction: Interaction) -> ui.LayoutView:
    member = await _signed_in(interaction)
    in_play = await casino_of(interaction).bank.in_play(member.id)
    staked = _("**{chips}** more are staked on open tables.", chips=chips(in_play)) if in_play else ""
    return panel(_("{chips} chips", chips=chips(member.balance)), staked)


async def _balance_of(interaction: Interaction, member: Somebody) -> ui.LayoutView:
    assert interaction.guild_id is not None
    balance = await casino_of(interaction).bank.balance(interaction.guild_id, member.id)
    if balance is None:
        raise Sorry(_("{name} has not played here yet.", name=mention(member.id)))
    return panel(_("{chips} chips", chips=chips(balance)), mention(member.id))


# -- a day's chips -----------------------------------------------------------------------------------------------------


async def _daily(interaction: Interaction) -> ui.LayoutView:
    """Today's chips; or, for somebody who has next to nothing left, something to go on with."""
    member, bank = await _signed_in(interaction), casino_of(interaction).bank
    try:
        return _day_told(await bank.daily(member.id, interaction.id, **_since(interaction)))
    except TooSoon as too_soon:
        try:
            return _help_told(await bank.help(member.id, interaction.id))
        except (TooSoon, NotBroke):
            text = _("You have had today's chips. The next ones are due {when}.", when=when(too_soon.again))
            raise Sorry(text) from None


def _since(interaction: Interaction) -> dict[str, float | None]:
    user = interaction.user
    joined = user.joined_at if isinstance(user, discord.Member) else None
    return {
        "account_since": user.created_at.timestamp(),
        "server_since": joined.timestamp() if joined is not None else None,
    }


def _day_told(handout: Handout) -> ui.LayoutView:
    streak = ngettext("{count} day in a row", "{count} days in a row", handout.streak)
    text = _("{streak}. You have **{balance}**.", streak=streak, balance=chips(handout.balance))
    return panel(_("+{chips} chips", chips=chips(handout.amount)), text, small=[_next_due(handout)], colour=FELT)


def _help_told(handout: Handout) -> ui.LayoutView:
    text = _("Something to go on with. You have **{balance}**.", balance=chips(handout.balance))
    return panel(_("+{chips} chips", chips=chips(handout.amount)), text, small=[_next_due(handout)], colour=FELT)


def _next_due(handout: Handout) -> str:
    return _("More {when}", when=when(handout.again))


# -- gifts -------------------------------------------------------------------------------------------------------------


def _refuse_gift(giver: Member, to: int, amount: Cents) -> None:
    if to == giver.user:
        raise Sorry(_("That would change nothing: it is your own purse."))
    if amount <= 0:
        raise Sorry(_("A gift is at least one chip."))
    if amount > giver.balance:
        raise Sorry(_("You have {balance} chips.", balance=chips(giver.balance)))


def _gift_question(interaction: Interaction, giver: Member, to: Somebody, amount: Cents) -> ui.LayoutView:
    question = _("To {name}. You have **{balance}**.", name=mention(to.id), balance=chips(giver.balance))
    give = GiftButton.of(interaction.id, giver.user, to.id, amount)
    return panel(_("Give {chips} chips?", chips=chips(amount)), question, rows=[[give]])


class GiftButton(Press, template=r"gift:(?P<press>\d{1,20}):(?P<giver>\d{1,20}):(?P<to>\d{1,20}):(?P<amount>\d{1,18})"):
    """Confirms a gift. It carries the command's own id, so however often it is pressed, the gift is given once."""

    def __init__(self, item: ui.Item[Any], press: int, giver: int, to: int, amount: Cents) -> None:
        super().__init__(item)
        self.press, self.giver, self.to, self.amount = press, giver, to, amount

    @classmethod
    def of(cls, press: int, giver: int, to: int, amount: Cents) -> Self:
        custom_id = f"gift:{press}:{giver}:{to}:{amount}"
        return cls(button(_("Give"), custom_id, style=discord.ButtonStyle.success), press, giver, to, amount)

    @classmethod
    def read(cls, item: ui.Item[Any], match: re.Match[str]) -> Self:
        return cls(item, int(match["press"]), int(match["giver"]), int(match["to"]), int(match["amount"]))

    async def pressed(self, interaction: Interaction, reply: Reply) -> None:
        if interaction.user.id != self.giver:
            raise Sorry(_("Only who gives can confirm a gift."))
        giver, bank = await _signed_in(interaction), casino_of(interaction).bank
        _refuse_gift(giver, self.to, self.amount)
        receiver = await bank.member(giver.guild, self.to)
        await bank.give(giver.id, receiver.id, self.amount, self.press)
        await reply.redraw(panel(_("Given"), _gift_told(self.giver, self.to, self.amount), colour=FELT))
        await interaction.followup.send(_gift_told(self.giver, self.to, self.amount))


def _gift_told(giver: int, to: int, amount: Cents) -> str:
    return _("{giver} gives {name} **{chips}** chips.", giver=mention(giver), name=mention(to), chips=chips(amount))


async def setup(bot: commands.Bot | commands.AutoShardedBot) -> None:
    take_up(bot, GiftButton)
    await bot.add_cog(Bank())
