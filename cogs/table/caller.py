"""Calls: a message mentions a player who wants it, once, when others wait and half of the player's time is gone.

Editing the table's message notifies nobody, so a call is a message of its own. After the move it says that the turn is
over, and a minute later it is deleted: people who look at their phone in that minute find why they were called.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Coroutine, Sequence
from dataclasses import dataclass
from typing import Any, Final

import discord

from cogs.answers.client import Casino
from cogs.answers.naming import calling
from cogs.answers.preferences import preferences, reader_of
from cogs.answers.time_limits import LOST
from cogs.table.door import link
from cogs.words import _, mention, reading, when
from data import Bank, Note
from engine.tables.ports import BankError, Clock, OutcomeUnknown
from engine.tables.snapshot import Snapshot
from engine.tables.table import Table

log = logging.getLogger(__name__)

#: The most people who are remembered because their time ran out.
MOST_LATE: Final = 10_000

#: Seconds for which a call stays after the move.
READ: Final = 60.0

#: The kind of note of a call, so that another process can delete it if this one ends.
_KIND: Final = "call"


@dataclass(slots=True, eq=False)
class _OpenQuestion:
    """A question to the people at a table, open until its deadline."""

    deadline: float
    people: tuple[int, ...]  # those who have not answered yet
    timer: asyncio.TimerHandle | None = None  # goes off when half of the time is gone
    message: int | None = None  # the call's, once it is posted
    called: tuple[int, ...] = ()  # the people whom it mentions
    over: bool = False


class Caller:
    """The watcher of tables that calls people."""

    def __init__(self, bot: Casino, bank: Bank, clock: Clock) -> None:
        self._bot, self._bank, self._clock = bot, bank, clock
        self._questions: dict[int, _OpenQuestion] = {}
        #: The people whose time ran out while others waited, by guild and Discord id, until they press again.
        self._late: dict[tuple[int, int], None] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    def changed(self, table: Table) -> None:
        """Note whether a table's question begins, goes on, or is over. After half of its time, people are called."""
        snapshot, now = table.snapshot(), self._questions.get(table.id)
        if now is None and len(snapshot.sitters) < 2:
            return
        waited_for = holding_up(snapshot)
        if now is not None and not (waited_for and snapshot.deadline == now.deadline):
            self._end(table, now)
            now = None
        if now is not None:
            now.people = tuple(waited_for)
        elif waited_for and snapshot.deadline is not None:
            asked = self._questions[table.id] = _OpenQuestion(snapshot.deadline, tuple(waited_for))
            half = max(0.0, (snapshot.deadline - self._clock.now()) / 2)
            asked.timer = asyncio.get_running_loop().call_later(half, self._start, table, asked)

    async def take_down(self) -> None:
        """Delete the calls that earlier processes left on this process's servers, as far as Discord allows it now."""
        for note in await self._bank.notes.of(_KIND):
            if note.guild is not None and self._bot.get_guild(note.guild) is not None:
                try:
                    await self._remove(note.guild, note.values["channel"], note.values["message"])
                except LOST as error:  # its note stays, for the next start
                    log.info("a call is left: %s", error)

    async def offer(self, guild: int, user: int) -> str:
        """Return a hint to `/settings` if this person's time ran out while others waited. It is given only once.

        Otherwise, and for people who already wish to be called, return an empty text.
        """
        if (guild, user) not in self._late:
            return ""
        del self._late[guild, user]
        if await self._wants(guild, user):
            return ""
        return _("Your time ran out while others waited. `/settings` can ping you when half of it is gone.")

    # -- private -------------------------------------------------------------------------------------------------------

    def _end(self, table: Table, asked: _OpenQuestion) -> None:
        asked.over = True
        del self._questions[table.id]
        if self._clock.now() >= asked.deadline:
            self._late |= dict.fromkeys((table.state.guild, user) for user in asked.people)
            while len(self._late) > MOST_LATE:
                del self._late[next(iter(self._late))]
        if asked.timer is not None:
            asked.timer.cancel()
        if asked.message is not None:
            self._do(self._read(table, asked.message, asked.called))

    def _start(self, table: Table, asked: _OpenQuestion) -> None:
        self._do(self._call(table, asked))

    def _do(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(self._safely(work), name="call")
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _safely(self, work: Coroutine[Any, Any, None]) -> None:
        try:
            await work
        except (*LOST, BankError, OutcomeUnknown) as error:
            log.info("a call, or the note of it, failed: %s", error)
        except Exception:
            log.exception("a call, or the note of it, failed")

    async def _call(self, table: Table, asked: _OpenQuestion) -> None:
        state = table.state
        wanted = [user for user in holding_up(table.snapshot()) if await self._wants(state.guild, user)]
        if not wanted or asked.over:
            return
        with reading(await reader_of(self._bot, state.guild, opened_in=state.language)):
            text = _(
                "{names}, the others are waiting: your turn ends {when}. [To the table]({link})",
                names=", ".join(map(mention, wanted)),
                when=when(asked.deadline),
                link=link(state),
            )
        channel = self._bot.get_partial_messageable(state.channel, guild_id=state.guild)
        message = (await channel.send(text, allowed_mentions=calling(wanted))).id
        asked.message, asked.called = message, tuple(wanted)
        if asked.over:
            self._do(self._read(table, message, wanted))
        posted = {"channel": state.channel, "message": message}
        await self._bank.notes.keep(Note(_KIND, str(message), posted, state.guild))

    async def _wants(self, guild: int, user: int) -> bool:
        return (await preferences(self._bank, guild, user)).calls

    async def _read(self, table: Table, message: int, called: Sequence[int]) -> None:
        """Edit a call to say that its turn is over, and delete it in a minute."""
        state, loop = table.state, asyncio.get_running_loop()
        loop.call_later(READ, lambda: self._do(self._remove(state.guild, state.channel, message)))
        with reading(await reader_of(self._bot, state.guild, opened_in=state.language)):
            text = _("-# {names}: that turn is over.", names=", ".join(map(mention, called)))
        where = self._bot.get_partial_messageable(state.channel, guild_id=state.guild)
        await where.get_partial_message(message).edit(content=text, allowed_mentions=calling(called))

    async def _remove(self, guild: int, channel: int, message: int) -> None:
        """Delete a call and the note of it, even if the call is gone or Discord forbids deleting it.

        After any other failure of Discord, raise it and keep the note, so that the next start tries again.
        """
        where = self._bot.get_partial_messageable(channel, guild_id=guild)
        try:
            await where.get_partial_message(message).delete()
        except (discord.NotFound, discord.Forbidden) as error:
            log.info("a call is left: %s", error)
        await self._bank.notes.drop(_KIND, str(message))


def holding_up(snapshot: Snapshot) -> list[int]:
    """Return the ids of the people whom the table asks, or none if only one person plays there: then nobody waits."""
    here = [sitter.user for sitter in snapshot.sitters if sitter.member is not None and not sitter.leaving]
    return snapshot.asked if len(here) > 1 else []
