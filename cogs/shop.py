"""/shop: members buy roles of their server for chips, and managers choose which are sold."""

from __future__ import annotations

import contextlib
import re
import secrets
from typing import Any, Final, Self

import discord
from discord import app_commands, ui
from discord.ext import commands

from cogs.answers.client import Casino, Interaction
from cogs.answers.door import managers_only
from cogs.answers.forms import Form, FormValues
from cogs.answers.here import here, member_of, server
from cogs.answers.panel import FELT, Rows, panel
from cogs.answers.press import Press, choice, take_up
from cogs.answers.reply import Reply
from cogs.answers.roles import fault_of, opens
from cogs.answers.sections import Section, shown_in
from cogs.answers.serving import serving
from cogs.background import log, roles
from cogs.today.calling import refuse_called
from cogs.words import _, counted, ngettext, number, when
from cogs.words.refusals import Sorry
from cogs.words.typed import whole_number
from data import MOST_WARES, AlreadyHeld, LogLine, ShopFull, Sold, Ware, WareChanged
from engine.games.contract import CHIP
from engine.tables.ports import BankError, OutcomeUnknown

_DAY: Final = 86_400.0
_MOST_CHIPS: Final = 10**9
_MOST_DAYS: Final = 365


class ShopCommand(commands.Cog):
    """The command /shop."""

    @app_commands.command(description="Roles of this server for chips", extras=shown_in(Section.CHIPS))
    async def shop(self, interaction: Interaction) -> None:
        """Show the roles that this server sells and the member's own, and to managers a menu to sell others."""
        async with serving(interaction) as reply:
            await reply.show(await _page(interaction))


async def _page(interaction: Interaction) -> ui.LayoutView:
    bank, guild, member = interaction.client.bank, server(interaction), await member_of(interaction)
    wares = await bank.shop.wares(guild.id)
    gone = [ware for ware in wares if guild.get_role(ware.role) is None]
    mine = [each for each in await bank.shop.held_by(member.id) if guild.get_role(each.role) is not None]
    owned = [
        _("You have <@&{role}>: it expires {when}", role=each.role, when=when(each.until)) if each.until is not None
        else _("You have <@&{role}>", role=each.role)
        for each in mine
    ]  # fmt: skip
    rows: Rows = []
    free = [ware for ware in wares if ware not in gone and ware.role not in {each.role for each in mine}]
    if free:
        rows.append([WareMenu.of(guild, free)])
    if interaction.permissions.manage_guild:
        rows.append([SellMenu.of()])
        if gone:
            rows.append([ClearKey.button(_("Remove deleted roles"))])
    else:
        wares = tuple(ware for ware in wares if ware not in gone)
    nothing = _("This server sells no roles.")
    small = [_("You have {balance}.", balance=counted(member.balance))]
    return panel(_("Shop"), "\n".join(map(_line, wares)) or nothing, "\n".join(owned), rows=rows, small=small)


def _line(ware: Ware) -> str:
    return _("<@&{role}> · **{price}** · {time}", role=ware.role, price=counted(ware.price), time=_time(ware))


