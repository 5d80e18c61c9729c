"""The keys of tournaments with the same cards for all, and the private pages that they lead to."""

from __future__ import annotations

from typing import Any, ClassVar

from discord import ButtonStyle, ui

from cogs.answers.client import Interaction
from cogs.answers.door import Stands, misplaced
from cogs.answers.here import here
from cogs.answers.panel import BRASS, panel
from cogs.answers.press import Press
from cogs.answers.reply import Reply
from cogs.care.sittings import note
from cogs.duel.posting import is_private
from cogs.today import timed
from cogs.today.hand import PageWithFiles
from cogs.tournament import field as texts
from cogs.words import _, ngettext
from data import DealtSet, FieldResult, StoredField
from engine.stored_words import SAME_CARDS
from engine.tournament.view import TournamentView

_TOURNAMENT = r"(?P<tournament>\d{1,20})"


class OfAField(Press, template=r"(?!)"):
    """The base class of keys that concern a tournament with the same cards for all."""

    stands: ClassVar[Stands] = Stands.OPENLY

    tournament: int

    async def found(self, interaction: Interaction) -> StoredField:
        """Return the tournament's deals. Raise FieldClosed if it has none yet, Sorry if it is another server's."""
        field = await interaction.client.bank.fields.known(self.tournament)
        if field.guild != here(interaction).guild:
            raise misplaced()
        return field

    async def shown(self, interaction: Interaction, reply: Reply, page: PageWithFiles) -> None:
        """Show a page to the presser only: in the pressed key's message if that is private, else in a new message."""
        await (reply.redraw(*page) if is_private(interaction) else reply.show(*page))


class PlayFieldKey(OfAField, template=rf"{SAME_CARDS}:play:{_TOURNAMENT}"):
    """The key that opens the presser's own hands and begins them the first time. At the end it shows all deals.

    A hand that has just stood because its time ran out is shown, even the last one.
    """

    @classmethod
    def of(cls, tournament: int, label: str) -> PlayFieldKey:
        return cls.button(label, style=ButtonStyle.primary, tournament=tournament)

    async def pressed(self, interaction: Interaction, reply: Reply) -> None:
        field = await self.found(interaction)
        bank = interaction.client.bank
        if field.over:
            await self.shown(interaction, reply, PageWithFiles(await deals_page(interaction, self.tournament, 0), []))
            return
        seen = await timed.look(bank, await bank.fields.begin(field, interaction.user.id), field.deals)
        if seen.found.over and seen.in_time:
            await self.shown(interaction, reply, PageWithFiles(_done(), []))
        else:
            await self.shown(interaction, reply, await _page(self.tournament, field.deals, seen))
        interaction.client.director.look(self.tournament)


class ActFieldKey(
    OfAField, template=rf"{SAME_CARDS}:act:{_TOURNAMENT}:(?P<version>\d{{1,6}}):(?P<action>[a-z]{{1,12}}|/)"
):
    """The key that plays an action of a hand, or goes on to the next hand.

    What a press changes is stored before it is shown. An outdated press changes nothing.
    """

    stands: ClassVar[Stands] = Stands.PRIVATELY

    version: int
    action: str

    async def pressed(self, interaction: Interaction, reply: Reply) -> None:
        field = await self.found(interaction)
        bank, user = interaction.client.bank, interaction.user.id
        stored = await bank.fields.find(field, user)
        if field.over or stored is None:
            await reply.redraw(await deals_page(interaction, self.tournament, 0), [])
            return
        after = await timed.press(
            bank, stored, field.deals, self.version, self.action, lambda: bank.fields.find(field, user)
        )
        await reply.redraw(*await _page(self.tournament, field.deals, after))
        if after.found.over:
            interaction.client.director.look(self.tournament)
        await note(interaction, reply)


async def _page(tournament: int, deals: DealtSet, played: timed.TimedTry) -> PageWithFiles:
    def key(label: str, action: str) -> ui.Item[Any]:
        version = played.stored.version
        return ActFieldKey.button(
            label, style=ButtonStyle.primary, tournament=tournament, version=version, action=action
        )

    return await timed.page(played, deals, key, PlayFieldKey.of(tournament, _("How it stands")))


def _done() -> ui.LayoutView:
    text = _("You are done. The result is posted as soon as everybody is, or when the time is over.")
    return panel(_("The same cards for all"), text, small=[texts.secret()])


# -- afterwards --------------------------------------------------------------------------------------------------------


class FieldDealsKey(OfAField, template=rf"{SAME_CARDS}:deals:{_TOURNAMENT}:(?P<page>\d{{1,2}})"):
    """The key that shows all deals with what everybody chose, once the tournament is over."""

    page: int

    async def pressed(self, interaction: Interaction, reply: Reply) -> None:
        await self.found(interaction)
        await self.shown(
            interaction, reply, PageWithFiles(await deals_page(interaction, self.tournament, self.page), [])
        )


async def deals_page(interaction: Interaction, tournament: int, page: int) -> ui.LayoutView:
    """Return a page (from 0) of all deals. Raises StillSecret before the tournament is over."""
    return deals_view(await interaction.client.bank.fields.result(tournament, interaction.user.id), page)


def deals_view(result: FieldResult, page: int) -> ui.LayoutView:
    """Return a page of all deals, each with what everybody chose and how the reader played it."""
    pages = texts.pages(result)
    page = min(page, pages - 1)
    deals = result.field.deals
    seed = _("Seed {seed}, of the promise {tip}.", seed=f"`{deals.seed.hex()}`", tip=f"`{deals.tip}`")
    keys = _turning(FieldDealsKey, result.field.tournament, page, pages)
    return panel(_("All hands"), *texts.deals(result, page), small=[texts.unplayed(), seed], rows=[keys], divided=True)


class FieldPlacesKey(OfAField, template=rf"{SAME_CARDS}:places:{_TOURNAMENT}:(?P<page>\d{{1,4}})"):
    """The key that shows all places, once the tournament is over."""

    page: int

    async def pressed(self, interaction: Interaction, reply: Reply) -> None:
        await self.found(interaction)
        view = await interaction.client.director.view(self.tournament)
        await self.shown(interaction, reply, PageWithFiles(places_page(view, self.page, interaction.user.id), []))


def places_page(view: TournamentView, page: int, viewer: int) -> ui.LayoutView:
    """Return a page (from 0) of all places, with the viewer's own line below if it is on another page."""
    pages = max(1, -(-len(view.lines) // texts.PLACES))
    page = min(page, pages - 1)
    shown = view.lines[page * texts.PLACES : (page + 1) * texts.PLACES]
    own = [line for line in view.lines if line.user == viewer and line not in shown]
    lines = "\n".join(texts.placed(view, line) for line in (*shown, *own))
    keys = _turning(FieldPlacesKey, view.state.id, page, pages)
    small = [ngettext("{count} player", "{count} players", len(view.lines)), *texts.legend(view)]
    return panel(_("All places"), lines or _("Nobody played."), small=small, rows=[keys], colour=BRASS)


def _turning(key: type[OfAField], tournament: int, page: int, pages: int) -> list[ui.Item[Any]]:
    return [
        key.button(label, enabled=0 <= to < pages, tournament=tournament, page=max(to, 0))
        for label, to in ((_("Back"), page - 1), (_("Next"), page + 1))
    ]
