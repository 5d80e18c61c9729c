"""A promise whose answer is lost or has to be repeated: real discord.py against a stand-in for Discord's own nonces."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import Any

import aiohttp
import discord
import pytest
from aiohttp import web

from cogs.table.poster import DiscordPoster, post
from engine.tables.ports import ChannelClosed, NotPosted

from ..conftest import Casino

CHANNEL = 70
_ME = {"id": "1", "username": "croupier", "discriminator": "0", "avatar": None}


@dataclass
class Channel:
    """A channel that keeps each message once for each nonce, as Discord does where a nonce is enforced, and fails as it
    is told to.
    """

    faults: list[str] = field(default_factory=list)  # of the next requests
    bodies: list[dict[str, Any]] = field(default_factory=list)
    messages: dict[str, int] = field(default_factory=dict)

    async def me(self, _: web.Request) -> web.Response:
        return _json(_ME)

    async def app(self, _: web.Request) -> web.Response:
        return _json({"id": "1", "name": "croupier", "description": "", "icon": None, "owner": _ME, "bot_public": True,
                      "bot_require_code_grant": False, "verify_key": "", "flags": 0})  # fmt: skip

    async def send(self, request: web.Request) -> web.StreamResponse:
        body = await request.json()
        self.bodies.append(body)
        fault = self.faults.pop(0) if self.faults else ""
        if fault == "wait":
            waits = {"message": "You are being rate limited.", "retry_after": 60.0, "global": False}
            return web.json_response(waits, status=429, headers={"Via": "1.1 google"})
        if fault.isdigit() and int(fault) < 500:
            return _json({"code": 0, "message": "no"}, status=int(fault))
        message = self.messages.setdefault(body["nonce"], 9_000 + len(self.messages))
        if fault == "cut" and request.transport is not None:
            request.transport.close()
        if fault.isdigit():
            return _json({"code": 0, "message": "later"}, status=int(fault))
        return _json(_message(message, body["content"]))


def _json(value: dict[str, Any], status: int = 200) -> web.Response:
    """Return JSON with the content type that Discord sends: discord.py takes no other."""
    return web.Response(body=json.dumps(value).encode(), status=status, headers={"Content-Type": "application/json"})


def _message(number: int, content: str) -> dict[str, Any]:
    empty: dict[str, Any] = {name: [] for name in ("mentions", "mention_roles", "attachments", "embeds", "components")}
    told = {"id": str(number), "channel_id": str(CHANNEL), "author": _ME, "content": content, "type": 0}
    return {**empty, **told, "timestamp": "2026-11-18T15:00:00+00:00", "edited_timestamp": None, "tts": False,
            "mention_everyone": False, "pinned": False}  # fmt: skip


@pytest.fixture
def channel() -> Channel:
    return Channel()


@pytest.fixture
async def here(channel: Channel, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[discord.PartialMessageable]:
    """The channel, as discord.py reaches it."""
    app = web.Application()
    app.add_routes(
        [
            web.get("/users/@me", channel.me),
            web.get("/oauth2/applications/@me", channel.app),
            web.post(f"/channels/{CHANNEL}/messages", channel.send),
        ]
    )
    runner = web.AppRunner(app)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    host, port = runner.addresses[0][:2]
    monkeypatch.setattr("discord.http.Route.BASE", f"http://{host}:{port}")
    client = discord.Client(intents=discord.Intents.none(), max_ratelimit_timeout=30.0)
    await client.login("token")
    yield client.get_partial_messageable(CHANNEL)
    await client.close()
    await runner.cleanup()


async def test_an_answer_that_comes_the_second_time_is_of_the_one_message(
    channel: Channel, here: discord.PartialMessageable
) -> None:
    channel.faults = ["502"]
    assert await post(here, "-# Promise") == 9_000
    first, second = channel.bodies
    assert first["nonce"] == second["nonce"]
    assert first["enforce_nonce"] is second["enforce_nonce"] is True
    assert list(channel.messages.values()) == [9_000]


async def test_a_promise_is_no_answer_and_has_nothing_to_press(
    channel: Channel, here: discord.PartialMessageable
) -> None:
    await post(here, "-# Promise")
    (body,) = channel.bodies
    assert not {"components", "message_reference", "embeds"} & {name for name, value in body.items() if value}
    flags = discord.MessageFlags._from_value(body["flags"])
    assert (flags.suppress_notifications, flags.suppress_embeds) == (True, True), "it rings nobody's phone"


@pytest.mark.parametrize(("fault", "raised"), [("cut", aiohttp.ClientError), ("503", discord.DiscordServerError)])
async def test_where_the_answer_is_lost_nobody_says_that_it_was_not_posted(
    channel: Channel, here: discord.PartialMessageable, fault: str, raised: type[Exception]
) -> None:
    """It may be there, and it is: so its chain has to be given up, and not be promised again."""
    channel.faults = [fault]
    with pytest.raises(raised):
        await post(here, "-# Promise")
    assert len(channel.messages) == 1


@pytest.mark.parametrize(
    ("status", "kind"), [("400", NotPosted), ("403", ChannelClosed), ("404", ChannelClosed), ("wait", NotPosted)]
)
async def test_what_discord_refused_is_surely_not_there(
    channel: Channel, here: discord.PartialMessageable, status: str, kind: type[Exception]
) -> None:
    channel.faults = [status]
    with pytest.raises(NotPosted) as refused:
        await post(here, "-# Promise")
    assert type(refused.value) is kind
    assert channel.messages == {}


@pytest.mark.parametrize(("status", "code", "stands"), [(404, 10008, False), (403, 50001, True), (400, 50035, True)])
async def test_only_a_promise_that_discord_says_is_gone_was_deleted(
    casino: Casino, status: int, code: int, *, stands: bool
) -> None:
    await casino.sealed_table()
    chain = casino.table._position.sealing.chain
    assert chain is not None
    poster = DiscordPoster(casino.bot)
    assert await poster.stands(chain.promise)
    casino.env.inject_error("GET", "/channels/*/messages/*", status=status, code=code)
    assert await poster.stands(chain.promise) is stands
