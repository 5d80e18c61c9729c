"""Posts the lines of servers' logs within seconds: what managers do, roles that change hands, what the bot reports.

Once a day it also posts a digest of the chips that gifts and duels passed on.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

import discord

from cogs.answers.clickable import clickable
from cogs.answers.client import Casino
from cogs.answers.preferences import reader_of
from cogs.answers.time_limits import LOST
from cogs.background import log
from cogs.background.chore import GuildChore
from cogs.table.poster import is_closed
from cogs.words import reading
from data import LOG, NEVER, Job, Logged

#: Seconds until a post that failed is tried again, and seconds after which its lines are dropped.
RETRY: Final = 60.0
DAY: Final = 24 * 3600.0

#: The most pairs of people in a digest.
_MOST_PAIRS: Final = 10
#: The most characters of a post; Discord takes 2,000.
_LONGEST: Final = 1_900


class ServerLogs(GuildChore):
    """The chore that posts the logs of this process's servers."""

    kind = LOG
    failure = "the logs of servers are not posted"

    async def look(self, job: Job, guild: int) -> None:
        left: Job | None = job
        while left is not None and await self.claim(left):
            left = await self._post(left, guild)

    async def _post(self, job: Job, guild: int) -> Job | None:
        """Post the waiting lines that fit into one message. After the last line, also post the digest if it is due.

        Release the job. Return it with its new values if more lines can be posted at once, else None. Lines are dropped
        if the server has no log channel, if the channel is closed to the bot, or if posting has failed for a day.
        """
        now, digest = self._bot.clock.now(), job.payload["digest"]
        channel = (await self._bank.guilds.settings(guild)).log_channel
        waiting = await self._bank.notices.waiting(guild)
        if channel is None:
            await self._rest(job, waiting, digest=now + DAY, due=NEVER)
            return None
        with reading(await reader_of(self._bot, guild)):
            taken, texts = _some(waiting, job.payload["dropped"])
            more = len(taken) < len(waiting)
            if now >= digest and not more:
                texts.append(log.gifts(await self._bank.records.feeding(guild, digest - DAY, _MOST_PAIRS)))
                digest = now + DAY
        try:
            await self._send(guild, channel, "\n".join(filter(None, texts)))
        except LOST as error:
            if not (_is_old(taken, now) or (isinstance(error, discord.HTTPException) and is_closed(error))):
                await self._bank.jobs.release(job.key, self._name, due=now + RETRY)
                return None
            missed = job.payload["dropped"] + len(waiting)
            await self._rest(job, waiting, dropped=missed, digest=digest, due=digest)
            return None
        await self._rest(job, taken, digest=digest, due=now if more else digest)
        return replace(job, payload={"digest": digest, "dropped": 0}, due=now) if more else None

    async def _send(self, guild: int, channel: int, text: str) -> None:
        """Post a text in as many messages as it needs. After a failure all of it is posted again."""
        where = self._bot.get_partial_messageable(channel, guild_id=guild)
        for post in _in_posts(clickable(text)):
            await where.send(post, silent=True, suppress_embeds=True)

    async def _rest(self, job: Job, lines: Sequence[Logged], *, digest: float, due: float, dropped: int = 0) -> None:
        last = lines[-1].id if lines else 0
        await self._bank.notices.rest(job, self._name, posted=last, dropped=dropped, digest=digest, due=due)


def _some(waiting: Sequence[Logged], dropped: int) -> tuple[list[Logged], list[str]]:
    """Return the first of the waiting lines, as many as fit into one message but at least one, and the texts to post.

    The texts begin with a note about the number of lines dropped before, if there were any.
    """
    texts, taken = [log.dropped(dropped)] if dropped else [], list[Logged]()
    for line in waiting:
        text = log.posted(line)
        if taken and sum(map(len, texts)) + len(text) + len(texts) > _LONGEST:
            break
        taken.append(line)
        texts.append(text)
    return taken, texts


def _in_posts(text: str) -> Iterator[str]:
    """Yield a text in pieces short enough for Discord: whole lines, and only a line that is too long is broken."""
    post = ""
    for line in text.splitlines():
        for piece in textwrap.wrap(line, _LONGEST, replace_whitespace=False) or [line]:
            if post and len(post) + 1 + len(piece) > _LONGEST:
                yield post
                post = ""
            post = f"{post}\n{piece}" if post else piece
    if post:
        yield post


def _is_old(lines: Sequence[Logged], now: float) -> bool:
    """Return whether the first of some lines has waited for more than a day."""
    return bool(lines) and lines[0].at < now - DAY


async def setup(bot: Casino) -> None:
    await bot.add_cog(ServerLogs(bot, bot.bank.notices.every))
