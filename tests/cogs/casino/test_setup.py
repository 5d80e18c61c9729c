"""/casino setup: one page of all that matters, and a manager is told of it once."""

from __future__ import annotations

import discord
import pytest
import simcord

from data import Championship, Ware
from engine.games.contract import CHIP

from .. import raw
from ..conftest import Casino, text_of


@pytest.fixture
def boss(casino: Casino) -> simcord.MemberActor:
    role = casino.guild.create_role("Managers", permissions=discord.Permissions(manage_guild=True))
    return casino.guild.add_member(casino.env.create_user("boss"), roles=[role])


async def test_everything_works_untouched(casino: Casino, boss: simcord.MemberActor) -> None:
    page = text_of(await casino.ask("casino setup", boss))
    assert "You can play right away" in page
    for line in ("✅ **Where people may play** · anywhere", "✅ **Language and time zone** · English · UTC"):
        assert line in page
    for line in ("✅ **Currency** · chips", "➖ **Log** · off", "✅ **Switched off** · nothing"):
        assert line in page


async def test_what_is_missing_is_said(casino: Casino, boss: simcord.MemberActor) -> None:
    overwrites = {casino.bot.user: discord.PermissionOverwrite(send_messages=False)}
    closed = casino.guild.create_text_channel("closed", overwrites=overwrites)
    log = casino.guild.create_text_channel("log")
    messages, settings = [await casino.ask("casino settings", boss, page=page) for page in ("messages", "tables")]
    await boss.select(messages, [log], custom_id="office:log")
    await boss.select(settings, [casino.channel, closed], custom_id="office:channels")
    await boss.click(settings, label="Switch odds off")
    casino.env.backend.delete_channel(log.id)
    page = text_of(await casino.ask("casino setup", boss))
    assert "Something is missing." in page
    needed = "I need: View Channel, Attach Files, Send Messages"
    assert f"⚠️ **Where people may play** · I can't open tables in <#{closed.id}>. {needed}\n" in page
    assert f"⚠️ **Log** · I can't post in <#{log.id}>" in page
    assert "**Switched off** · odds" in page


async def test_roles_are_counted_by_their_use_and_one_that_is_gone_is_missing(
    casino: Casino, boss: simcord.MemberActor
) -> None:
    async def roles() -> str:
        page = text_of(await casino.ask("casino setup", boss))
        assert ("Something is missing." in page) is ("⚠️" in page)
        return next(line for line in page.splitlines() if "**Roles**" in line)

    bank, guild = casino.bot.bank, casino.guild.id
    gold, silver, crown = [casino.guild.create_role(name) for name in ("gold", "silver", "crown")]
    for ware in (gold, silver):
        await bank.shop.offer(guild, Ware(ware.id, CHIP))
    assert await roles() == "✅ **Roles** · 2 for sale · 0 for champions"
    await bank.champions.choose(guild, Championship.WEEK, crown.id)
    assert await roles() == "✅ **Roles** · 2 for sale · 1 for champions"
    for role, reason in ((crown, "That role is gone."), (silver, "That role is gone.")):
        casino.env.backend.delete_role(guild, role.id)
        assert await roles() == f"⚠️ **Roles** · {reason}"
        await bank.champions.choose(guild, Championship.WEEK, None)


@pytest.mark.parametrize("may_send", [True, False])
async def test_a_channel_that_is_gone_is_said_to_be_and_lacks_no_permission(
    casino: Casino, boss: simcord.MemberActor, *, may_send: bool
) -> None:
    overwrites = {casino.bot.user: discord.PermissionOverwrite(send_messages=may_send)}
    gone, other = [casino.guild.create_text_channel(name, overwrites=overwrites) for name in ("gone", "other")]
    panel = await casino.ask("casino settings", boss, page="tables")
    await boss.select(panel, [gone, other], custom_id="office:channels")
    casino.env.backend.delete_channel(gone.id)
    page = text_of(await casino.ask("casino setup", boss))
    needs = (
        "" if may_send else f" I can't open tables in <#{other.id}>. I need: View Channel, Attach Files, Send Messages"
    )
    assert f"⚠️ **Where people may play** · One of the chosen channels is gone, or an archived thread.{needs}\n" in page


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "➖ **Tournaments** · nicer with: Create Events"),
        ("fr", "➖ **Tournois** · mieux avec\u00a0: Créer des événements"),
    ],
)
async def test_a_permission_is_called_as_in_the_readers_discord(
    casino: Casino, boss: simcord.MemberActor, language: str, said: str
) -> None:
    server = casino.bot.get_guild(casino.guild.id)
    assert server is not None
    for role in server.me.roles:
        role._permissions &= ~(discord.Permissions(administrator=True, create_events=True).value)
    await boss.select(await casino.ask("settings", boss), [language], custom_id="settings:language")
    assert said in text_of(await casino.ask("casino setup", boss))


