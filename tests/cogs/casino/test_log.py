"""The log of a server: what managers do at once, gifts once a day. It pings nobody and loses no line silently."""

from __future__ import annotations

import dataclasses
from itertools import pairwise
from typing import Any

import discord
import pytest
import simcord

from cogs.background import server_log
from data import Logged, LogLine
from engine.games.contract import CHIP
from engine.tables.ports import BankUnavailable

from .. import raw
from ..conftest import Casino, text_of
from ..line import Line

DAY = 86_400.0


@pytest.fixture
def boss(casino: Casino) -> simcord.MemberActor:
    role = casino.guild.create_role("Managers", permissions=discord.Permissions(manage_guild=True))
    return casino.guild.add_member(casino.env.create_user("boss"), roles=[role])


@pytest.fixture
def log(casino: Casino) -> simcord.ChannelHandle:
    return casino.guild.create_text_channel("log")


async def chosen(casino: Casino, boss: simcord.MemberActor, *channels: simcord.ChannelHandle) -> str:
    """Choose the channel of the log, or none, and return what is said."""
    panel = await casino.ask("casino settings", boss, page="messages")
    answer = await boss.select(panel, list(channels), custom_id="office:log")
    return "\n".join(text_of(each) for each in (answer.response or panel, panel))


async def posted(casino: Casino) -> None:
    """Let the bot post what waits."""
    chore: Any = casino.bot.get_cog("ServerLogs")
    await chore.do()


async def read(casino: Casino, log: simcord.ChannelHandle) -> list[str]:
    """Let the bot post what waits, and return the lines of the log without their times."""
    await posted(casino)
    lines = [line for message in log.history() for line in message.content.splitlines()]
    return [line.partition(">")[2].strip() if line.startswith("<t:") else line for line in lines]


async def test_what_managers_do_is_in_the_log(
    casino: Casino, boss: simcord.MemberActor, log: simcord.ChannelHandle
) -> None:
    await casino.ask("balance")
    assert f"Log · <#{log.id}>" in await chosen(casino, boss, log)
    await casino.ask("casino grant", boss, member=casino.alice, amount=50, reason="for the *party*")
    await casino.ask("casino take", boss, member=casino.alice, amount=5, reason="oops {member} {actor}")
    panel, other = await casino.ask("casino settings", boss), await casino.ask("casino settings", boss)
    for page in (panel, other):  # the second press changes nothing
        await boss.click(page, label="Switch odds off")
    editor = await casino.ask("casino rules", boss, name="never saved")
    await boss.click(editor, label="Delete")
    editor = await casino.ask("casino rules", boss, name="ours")
    await boss.click(editor, label="Save")
    editor = await casino.ask("casino rules", boss, name="ours")
    await boss.click(editor, label="Delete")
    assert text_of(editor) == "### ours is deleted\nTables that are using it keep their own copy."
    assert await casino.bot.bank.guilds.rule_sets(casino.guild.id) == ()
    who, alice = f"<@{boss.id}>", f"<@{casino.alice.id}>"
    assert await read(casino, log) == [
        f"🔧 {who} changed the settings: Log · <#{log.id}>",
        f"🪙 {who} gave {alice} 50 chips. Reason: for the \\*party\\*",
        f"🪙 {who} took 5 chips from {alice}. Reason: oops {{member}} {{actor}}",
        f"🔧 {who} changed the settings: Odds · **off**",
        f"📜 {who} saved the rules **ours** of blackjack",
        f"📜 {who} deleted the rules **ours** of blackjack",
    ]


async def test_the_log_pings_nobody(casino: Casino, boss: simcord.MemberActor, log: simcord.ChannelHandle) -> None:
    await chosen(casino, boss, log)
    await casino.ask("casino grant", boss, member=casino.alice, amount=50, reason="@everyone")
    assert await read(casino, log)
    for message in log.history():
        assert message.flags.silent
        assert message.flags.suppress_embeds
        assert not message.mention_everyone


async def test_the_log_is_in_the_servers_language(
    casino: Casino, boss: simcord.MemberActor, log: simcord.ChannelHandle
) -> None:
    await boss.select(await casino.ask("casino settings", boss, page="language"), ["fr"], custom_id="office:language")
    await chosen(casino, boss, log)
    assert await read(casino, log) == [f"🔧 <@{boss.id}> a changé les réglages\u00a0: Journal · <#{log.id}>"]


