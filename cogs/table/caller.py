"""Calls: a message mentions a player who wants it, once, when others wait and half of the player's time is gone.

Editing the table's message notifies nobody, so a call is a message of its own. It is deleted after the move.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Coroutine
from dataclasses import dataclass
from typing import Any, Final

import discord

from cogs.answers.client import Casino
from cogs.answers.naming import calling
from cogs.answers.preferences import preferences, reader_of
from cogs.answers.serving import LOST
from cogs.table.door import link
from cogs.words import _, mention, reading, when
from data import NEVER, Bank, Job
from engine.tables.ports import BankError, Clock, OutcomeUnknown
from engine.tables.snapshot import Snapshot, TablePhase
from engine.tables.table import Table

log = logging.getLogger(__name__)

#: The kind of job that notes a call, so that another process can delete it if this one ends.
_KIND: Final = "call"


@dataclass(slots=True, eq=False)
class _Question:
    """A question to the people at a table, open until its deadline."""

    deadline: float
    timer: asyncio.TimerHandle | None = None
    message: int | None = None
    over: bool = False


class Caller:
    """The watcher of tables that calls people."""

    def __init__(self, bot: Casino, bank: Bank, clock: Clock) -> None:
        self._bot, self._bank, self._clock = bot, bank, clock
        self._questions: dict[int, _Question] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    def changed(self, table: Table) -> None:
        """Note that a question begins, goes on, or is over."""
        snapshot, now = table.snapshot(), self._questions.get(table.id)
        if now is None and len(snapshot.sitters) < 2:
            return
        waited_for = holding_up(snapshot)
        if now is not None and not (waited_for and snapshot.deadline == now.deadline):
            self._end(table, now)
            now = None
        if now is None and waited_for and snapshot.deadline is not None:
            asked = self._questions[table.id] = _Question(snapshot.deadline)
            half = max(0.0, (snapshot.deadline - self._clock.now()) / 2)
            asked.timer = asyncio.get_running_loop().call_later(half, self._start, table, asked)

    async def take_down(self) -> None:
        """Delete the calls of processes that ended before the move."""
        for job in await self._bank.jobs.waiting(_KIND):
            if job.guild is not None and self._bot.get_guild(job.guild) is not None:
                await self._remove(job.guild, job.payload["channel"], job.payload["message"])

    # -- private -------------------------------------------------------------------------------------------------------

    def _end(self, table: Table, asked: _Question) -> None:
        asked.over = True
        del self._questions[table.id]
        if asked.timer is not None:
            asked.timer.cancel()
        if asked.message is not None:
            self._do(self._remove(table.state.guild, table.state.channel, asked.message))

    def _start(self, table: Table, asked: _Question) -> None:
        self._do(self._call(table, asked))

    def _do(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(self._safely(work), name="call")
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _safely(self, work: Coroutine[Any, Any, None]) -> None:
        try:
            await work
        except (*LOST, BankError, OutcomeUnknown) as error:
            log.info("somebody is not called: %s", error)
        except Exception:
            log.exception("somebody is not called")

    async def _call(self, table: Table, asked: _Question) -> None:
        state = table.state
        wanted = [user for user in holding_up(table.snapshot()) if await self._wants(state.guild, user)]
        if not wanted or asked.over:
            return
        with reading(await reader_of(self._bot, state.guild)):
            text = _(
                "{names}, the others are waiting: your turn ends {when}. [To the table]({link})",
                names=", ".join(map(mention, wanted)),
                when=when(asked.deadline),
                link=link(state),
            )
        channel = self._bot.get_partial_messageable(state.channel, guild_id=state.guild)
        asked.message = (await channel.send(text, allowed_mentions=calling(wanted))).id
        if asked.over:
            await self._remove(state.guild, state.channel, asked.message)
            return
        payload = {"channel": state.channel, "message": asked.message}
        await self._bank.jobs.post(Job(f"{_KIND}/{asked.message}", _KIND, payload, NEVER, state.guild))

    async def _wants(self, guild: int, user: int) -> bool:
        return (await preferences(self._bank, guild, user)).calls

    async def _remove(self, guild: int, channel: int, message: int) -> None:
        """Delete a call, if it is still there."""
        where = self._bot.get_partial_messageable(channel, guild_id=guild)
        try:
            await where.get_partial_message(message).delete()
        except (discord.NotFound, discord.Forbidden) as error:
            log.info("a call is left: %s", error)
        await self._bank.jobs.cancel(f"{_KIND}/{message}")


def holding_up(snapshot: Snapshot) -> list[int]:
    """Return the people who are asked, if anybody else at the table has to wait for them."""
    here = [sitter.user for sitter in snapshot.sitters if sitter.member is not None and not sitter.leaving]
    if len(here) < 2:
        return []
    if snapshot.phase is TablePhase.PLAYING:
        asked = [snapshot.sitter_at(seat) for seat, legal in enumerate(snapshot.legal) if legal]
        return [sitter.user for sitter in asked if sitter is not None and sitter.user is not None]
    if snapshot.elimination is not None and snapshot.elimination.asked is not None:
        user = snapshot.players[snapshot.elimination.asked].user
        return [user] if user is not None else []
    return []
