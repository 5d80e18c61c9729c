"""Discord waits three seconds. What takes longer is acknowledged first, and answered in the right place."""

from __future__ import annotations

import asyncio
import contextlib
import json
import re
from collections.abc import Awaitable, Callable, Iterator
from io import BytesIO
from pathlib import Path
from typing import Any

import discord
import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer
from discord.http import Route
from simcord.http.client import FakeHTTPClient

from bot import create_bot
from cogs.answers import reply, serving, suggesting, time_limits
from engine.tables.refused import Reason, Refused
from engine.tables.table import Table
from settings import Settings

from ..conftest import Casino, text_of
from ..line import Line

#: Seconds after which a press is late here.
SOON = 0.1


@contextlib.contextmanager
def slow(part: object, name: str) -> Iterator[None]:
    """Let the part of the bank take longer over this than anybody waits."""
    at_once: Callable[..., Awaitable[Any]] = getattr(part, name)

    async def late(*args: Any, **more: Any) -> Any:
        await asyncio.sleep(2 * SOON)
        return await at_once(*args, **more)

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(part, name, late)
        patched.setattr(serving, "PATIENCE", SOON)
        yield


async def test_a_form_cannot_follow_an_acknowledgement_and_the_person_is_told(casino: Casino) -> None:
    await casino.sealed_table()
    await casino.restart()  # nobody's language is known
    with slow(casino.bot.bank.members, "known"):
        result = await casino.click("Bet")
    assert result.modal is None
    assert [answer.content for answer in result.followups] == ["That took too long just now. Press again."]
    assert (await casino.click("Bet")).modal is not None


async def test_a_late_copy_of_the_leaderboard_leaves_the_first_one_alone(casino: Casino) -> None:
    await casino.ask("leaderboard")
    shown, before = casino.message, text_of(casino.message)
    with slow(casino.bot.bank.ladders, "leaderboard"):
        result = await casino.bob.click(shown, label="Winnings")
    (copy,) = result.followups
    assert copy.ephemeral
    assert "Winnings" in text_of(copy)
    assert text_of(shown) == before