async def test_gifts_come_once_a_day(casino: Casino, boss: simcord.MemberActor, log: simcord.ChannelHandle) -> None:
    await chosen(casino, boss, log)
    before = await read(casino, log)
    await casino.env.advance_time(60)
    bank, guild = casino.bot.bank, casino.guild.id
    alice, bob = [await bank.members.sign_in(guild, who.id) for who in (casino.alice, casino.bob)]
    for number in (1, 2):
        await bank.chips.give(alice.id, bob.id, 20 * CHIP, press=number)
    assert await read(casino, log) == before
    await casino.sleep(DAY)
    digest = ["**Gifts and duels of the last day**", f"<@{casino.alice.id}> → <@{casino.bob.id}> · **40 chips**"]
    assert await read(casino, log) == [*before, *digest]
    await casino.sleep(DAY)
    await casino.sleep(DAY)
    assert len(await read(casino, log)) == len(before) + 2
    await casino.bot.bank.chips.give(alice.id, bob.id, 5 * CHIP, press=3)
    await casino.sleep(DAY)
    assert (await read(casino, log))[-1].endswith("· **5 chips**"), "what was told of yesterday is not told again"


async def test_a_fault_of_the_books_is_in_the_log_once(
    casino: Casino, boss: simcord.MemberActor, log: simcord.ChannelHandle, caplog: pytest.LogCaptureFixture
) -> None:
    await chosen(casino, boss, log)
    chore: Any = casino.bot.get_cog("AuditChore")
    fault, here = "🔴 The books don't balance: no new bets are taken. `/casino audit` says more.", casino.guild.id
    for faulty, told in (({here + 1}, 0), ({here}, 1), ({here}, 1), (set[int](), 1), ({0}, 2)):
        await chore._tell_servers(faulty)
        assert (await read(casino, log))[1:] == [fault] * told


async def test_a_fault_that_could_not_be_written_into_every_log_is_not_written_twice_into_the_first(
    casino: Casino, boss: simcord.MemberActor, log: simcord.ChannelHandle, monkeypatch: pytest.MonkeyPatch
) -> None:
    await chosen(casino, boss, log)
    bank, here = casino.bot.bank, casino.guild.id
    other = casino.env.create_guild("Elsewhere")
    settings = await bank.guilds.settings(other.id)
    there = other.create_text_channel("log")
    await bank.guilds.keep_settings(other.id, dataclasses.replace(settings, log_channel=there.id))
    chore: Any = casino.bot.get_cog("AuditChore")
    add = bank.notices.add

    async def full(guild: int, line: LogLine) -> None:
        if guild == max(here, other.id):
            raise BankUnavailable("The disk is full.")
        await add(guild, line)

    with monkeypatch.context() as trouble:
        trouble.setattr(bank.notices, "add", full)
        with pytest.raises(BankUnavailable):
            await chore._tell_servers({0})
    await chore._tell_servers({0})
    for guild in (here, other.id):
        assert [line.text[0] for line in await bank.notices.waiting(guild)].count("🔴") == 1


async def test_a_post_that_fails_is_tried_again(
    casino: Casino, boss: simcord.MemberActor, log: simcord.ChannelHandle, line: Line
) -> None:
    line.cut("POST", f"/channels/{log.id}/messages")
    await chosen(casino, boss, log)
    assert await read(casino, log) == []
    await casino.env.advance_time(55)
    assert await read(casino, log) == []
    await casino.env.advance_time(5)
    assert len(await read(casino, log)) == 1


async def test_lines_that_cannot_be_posted_are_dropped_and_the_next_post_says_how_many(
    casino: Casino, boss: simcord.MemberActor, log: simcord.ChannelHandle
) -> None:
    await chosen(casino, boss, log)
    await read(casino, log)
    casino.env.backend.delete_channel(log.id)
    for amount in (1, 2):
        await casino.ask("casino grant", boss, member=casino.alice, amount=amount, reason="x")
        await posted(casino)
    other = casino.guild.create_text_channel("other")
    await chosen(casino, boss, other)
    dropped, last = await read(casino, other)
    assert dropped == "-# 2 earlier lines could not be posted here and were dropped."
    assert f"<#{other.id}>" in last


