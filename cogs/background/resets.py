"""Carries out resets to equal chips: announces them, gives open bets back, and sets wallet by wallet (R14.2)."""

from __future__ import annotations

import contextlib
import logging
from dataclasses import replace
from datetime import timedelta
from typing import Final

import discord
from discord import ui

from cogs.answers import calendar
from cogs.answers.calendar import EventStage, PlannedEvent
from cogs.answers.client import Casino
from cogs.answers.posting import post
from cogs.answers.preferences import reader_of
from cogs.answers.time_limits import LOST
from cogs.background.chore import CLAIM, GuildChore
from cogs.background.reset_texts import ResetPage, announcement, called_off, done
from cogs.duel.keys import drawn
from cogs.table.poster import is_closed
from cogs.words import _, counted, reading
from data import RESETS, Job, LogLine, Reset, ResetMoved
from engine.sets.duels import Ending
from engine.tables.refused import Refused
from engine.tournament.ports import ChannelGone

#: Seconds until the chore tries again...
_RETRY: Final = 60.0  # when a reset could not be announced
_HOURLY: Final = 3_600.0  # when open bets could not all be given back
_AGAIN: Final = 10.0  # when some chips were in play, so that their wallets could not be set
#: The length of the event, because a calendar asks for one.
_LASTS: Final = timedelta(minutes=30)

log = logging.getLogger(__name__)


class ResetChore(GuildChore):
    """The chore that carries out the resets of this process's servers."""

    kind = RESETS
    failure = "a reset is not carried out"

    async def look(self, job: Job, guild: int) -> None:
        """Claim the job, take the step of its reset that is due, and release the job until the next step."""
        if not await self.claim(job):
            return
        reset, now = await self._bank.resets.known(job.payload[RESETS]), self._bot.clock.now()
        if reset.over:
            await self._finish(job, reset)
        elif not reset.announced:
            await self._announce(job, reset)
        elif now < reset.closes:
            await self._rest(job, reset.closes)
        elif now < reset.at:
            await self._give_back(reset)
            await self._rest(job, min(reset.at, now + _HOURLY))
        else:
            await self._reset(job, reset)

    # -- before it -----------------------------------------------------------------------------------------------------

    async def _announce(self, job: Job, reset: Reset) -> None:
        """Announce a reset in its channel and on the calendar, or withdraw it if the channel is closed to the bot.

        One that is less than a week away is moved to a later hour first.
        """
        reset = await self._bank.resets.in_time(reset)
        try:
            await self._post(reset, await self._page(reset, announcement))
            event = await self._keep_event(reset, EventStage.COMING)
        except LOST as error:
            if isinstance(error, discord.HTTPException) and is_closed(error):
                await self._bank.resets.withdraw(reset.id, reset.guild, await self._lost(reset))
                await self._rest(job, self._bot.clock.now())
            else:
                log.warning("a reset is not announced: %s", error)
                await self._rest(job, self._bot.clock.now() + _RETRY)
        else:
            await self._announced(job, reset, event)

    async def _announced(self, job: Job, reset: Reset, event: int | None) -> None:
        """Store that a reset is announced, or call it off in its channel if it was withdrawn while it was announced."""
        try:
            await self._bank.resets.announced(reset.id, event)
        except ResetMoved:
            found = await self._bank.resets.known(reset.id)
            if not found.over:
                raise
            await self._finish(job, replace(found, announced=True, event=event))
        else:
            await self._rest(job, reset.closes)

    async def _lost(self, reset: Reset) -> LogLine:
        with reading(await reader_of(self._bot, reset.guild)):
            channel = f"<#{reset.channel}>"
            text = _("⚠️ The reset is off: I couldn't announce it in {channel}.", channel=channel)
        return LogLine(text)

    async def _give_back(self, reset: Reset) -> None:
        """Give back the buy-ins of tournaments with an open sign-up, and call off open challenges for chips."""
        for tournament, member in await self._bank.resets.bought_in(reset.guild):
            with contextlib.suppress(Refused, ChannelGone):  # it moved on, or is tried again
                await self._bot.director.release(tournament, member)
        for number in await self._bank.resets.challenges(reset.guild):
            ended = await self._bank.duels.end(number, Ending.CALLED_OFF)
            if ended is not None:
                await drawn(self._bot, ended)

    # -- the reset itself ----------------------------------------------------------------------------------------------

    async def _reset(self, job: Job, reset: Reset) -> None:
        """Set all wallets that can be set. If chips of some people are in play, look again soon; else end the reset."""
        reset = await self._bank.resets.begin(reset)
        await self._give_back(reset)
        after, left = await self._bank.resets.slice(reset)
        while after is not None:
            await self._bank.jobs.renew(job.key, self._name, seconds=CLAIM)
            after, more = await self._bank.resets.slice(reset, after)
            left += more
        if left:
            await self._rest(job, self._bot.clock.now() + _AGAIN)
        else:
            await self._bank.resets.end(reset.id)
            await self._finish(job, await self._bank.resets.known(reset.id))

    async def _finish(self, job: Job, reset: Reset) -> None:
        """Finish the job of a reset. If the reset was announced, try once to end its event and post how it ended."""
        await self._bank.jobs.finish(job.key, self._name)
        if not reset.announced:
            return
        try:
            if not reset.withdrawn:
                await self._keep_event(reset, EventStage.RUNNING)
            await self._keep_event(reset, EventStage.OVER)
            await self._post(reset, await self._page(reset, called_off if reset.withdrawn else done))
        except LOST as error:
            log.warning("the end of a reset is not posted: %s", error)

    # -- what people see -----------------------------------------------------------------------------------------------

    async def _page(self, reset: Reset, page: ResetPage) -> ui.LayoutView:
        with reading(await reader_of(self._bot, reset.guild)):
            return page(reset)

    async def _post(self, reset: Reset, view: ui.LayoutView) -> None:
        await post(self._bot, reset.guild, reset.channel, view)

    async def _keep_event(self, reset: Reset, stage: EventStage) -> int | None:
        """Bring the reset's event on the calendar to this stage, and return the event's id if there is one.

        If Discord refuses, only log it: the reset does not need the calendar.
        """
        guild = self._bot.described(reset.guild)
        if guild is None:
            return reset.event
        with reading(await reader_of(self._bot, reset.guild)):
            everybody = _("Everybody here will have {chips}.", chips=counted(reset.amount))
            place = f"https://discord.com/channels/{reset.guild}/{reset.channel}#reset-{reset.id}"
            plan = PlannedEvent(_("Reset to equal chips"), everybody, reset.at, _LASTS, place, stage, reset.event)
        try:
            return await calendar.keep(guild, plan)
        except LOST as error:
            log.warning("a reset is not on the calendar: %s", error)
            return reset.event

    async def _rest(self, job: Job, due: float) -> None:
        await self._bank.jobs.rest(job, self._name, job.payload, due=due)


async def setup(bot: Casino) -> None:
    await bot.add_cog(ResetChore(bot, bot.bank.resets.every))
