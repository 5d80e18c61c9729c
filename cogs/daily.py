"""/daily: the free chips of a day, and something to go on with for those who have next to nothing left."""

from __future__ import annotations

from typing import Final

import discord
from discord import app_commands, ui
from discord.ext import commands

from cogs.answers.client import Interaction, member_of
from cogs.answers.panel import FELT, panel
from cogs.answers.serving import serving
from cogs.words import _, counted, ngettext, when
from cogs.words.refusals import Sorry
from data import Handout, NotBroke, TooSoon


class Daily(commands.Cog):
    @app_commands.command(description="Today's free chips; more for each day in a row")
    @app_commands.guild_only()
    async def daily(self, interaction: Interaction) -> None:
        async with serving(interaction) as reply:
            await reply.show(await _daily(interaction))


async def _daily(interaction: Interaction) -> ui.LayoutView:
    """Today's chips; or, for somebody who has next to nothing left, something to go on with."""
    member, bank = await member_of(interaction), interaction.client.bank
    try:
        return _day_told(await bank.chips.daily(member.id, interaction.id, **_since(interaction)))
    except TooSoon as too_soon:
        try:
            return _help_told(await bank.chips.help(member.id, interaction.id))
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
    text = _("{streak}. You have **{balance}**.", streak=streak, balance=counted(handout.balance))
    bar = _bar(handout.streak)
    return panel(counted(handout.amount, sign=True), bar, text, small=[_next_due(handout)], colour=FELT)


#: So many days in a row double the chips (R10.3).
_DOUBLED: Final = 11


def _bar(streak: int) -> str:
    """How far the streak is on its way to double chips."""
    days = min(streak, _DOUBLED)
    return "🟩" * days + "⬜" * (_DOUBLED - days)


def _help_told(handout: Handout) -> ui.LayoutView:
    text = _("Something to get you going again. You have **{balance}**.", balance=counted(handout.balance))
    return panel(counted(handout.amount, sign=True), text, small=[_next_due(handout)], colour=FELT)


def _next_due(handout: Handout) -> str:
    return _("The next chips come {when}", when=when(handout.again))


async def setup(bot: commands.Bot | commands.AutoShardedBot) -> None:
    await bot.add_cog(Daily())
