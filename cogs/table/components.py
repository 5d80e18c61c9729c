"""A page becomes a message in Discord's Components V2."""

from __future__ import annotations

from typing import Any, Final

from discord import ui

from cogs.table.buttons import TableButton
from cogs.table.page import Key, Page
from cogs.words import _
from engine.tables.snapshot import Snapshot

#: One name for every picture: an edit that brings no new one finds the old one under it.
PICTURE: Final = "table.png"

Items = ui.Container[Any]


def build(page: Page, snapshot: Snapshot) -> ui.LayoutView:
    """A fresh view for one drawing. Only DynamicItems act in it, so it may be forgotten at once."""
    box: Items = ui.Container(accent_colour=int(page.accent))
    box.add_item(ui.TextDisplay(_heading(page)))
    if page.picture is not None:
        box.add_item(_gallery(page.picture.alt))
    lines = "\n".join("\n".join(group) for group in page.groups if group)
    if lines:
        box.add_item(ui.TextDisplay(lines))
    for row in page.rows:
        if row:
            box.add_item(_row(row, snapshot.table))
    if page.footer:
        box.add_item(ui.TextDisplay("\n".join(f"-# {line}" for line in page.footer)))
    return _view(box)


def moved(page: Page) -> ui.LayoutView:
    """What is left of a message when its table goes on in a new one."""
    box: Items = ui.Container(accent_colour=int(page.accent))
    box.add_item(ui.TextDisplay(f"-# {page.title}"))
    box.add_item(ui.TextDisplay(_("-# This table goes on in a newer message below.")))
    return _view(box)


def _view(box: Items) -> ui.LayoutView:
    view = ui.LayoutView(timeout=None)
    view.add_item(box)
    return view


#: Mentions are longer in a message than on the screen.
_SHORT: Final = 64


def _heading(page: Page) -> str:
    """What it is in small letters, and under it in large ones what is happening."""
    size = "##" if len(page.headline) <= _SHORT else "###"
    return f"-# {page.title}\n{size} {page.headline}"


def _gallery(alt: str) -> ui.MediaGallery[Any]:
    gallery: ui.MediaGallery[Any] = ui.MediaGallery()
    gallery.add_item(media=f"attachment://{PICTURE}", description=alt)
    return gallery


def _row(keys: tuple[Key, ...], table: int) -> ui.ActionRow[Any]:
    row: ui.ActionRow[Any] = ui.ActionRow()
    for key in keys:
        row.add_item(TableButton.of(table, key))
    return row
