"""Joining and leaving a tournament, by its buttons or by command."""

from __future__ import annotations

from functools import partial
from typing import ClassVar, Self

import discord

from cogs.answers.client import Interaction
from cogs.answers.door import Stands, misplaced
from cogs.answers.here import ages_of, here, member_of
from cogs.answers.press import Press
from cogs.answers.reply import Reply
from cogs.words import _, counted, exactly
from engine.stored_words import TOURNAMENT
from engine.tables.refused import Reason, Refused
from engine.tournament.view import TournamentView


class EntryButton(Press, template=rf"{TOURNAMENT}:(?P<tournament>\d{{1,20}}):(?P<word>join|leave)"):
    """The button to join or leave a tournament."""

    stands: ClassVar[Stands] = Stands.AT_ITS_TABLE

    tournament: int
    word: str

    @classmethod
    def of(cls, tournament: int, word: str, label: str) -> Self:
        style = discord.ButtonStyle.success if word == "join" else discord.ButtonStyle.secondary
        return cls.button(label, style=style, tournament=tournament, word=word)

    async def pressed(self, interaction: Interaction, reply: Reply) -> None:
        """Sign the member up or out, and redraw the sign-up message; on any other message, answer in private."""
        view = await changed(interaction, self.tournament, self.word)
        if interaction.message is not None and interaction.message.id == view.state.message:
            await reply.redraw(await interaction.client.announcer.sign_up_page(view))
            return
        announce(interaction, view)
        await reply.say(entered(view) if self.word == "join" else withdrawn(view))


async def changed(interaction: Interaction, tournament: int, word: str) -> TournamentView:
    """Sign the member up or out (`word` is "join" or "leave"), and return the tournament as it is afterwards.

    Refuse tournaments of other servers, buttons outside of the tournament's channel, and accounts too new for a buy-in.
    """
    casino = interaction.client
    view = await _signed_up_here(interaction, tournament)
    member = await member_of(interaction)
    if word == "join" and view.buy_in:
        await casino.bank.chips.expect_age(view.state.guild, ages_of(interaction))
    step = casino.director.join if word == "join" else casino.director.leave
    return await step(tournament, member, interaction.id)


async def _signed_up_here(interaction: Interaction, tournament: int) -> TournamentView:
    """Return the tournament. Refuse one of another server and, for a button, one of another channel."""
    view = await interaction.client.director.view(tournament)
    if view.state.guild != here(interaction).guild:
        raise Refused(Reason.NO_SUCH_TOURNAMENT)
    if interaction.message is not None and interaction.channel_id != view.state.channel:
        raise misplaced()
    return view


def announce(interaction: Interaction, view: TournamentView) -> None:
    """Have the sign-up message updated in the background, within a second or two."""
    casino = interaction.client
    casino.announcer.soon(view.state.id, partial(casino.director.announce, view.state.id))


def entered(view: TournamentView) -> str:
    """Return the answer to a sign-up."""
    if not view.buy_in:
        return _("You're in! It starts {when}.", when=exactly(view.state.starts))
    return _(
        "You're in for {buy_in}. It starts {when}.",
        buy_in=counted(view.buy_in),
        when=exactly(view.state.starts),
    )


def withdrawn(view: TournamentView) -> str:
    """Return the answer to a sign-up that was taken back."""
    if not view.buy_in:
        return _("You're no longer signed up.")
    return _("You're no longer signed up, and get {buy_in} back.", buy_in=counted(view.buy_in))
