"""Builds the bot's plain messages: a heading, blocks of text, buttons, small print."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

from discord import ui

from cogs.answers.clickable import clickable

#: The house's own colour, and that of a question.
BRASS: Final = 0xC9A24B
FELT: Final = 0x2F7D5B
#: The number of buttons in a row: more do not fit on a phone.
ABREAST: Final = 3
#: The most blocks between which lines are drawn: with two rows of keys, more would be too many parts for Discord.
_MOST_DIVIDED: Final = 14

Rows = list[list[ui.Item[Any]]]


def in_rows(keys: Sequence[ui.Item[Any]]) -> Rows:
    """Return buttons in rows of at most three, which fit on a phone."""
    return [list(keys[start : start + ABREAST]) for start in range(0, len(keys), ABREAST)]


def panel(
    heading: str,
    *blocks: str | ui.ActionRow[Any],
    small: Iterable[str] = (),
    rows: Sequence[Sequence[ui.Item[Any]]] = (),
    picture: tuple[str, str] | None = None,
    files: Sequence[str] = (),
    colour: int = BRASS,
    divided: bool = False,
) -> ui.LayoutView:
    """Return a message of blocks of text below a heading. Commands that blocks or small print name become links.

    A row of buttons among the blocks stands below the text that it belongs to, `rows` stand below all blocks, and
    `small` lines come last, in small print. `picture` is the name and the description of an attached file, shown below
    the heading; `files` are names of attached files for downloading. Lines separate the blocks of a `divided` panel,
    unless they are very many. Empty blocks are left out.
    """
    divided = divided and len(blocks) <= _MOST_DIVIDED
    box: ui.Container[Any] = ui.Container(accent_colour=colour)
    box.add_item(ui.TextDisplay(f"### {heading}"))
    if picture is not None:
        box.add_item(_gallery(*picture))
    for block in blocks:
        if isinstance(block, ui.ActionRow):
            box.add_item(block)
        elif block:
            if divided:
                box.add_item(ui.Separator())
            box.add_item(ui.TextDisplay(clickable(block)))
    for row in rows:
        box.add_item(ui.ActionRow(*row))
    for file in files:
        box.add_item(ui.File(f"attachment://{file}"))
    if printed := "\n".join(f"-# {line}" for line in small):
        box.add_item(ui.TextDisplay(clickable(printed)))
    view = ui.LayoutView(timeout=None)
    view.add_item(box)
    return view


def _gallery(name: str, description: str) -> ui.MediaGallery[Any]:
    gallery: ui.MediaGallery[Any] = ui.MediaGallery()
    gallery.add_item(media=f"attachment://{name}", description=description)
    return gallery
