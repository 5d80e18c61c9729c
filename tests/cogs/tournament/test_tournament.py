"""/tournament as a server meets it: planning, signing up, playing in threads, prizes; and all that can go wrong."""

from __future__ import annotations

import asyncio
import calendar
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial
from typing import Any
from zoneinfo import ZoneInfo

import discord
import pytest
import simcord
from simcord.backend.models import channel as channels
from simcord.enums import InteractionType

from cogs.answers.time_limits import REQUEST
from cogs.table.door import link
from cogs.tournament import entries, pages
from cogs.tournament.announcer import DiscordAnnouncer
from cogs.words.refusals import Sorry
from data import GuildSettings
from engine import stored_words
from engine.fairness.chain import tip_of
from engine.fairness.reading import parse
from engine.fairness.tournaments import TournamentLots, verify_lots
from engine.tables.house import CAPS, HouseSettings
from engine.tables.ports import NotPosted
from engine.tables.snapshot import Snapshot, TablePhase
from engine.tables.table import Table
from engine.tournament import director
from engine.tournament.run import LATEST, MOST_THREADS, REMINDER
from engine.tournament.state import Every
from engine.tournament.tournament import TournamentPhase
from engine.tournament.view import TournamentView

from .. import raw
from ..conftest import Casino, priced, text_of
from ..line import Line
from ..pages.tournament import SIGN_UP as TOURNAMENT
from ..pages.tournament import of_the_first_release
from ..table.test_opening import keep

HOUR = 3_600.0
NAMES = ("alice", "bob", "carol", "dave", "erin", "frank", "grace", "heidi")


def manager(casino: Casino) -> simcord.MemberActor:
    if "mona" not in casino.people:
        role = casino.guild.create_role("Managers", permissions=discord.Permissions(manage_guild=True))
        casino.people["mona"] = casino.guild.add_member(casino.env.create_user("mona"), roles=[role])
    return casino.people["mona"]


def people(casino: Casino, count: int) -> list[simcord.MemberActor]:
    return [casino.person(name) for name in NAMES[:count]]


def ids(casino: Casino, count: int) -> set[int]:
    return {who.id for who in people(casino, count)}


def in_an_hour(casino: Casino, hours: float = 1.0) -> str:
    return (casino.env.now() + timedelta(hours=hours)).strftime("%H:%M")


async def ask(casino: Casino, who: simcord.MemberActor, words: str, **options: Any) -> simcord.InteractionResult:
    return await who.slash(casino.channel, f"tournament {words}", **options)


async def told(casino: Casino, who: simcord.MemberActor, words: str, **options: Any) -> str:
    response = (await ask(casino, who, words, **options)).response
    assert response is not None
    return text_of(response)


async def plan(casino: Casino, **options: Any) -> None:
    """Planned and confirmed; its sign-up is the channel's last message."""
    options.setdefault("time", in_an_hour(casino))
    result = await ask(casino, manager(casino), "schedule", **options)
    assert result.response is not None
    assert "Is this right?" in text_of(result.response), text_of(result.response)
    await manager(casino).click(result.response, label="Confirm")
    await casino.env.settle()


async def views(casino: Casino) -> Sequence[TournamentView]:
    return await casino.bot.director.views(casino.guild.id)


async def signed_up(casino: Casino, count: int, **options: Any) -> None:
    await plan(casino, **options)
    for who in people(casino, count):
        await casino.click("Join", who)


async def started(casino: Casino, count: int, **options: Any) -> None:
    await signed_up(casino, count, **options)
    await casino.env.advance_time(HOUR + 1)


def messages(casino: Casino, channel: int | None = None) -> list[str]:
    return [text_of(message) for message in posted(casino, channel)]


def posted(casino: Casino, channel: int | None = None) -> list[discord.Message]:
    for handle in [casino.channel, *casino.channel.threads]:
        if handle.id == (channel or casino.channel.id):
            return list(handle.history())
    raise AssertionError("no such channel")


def message_of(casino: Casino, table: Table) -> discord.Message:
    (found,) = (message for message in posted(casino, table.state.channel) if message.id == table.state.message)
    return found


def asked_person(casino: Casino, now: Snapshot) -> simcord.MemberActor | None:
    """Whom the table waits for."""
    users = {who.id: who for who in casino.people.values()}
    if now.phase is TablePhase.BETTING:
        seat = now.elimination.asked
        return None if seat is None else users.get(now.players[seat].user or 0)
    sitters = [now.sitter_at(seat) for seat in now.view.asked]
    return next((users[sitter.user] for sitter in sitters if sitter is not None and sitter.user in users), None)


async def press_once(casino: Casino, key: str = "Minimum") -> bool:
    """One press of somebody who is asked somewhere."""
    for table in casino.bot.registry.tables():
        now = table.snapshot()
        who = asked_person(casino, now)
        if who is not None:
            label = key if now.phase is TablePhase.BETTING else "Stand"
            message = message_of(casino, table)
            await who.click(message, label=priced(message, label)["label"])
            return True
    return False


async def play_on(casino: Casino, key: str = "Minimum") -> None:
    """Play until there is nothing left to play."""
    for _ in range(2_000):
        if not await press_once(casino, key):
            await casino.env.advance_time(31)
            if not casino.bot.registry.tables():
                return
    raise AssertionError("it does not end")


def asked_threads(casino: Casino) -> list[Any]:
    """Bodies of the requests for threads."""
    return [request.json for request in casino.env.http_requests if request.path.endswith("/threads")]


# -- planning ----------------------------------------------------------------------------------------------------------


async def test_only_who_may_manage_the_server_plans_and_cancels(casino: Casino) -> None:
    assert "Manage Server" in await told(casino, casino.alice, "schedule", time="20:30")
    assert "Manage Server" in await told(casino, casino.alice, "cancel", which="1")
    assert await views(casino) == []


async def test_a_plan_is_shown_before_it_is_kept(casino: Casino) -> None:
    options = {"time": "20:30", "every": "weekly", "buy_in": 50, "budget": 500, "rules": "vegas", "level": "expert"}
    text = await told(casino, manager(casino), "schedule", **options, odds=True)
    for part in (
        "20:30 server time (UTC)",
        "Repeats: every week",
        "Buy-in: **50 chips**",
        "500 play chips each · vegas · computer players: expert",
        "Players can ask for the odds of their hands",
        "Played in this channel, with tables in threads",
        "If it cannot start within 60 minutes, every buy-in comes back.",
    ):
        assert part in text
    assert "odds" not in await told(casino, manager(casino), "schedule", time="20:30")
    assert len(re.findall(r"<t:\d+:F>|20\d\d", text)) == 1, "one date"
    assert await views(casino) == []


