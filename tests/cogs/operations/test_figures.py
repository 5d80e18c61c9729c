"""The figures that Prometheus reads: presses, requests, tables, and never anything of a person."""

from __future__ import annotations

import asyncio
import math
import re
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import aiohttp
import discord
import pytest
from aiohttp import web
from prometheus_client import REGISTRY
from prometheus_client.parser import text_string_to_metric_families

from bot import CasinoBot, create_bot
from cogs.operations import figures
from cogs.table import components
from settings import Settings

from ..conftest import Casino, asked

TOKEN = "aW50ZXJhY3Rpb246MTIzNDU2Nzg5MDEyMzQ1Njc4OTo"


def counted(name: str, **labels: str) -> float:
    return REGISTRY.get_sample_value(name, labels) or 0.0


@pytest.mark.parametrize(
    ("path", "route"),
    [
        ("/api/v10/users/@me", "/users/@me"),
        ("/api/v10/channels/1234567890/messages/987654321", "/channels/:id/messages/:id"),
        (f"/api/v10/interactions/123456/{TOKEN}/callback", "/interactions/:id/:token/callback"),
        (f"/api/v10/webhooks/123456/{TOKEN}/messages/@original", "/webhooks/:id/:token/messages/@original"),
        (f"/api/v10/webhooks/123456/{TOKEN}", "/webhooks/:id/:token"),
        ("/api/v10/gateway/bot", "/gateway/bot"),
        ("/ephemeral-attachments/123456/654321/chips of Alice.csv", "/ephemeral-attachments/:id/:id/:file"),
        ("/api/v10/channels/123/messages/456/reactions/%F0%9F/@me", "/channels/:id/messages/:id/reactions/:emoji/@me"),
    ],
)
def test_a_route_has_no_ids_no_tokens_and_no_names_of_files(path: str, route: str) -> None:
    assert figures.route_of(path) == route


@asynccontextmanager
async def server(status: int) -> AsyncIterator[str]:
    async def answer(_: web.Request) -> web.Response:
        return web.json_response({}, status=status)

    app = web.Application()
    app.router.add_route("*", "/{path:.*}", answer)
    runner = web.AppRunner(app)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    try:
        yield f"http://127.0.0.1:{runner.addresses[0][1]}"
    finally:
        await runner.cleanup()


async def test_requests_to_discord_are_counted_by_route_and_status() -> None:
    labels = {"method": "PATCH", "route": "/channels/:id/messages/:id", "status": "429"}
    before = counted("croupier_discord_requests_total", **labels)
    async with server(429) as address, aiohttp.ClientSession(trace_configs=[figures.request_trace()]) as session:
        await session.patch(f"{address}/api/v10/channels/1234/messages/5678")
    assert counted("croupier_discord_requests_total", **labels) == before + 1


async def test_a_request_that_gets_no_answer_is_counted_too() -> None:
    labels = {"method": "GET", "route": "/users/@me", "status": "none"}
    before = counted("croupier_discord_requests_total", **labels)
    async with aiohttp.ClientSession(trace_configs=[figures.request_trace()]) as session:
        with pytest.raises(aiohttp.ClientError):
            await session.get("http://127.0.0.1:1/api/v10/users/@me")
    assert counted("croupier_discord_requests_total", **labels) == before + 1


def test_the_bots_own_requests_are_counted(settings: Settings) -> None:
    assert isinstance(create_bot(settings).http.http_trace, aiohttp.TraceConfig)


async def test_presses_are_counted_by_what_they_are(casino: Casino) -> None:
    components._kept.clear()  # of pictures that earlier tests have seen
    before = {kind: counted("croupier_press_seconds_count", kind=kind) for kind in ("blackjack", "button")}
    pictures = counted("croupier_part_seconds_count", part="picture")
    await casino.until(asked)
    await casino.click("Hit")
    assert counted("croupier_press_seconds_count", kind="blackjack") == before["blackjack"] + 1
    assert counted("croupier_press_seconds_count", kind="button") > before["button"]
    assert counted("croupier_part_seconds_count", part="picture") > pictures


async def test_a_form_is_counted_as_one(casino: Casino) -> None:
    await casino.sealed_table()
    before = counted("croupier_press_seconds_count", kind="form")
    await casino.alice.submit_modal(await casino.click("Bet"), {"chips": "10"})
    assert counted("croupier_press_seconds_count", kind="form") == before + 1


async def test_open_tables_are_told_by_game_and_phase(casino: Casino) -> None:
    await casino.until(asked)
    found = {family.name: family for family in text_string_to_metric_families(figures.exposition(casino.bot).decode())}
    (sample,) = found["croupier_open_tables"].samples
    assert (sample.labels, sample.value) == ({"game": "blackjack", "phase": "playing"}, 1.0)
    assert found["croupier_guilds"].samples[0].value == 1.0
    assert found["croupier_tasks"].samples[0].value > 0


