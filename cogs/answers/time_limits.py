"""The time limit of requests to Discord, because discord.py waits for minutes, or hours where it is throttled."""

from __future__ import annotations

import asyncio
from typing import Any, Final

import aiohttp
import discord
from discord.http import Route

#: Errors which mean that Discord did not take a request, or may not have taken it.
LOST: Final = (discord.HTTPException, discord.RateLimited, aiohttp.ClientError, ConnectionError, TimeoutError)

#: Seconds for one request, with all waits for Discord's rate limits.
REQUEST: Final = 10.0

#: The longest wait in seconds that a rate limit may ask for, before discord.py gives up. It accepts no lower limit.
THROTTLED: Final = 30.0


def limit_requests(client: discord.Client) -> None:
    """Make every request of this client raise TimeoutError if Discord does not answer within ten seconds.

    Every request with the bot's token passes `http.request`, and every download of a file that somebody sent passes
    `http.get_from_cdn`, so no caller can forget the limit. Answers to interactions pass elsewhere, and have the same
    limit in `Reply`.
    """
    ask, load = client.http.request, client.http.get_from_cdn

    async def request(route: Route, **sent: Any) -> Any:
        async with asyncio.timeout(REQUEST):
            return await ask(route, **sent)

    async def get_from_cdn(url: str) -> bytes:
        async with asyncio.timeout(REQUEST):
            return await load(url)

    client.http.request = request  # type: ignore[method-assign]
    client.http.get_from_cdn = get_from_cdn  # type: ignore[method-assign]
