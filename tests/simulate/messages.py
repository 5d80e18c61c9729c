"""Discord as the presenter and the tournaments see it: channels that take messages, or do not."""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any, Final

import discord

from cogs.table.style import Names
from engine.tables.table import Table
from engine.tournament.ports import ChannelGone
from engine.tournament.view import TournamentView

#: What goes wrong, by how it shows. "answer lost" and "late" happen after Discord has done what was asked.
FAULTS: Final = ("500", "429", "403", "404", "expired", "answer lost", "late")

_EPOCH_MS: Final = 1_420_070_400_000


def failure(kind: str) -> discord.HTTPException:
    """What discord.py raises."""
    status, code, raised = {
        "403": (403, 50001, discord.Forbidden),
        "404": (404, 10008, discord.NotFound),
        "expired": (404, 50027, discord.NotFound),
        "429": (429, 0, discord.HTTPException),
    }.get(kind, (500, 0, discord.DiscordServerError))
    response: Any = SimpleNamespace(status=status, reason=kind)
    return raised(response, {"code": code, "message": kind})


@dataclass
class Server:
    """All messages there are: they outlive every process of ours."""

    now: Callable[[], float]
    injected: Counter[str]
    chance: random.Random = field(default_factory=lambda: random.Random(0))
    coming: list[str] = field(default_factory=list)
    shown: dict[int, Any] = field(default_factory=dict)
    #: Messages of which nobody can know what stands on them, for Discord's answer was lost.
    doubtful: set[int] = field(default_factory=set)
    posts: int = 0
    edits: int = 0

    def snowflake(self) -> int:
        self.posts += 1
        return (int(self.now() * 1000) - _EPOCH_MS) << 22 | self.posts & 0x3FFFFF

    async def send(self, shown: Any) -> int:
        fault = await self._fault()
        message = self.snowflake()
        self.shown[message] = shown
        if fault:
            raise failure("500")
        return message

    async def edit(self, message: int, shown: Any) -> None:
        if message not in self.shown:
            raise failure("404")
        self.doubtful.add(message)  # until it is answered
        fault = await self._fault()
        self.edits += 1
        self.shown[message] = shown
        if fault:
            raise failure("500")
        self.doubtful.discard(message)

    async def _fault(self) -> str:
        """What happens before it is done; what happens afterwards is given back."""
        fault = self.coming.pop(0) if self.coming else ""
        await asyncio.sleep(self.chance.uniform(3, 20) if fault == "late" else self.chance.uniform(0.02, 0.2))
        if fault:
            self.injected[f"Discord: {fault}"] += 1
        if fault in ("", "late"):
            return ""
        if fault != "answer lost":
            raise failure(fault)
        return fault


def _written(view: discord.ui.LayoutView) -> Any:
    return view.to_components()


class _Channel:
    def __init__(self, server: Server) -> None:
        self._server = server

    async def send(self, *, view: discord.ui.LayoutView, **_: Any) -> Any:
        return SimpleNamespace(id=await self._server.send(_written(view)))

    def get_partial_message(self, message: int) -> Any:
        async def edit(*, view: discord.ui.LayoutView, **_: Any) -> None:
            await self._server.edit(message, _written(view))

        return SimpleNamespace(edit=edit)


class Port:
    """All that the presenter asks a bot for."""

    def __init__(self, server: Server, bank: Any) -> None:
        self._server = server
        self.bank = bank
        self.names = Names()

    def is_ready(self) -> bool:
        return True

    def get_guild(self, _: int) -> None:
        return None

    def get_partial_messageable(self, *_: Any, **__: Any) -> _Channel:
        return _Channel(self._server)


class Crier:
    """The announcer, as far as channels are concerned: its sentences are not what is tried here."""

    def __init__(self, server: Server, put_up: Callable[[Table], Any]) -> None:
        self._server = server
        self._put_up = put_up

    async def _say(self, word: str) -> int:
        try:
            return await self._server.send(word)
        except discord.Forbidden:
            raise ChannelGone from None

    async def sign_up(self, view: TournamentView) -> int:
        said = await self._say("sign-up")
        return view.state.message or said

    async def remind(self, view: TournamentView) -> None:
        await self._say("reminder")

    async def channel_of(self, view: TournamentView, number: int) -> int:
        return await self._say(f"table {number}")

    async def put_up(self, table: Table) -> None:
        try:
            await self._put_up(table)
        except discord.Forbidden:
            raise ChannelGone from None

    async def standings(self, view: TournamentView) -> int:
        said = await self._say("standings")
        return view.state.standings or said

    async def farewell(self, view: TournamentView) -> None:
        await self._say("farewell")
