"""The presenter, which draws the newest snapshot of each table on its message with as few edits as possible.

A press is answered with the redraw, which costs no edit. Other changes (timers, other people, computer players) are
merged and sent within Discord's limits. A message that is gone or old is followed by a new one.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Final

import discord
from discord import ui

from cogs.answers.client import Casino
from cogs.answers.kept import KeptFile, attached, files_of
from cogs.answers.naming import calling, naming
from cogs.answers.preferences import reader_of
from cogs.answers.reply import Reply
from cogs.answers.time_limits import LOST
from cogs.table import components
from cogs.table.display import NEVER_PICTURED, Display, turn_of
from cogs.table.door import link
from cogs.table.edits import EditQueue, Window
from cogs.words import _, reading
from engine.tables.ports import Clock
from engine.tables.refused import Refused
from engine.tables.snapshot import Snapshot, TablePhase
from engine.tables.table import Table

log = logging.getLogger(__name__)

#: Seconds within which several changes of a table become one edit.
FOLD: Final = 0.15

#: Seconds after which a message counts as old: an hour less a minute.
OLD: Final = 59 * 60
#: The most edits of all old messages of a channel together, within `OLD_WINDOW` seconds.
OLD_EDITS: Final = 3
OLD_WINDOW: Final = 6.0

#: Discord's codes for refused edits.
_NO_MESSAGE: Final = 10008  # the message is gone
_ASLEEP: Final = 50083  # its thread is archived; a new message opens it again
_TOO_OLD: Final = 30046  # too many edits of old messages
#: The status of a request that Discord finds wrong.
_INVALID: Final = 400

#: A function that sends a drawing: the view, and its pictures unless the message keeps those it has. It returns the
#: files that the message shows then.
Send = Callable[[ui.LayoutView, Sequence[discord.File] | None], Awaitable[Sequence[KeptFile]]]


@dataclass(slots=True)
class DrawnMessage:
    """A table's message, drawn and ready to be sent."""

    snapshot: Snapshot
    view: ui.LayoutView
    #: The files of new pictures; None if the message keeps those that it has.
    files: list[discord.File] | None


class _Displays(dict[Table, Display]):
    """The displays by table, each made when it is first asked for."""

    def __missing__(self, table: Table) -> Display:
        self[table] = display = Display(table)
        return display


