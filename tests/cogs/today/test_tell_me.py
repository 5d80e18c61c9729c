"""*Tell me*: the role that the day's message calls, which its readers give themselves."""

from __future__ import annotations

from typing import Any

import discord
import pytest

from data import Championship, Length, Rest, Ware
from engine.games.contract import CHIP

from ..conftest import keys, text_of
from ..line import Line
from .conftest import Hall


@pytest.fixture
async def called(hall: Hall) -> Any:
    """A role that a manager chose for the message."""
    role = hall.casino.guild.create_role("Five", mentionable=True)
    await hall.choose(hall.channel)
    assert f"· 01:05 UTC · pings <@&{role.id}>" in await hall.calls(role)
    return role


def sent(hall: Hall) -> dict[str, Any]:
    path = f"/channels/{hall.channel.id}/messages"
    *_, last = [each for each in hall.casino.env.http_requests if (each.method, each.path) == ("POST", path)]
    return dict(last.json)


def has(hall: Hall, role: Any) -> bool:
    return role.id in hall.casino.env.backend.get_member(hall.casino.guild.id, hall.casino.alice.id).role_ids


async def told(hall: Hall) -> str:
    """Have Alice press the key on the latest message."""
    pressed = await hall.casino.alice.click(hall.posts[-1], label="Tell me")
    assert pressed.ephemeral
    return text_of(pressed.response)  # type: ignore[arg-type]


async def test_the_message_calls_the_chosen_role_and_nobody_else(hall: Hall, called: Any) -> None:
    await hall.plays(hall.casino.alice, hall.casino.bob)
    await hall.sleep_until(1.5)
    (post,) = hall.posts
    assert text_of(post).splitlines()[-1] == f"<@&{called.id}>"
    assert sent(hall)["allowed_mentions"] == {"parse": [], "users": [], "roles": [called.id]}
    assert not post.flags.silent
    assert keys(post) == ["Play", "Yesterday", "Board", "Tell me"]


async def test_a_press_gives_the_role_and_a_second_one_takes_it_away(hall: Hall, called: Any) -> None:
    await hall.sleep_until(1.5)
    assert "I'll ping you here" in await told(hall)
    assert has(hall, called)
    assert "I won't ping you any more" in await told(hall)
    assert not has(hall, called)


async def test_without_a_role_there_is_no_key_and_nobody_is_called(hall: Hall, called: Any) -> None:
    await hall.sleep_until(1.5)
    assert "calls" not in await hall.calls()
    assert "This server doesn't ping anybody" in await told(hall)
    assert not has(hall, called)
    await hall.sleep_until(1.5)
    assert "Tell me" not in keys(hall.posts[-1])
    assert sent(hall)["allowed_mentions"] == {"parse": [], "users": []}


async def test_another_channel_or_hour_keeps_the_role(hall: Hall, called: Any) -> None:
    assert f"pings <@&{called.id}>" in text_of(await hall.at_hour(9))
    assert f"pings <@&{called.id}>" in await hall.choose(hall.log)


# -- roles that nobody may take for free -------------------------------------------------------------------------------

WHY = {
    "powerful": "has permissions that @everyone lacks",
    "silent": "can't be mentioned",
    "opener": "may do more than @everyone in some channels",
    "sold": "is for sale in </shop:",
    "won": "is for a champion",
    "default": "That role is gone.",
    "mine": "belongs to Discord, a bot or an integration",
}


async def doubtful(hall: Hall, name: str) -> Any:
    guild = hall.casino.guild
    if name == "default":
        return guild.default_role
    if name == "mine":
        own = hall.casino.env.backend.get_member(guild.id, hall.casino.bot.user.id).role_ids  # type: ignore[union-attr]
        return next(role for role in guild.roles.values() if role.id in own)
    powers = discord.Permissions(manage_messages=name == "powerful")
    role = guild.create_role(name, permissions=powers, mentionable=name != "silent")
    if name == "opener":
        guild.create_text_channel("vip", overwrites={role: discord.PermissionOverwrite(view_channel=True)})
    if name == "sold":
        await hall.first_day.bank.shop.offer(guild.id, Ware(role.id, 10 * CHIP))
    if name == "won":
        await hall.first_day.bank.champions.choose(guild.id, Championship.WEEK, role.id)
    return role


@pytest.mark.parametrize("name", list(WHY))
async def test_a_role_that_nobody_may_take_for_free_is_not_chosen(hall: Hall, name: str) -> None:
    await hall.choose(hall.channel)
    assert WHY[name] in await hall.calls(await doubtful(hall, name))
    post = (await hall.first_day.bank.guilds.settings(hall.casino.guild.id)).day_post
    assert post.role is None