async def test_dropped_lines_are_told_of_once_however_many_posts_follow(
    casino: Casino, boss: simcord.MemberActor, log: simcord.ChannelHandle
) -> None:
    await chosen(casino, boss, log)
    await read(casino, log)
    casino.env.backend.delete_channel(log.id)
    await casino.ask("casino grant", boss, member=casino.alice, amount=1, reason="x")
    await posted(casino)
    other = casino.guild.create_text_channel("other")
    await chosen(casino, boss, other)
    for _ in range(12):
        await casino.ask("casino grant", boss, member=casino.alice, amount=1, reason="x" * 200)
    lines = await read(casino, other)
    assert len(other.history()) == 2
    assert [line for line in lines if "dropped" in line] == [lines[0]]
    await casino.env.advance_time(1)
    assert await casino.bot.bank.jobs.due("log") == ()


async def test_a_digest_that_does_not_fit_into_the_last_post_is_one_of_its_own(
    casino: Casino, boss: simcord.MemberActor, log: simcord.ChannelHandle
) -> None:
    """A post with as many lines as fit left no room for the digest, whose end was cut off at 2,000 characters."""
    await chosen(casino, boss, log)
    await read(casino, log)
    await casino.env.advance_time(60)
    bank, guild = casino.bot.bank, casino.guild.id
    people = [await bank.members.sign_in(guild, casino.person(f"friend {number}").id) for number in range(12)]
    for number, (giver, receiver) in enumerate(pairwise(people)):
        await bank.chips.give(giver.id, receiver.id, 20 * CHIP, press=number)
    await casino.sleep(DAY / 2)
    for _ in range(6):
        await casino.ask("casino grant", boss, member=casino.alice, amount=1, reason="x" * 200)
    await casino.sleep(DAY / 2)
    await casino.env.advance_time(60)
    lines = await read(casino, log)
    assert sum("gave" in line for line in lines) == 6
    assert [line for line in lines if "→" in line][-1].endswith("· **20 chips**")
    assert ["→" in line for line in lines[-10:]] == [True] * 10, "after all lines that waited"
    assert sum("→" in line for line in lines) == 10


def test_lines_wait_for_a_day_from_the_first_of_them_however_many_come_after_it() -> None:
    lines = [Logged(number, at, "x", None, None) for number, at in enumerate((0.0, DAY))]
    assert not server_log._is_old(lines, DAY)
    assert server_log._is_old(lines, DAY + 1)


def test_a_line_begins_with_its_hour_and_names_who_was_forgotten() -> None:
    line = Logged(1, 7.9, "{actor} gave {member} 5 chips", 3, None)
    assert server_log.log.posted(line) == "<t:7:t> <@3> gave someone who was forgotten 5 chips"


def test_only_a_line_longer_than_a_post_is_broken() -> None:
    posts = list(server_log._in_posts("\n".join(["a " * 900, "b" * 300, "c " * 1_000])))
    assert [post[0] for post in posts] == ["a", "b", "c", "c"]
    assert all(len(post) <= 2_000 for post in posts)
    assert "".join(posts).replace("\n", "").replace(" ", "") == "a" * 900 + "b" * 300 + "c" * 1_000
    assert [len(list(server_log._in_posts(f"{'a' * 949}\n{'b' * more}"))) for more in (950, 951)] == [1, 2]


def test_as_many_lines_are_taken_as_fit_into_a_post_with_their_hours() -> None:
    for more, fit in ((942, 2), (943, 1)):
        lines = [Logged(1, 0.0, "a" * 941, None, None), Logged(2, 0.0, "b" * more, None, None)]
        taken, texts = server_log._some(lines, 0)
        assert len(taken) == len(texts) == fit


async def test_a_channel_that_the_bot_cannot_post_in_is_refused(casino: Casino, boss: simcord.MemberActor) -> None:
    overwrites = {casino.bot.user: discord.PermissionOverwrite(send_messages=False)}
    closed = casino.guild.create_text_channel("closed", overwrites=overwrites)
    assert f"I can't post in <#{closed.id}>: I need **Send Messages** there." in await chosen(casino, boss, closed)
    assert (await casino.bot.bank.guilds.settings(casino.guild.id)).log_channel is None


