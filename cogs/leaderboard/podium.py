"""The end of a season: the best three of each board, and a picture of the first board's podium (R14.1)."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from functools import partial
from io import BytesIO
from typing import Final

import discord
from discord import ui

from cogs.answers.panel import panel
from cogs.answers.time_limits import LOST
from cogs.leaderboard.seasons import NAMES, line, season_text
from cogs.pictures.bars import PodiumPicture, Winner, has_steps, render_podium
from cogs.words import READER, _, apart, ordinal
from data import Bank, Season, SeasonBoard, SeasonStanding

_FILE: Final = "podium.png"
_ON_PODIUM: Final = 3


async def podium(
    bank: Bank, server: discord.Guild, season: Season, *, pictures: bool
) -> tuple[ui.LayoutView, Sequence[discord.File]] | None:
    """Return the message about a season that has ended and its files, or None if nobody has a place on a board.

    Provisional places do not count. The picture shows the best of the first board with places, if `pictures` and the
    reader allow one and no two of these people share a place.
    """
    best = {board: (await bank.seasons.board(server.id, season, board, 0, _ON_PODIUM)).rows for board in SeasonBoard}
    placed = {board: [each for each in rows if not each.provisional] for board, rows in best.items()}
    boards = {board: rows for board, rows in placed.items() if rows}
    if not boards:
        return None
    first = next(iter(boards.values()))
    shown = pictures and READER.get().pictures and has_steps([each.place for each in first])
    names = [await _name(server, each) for each in first] if shown else []
    heading = _("The season is over: {season}", season=season_text(season))
    blocks = [
        "\n".join([f"**{_(NAMES[board])}**", *(line(board, each) for each in rows)]) for board, rows in boards.items()
    ]
    small = [_("A new season has begun: `/leaderboard`")]
    view = panel(heading, *blocks, small=small, picture=(_FILE, _alt(first, names)) if shown else None)
    return view, [await _drawn(names)] if shown else []


async def _name(server: discord.Guild, standing: SeasonStanding) -> str:
    """Return a person's name for the picture: the one last seen, else the one that Discord gives.

    Return an empty text for a former player, and if Discord gives none.
    """
    if standing.user is None:
        return ""
    if known := READER.get().names.get(standing.user):
        return known
    try:
        return (await server.fetch_member(standing.user)).display_name
    except LOST:
        return ""


def _alt(best: Sequence[SeasonStanding], names: Sequence[str]) -> str:
    """Return the alt text of the podium. An empty name becomes `a person`."""
    places = (
        _("{place}: {name}", place=ordinal(standing.place), name=name or _("a person"))
        for standing, name in zip(best, names, strict=True)
    )
    return _("The podium. {places}.", places=apart(places))


async def _drawn(names: Sequence[str]) -> discord.File:
    picture = PodiumPicture(tuple(map(Winner, names)))
    return discord.File(BytesIO(await asyncio.to_thread(partial(render_podium, picture))), _FILE)