async def test_a_role_that_became_dangerous_is_neither_called_nor_given(hall: Hall, called: Any) -> None:
    await hall.sleep_until(1.5)
    hall.casino.env.backend.edit_role(hall.casino.guild.id, called.id, {"permissions": 1 << 13})
    assert "This server doesn't ping anybody" in await told(hall)
    assert not has(hall, called)
    setup = text_of(await hall.casino.ask("casino setup", hall.boss))
    assert f"⚠️ **Today's five** · <@&{called.id}> has permissions that @everyone lacks" in setup
    await hall.sleep_until(1.5)
    assert len(hall.posts) == 2
    assert "Tell me" not in keys(hall.posts[-1])
    assert sent(hall)["allowed_mentions"] == {"parse": [], "users": []}


async def test_where_discord_refuses_it_is_said(hall: Hall, called: Any) -> None:
    await hall.sleep_until(1.5)
    hall.casino.env.inject_error("PUT", "/guilds/*/members/*/roles/*", status=403)
    assert "Discord refused that. Nothing was changed." in await told(hall)
    assert not has(hall, called)


async def test_who_got_the_role_is_not_told_that_nothing_was_changed(hall: Hall, called: Any, line: Line) -> None:
    """Discord's answer is lost on the way back."""
    await hall.sleep_until(1.5)
    line.cut("PUT", "/guilds/*/members/*/roles/*", arrives=True)
    assert "It may have counted anyway" in await told(hall)
    assert has(hall, called)


async def test_r13_1_nobody_on_a_break_from_everything_asks_to_be_called_but_may_end_it(
    hall: Hall, called: Any
) -> None:
    await hall.sleep_until(1.5)
    await told(hall)
    await hall.first_day.bank.breaks.begin(hall.casino.alice.id, Rest.EVERYTHING, Length.WEEK)
    assert "I won't ping you any more" in await told(hall)
    assert "You are taking a break from everything" in await told(hall)
    assert not has(hall, called)


@pytest.mark.parametrize(("what", "called_on"), [("From chips", True), ("From everything", False)])
async def test_r13_1_a_break_from_everything_ends_the_calls_by_itself(
    hall: Hall,
    called: Any,
    what: str,
    called_on: bool,  # noqa: FBT001
) -> None:
    await hall.sleep_until(1.5)
    await told(hall)
    answer = await hall.casino.ask("settings")
    for label in ("Breaks and limits", "Take a break", what, "A week", "Begin the break"):
        await hall.casino.alice.click(answer, label=label)
    assert has(hall, called) is called_on


async def test_r13_1_a_break_ends_the_calls_of_somebody_who_was_given_the_role_and_never_played(
    hall: Hall, called: Any
) -> None:
    carol = hall.casino.guild.add_member(hall.casino.env.create_user("carol"), roles=[called])
    answer = await hall.casino.ask("settings", carol)
    for label in ("Breaks and limits", "Take a break", "From everything", "A week", "Begin the break"):
        await carol.click(answer, label=label)
    assert called.id not in hall.casino.env.backend.get_member(hall.casino.guild.id, carol.id).role_ids


async def test_r13_1_a_break_that_begins_in_a_direct_message_ends_the_calls_too(hall: Hall, called: Any) -> None:
    """Somebody who has pressed nothing but *Tell me* on this server."""
    guild = hall.casino.guild
    carol = hall.casino.env.create_user("carol")
    await hall.sleep_until(1.5)
    await guild.add_member(carol).click(hall.posts[-1], label="Tell me")
    answer = (await carol.slash("settings")).response
    assert answer is not None
    for label in ("Breaks and limits", "Take a break", "From everything", "A week"):
        await carol.click(answer, label=label)
    assert called.id in hall.casino.env.backend.get_member(guild.id, carol.id).role_ids
    await carol.click(answer, label="Begin the break")
    assert called.id not in hall.casino.env.backend.get_member(guild.id, carol.id).role_ids


async def test_r13_1_the_calls_end_with_a_break_whose_answer_is_lost(hall: Hall, called: Any, line: Line) -> None:
    await hall.sleep_until(1.5)
    await told(hall)
    answer = await hall.casino.ask("settings")
    for label in ("Breaks and limits", "Take a break", "From everything", "A week"):
        await hall.casino.alice.click(answer, label=label)
    line.cut("POST", "/interactions/*/*/callback")
    await hall.casino.alice.click(answer, label="Begin the break")
    assert line.lost == 1
    assert (await hall.first_day.bank.breaks.of(hall.casino.alice.id)).everything is not None
    assert not has(hall, called)


async def test_nobody_is_called_any_more_who_was_forgotten(hall: Hall, called: Any) -> None:
    await hall.sleep_until(1.5)
    await told(hall)
    assert has(hall, called)
    panel = await hall.casino.ask("privacy")
    for label in ("Forget me", "Forget me for good"):
        await hall.casino.alice.click(panel, label=label)
    assert "You are forgotten here." in text_of(panel)
    assert not has(hall, called)