async def test_a_table_that_came_late_stays_when_its_first_stake_is_refused(
    casino: Casino, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def refused(*_: Any, **__: Any) -> Any:
        raise Refused(Reason.BANK_UNAVAILABLE)

    monkeypatch.setattr(Table, "stake", refused)
    with slow(casino.bot.bank.guilds, "house"):
        result = await casino.blackjack(bet=5)
    (told,) = result.followups
    assert told.ephemeral
    assert "The bank can't save anything right now" in told.content
    assert "[Sealed before the deal](" in casino.text
    assert casino.snapshot.message == casino.message.id
    assert not [request for request in casino.env.http_requests if request.method == "DELETE"]


async def test_a_table_that_a_late_key_of_the_rules_opens_is_in_a_message_of_its_own(casino: Casino) -> None:
    """The key stands on a page that only its presser sees."""
    page = await casino.ask("rules")
    with slow(casino.bot.bank.guilds, "house"):
        await casino.alice.click(page, label="vegas")
    assert casino.snapshot.message == casino.message.id != page.message.id
    assert "Stand" in casino.labels()
    await casino.play_on()
    assert casino.keys()[0] == "Deal"


async def test_nobody_else_sees_why_a_late_command_was_refused(casino: Casino, monkeypatch: pytest.MonkeyPatch) -> None:
    """All see that the bot thinks, and the first answer after that would be public: what stands there goes first."""

    async def refused(*_: Any, **__: Any) -> Any:
        await asyncio.sleep(2 * SOON)
        raise Refused(Reason.BANK_UNAVAILABLE)

    monkeypatch.setattr(serving, "PATIENCE", SOON)
    monkeypatch.setattr(casino.bot.registry, "open", refused)
    await casino.blackjack(bet=5)
    deleted, told = casino.env.http_requests[-2:]
    assert (deleted.method, deleted.path.rpartition("/")[2]) == ("DELETE", "@original")
    assert isinstance(told.json, dict)
    assert "The bank can't save anything right now" in told.json["content"]
    assert told.json["flags"] == discord.MessageFlags(ephemeral=True).value


async def test_a_late_private_refusal_follows_where_only_its_asker_saw_the_bot_think(casino: Casino) -> None:
    await casino.ask("balance")
    since = len(casino.env.http_requests)
    with slow(casino.bot.bank.guilds, "rule_sets"):
        await casino.alice.slash(casino.channel, "rules", name="nonsense")
    thinks, told = casino.env.http_requests[since:]
    private = discord.MessageFlags(ephemeral=True).value
    assert (thinks.json["type"], thinks.json["data"]["flags"]) == (5, private)  # type: ignore[index]
    assert told.json["flags"] == private  # type: ignore[index]
    assert "There is no rule set called **nonsense** here." in told.json["content"]  # type: ignore[index]


# -- time limits -------------------------------------------------------------------------------------------------------


def test_the_limits_leave_time_before_those_of_discord() -> None:
    """It waits for three seconds, and takes the token of an interaction for fifteen minutes."""
    assert (serving.PATIENCE, suggesting.IN_TIME) == (1.5, 3.0)
    assert (reply.TOKEN, reply.SLOW) == (14 * 60, 1.0)
    assert (time_limits.REQUEST, time_limits.THROTTLED) == (10.0, 30.0)


def test_answers_leave_only_where_their_time_is_limited() -> None:
    ways = re.compile(r"\.followup\b|interaction\.response\.|_original_response\b")
    using = {path.name for path in Path("cogs").rglob("*.py") if ways.search(path.read_text())}
    assert using == {"reply.py", "suggesting.py"}


async def test_a_file_that_somebody_sent_and_that_never_loads_is_given_up(
    casino: Casino, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def silent(_: object, url: str) -> bytes:
        await asyncio.sleep(1e7)
        raise AssertionError(url)

    monkeypatch.setattr(FakeHTTPClient, "get_from_cdn", silent)
    await casino.restart()
    monkeypatch.setattr(time_limits, "REQUEST", 0.01)
    with pytest.raises(TimeoutError):
        await casino.bot.http.get_from_cdn("https://cdn.discordapp.com/balances.csv")


async def test_a_wait_of_minutes_that_discord_asks_for_is_not_waited(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """discord.py itself asks here, and a server on this machine answers as Discord did where threads were made."""

    async def throttled(request: web.Request) -> web.Response:
        asks_who = request.path.endswith("/users/@me")
        told = {"id": "1"} if asks_who else {"retry_after": 219.0, "global": False}
        headers = {"Content-Type": "application/json", "Via": "1.1 google", "X-RateLimit-Scope": "shared"}
        return web.Response(body=json.dumps(told), status=200 if asks_who else 429, headers=headers)

    app = web.Application()
    app.router.add_route("*", "/{path:.*}", throttled)
    async with TestServer(app) as server:
        monkeypatch.setattr(Route, "BASE", str(server.make_url("/api/v10")))
        bot = create_bot(settings)
        try:
            await bot.http.static_login("a token")
            with pytest.raises(discord.RateLimited) as refused:
                await bot.http.request(Route("POST", "/channels/{channel_id}/threads", channel_id=1), json={})
        finally:
            await bot.http.close()
    assert isinstance(refused.value, time_limits.LOST)


# -- pictures on a slow line -------------------------------------------------------------------------------------------


async def test_where_pictures_took_long_lately_a_press_is_acknowledged_before_the_next_one(
    casino: Casino, line: Line, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A first answer that is under way for three seconds is too late: the presser would see red."""
    monkeypatch.setattr(reply, "SLOW", 0.05)
    await casino.deal("5 4 / 9 ? | 2 3 2")
    line.each_way, line.bytes_a_second = 0.02, 200_000.0
    since = len(casino.env.http_requests)
    await casino.click("Hit")
    await casino.click("Hit")
    answers = [request for request in casino.env.http_requests[since:] if request.method in {"POST", "PATCH"}]
    assert [request.json.get("type", "edit") for request in answers] == [7, 6, "edit"]
    assert len(casino.snapshot.view.seats[0].hands[0].cards) == 4
    assert casino.keys()[0] == "Hit"


async def test_a_slow_upload_is_forgotten_after_some_quick_ones() -> None:
    uploads, file = reply.Uploads(), discord.File(BytesIO(b"picture"), "picture.png")
    uploads._took.append(reply.SLOW + 1)
    assert uploads.are_slow
    for quick in range(10):
        assert uploads.are_slow, f"only {quick} were quick"
        with uploads.timed([file]):
            pass
    assert not uploads.are_slow
    with uploads.timed(None):
        await asyncio.sleep(0.01)
    uploads._took.append(1.0)
    assert not uploads.are_slow
    uploads._took.append(1.01)
    assert uploads.are_slow