def _time(ware: Ware) -> str:
    if ware.seconds is None:
        return _("for good")
    return ngettext("for {count} day", "for {count} days", int(ware.seconds // _DAY))


def _name(guild: discord.Guild | None, role: int) -> str:
    found = guild.get_role(role) if guild is not None else None
    return found.name if found is not None else str(role)


class WareMenu(Press, template=r"shop:choose"):
    """The menu of the roles that can be bought, which asks whether to buy the chosen one."""

    @classmethod
    def of(cls, guild: discord.Guild | None, wares: list[Ware]) -> Self:
        options = [
            discord.SelectOption(
                label=_name(guild, ware.role)[:100],
                value=str(ware.role),
                description=f"{counted(ware.price)} · {_time(ware)}",
            )
            for ware in wares
        ]
        menu: ui.Select[Any] = ui.Select(custom_id=cls.carries.of(), placeholder=_("Choose a role"), options=options)
        return cls(menu)

    async def pressed(self, interaction: Interaction, reply: Reply) -> None:
        wares = await interaction.client.bank.shop.wares(here(interaction).guild)
        ware = next((each for each in wares if str(each.role) == choice(interaction)), None)
        if ware is None:
            raise WareChanged
        member = await member_of(interaction)
        small = [_("You have {balance}.", balance=counted(member.balance))]
        await reply.redraw(panel(_("Buy this role?"), _line(ware), rows=[[BuyButton.of(ware)]], small=small))


class BuyButton(Press, template=r"shop:buy:(?P<role>\d{1,20}):(?P<price>\d{1,14}):(?P<days>\d{1,3})"):
    """The key that buys a role. It carries the role, the price, and the number of days (0: for good).

    Chips come back if Discord refuses the role.
    """

    role: int
    price: int
    days: int

    @classmethod
    def of(cls, ware: Ware) -> Self:
        label = _("Buy for {price}", price=counted(ware.price))
        style = discord.ButtonStyle.success
        return cls.button(label, style=style, role=ware.role, price=ware.price, days=int((ware.seconds or 0) // _DAY))

    async def pressed(self, interaction: Interaction, reply: Reply) -> None:
        casino, member = interaction.client, await member_of(interaction)
        guild = server(interaction)
        fault = fault_of(guild, guild.get_role(self.role))
        if fault:
            raise Sorry(_("That role can't be sold now. {why} Nothing was changed.", why=fault))
        if isinstance(interaction.user, discord.Member) and interaction.user.get_role(self.role) is not None:
            raise AlreadyHeld
        ware = Ware(self.role, self.price, self.days * _DAY if self.days else None)
        values = {"actor": log.ACTOR, "role": self.role, "price": counted(self.price)}
        line = await log.noted(interaction, lambda: _("🎭 {actor} bought <@&{role}> for {price}", **values))
        job = await casino.bank.shop.buy(member, ware, interaction.id, line)
        await reply.acknowledge()
        ended = None
        with contextlib.suppress(BankError, OutcomeUnknown):  # it is paid for, and the chore gives it
            ended = await roles.settle(casino, job, secrets.token_hex(8))
        match ended:
            case Sold.HELD:
                text = _("<@&{role}> is yours. Thank you!", role=self.role)
            case Sold.REFUNDED:
                text = _("Discord refused to give you <@&{role}>, so your chips are back.", role=self.role)
            case _:
                text = _(
                    "You have paid for <@&{role}>: it comes in a minute, or your chips come back.",
                    role=self.role,
                )
        await reply.redraw(panel(_("Shop"), text, colour=FELT))


# -- for managers ------------------------------------------------------------------------------------------------------


class SellMenu(Press, template=r"shop:sell"):
    """The menu of all roles of the server, in which a manager chooses one to sell or to change."""

    @classmethod
    def of(cls) -> Self:
        menu: ui.RoleSelect[Any] = ui.RoleSelect(custom_id=cls.carries.of(), placeholder=_("For managers: sell a role"))
        return cls(menu)

    async def pressed(self, interaction: Interaction, reply: Reply) -> None:
        managers_only(interaction)
        value = choice(interaction)
        role = int(value) if re.fullmatch(r"[0-9]{1,20}", value) else 0
        known = {ware.role: ware for ware in await interaction.client.bank.shop.wares(here(interaction).guild)}
        if role not in known:  # one that is sold may be taken off the shelf in any case
            await _role(interaction, role)
            if len(known) >= MOST_WARES:
                raise ShopFull(MOST_WARES)
        await reply.ask(SellForm.of(role, known.get(role)))


class ClearKey(Press, template=r"shop:clear"):
    """The key by which a manager ends the sale of deleted roles: Discord's menu does not offer them any more."""

    async def pressed(self, interaction: Interaction, reply: Reply) -> None:
        managers_only(interaction)
        shop, guild = interaction.client.bank.shop, server(interaction)
        for ware in await shop.wares(guild.id):
            if guild.get_role(ware.role) is None:
                await shop.withdraw(guild.id, ware.role, await _withdrawn(interaction, ware.role))
        await reply.redraw(await _page(interaction))


async def _withdrawn(interaction: Interaction, role: int) -> LogLine | None:
    """Return the line for the server's log about a role that is not sold any more, or None without a log."""
    return await log.noted(interaction, lambda: _("🎭 {actor} sells <@&{role}> no more", actor=log.ACTOR, role=role))


async def _role(interaction: Interaction, role: int) -> discord.Role:
    """Return a role of the server. Refuse one that cannot be sold."""
    guild = server(interaction)
    found = guild.get_role(role)
    fault = fault_of(guild, found)
    if found is None or fault:
        raise Sorry(fault)
    await refuse_called(interaction, role)
    return found


class SellForm(Form, template=r"shop:sell:(?P<role>\d{1,20})"):
    """The form for the price and the days of a role. Without a price the role is not sold any more."""

    role: int

    @classmethod
    def of(cls, role: int, ware: Ware | None) -> Self:
        form = cls(_("Sell a role"), role=role)
        price = str(ware.price // CHIP) if ware is not None else ""
        days = str(int(ware.seconds // _DAY)) if ware is not None and ware.seconds is not None else ""
        form.ask("price", _("Price in chips"), _("empty: not for sale any more"), value=price, required=False)
        return form.ask(
            "days", _("Days"), _("1 to {most}; empty: for good", most=_MOST_DAYS), value=days, required=False
        )

    async def filled_in(self, interaction: Interaction, reply: Reply, answers: FormValues) -> None:
        managers_only(interaction)
        shop, guild = interaction.client.bank.shop, here(interaction).guild
        values: dict[str, Any] = {"actor": log.ACTOR, "role": self.role}
        if not answers.get("price"):
            if self.role in {ware.role for ware in await shop.wares(guild)}:
                await shop.withdraw(guild, self.role, await _withdrawn(interaction, self.role))
            await reply.redraw(await _page(interaction))
            return
        role = await _role(interaction, self.role)
        price = _whole(answers["price"], _MOST_CHIPS)
        days = _whole(answers["days"], _MOST_DAYS) if answers.get("days") else 0
        ware = Ware(self.role, price * CHIP, days * _DAY if days else None)
        line = await log.noted(
            interaction,
            lambda: _(
                "🎭 {actor} sells <@&{role}>: {price}, {time}", **values, price=counted(ware.price), time=_time(ware)
            ),
        )
        await shop.offer(guild, ware, line)
        await reply.redraw(await _page(interaction))
        opened = opens(role)
        if opened:
            await reply.say(
                _("{role} opens these channels to everyone who buys it: {channels}", role=role.mention, channels=opened)
            )


def _whole(text: str, most: int) -> int:
    read = whole_number(text)
    if read is None or not 0 < read <= most:
        raise Sorry(_("Enter a number from 1 to {most}.", most=number(most)))
    return read


async def setup(bot: Casino) -> None:
    take_up(bot, WareMenu, BuyButton, SellMenu, ClearKey, SellForm)
    await bot.add_cog(ShopCommand())