async def test_a_server_plans_as_many_tournaments_as_it_may_have_and_is_told_the_number(casino: Casino) -> None:
    for _ in range(CAPS.tournaments):
        await plan(casino)
    refusal = await told(casino, manager(casino), "schedule", time=in_an_hour(casino))
    assert f"This server already has {CAPS.tournaments} tournaments planned or in play" in refusal
    assert len(await views(casino)) == CAPS.tournaments


async def test_an_hour_that_is_too_soon_is_planned_for_tomorrow_and_says_so(casino: Casino) -> None:
    this_minute = casino.env.now().strftime("%H:%M")
    assert f"**{this_minute} has passed today: it will be tomorrow.**" in await told(
        casino, manager(casino), "schedule", time=this_minute
    )
    assert "it will be tomorrow" not in await told(casino, manager(casino), "schedule", time="20:30", day="tomorrow")


async def test_confirmed_it_is_announced_with_all_its_terms(casino: Casino) -> None:
    await plan(casino, buy_in=50)
    assert re.search(r"\*\*Starts <t:\d+:R>\*\* · <t:\d+:F>", casino.text)
    for part in ("Buy-in: **50 chips**", "1,000 play chips each · original", "50, 30 and 20%", "Nobody has signed up"):
        assert part in casino.text
    assert casino.keys() == ["Join", "Leave"]


async def test_confirmed_twice_it_is_one(casino: Casino) -> None:
    result = await ask(casino, manager(casino), "schedule", time=in_an_hour(casino))
    assert result.response is not None
    (key,) = (part["custom_id"] for part in raw.components(result.response) if part.get("label") == "Confirm")
    await raw.press(manager(casino), result.response, key, times=3)
    assert len(await views(casino)) == 1


@pytest.mark.parametrize(
    "made_up",
    [
        "plan:999999999999:once:1000:0:expert:original",
        "plan:{soon}:once:1000:0:genius:original",
        "plan:{soon}:once:0:0:expert:original",
        "plan:{soon}:once:999999999:0:expert:original",
        "plan:{soon}:once:1000:999999999:expert:original",
    ],
)
async def test_a_plan_that_nobody_can_have_typed_is_refused(casino: Casino, made_up: str) -> None:
    result = await ask(casino, manager(casino), "schedule", time=in_an_hour(casino))
    assert result.response is not None
    soon = int(casino.bot.clock.now()) + 600
    (refused,) = await raw.press(manager(casino), result.response, made_up.format(soon=soon))
    assert "Nothing was changed." in text_of(refused.response)  # type: ignore[arg-type]
    assert await views(casino) == []


@pytest.mark.parametrize(
    ("option", "value"), [("budget", 0), ("budget", 1_000_001), ("buy_in", -1), ("buy_in", 100_000_001)]
)
async def test_a_number_that_discord_lets_nobody_type_plans_nothing(casino: Casino, option: str, value: int) -> None:
    known = casino.env.backend.commands[None]["tournament", 1]
    typed = [{"name": "time", "type": 3, "value": "20:30"}, {"name": option, "type": 4, "value": value}]
    data = {"id": known["id"], "name": "tournament", "type": 1}
    data["options"] = [{"name": "schedule", "type": 1, "options": typed}]
    (result,) = await raw._send(manager(casino), casino.channel, InteractionType.APPLICATION_COMMAND, data)
    assert result.ephemeral
    assert result.response is not None
    assert "Nothing was changed." in result.response.content


NOW = 1_800_000_000


@pytest.mark.parametrize(
    ("field", "least", "most"),
    [("budget", 1, 1_000_000), ("buy_in", 0, 100_000_000), ("starts", NOW, NOW + 368 * 86_400)],
)
def test_the_limits_of_a_plan_are_allowed_and_nothing_beyond_them(field: str, least: int, most: int) -> None:
    """The last day is a year away, and any hour of it will do. What has passed is refused in other words."""
    made = entries.TournamentPlan(NOW, Every.ONCE, 1_000, 0, "expert", "original")
    for value in (least, most):
        entries._refuse_made_up(replace(made, **{field: value}), NOW)
    for value in (most + 1, *([least - 1] if field != "starts" else [])):
        with pytest.raises(Sorry, match="Nothing was changed"):
            entries._refuse_made_up(replace(made, **{field: value}), NOW)


