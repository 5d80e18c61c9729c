"""Posts the daily message about Today's five, and the podium of a season that has ended.

It does so on each server that chose a channel for the message.
"""

from __future__ import annotations

import logging
from typing import Final

import discord

from cogs.answers.client import Casino
from cogs.answers.posting import post
from cogs.answers.preferences import reader_of
from cogs.answers.time_limits import LOST
from cogs.background.chore import GuildChore
from cogs.leaderboard.podium import podium
from cogs.table.permissions import missing_to_post
from cogs.today.calling import called
from cogs.today.day_message import is_quiet, message
from cogs.words import _, reading
from data import DAY_POST, NEVER, DayPost, Job, LogLine, Season, StoredSet, next_moment, season_at, season_named
from engine.sets.calendar import day_at

#: Seconds until a day that is not prepared, or a server that Discord does not describe, is looked at again.
_RETRY: Final = 600.0

log = logging.getLogger(__name__)


class DayPosts(GuildChore):
    """The chore that posts the message about Today's five on this process's servers."""

    kind = DAY_POST
    failure = "the message about Today's five is not posted"

    async def look(self, job: Job, guild: int) -> None:
        """Claim the job, and post what is due: the day's message, and the podium of a season that has just ended.

        A server that has begun to count in quarters instead of months, or the reverse, gets none of an older season.
        Release the job until the next message. If the server wants none, the job is never due. If Discord does not
        describe the server, look again soon.
        """
        if not await self.claim(job):
            return
        settings, now = await self._bank.guilds.settings(guild), self._bot.clock.now()
        wanted, season = settings.day_post, season_at(now, settings.season).before
        if wanted is None:
            await self._rest(job, NEVER, season=None)
        elif (server := self._bot.described(guild)) is None:
            await self._rest(job, now + _RETRY)
        else:
            await self._post_day(job, server, wanted, season)
            told = season_named(job.payload.get("season") or "")
            is_new = told is not None and told.span is season.span and told != season
            if is_new and _may_post(server, wanted):
                await self._post_podium(server, wanted, season)

    async def _post_day(self, job: Job, server: discord.Guild, wanted: DayPost, season: Season) -> None:
        """Post the day's message if it is due and not paused, and release the job.

        `season` is the last one that ended. The job notes it, so that the podium is posted only once. If no day is
        prepared, look again soon. If the bot may not post in the channel, the server's log says so once.
        """
        guild, now = server.id, self._bot.clock.now()
        due = next_moment(guild, wanted.hour, now)
        done = job.payload["day"] >= day_at(now) or day_at(due) == day_at(now)
        if done or await is_quiet(self._bot, guild, wanted.since, day_at(now)):
            await self._rest(job, due, season=season.name)
        elif (day := await self._bank.days.today()) is None:
            await self._rest(job, min(due, now + _RETRY), season=season.name)
        elif not _may_post(server, wanted):
            await self._rest(job, due, told=True, season=season.name)
            if not job.payload["told"]:
                await self._tell(guild, wanted)
        else:
            await self._rest(
                job, due, day=day.day, told=False, season=season.name
            )  # stored first: it is never posted twice
            await self._post(guild, wanted, day)

    async def _post(self, guild: int, wanted: DayPost, day: StoredSet) -> None:
        with reading(await reader_of(self._bot, guild)):
            role = await called(self._bot, guild)
            view = await message(self._bot, guild, day, role)
        roles = [role] if role else []
        try:
            await post(self._bot, guild, wanted.channel, view, roles=roles, silent=role is None)
        except LOST as error:
            log.warning("%s: %s", self.failure, error)

    async def _post_podium(self, server: discord.Guild, wanted: DayPost, season: Season) -> None:
        """Post the podium of this ended season, if anybody was on a board. A failure is only logged."""
        with reading(await reader_of(self._bot, server.id)):
            ended = await podium(self._bank, server, season, pictures=_may_attach(server, wanted.channel))
        if ended is not None:
            view, files = ended
            try:
                await post(self._bot, server.id, wanted.channel, view, files=files, silent=True)
            except LOST as error:
                log.warning("the end of a season is not posted: %s", error)

    async def _tell(self, guild: int, wanted: DayPost) -> None:
        """Write into the server's log that the bot cannot post in the channel."""
        with reading(await reader_of(self._bot, guild)):
            text = _(
                "⚠️ I can't post Today's five in {channel}. Choose another channel in `/casino settings`.",
                channel=f"<#{wanted.channel}>",
            )
        await self._bank.notices.add(guild, LogLine(text))

    async def _rest(self, job: Job, due: float, **new: object) -> None:
        await self._bank.jobs.rest(job, self._name, {**job.payload, **new}, due=due)


def _may_post(server: discord.Guild, wanted: DayPost) -> bool:
    return missing_to_post(server, wanted.channel) == []


def _may_attach(server: discord.Guild, channel: int) -> bool:
    there = server.get_channel(channel)
    return there is not None and there.permissions_for(server.me).attach_files


async def setup(bot: Casino) -> None:
    await bot.add_cog(DayPosts(bot, bot.bank.notices.every))
