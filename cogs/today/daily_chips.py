"""The free chips of a day, the help for members who have almost none left, and the key that takes either."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from discord import ui

from cogs.answers.client import Interaction
from cogs.answers.here import ages_of, member_of
from cogs.answers.panel import FELT, panel
from cogs.answers.press import Press
from cogs.answers.reply import Reply
from cogs.words import _, counted, number, when
from cogs.words.refusals import Sorry
from data import Handout, NotBroke, TooSoon


async def daily_chips(interaction: Interaction, rows: Sequence[Sequence[ui.Item[Any]]] = ()) -> ui.LayoutView:
    """Give a member today's chips, or help if they had those and have almost none left. Return the message about it.

    Raise Sorry if neither is due, and TooYoung for an account that is too new. `rows` are keys below the message about
    today's chips.
    """
    member, bank = await member_of(interaction), interaction.client.bank
    try:
        return _day_text(await bank.chips.daily(member.id, interaction.id, ages_of(interaction)), rows)
    except TooSoon as too_soon:
        try:
            return _help_text(await bank.chips.help(member.id, interaction.id))
        except (TooSoon, NotBroke):
            text = _("You've had today's chips. The next ones come {when}.", when=when(too_soon.again))
            raise Sorry(text) from None


def _day_text(handout: Handout, rows: Sequence[Sequence[ui.Item[Any]]]) -> ui.LayoutView:
    balance = counted(handout.balance)
    text = _("Streak: **{count}**. You have **{balance}**.", count=number(handout.streak), balance=balance)
    parts = counted(handout.amount, sign=True), _bar(handout.streak), text
    return panel(*parts, small=[_next_due(handout)], rows=rows, colour=FELT)


#: The length of the streak at which daily chips are doubled (R10.3).
_DOUBLED: Final = 11


def _bar(streak: int) -> str:
    """Return a bar that shows how far the streak is on its way to double chips."""
    times = min(streak, _DOUBLED)
    return "🟩" * times + "⬜" * (_DOUBLED - times)


def _help_text(handout: Handout) -> ui.LayoutView:
    text = _("A little help from the house. You have **{balance}**.", balance=counted(handout.balance))
    return panel(counted(handout.amount, sign=True), text, small=[_next_due(handout)], colour=FELT)


def _next_due(handout: Handout) -> str:
    return _("Next daily chips {when}", when=when(handout.again))


# -- the key -----------------------------------------------------------------------------------------------------------


class DailyKey(Press, template=r"today:daily"):
    """The key that takes today's free chips, as `/daily` does."""

    async def pressed(self, interaction: Interaction, reply: Reply) -> None:
        await reply.show(await daily_chips(interaction))


async def daily_keys(interaction: Interaction) -> list[ui.Item[Any]]:
    """Return a list with the key to the free chips; empty if none are due, and outside of a server. Open no account."""
    bank, guild = interaction.client.bank, interaction.guild_id
    if guild is None:
        return []
    member = await bank.members.known(guild, interaction.user.id)
    if member is not None and await bank.chips.daily_due(member.id) > interaction.client.clock.now():
        return []
    return [DailyKey.button(_("Free chips"))]
