"""/casino reset: the order, given at least a week ahead, to set everybody's chips to the same amount (R14.2)."""

from __future__ import annotations

from typing import ClassVar, Final, Self

import discord
from discord import ui

from cogs.answers.client import Interaction
from cogs.answers.door import Stands, managers_only
from cogs.answers.forms import Form, FormValues
from cogs.answers.here import here, member_of, server
from cogs.answers.panel import panel
from cogs.answers.press import Press
from cogs.answers.reply import Reply
from cogs.background import log
from cogs.background.reset_texts import before_it, called_off, what_happens
from cogs.table.permissions import missing_to_post
from cogs.words import _, counted, exactly, number
from cogs.words.refusals import Sorry
from data import Reset, first_moment, season_at
from engine.games.contract import CHIP

#: The most chips that everybody can be set to.
_MOST: Final = 10**6
_ORDER: Final = r"(?P<chips>\d{1,7}):(?P<at>\d{1,10})"  # a moment that a calendar can have


async def show(interaction: Interaction, chips: int | None) -> ui.LayoutView:
    """Return the page of the server's reset that is not over or, if there is none, the page on which one is ordered.

    `chips` is what everybody will have; None stands for what new members get. The page for ordering is refused for a
    number that is not allowed, and in a channel where the bot cannot post the announcement, such as a thread.
    """
    bank, guild = interaction.client.bank, here(interaction).guild
    coming = await bank.resets.coming(guild)
    if coming is not None:
        return _waiting(coming)
    settings = await bank.guilds.settings(guild)
    amount = chips if chips is not None else settings.house.starting_chips // CHIP
    if not 0 < amount <= _MOST:
        raise Sorry(_("Enter a number of chips from 1 to {most}.", most=number(_MOST)))
    channel = here(interaction).channel
    if missing_to_post(server(interaction), channel) is None:
        raise Sorry(_("A reset is announced where it is ordered. Order it in a text channel."))
    log.expect_room(interaction, channel)
    now = interaction.client.clock.now()
    soonest, season = first_moment(now), season_at(now, settings.season).ends_at
    keys = [OrderKey.button(_("In a week"), chips=amount, at=int(soonest))]
    if season > soonest:  # else it would be the same key twice
        keys.append(OrderKey.button(_("With the new season"), chips=amount, at=int(season)))
    return panel(
        _("Reset to equal chips"),
        what_happens(amount * CHIP, soonest),
        _(
            "It is announced in this channel at once and stands on the server's calendar. You can withdraw it until "
            "then."
        ),
        small=[_("The new season begins {moment}.", moment=exactly(season))] if season >= soonest else [],
        rows=[keys],
    )


def _waiting(reset: Reset) -> ui.LayoutView:
    key = WithdrawKey.button(_("Withdraw"), enabled=not reset.began, style=discord.ButtonStyle.danger, reset=reset.id)
    texts = what_happens(reset.amount, reset.at), before_it(reset.closes)
    return panel(_("Reset to equal chips"), *texts, rows=[[key]])


class OrderKey(Press, template=rf"reset:order:{_ORDER}"):
    """The key that opens the form in which a manager confirms the order of a reset."""

    chips: int
    at: int

    async def pressed(self, interaction: Interaction, reply: Reply) -> None:
        managers_only(interaction)
        await reply.ask(OrderForm.of(self.chips, self.at))


class OrderForm(Form, template=rf"reset:form:{_ORDER}"):
    """The form in which a manager confirms a reset by typing, and so orders it."""

    stands: ClassVar[Stands] = Stands.PRIVATELY

    chips: int
    at: int

    @classmethod
    def of(cls, chips: int, at: int) -> Self:
        form = cls(_("Reset to equal chips"), chips=chips, at=at)
        hint = _("Everybody here will have {chips}.", chips=counted(chips * CHIP))
        return form.ask("sure", _("Type: {words}", words=_("reset")), hint)

    async def filled_in(self, interaction: Interaction, reply: Reply, answers: FormValues) -> None:
        managers_only(interaction)
        if answers.get("sure", "").strip().casefold() not in {_("reset").casefold(), "reset"}:
            raise Sorry(_("Nothing was ordered. To order it, type: {words}", words=_("reset")))
        channel, amount = interaction.channel_id, max(1, min(self.chips, _MOST)) * CHIP
        assert channel is not None
        log.expect_room(interaction, channel)
        line = await log.noted(
            interaction,
            lambda: _("🪙 {actor} ordered a reset to {chips} each.", actor=log.ACTOR, chips=counted(amount)),
        )
        actor = await member_of(interaction)
        reset = await interaction.client.bank.resets.order(interaction.id, actor, channel, amount, self.at, line)
        await reply.redraw(_waiting(reset))


class WithdrawKey(Press, template=r"reset:withdraw:(?P<reset>\d{1,20})"):
    """The key that withdraws a reset that has not begun."""

    reset: int

    async def pressed(self, interaction: Interaction, reply: Reply) -> None:
        managers_only(interaction)
        line = await log.noted(interaction, lambda: _("🪙 {actor} withdrew the reset.", actor=log.ACTOR))
        resets = interaction.client.bank.resets
        await resets.withdraw(self.reset, here(interaction).guild, line)
        await reply.redraw(called_off(await resets.known(self.reset)))


#: All keys and forms of this page.
PRESSES: Final[tuple[type[Press | Form], ...]] = (OrderKey, OrderForm, WithdrawKey)
