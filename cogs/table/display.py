"""The state of a table's message: what it shows, and which edits wait, go on or were lost."""

from __future__ import annotations

import asyncio
from collections.abc import Hashable, Iterator, Sequence
from contextlib import contextmanager
from typing import Final

from cogs.answers.kept import KeptFile
from cogs.answers.reply import Reply
from cogs.table.presentation import presented
from engine.tables.snapshot import Snapshot
from engine.tables.table import Table

#: Seconds after which an edit that was lost is tried again, as long as the table has not changed since.
AGAIN: Final = (2.0, 5.0, 15.0)

#: Seconds between two pictures of one turn. Every client loads each picture, which blinks until it is loaded.
PICTURE_PAUSE: Final = 1.0

#: The value of `pictured` before the message has had a picture.
NEVER_PICTURED: Final = (0.0, None)

#: The value of `pictures` while it is not known which ones the message has.
_UNKNOWN: Final = (object(),)


def turn_of(snapshot: Snapshot) -> Hashable:
    """Return the turn of a table. The betting before a round is one turn, however many people bet."""
    return snapshot.phase, snapshot.round, snapshot.turn


class Display:
    """All that is known of the state of a table's message, and the edits under way."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.presentation = presented(table.snapshot())
        #: The version of the table that the message shows; -1 if unknown.
        self.drawn = -1
        #: The number of presses under way. Their answers redraw the message, so nothing else needs to.
        self.held = 0
        #: The newest message of the table, while the bank has not stored it.
        self.untold: int | None = None
        #: Whether Discord refuses the bot here: then there are no edits until somebody presses something.
        self.banned = False
        #: A lock for one edit at a time, so that none overtakes another.
        self.busy = asyncio.Lock()
        #: The answer to the newest press on this message, whose token can edit it for a while.
        self.press: Reply | None = None
        #: The timer of the next edit, and whether it is set to try again what was lost.
        self.timer: asyncio.TimerHandle | None = None
        self.tries_again = False
        #: The way of the edit that waits for its turn (`edits.Way`); None if none waits.
        self.waits_for: int | str | None = None
        #: An event that is set while no message of the table is on its way.
        self.arrived = asyncio.Event()
        self.arrived.set()
        self._on_their_way = 0
        #: The keys of the pictures that the message has.
        self.pictures: tuple[Hashable, ...] = _UNKNOWN
        #: The files that the message has, if they are known.
        self.kept: Sequence[KeptFile] = ()
        #: When the newest picture was sent, and in which turn.
        self.pictured: tuple[float, Hashable] = NEVER_PICTURED
        #: Whether the message shows new words with an older picture.
        self.owes_picture = False
        #: The version of the table whose edit was lost, and how often in a row.
        self.lost, self.times_lost = -1, 0

    @property
    def is_outdated(self) -> bool:
        """Whether the message's words are not the newest."""
        return self.table.state.version > self.drawn

    @property
    def behind(self) -> bool:
        """Whether the message lacks words or a picture."""
        return self.is_outdated or self.owes_picture

    @property
    def way(self) -> int | str:
        """The way to send an edit now: the token of the newest press or, without a press, the id of the channel.

        A press that cannot edit the message any more is forgotten, and does not count.
        """
        press = self.press
        if press is not None and press.lasts and press.original == self.table.state.message:
            return press.interaction.token
        self.press = None
        return self.table.state.channel

    @contextmanager
    def posting(self) -> Iterator[None]:
        """Note that a message is on its way and that the table does not know its id yet."""
        self._on_their_way += 1
        self.arrived.clear()
        try:
            yield
        finally:
            self._on_their_way -= 1
            if not self._on_their_way:
                self.arrived.set()

    def forget(self) -> None:
        """Forget what the message shows, so that the next edit sends all of it."""
        self.drawn, self.pictures, self.kept, self.owes_picture = -1, _UNKNOWN, (), False

    def leave(self) -> None:
        """Forget the message, because a new one takes its place."""
        self.forget()
        self.press = None

    def lose(self, version: int) -> None:
        """Note that the edit to this version was lost, and forget what the message shows.

        After too many tries in a row, the message waits for the table's next change.
        """
        self.forget()
        self.times_lost = self.times_lost + 1 if version == self.lost else 1
        self.lost = version
        if self.times_lost > len(AGAIN):
            self.drawn = version

    def takes_words_first(self, snapshot: Snapshot, pictures: int, now: float) -> bool:
        """Return whether an edit leaves the message's pictures as they are, because this turn has just had new ones.

        That needs a message with as many pictures as the page now has (`pictures`).
        """
        sent, turn = self.pictured
        known = self.pictures is not _UNKNOWN and len(self.pictures) == pictures
        return known and turn == turn_of(snapshot) and now - sent < PICTURE_PAUSE

    def until_picture(self, now: float) -> float:
        """Return the seconds until the message may get the picture that it still lacks; 0 if it lacks none."""
        return max(0.0, self.pictured[0] + PICTURE_PAUSE - now) if self.owes_picture else 0.0

    @property
    def pause(self) -> float:
        """Seconds to wait before a lost edit is tried again; 0 if none was lost or there is something newer to draw.

        It grows with each loss in a row, up to the last of `AGAIN`. It stays there once the edit is given up, and also
        after a retry has succeeded, until the table changes.
        """
        if self.lost != self.table.state.version:
            return 0.0
        return AGAIN[min(self.times_lost, len(AGAIN)) - 1]
