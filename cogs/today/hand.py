"""The page of a hand that is played from a set of deals: its cards, what is asked, and the keys of its actions."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from functools import partial
from io import BytesIO
from typing import Any, Final, NamedTuple

import discord
from discord import ui

from cogs.answers.panel import FELT, Rows, in_rows, panel
from cogs.coach.stats_text import called
from cogs.pictures.blackjack import TablePicture, render
from cogs.table.page import Picture
from cogs.today import texts
from cogs.words import READER, _, decimal
from engine.games.blackjack.actions import ACTIONS
from engine.games.blackjack.round import BlackjackRound
from engine.sets.deals import Stream
from engine.sets.tries import NEXT, Try

_PICTURE: Final = "today.png"

#: A function that makes a key from its label and its action, or `NEXT` for the next hand.
ActionKey = Callable[[str, str], ui.Item[Any]]


class PageWithFiles(NamedTuple):
    """The components of a message, and the files that they show."""

    view: ui.LayoutView
    files: Sequence[discord.File] = ()


async def hand(found: Try, shoes: Stream, rows: Rows, *, note: str = "") -> PageWithFiles:
    """Return the page of the hand that is played or was played last, with these keys and a note in small print."""
    round = found.round
    told = texts.ended(found, shoes) if round.over else texts.asked(round)
    view = partial(panel, texts.hand_heading(found), rows=rows, colour=FELT, small=[note] if note else ())
    lines = "\n".join(texts.cards_of(round))
    if not READER.get().pictures:
        return PageWithFiles(view(lines, f"**{told}**"))
    return PageWithFiles(view(f"**{told}**", picture=(_PICTURE, lines)), [await _file(round)])


def action_rows(found: Try, key: ActionKey) -> Rows:
    """Return the keys of the actions that may be pressed now, or that of the next hand."""
    if found.round.over:
        return [[key(_("Next"), NEXT)]]
    return in_rows([key(called(action), str(action)) for action in ACTIONS if action in found.legal])


def picture_of(round: BlackjackRound) -> Picture:
    """Return the picture of a deal as it stands, with its cards in words as the alt text."""
    picture = TablePicture(view=round.view(), four_colours=READER.get().four_colours, decimal=decimal())
    return Picture(picture, partial(render, picture), "\n".join(texts.cards_of(round)), _PICTURE)


async def _file(round: BlackjackRound) -> discord.File:
    picture = picture_of(round)
    return discord.File(BytesIO(await asyncio.to_thread(picture.draw)), picture.file, description=picture.alt)
