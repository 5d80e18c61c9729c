"""The announcer of tournaments, which posts and edits their messages and calls players to their tables.

It decides nothing. The sign-up message and the standings are posted again if they are gone. ChannelGone says that the
channel is gone, or closed to the bot.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable, Collection, Sequence
from functools import partial
from io import BytesIO
from typing import Any, Final

import discord
from discord import ui

from cogs.answers.client import Casino
from cogs.answers.naming import calling, naming
from cogs.answers.preferences import reader_of
from cogs.answers.time_limits import LOST
from cogs.pictures.bars import render_podium, render_standings
from cogs.table.poster import is_closed, post
from cogs.table.presenter import Presenter
from cogs.tournament import field_pages, pages, server_events
from cogs.words import READER, Reader, reading
from data import Bank
from engine.tables.ports import ChannelClosed
from engine.tables.refused import Refused
from engine.tables.table import Table
from engine.tournament.ports import ChannelGone
from engine.tournament.state import Every, successor_id
from engine.tournament.tournament import TournamentPhase
from engine.tournament.view import TournamentView

log = logging.getLogger(__name__)

#: Seconds during which changes of a sign-up message are collected into one edit, unless its own button was pressed.
FOLD: Final = 1.0

#: A function that updates a sign-up message.
Show = Callable[[], Awaitable[None]]

_UNKNOWN_MESSAGE: Final = 10008
_ARCHIVED: Final = 50083
#: The permissions that threads for tables need.
_IN_THREADS: Final = discord.Permissions(create_public_threads=True, send_messages_in_threads=True, attach_files=True)


class DiscordAnnouncer:
    """The announcer of tournaments on Discord (`engine.tournament.ports.Announcer`).

    A message calls no more than the first `pages.MOST_NAMES` people.
    """

    def __init__(self, bot: Casino, bank: Bank, presenter: Presenter) -> None:
        self._bot = bot
        self._bank = bank
        self._presenter = presenter
        self._folded: dict[int, asyncio.TimerHandle] = {}
        self._telling: set[asyncio.Task[None]] = set()
        #: The stage of each tournament in which Discord last refused a thread. The other tables of that stage get none
        #: either.
        self._without_threads: dict[int, int] = {}

    # -- what the director asks for ------------------------------------------------------------------------------------

    async def sign_up(self, view: TournamentView) -> int:
        """Update or post the sign-up message, and return its id."""
        return await self._keep(view, view.state.message, await self.sign_up_page(view))

    async def sign_up_page(self, view: TournamentView) -> ui.LayoutView:
        """Return the sign-up message in the server's language."""
        with reading(await self._reader(view)):
            return pages.sign_up(view)

    async def entrants(self, view: TournamentView) -> int:
        """Post the list of entrants, in a file if it is too long for a message, and return the message's id."""
        with reading(await self._reader(view)):
            text, whole = pages.entrants(view)
        file = [] if whole is None else [discord.File(BytesIO(whole.encode()), "entrants.txt")]
        try:
            return await post(self._place(view), text, *file)
        except ChannelClosed as error:
            raise ChannelGone(str(error)) from error

    async def remind(self, view: TournamentView) -> None:
        """Post a reminder of the start, and call those who have signed up."""
        with reading(await self._reader(view)):
            await self._send(view, pages.reminder(view), call=view.people)

    async def moved(self, view: TournamentView) -> None:
        """Post the new time and call those who have signed up, if anybody has."""
        if view.people:
            with reading(await self._reader(view)):
                await self._send(view, pages.moved(view), call=view.people)

    async def channel_of(self, view: TournamentView, number: int) -> int:
        """Open a thread for a table and return its id, or the tournament's channel where there can be no thread.

        If Discord refuses one, the other tables of the stage get none either.
        """
        guild = self._bot.described(view.state.guild)
        channel = guild.get_channel_or_thread(view.state.channel) if guild is not None else None
        if not isinstance(channel, discord.TextChannel):
            return view.state.channel
        if not channel.permissions_for(channel.guild.me).is_superset(_IN_THREADS):
            return view.state.channel
        if self._without_threads.get(view.state.id) == view.stage:
            return view.state.channel
        with reading(await self._reader(view)):
            name = pages.thread_name(view, number)
        try:
            return await _open_thread(channel, name)
        except discord.NotFound as error:
            raise ChannelGone(str(error)) from error
        except LOST as error:
            log.info("tournament %s: the rest of this stage is played in its channel: %s", view.state.id, error)
            self._without_threads[view.state.id] = view.stage
            return view.state.channel

    async def put_up(self, table: Table) -> None:
        """Post a table's message, and call its players."""
        call = [player.user for player in table.state.players if player.user is not None]
        with _channel_gone():
            await self._presenter.put_up(table, call)

    async def standings(self, view: TournamentView) -> int:
        """Update or post the standings, and return the message's id.

        In a tournament with the same cards for all, the first post calls everybody who takes part.
        """
        call = view.people if view.field is not None and view.state.standings is None else ()
        with reading(await self._reader(view)):
            return await self._keep(view, view.state.standings, _standings(view), _standings_picture(view), call)

    async def farewell(self, view: TournamentView) -> None:
        """Update the older messages of a tournament, then post its end and call the people whom that message names.

        After a failure the director repeats all of this, so the post comes last.
        """
        self._without_threads.pop(view.state.id, None)
        with reading(await self._reader(view)):
            await self._close(view, view.state.message, pages.sign_up(view))
            if view.phase is TournamentPhase.OVER:
                await self._crown(view)
            else:
                await self._close(view, view.state.standings, pages.cancelled(view))
                await self._send(view, pages.cancelled(view), call=view.people)

    async def event(self, view: TournamentView) -> int | None:
        """Create or update the event on the server's calendar, and return the id to store for it.

        If that is not possible, return the id that is stored already, or None: the tournament goes on.
        """
        guild = self._bot.described(view.state.guild)
        if guild is None:
            return view.state.event
        try:
            with reading(await self._reader(view)):
                return await server_events.keep(guild, view)
        except (*LOST, ValueError) as error:
            log.info("tournament %s is not on its server's calendar: %s", view.state.id, error)
            return view.state.event

    # -- what commands ask for -----------------------------------------------------------------------------------------

    def soon(self, tournament: int, show: Show) -> None:
        """Update the sign-up message with `show` after a second, unless such an update is waiting already.

        A failure is only logged.
        """
        if tournament not in self._folded:
            self._folded[tournament] = asyncio.get_running_loop().call_later(FOLD, self._start, tournament, show)

    def rest(self) -> None:
        """Drop the updates that are still waiting."""
        while self._folded:
            self._folded.popitem()[1].cancel()

    def _start(self, tournament: int, show: Show) -> None:
        self._folded.pop(tournament, None)
        task = asyncio.get_running_loop().create_task(self._show(show), name=f"sign-up {tournament}")
        self._telling.add(task)
        task.add_done_callback(self._telling.discard)

    async def _show(self, show: Show) -> None:
        try:
            await show()
        except (*LOST, ChannelGone, Refused) as error:
            log.info("a sign-up message could not be updated: %s", error)

    # -- private -------------------------------------------------------------------------------------------------------

    async def _reader(self, view: TournamentView) -> Reader:
        """Return the reader of a tournament's messages, who is everybody on its server."""
        return await reader_of(self._bot, view.state.guild, opened_in=view.state.language)

    async def _crown(self, view: TournamentView) -> None:
        has_picture = field_pages.has_picture(view) if view.hands else READER.get().pictures
        picture = partial(render_podium, pages.podium_picture(view)) if has_picture else None
        best = [line.user for line in view.lines if line.key in view.prizes and line.user is not None]
        gone = await self._gone(view, best)
        called = [line.user for line in view.lines[: pages.MOST_LINES] if line.user is not None]
        await self._close(view, view.state.standings, _standings(view), _standings_picture(view))
        podium = field_pages.podium if view.hands else pages.podium
        await self._send(view, podium(view, gone, await self._following(view)), picture, called)

    async def _following(self, view: TournamentView) -> TournamentView | None:
        """Return the next tournament of the series if its sign-up is open; otherwise None."""
        if view.state.every is Every.ONCE:
            return None
        try:
            found = await self._bot.director.view(successor_id(view.state.id))
        except Refused:
            return None
        return found if found.phase is TournamentPhase.SIGN_UP else None

    async def _close(
        self, view: TournamentView, message: int | None, page: ui.LayoutView, draw: Callable[[], bytes] | None = None
    ) -> None:
        """Edit a message for the last time. Open its thread for that if the thread is archived.

        Do nothing if there is no message (None) or it is gone. `draw` makes its picture; without `draw` the message
        keeps its files. Raise ChannelGone, but only log other failures of Discord.
        """
        if message is None:
            return
        try:
            if await self._edit(view, message, page, draw):
                return
            thread = await self._bot.fetch_channel(view.state.channel)
            if isinstance(thread, discord.Thread) and thread.archived:
                await thread.edit(archived=False)
                await self._edit(view, message, page, draw)
        except LOST as error:
            log.info("a message of a tournament that is over could not be updated: %s", error)

    async def _gone(self, view: TournamentView, users: Sequence[int]) -> Collection[int]:
        """Return which people have left the server. Somebody whom Discord cannot look up counts as still there."""
        guild = self._bot.get_guild(view.state.guild)
        gone: set[int] = set()
        for user in users if guild is not None else ():
            try:
                await guild.fetch_member(user)  # type: ignore[union-attr]
            except discord.NotFound:
                gone.add(user)
            except LOST as error:
                log.info("a prize winner could not be looked up: %s", error)
        return gone

    async def _keep(
        self,
        view: TournamentView,
        message: int | None,
        page: ui.LayoutView,
        draw: Callable[[], bytes] | None = None,
        call: Collection[int] = (),
    ) -> int:
        """Edit a message and return its id. If there is none, or it is gone, post a new one and return the new id.

        `draw` makes the picture; None leaves the message's files as they are. Only a new message pings those in `call`.
        """
        if message is not None and await self._edit(view, message, page, draw):
            return message
        return await self._send(view, page, draw, call)

    async def _edit(
        self, view: TournamentView, message: int, page: ui.LayoutView, draw: Callable[[], bytes] | None = None
    ) -> bool:
        """Edit a message and return True, or return False if the message is gone or its thread is archived.

        A new message opens an archived thread again. Raise ChannelGone if the channel is gone.
        """
        files: dict[str, Any] = {} if draw is None else {"attachments": [await _file(draw)]}
        try:
            with _channel_gone():
                await (
                    self._place(view)
                    .get_partial_message(message)
                    .edit(view=page, allowed_mentions=naming(page), **files)
                )
        except discord.NotFound:
            return False
        except discord.HTTPException as error:
            if error.code != _ARCHIVED:
                raise
            return False
        return True

    async def _send(
        self,
        view: TournamentView,
        page: ui.LayoutView,
        draw: Callable[[], bytes] | None = None,
        call: Collection[int] = (),
    ) -> int:
        files = [] if draw is None else [await _file(draw)]
        called = calling(list(call)[: pages.MOST_NAMES])
        with _channel_gone():
            return (await self._place(view).send(view=page, files=files, allowed_mentions=called)).id

    def _place(self, view: TournamentView) -> discord.PartialMessageable:
        return self._bot.get_partial_messageable(view.state.channel, guild_id=view.state.guild)


def _standings(view: TournamentView) -> ui.LayoutView:
    return field_pages.board(view) if view.hands else pages.standings(view)


def _standings_picture(view: TournamentView) -> Callable[[], bytes] | None:
    return (
        partial(render_standings, pages.standings_picture(view)) if READER.get().pictures and not view.hands else None
    )


async def _open_thread(channel: discord.TextChannel, name: str) -> int:
    """Open a thread of the kind that this channel can have, and return its id."""
    kind = discord.ChannelType.news_thread if channel.is_news() else discord.ChannelType.public_thread
    return (await channel.create_thread(name=name, type=kind, auto_archive_duration=60)).id


@contextlib.contextmanager
def _channel_gone() -> Any:
    """Raise ChannelGone where the block finds that a channel is gone or closed to the bot.

    A message that is gone is another matter: its error passes unchanged.
    """
    try:
        yield
    except discord.HTTPException as error:
        if error.code == _UNKNOWN_MESSAGE or not is_closed(error):
            raise
        raise ChannelGone(str(error)) from error


async def _file(draw: Callable[[], bytes]) -> discord.File:
    return discord.File(BytesIO(await asyncio.to_thread(draw)), filename=pages.PICTURE)
