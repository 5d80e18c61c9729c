"""A casino on the first day of Today's five."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import discord
import pytest
import simcord

from cogs.today.playing import prepare
from data import StoredSet
from engine.sets.calendar import DAY, day_at, opens
from engine.sets.tries import Try

from ..conftest import Casino, keys, text_of


class FirstDay:
    """The first day of a house, and how people play it."""

    day: StoredSet

    def __init__(self, casino: Casino) -> None:
        self.casino = casino

    @property
    def now(self) -> float:
        return self.casino.env.now().timestamp()

    @property
    def date(self) -> int:
        return day_at(self.now)

    @property
    def bank(self) -> Any:
        return self.casino.bot.bank

    async def try_of(self, who: Any, day: StoredSet | None = None, *, archive: bool = False) -> Try:
        day = day or self.day
        person = await self.bank.tries.sign_in(who.id)
        stored = await self.bank.tries.find(day, person, archive=archive)
        assert stored is not None
        return stored.on(day)  # type: ignore[no-any-return]

    async def begins(self, who: simcord.MemberActor) -> simcord.ResponseMessage:
        answer = await self.casino.ask("today", who)
        await who.click(answer, label="Play")
        return answer

    async def plays(self, who: Any, answer: Any, *, choose: Callable[..., Any] = max, archive: bool = False) -> None:
        """Play to the end: with `max` the best of every decision, with `min` the worst."""
        while "Next" in keys(answer) or not (await self.try_of(who, archive=archive)).over:
            found = await self.try_of(who, archive=archive)
            if found.round.over:
                await who.click(answer, label="Next")
            else:
                worths = found.prepared.answers[found.place][found.letters[-1]]
                await who.click(answer, label=LABELS[choose(worths, key=worths.__getitem__)])


#: The keys by the letters of a try.
LABELS = {
    "h": "Hit",
    "s": "Stand",
    "d": "Double",
    "p": "Split",
    "w": "Swap",
    "r": "Surrender",
    "i": "Insure",
    "n": "No insurance",
}


@pytest.fixture
async def first_day(casino: Casino) -> FirstDay:
    """Go to noon of the first day: the first question begins the chain, and day 1 is the next day."""
    first_day = FirstDay(casino)
    assert "Today's five open here for the first time" in text_of(await casino.ask("today", casino.person("zoe")))
    await casino.sleep(opens(first_day.date + 1) - first_day.now + DAY / 2)
    await casino.ask("today", casino.person("zoe"))
    first_day.day = await first_day.bank.days.on(first_day.date)
    return first_day


class Hall:
    """A server with a channel for the message, and a log for its managers."""

    def __init__(self, first_day: FirstDay) -> None:
        self.first_day, self.casino = first_day, first_day.casino
        guild = self.casino.guild
        role = guild.create_role("Managers", permissions=discord.Permissions(manage_guild=True))
        self.boss = guild.add_member(self.casino.env.create_user("boss"), roles=[role])
        self.channel = guild.create_text_channel("hall")
        self.log = guild.create_text_channel("log")

    async def choose(self, *channels: simcord.ChannelHandle) -> str:
        """Choose the channel, or none, and return the page, or the refusal."""
        page = await self.casino.ask("casino settings", self.boss, page="messages")
        answer = await self.boss.select(page, list(channels), custom_id="office:day")
        return text_of(answer.response or page)

    async def calls(self, *roles: Any) -> str:
        """Choose the role that the message calls, or none, and return the page, or the refusal."""
        page = await self.casino.ask("casino settings", self.boss, page="messages")
        answer = await self.boss.select(page, list(roles), custom_id="office:called")
        return text_of(answer.response or page)

    async def at_hour(self, hour: int) -> simcord.ResponseMessage:
        page = await self.casino.ask("casino settings", self.boss, page="messages")
        await self.boss.select(page, [str(hour)], custom_id="office:hour")
        return page

    async def sleep_until(self, hour: float) -> None:
        """Let time pass until this hour of the day, today or tomorrow, and have the chore look."""
        now = self.first_day.now
        moment = day_at(now) * DAY + hour * 3_600
        await self.casino.sleep((moment if moment > now else moment + DAY) - now)
        await self.look()

    async def look(self) -> None:
        await prepare(self.casino.bot)
        chore: Any = self.casino.bot.get_cog("DayPosts")
        await chore.do()

    async def plays(self, *people: simcord.MemberActor) -> None:
        """Have people play the day that is open."""
        self.first_day.day = await self.first_day.bank.days.on(self.first_day.date)
        for who in people:
            await self.first_day.plays(who, await self.first_day.begins(who))

    @property
    def posts(self) -> list[discord.Message]:
        return self.channel.history()

    @property
    def numbers(self) -> list[str]:
        """The numbers of the days that were posted."""
        return [text_of(post).split("· #")[1].split(" ")[0] for post in self.posts]


@pytest.fixture
async def hall(first_day: FirstDay) -> Hall:
    return Hall(first_day)
