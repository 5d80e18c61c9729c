"""Forgets servers some time after they removed the bot, because nothing of their people is needed any more.

A server in an outage is not removed: Discord still lists it as one of ours. A server that invites the bot again in time
has lost nothing.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from typing import Final

import discord

from cogs.answers.client import Casino
from cogs.answers.preferences import forget
from cogs.background.chore import Chore
from data import StillPlaying
from engine.tables.ports import BankError, OutcomeUnknown
from engine.tables.refused import Refused
from engine.tables.snapshot import TablePhase

log = logging.getLogger(__name__)

DAY: Final = 86_400.0
#: The prefix of the notes that keep when a server was first seen to be gone.
_GONE: Final = "gone/"
#: The name of the note of the time of the last look.
_LOOKED: Final = "removals"
#: The number of servers, or of people, in a batch, and the seconds between two batches, in which presses are served.
_PAGE: Final = 100
PAUSE: Final = 0.05


class Removals(Chore):
    """The hourly chore that notes which servers have removed the bot, and forgets those gone for `days`."""

    every = first = 3600.0
    failure = "servers that removed the bot are not forgotten"

    def __init__(self, casino: Casino, days: int) -> None:
        self._casino, self._days = casino, days

    async def do(self) -> bool:
        """Note which servers have removed the bot or are back, and forget those that have been gone for `days`.

        Do nothing before Discord has said which servers the bot is on. A failure at one server is only logged. Return
        True, because the work is always repeated.

        The clock may be wrong, so at most a day counts as gone by since the last run. If the clock is ahead of that,
        a removal is noted at the clock's time, so that no server is forgotten too soon.
        """
        if self._casino.is_ready():
            notes, now = self._casino.bank.notes, self._casino.clock.now()
            last = await notes.number(_LOOKED) or now
            now = max(last, min(now, last + DAY))
            await notes.keep_numbers({_LOOKED: now})
            gone = await notes.numbers(_GONE)
            async for guild in self._servers():
                try:
                    await self._look_at(guild, gone.get(f"{_GONE}{guild}", 0.0), now)
                except (Refused, BankError, OutcomeUnknown) as error:
                    log.warning("server %d is left for the next hour: %s", guild, error)
                except Exception:  # the loop has to go on
                    log.exception("server %d is left for the next hour", guild)
        return True

    async def _servers(self) -> AsyncIterator[int]:
        guild = 0
        while page := await self._casino.bank.privacy.servers_after(guild, _PAGE):
            for guild in page:
                if self._casino.takes_care_of(guild):
                    yield guild
            await asyncio.sleep(PAUSE)

    async def _look_at(self, guild: int, since: float, now: float) -> None:
        is_here = self._casino.get_guild(guild) is not None
        if is_here == bool(since):
            seen = 0.0 if is_here else max(now, self._casino.clock.now())
            await self._casino.bank.notes.keep_numbers({f"{_GONE}{guild}": seen})
        elif since and now - since >= self._days * DAY:
            await self._forget(guild)

    # -- forgetting ----------------------------------------------------------------------------------------------------

    async def _forget(self, guild: int) -> None:
        """End the tables and tournaments of a server, and forget its people. Whatever fails is tried again in
        an hour.
        """
        await self._end_tables(guild)
        await self._end_tournaments(guild)
        count = await self._forget_people(guild)
        log.info("server %d removed the bot %d days ago: %d of its people are forgotten", guild, self._days, count)

    async def _end_tables(self, guild: int) -> None:
        """Play out and close a server's tables, except those of tournaments, which end with their tournament."""
        await self._casino.registry.present(guild)
        for table in [table for table in self._casino.registry.tables() if table.state.guild == guild]:
            if table.state.opener and table.state.phase is not TablePhase.CLOSED:
                await table.close(self._press())

    async def _end_tournaments(self, guild: int) -> None:
        """Cancel a server's tournaments, which gives buy-ins back."""
        for number, view in enumerate(await self._casino.director.views(guild)):
            try:
                await self._casino.director.cancel(view.state.id, self._press() + number, series=True)
            except Refused as refused:
                log.info("tournament %d of a server that is gone is not cancelled: %s", view.state.id, refused)

    async def _forget_people(self, guild: int) -> int:
        """Forget a server's people, except those who still play, and return how many were forgotten."""
        count, user, bank = 0, 0, self._casino.bank
        while page := await bank.privacy.people_after(guild, user, _PAGE):
            for user in page:
                try:
                    count += await bank.privacy.forget(guild, user)
                except StillPlaying:
                    log.info("somebody on server %d, which is gone, still plays", guild)
                forget(bank, guild, user)
            await asyncio.sleep(PAUSE)
        for user in await bank.privacy.on_boards(guild):
            count += await bank.privacy.forget_on_boards(guild, user)
        return count

    def _press(self) -> int:
        """Return an id like that of a press, for an action that nobody pressed for: the same within a millisecond."""
        return discord.utils.time_snowflake(discord.utils.utcnow())


async def setup(bot: Casino) -> None:
    if bot.settings.forget_servers_days:
        await bot.add_cog(Removals(bot, bot.settings.forget_servers_days))
