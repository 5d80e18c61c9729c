"""Turns a page into a message in Discord's Components V2, with buttons and picture."""

from __future__ import annotations

import asyncio
from collections.abc import Hashable
from io import BytesIO
from typing import Any, Final

import discord
from discord import ui

from cogs.answers.clickable import clickable
from cogs.table.page import Page, Picture
from cogs.table.play import TableButton
from cogs.words import _
from data import PARTS
from engine.tables.snapshot import Snapshot

#: The most characters of a headline in large letters. Mentions are longer in a message than on the screen.
_SHORT: Final = 64

#: The number of drawn pictures that are kept, so that the same view is not drawn twice.
_MOST: Final = 64
#: These pictures by their keys, the newest last.
_kept: Final[dict[Hashable, bytes]] = {}


def build(page: Page, snapshot: Snapshot) -> ui.LayoutView:
    """Return the message of a page as a new view. Only DynamicItems act in it, so the view can be dropped at once."""
    view, box = ui.LayoutView(timeout=None), ui.Container[Any](accent_colour=int(page.accent))
    view.add_item(box)
    size = "##" if len(page.headline) <= _SHORT else "###"
    box.add_item(ui.TextDisplay(f"-# {page.title}\n{size} {page.headline}"))
    if page.picture is not None:
        box.add_item(
            ui.MediaGallery(discord.MediaGalleryItem(f"attachment://{page.picture.file}", description=page.picture.alt))
        )
    lines = "\n".join("\n".join(group) for group in page.groups if group)
    if lines:
        box.add_item(ui.TextDisplay(clickable(lines)))
    if page.sequel is not None:
        if page.sequel.picture is not None:
            below = page.sequel.picture
            box.add_item(ui.MediaGallery(discord.MediaGalleryItem(f"attachment://{below.file}", description=below.alt)))
        box.add_item(ui.TextDisplay(clickable("\n".join(page.sequel.lines))))
    for keys in filter(None, page.rows):
        row = ui.ActionRow[Any]()
        for key in keys:
            row.add_item(TableButton.of(snapshot.table, key))
        box.add_item(row)
    if page.onward:
        box.add_item(ui.ActionRow(*page.onward))
    if page.footer:
        box.add_item(ui.TextDisplay(clickable("\n".join(f"-# {line}" for line in page.footer))))
    return view


def moved(page: Page) -> ui.LayoutView:
    """Return what a table's old message shows after the table goes on in a new message."""
    view, box = ui.LayoutView(timeout=None), ui.Container[Any](accent_colour=int(page.accent))
    view.add_item(box)
    box.add_item(ui.TextDisplay(f"-# {page.title}"))
    box.add_item(ui.TextDisplay(_("-# This table goes on in a newer message below.")))
    return view


async def file_of(picture: Picture) -> discord.File:
    """Return the file of a picture: found among the last ones, or drawn off the event loop and kept."""
    image = _kept.pop(picture.key, None)
    if image is None:
        with PARTS.labels("picture").time():
            image = await asyncio.to_thread(picture.draw)
    _kept[picture.key] = image
    while len(_kept) > _MOST:
        del _kept[next(iter(_kept))]
    return discord.File(BytesIO(image), filename=picture.file, description=picture.alt)


def anew(file: discord.File) -> discord.File:
    """Return a file for another message with the content of one that was already sent."""
    file.fp.seek(0)
    return discord.File(file.fp, filename=file.filename, description=file.description)
