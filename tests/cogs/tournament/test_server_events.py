"""A tournament on its server's calendar: there from sign-up to end, and never in the tournament's way."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import timedelta
from typing import Any

import discord
import pytest
from simcord.backend import errors

from cogs.answers.calendar import EventStage, PlannedEvent
from cogs.doctor import discord_side
from cogs.tournament import pages, server_events
from engine.tournament.tournament import TournamentPhase

from ..conftest import Casino, text_of
from .test_tournament import in_an_hour, manager, messages, people, plan, play_on, signed_up, started, told, views

SCHEDULED, ACTIVE, COMPLETED, CANCELLED = 1, 2, 3, 4


def calendar(casino: Casino) -> list[Any]:
    return list(casino.env.backend.get_guild(casino.guild.id).scheduled_events.values())


def without_the_right(casino: Casino, *, manage: bool = False) -> None:
    """The bot may make no events here, though perhaps change those that there are."""
    rights = discord.Permissions.all()
    rights.update(administrator=False, create_events=False, manage_events=manage)
    guild = casino.env.backend.get_guild(casino.guild.id)
    for role in guild.roles.values():
        role.permissions &= rights.value


async def test_a_planned_tournament_is_on_the_calendar_with_the_way_to_its_sign_up(casino: Casino) -> None:
    await plan(casino, buy_in=100)
    (event,), (view,) = calendar(casino), await views(casino)
    assert event.name.startswith("Tournament · ")
    assert event.entity_metadata["location"].endswith(f"/{casino.channel.id}/{view.state.message}")
    assert "Buy-in: 100 chips" in event.description
    assert not re.search(r"\*|`|^-#", event.description, re.MULTILINE), "a calendar would show such signs"
    starts, ends = map(discord.utils.parse_time, (event.scheduled_start_time, event.scheduled_end_time))
    assert (starts.timestamp(), ends - starts) == (view.state.starts, timedelta(hours=3))
    assert view.state.event == event.id


async def test_the_same_cards_are_on_the_calendar_for_the_day_in_which_they_can_be_played(casino: Casino) -> None:
    await plan(casino, cards="same")
    (event,) = calendar(casino)
    starts, ends = map(discord.utils.parse_time, (event.scheduled_start_time, event.scheduled_end_time))
    assert ends - starts == timedelta(hours=24)


async def test_it_begins_and_ends_with_the_tournament(casino: Casino) -> None:
    await started(casino, 2)
    assert [event.status for event in calendar(casino)] == [ACTIVE]
    await play_on(casino, "All in")
    assert [event.status for event in calendar(casino)] == [COMPLETED]


async def test_it_moves_to_another_hour_with_the_tournament(casino: Casino) -> None:
    await plan(casino)
    (view,) = await views(casino)
    await told(casino, manager(casino), "move", which=str(view.state.id), time=in_an_hour(casino, 3))
    await casino.env.settle()
    (event,), (moved,) = calendar(casino), await views(casino)
    assert discord.utils.parse_time(event.scheduled_start_time).timestamp() == moved.state.starts > view.state.starts
    assert (event.id, event.name) == (view.state.event, pages.heading(moved))


async def test_it_is_cancelled_with_the_tournament(casino: Casino) -> None:
    await plan(casino)
    (view,) = await views(casino)
    await told(casino, manager(casino), "cancel", which=str(view.state.id))
    await casino.env.settle()
    assert [event.status for event in calendar(casino)] == [CANCELLED]


async def test_each_of_a_series_has_its_own(casino: Casino) -> None:
    await started(casino, 2, every="daily")
    assert sorted(event.status for event in calendar(casino)) == [SCHEDULED, ACTIVE]


async def test_it_moves_with_the_sign_up_message(casino: Casino) -> None:
    await plan(casino)
    casino.env.backend.delete_message(casino.channel.id, casino.message.id)
    await told(casino, casino.alice, "join")
    await casino.env.advance_time(2)
    (event,), (view,) = calendar(casino), await views(casino)
    assert event.entity_metadata["location"].endswith(f"/{view.state.message}")


async def test_without_the_permission_nothing_is_asked_for_and_all_goes_on(casino: Casino) -> None:
    without_the_right(casino)
    await signed_up(casino, 2)
    assert calendar(casino) == []
    assert not [request for request in casino.env.http_requests if "scheduled-events" in request.path]
    (view,) = await views(casino)
    assert view.state.event == 0


async def test_with_the_permission_to_change_events_and_not_to_create_them_none_is_created(casino: Casino) -> None:
    without_the_right(casino, manage=True)
    await signed_up(casino, 2)
    asked = {request.method for request in casino.env.http_requests if "scheduled-events" in request.path}
    assert "POST" not in asked


async def test_an_event_is_cancelled_where_the_bot_may_create_no_more_of_them(casino: Casino) -> None:
    await plan(casino)
    (view,) = await views(casino)
    without_the_right(casino, manage=True)
    await casino.restart()
    await told(casino, manager(casino), "cancel", which=str(view.state.id))
    await casino.env.settle()
    assert [event.status for event in calendar(casino)] == [CANCELLED]


async def test_what_discord_refuses_is_not_in_the_way(casino: Casino, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: Any, **__: Any) -> None:
        raise errors.invalid_form_body("Maximum number of uncompleted guild scheduled events reached")

    monkeypatch.setattr(casino.env.backend, "create_scheduled_event", full)
    await started(casino, 2)
    (view,) = await views(casino)
    assert view.phase is TournamentPhase.PLAYING
    await play_on(casino, "All in")
    assert "is over" in messages(casino)[-1]


async def test_after_a_restart_it_is_the_same_event(casino: Casino) -> None:
    await plan(casino)
    before = [event.id for event in calendar(casino)]
    await casino.restart()
    await casino.env.settle()
    for who in people(casino, 2):
        await casino.click("Join", who)
    await casino.env.advance_time(3_601)
    assert [(event.id, event.status) for event in calendar(casino)] == [(before[0], ACTIVE)]


async def test_one_that_could_not_be_written_down_is_found_again(casino: Casino) -> None:
    await plan(casino)
    (view,), guild = await views(casino), casino.bot.get_guild(casino.guild.id)
    assert guild is not None
    forgotten = replace(view, state=replace(view.state, event=None))
    assert await server_events.keep(guild, forgotten) == view.state.event
    (event,) = calendar(casino)
    event.creator_id = casino.alice.id  # somebody else's, at the same place
    assert await server_events.keep(guild, forgotten) != event.id
    assert len(calendar(casino)) == 2


async def test_one_that_could_not_be_written_down_is_found_again_after_the_start(casino: Casino) -> None:
    await started(casino, 2)
    (view,), guild = await views(casino), casino.bot.get_guild(casino.guild.id)
    assert guild is not None
    forgotten = replace(view, state=replace(view.state, event=None))
    assert await server_events.keep(guild, forgotten) == view.state.event


async def test_one_that_is_cancelled_before_its_sign_up_is_posted_has_nothing_on_the_calendar(casino: Casino) -> None:
    await plan(casino)
    (view,), guild = await views(casino), casino.bot.get_guild(casino.guild.id)
    assert guild is not None
    unposted = replace(view, phase=TournamentPhase.CANCELLED, state=replace(view.state, message=None, event=None))
    since = len(casino.env.http_requests)
    assert await server_events.keep(guild, unposted) is None
    assert [request.path for request in casino.env.http_requests[since:]] == []


async def test_one_that_a_manager_took_off_the_calendar_or_that_could_not_be_created_stays_off(casino: Casino) -> None:
    await plan(casino)
    (event,) = calendar(casino)
    casino.env.backend.delete_scheduled_event(casino.guild.id, event.id)
    casino.env.backend.delete_message(casino.channel.id, casino.message.id)
    await told(casino, casino.alice, "join")
    await casino.env.advance_time(2)
    assert calendar(casino) == []
    assert "Signed up (1)" in text_of(casino.message)
    (view,), guild = await views(casino), casino.bot.get_guild(casino.guild.id)
    assert guild is not None
    assert await server_events.keep(guild, replace(view, state=replace(view.state, event=0))) == 0
    assert calendar(casino) == [], "no second try"


async def test_the_doctor_says_whether_tournaments_are_on_the_calendar(casino: Casino) -> None:
    finding = await discord_side.tournaments(casino.bot, casino.guild.id)
    assert finding.sentence == "tournaments have threads of their own and are on its calendar"
    without_the_right(casino)
    finding = await discord_side.tournaments(casino.bot, casino.guild.id)
    assert finding.fine
    assert finding.sentence == "tournaments are not on its calendar: that takes Create Events"


def test_a_calendar_shows_a_text_without_its_markup() -> None:
    event = PlannedEvent("Cup", "**Buy-in** 5\n`/rules` x", 0.0, timedelta(hours=2), "here", EventStage.COMING, None)
    assert event.facts["description"] == "Buy-in 5\n/rules x"
    assert replace(event, description="-# small\nnot -# here").facts["description"] == "small\nnot -# here"
    assert (event.facts["end_time"] - event.facts["start_time"]) == timedelta(hours=2)
