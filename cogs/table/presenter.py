"""The presenter, which draws the newest snapshot of each table on its message with as few edits as possible.

A press is answered with the redraw, which costs no edit. Other changes (timers, other people, computer players) are
merged and sent within Discord's limits. A message that is gone or old is followed by a new one.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections import defaultdict, deque
from collections.abc import AsyncIterator, Hashable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from typing import Any, Final

import discord
from discord import ui

from cogs.answers.client import Casino
from cogs.answers.naming import calling, naming
from cogs.answers.preferences import reader_of
from cogs.answers.serving import LOST, Reply
from cogs.table import components
from cogs.table.door import link
from cogs.table.presentation import presented
from cogs.words import _, reading
from engine.tables.ports import Clock
from engine.tables.refused import Refused
from engine.tables.snapshot import Snapshot, TablePhase
from engine.tables.table import Table

log = logging.getLogger(__name__)

#: Discord takes about five edits of a channel's messages in five seconds; one is left for others.
MOST_EDITS: Final = 4
WINDOW: Final = 5.0

#: The number of channels from which on those edited long ago are looked for and forgotten.
MANY: Final = 1_000

#: Seconds within which changes become one edit.
FOLD: Final = 0.15

#: Seconds after which an edit that was lost is tried again, as long as the table has not changed since.
AGAIN: Final = (2.0, 5.0, 15.0)

#: Seconds after which Discord throttles edits of a message: an hour.
OLD: Final = 50 * 60

#: Discord's codes for a message that is gone, and for one in a thread that fell asleep: a new message wakes the thread.
_NO_MESSAGE: Final = 10008
_ASLEEP: Final = 50083


#: A stand-in for the unknown pictures of a message.
_UNKNOWN: Final = (object(),)


@dataclass(slots=True)
class Drawing:
    """A drawing that is ready to be sent."""

    snapshot: Snapshot
    view: ui.LayoutView
    #: The picture, if there is one now; None: what is on the message is still right.
    files: list[discord.File] | None


class Display:
    """The state of one table's message, and of the edits to come."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.presentation = presented(table.snapshot())
        #: The version of the table that the message shows; -1 if unknown.
        self.drawn = -1
        #: The number of presses under way. They bring the redraw along, so nothing else needs to.
        self.held = 0
        #: The newest message of the table, as long as the bank does not know it.
        self.untold: int | None = None
        #: Set when Discord refuses the bot: no edits until somebody presses something.
        self.banned = False
        #: A lock for one edit at a time, so that none overtakes another.
        self.busy = asyncio.Lock()
        self.timer: asyncio.TimerHandle | None = None
        #: Set while no message of the table is on its way.
        self.arrived = asyncio.Event()
        self.arrived.set()
        self._on_their_way = 0
        #: The keys of the pictures that the message has.
        self.pictures: tuple[Hashable, ...] = _UNKNOWN
        #: The version of the table whose edit was lost, and how often in a row.
        self.lost, self.times_lost = -1, 0
        #: Whether the timer is set to try again what was lost.
        self.waits = False

    @property
    def behind(self) -> bool:
        return self.table.state.version > self.drawn

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
        """Forget what the message shows."""
        self.drawn, self.pictures = -1, _UNKNOWN

    def lose(self, version: int) -> None:
        """Note that the edit to this version was lost. After a few more tries the next change is awaited."""
        self.forget()
        self.times_lost = self.times_lost + 1 if version == self.lost else 1
        self.lost = version
        if self.times_lost > len(AGAIN):
            self.drawn = version

    @property
    def pause(self) -> float:
        """Seconds to wait before a lost edit is tried again; none if something newer is to be drawn."""
        return AGAIN[self.times_lost - 1] if self.lost == self.table.state.version and self.behind else 0.0


class _Displays(dict[Table, Display]):
    """The displays, each made when its table is first asked for."""

    def __missing__(self, table: Table) -> Display:
        self[table] = display = Display(table)
        return display


