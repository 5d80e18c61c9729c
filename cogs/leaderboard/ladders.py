"""The boards of all time: chips, winnings, win rate."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar, Final, Self

import discord
from discord import ui

from cogs.answers.client import Interaction
from cogs.answers.door import Stands
from cogs.answers.here import here
from cogs.answers.panel import Rows, in_rows, panel
from cogs.answers.preferences import reader_of
from cogs.answers.press import Press
from cogs.answers.reply import Reply
from cogs.words import N_, Reader, _, chips, mention, ngettext, percent, rank_text, reading, signed
from data import Ladder, Leaderboard, Ranked

NAMES: Final[Mapping[Ladder, str]] = {
    Ladder.CHIPS: N_("Chips"),
    Ladder.WINNINGS: N_("Winnings"),
    Ladder.WIN_RATE: N_("Win rate"),
}
_LADDERS: Final = tuple(Ladder)
_MILLION: Final = 1_000_000


async def everybody(interaction: Interaction) -> Reader:
    """Return the reader for a board that everybody in the channel sees, with the settings of the server.

    In a thread its names are plain, because mentions would add people to the thread.
    """
    reader = await reader_of(interaction.client, here(interaction).guild, opened_in=str(interaction.locale))
    return replace(reader, plain_names=isinstance(interaction.channel, discord.Thread))


async def view_of(interaction: Interaction, by: Ladder, page: int = 0) -> ui.LayoutView:
    """Return a page (from 0) of a board of all time, with the member who asks below it if they are on another page."""
    board = await interaction.client.bank.ladders.leaderboard(
        here(interaction).guild, by, page, _PAGE, user=interaction.user.id
    )
    near = await _neighbours(interaction, board)
    lines, around = (_lines(by, standings, interaction.user.id) for standings in (board.rows, near))
    heading = _("Leaderboard · {ladder}", ladder=_(NAMES[by]))
    return panel(
        heading,
        lines or _("Nobody is on this list yet."),
        around,
        small=[_own(interaction, board)],
        rows=await _rows(interaction, board),
    )


async def _neighbours(interaction: Interaction, board: Leaderboard) -> list[Ranked]:
    """Return the member who asks between their neighbours, without the neighbours that this page shows.

    Return nobody if the member has no rank or is on this page.
    """
    shown = {standing.user for standing in board.rows}
    if board.own is None or board.own.user in shown:
        return []
    near = await interaction.client.bank.ladders.around(here(interaction).guild, board.ladder, board.own)
    return [standing for standing in near if standing.user not in shown]


#: The number of members on a page.
_PAGE: Final = 10


def _lines(by: Ladder, standings: Sequence[Ranked], viewer: int) -> str:
    return "\n".join(_line(by, standing, viewer) for standing in standings)


def _line(by: Ladder, standing: Ranked, viewer: int) -> str:
    values = {"place": rank_text(standing.place), "name": mention(standing.user), "value": _value(by, standing.value)}
    if standing.user == viewer:
        return _("{place} · {name} · **{value}** ◂", **values)
    return _("{place} · {name} · {value}", **values)


def _value(by: Ladder, value: int) -> str:
    match by:
        case Ladder.CHIPS:
            return chips(value)
        case Ladder.WINNINGS:
            return signed(value)
        case Ladder.WIN_RATE:
            return percent(value, _MILLION)


def _own(interaction: Interaction, board: Leaderboard) -> str:
    """Return the line with the number of players. It also says so if the member who asks has no rank yet."""
    people = ngettext("{count} player", "{count} players", board.people)
    if board.own is not None:
        return people
    return _("{name} · not ranked yet · {people}", name=mention(interaction.user.id), people=people)


async def _rows(interaction: Interaction, board: Leaderboard) -> Rows:
    from cogs.leaderboard.seasons import key_to_running  # which imports this module

    viewer = interaction.user.id
    ladders: list[ui.Item[Any]] = [
        LadderButton.of(viewer, by, 0, _(NAMES[by]), "l", enabled=by is not board.ladder) for by in Ladder
    ]
    rows = in_rows([*ladders, await key_to_running(interaction)])
    pages: list[ui.Item[Any]] = [
        LadderButton.of(viewer, board.ladder, board.page - 1, _("Previous"), "p", enabled=board.page > 0),
        LadderButton.of(viewer, board.ladder, board.page + 1, _("Next"), "n", enabled=board.page + 1 < board.pages),
    ]
    return [*rows, pages] if board.pages > 1 else rows


class LadderButton(Press, template=r"ladder:(?P<viewer>\d{1,20}):(?P<by>\d):(?P<page>-?\d{1,9}):(?P<what>[lpn])"):
    """The button that shows another page or board.

    For the member who asked for the board (`viewer`) it changes the message. Anybody else gets a message of their own.
    """

    stands: ClassVar[Stands] = Stands.OPENLY

    viewer: int
    by: int
    page: int

    @classmethod
    def of(cls, viewer: int, by: Ladder, page: int, label: str, what: str, *, enabled: bool) -> Self:
        """Return a button for a page; `what` tells apart two buttons that lead to the same page."""
        return cls.button(label, enabled=enabled, viewer=viewer, by=_LADDERS.index(by), page=page, what=what)

    async def pressed(self, interaction: Interaction, reply: Reply) -> None:
        asked = interaction, _LADDERS[self.by % len(_LADDERS)], max(0, self.page)
        if interaction.user.id != self.viewer:
            await reply.show(await view_of(*asked))
            return
        with reading(await everybody(interaction)):
            view = await view_of(*asked)
        await reply.redraw(view, strangers=True)
