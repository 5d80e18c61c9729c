"""/daily: the free chips of a day, and a few more for members who have almost none left."""

from __future__ import annotations

from typing import Final

from discord import app_commands, ui
from discord.ext import commands

from cogs.answers.ages import since_of
from cogs.answers.client import Casino, Interaction, member_of
from cogs.answers.panel import FELT, panel
from cogs.answers.sections import Section, shown_in
from cogs.answers.serving import serving
from cogs.words import _, counted, number, when
from cogs.words.refusals import Sorry
from data import Handout, NotBroke, TooSoon


class Daily(commands.Cog):
    """The command /daily."""

    @app_commands.command(description="Today's free chips; a streak brings more", extras=shown_in(Section.CHIPS))
    @app_commands.guild_only()
    async def daily(self, interaction: Interaction) -> None:
        """Give the member today's free chips."""
        async with serving(interaction) as reply:
            await reply.show(await _daily(interaction))


async def _daily(interaction: Interaction) -> ui.LayoutView:
    """Give today's chips or, to a member who has almost none left, a few to go on with."""
    member, bank = await member_of(interaction), interaction.client.bank
    try:
        return _day_text(await bank.chips.daily(member.id, interaction.id, since_of(interaction)))
    except TooSoon as too_soon:
        try:
            return _help_text(await bank.chips.help(member.id, interaction.id))
        except (TooSoon, NotBroke):
            text = _("You've had today's chips. The next ones come {when}.", when=when(too_soon.again))
            raise Sorry(text) from None


def _day_text(handout: Handout) -> ui.LayoutView:
    balance = counted(handout.balance)
    text = _("Streak: **{count}**. You have **{balance}**.", count=number(handout.streak), balance=balance)
    goes_on = _("Come back, or your streak ends {until}", until=when(handout.until))
    small = [_next_due(handout), goes_on]
    return panel(counted(handout.amount, sign=True), _bar(handout.streak), text, small=small, colour=FELT)


#: Daily chips in a row until they are doubled (R10.3).
_DOUBLED: Final = 11


def _bar(streak: int) -> str:
    """Draw how far the streak is on its way to double chips."""
    times = min(streak, _DOUBLED)
    return "🟩" * times + "⬜" * (_DOUBLED - times)


def _help_text(handout: Handout) -> ui.LayoutView:
    text = _("A little something to get you going again. You have **{balance}**.", balance=counted(handout.balance))
    return panel(counted(handout.amount, sign=True), text, small=[_next_due(handout)], colour=FELT)


def _next_due(handout: Handout) -> str:
    return _("Next daily chips {when}", when=when(handout.again))


async def setup(bot: Casino) -> None:
    await bot.add_cog(Daily())
