"""A small web server for monitoring: whether the bot is alive and ready, and its metrics."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

from aiohttp import web

from cogs.operations.figures import Watched, exposition, measure_lag
from engine.tables.ports import BankUnavailable

log = logging.getLogger(__name__)

#: The most seconds to wait for the bank before a process counts as not ready.
PATIENCE: Final = 2.0


async def obstacles(bot: Watched) -> list[str]:
    """Return the reasons why this process is not ready, or an empty list if it is."""
    if bot.stopping:
        return ["it is stopping"]
    if not bot.is_ready():
        return ["it has not signed in to all its shards yet"]
    away = [f"shard {shard.id} is not connected" for shard in bot.shards.values() if shard.is_closed()]
    try:
        async with asyncio.timeout(PATIENCE):
            await bot.bank.auditor.stakes_stopped()
    except (BankUnavailable, TimeoutError) as error:
        return [*away, str(error) or "the bank does not answer"]
    return away


def _app(bot: Watched) -> web.Application:
    async def healthz(_: web.Request) -> web.Response:
        """Answer `ok`, which shows that the event loop runs."""
        return web.Response(text="ok\n")

    async def readyz(_: web.Request) -> web.Response:
        found = await obstacles(bot)
        return web.Response(text="".join(f"{line}\n" for line in found or ["ready"]), status=503 if found else 200)

    async def metrics(_: web.Request) -> web.Response:
        return web.Response(body=exposition(bot), headers={"Content-Type": "text/plain; version=0.0.4; charset=utf-8"})

    app = web.Application()
    app.add_routes([web.get("/healthz", healthz), web.get("/readyz", readyz), web.get("/metrics", metrics)])
    return app


@asynccontextmanager
async def monitored(bot: Watched, address: tuple[str, int] | None) -> AsyncIterator[int | None]:
    """Run the web server and measure the event loop's lag while the block runs, and yield the server's port.

    Yield None if monitoring is off (`address` is None) or the port cannot be had: the game goes on without it.
    """
    if address is None:
        yield None
        return
    runner = web.AppRunner(_app(bot), access_log=None, shutdown_timeout=1.0)
    await runner.setup()
    lag = asyncio.create_task(measure_lag(), name="loop lag")
    try:
        yield await _listen(runner, *address)
    finally:
        lag.cancel()
        await runner.cleanup()


async def _listen(runner: web.AppRunner, host: str, port: int) -> int | None:
    try:
        await web.TCPSite(runner, host, port).start()
    except OSError as error:
        log.warning("nothing is served at %s:%d (%s). Set MONITOR to another address, or to off.", host, port, error)
        return None
    taken: int = runner.addresses[0][1]
    log.info("health and figures at http://%s:%d/healthz, /readyz and /metrics", host, taken)
    return taken
