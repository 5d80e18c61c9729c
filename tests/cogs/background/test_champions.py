"""Champions' roles: given to the champion, handed on once, and never to somebody who is hidden."""

from __future__ import annotations

import itertools
from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Any

import discord
import pytest
import simcord
import sqlalchemy as sa

from cogs.background import role_chore
from cogs.background.chore import CLAIM
from data import NEVER, Championship, DayPost, Span, Wishes, season_at, week_at
from data.base.schema import titles
from engine.stored_words import TOURNAMENT
from engine.tables.ports import BankUnavailable
from tests.data.by_hand import by_hand

from ..conftest import Casino, text_of
from ..line import Line

MENU = "office:champion:tournament"
ROLES = "/guilds/*/members/*/roles/*"
DAY = 86_400.0


class Arena:
    """A server whose tournaments somebody wins."""

    def __init__(self, casino: Casino) -> None:
        self.casino, self.numbers = casino, itertools.count(1)
        staff = casino.guild.create_role("Managers", permissions=discord.Permissions(manage_guild=True))
        self.boss = casino.guild.add_member(casino.env.create_user("boss"), roles=[staff])
        self.gold = self.role("Gold")

    def role(self, name: str, permissions: int = 0) -> Any:
        return self.casino.guild.create_role(name, permissions=discord.Permissions(permissions))

    async def choose(self, *chosen: Any, menu: str = MENU) -> str:
        """Choose the role of a champion, or none, and return what is said."""
        page = await self.casino.ask("casino settings", self.boss, page="roles")
        answer = await self.boss.select(page, list(chosen), custom_id=menu)
        return text_of(answer.response or page)

    async def wins(self, who: simcord.MemberActor) -> None:
        """Let somebody win a tournament: only its title counts here."""
        bank, number = self.casino.bot.bank, next(self.numbers)
        member = await bank.members.sign_in(self.casino.guild.id, who.id)
        row = {"source": f"{TOURNAMENT}/{number}", "guild": member.guild, "member": member.id, "at": float(number)}
        async with bank._store.rewriting() as connection:
            await connection.execute(sa.insert(titles).values(row))
            await connection.execute(sa.text("UPDATE jobs SET due = 0 WHERE kind = 'champions'"))

    async def forget_titles(self) -> None:
        """Take the titles back, which no tournament gave, so that the audit finds nothing else."""
        async with self.casino.bot.bank._store.rewriting() as connection:
            await connection.execute(sa.delete(titles))

    async def look(self) -> None:
        """Have the chores look: the one that finds the champion, and the one that gives and takes."""
        for name in ("ChampionRoles", "RoleChore"):
            chore: Any = self.casino.bot.get_cog(name)
            await chore.do()

    def have(self, role: Any = None) -> list[str]:
        """The people who have the role."""
        number, backend = (role or self.gold).id, self.casino.env.backend
        people = {"alice": self.casino.alice, "bob": self.casino.bob, "boss": self.boss}
        guild = self.casino.guild.id
        return [name for name, who in people.items() if number in backend.get_member(guild, who.id).role_ids]

    async def log(self) -> simcord.ChannelHandle:
        channel = self.casino.guild.create_text_channel("log")
        page = await self.casino.ask("casino settings", self.boss, page="messages")
        await self.boss.select(page, [channel], custom_id="office:log")
        return channel

    async def read(self, channel: simcord.ChannelHandle) -> str:
        logs: Any = self.casino.bot.get_cog("ServerLogs")
        await logs.do()
        return "\n".join(post.content for post in channel.history())


@pytest.fixture
async def arena(casino: Casino) -> AsyncIterator[Arena]:
    arena = Arena(casino)
    yield arena
    await arena.forget_titles()


async def test_r10_8_the_champion_gets_the_role_and_hands_it_on(arena: Arena) -> None:
    casino = arena.casino
    await arena.wins(casino.alice)
    await arena.look()
    assert arena.have() == [], "it is off until a manager chooses a role"
    log = await arena.log()
    assert f"Champion of tournaments · <@&{arena.gold.id}>" in await arena.choose(arena.gold)
    await arena.look()
    assert arena.have() == ["alice"]
    await arena.look()
    assert arena.have() == ["alice"]
    await arena.wins(casino.bob)
    await arena.look()
    assert arena.have() == ["bob"]
    assert "Champion of tournaments · **none**" in await arena.choose()
    await arena.look()
    assert arena.have() == []
    told = await arena.read(log)
    assert f"🎭 <@{arena.boss.id}> changed a role · Champion of tournaments: <@&{arena.gold.id}>" in told
    for who in (casino.alice, casino.bob):
        assert told.count(f"🏆 Champion of tournaments: <@{who.id}> gets <@&{arena.gold.id}>") == 1