async def test_what_waits_for_the_coach_and_what_was_graded_is_told(casino: Casino) -> None:
    graded = counted("croupier_graded_rounds_total")
    await casino.deal("T 9 / T 7")
    await casino.play_on()
    assert value(casino, "croupier_ungraded_rounds") == 1
    assert value(casino, "croupier_coach_waiting") == 0
    await casino.env.advance_time(31)
    assert value(casino, "croupier_ungraded_rounds") == 0
    assert counted("croupier_graded_rounds_total") == graded + 1


def value(casino: Casino, name: str) -> float:
    """A figure that is looked up when somebody asks."""
    found = {family.name: family for family in text_string_to_metric_families(figures.exposition(casino.bot).decode())}
    return float(found[name].samples[0].value)


async def test_no_id_and_no_name_is_told(casino: Casino) -> None:
    await casino.until(asked)
    lines = figures.exposition(casino.bot).decode().splitlines()
    ours = [line for line in lines if line.startswith("croupier_")]
    ids = (casino.guild.id, casino.channel.id, casino.alice.id)
    assert ours
    assert not [line for line in ours if re.search(r"\{[^}]*\d{5,}", line)]
    assert not [line for line in ours if any(str(number) in line for number in ids) or "alice" in line]


async def test_nothing_is_asked_of_a_bot_that_has_not_signed_in() -> None:
    bot = create_bot(Settings())
    assert b"croupier_guilds 0.0" in figures.exposition(bot)
    assert isinstance(bot, discord.AutoShardedClient)


class HalfConnected(CasinoBot):
    latencies = [(0, 0.05), (1, math.inf)]  # noqa: RUF012 - as discord.py has it


async def test_a_shard_that_is_not_connected_has_no_heartbeat() -> None:
    told = figures.exposition(HalfConnected(Settings(shard_count=2))).decode()
    assert 'croupier_gateway_latency_seconds{shard="0"} 0.05' in told
    assert 'shard="1"' not in told


async def test_the_gateways_connection_is_no_request() -> None:
    before = counted("croupier_discord_request_seconds_count", method="GET")
    async with server(101) as address, aiohttp.ClientSession(trace_configs=[figures.request_trace()]) as session:
        for path in ("/api/v10/gateway/bot", "/"):
            (await session.get(f"{address}{path}")).close()
    assert counted("croupier_discord_request_seconds_count", method="GET") == before
    async with server(200) as address, aiohttp.ClientSession(trace_configs=[figures.request_trace()]) as session:
        await session.get(f"{address}/api/v10/gateway/bot")
    assert counted("croupier_discord_request_seconds_count", method="GET") == before + 1


async def test_how_late_the_loop_is_is_measured() -> None:
    late = ("croupier_loop_lag_seconds_count", "croupier_loop_lag_seconds_sum")
    before = [counted(name) for name in late]
    measuring = asyncio.create_task(figures.measure_lag(every=0.01))
    await asyncio.sleep(0)
    time.sleep(0.2)  # noqa: ASYNC251, nobody is served meanwhile
    await asyncio.sleep(0.02)
    measuring.cancel()
    times, seconds = (counted(name) - was for name, was in zip(late, before, strict=True))
    assert times >= 1
    assert seconds > 0.1


async def test_each_figure_says_what_it_is(casino: Casino) -> None:
    families = text_string_to_metric_families(figures.exposition(casino.bot).decode())
    told = {family.name.removeprefix("croupier_"): family.documentation for family in families}
    assert (
        told.items()
        >= {
            "press_seconds": "From an interaction's arrival until it was answered and the table drawn.",
            "mishaps": "Interactions that were answered with an error number.",
            "discord_requests": "Requests to Discord.",
            "discord_request_seconds": "How long Discord took to answer.",
            "graded_rounds": "Rounds whose play was graded.",
            "audit_timestamp_seconds": "When the last audit ended.",
            "audit_seconds": "How long the last audit took.",
            "audit_faults": "What the last audit found wrong.",
            "loop_lag_seconds": "How late the event loop came to what was due.",
            "tasks": "Tasks of the event loop.",
            "guilds": "Servers that this process serves.",
            "gateway_latency_seconds": "Heartbeat of each shard that is connected.",
            "coach_waiting": "Questions that the coach has not begun.",
            "ungraded_rounds": "Rounds just played that are to be graded.",
            "open_tables": "Tables in this process.",
        }.items()
    )
