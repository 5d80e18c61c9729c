"""/give: a member gives chips to another, after confirming it with a button."""

from __future__ import annotations

from typing import ClassVar

import discord
from discord import app_commands, ui
from discord.ext import commands

from cogs.answers.client import Casino, Interaction, Someone
from cogs.answers.door import Stands
from cogs.answers.forms import Form, FormValues
from cogs.answers.here import ages_of, here, member_of
from cogs.answers.panel import FELT, panel
from cogs.answers.preferences import reader_of
from cogs.answers.press import Press, take_up
from cogs.answers.reply import Reply
from cogs.answers.sections import Section, shown_in
from cogs.answers.serving import serving
from cogs.words import _, counted, mention, not_for_sale, reading, safe
from cogs.words.refusals import Sorry
from cogs.words.typed import whole_number
from engine.games.contract import CHIP, Cents
from engine.tables.values import Member


class GiveCommand(commands.Cog):
    """The command /give."""

    @app_commands.command(description="Give someone some of your chips", extras=shown_in(Section.CHIPS))
    @app_commands.describe(member="Recipient", amount="How many chips")
    @app_commands.guild_only()
    async def give(self, interaction: Interaction, member: Someone, amount: int) -> None:
        """Ask with a button whether to give this number of chips to a member, unless the gift is refused."""
        async with serving(interaction) as reply:
            refuse_who_cannot_get_chips(member)
            await reply.show(await _asked(interaction, member.id, amount * CHIP))


@app_commands.guild_only()
async def give_to(interaction: Interaction, member: Someone) -> None:
    """Show the form that asks how much to give to a member, after a right click on them, or refuse the gift."""
    async with serving(interaction) as reply:
        refuse_who_cannot_get_chips(member)
        giver = await member_of(interaction)
        _refuse_gift(giver, member.id, CHIP)
        form = GiftForm(_("Give {name} chips", name=member.display_name), to=member.id)
        form.ask("chips", _("Chips"), _("You have {balance}.", balance=counted(giver.balance)))
        await reply.ask(form)


class GiftForm(Form, template=r"give:(?P<to>\d{1,20})"):
    """The form that asks how much to give. Filling it in leads to the same question as the command."""

    stands: ClassVar[Stands] = Stands.AT_ITS_TABLE

    to: int

    async def filled_in(self, interaction: Interaction, reply: Reply, answers: FormValues) -> None:
        text = answers.get("chips", "")
        chips = whole_number(text)
        if chips is None:
            raise Sorry(_("**{text}** isn't a number of chips.", text=safe(text)))
        await _refuse_strangers(interaction, self.to)
        await reply.show(await _asked(interaction, self.to, chips * CHIP))


def refuse_who_cannot_get_chips(who: Someone) -> None:
    """Refuse bots, and people who are not on this server: Discord lets members name such people by their id."""
    if who.bot:
        raise Sorry(_("Bots can't hold chips."))
    if isinstance(who, discord.User):
        raise _stranger()


def _stranger() -> Sorry:
    return Sorry(_("That person isn't on this server. No chips were sent."))


async def _refuse_strangers(interaction: Interaction, user: int) -> None:
    """Refuse an id that no person on this server has, because anybody may have made up the custom_id."""
    assert interaction.guild is not None
    try:
        refuse_who_cannot_get_chips(await interaction.guild.fetch_member(user))
    except discord.NotFound as missing:
        raise _stranger() from missing


async def _asked(interaction: Interaction, to: int, amount: Cents) -> ui.LayoutView:
    """Return the question whether to make a gift, with the button that makes it. Refuse a gift that is not allowed."""
    giver, bank = await member_of(interaction), interaction.client.bank
    _refuse_gift(giver, to, amount)
    receiver = await bank.members.known(giver.guild, to)
    number = receiver.id if receiver is not None else None
    await bank.chips.expect_gift(giver.id, number, amount, ages_of(interaction))
    return _gift_question(interaction, giver, to, amount)


def _refuse_gift(giver: Member, to: int, amount: Cents) -> None:
    if to == giver.user:
        raise Sorry(_("You can't give chips to yourself."))
    if amount <= 0:
        raise Sorry(_("Give at least 1 chip."))
    if amount > giver.balance:
        values = {"needed": counted(amount), "balance": counted(giver.balance)}
        raise Sorry(_("You need {needed} but have {balance}.", **values))


def _gift_question(interaction: Interaction, giver: Member, to: int, amount: Cents) -> ui.LayoutView:
    question = _("To {name}. You have **{balance}**.", name=mention(to), balance=counted(giver.balance))
    give = GiftButton.button(
        _("Give"),
        style=discord.ButtonStyle.success,
        press=interaction.id,
        giver=giver.user,
        to=to,
        amount=amount,
    )
    return panel(_("Give {chips}?", chips=counted(amount)), question, rows=[[give]], small=[not_for_sale()])


class GiftButton(Press, template=r"gift:(?P<press>\d{1,20}):(?P<giver>\d{1,20}):(?P<to>\d{1,20}):(?P<amount>\d{1,18})"):
    """The button that makes a gift, then tells the channel of it and pings the receiver, who gets an account if needed.

    It carries the id of the interaction that asked (`press`), so pressing it twice gives once.
    """

    press: int
    giver: int
    to: int
    amount: Cents

    async def pressed(self, interaction: Interaction, reply: Reply) -> None:
        giver, bank = await member_of(interaction), interaction.client.bank
        _refuse_gift(giver, self.to, self.amount)
        await _refuse_strangers(interaction, self.to)
        receiver = await bank.members.sign_in(giver.guild, self.to)
        await bank.chips.give(giver.id, receiver.id, self.amount, self.press, ages_of(interaction))
        await reply.redraw(panel(_("Sent"), _gift_text(self.giver, self.to, self.amount), colour=FELT))
        with reading(await reader_of(interaction.client, here(interaction).guild, opened_in=str(interaction.locale))):
            news = _gift_text(self.giver, self.to, self.amount)
        await reply.add(news, called=[self.to])


def _gift_text(giver: int, to: int, amount: Cents) -> str:
    return _("{giver} gives {name} **{chips}**.", giver=mention(giver), name=mention(to), chips=counted(amount))


async def setup(bot: Casino) -> None:
    take_up(bot, GiftButton, GiftForm)
    bot.tree.add_command(app_commands.ContextMenu(name="Give", callback=give_to))
    await bot.add_cog(GiveCommand())
