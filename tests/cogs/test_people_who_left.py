"""Options for people: Discord lets members choose somebody who has left the server, by an id or an old mention."""

from __future__ import annotations

import pytest
import simcord
from discord import app_commands

from cogs.words.refusals import sentence

from .conftest import Casino, text_of
from .tournament.test_tournament import manager


async def left(casino: Casino) -> simcord.UserHandle:
    """Somebody who played here and left, with 1,200 chips."""
    gone = casino.env.create_user("gone")
    member = casino.guild.add_member(gone)
    await member.slash(casino.channel, "daily")
    casino.guild.remove_member(member)
    return gone


@pytest.mark.parametrize(("command", "told"), [("balance", "1,200 chips"), ("stats", "Nothing is graded yet")])
async def test_what_is_known_of_somebody_who_left_is_shown(casino: Casino, command: str, told: str) -> None:
    gone = await left(casino)
    text = text_of(await casino.ask(command, member=gone))
    assert told in text


async def test_chips_are_taken_from_somebody_who_left(casino: Casino) -> None:
    """A prize is kept for them, so a manager must be able to take it."""
    gone = await left(casino)
    mona = manager(casino)
    answer = (await mona.slash(casino.channel, "casino take", member=gone, amount=100, reason="test")).response
    assert answer is not None
    assert "1,100 chips" in text_of(answer)


async def test_chips_do_not_go_to_somebody_who_left(casino: Casino) -> None:
    gone = await left(casino)
    assert "isn't on this server" in text_of(await casino.ask("give", member=gone, amount=5))
    mona = manager(casino)
    answer = (await mona.slash(casino.channel, "casino grant", member=gone, amount=100, reason="test")).response
    assert answer is not None
    assert "is not on this server" in text_of(answer)
    assert await casino.balance(casino.alice) == 1_000


async def test_a_gift_calls_who_gets_it(casino: Casino) -> None:
    question = await casino.ask("give", member=casino.bob, amount=50)
    await casino.alice.click(question, label="Give")
    news = [request.json for request in casino.env.http_requests if request.path.startswith("/webhooks/")][-1]
    assert news["allowed_mentions"]["users"] == [casino.bob.id]


def test_an_outdated_command_says_what_to_do() -> None:
    assert "Ctrl-R" in (sentence(app_commands.CommandNotFound("old", [])) or "")