class Presenter:
    """The watcher that keeps the messages of tables up to date."""

    def __init__(self, bot: Casino, clock: Clock) -> None:
        self._bot = bot
        self._clock = clock
        self._displays = _Displays()
        self._queue = EditQueue(self._start, _is_due)
        self._old_edits: dict[int, Window] = {}  # edits of messages older than an hour, by channel
        self._tasks: set[asyncio.Task[None]] = set()

    # -- what happens at the tables ------------------------------------------------------------------------------------

    def changed(self, table: Table) -> None:
        """Draw a change of a table soon, unless a press under way draws it.

        Forget all about the message of a closed table once it shows the end or can no longer be drawn. Do nothing while
        the table's shard is not ready: such tables are drawn when somebody touches them.
        """
        if not self._bot.reaches(table.state.guild) or self._displays[table].held:
            return
        display, state = self._displays[table], table.state
        behind = display.behind
        if behind:
            self._soon(display)
        if state.phase is TablePhase.CLOSED and (display.banned or state.message is None or not behind):
            self._displays.pop(table, None)

    @contextmanager
    def held(self, table: Table) -> Iterator[Display]:
        """Hold back edits in the block while a press is served, because its answer shows what changes.

        If no answer has shown it, the message is edited afterwards, even if Discord refused the last edit: the bot may
        have been given permissions since.
        """
        display = self._displays[table]
        display.banned = False
        display.held += 1
        try:
            yield display
        finally:
            display.held -= 1
            self.changed(table)

    @contextmanager
    def posting(self, table: Table) -> Iterator[None]:
        """Let presses wait while the block posts the table's message (see `arrived`)."""
        with self._displays[table].posting():
            yield

    async def arrived(self, table: Table) -> None:
        """Wait until no message of the table is on its way."""
        await self._displays[table].arrived.wait()

    def kept(self, table: Table) -> Sequence[KeptFile]:
        """Return the files that the table's message shows, or none if they are not known."""
        return self._displays[table].kept

    def is_nowhere(self, table: Table) -> bool:
        """Return whether the table has no message, and no press is being served that may post one.

        Then the message was refused or lost, or a process has ended before it was posted.
        """
        return table.state.message is None and not self._displays[table].held

    # -- answers -------------------------------------------------------------------------------------------------------

    async def post(self, reply: Reply, table: Table) -> int:
        """Post the table as the answer to a command and return the message's id, which the table does not know yet."""
        display = self._displays[table]
        display.leave()
        async with display.busy, self._drawing(display, whole=True) as drawing:
            message = await reply.show(drawing.view, drawing.files or [])
        display.press, display.kept, display.untold = reply, reply.kept, None
        return message

    async def announce(self, reply: Reply, table: Table) -> int:
        """Send a table's first message, which shows only that it is loading, and return the message's id.

        If Discord does not name the id, show the table in the message at once.
        """
        return await reply.announce() or await self.post(reply, table)

    async def fill(self, reply: Reply, table: Table) -> None:
        """Show the table in the message that `announce` has posted, unless it is shown already.

        If Discord does not take it, a later edit tries again.
        """
        display = self._displays[table]
        if reply.shown:
            return
        try:
            await self.post(reply, table)
        except LOST as error:
            log.warning("table %s: its first message was lost: %s", table.id, error)
            display.press = reply
            display.lose(table.state.version)

    async def put_up(self, table: Table, call: Sequence[int]) -> None:
        """Post the message of a table that has none in its channel, and call (ping) these people in it."""
        display = self._displays[table]
        display.leave()
        display.banned = False
        async with display.busy:
            with display.posting():
                await self._put_up(display, call)

    async def _put_up(self, display: Display, call: Sequence[int] = ()) -> None:
        async with self._drawing(display, whole=True) as drawing:
            files = drawing.files or []
            message = await self._channel(display).send(view=drawing.view, files=files, allowed_mentions=calling(call))
        display.untold, display.kept = message.id, files_of(message)
        await self._tell(display)

    async def _tell(self, display: Display) -> None:
        """Tell the table its newest message, if the bank has not stored that yet."""
        if display.untold is not None:
            await self.became(display.table, display.untold)
            display.untold = None

    async def became(self, table: Table, message: int) -> None:
        """Tell the table its message id. This change needs no edit, because no message shows it."""
        display, before = self._displays[table], table.state.version
        after = await table.posted(message)
        if after.version == before + 1 and display.drawn == before:
            display.drawn = after.version

    async def bring(self, reply: Reply, table: Table) -> None:
        """Post the table as the answer to a command. Delete its old message or, if that fails, take its buttons off."""
        display = self._displays[table]
        old = display.untold or table.state.message
        with self.held(table), self.posting(table):
            await self.became(table, await self.post(reply, table))
        if old is not None:
            await self._leave(display, old)

    async def answer(self, reply: Reply, table: Table) -> None:
        """Answer a press by redrawing the table's message.

        If the press was made on another message, or if Discord refuses the redraw, say in private that it counted.
        """
        display = self._displays[table]
        async with display.busy:
            pressed_on = reply.interaction.message
            here = pressed_on is not None and pressed_on.id == table.state.message
            try:
                if here:
                    await self._answer_here(display, reply)
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

    async def _answer_here(self, display: Display, reply: Reply) -> None:
        """Redraw the message that was pressed on, or only acknowledge the press if the message is up to date.

        Later edits may use the token of this press.
        """
        if display.is_outdated:
            await self._deliver(display, partial(_redraw, display, reply))
        else:
            await reply.acknowledge()
        display.press = reply

    # -- edits ---------------------------------------------------------------------------------------------------------

    def _soon(self, display: Display) -> None:
        if display.timer is not None and display.tries_again and not display.pause:
            display.timer.cancel()  # the lost edit is not the newest any more
            display.timer = None
        if display.waits_for is not None:
            self._queue.join(display.way, display)  # a newer press may be the quicker way
        elif display.timer is None:
            delay = max(FOLD, display.pause, display.until_picture(self._clock.now()))
            display.timer = asyncio.get_running_loop().call_later(delay, self._join, display)
            display.tries_again = display.pause > 0

    def _join(self, display: Display) -> None:
        display.timer = None
        self._queue.join(display.way, display)

    def _start(self, display: Display) -> None:
        drawing, name = self._draw_safely(display), f"draw {display.table.id}"
        context = display.press.context.copy() if display.press is not None else None
        task = asyncio.get_running_loop().create_task(drawing, name=name, context=context)
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
        async with display.busy:
            if display.behind and display.table.state.message is not None:
                await self._edit(display)
        self.changed(display.table)

    async def _edit(self, display: Display) -> None:
        with contextlib.suppress(Refused):
            await self._tell(display)
        state = display.table.state
        if display.owes_picture:
            display.pictured = NEVER_PICTURED
        if self._is_old(display.table) and not self._takes_old_edit(state.channel):
            await self._move(display)
            return
        try:
            await self._deliver(display, partial(self._send, display))
        except (discord.NotFound, discord.Forbidden) as error:
            await self._refused(display, error)
        except LOST as error:
            if getattr(error, "code", None) in (_ASLEEP, _TOO_OLD):
                await self._move(display)
                return
            log.warning("table %s: an edit was lost: %s", display.table.id, error)
            display.lose(state.version)

    async def _deliver(self, display: Display, send: Send) -> None:
        """Draw the table and send it with `send`, with the picture again if Discord refuses to keep the old one."""
        for whole in (False, True):
            async with self._drawing(display, whole=whole) as drawing:
                try:
                    display.kept = await send(drawing.view, drawing.files)
                except discord.HTTPException as error:
                    if whole or drawing.files is not None or error.status != _INVALID:
                        raise
                    log.warning("table %s: Discord does not keep its picture: %s", display.table.id, error)
                else:
                    return

    async def _send(
        self, display: Display, view: ui.LayoutView, files: Sequence[discord.File] | None
    ) -> Sequence[KeptFile]:
        """Edit the message through the newest press, or through the channel, and return the files that it shows then.

        The channel is used if there is no such press. If Discord refuses the edit through the press, forget the press
        and use the channel.
        """
        if isinstance(display.way, str) and display.press is not None:
            try:
                return await _redraw(display, display.press, view, files)
            except discord.HTTPException as error:
                log.info("table %s: its newest press cannot edit it: %s", display.table.id, error)
                display.press = None
        state = display.table.state
        assert state.message is not None
        message = self._channel(display).get_partial_message(state.message)
        files = None if files is None else [components.anew(file) for file in files]
        edited = await message.edit(view=view, allowed_mentions=naming(view), **attached(files, display.kept))
        return files_of(edited)

    # -- messages that are gone or old ---------------------------------------------------------------------------------

    async def _refused(self, display: Display, error: discord.NotFound | discord.Forbidden) -> None:
        if error.code == _NO_MESSAGE and display.table.state.phase is not TablePhase.CLOSED:
            await self._post_anew(display)
        else:
            self._ban(display, error)

    async def _move(self, display: Display) -> None:
        """Post the table in a new message, and remove the old one."""
        old = display.table.state.message
        if await self._post_anew(display) and old is not None:
            await self._leave(display, old)

    async def _post_anew(self, display: Display) -> bool:
        display.leave()
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
        """Delete a message that the table has left or, if that fails, replace it by a note that points to the new one.

        Failures of Discord are not raised.
        """
        message = self._channel(display).get_partial_message(old)
        try:
            await message.delete()
        except discord.NotFound:
            return
        except LOST as error:
            log.info("table %s: its old message could not be deleted: %s", display.table.id, error)
            moved = await self._moved(display)
            with contextlib.suppress(*LOST):
                await message.edit(view=moved, attachments=[], allowed_mentions=naming(moved))

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

    def _takes_old_edit(self, channel: int) -> bool:
        """Return whether Discord takes one more edit of an old message in this channel now, and count it if it does."""
        for other in [other for other, window in self._old_edits.items() if window.is_over]:
            del self._old_edits[other]
        window = self._old_edits.setdefault(channel, Window(OLD_EDITS, OLD_WINDOW))
        if window.pause:
            return False
        window.count()
        return True

    @asynccontextmanager
    async def _drawing(self, display: Display, *, whole: bool = False) -> AsyncIterator[DrawnMessage]:
        """Yield a drawing of the newest snapshot, which the block sends.

        If the block succeeds, the drawing counts as shown. Pictures are only included if they have changed, and may
        have to wait for a later edit (`takes_words_first`). With `whole` all pictures are included, for a message that
        does not have them.
        """
        snapshot, files, now = display.table.snapshot(), list[discord.File](), self._clock.now()
        with reading(await reader_of(self._bot, snapshot.guild, snapshot.owner, opened_in=snapshot.language)):
            page = display.presentation.page_of(snapshot)
            view, shown = components.build(page, snapshot), (page.picture, page.sequel.picture if page.sequel else None)
            pictures = tuple([picture.key for picture in shown if picture is not None])
            stays = pictures == display.pictures and not whole
            words_first = not (stays or whole) and display.takes_words_first(snapshot, len(pictures), now)
            if not stays and not words_first:
                files = [await components.file_of(picture) for picture in shown if picture is not None]
        yield DrawnMessage(snapshot, view, None if stays or words_first else files)
        display.drawn, display.owes_picture = snapshot.version, words_first
        if not stays and not words_first:
            display.pictures, display.pictured = pictures, (now, turn_of(snapshot))

    async def _moved(self, display: Display) -> ui.LayoutView:
        """Return what the table's old message shows after the table goes on in a newer message."""
        snapshot = display.table.snapshot()
        with reading(await reader_of(self._bot, snapshot.guild, snapshot.owner, opened_in=snapshot.language)):
            return components.moved(display.presentation.page_of(snapshot))


async def _redraw(
    display: Display, press: Reply, view: ui.LayoutView, files: Sequence[discord.File] | None
) -> Sequence[KeptFile]:
    """Edit a table's message as the answer to a press on it, and return the files that the message has then.

    If `files` is None, the message keeps those that it has.
    """
    await press.redraw(view, files, kept=display.kept)
    return press.kept


def _is_due(display: Display) -> bool:
    """Return whether there is a message, and it still needs an edit.

    A press may have shown everything by now, or be about to.
    """
    return display.behind and not display.held and not display.banned and display.table.state.message is not None
