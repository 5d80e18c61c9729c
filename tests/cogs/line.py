"""The line to Discord, perfect unless a test says otherwise: then requests hang, are cut off, or take their time."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from fnmatch import fnmatch
from typing import Any

import aiohttp
import pytest
from simcord.http.client import FakeHTTPClient, FakeWebhookAdapter

#: Seconds; simcord's clock knows a sleep, and not an event that nobody sets.
_FOR_EVER = 1e7

Ask = Callable[..., Awaitable[Any]]


@dataclass(slots=True)
class _Fault:
    method: str
    path: str
    times: float
    happens: Callable[[Ask], Awaitable[Any]]


class Line:
    """The line between discord.py and simcord, for the bot's own requests and for answers to interactions."""

    def __init__(self) -> None:
        self._faults: list[_Fault] = []
        #: How many requests were cut off.
        self.lost = 0
        #: Seconds that each request and each answer is on its way, and bytes that get through in a second.
        self.each_way, self.bytes_a_second = 0.0, float("inf")

    def hang(self, method: str, path: str, times: float = 1) -> None:
        """Never answer the next requests like this."""

        async def silence(_: Ask) -> Any:
            await asyncio.sleep(_FOR_EVER)

        self._faults.append(_Fault(method, path, times, silence))

    def cut(self, method: str, path: str, times: float = 1, *, arrives: bool = False) -> None:
        """Cut the connection of the next requests like this, before they arrive or after it."""

        async def broken(ask: Ask) -> Any:
            self.lost += 1
            if arrives:
                await ask()
            raise aiohttp.ServerDisconnectedError

        self._faults.append(_Fault(method, path, times, broken))

    def unnamed(self) -> None:
        """Leave the id of the message out of the next answer to an interaction: Discord calls it optional."""

        async def nameless(ask: Ask) -> Any:
            answer = await ask()
            del answer["interaction"]["response_message_id"]
            return answer

        self._faults.append(_Fault("POST", "/interactions/*/callback", 1, nameless))

    def mended(self) -> None:
        """Let everything through from now on."""
        self._faults.clear()

    async def pass_on(self, method: str, path: str, size: int, ask: Ask) -> Any:
        """Send a request over this line."""
        for fault in self._faults:
            if fault.method == method and fnmatch(path, fault.path) and fault.times > 0:
                fault.times -= 1
                return await fault.happens(ask)
        if not self.each_way:
            return await ask()
        await asyncio.sleep(self.each_way + size / self.bytes_a_second)
        answer = await ask()
        await asyncio.sleep(self.each_way)
        return answer


def laid(monkeypatch: pytest.MonkeyPatch) -> Line:
    """Lay a line under every bot that is started from now on."""
    line = Line()
    for transport in (FakeHTTPClient, FakeWebhookAdapter):
        monkeypatch.setattr(transport, "request", _over(line, transport.request))
    return line


def _over(line: Line, request: Any) -> Any:
    async def over(self: Any, route: Any, *rest: Any, **sent: Any) -> Any:
        async def ask() -> Any:
            return await request(self, route, *rest, **sent)

        path = route.url.split("?")[0].split("/api/v", 1)[-1].partition("/")[2]
        return await line.pass_on(route.method, f"/{path}", _size(sent.get("files")), ask)

    return over


def _size(files: Any) -> int:
    return sum(len(file.fp.getbuffer()) for file in files or ())