async def test_another_role_is_exchanged_for_the_one_before(arena: Arena) -> None:
    await arena.wins(arena.casino.alice)
    await arena.choose(arena.gold)
    await arena.look()
    silver = arena.role("Silver")
    await arena.choose(silver)
    await arena.look()
    assert (arena.have(), arena.have(silver)) == ([], ["alice"])


@pytest.mark.parametrize("name", ["managed", "powerful", "default"])
async def test_r10_8_roles_that_must_not_be_given_are_refused(arena: Arena, name: str) -> None:
    casino = arena.casino
    if name == "powerful":
        role: Any = arena.role(name, discord.Permissions(manage_messages=True).value)
    elif name == "default":
        role = casino.guild.default_role
    else:
        mine = casino.env.backend.get_member(casino.guild.id, casino.bot.user.id).role_ids  # type: ignore[union-attr]
        role = next(each for each in casino.guild.roles.values() if each.id in mine)
    assert "Champion of tournaments · <@&" not in await arena.choose(role)
    assert await casino.bot.bank.champions.chosen(casino.guild.id) == {}


async def test_r10_8_one_role_has_one_use(arena: Arena) -> None:
    await arena.choose(arena.gold)
    assert "already has another use" in await arena.choose(arena.gold, menu="office:champion:week")
    page = await arena.casino.ask("shop", arena.boss)
    form = await arena.boss.select(page, [arena.gold], custom_id="shop:sell")
    answer = await arena.boss.submit_modal(form, {"price": "40", "days": ""})
    assert "already has another use" in text_of(answer.response)  # type: ignore[arg-type]
    assert await arena.casino.bot.bank.champions.chosen(arena.casino.guild.id) == {
        Championship.TOURNAMENT: arena.gold.id
    }


async def test_r10_8_a_role_that_anybody_may_take_is_no_champions(arena: Arena) -> None:
    """The message about Today's five calls it."""
    guilds, guild = arena.casino.bot.bank.guilds, arena.casino.guild.id
    called = DayPost(arena.casino.channel.id, role=arena.gold.id)
    await guilds.keep_settings(guild, replace(await guilds.settings(guild), day_post=called))
    assert "already has another use" in await arena.choose(arena.gold)
    assert await arena.casino.bot.bank.champions.chosen(guild) == {}


async def test_a_member_chooses_no_role(arena: Arena) -> None:
    page = await arena.casino.ask("casino settings", arena.boss, page="roles")
    staff = next(role for role in arena.casino.guild.roles.values() if role.name == "Managers")
    arena.casino.env.backend.remove_member_role(arena.casino.guild.id, arena.boss.id, staff.id)
    answer = await arena.boss.select(page, [arena.gold], custom_id=MENU)
    assert "Manage Server" in text_of(answer.response)  # type: ignore[arg-type]


@pytest.mark.parametrize("change", ["deleted", "demoted", "powerful"])
async def test_r10_8_a_role_is_looked_at_again_at_each_handover(arena: Arena, change: str) -> None:
    casino = arena.casino
    log = await arena.log()
    await arena.choose(arena.gold)
    await arena.wins(casino.alice)
    backend, guild = casino.env.backend, casino.guild.id
    if change == "deleted":
        backend.delete_role(guild, arena.gold.id)
        why = "That role is gone."
    elif change == "demoted":
        for number in list(backend.get_member(guild, casino.bot.user.id).role_ids):  # type: ignore[union-attr]
            backend.remove_member_role(guild, casino.bot.user.id, number)  # type: ignore[union-attr]
        why = "Missing Permissions"  # Discord itself says so: the simulated one does not tell a bot of its own roles
    else:
        backend.edit_role(guild, arena.gold.id, {"permissions": str(discord.Permissions(manage_messages=True).value)})
        why = "permissions that @everyone lacks"
    await arena.look()
    assert arena.have() == []
    told = await arena.read(log)
    assert f"<@{casino.alice.id}> cannot be given <@&{arena.gold.id}>." in told
    assert why in told
    if change != "demoted":
        assert "⚠️ **Roles**" in text_of(await casino.ask("casino setup", arena.boss))


async def test_whoever_has_the_role_already_keeps_it_whatever_happens(arena: Arena) -> None:
    """The bot takes back only what it gave."""
    casino = arena.casino
    casino.env.backend.add_member_role(casino.guild.id, casino.alice.id, arena.gold.id)
    await arena.choose(arena.gold)
    await arena.wins(casino.alice)
    await arena.look()
    await arena.wins(casino.bob)
    await arena.look()
    assert arena.have() == ["alice", "bob"]