async def test_a_plan_is_confirmed_neither_too_late_nor_as_one_more_than_a_server_may_have(
    casino: Casino, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(entries, "CAPS", replace(CAPS, tournaments=2))
    late, boss = await ask(casino, manager(casino), "schedule", time=in_an_hour(casino, 0.5)), manager(casino)
    await plan(casino)
    await casino.env.advance_time(HOUR / 2 + 60)
    assert late.response is not None
    answer = await boss.click(late.response, label="Confirm")
    assert text_of(answer.response) == "That time has passed. Choose a later one."  # type: ignore[arg-type]
    await plan(casino)
    told_off = await told(casino, boss, "schedule", time=in_an_hour(casino))
    assert told_off.startswith("This server already has 2 tournaments planned or in play, the most it can have.")
    assert len(await views(casino)) == 2


async def test_nobody_signs_up_from_elsewhere(casino: Casino) -> None:
    """From another server, from another channel, or from a message that the bot did not write."""
    await plan(casino, buy_in=50)
    join = casino.custom_id("Join")
    other = casino.guild.create_text_channel("other")
    await casino.bob.slash(other, "war")
    guild = casino.env.create_guild("Elsewhere")
    mallory, channel = guild.add_member(casino.env.create_user("mallory")), guild.create_text_channel("casino")
    await mallory.slash(channel, "war")
    theirs = await casino.bob.send(casino.channel, "look here")
    for who, message in ((casino.bob, other.last_message), (mallory, channel.last_message), (casino.bob, theirs)):
        assert message is not None
        (refused,) = await raw.press(who, message, join)
        assert refused.ephemeral
        assert refused.response is not None
        words = ("doesn't belong here", "There's no tournament here")
        assert any(text in refused.response.content for text in words)
    (view,) = await views(casino)
    assert view.people == ()


@pytest.mark.parametrize("number", [0, 2**63 - 1, 2**63, 10**20 - 1])
async def test_a_tournament_that_somebody_made_up_is_refused_in_words(casino: Casino, number: int) -> None:
    await plan(casino)
    (refused,) = await raw.press(casino.bob, casino.message, f"{stored_words.TOURNAMENT}:{number}:join")
    assert text_of(refused.response).startswith("There's no tournament here for that.")  # type: ignore[arg-type]


async def test_a_sign_up_from_another_message_of_its_channel_leaves_that_as_it_is(casino: Casino) -> None:
    """The reminder has the button too; what is drawn again is the sign-up."""
    await plan(casino)
    join, sign_up = casino.custom_id("Join"), casino.message
    await casino.bob.slash(casino.channel, "war")
    table, shown = casino.message, casino.text
    (answer,) = await raw.press(casino.bob, table, join)
    assert answer.ephemeral
    assert text_of(table) == shown
    await casino.env.advance_time(2)
    assert f"Signed up (1): <@{casino.bob.id}>" in text_of(sign_up)


async def test_a_confirmation_after_the_permission_is_gone_is_refused(casino: Casino) -> None:
    result = await ask(casino, manager(casino), "schedule", time=in_an_hour(casino))
    assert result.response is not None
    (key,) = (part["custom_id"] for part in raw.components(result.response) if part.get("label") == "Confirm")
    (role,) = (role for role in casino.guild.roles.values() if role.name == "Managers")
    casino.env.backend.remove_member_role(casino.guild.id, manager(casino).id, role.id)
    (refused,) = await raw.press(manager(casino), result.response, key)
    assert "Manage Server" in text_of(refused.response)  # type: ignore[arg-type]
    assert await views(casino) == []


async def test_where_no_table_can_be_no_tournament_is_planned(casino: Casino) -> None:
    other = casino.guild.create_text_channel("games")
    await casino.bot.bank.guilds.keep_settings(casino.guild.id, GuildSettings(channels=(other.id,)))
    refused = await told(casino, manager(casino), "schedule", time="20:30")
    assert refused == f"On this server, tables are in <#{other.id}>."
    denied = {casino.env.bot.user: discord.PermissionOverwrite(send_messages=False)}
    casino.channel = casino.guild.create_text_channel("closed", overwrites=denied)  # type: ignore[arg-type]
    refused = await told(casino, manager(casino), "schedule", time="20:30")
    assert refused == "I can't open a table in this channel. I still need: **Send Messages**."


async def test_a_buy_in_larger_than_anyones_balance_is_refused(casino: Casino) -> None:
    assert "Buy-in: **1,000 chips**" in await told(casino, manager(casino), "schedule", time="20:30", buy_in=1_000)
    text = await told(casino, manager(casino), "schedule", time="20:30", buy_in=1_001)
    assert "Nobody here can afford 1,001 chips: the richest has 1,000 chips." in text


@pytest.mark.parametrize(
    ("time", "day", "wrong"), [("25:00", "", "n't a time of day"), ("8", "2026-13-01", "n't a day")]
)
async def test_what_is_no_time_is_said(casino: Casino, time: str, day: str, wrong: str) -> None:
    assert wrong in await told(casino, manager(casino), "schedule", time=time, day=day)


async def test_a_past_time_and_an_unknown_rule_set_are_refused(casino: Casino) -> None:
    assert "has passed" in await told(casino, manager(casino), "schedule", time="20:30", day="2020-01-01")
    assert "no rule set" in await told(casino, manager(casino), "schedule", time="20:30", rules="nonsense")


async def test_r7_8_tables_of_four_need_rules_with_four_seats_and_the_same_cards_do_not(casino: Casino) -> None:
    await keep(casino, "for-three", most_seats=3)
    plan = {"time": "20:30", "rules": "for-three"}
    told_at_tables = await told(casino, manager(casino), "schedule", **plan)
    assert told_at_tables == "Four players take part, and **for-three** has fewer seats. Choose other rules."
    assert "Is this right?" in await told(casino, manager(casino), "schedule", cards="same", **plan)


async def test_the_list_has_them_all(casino: Casino) -> None:
    assert await told(casino, casino.alice, "list") == "### Tournaments of this server\nNone is planned."
    assert "> plans one." in await told(casino, manager(casino), "list")
    await plan(casino, buy_in=25)
    await plan(casino, time=in_an_hour(casino, 2), every="daily")
    text = await told(casino, casino.alice, "list")
    assert "buy-in 25" in text
    assert "every day" in text


# -- signing up --------------------------------------------------------------------------------------------------------


async def test_join_and_leave_by_button_show_who_is_in_and_the_pool(casino: Casino) -> None:
    await signed_up(casino, 2, buy_in=100)
    assert "Pool: **200 chips**" in casino.text
    assert f"Signed up (2): {casino.alice.mention}, {casino.bob.mention}" in casino.text
    assert await casino.balance(casino.alice) == 900
    before = casino.edits()
    await casino.click("Leave", casino.bob)
    assert "Signed up (1)" in casino.text
    assert casino.edits() == before
    assert await casino.balance(casino.bob) == 1_000


async def test_join_and_leave_by_command(casino: Casino) -> None:
    await plan(casino, buy_in=100)
    (view,) = await views(casino)
    start = pages.exactly(view.state.starts)
    assert await told(casino, casino.alice, "join") == f"You're in for 100 chips. It starts {start}."
    await casino.env.advance_time(3)
    assert "Signed up (1)" in casino.text
    assert await told(casino, casino.alice, "leave") == "You're no longer signed up, and get 100 chips back."
    assert "have not signed up" in await told(casino, casino.alice, "leave")
    assert await casino.balance(casino.alice) == 1_000


async def test_where_it_costs_nothing_no_chips_are_spoken_of(casino: Casino) -> None:
    await plan(casino)
    (view,) = await views(casino)
    assert await told(casino, casino.alice, "join") == f"You're in! It starts {pages.exactly(view.state.starts)}."
    assert await told(casino, casino.alice, "leave") == "You're no longer signed up."


async def test_one_is_suggested_and_chosen_by_its_name_its_date_or_its_rules(casino: Casino) -> None:
    await plan(casino, time="20:30", day="tomorrow")
    await plan(casino, time="21:30", day="tomorrow", rules="kitchen")
    first, second = await views(casino)

    async def suggested(typed: str) -> list[str]:
        found = await casino.alice.autocomplete(casino.channel, "tournament join", "which", typed)
        return [str(choice["value"]) for choice in found]

    ids = [str(view.state.id) for view in (first, second)]
    assert await suggested("") == await suggested(first.state.wall[:10]) == ids
    assert await suggested("KITCHEN") == await suggested(pages.day_and_hour(second.state)) == ids[1:]
    assert await suggested("nothing of that kind") == []
    (choice,) = await casino.alice.autocomplete(casino.channel, "tournament join", "which", "kitchen")
    assert choice["name"] == f"{pages.day_and_hour(second.state)} · {second.state.wall[:10]} · kitchen"
    await told(casino, casino.alice, "join", which=choice["name"])
    await told(casino, casino.bob, "join", which=ids[1])
    assert [view.people for view in await views(casino)] == [(), (casino.alice.id, casino.bob.id)]


async def test_the_command_leaves_the_next_one_that_one_is_in(casino: Casino) -> None:
    await plan(casino, buy_in=100)
    await plan(casino, time=in_an_hour(casino, 2), buy_in=200)
    await casino.click("Join")
    assert "and get 200 chips back" in await told(casino, casino.alice, "leave")
    assert await casino.balance(casino.alice) == 1_000


async def test_who_cannot_pay_or_is_in_already_is_told_so(casino: Casino) -> None:
    await plan(casino, buy_in=800)
    await casino.click("Join")
    again = await casino.click("Join")
    assert "already signed up for that tournament" in text_of(again.response)  # type: ignore[arg-type]
    await plan(casino, buy_in=800)
    poor = await casino.click("Join")
    assert "need 800 chips but have 200 chips" in text_of(poor.response)  # type: ignore[arg-type]


async def test_r10_4_a_buy_in_takes_the_age_that_a_gift_takes(casino: Casino) -> None:
    await plan(casino, buy_in=100)
    await casino.click("Join", casino.bob)
    await casino.bot.bank.guilds.keep_settings(casino.guild.id, GuildSettings())
    await casino.click("Leave", casino.bob)
    assert await casino.balance(casino.bob) == 1_000, "who was in before may leave"
    young = await casino.click("Join")
    assert "too new" in text_of(young.response)  # type: ignore[arg-type]
    assert await casino.balance(casino.alice) == 1_000
    await casino.bot.bank.guilds.keep_settings(casino.guild.id, GuildSettings(HouseSettings(gift_account_days=0)))
    young = await casino.click("Join")
    assert "joined this server too recently" in text_of(young.response)  # type: ignore[arg-type]
    await plan(casino, time="21:30")
    await casino.click("Join")
    assert "Signed up (1)" in casino.text, "a free one is for everybody"


async def test_a_doubled_press_signs_up_once(casino: Casino) -> None:
    await plan(casino, buy_in=100)
    await raw.press(casino.alice, casino.message, casino.custom_id("Join"), times=3)
    assert await casino.balance(casino.alice) == 900


async def test_there_is_no_tournament_to_join(casino: Casino) -> None:
    assert "no tournament here" in await told(casino, casino.alice, "join")


async def test_a_deleted_sign_up_message_is_posted_again(casino: Casino) -> None:
    await signed_up(casino, 2)
    casino.env.backend.delete_message(casino.channel.id, casino.message.id)
    await casino.env.advance_time(HOUR + 1)
    assert any("In play" in text for text in messages(casino))


async def test_a_deleted_sign_up_message_is_posted_again_when_somebody_joins(casino: Casino) -> None:
    await plan(casino)
    casino.env.backend.delete_message(casino.channel.id, casino.message.id)
    await told(casino, casino.alice, "join")
    await casino.env.advance_time(3)
    await casino.click("Join", casino.bob)
    assert "Signed up (2)" in casino.text


async def test_an_edit_of_the_sign_up_that_is_lost_comes_with_the_next_one(casino: Casino, line: Line) -> None:
    await plan(casino)
    line.cut("PATCH", "/channels/*/messages/*")
    await told(casino, casino.alice, "join")
    await casino.env.advance_time(3)
    assert (line.lost, "Nobody has signed up yet." in casino.text) == (1, True)
    await told(casino, casino.bob, "join")
    await casino.env.advance_time(3)
    assert "Signed up (2)" in casino.text


async def test_one_reminder_calls_those_who_are_in(casino: Casino) -> None:
    await signed_up(casino, 2)
    await casino.env.advance_time(HOUR - REMINDER + 1)
    assert "It starts <t:" in casino.text
    assert casino.alice.mention in casino.text
    assert casino.called == [ids(casino, 2)]
    await casino.env.advance_time(60)
    assert sum("It starts <t:" in text for text in messages(casino)) == 1


async def test_who_is_in_is_called_when_it_moves_and_it_starts_at_its_new_hour(casino: Casino) -> None:
    await signed_up(casino, 2)
    (view,) = await views(casino)
    answer = await told(casino, manager(casino), "move", which=str(view.state.id), time=in_an_hour(casino, 2))
    await casino.env.settle()
    (moved,) = await views(casino)
    assert moved.state.starts - view.state.starts == HOUR
    assert answer == (
        f"The tournament of {pages.day_and_hour(view.state)} is moved: it starts {pages.exactly(moved.state.starts)}."
    )
    call = casino.message
    assert f"New time: {pages.exactly(moved.state.starts)}" in text_of(call)
    assert f"It was to start {pages.exactly(view.state.starts)}" in text_of(call)
    assert {user.id for user in call.mentions} == ids(casino, 2)
    assert casino.called == [ids(casino, 2)]
    assert [pages.exactly(moved.state.starts) in text for text in messages(casino) if "Signed up" in text] == [True]
    await casino.env.advance_time(HOUR + 60)
    assert [view.phase for view in await views(casino)] == [TournamentPhase.SIGN_UP]
    await casino.env.advance_time(HOUR)
    assert [view.phase for view in await views(casino)] == [TournamentPhase.PLAYING]


async def test_where_nobody_is_in_the_sign_up_alone_says_the_new_hour(casino: Casino) -> None:
    await plan(casino)
    (view,), before = await views(casino), len(messages(casino))
    await told(casino, manager(casino), "move", which=str(view.state.id), time=in_an_hour(casino, 2))
    await casino.env.settle()
    (moved,) = await views(casino)
    assert len(messages(casino)) == before
    assert pages.exactly(moved.state.starts) in text_of(casino.message)


async def test_one_that_moves_near_needs_no_reminder_and_one_that_moves_away_has_another(casino: Casino) -> None:
    await signed_up(casino, 1)
    (view,) = await views(casino)
    which = str(view.state.id)
    await told(casino, manager(casino), "move", which=which, time=in_an_hour(casino, 0.2))
    await casino.env.advance_time(60)
    assert [text for text in messages(casino) if "It starts" in text] == []
    await told(casino, manager(casino), "move", which=which, time=in_an_hour(casino, 1))
    await casino.env.advance_time(HOUR - REMINDER + 60)
    assert len([text for text in messages(casino) if "It starts" in text]) == 1


async def test_what_cannot_be_is_said_of_a_move_and_nothing_moves(casino: Casino) -> None:
    await plan(casino, time="20:30", day="tomorrow")
    (view,) = await views(casino)
    which = str(view.state.id)
    boss = manager(casino)
    assert "Manage Server" in await told(casino, casino.alice, "move", which=which, time="21:00")
    assert "already" in await told(casino, boss, "move", which=which, time="20:30")
    assert "has passed" in await told(casino, boss, "move", which=which, time="20:30", day="2025-12-24")
    assert "n't a time of day" in await told(casino, boss, "move", which=which, time="nine")
    assert "no tournament here" in (await told(casino, boss, "move", which="7", time="21:00")).lower()
    assert await views(casino) == [view]


async def test_one_of_a_series_moves_alone_unless_all_shall(casino: Casino) -> None:
    await plan(casino, time="20:30", day="tomorrow", every="weekly")
    (view,), boss = await views(casino), manager(casino)
    which, day = str(view.state.id), view.state.wall[:10]
    for time in ("21:30", "21:00"):
        await told(casino, boss, "move", which=which, time=time)
    (alone,) = await views(casino)
    assert (alone.state.wall, alone.state.rhythm) == (f"{day} 21:00", f"{day} 20:30")
    await told(casino, boss, "move", which=which, time="22:00", series=True)
    (all_of_them,) = await views(casino)
    assert (all_of_them.state.wall, all_of_them.state.rhythm) == (f"{day} 22:00", "")


async def test_one_of_a_series_that_moves_alone_leaves_the_others_in_their_zone(casino: Casino) -> None:
    """The server has moved from UTC to Paris since the series was planned."""
    await plan(casino, time="20:30", day="tomorrow", every="weekly")
    (view,), boss = await views(casino), manager(casino)
    settings = await casino.bot.bank.guilds.settings(casino.guild.id)
    await casino.bot.bank.guilds.keep_settings(casino.guild.id, replace(settings, zone="Europe/Paris"))
    await told(casino, boss, "move", which=str(view.state.id), time="23:00")
    (alone,) = await views(casino)
    assert datetime.fromtimestamp(alone.state.starts, ZoneInfo("Europe/Paris")).strftime("%H:%M") == "23:00"
    await told(casino, boss, "cancel", which=str(view.state.id), series=False)
    await casino.env.settle()
    (following,) = await views(casino)
    assert following.state.starts == view.state.starts + 7 * 24 * HOUR


async def test_one_that_is_being_played_does_not_move(casino: Casino) -> None:
    await started(casino, 2)
    (view,) = await views(casino)
    text = await told(casino, manager(casino), "move", which=str(view.state.id), time=in_an_hour(casino))
    assert "no tournament here" in text.lower()


async def test_cancelling_returns_every_buy_in_and_says_why(casino: Casino) -> None:
    await signed_up(casino, 3, buy_in=100)
    ((view),) = await views(casino)
    await told(casino, manager(casino), "cancel", which=str(view.state.id))
    await casino.env.settle()
    assert "A manager of the server cancelled it." in casino.text
    assert casino.keys() == []
    assert [await casino.balance(who) for who in people(casino, 3)] == [1_000] * 3


@pytest.mark.parametrize(("buy_in", "text"), [(0, " is cancelled."), (100, " is cancelled; every buy-in is back.")])
async def test_cancelling_speaks_of_buy_ins_only_where_there_are_some(casino: Casino, buy_in: int, text: str) -> None:
    await plan(casino, buy_in=buy_in)
    (view,) = await views(casino)
    assert (await told(casino, manager(casino), "cancel", which=str(view.state.id))).endswith(text)


async def test_cancelling_one_of_a_series_ends_the_series_unless_only_that_one_is_named(casino: Casino) -> None:
    for options, left in (({"series": False}, 1), ({}, 0)):
        await plan(casino, every="daily")
        view, *_ = await views(casino)
        answer = await told(casino, manager(casino), "cancel", which=str(view.state.id), **options)
        assert answer == f"The tournament of {pages.day_and_hour(view.state)} is cancelled."
        await casino.env.settle()
        following = await views(casino)
        assert [each.state.starts - view.state.starts for each in following] == [24 * HOUR] * left
        for each in following:
            await told(casino, manager(casino), "cancel", which=str(each.state.id))


async def test_nobody_signs_up(casino: Casino) -> None:
    await plan(casino)
    await casino.env.advance_time(HOUR + 1)
    assert "Fewer than two people had signed up." in casino.text
    assert await views(casino) == []


# -- playing -----------------------------------------------------------------------------------------------------------


async def test_r7_8_tables_of_four_in_threads_side_by_side(casino: Casino) -> None:
    await started(casino, 8)
    tables = casino.bot.registry.tables()
    assert len(casino.channel.threads) == len(tables) == 2
    assert [body["auto_archive_duration"] for body in asked_threads(casino)] == [60, 60], "minutes"
    for table in tables:
        assert "**Tournament** · original" in text_of(message_of(casino, table))
        assert "Leave" not in [part.get("label") for part in raw.components(message_of(casino, table))]
    assert any("Stage 1 · 2 tables are playing" in text for text in messages(casino))


@pytest.mark.parametrize("right", ["create_public_threads", "send_messages_in_threads"])
async def test_where_threads_are_not_allowed_tables_are_messages_of_the_channel(casino: Casino, right: str) -> None:
    casino.channel = casino.guild.create_text_channel(
        "quiet",
        overwrites={casino.env.bot.user: discord.PermissionOverwrite(**{right: False})},  # type: ignore[arg-type, dict-item]
    )
    await started(casino, 5)
    tables = casino.bot.registry.tables()
    assert {table.state.channel for table in tables} == {casino.channel.id}
    assert len({table.state.message for table in tables}) == 2
    (table,) = [table for table in tables if casino.alice.id in {player.user for player in table.state.players}]
    refused = (await casino.alice.slash(casino.channel, "elimination")).response
    assert text_of(refused) == f"You are already playing at [a tournament table]({link(table.state)}) here."  # type: ignore[arg-type]
    (standings,) = (text for text in messages(casino) if "· standings" in text)
    assert f"<#{casino.channel.id}>" not in standings


async def test_in_a_thread_the_tables_are_messages_of_that_thread(casino: Casino) -> None:
    casino.env.backend.create_thread(casino.channel.id, "side room", casino.alice.id, type=11, broadcast=True)
    (casino.channel,) = casino.channel.threads  # type: ignore[assignment]
    await started(casino, 5)
    assert [table.state.channel for table in casino.bot.registry.tables()] == [casino.channel.id] * 2
    assert asked_threads(casino) == []


@pytest.mark.parametrize(
    ("path", "status", "code"),
    [("/channels/*/messages", 403, 50001), ("/channels/*/messages", 400, 160005), ("/channels/*/threads", 404, 10003)],
    ids=str,
)
async def test_a_channel_that_closes_before_the_start_returns_every_buy_in(
    casino: Casino, path: str, status: int, code: int
) -> None:
    """Its list of entrants, or the thread of a table, cannot be posted any more."""
    await signed_up(casino, 3, buy_in=100)
    assert await casino.balance(casino.alice) == 900
    casino.env.inject_error("POST", path, status=status, code=code, times=None)
    await casino.env.advance_time(HOUR + 1)
    assert await views(casino) == []
    assert casino.bot.registry.tables() == ()
    assert [await casino.balance(who) for who in people(casino, 3)] == [1_000] * 3


async def test_no_thread_is_opened_where_its_table_could_not_be_posted(casino: Casino) -> None:
    await signed_up(casino, 5)
    rights = discord.Permissions.all()
    rights.update(administrator=False, attach_files=False)
    backend = casino.env.backend
    for role in [*backend.get_guild(casino.guild.id).roles.values()]:
        backend.edit_role(casino.guild.id, role.id, {"permissions": role.permissions & rights.value})
    await casino.env.advance_time(HOUR + 1)
    assert asked_threads(casino) == []


async def test_in_an_announcement_channel_tables_have_announcement_threads(
    casino: Casino, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Discord refuses public threads there. simcord does not know the kind, so it is told that it is a thread."""
    kinds = [discord.ChannelType.news_thread, discord.ChannelType.public_thread, discord.ChannelType.private_thread]
    monkeypatch.setattr(channels, "THREAD_TYPES", [kind.value for kind in kinds])
    casino.channel = casino.guild.create_news_channel("news")
    await started(casino, 5)
    assert [body["type"] for body in asked_threads(casino)] == [discord.ChannelType.news_thread.value] * 2
    assert {table.state.channel for table in casino.bot.registry.tables()} == {
        thread.id for thread in casino.channel.threads
    }


@pytest.mark.parametrize(("status", "code"), [(400, 50024), (400, 160006), (403, 50013), (429, 0), (500, 0)], ids=str)
async def test_where_discord_opens_no_thread_the_stage_is_played_in_the_channel(
    casino: Casino, status: int, code: int
) -> None:
    """It is not asked again for the other tables of this stage."""
    casino.env.inject_error("POST", "/channels/*/threads", status=status, code=code, times=1)
    await started(casino, 5, buy_in=100)
    tables = casino.bot.registry.tables()
    assert [table.state.channel for table in tables] == [casino.channel.id] * 2
    assert len(asked_threads(casino)) == 1


async def test_after_a_stage_without_threads_the_next_one_asks_again(casino: Casino) -> None:
    casino.env.inject_error("POST", "/channels/*/threads", status=400, code=160006, times=1)
    await started(casino, 5)
    await play_on(casino, "All in")
    assert "is over" in messages(casino)[-1]
    assert len(asked_threads(casino)) == 2


async def test_a_thread_that_takes_too_long_is_not_waited_for(casino: Casino, line: Line) -> None:
    """Discord has been seen to ask for waits of three to five minutes."""
    line.hang("POST", "/channels/*/threads")
    await started(casino, 5)
    await casino.env.advance_time(REQUEST + 1)
    assert [table.state.channel for table in casino.bot.registry.tables()] == [casino.channel.id] * 2


async def test_a_stage_of_many_tables_shares_ten_threads(casino: Casino) -> None:
    await plan(casino)
    ((view),) = await views(casino)
    for user in range(4 * 12):
        member = await casino.bot.bank.members.sign_in(casino.guild.id, 10**17 + user)
        await casino.bot.director.join(view.state.id, member, 10**18 + user)
    await casino.env.advance_time(HOUR + 1)
    tables = casino.bot.registry.tables()
    assert len(tables) == 12
    seated = Counter(table.state.channel for table in tables)
    assert sorted(seated.values()) == [1] * 8 + [2] * 2
    assert {thread.name for thread in casino.channel.threads} == {
        f"Tournament · stage 1 · room {room}" for room in range(1, MOST_THREADS + 1)
    }


async def test_a_claim_is_renewed_while_a_table_is_being_opened(
    casino: Casino, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Hundreds of tables take longer than a claim lasts; no other process takes the tournament in that time."""
    lease = 30.0
    monkeypatch.setattr(director, "LEASE", lease)
    await signed_up(casino, 2)
    ((view),) = await views(casino)
    put_up = DiscordAnnouncer.put_up

    async def slowly(announcer: DiscordAnnouncer, table: Table) -> None:
        await asyncio.sleep(2 * lease)
        await put_up(announcer, table)

    monkeypatch.setattr(DiscordAnnouncer, "put_up", slowly)
    await casino.env.advance_time(HOUR + 1.5 * lease)
    assert not await casino.bot.bank.jobs.claim(
        f"{stored_words.TOURNAMENT}/{view.state.id}", "another process", seconds=lease
    )
    await casino.env.advance_time(lease)
    assert casino.table.state.message is not None


async def test_from_sign_up_to_the_podium(casino: Casino) -> None:
    await started(casino, 5, buy_in=100)
    await play_on(casino, "All in")
    end = messages(casino)[-1]
    assert "is over" in end
    assert casino.called[-1] == ids(casino, 5)
    prizes = re.findall(r"\*\*(\d+) chips\*\*", end)
    assert sorted(map(int, prizes)) == [100, 150, 250]
    assert sum([await casino.balance(who) for who in people(casino, 5)]) == 5_000
    assert any("**Over** · started" in text for text in messages(casino))
    (standings,) = (text for text in messages(casino) if "· standings" in text)
    assert standings.count("out in the final") == 3
    assert standings.count("out in stage 1") == 6
    assert await views(casino) == []


async def test_after_the_last_of_its_kind_play_again_opens_a_table_like_the_final(casino: Casino) -> None:
    await started(casino, 2, buy_in=100, budget=500)
    await play_on(casino, "All in")
    end = posted(casino)[-1]
    assert "goes to the best player: fewer than four took part" in text_of(end)
    await people(casino, 2)[0].click(end, label="Play again")
    (table,) = casino.bot.registry.tables()
    assert (table.state.opener, table.snapshot().standings.budget) == (people(casino, 2)[0].id, 50_000)


async def test_in_a_series_play_again_signs_up_for_the_next_one(casino: Casino) -> None:
    await started(casino, 2, every="daily")
    await play_on(casino, "All in")
    end = next(message for message in posted(casino) if "is over" in text_of(message) and "🥇" in text_of(message))
    await people(casino, 2)[1].click(end, label="Play again")
    (following,) = await views(casino)
    assert following.people == (people(casino, 2)[1].id,)


async def test_where_the_next_one_is_cancelled_play_again_opens_a_table_and_no_winner_who_is_here_is_called_gone(
    casino: Casino,
) -> None:
    """Discord does not say who is still on the server."""
    await started(casino, 2, every="daily", buy_in=100)
    following = next(view for view in await views(casino) if view.phase is TournamentPhase.SIGN_UP)
    await told(casino, manager(casino), "cancel", which=str(following.state.id))
    casino.env.inject_error("GET", "/guilds/*/members/*", status=500, times=None)
    await play_on(casino, "All in")
    end = posted(casino)[-1]
    assert "**Play again** opens a table like the final: you against three computer players." in text_of(end)
    assert "left the server" not in text_of(end)
    await people(casino, 2)[0].click(end, label="Play again")
    assert casino.table.state.opener == people(casino, 2)[0].id


async def test_titles_of_all_time(casino: Casino) -> None:
    assert "Nobody has won a title yet" in await told(casino, casino.alice, "standings")
    await started(casino, 4)
    await play_on(casino, "All in")
    assert re.search(r"1\. <@\d+> · 1 tournament$", await told(casino, casino.alice, "standings"))


async def test_a_winner_who_left_the_server_is_paid_all_the_same(casino: Casino) -> None:
    await started(casino, 2, buy_in=100)
    for who in people(casino, 2):
        casino.guild.remove_member(who)
    await casino.env.advance_time(62)
    await play_on_alone(casino)
    end = messages(casino)[-1]
    assert "they have left the server" in end
    balances = [(await casino.bot.bank.members.sign_in(casino.guild.id, who.id)).balance for who in people(casino, 2)]
    assert sorted(balances) == [90_000, 110_000]


async def play_on_alone(casino: Casino) -> None:
    for _ in range(200):
        if not casino.bot.registry.tables():
            break
        await casino.env.advance_time(62)
    await casino.env.advance_time(31)


async def test_nobody_but_its_people_presses_at_a_table(casino: Casino) -> None:
    await started(casino, 2)
    (table,) = casino.bot.registry.tables()
    mallory = casino.person("mallory")
    message = message_of(casino, table)
    key = priced(message, "Minimum")["custom_id"]
    (refused,) = await raw.press(mallory, message, key)
    assert "only the players drawn to it play here" in text_of(refused.response)  # type: ignore[arg-type]


async def test_r7_8_the_absent_stand_with_the_smallest_stake_until_they_press_something(casino: Casino) -> None:
    await started(casino, 2)
    (table,) = casino.bot.registry.tables()
    await casino.env.advance_time(casino.settings.turn_seconds + 1)
    away = [seat for seat in table.snapshot().elimination.seats if seat.away]
    assert away
    user = table.snapshot().players[away[0].seat].user
    who = next(person for person in casino.people.values() if person.id == user)
    await who.click(message_of(casino, table), label="I'm back")
    assert not table.snapshot().elimination.seats[away[0].seat].away


async def test_a_deleted_channel_in_play_returns_every_buy_in(casino: Casino) -> None:
    await started(casino, 5, buy_in=100)
    casino.env.backend.delete_channel(casino.channel.id)
    await casino.env.advance_time(31)
    assert await views(casino) == []
    assert casino.bot.registry.tables() == ()
    assert [await casino.balance(who) for who in people(casino, 5)] == [1_000] * 5


async def test_a_deleted_thread_moves_its_table_to_the_channel(casino: Casino) -> None:
    await started(casino, 2)
    (table,) = casino.bot.registry.tables()
    casino.env.backend.delete_channel(table.state.channel)
    await casino.env.advance_time(31)
    assert table.state.channel == casino.channel.id
    assert "**Tournament** · " in text_of(message_of(casino, table))


async def test_a_series_opens_its_next_sign_up(casino: Casino) -> None:
    await started(casino, 2, every="daily")
    found = await views(casino)
    assert sorted(view.phase for view in found) == [TournamentPhase.PLAYING, TournamentPhase.SIGN_UP]
    playing, following = sorted(found, key=lambda view: view.state.starts)
    assert following.state.starts - playing.state.starts == 24 * HOUR
    assert sum("**Starts <t:" in text for text in messages(casino)) == 1


# -- surviving ---------------------------------------------------------------------------------------------------------


async def test_restarts_in_play_go_on_with_the_same_messages(casino: Casino) -> None:
    await started(casino, 5, buy_in=100)
    for presses in (0, 1, 2, 3, 5):
        for _ in range(presses):
            await press_once(casino)
        tables = {table.id: table.state.message for table in casino.bot.registry.tables()}
        await casino.restart()
        await casino.env.settle()
        assert {table.id: table.state.message for table in casino.bot.registry.tables()} == tables
    await play_on(casino, "All in")
    assert sum([await casino.balance(who) for who in people(casino, 5)]) == 5_000
    assert "is over" in messages(casino)[-1]


async def test_the_only_process_keeps_its_name_and_so_its_claims(casino: Casino) -> None:
    before = casino.bot.director._name
    await casino.restart()
    assert casino.bot.director._name == before


async def test_a_restart_at_every_turn_of_sign_up(casino: Casino) -> None:
    await plan(casino, buy_in=100)
    for who in people(casino, 3):
        await casino.restart()
        await casino.click("Join", who)
    await casino.restart()
    assert "Signed up (3)" in casino.text
    await casino.env.advance_time(HOUR + 1)
    assert casino.bot.registry.tables()


async def test_a_start_missed_by_less_than_an_hour_happens_on_return(casino: Casino) -> None:
    await signed_up(casino, 2)
    await casino.bot.close()
    casino.env.backend.clock.advance(HOUR + LATEST - 60)
    await casino.restart()
    await casino.env.settle()
    assert len(casino.bot.registry.tables()) == 1


async def test_a_start_missed_by_more_returns_every_buy_in_and_tells_the_channel(casino: Casino) -> None:
    await signed_up(casino, 2, buy_in=100)
    await casino.bot.close()
    casino.env.backend.clock.advance(HOUR + LATEST + 60)
    await casino.restart()
    await casino.env.settle()
    assert "I couldn't start it within an hour of the planned time." in casino.text
    assert [await casino.balance(who) for who in people(casino, 2)] == [1_000, 1_000]


async def test_edits_that_fail_keep_nobody_from_the_end_and_tell_it_once(casino: Casino) -> None:
    await signed_up(casino, 2, buy_in=100)
    ((view),) = await views(casino)
    casino.env.inject_error("PATCH", "/channels/*/messages/*", status=400, code=50035, times=None)
    await told(casino, manager(casino), "cancel", which=str(view.state.id))
    await casino.env.advance_time(61)
    assert sum("is cancelled" in text for text in messages(casino)) == 1
    assert await views(casino) == []


async def test_nobody_can_join_any_more_in_a_thread_that_fell_asleep_before_the_end(casino: Casino) -> None:
    """simcord edits messages in archived threads, so the refusal comes from here."""
    thread = casino.env.backend.create_thread(casino.channel.id, "side room", casino.alice.id, type=11, broadcast=True)
    (casino.channel,) = casino.channel.threads  # type: ignore[assignment]
    await signed_up(casino, 2)
    (view,) = await views(casino)
    casino.env.backend.edit_channel(thread.id, {}, thread_metadata={"archived": True})
    casino.env.inject_error("PATCH", "/channels/*/messages/*", status=400, code=50083, message="Thread is archived")
    await told(casino, manager(casino), "cancel", which=str(view.state.id))
    await casino.env.settle()
    assert "is cancelled" in casino.text
    assert not [message for message in posted(casino) if "Join" in str(raw.components(message))]
    assert thread.thread_metadata is not None
    assert not thread.thread_metadata.archived


async def test_a_sign_up_in_a_thread_that_fell_asleep_is_posted_again(casino: Casino) -> None:
    await signed_up(casino, 2)
    await casino.bot.close()
    casino.env.backend.clock.advance(HOUR + 60)
    casino.env.inject_error("PATCH", "/channels/*/messages/*", status=400, code=50083, message="Thread is archived")
    await casino.restart()
    await casino.env.settle()
    assert len(casino.bot.registry.tables()) == 1


# -- names -------------------------------------------------------------------------------------------------------------


async def test_messages_keep_discords_limits_with_very_many_people(casino: Casino) -> None:
    await plan(casino)
    ((view),) = await views(casino)
    for user in range(75):
        member = await casino.bot.bank.members.sign_in(casino.guild.id, 10**17 + user)
        await casino.bot.director.join(view.state.id, member, 10**18 + user)
    await casino.click("Join")
    assert "> and 16 more" in casino.text
    assert len(casino.text) < 4_000
    await casino.env.advance_time(HOUR - REMINDER + 1)
    assert len(casino.called[-1]) == 60


# -- what is promised --------------------------------------------------------------------------------------------------


async def test_promise_and_list_of_entrants_are_messages_that_nobody_edits_or_presses(casino: Casino) -> None:
    await started(casino, 3)
    small = [message for message in posted(casino) if message.content.startswith("-#")]
    promise, entrants = small
    assert "Seats, ties and shuffles of the next tournament are locked in" in promise.content
    assert "until you press **I'm back**" in entrants.content
    assert re.findall(r"^(\d)\. <@(\d+)>$", entrants.content, re.MULTILINE) == [
        (str(at + 1), str(who.id)) for at, who in enumerate(people(casino, 3))
    ]
    for message in small:
        assert (message.components, message.edited_at, message.interaction_metadata) == ([], None, None)
    (sign_up,) = [text for text in messages(casino) if "In play" in text]
    assert promise.jump_url in sign_up
    assert entrants.jump_url in sign_up


async def test_more_entrants_than_a_message_holds_are_a_file_beside_it(casino: Casino) -> None:
    await signed_up(casino, 2)
    (view,) = await views(casino)
    users = tuple(range(10**18, 10**18 + 200))
    told = [pages.entrants(replace(view, people=users[:count])) for count in range(2, 200)]
    fitting = [text for text, whole in told if whole is None]
    assert len(fitting[-1]) <= 2_000 < len(fitting[-1]) + len(f"\n99. <@{users[0]}>")
    text, whole = told[len(fitting)]
    assert "closed" in text
    assert whole == "\n".join(map(str, users[: len(fitting) + 2]))


def test_the_end_of_a_tournament_of_the_first_release_links_to_its_draw() -> None:
    ended = of_the_first_release(2, cancelled=True).state
    assert list(pages.checked(ended)) == [f"[Check the draw yourself]({pages.address(ended)})"]


def test_a_message_names_sixty_people_and_counts_the_others() -> None:
    users = range(1, 63)
    assert pages.names(users[:60]).endswith(", <@60>")
    assert pages.names(users[:61]).endswith(", <@60> and 1 more")


async def test_the_root_is_told_when_it_is_cancelled(casino: Casino) -> None:
    await signed_up(casino, 2)
    (view,) = await views(casino)
    await ask(casino, manager(casino), "cancel", which=str(view.state.id))
    await casino.env.settle()
    (end,) = [message for message in posted(casino) if "is cancelled" in text_of(message)]
    (sign_up,) = [message for message in posted(casino) if "**Cancelled.**" in text_of(message)]
    assert f"({sign_up.jump_url})" in text_of(end)
    assert casino.called == [ids(casino, 2)]
    told = text_of(sign_up)
    found = re.search(r"its root was `([0-9a-f]{64})`", told)
    assert found is not None
    assert tip_of(bytes.fromhex(found[1])) == view.state.tip


# -- names -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("day", "called"), list(enumerate(calendar.day_name, start=4)))
def test_a_tournament_is_called_by_its_day(day: int, called: str) -> None:
    state = replace(TOURNAMENT.state, wall=f"2027-01-{day:02} 21:30")  # the fourth is a Monday
    assert pages.day_and_hour(state) == f"{called} 21:30"


async def test_when_it_is_over_verify_hands_out_what_its_root_decided(casino: Casino) -> None:
    await started(casino, 2)
    (table,) = casino.bot.registry.tables()
    await press_once(casino)
    code = table.snapshot().seals.next_code or table.snapshot().seals.code
    await play_on(casino)
    result = await casino.alice.slash(casino.channel, "verify", round=code)
    assert result.response is not None
    assert "7 · The tournament" in text_of(result.response)
    assert "**not**" not in text_of(result.response)
    (file,) = [file for file in result.response.attachments if file.filename.startswith("tournament-")]
    lots = TournamentLots.read(parse((await file.read()).decode()))
    assert verify_lots(lots).holds


async def test_a_tournament_goes_on_as_soon_as_its_own_shard_is_ready(casino: Casino) -> None:
    """A process with thirty shards signs in for two minutes, and is ready when the last one is."""
    await plan(casino)
    casino.bot._ready_shards.clear()
    await casino.env.advance_time(HOUR + 60)
    (view,) = await views(casino)
    assert view.phase is TournamentPhase.SIGN_UP, "its messages could not be posted yet"
    casino.bot.dispatch("shard_ready", 0)
    async with asyncio.timeout(10):
        while await views(casino):  # noqa: ASYNC110 - nobody signed up, so it is cancelled
            await asyncio.sleep(0.01)


async def test_a_manager_cancels_a_tournament_whose_entrants_cannot_be_listed(
    casino: Casino, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Sign-up is closed and nothing has begun: until then the buy-ins would lie in the pool."""

    async def not_posted(_: TournamentView) -> int:
        raise NotPosted("Discord is not there")

    await signed_up(casino, 2, buy_in=100)
    monkeypatch.setattr(casino.bot.announcer, "entrants", not_posted)
    await casino.env.advance_time(HOUR + 1)
    (view,) = await views(casino)
    assert view.phase is TournamentPhase.CLOSED
    said = await told(casino, manager(casino), "cancel", which=str(view.state.id))
    assert said.endswith("is cancelled; every buy-in is back.")
    assert await casino.balance(casino.alice) == 1_000


async def test_sign_ups_while_the_bot_stops_are_shown_although_a_waiting_update_was_dropped(casino: Casino) -> None:
    await plan(casino)
    (view,) = await views(casino)
    casino.bot.announcer.soon(view.state.id, partial(casino.bot.director.announce, view.state.id))
    casino.bot.announcer.rest()
    await told(casino, casino.alice, "join")
    await casino.env.settle()
    assert casino.alice.mention in messages(casino)[-1]
