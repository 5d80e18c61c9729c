"""A page becomes a message in Discord's Components V2, with its buttons.

Each button carries its table, its round, its turn and its word, and nothing is kept anywhere else.
"""

from __future__ import annotations

from typing import Any, ClassVar, Final, Self

from discord import ui

from cogs.answers.client import Interaction
from cogs.answers.door import Stands
from cogs.answers.serving import Press, Reply
from cogs.table import play
from cogs.table.page import Key, Page, Pressed
from cogs.words import _
from engine.tables.snapshot import Snapshot

#: One name for every picture: an edit that brings no new one finds the old one under it.
PICTURE: Final = "table.png"

#: Headlines up to this are in large letters. Mentions are longer in a message than on the screen.
_SHORT: Final = 64


class TableButton(
    Press, template=r"t:(?P<table>\d{1,20}):(?P<number>\d{1,12}):(?P<turn>\d{1,12}):(?P<word>[a-z-]{1,20})"
):
    stands: ClassVar[Stands] = Stands.AT_ITS_TABLE

    table: int
    number: int
    turn: int
    word: str

    @classmethod
    def of(cls, table: int, key: Key) -> Self:
        made_for: dict[str, Any] = {"table": table, "number": key.number, "turn": key.turn, "word": key.cap.word}
        label = _("{label} {amount}", label=_(key.cap.label), amount=key.amount) if key.amount else _(key.cap.label)
        return cls.button(label[:80], style=key.cap.style, enabled=key.enabled, **made_for)

    async def pressed(self, interaction: Interaction, reply: Reply) -> None:
        await play.press(interaction, reply, self.table, Pressed(self.word, self.number, self.turn))


def build(page: Page, snapshot: Snapshot) -> ui.LayoutView:
    """A fresh view for one drawing. Only DynamicItems act in it, so it may be forgotten at once."""
    view, box = ui.LayoutView(timeout=None), ui.Container[Any](accent_colour=int(page.accent))
    view.add_item(box)
    size = "##" if len(page.headline) <= _SHORT else "###"
    box.add_item(ui.TextDisplay(f"-# {page.title}\n{size} {page.headline}"))
    if page.picture is not None:
        gallery = ui.MediaGallery[Any]()
        gallery.add_item(media=f"attachment://{PICTURE}", description=page.picture.alt)
        box.add_item(gallery)
    lines = "\n".join("\n".join(group) for group in page.groups if group)
    if lines:
        box.add_item(ui.TextDisplay(lines))
    for keys in filter(None, page.rows):
        row = ui.ActionRow[Any]()
        for key in keys:
            row.add_item(TableButton.of(snapshot.table, key))
        box.add_item(row)
    if page.onward:
        box.add_item(ui.ActionRow(*page.onward))
    if page.footer:
        box.add_item(ui.TextDisplay("\n".join(f"-# {line}" for line in page.footer)))
    return view


def moved(page: Page) -> ui.LayoutView:
    """What is left of a message when its table goes on in a new one."""
    view, box = ui.LayoutView(timeout=None), ui.Container[Any](accent_colour=int(page.accent))
    view.add_item(box)
    box.add_item(ui.TextDisplay(f"-# {page.title}"))
    box.add_item(ui.TextDisplay(_("-# This table goes on in a newer message below.")))
    return view