async def test_a_thread_needs_only_what_threads_need(casino: Casino, boss: simcord.MemberActor) -> None:
    overwrites = {casino.bot.user: discord.PermissionOverwrite(send_messages=False)}
    news = casino.guild.create_text_channel("news", overwrites=overwrites)
    casino.env.backend.create_thread(news.id, "talk", boss.id)
    (thread,) = news.threads
    settings = await casino.ask("casino settings", boss, page="tables")
    await boss.select(settings, [thread], custom_id="office:channels")
    (menu,) = [part for part in raw.components(settings) if part.get("custom_id") == "office:channels"]
    assert [int(each["id"]) for each in menu["default_values"]] == [thread.id], "what is chosen next is added to it"
    assert f"✅ **Where people may play** · <#{thread.id}>" in text_of(await casino.ask("casino setup", boss))


async def test_a_forum_needs_only_what_its_posts_need(casino: Casino, boss: simcord.MemberActor) -> None:
    forum = casino.guild.create_forum_channel("ideas")
    server = casino.bot.get_guild(casino.guild.id)
    assert server is not None
    for role in server.me.roles:
        role._permissions &= ~discord.Permissions(administrator=True, send_messages=True).value
    await boss.select(await casino.ask("casino settings", boss, page="tables"), [forum], custom_id="office:channels")
    assert f"✅ **Where people may play** · <#{forum.id}>" in text_of(await casino.ask("casino setup", boss))


@pytest.mark.parametrize(
    ("line", "setting"),
    [
        *(("tables", "Tables · "), ("language", "Time zone · "), ("log", "Log · "), ("five", "five · ")),
        *(("roles", "Champion of the week · "), ("off", "Odds · ")),
    ],
)
async def test_the_key_of_a_line_opens_what_changes_it(
    casino: Casino, boss: simcord.MemberActor, line: str, setting: str
) -> None:
    page = await casino.ask("casino setup", boss)
    answer = await boss.click(page, custom_id=f"setup:{line}")
    assert answer.response is not None
    assert "This server's casino" in text_of(answer.response)
    assert answer.response.ephemeral
    assert setting in text_of(answer.response)


async def test_what_tournaments_need_is_asked_for_only_where_it_is_missing(
    casino: Casino, boss: simcord.MemberActor
) -> None:
    async def told() -> str:
        answer = await boss.click(await casino.ask("casino setup", boss), custom_id="setup:tournaments")
        assert answer.response is not None
        return text_of(answer.response)

    assert (await told()).startswith("Nothing is missing.")
    roles = list(casino.env.backend.get_guild(casino.guild.id).roles.values())
    for role in roles:
        role.permissions &= ~discord.Permissions(administrator=True, create_events=True).value
    casino.env.backend.announce_role_updates(casino.guild.id, roles)
    assert (await told()).startswith("Give my role")


async def test_the_currency_is_named_from_here_too(casino: Casino, boss: simcord.MemberActor) -> None:
    page = await casino.ask("casino setup", boss)
    form = await boss.click(page, custom_id="setup:currency")
    await boss.submit_modal(form, {"one": "shell", "many": "shells", "emoji": "🐚"})
    assert "✅ **Currency** · shell · shells 🐚" in text_of(await casino.ask("casino setup", boss))


async def test_only_managers_see_it(casino: Casino, boss: simcord.MemberActor) -> None:
    page = await casino.ask("casino setup", boss)
    assert "Manage Server" in text_of((await raw.command(casino.alice, casino.channel, "casino setup")).response)  # type: ignore[arg-type]
    role = next(role for role in casino.guild.roles.values() if role.name == "Managers")
    casino.env.backend.remove_member_role(casino.guild.id, boss.id, role.id)
    (answer,) = await raw.press(boss, page, "setup:currency")
    assert answer.response is not None
    assert "Manage Server" in text_of(answer.response)


async def test_a_manager_is_told_of_it_once(casino: Casino, boss: simcord.MemberActor) -> None:
    told = [text_of(each) for each in (await casino.blackjack(boss, bet=5)).followups]
    assert "/casino setup" in "\n".join(told)
    managers = [role for role in casino.guild.roles.values() if role.name == "Managers"]
    other = casino.guild.add_member(casino.env.create_user("other"), roles=managers)
    for who in (other, casino.alice):
        told = [text_of(each) for each in (await casino.blackjack(who, solo=True, bet=5)).followups]
        assert "Your first hand here" in "\n".join(told)
        assert "/casino setup" not in "\n".join(told)