async def test_the_log_does_not_say_that_a_role_cannot_be_given_to_somebody_who_has_it(
    arena: Arena,
) -> None:
    casino, log = arena.casino, await arena.log()
    casino.env.backend.add_member_role(casino.guild.id, casino.alice.id, arena.gold.id)
    await arena.choose(arena.gold)
    powers = {"permissions": str(discord.Permissions(manage_messages=True).value)}
    casino.env.backend.edit_role(casino.guild.id, arena.gold.id, powers)
    await arena.wins(casino.alice)
    await arena.look()
    assert "changed a role" in (told := await arena.read(log))
    assert "cannot be given" not in told
    assert arena.have() == ["alice"]


async def test_a_champion_who_left_leaves_the_role_to_nobody(arena: Arena) -> None:
    log = await arena.log()
    await arena.choose(arena.gold)
    await arena.wins(arena.casino.bob)
    await arena.look()
    await arena.wins(arena.casino.alice)
    arena.casino.guild.remove_member(arena.casino.alice)
    await arena.look()
    assert arena.gold.id not in arena.casino.env.backend.get_member(arena.casino.guild.id, arena.casino.bob.id).role_ids
    assert "They are not on this server any more." in await arena.read(log)


async def test_r13_5_a_champion_who_hides_loses_the_role_to_the_one_before(arena: Arena) -> None:
    casino = arena.casino
    await arena.choose(arena.gold)
    for who in (casino.bob, casino.alice):
        await arena.wins(who)
    await arena.look()
    assert arena.have() == ["alice"]
    await casino.bot.bank.wishes.keep(casino.alice.id, Wishes(hidden=True))
    await arena.look()
    assert arena.have() == ["bob"]


async def test_a_champion_who_is_forgotten_loses_the_role(arena: Arena) -> None:
    casino = arena.casino
    await arena.choose(arena.gold)
    await arena.wins(casino.alice)
    await arena.look()
    page = await casino.ask("privacy")
    await casino.alice.click(page, label="Forget me")
    await casino.alice.click(page, label="Forget me for good")
    await arena.look()
    assert arena.have() == []
    await arena.forget_titles()
    assert (await casino.bot.bank.auditor.audit()).faults == ()


@pytest.mark.parametrize("arrives", [False, True])
async def test_a_role_whose_answer_was_lost_is_given_once_after_a_kill(
    arena: Arena,
    line: Line,
    arrives: bool,  # noqa: FBT001
) -> None:
    await arena.choose(arena.gold)
    await arena.wins(arena.casino.alice)
    line.cut("PUT", ROLES, arrives=arrives)
    await arena.look()
    await arena.forget_titles()
    await arena.casino.restart()
    await arena.casino.env.advance_time(91)
    await arena.look()
    assert arena.have() == ["alice"]


async def test_a_role_that_could_not_be_taken_back_is_taken_back_later(arena: Arena, line: Line) -> None:
    await arena.choose(arena.gold)
    await arena.wins(arena.casino.alice)
    await arena.look()
    line.cut("DELETE", ROLES)
    await arena.wins(arena.casino.bob)
    await arena.look()
    assert arena.have() == ["alice", "bob"]
    await arena.casino.env.advance_time(61)
    await arena.look()
    assert arena.have() == ["bob"]


async def test_a_champion_who_left_and_came_back_has_the_role_with_any_press(arena: Arena) -> None:
    casino = arena.casino
    await arena.choose(arena.gold)
    await arena.wins(casino.alice)
    await arena.look()
    await casino.ask("balance")
    casino.guild.remove_member(casino.alice)
    await casino.env.advance_time(60)
    casino.people["alice"] = casino.guild.add_member(casino.alice.user)
    assert arena.have() == []
    await casino.ask("balance")
    assert arena.have() == ["alice"]
    reasons = [request.reason for request in casino.env.http_requests if "/roles/" in request.path]
    assert reasons == ["won as champion", "had it before they left"]


async def test_managers_read_which_channels_a_role_opens(arena: Arena) -> None:
    closed = discord.PermissionOverwrite(view_channel=False)
    opened = discord.PermissionOverwrite(view_channel=True)
    guild = arena.casino.guild
    vip = guild.create_text_channel("vip", overwrites={guild.default_role: closed, arena.gold: opened})
    assert f"<@&{arena.gold.id}> opens <#{vip.id}>" in await arena.choose(arena.gold)
    assert "✅ **Roles** · 0 for sale · 1 for champions" in text_of(await arena.casino.ask("casino setup", arena.boss))


async def test_r10_8_where_nobody_has_changed_nothing_is_asked_of_discord(arena: Arena) -> None:
    await arena.choose(arena.gold)
    await arena.wins(arena.casino.alice)
    await arena.look()
    await arena.wins(arena.casino.alice)
    since = len(arena.casino.env.http_requests)
    await arena.look()
    assert arena.have() == ["alice"]
    assert [request.path for request in arena.casino.env.http_requests[since:]] == []


