"""One table's message: what is on it, and the sending of what shall be."""

from __future__ import annotations

import asyncio
from collections.abc import Hashable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final

import discord
from discord import ui

from cogs.table import components
from cogs.table.files import file_of
from cogs.table.page import Page
from cogs.table.presentation import presented
from engine.tables.snapshot import Snapshot
from engine.tables.table import Table

#: In place of the picture that a message has.
_UNKNOWN: Final = object()


@dataclass(slots=True)
class Drawing:
    """A drawing that is ready to be sent."""

    snapshot: Snapshot
    view: ui.LayoutView
    #: The picture, if there is one now; None: what is on the message is still right.
    files: list[discord.File] | None
    picture: Hashable


class Display:
    def __init__(self, table: Table) -> None:
        self.table = table
        #: The version of the table that the message shows; -1: not known.
        self.drawn = -1
        #: Presses under way. They bring the redraw along, so nothing else needs to.
        self.held = 0
        #: The message where the table stands by now, while the bank could not be told.
        self.untold: int | None = None
        #: Set when Discord will not have us: no edits until somebody presses something.
        self.banned = False
        #: One edit at a time, so that none overtakes another.
        self.busy = asyncio.Lock()
        self.timer: asyncio.TimerHandle | None = None
        #: Set while no message of the table is on its way.
        self.arrived = asyncio.Event()
        self.arrived.set()
        self._on_their_way = 0
        self._picture: Hashable = _UNKNOWN

    @property
    def behind(self) -> bool:
        return self.table.state.version > self.drawn

    @contextmanager
    def posting(self) -> Iterator[None]:
        """A message is on its way: the table does not know its id yet."""
        self._on_their_way += 1
        self.arrived.clear()
        try:
            yield
        finally:
            self._on_their_way -= 1
            if not self._on_their_way:
                self.arrived.set()

    async def draw(self, *, whole: bool = False) -> Drawing:
        """Draw the newest snapshot. `whole`: for a new message, which has no picture yet."""
        snapshot = self.table.snapshot()
        page = presented(snapshot).face(snapshot)
        view = components.build(page, snapshot)
        if page.picture is None:
            return Drawing(snapshot, view, [] if self._picture is not None else None, None)
        key = page.picture.key
        if key == self._picture and not whole:
            return Drawing(snapshot, view, None, key)
        return Drawing(snapshot, view, [await file_of(page.picture)], key)

    def page(self) -> Page:
        snapshot = self.table.snapshot()
        return presented(snapshot).face(snapshot)

    def shows(self, drawing: Drawing) -> None:
        self.drawn = drawing.snapshot.version
        self._picture = drawing.picture

    def forget(self) -> None:
        """What the message shows is not known any more."""
        self.drawn, self._picture = -1, _UNKNOWN