async def test_many_lines_are_several_posts(
    casino: Casino, boss: simcord.MemberActor, log: simcord.ChannelHandle
) -> None:
    await chosen(casino, boss, log)
    for _ in range(12):
        await casino.ask("casino grant", boss, member=casino.alice, amount=1, reason="x" * 200)
    assert len(await read(casino, log)) == 13
    assert len(log.history()) == 2
    assert all(len(message.content) <= 2000 for message in log.history())


async def test_a_log_that_is_switched_off_is_silent(
    casino: Casino, boss: simcord.MemberActor, log: simcord.ChannelHandle
) -> None:
    await chosen(casino, boss, log)
    before = await read(casino, log)
    assert "Log · **off**" in await chosen(casino, boss)
    await casino.ask("casino grant", boss, member=casino.alice, amount=50, reason="quietly")
    await casino.sleep(DAY)
    assert await read(casino, log) == before
    assert await casino.bot.bank.jobs.due("log") == ()


async def test_a_log_that_is_switched_on_again_calls_no_gift_of_earlier_days_one_of_the_last_day(
    casino: Casino, boss: simcord.MemberActor, log: simcord.ChannelHandle
) -> None:
    await chosen(casino, boss, log)
    await chosen(casino, boss)
    members, guild = casino.bot.bank.members, casino.guild.id
    alice, bob = [await members.sign_in(guild, who.id) for who in (casino.alice, casino.bob)]
    for day in range(3):
        await casino.sleep(DAY)
        await posted(casino)
        await casino.bot.bank.chips.give(alice.id, bob.id, 20 * CHIP, press=day)
    await casino.sleep(2 * DAY)
    await chosen(casino, boss, log)
    assert "**Gifts and duels" not in "\n".join(await read(casino, log))
    await casino.env.advance_time(60)
    await casino.bot.bank.chips.give(alice.id, bob.id, 7 * CHIP, press=9)
    await casino.sleep(DAY)
    assert (await read(casino, log))[-1].endswith("· **7 chips**")


async def test_a_kill_before_the_post_loses_no_line(
    casino: Casino, boss: simcord.MemberActor, log: simcord.ChannelHandle
) -> None:
    await chosen(casino, boss, log)
    await casino.ask("casino grant", boss, member=casino.alice, amount=50, reason="x")
    await casino.restart()
    assert len(await read(casino, log)) == 2


async def test_a_member_chooses_no_log(casino: Casino, boss: simcord.MemberActor, log: simcord.ChannelHandle) -> None:
    panel = await casino.ask("casino settings", boss, page="messages")
    role = next(role for role in casino.guild.roles.values() if role.name == "Managers")
    casino.env.backend.remove_member_role(casino.guild.id, boss.id, role.id)
    answer = await boss.select(panel, [log], custom_id="office:log")
    assert answer.response is not None
    assert "Manage Server" in text_of(answer.response)
    settings = await casino.bot.bank.guilds.settings(casino.guild.id)
    assert settings == dataclasses.replace(settings, log_channel=None)


@pytest.mark.parametrize("voice", [True, False])
async def test_a_channel_that_the_bot_does_not_know_is_refused(
    casino: Casino, boss: simcord.MemberActor, *, voice: bool
) -> None:
    """A menu offers none that is gone, but somebody may be quicker; and nobody reads a log among voices."""
    number = str(casino.guild.create_voice_channel("lounge").id if voice else 4711)
    panel: Any = await casino.ask("casino settings", boss, page="messages")
    answer = await raw.choose(boss, panel, "office:log", 8, [number])
    assert answer.ephemeral
    assert answer.response is not None
    assert text_of(answer.response) == "I can't find that channel. Choose another one."
    assert (await casino.bot.bank.guilds.settings(casino.guild.id)).log_channel is None


async def test_no_channel_is_said_to_be_gone_while_discord_does_not_describe_the_server(
    casino: Casino, boss: simcord.MemberActor
) -> None:
    panel: Any = await casino.ask("casino settings", boss, page="messages")
    with casino.undescribed():
        answer = await raw.choose(boss, panel, "office:log", 8, [str(casino.channel.id)])
    assert answer.response is not None
    assert text_of(answer.response) == "Discord doesn't tell me about this server yet. Try again in a moment."
