"""The message about Today's five: once a day where a server wants it, silent where nobody plays."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import discord
import pytest

from cogs.casino import server_settings
from cogs.leaderboard.podium import podium
from cogs.today.playing import prepare
from data import DayPost, Season, Span, next_moment, season_at
from data.base.season_tables import RANKED
from data.seasons import places
from engine.sets.calendar import DAY, opens
from engine.tables.values import Member
from tests.data.by_hand import by_hand

from .. import raw
from ..conftest import Casino, keys, text_of
from ..line import Line
from .conftest import Hall

#: Discord's number of a component that shows files.
_GALLERY = 12


async def test_it_is_off_until_a_manager_chooses_a_channel(hall: Hall) -> None:
    page = await hall.casino.ask("casino settings", hall.boss, page="messages")
    assert "Today's five · **off**" in text_of(page)
    assert "➖ **Today's five** · no daily message" in text_of(await hall.casino.ask("casino setup", hall.boss))
    await hall.sleep_until(2)
    assert hall.posts == []
    assert f"Today's five · <#{hall.channel.id}> · 01:05 UTC" in await hall.choose(hall.channel)
    setup = text_of(await hall.casino.ask("casino setup", hall.boss))
    assert f"✅ **Today's five** · <#{hall.channel.id}>" in setup
    await hall.look()
    assert hall.posts == [], "the first one comes at the chosen hour"
    await hall.sleep_until(1)
    assert hall.posts == [], "not before it"
    await hall.sleep_until(1.5)
    assert hall.numbers == ["3"]


async def test_it_says_how_yesterday_went_here_and_pings_nobody(hall: Hall) -> None:
    await hall.choose(hall.channel)
    await hall.plays(hall.casino.alice, hall.casino.bob)
    await hall.sleep_until(1.5)
    (post,) = hall.posts
    heading, line = text_of(post).splitlines()
    day = await hall.first_day.bank.days.on(hall.first_day.date)
    assert heading == f"### Today's five · #2 · Saturday · {day.prepared.terms.name}"
    names = f"<@{hall.casino.alice.id}>, <@{hall.casino.bob.id}>"
    assert line == f"Yesterday 👑 100.0 {names} · 2 played · server streak 1"
    assert keys(post) == ["Play", "Yesterday", "Board"]
    path = f"/channels/{hall.channel.id}/messages"
    (sent,) = [each for each in hall.casino.env.http_requests if (each.method, each.path) == ("POST", path)]
    assert sent.json["allowed_mentions"] == {"parse": [], "users": []}
    assert post.flags.silent
    (edit,) = [
        each for each in hall.casino.env.http_requests if (each.method, each.path) == ("PATCH", f"{path}/{post.id}")
    ]
    named = [hall.casino.alice.id, hall.casino.bob.id]
    assert edit.json["allowed_mentions"] == {"parse": [], "users": named}, "an edit pings nobody, and shows their names"


async def test_it_names_only_the_best(hall: Hall) -> None:
    await hall.choose(hall.channel)
    alice, bob = hall.casino.alice, hall.casino.bob
    await hall.plays(alice)
    await hall.first_day.plays(bob, await hall.first_day.begins(bob), choose=min)
    await hall.sleep_until(1.5)
    (post,) = hall.posts
    assert f"👑 100.0 <@{alice.id}> · 2 played" in text_of(post)


async def test_of_many_best_it_names_three(hall: Hall) -> None:
    people = [hall.casino.person(name) for name in ("alice", "bob", "carol", "dora")]
    await hall.choose(hall.channel)
    for count, others in ((3, ""), (4, " and others")):
        await hall.plays(*people[:count])
        await hall.sleep_until(1.5)
        named = ", ".join(who.mention for who in people[:3])
        assert f"Yesterday 👑 100.0 {named}{others} · {count} played" in text_of(hall.posts[-1])


async def test_r13_5_it_names_nobody_who_is_hidden_from_leaderboards(hall: Hall) -> None:
    await hall.choose(hall.channel)
    await hall.plays(hall.casino.alice, hall.casino.bob)
    wishes = hall.first_day.bank.wishes
    await wishes.keep(hall.casino.alice.id, type(await wishes.of(1))(hidden=True))
    await hall.sleep_until(1.5)
    assert f"👑 100.0 <@{hall.casino.bob.id}> · 1 played" in text_of(hall.posts[0])


async def test_it_is_never_posted_twice_a_day(hall: Hall) -> None:
    await hall.choose(hall.channel)
    await hall.sleep_until(1.5)
    await hall.look()
    await hall.sleep_until(1.6)
    assert "Today's five · **off**" in await hall.choose()
    assert "· 01:05 UTC" in await hall.choose(hall.channel)
    await hall.at_hour(9)
    await hall.sleep_until(9.5)
    assert hall.numbers == ["2"]
    await hall.sleep_until(1.5)
    assert hall.numbers == ["2"]
    await hall.sleep_until(9.5)
    assert hall.numbers == ["2", "3"]


async def test_the_hours_are_shown_in_the_servers_time_with_what_is_left_to_play(hall: Hall) -> None:
    await hall.choose(hall.channel)
    settings = await hall.first_day.bank.guilds.settings(hall.casino.guild.id)
    kept = type(settings)(house=settings.house, zone="Europe/Paris", day_post=settings.day_post)
    await hall.first_day.bank.guilds.keep_settings(hall.casino.guild.id, kept)
    page = await hall.at_hour(19)
    menu = next(part for part in raw.components(page) if part.get("custom_id") == "office:hour")
    assert len(menu["options"]) == 23, "none before everything about yesterday may be told"
    assert (menu["options"][0]["label"], menu["options"][0]["description"]) == ("02:05", "23 hours left to play")
    assert [each["label"] for each in menu["options"] if each.get("default")] == ["20:05"]
    await hall.sleep_until(19.5)
    assert hall.numbers == ["1"]


@pytest.mark.parametrize(
    ("date", "shown"),
    [("2026-10-24", "03:05"), ("2026-10-26", "02:05"), ("2027-03-27", "02:05"), ("2027-03-29", "03:05")],
)
def test_the_hour_stays_in_utc_when_the_clocks_change_and_is_shown_as_it_will_be(date: str, shown: str) -> None:
    noon = datetime.fromisoformat(f"{date}T12:00:00+00:00").timestamp()
    assert server_settings._local_time("Europe/Paris", 1, noon) == shown
    assert next_moment(0, 1, noon) % DAY == 3_600 + 300


async def test_its_keys_open_the_day_that_is_open_when_they_are_pressed(hall: Hall) -> None:
    casino = hall.casino
    await hall.choose(hall.channel)
    await hall.plays(casino.alice, casino.bob)
    await hall.sleep_until(1.5)
    await hall.sleep_until(1.5)
    old = hall.posts[0]
    assert "#3" in text_of((await casino.bob.click(old, label="Play")).response)  # type: ignore[arg-type]
    assert "#1" in text_of((await casino.bob.click(old, label="Yesterday")).response)  # type: ignore[arg-type]
    refused = await casino.bob.click(old, label="Board")
    assert "once your own five hands are over" in text_of(refused.response)  # type: ignore[arg-type]
    await hall.plays(casino.bob)
    board = await casino.bob.click(old, label="Board")
    assert board.ephemeral
    assert "#3" in text_of(board.response)  # type: ignore[arg-type]


async def test_it_pauses_after_three_days_without_a_finished_try_until_somebody_finishes_one(hall: Hall) -> None:
    await hall.choose(hall.channel)
    for _day in range(5):
        await hall.sleep_until(1.5)
    assert hall.numbers == ["2", "3", "4"]
    await hall.plays(hall.casino.alice)
    await hall.sleep_until(1.5)
    assert hall.numbers == ["2", "3", "4", "7"]


async def test_r13_5_somebody_who_is_hidden_keeps_it_from_pausing_and_is_counted_nowhere(hall: Hall) -> None:
    await hall.choose(hall.channel)
    wishes = hall.first_day.bank.wishes
    await wishes.keep(hall.casino.alice.id, type(await wishes.of(1))(hidden=True))
    for _day in range(5):
        await hall.plays(hall.casino.alice)
        await hall.sleep_until(1.5)
    assert hall.numbers == ["2", "3", "4", "5", "6"]
    assert not [post for post in hall.posts if "played" in text_of(post)]


async def test_without_a_channel_it_stops_and_managers_read_why_once(
    hall: Hall, caplog: pytest.LogCaptureFixture
) -> None:
    """At the end of a season, too: no podium is sent that Discord would refuse."""
    page = await hall.casino.ask("casino settings", hall.boss, page="messages")
    await hall.boss.select(page, [hall.log], custom_id="office:log")
    await won_since_the_last_message(hall)
    assert hall.numbers == ["2"]
    hall.casino.env.backend.delete_channel(hall.channel.id)
    for _day in range(2):
        await hall.sleep_until(1.5)
    logs: Any = hall.casino.bot.get_cog("ServerLogs")
    await logs.do()
    lines = "\n".join(post.content for post in hall.log.history())
    assert lines.count(f"⚠️ I can't post Today's five in <#{hall.channel.id}>.") == 1
    setup = text_of(await hall.casino.ask("casino setup", hall.boss))
    assert f"⚠️ **Today's five** · I can't post in <#{hall.channel.id}>" in setup
    assert "the end of a season is not posted" not in caplog.text


async def test_the_log_names_the_channel_that_is_chosen_again_after_a_pause(hall: Hall) -> None:
    page = await hall.casino.ask("casino settings", hall.boss, page="messages")
    await hall.boss.select(page, [hall.log], custom_id="office:log")
    await hall.choose(hall.channel)
    await hall.sleep_until(1.5)
    await hall.choose(hall.channel)
    logs: Any = hall.casino.bot.get_cog("ServerLogs")
    await logs.do()
    *_, first, second = "\n".join(post.content for post in hall.log.history()).splitlines()
    told = f"🔧 <@{hall.boss.id}> changed the settings: Today's five · <#{hall.channel.id}> · 01:05 UTC"
    assert first.endswith(told)
    assert second.endswith(told)


async def test_a_channel_that_the_bot_cannot_post_in_is_refused(hall: Hall) -> None:
    overwrites = {hall.casino.bot.user: discord.PermissionOverwrite(send_messages=False)}
    closed = hall.casino.guild.create_text_channel("closed", overwrites=overwrites)
    assert f"I can't post in <#{closed.id}>: I need **Send Messages** there." in await hall.choose(closed)


async def test_a_member_chooses_no_channel(hall: Hall) -> None:
    casino: Casino = hall.casino
    page = await casino.ask("casino settings", hall.boss, page="messages")
    role = next(role for role in casino.guild.roles.values() if role.name == "Managers")
    casino.env.backend.remove_member_role(casino.guild.id, hall.boss.id, role.id)
    answer = await hall.boss.select(page, [hall.channel], custom_id="office:day")
    assert "Manage Server" in text_of(answer.response)  # type: ignore[arg-type]
    assert (await casino.bot.bank.guilds.settings(casino.guild.id)).day_post is None


async def won_last_month(hall: Hall) -> tuple[Member, Season]:
    """Alice won a tournament last month."""
    bank, guild = hall.first_day.bank, hall.casino.guild.id
    ended = season_at(hall.casino.bot.clock.now(), Span.MONTH).before
    alice, batch = await bank.members.sign_in(guild, hall.casino.alice.id), bank._store.batch()
    places.award(batch, guild, "cup/1", [(alice.id, 5)], opens(ended.last))
    await bank._store.write.run(batch)
    return alice, ended


async def won_since_the_last_message(hall: Hall) -> Member:
    """Alice won a tournament last month, and the last message came in the month before."""
    await hall.choose(hall.channel)
    await hall.sleep_until(1.5)
    alice, ended = await won_last_month(hall)
    command = f"UPDATE jobs SET payload = replace(payload, '{ended.name}', '{ended.before.name}')"
    await by_hand(hall.first_day.bank, command)
    return alice


async def test_r14_1_a_channel_that_is_chosen_now_gets_no_podium_of_a_season_that_ended_before(hall: Hall) -> None:
    await won_last_month(hall)
    await hall.choose(hall.channel)
    for _day in range(2):
        await hall.sleep_until(1.5)
    assert hall.numbers == ["2", "3"]


async def test_r14_1_with_a_new_season_it_brings_the_podiums_of_the_ended_one_once(hall: Hall) -> None:
    alice = await won_since_the_last_message(hall)
    for _day in range(2):
        assert len([post for post in hall.posts if "The season is over" in text_of(post)]) == _day
        await hall.sleep_until(1.5)
    (post,) = [post for post in hall.posts if "The season is over" in text_of(post)]
    assert post.flags.silent
    told = text_of(post)
    (gallery,) = [part for part in raw.components(post) if part["type"] == _GALLERY]
    assert gallery["items"][0]["description"] == "The podium. 1st: alice."
    assert [file.filename for file in post.attachments] == ["podium.png"]
    assert f"**Points**\n🥇 · <@{alice.user}> · 5 points" in told
    assert "**Accuracy**" not in told, "nobody has a place there"


async def test_r14_1_a_server_that_changes_how_long_its_seasons_are_gets_no_podium_of_an_older_one(hall: Hall) -> None:
    await won_since_the_last_message(hall)
    await hall.sleep_until(1.5)
    page = await hall.casino.ask("casino settings", hall.boss, page="chips")
    for span in ("quarter", "month"):
        await hall.boss.click(page, custom_id=f"office:season:{span}")
        await hall.sleep_until(1.5)
    assert len([post for post in hall.posts if "The season is over" in text_of(post)]) == 1


async def test_r14_1_where_the_bot_may_attach_nothing_the_podium_has_no_picture(hall: Hall) -> None:
    overwrites = {hall.casino.bot.user: discord.PermissionOverwrite(attach_files=False)}
    hall.channel = hall.casino.guild.create_text_channel("bare", overwrites=overwrites)
    await won_since_the_last_message(hall)
    await hall.sleep_until(1.5)
    (post,) = [post for post in hall.posts if "The season is over" in text_of(post)]
    assert post.attachments == []


async def test_r14_1_where_two_share_the_first_place_no_podium_puts_one_of_them_lower(hall: Hall) -> None:
    casino, bank = hall.casino, hall.casino.bot.bank
    ended = season_at(casino.bot.clock.now(), Span.MONTH).before
    server = casino.bot.get_guild(casino.guild.id)
    assert server is not None
    pictures = []
    for who in (casino.alice, casino.bob):
        member, batch = await bank.members.sign_in(server.id, who.id), bank._store.batch()
        places.award(batch, server.id, f"cup/{who.id}", [(member.id, 5)], opens(ended.last))
        await bank._store.write.run(batch)
        shown = await podium(bank, server, ended, pictures=True)
        assert shown is not None
        pictures.append(len(shown[1]))
    assert pictures == [1, 0]


async def test_r14_1_a_provisional_place_is_none_of_the_podium(hall: Hall) -> None:
    casino, bank = hall.casino, hall.casino.bot.bank
    ended = season_at(casino.bot.clock.now(), Span.MONTH).before
    server = casino.bot.get_guild(casino.guild.id)
    assert server is not None
    member = await bank.members.sign_in(server.id, casino.alice.id)
    shown = []
    for rank in (1, RANKED):
        row = f"({server.id}, '{ended.name}', 'accuracy', {member.id}, {rank}, 900000, 60, 3)"
        await by_hand(bank, f"INSERT INTO season_places VALUES {row}")
        shown.append(await podium(bank, server, ended, pictures=False) is not None)
        await by_hand(bank, "DELETE FROM season_places")
    assert shown == [False, True]


async def test_r14_1_where_no_files_may_be_attached_the_podium_is_text(hall: Hall) -> None:
    casino, bank = hall.casino, hall.casino.bot.bank
    ended, guild = season_at(casino.bot.clock.now(), Span.MONTH).before, casino.guild.id
    server = casino.bot.get_guild(guild)
    member, batch = await bank.members.sign_in(guild, casino.alice.id), bank._store.batch()
    places.award(batch, guild, "cup/1", [(member.id, 5)], opens(ended.last))
    await bank._store.write.run(batch)
    bare = {casino.bot.user: discord.PermissionOverwrite(attach_files=False)}
    closed, chore = casino.guild.create_text_channel("closed", overwrites=bare), casino.bot.get_cog("DayPosts")
    for channel, pictures in ((hall.channel, ["podium.png"]), (closed, [])):
        await chore._post_podium(server, DayPost(channel.id), ended)  # type: ignore[union-attr]
        (post,) = channel.history()
        assert "The season is over" in text_of(post)
        assert [file.filename for file in post.attachments] == pictures


# -- what does not go through ------------------------------------------------------------------------------------------


async def test_a_message_that_discord_did_not_take_is_not_tried_again_that_day(hall: Hall, line: Line) -> None:
    """It may have arrived."""
    await hall.choose(hall.channel)
    line.cut("POST", f"/channels/{hall.channel.id}/messages")
    await hall.sleep_until(1.5)
    await hall.sleep_until(3)
    assert hall.posts == []
    await hall.sleep_until(1.5)
    assert hall.numbers == ["3"]


async def test_a_day_that_is_not_prepared_in_time_is_posted_soon_after_it_is(hall: Hall) -> None:
    await hall.choose(hall.channel)
    await hall.plays(hall.casino.alice)
    await hall.casino.sleep(3 * DAY)
    chore: Any = hall.casino.bot.get_cog("DayPosts")
    await chore.do()
    assert hall.posts == []
    await prepare(hall.casino.bot)
    await hall.casino.sleep(601)
    await hall.look()
    assert hall.numbers == ["4"]


async def test_during_an_outage_message_and_podium_wait_and_no_manager_reads_that_they_cannot_be_posted(
    hall: Hall,
) -> None:
    page = await hall.casino.ask("casino settings", hall.boss, page="messages")
    await hall.boss.select(page, [hall.log], custom_id="office:log")
    await won_since_the_last_message(hall)
    await hall.sleep_until(1)
    hall.casino.env.backend.advance_clock(1_800)
    (job,) = await hall.first_day.bank.jobs.due("day post")
    chore: Any = hall.casino.bot.get_cog("DayPosts")
    with hall.casino.undescribed():
        await chore.look(job, hall.casino.guild.id)
    assert hall.numbers == ["2"]
    hall.casino.env.backend.advance_clock(601)
    await hall.look()
    logs: Any = hall.casino.bot.get_cog("ServerLogs")
    await logs.do()
    assert "can't post" not in "\n".join(post.content for post in hall.log.history())
    _, today, over = map(text_of, hall.posts)
    assert "Today's five · #3" in today
    assert "The season is over" in over


async def test_once_it_is_switched_off_it_is_not_looked_at_any_more(hall: Hall) -> None:
    await hall.choose(hall.channel)
    await hall.sleep_until(1.5)
    await hall.choose()
    for _day in range(2):
        await hall.sleep_until(1.5)
    assert hall.numbers == ["2"]
    assert await hall.first_day.bank.jobs.due("day post") == ()


async def test_a_server_that_another_process_looks_at_is_left_to_it(hall: Hall) -> None:
    await hall.choose(hall.channel)
    bank, chore = hall.first_day.bank, hall.casino.bot.get_cog("DayPosts")
    await by_hand(bank, "UPDATE jobs SET due = 0 WHERE kind = 'day post'")
    (job,) = await bank.jobs.due("day post")
    assert await bank.jobs.claim(job.key, "another process", seconds=90)
    await chore.look(job, hall.casino.guild.id)  # type: ignore[union-attr]
    assert hall.posts == []
    assert await bank.jobs.claim(job.key, "a third one", seconds=90) is False, "it is not released either"
