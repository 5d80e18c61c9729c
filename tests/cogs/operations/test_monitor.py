"""Health, readiness and figures over HTTP."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator

import aiohttp
import discord
import pytest

from bot import create_bot
from cogs.operations import monitor
from cogs.operations.monitor import monitored
from engine.tables.ports import BankUnavailable
from settings import Settings

from ..conftest import Casino


@pytest.fixture
async def address(casino: Casino) -> AsyncIterator[str]:
    async with monitored(casino.bot, ("127.0.0.1", 0)) as port:
        yield f"http://127.0.0.1:{port}"


async def get(address: str) -> tuple[int, str]:
    async with aiohttp.ClientSession() as session, session.get(address) as answer:
        return answer.status, await answer.text()


async def test_a_bot_at_work_is_alive_and_ready(casino: Casino, address: str) -> None:
    assert await get(f"{address}/healthz") == (200, "ok\n")
    assert await get(f"{address}/readyz") == (200, "ready\n")


async def test_before_it_has_signed_in_it_is_alive_and_not_ready() -> None:
    async with monitored(create_bot(Settings()), ("127.0.0.1", 0)) as port:
        assert (await get(f"http://127.0.0.1:{port}/healthz"))[0] == 200
        assert await get(f"http://127.0.0.1:{port}/readyz") == (
            503,
            "it has not signed in to all its shards yet\n",
        )


async def test_without_its_bank_it_is_not_ready(casino: Casino, address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async def gone() -> None:
        raise BankUnavailable("The bank's server does not answer.")

    monkeypatch.setattr(casino.bot.bank.auditor, "stakes_stopped", gone)
    assert await get(f"{address}/readyz") == (503, "The bank's server does not answer.\n")
    assert (await get(f"{address}/healthz"))[0] == 200


async def test_while_it_stops_it_is_not_ready(casino: Casino, address: str) -> None:
    await casino.bot.park()
    assert await get(f"{address}/readyz") == (503, "it is stopping\n")


async def test_figures_are_served_as_prometheus_reads_them(casino: Casino, address: str) -> None:
    async with aiohttp.ClientSession() as session, session.get(f"{address}/metrics") as answer:
        status, text, kind = answer.status, await answer.text(), answer.headers["Content-Type"]
    assert (status, kind) == (200, "text/plain; version=0.0.4; charset=utf-8")
    assert "# TYPE croupier_press_seconds histogram" in text


async def test_a_taken_port_is_said_and_the_game_goes_on(casino: Casino, caplog: pytest.LogCaptureFixture) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        async with monitored(casino.bot, other.getsockname()) as port:
            assert port is None
    assert "Set MONITOR to another address, or to off." in caplog.text


async def test_it_can_be_switched_off(casino: Casino) -> None:
    async with monitored(casino.bot, None) as port:
        assert port is None


async def test_each_shard_that_lost_its_connection_is_named(
    casino: Casino, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def silent() -> None:
        await asyncio.sleep(60)

    monkeypatch.setattr(discord.ShardInfo, "is_closed", lambda shard: True)
    assert await get(f"{address}/readyz") == (503, "shard 0 is not connected\n")
    monkeypatch.setattr(monitor, "PATIENCE", 0.01)
    monkeypatch.setattr(casino.bot.bank.auditor, "stakes_stopped", silent)
    assert await get(f"{address}/readyz") == (503, "shard 0 is not connected\nthe bank does not answer\n")