async def test_r10_8_where_discord_does_not_answer_the_champion_gets_the_role_a_minute_later(
    arena: Arena, line: Line
) -> None:
    await arena.choose(arena.gold)
    await arena.wins(arena.casino.alice)
    line.cut("GET", "/guilds/*/members/*")
    await arena.look()
    assert arena.have() == []
    await arena.casino.env.advance_time(61)
    await arena.look()
    assert arena.have() == ["alice"]


async def test_r10_8_a_champion_during_an_outage_gets_the_role_a_minute_later(
    arena: Arena,
) -> None:
    casino, bank = arena.casino, arena.casino.bot.bank
    await arena.choose(arena.gold)
    await arena.wins(casino.bob)
    await arena.look()
    await arena.wins(casino.alice)
    (job,) = await bank.jobs.due("champions")
    chore: Any = casino.bot.get_cog("ChampionRoles")
    with casino.undescribed():
        await chore.look(job, casino.guild.id)
    await casino.env.advance_time(61)
    await arena.look()
    assert arena.have() == ["alice"]


async def test_the_log_says_once_that_a_role_cannot_be_given_even_if_discord_does_not_answer_about_another(
    arena: Arena, line: Line
) -> None:
    casino, bank, log = arena.casino, arena.casino.bot.bank, await arena.log()
    await arena.choose(arena.role("Silver"), menu="office:champion:season")
    await arena.choose(arena.gold)
    best = await bank.members.sign_in(casino.guild.id, casino.bob.id)
    ended = season_at(casino.bot.clock.now(), Span.MONTH).before.name
    row = f"({best.guild}, '{ended}', 'accuracy', {best.id}, 2, 900000, 200, 1)"
    await by_hand(bank, f"INSERT INTO season_places VALUES {row}")
    casino.guild.remove_member(casino.bob)
    await arena.wins(casino.alice)
    line.cut("GET", f"/guilds/*/members/{casino.alice.id}", times=2)
    for _ in range(3):
        await arena.look()
        await casino.env.advance_time(61)
    await by_hand(bank, "DELETE FROM season_places")
    told = await arena.read(log)
    assert told.count("They are not on this server any more.") == 1
    assert told.count(f"<@{casino.alice.id}> gets <@&{arena.gold.id}>") == 1


async def test_roles_that_the_bank_cannot_name_are_given_back_with_a_later_press(
    arena: Arena, monkeypatch: pytest.MonkeyPatch
) -> None:
    casino, asked = arena.casino, list[int]()

    async def silent(*_: object) -> None:
        asked.append(1)
        raise BankUnavailable

    with monkeypatch.context() as patched:
        patched.setattr(casino.bot.bank.shop, "lost", silent)
        for _ in range(2):
            assert "1,000" in text_of(await casino.ask("balance"))
    assert len(asked) == 2, "it is asked again, until it is known"
    assert role_chore.MOST == 20_000
    monkeypatch.setattr(role_chore, "MOST", 1)
    await casino.ask("balance")
    await casino.ask("balance", casino.bob)
    chore: Any = casino.bot.get_cog("RoleChore")
    assert list(chore._came) == [(casino.guild.id, casino.bob.id)]


async def test_r10_8_roles_are_looked_at_again_when_the_week_or_the_season_ends_and_never_where_none_is_chosen(
    arena: Arena,
) -> None:
    casino = arena.casino
    season = season_at(casino.bot.clock.now(), Span.MONTH)
    await casino.sleep(season.ends_at - DAY - casino.bot.clock.now())

    async def due() -> float:
        found = "SELECT due FROM jobs WHERE kind = 'champions'"
        return float(await casino.bot.bank._store.value(sa.text(found)))

    await arena.choose(arena.gold)
    await arena.look()
    assert season.ends_at <= await due() < season.ends_at + DAY
    await casino.sleep(2 * DAY)
    await arena.look()
    monday = week_at(casino.bot.clock.now(), "UTC").next
    assert monday <= await due() < monday + DAY
    await arena.choose()
    await arena.look()
    assert await due() == NEVER


async def test_a_server_that_another_process_looks_at_is_left_to_it(arena: Arena) -> None:
    bank, guild = arena.casino.bot.bank, arena.casino.guild.id
    await arena.choose(arena.gold)
    await arena.wins(arena.casino.alice)
    (job,) = await bank.jobs.due("champions")
    assert await bank.jobs.claim(job.key, "another process", seconds=CLAIM)
    chore: Any = arena.casino.bot.get_cog("ChampionRoles")
    await chore.look(job, guild)
    assert await bank.champions.reigning(guild) == {}
    await arena.casino.env.advance_time(CLAIM + 1)
    await arena.look()
    assert arena.have() == ["alice"]