class Presenter:
    """The watcher that keeps the messages of tables up to date."""

    def __init__(self, bot: Casino, clock: Clock) -> None:
        self._bot = bot
        self._clock = clock
        self._displays = _Displays()
        self._edits: defaultdict[int, deque[float]] = defaultdict(deque)  # by channel: when they were sent
        self._tasks: set[asyncio.Task[None]] = set()

    # -- what happens at the tables ------------------------------------------------------------------------------------

    def changed(self, table: Table) -> None:
        """Draw a change soon, unless a press under way draws it. Forget a table that is over and drawn, or cannot be
        drawn.

        Tables recovered before the bot is ready are drawn when somebody touches them.
        """
        if not self._bot.is_ready() or self._displays[table].held:
            return
        display, state = self._displays[table], table.state
        behind = state.version > display.drawn
        if behind:
            self._soon(display)
        if state.phase is TablePhase.CLOSED and (display.banned or state.message is None or not behind):
            self._displays.pop(table, None)

    @contextmanager
    def held(self, table: Table) -> Iterator[Display]:
        """Hold back edits while a press is served, because its answer shows what changes. Without an answer, edit
        afterwards.
        """
        display = self._displays[table]
        display.held += 1
        try:
            yield display
        finally:
            display.held -= 1
            self.changed(table)

    @contextmanager
    def posting(self, table: Table) -> Iterator[None]:
        """Let presses wait while the table learns its message id (see `arrived`)."""
        with self._displays[table].posting():
            yield

    async def arrived(self, table: Table) -> None:
        """Wait until no message of the table is on its way."""
        await self._displays[table].arrived.wait()

    def is_nowhere(self, table: Table) -> bool:
        """Return whether the table never got a message, because Discord refused it or the process ended before."""
        return table.state.message is None and not self._displays[table].held

    # -- answers -------------------------------------------------------------------------------------------------------

    async def post(self, reply: Reply, table: Table) -> int:
        """Post a table's first message as the answer to the member who opened it, and return its id."""
        display = self._displays[table]
        async with display.busy, self._drawing(display, whole=True) as drawing:
            return await reply.show(drawing.view, drawing.files or [])

    async def put_up(self, table: Table, call: Sequence[int]) -> None:
        """Post a table's first message in a channel where nobody asked for it, and call these people to it."""
        display = self._displays[table]
        display.forget()
        display.banned = False
        async with display.busy:
            with display.posting():
                await self._put_up(display, call)

    async def _put_up(self, display: Display, call: Sequence[int] = ()) -> None:
        async with self._drawing(display, whole=True) as drawing:
            files = drawing.files or []
            message = await self._channel(display).send(view=drawing.view, files=files, allowed_mentions=calling(call))
        display.untold = message.id
        await self._tell(display)

    async def _tell(self, display: Display) -> None:
        """Tell the table where its newest message is, until the bank has stored it."""
        if display.untold is not None:
            await self.became(display.table, display.untold)
            display.untold = None

    async def became(self, table: Table, message: int) -> None:
        """Tell the table its message id. That is no change that the message shows."""
        display, before = self._displays[table], table.state.version
        after = await table.posted(message)
        if after.version == before + 1 and display.drawn == before:
            display.drawn = after.version

    async def bring(self, reply: Reply, table: Table) -> None:
        """Move the table into the answer to a command; its message further up is left."""
        display, old = self._displays[table], table.state.message
        with self.held(table), self.posting(table):
            await self.became(table, await self.post(reply, table))
        if old is not None:
            await self._leave(display, old)

    async def answer(self, reply: Reply, table: Table) -> None:
        """Answer the press with the redraw or, if that fails, with a sentence that only the presser sees."""
        display = self._displays[table]
        display.banned = False
        async with display.busy:
            pressed_on = reply.interaction.message
            here = pressed_on is not None and pressed_on.id == table.state.message
            try:
                if here and self._is_old(table) and await self._post_anew(display):
                    await reply.redraw(await self._moved(display), [])
                elif here:
                    async with self._drawing(display) as drawing:
                        await reply.redraw(drawing.view, drawing.files)
                else:
                    await reply.say(
                        _("That counted. The table goes on [in a newer message]({link}).", link=link(table.state))
                    )
            except LOST as error:
                log.info("table %s: a press could not be answered with the redraw: %s", table.id, error)
                display.forget()
                where = link(table.state)
                text = _("That counted, but Discord didn't take the new picture. [To the table]({link})", link=where)
                await reply.try_to_say(text)

    async def redraw(self, table: Table) -> None:
        """Edit the message now, if an edit is due."""
        display = self._displays[table]
        display.banned = False
        await self._draw(display)

    # -- edits ---------------------------------------------------------------------------------------------------------

    def _soon(self, display: Display) -> None:
        if display.banned or display.table.state.message is None:
            return
        if display.timer is not None and display.waits and not display.pause:
            display.timer.cancel()  # it waits to try again what is not the newest any more
            display.timer = None
        if display.timer is None:
            delay = max(FOLD, display.pause, self._pause(display.table.state.channel))
            display.timer = asyncio.get_running_loop().call_later(delay, self._start, display)
            display.waits = display.pause > 0

    def _start(self, display: Display) -> None:
        display.timer = None
        task = asyncio.get_running_loop().create_task(self._draw_safely(display), name=f"draw {display.table.id}")
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _draw_safely(self, display: Display) -> None:
        try:
            await self._draw(display)
        except Exception:
            log.exception("table %s could not be drawn", display.table.id)
            display.lose(display.table.state.version)
            self.changed(display.table)

    async def _draw(self, display: Display) -> None:
        if display.held or not display.behind:
            return
        if self._pause(display.table.state.channel) > 0:
            self._soon(display)
            return
        async with display.busy:
            if display.behind:
                await self._edit(display)
        self.changed(display.table)

    async def _edit(self, display: Display) -> None:
        with contextlib.suppress(Refused):
            await self._tell(display)
        state = display.table.state
        if state.message is None:
            return
        if self._is_old(display.table):
            if await self._post_anew(display):
                await self._leave(display, state.message)
            return
        message = self._channel(display).get_partial_message(state.message)
        try:
            async with self._drawing(display) as drawing:
                self._count_edit(state.channel)
                kept: dict[str, Any] = {} if drawing.files is None else {"attachments": drawing.files}
                await message.edit(view=drawing.view, allowed_mentions=naming(drawing.view), **kept)
        except (discord.NotFound, discord.Forbidden) as error:
            await self._refused(display, error)
        except LOST as error:
            if getattr(error, "code", None) == _ASLEEP and await self._post_anew(display):
                await self._leave(display, state.message)
                return
            log.warning("table %s: an edit was lost: %s", display.table.id, error)
            display.lose(drawing.snapshot.version)

    # -- messages that are gone or old ---------------------------------------------------------------------------------

    async def _refused(self, display: Display, error: discord.NotFound | discord.Forbidden) -> None:
        if error.code == _NO_MESSAGE and display.table.state.phase is not TablePhase.CLOSED:
            await self._post_anew(display)
        else:
            self._ban(display, error)

    async def _post_anew(self, display: Display) -> bool:
        display.forget()
        with display.posting():
            try:
                await self._put_up(display)
            except (discord.NotFound, discord.Forbidden) as error:
                self._ban(display, error)
                return False
            except LOST as error:
                log.warning("table %s: a message was lost: %s", display.table.id, error)
                display.lose(display.table.state.version)
                return False
            except Refused as refused:
                log.warning("table %s could not be told where it is now: %s", display.table.id, refused)
                return False
        return True

    async def _leave(self, display: Display, old: int) -> None:
        """Edit a message that the table has left: without buttons, and with a link to the new one."""
        moved = await self._moved(display)
        with contextlib.suppress(*LOST):
            await (
                self._channel(display)
                .get_partial_message(old)
                .edit(view=moved, attachments=[], allowed_mentions=naming(moved))
            )

    def _ban(self, display: Display, error: discord.HTTPException) -> None:
        log.info("table %s: its channel is closed to us: %s", display.table.id, error)
        display.banned = True

    # -- small things --------------------------------------------------------------------------------------------------

    def _channel(self, display: Display) -> discord.PartialMessageable:
        state = display.table.state
        return self._bot.get_partial_messageable(state.channel, guild_id=state.guild)

    def _is_old(self, table: Table) -> bool:
        message = table.state.message
        if message is None or table.state.phase is TablePhase.CLOSED:
            return False
        return self._clock.now() - discord.utils.snowflake_time(message).timestamp() > OLD

    def _count_edit(self, channel: int) -> None:
        if len(self._edits) > MANY:
            for other in tuple(self._edits):
                self._pause(other)
        self._edits[channel].append(asyncio.get_running_loop().time())

    def _pause(self, channel: int) -> float:
        """Return the seconds until the channel may be edited again, and forget edits that no longer count."""
        now, sent = asyncio.get_running_loop().time(), self._edits.get(channel)
        while sent and now - sent[0] >= WINDOW:
            sent.popleft()
        if not sent:
            self._edits.pop(channel, None)
            return 0.0
        return sent[0] + WINDOW - now if len(sent) >= MOST_EDITS else 0.0

    @asynccontextmanager
    async def _drawing(self, display: Display, *, whole: bool = False) -> AsyncIterator[Drawing]:
        """Yield a drawing of the newest snapshot to be sent in the block. If that succeeds, it counts as shown.

        `whole`: for a new message, which has no picture yet.
        """
        snapshot, files = display.table.snapshot(), list[discord.File]()
        with reading(await reader_of(self._bot, snapshot.guild, snapshot.owner)):
            page = display.presentation.page_of(snapshot)
            view, shown = components.build(page, snapshot), (page.picture, page.sequel.picture if page.sequel else None)
            pictures = tuple([picture.key for picture in shown if picture is not None])
            stays = pictures == display.pictures and not whole
            if not stays:
                files = [await components.file_of(picture) for picture in shown if picture is not None]
        yield Drawing(snapshot, view, None if stays else files)
        display.drawn, display.pictures = snapshot.version, pictures

    async def _moved(self, display: Display) -> ui.LayoutView:
        """Return what stays of a message whose table goes on in a newer one."""
        snapshot = display.table.snapshot()
        with reading(await reader_of(self._bot, snapshot.guild, snapshot.owner)):
            return components.moved(display.presentation.page_of(snapshot))
