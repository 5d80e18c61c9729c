"""Keeps every table's message true, with as few edits as can be. It decides nothing: it draws the newest snapshot.

A press is answered with the redraw, which costs no edit. Everything else (timers, other people, computer players) is
folded together and sent within Discord's limits. A message that is gone or old is followed by a new one.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections import defaultdict, deque
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Final, cast

import discord
from discord import ui
from discord.ext import commands

from cogs.casino import Casino
from cogs.errors import Reply
from cogs.preferences import language_of_guild
from cogs.table import layout
from cogs.table.easel import Easel, Sheet
from cogs.words import speaking
from engine.tables.ports import Clock
from engine.tables.snapshot import TablePhase
from engine.tables.table import Table

log = logging.getLogger(__name__)

#: Discord takes about five edits of a channel's messages in five seconds; one is left for others.
MOST_EDITS: Final = 4
WINDOW: Final = 5.0

#: From so many channels on, those that were edited long ago are looked for and forgotten.
MANY: Final = 1_000

#: Changes that come this close together are one edit.
FOLD: Final = 0.15

#: Discord throttles edits of messages older than an hour.
OLD: Final = 50 * 60

_UNKNOWN_MESSAGE: Final = 10008


class Presenter:
    """The tables' watcher."""

    def __init__(self, bot: commands.Bot | commands.AutoShardedBot, clock: Clock) -> None:
        self._bot = bot
        self._clock = clock
        self._easels: dict[int, Easel] = {}
        self._edits: defaultdict[int, deque[float]] = defaultdict(deque)  # by channel: when they were sent
        self._drawing: set[asyncio.Task[None]] = set()

    # -- what happens at the tables ------------------------------------------------------------------------------------

    def changed(self, table: Table) -> None:
        """Tables that are taken up again before the bot is ready are drawn when somebody touches them."""
        easel = self._easel(table)
        if not easel.held and self._bot.is_ready():
            self._soon(easel)
        if easel.banned or table.state.message is None:
            self._tidy(easel)

    @contextmanager
    def held(self, table: Table) -> Iterator[None]:
        """While a press is served its own answer shows what changes; if there is none, an edit does."""
        easel = self._easel(table)
        easel.held += 1
        try:
            yield
        finally:
            easel.held -= 1
            self._catch_up(easel)

    def is_nowhere(self, table: Table) -> bool:
        """Whether its first message never came to be: Discord would not have it, or the process ended before."""
        return table.state.message is None and not self._easel(table).held

    # -- answers -------------------------------------------------------------------------------------------------------

    async def post(self, reply: Reply, table: Table) -> int:
        """A table's first message, as the answer to who opened it; returns its id."""
        easel = self._easel(table)
        async with easel.busy:
            sheet = await self._sheet(easel, whole=True)
            message = await reply.show(sheet.view, sheet.files or [])
            easel.shows(sheet)
        return message

    async def put_up(self, table: Table, call: Sequence[int]) -> None:
        """A table's first message in a channel where nobody asked for it; these people are called to it."""
        easel = self._easel(table)
        easel.forget()
        easel.banned = False
        async with easel.busy:
            sheet = await self._sheet(easel, whole=True)
            called = discord.AllowedMentions(users=[discord.Object(user) for user in call])
            channel = self._channel(easel)
            message = await channel.send(view=sheet.view, files=sheet.files or [], allowed_mentions=called)
            easel.shows(sheet)
            await self.became(table, message.id)

    async def became(self, table: Table, message: int) -> None:
        """The table is told where it is. That a message is up is not a change that it shows."""
        easel, before = self._easel(table), table.state.version
        after = await table.posted(message)
        if after.version == before + 1 and easel.drawn == before:
            easel.drawn = after.version

    async def bring(self, reply: Reply, table: Table) -> None:
        """The table goes on in the answer to a command; its message further up is left."""
        easel, old = self._easel(table), table.state.message
        with self.held(table):
            await self.became(table, await self.post(reply, table))
        if old is not None:
            with contextlib.suppress(discord.HTTPException):
                await (
                    self._channel(easel).get_partial_message(old).edit(view=layout.moved(easel.page()), attachments=[])
                )

    async def answer(self, reply: Reply, table: Table) -> None:
        """The redraw as the answer to the press."""
        easel = self._easel(table)
        easel.banned = False
        async with easel.busy:
            moved = self._is_old(table) and await self._post_anew(easel)
            pressed_on = reply.interaction.message
            if moved or (pressed_on is not None and pressed_on.id != table.state.message):
                await self._send_answer(reply, easel, layout.moved(easel.page()), [])
            else:
                await self._redraw_answer(reply, easel)
        self._tidy(easel)

    async def _redraw_answer(self, reply: Reply, easel: Easel) -> None:
        sheet = await self._sheet(easel)
        if await self._send_answer(reply, easel, sheet.view, sheet.files):
            easel.shows(sheet)

    async def _send_answer(
        self, reply: Reply, easel: Easel, view: ui.LayoutView, files: list[discord.File] | None = None
    ) -> bool:
        try:
            await reply.redraw(view, files)
        except discord.HTTPException as error:
            log.info("table %s: a press could not be answered with the redraw: %s", easel.table.id, error)
            easel.forget()
            return False
        return True

    async def redraw(self, table: Table) -> None:
        """An edit now, if one is due."""
        easel = self._easel(table)
        easel.banned = False
        await self._draw(easel)

    def touched(self, table: Table) -> None:
        """Somebody pressed something old: what the message shows may be old as well."""
        self._catch_up(self._easel(table))

    # -- edits ---------------------------------------------------------------------------------------------------------

    def _soon(self, easel: Easel) -> None:
        if easel.timer is None and not easel.banned and easel.table.state.message is not None:
            delay = max(FOLD, self._pause(easel.table.state.channel))
            easel.timer = asyncio.get_running_loop().call_later(delay, self._start, easel)

    def _start(self, easel: Easel) -> None:
        easel.timer = None
        task = asyncio.get_running_loop().create_task(self._draw_safely(easel), name=f"draw {easel.table.id}")
        self._drawing.add(task)
        task.add_done_callback(self._drawing.discard)

    async def _draw_safely(self, easel: Easel) -> None:
        try:
            await self._draw(easel)
        except Exception:
            log.exception("table %s could not be drawn", easel.table.id)

    async def _draw(self, easel: Easel) -> None:
        if easel.held or not easel.behind:
            return
        if self._pause(easel.table.state.channel) > 0:
            self._soon(easel)
            return
        async with easel.busy:
            if easel.behind:
                await self._edit(easel)
        self._catch_up(easel)
        self._tidy(easel)

    def _catch_up(self, easel: Easel) -> None:
        if easel.behind and not easel.held:
            self._soon(easel)

    async def _edit(self, easel: Easel) -> None:
        state = easel.table.state
        if state.message is None:
            return
        if self._is_old(easel.table):
            await self._post_anew(easel)
            return
        sheet = await self._sheet(easel)
        self._count_edit(state.channel)
        kept: dict[str, Any] = {} if sheet.files is None else {"attachments": sheet.files}
        try:
            await self._channel(easel).get_partial_message(state.message).edit(view=sheet.view, **kept)
            easel.shows(sheet)
        except discord.NotFound as error:
            await self._lost(easel, error)
        except discord.Forbidden as error:
            self._ban(easel, error)
        except discord.HTTPException as error:
            log.warning("table %s: an edit failed: %s", easel.table.id, error)
            self._give_up_on(easel, sheet)

    def _give_up_on(self, easel: Easel, sheet: Sheet) -> None:
        """The next change draws everything anew; the same drawing is not sent again and again."""
        easel.forget()
        easel.drawn = sheet.snapshot.version

    # -- messages that are gone or old ---------------------------------------------------------------------------------

    async def _lost(self, easel: Easel, error: discord.NotFound) -> None:
        if error.code == _UNKNOWN_MESSAGE and easel.table.state.phase is not TablePhase.CLOSED:
            await self._post_anew(easel)
        else:
            self._ban(easel, error)

    async def _post_anew(self, easel: Easel) -> bool:
        easel.forget()
        sheet = await self._sheet(easel, whole=True)
        try:
            message = await self._channel(easel).send(view=sheet.view, files=sheet.files or [])
        except discord.HTTPException as error:
            self._ban(easel, error)
            return False
        easel.shows(sheet)
        await self.became(easel.table, message.id)
        return True

    def _ban(self, easel: Easel, error: discord.HTTPException) -> None:
        log.info("table %s: its channel is closed to us: %s", easel.table.id, error)
        easel.banned = True

    # -- small things --------------------------------------------------------------------------------------------------

    def _easel(self, table: Table) -> Easel:
        easel = self._easels.get(table.id)
        if easel is None or easel.table is not table:
            easel = self._easels[table.id] = Easel(table)
        return easel

    def _tidy(self, easel: Easel) -> None:
        state = easel.table.state
        if state.phase is TablePhase.CLOSED and (easel.banned or state.message is None or not easel.behind):
            self._easels.pop(state.id, None)

    def _channel(self, easel: Easel) -> discord.PartialMessageable:
        state = easel.table.state
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
        """Seconds until the channel may be edited again. What is no longer counted is forgotten."""
        now, sent = asyncio.get_running_loop().time(), self._edits.get(channel)
        while sent and now - sent[0] >= WINDOW:
            sent.popleft()
        if not sent:
            self._edits.pop(channel, None)
            return 0.0
        return sent[0] + WINDOW - now if len(sent) >= MOST_EDITS else 0.0

    async def _sheet(self, easel: Easel, *, whole: bool = False) -> Sheet:
        """A table speaks its server's language, whoever pressed."""
        guild = self._bot.get_guild(easel.table.state.guild)
        preferred = guild.preferred_locale if guild is not None else None
        with speaking(await language_of_guild(cast(Casino, self._bot).bank, easel.table.state.guild, preferred)):
            return await easel.sheet(whole=whole)
