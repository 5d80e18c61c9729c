"""Discord as the presenter and the tournaments see it: channels that take messages, or do not."""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from contextvars import Context
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any, Final

import discord

from cogs.answers.clickable import CommandLinks
from cogs.answers.preferences import Names
from cogs.table.emoji import CardEmoji
from engine.tables.table import Table
from engine.tournament.ports import ChannelGone
from engine.tournament.view import TournamentView
from tests.simulate.disk import Disk

#: The failures by how they show. From "answer lost" on Discord does what was asked, in its own way.
FAULTS: Final = ("500", "429", "403", "404", "expired", "answer lost", "late", "doubled", "reordered")

_EPOCH_MS: Final = 1_420_070_400_000


def failure(kind: str) -> discord.HTTPException:
    """Return what discord.py raises."""
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
    #: Every plain text that was ever sent, including those of messages that are gone.
    said: dict[int, str] = field(default_factory=dict)
    #: When somebody deleted them.
    gone: dict[int, float] = field(default_factory=dict)
    #: Who has which role: server, user and role.
    roles: set[tuple[int, int, int]] = field(default_factory=set)
    #: Those that nobody can take back: Discord refused it, or they were forgotten.
    kept: set[tuple[int, int, int]] = field(default_factory=set)
    posts: int = 0
    edits: int = 0

    def snowflake(self) -> int:
        self.posts += 1
        return (int(self.now() * 1000) - _EPOCH_MS) << 22 | self.posts & 0x3FFFFF

    async def send(self, shown: Any) -> int:
        fault = await self._fault()
        if fault == "reordered":
            self._later(self._put_up, shown)
            raise failure("500")
        message = self._put_up(shown)
        if fault == "doubled":
            self._put_up(shown)
        if fault == "answer lost":
            raise failure("500")
        return message

    async def edit(self, message: int, shown: Any) -> None:
        self.doubtful.add(message)  # until it is answered
        fault = await self._fault()
        if message not in self.shown:
            raise failure("404")
        if fault == "reordered":
            self._later(self._draw_late, message, shown)
            raise failure("500")
        self.edits += 1
        self.shown[message] = shown
        if fault == "answer lost":
            raise failure("500")
        self.doubtful.discard(message)

    async def fetch(self, message: int) -> None:
        """Whether it is there."""
        fault = await self._fault()
        if fault in ("reordered", "answer lost"):
            raise failure("500")
        if message not in self.shown:
            raise failure("404")

    async def whisper(self, _: str) -> None:
        """Show a message to one person only."""
        if await self._fault() in ("reordered", "answer lost"):
            raise failure("500")

    async def asks_for_member(self) -> None:
        """They are there, whether the answer arrives or not."""
        fault = self.coming.pop(0) if self.coming else ""
        await asyncio.sleep(self.chance.uniform(0.02, 0.2))
        if fault:
            self.injected[f"Discord: {fault}"] += 1
            raise failure("500")

    async def changes_role(self, who: tuple[int, int, int], *, has: bool) -> None:
        """Give a role or take it away."""
        try:
            fault = await self._fault()
        except (discord.Forbidden, discord.NotFound):
            self.kept |= set() if has else {who}
            raise
        (self.roles.add if has else self.roles.discard)(who)
        if fault in ("answer lost", "reordered"):
            raise failure("500")

    def delete(self, message: int) -> None:
        """Delete a message, as people can who may manage messages."""
        if self.shown.pop(message, None) is not None:
            self.gone[message] = asyncio.get_running_loop().time()

    def _put_up(self, shown: Any) -> int:
        message = self.snowflake()
        self.shown[message] = shown
        if isinstance(shown, str):
            self.said[message] = shown
        return message

    def _draw_late(self, message: int, shown: Any) -> None:
        """Draw what comes after everything that was drawn since."""
        if message in self.shown:
            self.shown[message] = shown
            self.doubtful.add(message)

    def _later(self, work: Callable[..., Any], *more: Any) -> None:
        asyncio.get_running_loop().call_later(self.chance.uniform(1, 30), work, *more, context=Context())

    async def _fault(self) -> str:
        """Raise an outright failure, or return what goes wrong in another way."""
        fault = self.coming.pop(0) if self.coming else ""
        await asyncio.sleep(self.chance.uniform(3, 20) if fault == "late" else self.chance.uniform(0.02, 0.2))
        if fault:
            self.injected[f"Discord: {fault}"] += 1
        if fault in ("500", "429", "403", "404", "expired"):
            raise failure(fault)
        return fault


@dataclass(frozen=True)
class Line:
    """The line from one process to Discord. Nothing leaves it after the process was killed."""

    server: Server
    disk: Disk

    async def send(self, shown: Any) -> int:
        await self._reached()
        return await self.server.send(shown)

    async def edit(self, message: int, shown: Any) -> None:
        await self._reached()
        await self.server.edit(message, shown)

    async def delete(self, message: int) -> None:
        await self._reached()
        self.server.delete(message)

    async def fetch(self, message: int) -> None:
        await self._reached()
        await self.server.fetch(message)

    async def asks_for_member(self) -> None:
        await self._reached()
        await self.server.asks_for_member()

    async def changes_role(self, who: tuple[int, int, int], *, has: bool) -> None:
        await self._reached()
        await self.server.changes_role(who, has=has)

    async def whisper(self, text: str) -> None:
        await self._reached()
        await self.server.whisper(text)

    async def _reached(self) -> None:
        if self.disk.dead:
            await asyncio.get_running_loop().create_future()


def _written(view: discord.ui.LayoutView) -> Any:
    return view.to_components()


class _Channel:
    def __init__(self, line: Line) -> None:
        self._line = line

    async def send(self, text: str = "", *, view: discord.ui.LayoutView | None = None, **_: Any) -> Any:
        return SimpleNamespace(id=await self._line.send(text if view is None else _written(view)), components=[])

    async def fetch_message(self, message: int) -> None:
        await self._line.fetch(message)

    def get_partial_message(self, message: int) -> Any:
        async def edit(*, view: discord.ui.LayoutView, **_: Any) -> Any:
            await self._line.edit(message, _written(view))
            return SimpleNamespace(id=message, components=[])

        async def delete() -> None:
            await self._line.delete(message)

        return SimpleNamespace(edit=edit, delete=delete)


class Answer:
    """The answer to one press, on the message of the button. Its token edits nothing: that is tried elsewhere."""

    original = None
    lasts = False
    kept: tuple[Any, ...] = ()

    def __init__(self, line: Line, message: int | None) -> None:
        self._line = line
        self._message = message
        self.interaction = SimpleNamespace(message=None if message is None else SimpleNamespace(id=message))

    async def redraw(self, view: discord.ui.LayoutView, _: object, **_more: Any) -> None:
        assert self._message is not None
        await self._line.edit(self._message, _written(view))

    async def acknowledge(self) -> None:
        pass

    async def say(self, text: str) -> None:
        await self._line.whisper(text)

    async def try_to_say(self, text: str) -> None:
        with suppress(discord.HTTPException):
            await self._line.whisper(text)


class Port:
    """All that presenter and promises ask a bot for."""

    def __init__(self, line: Line, bank: Any) -> None:
        self._line = line
        self.bank = bank
        self.names = Names()
        self.emoji = CardEmoji()
        self.command_links = CommandLinks()

    def reaches(self, _: int) -> bool:
        return True

    def get_guild(self, _: int) -> None:
        return None

    described = get_guild

    def get_partial_messageable(self, *_: Any, **__: Any) -> _Channel:
        return _Channel(self._line)


class Crier:
    """The announcer, as far as channels are concerned: its sentences are not what is tried here."""

    def __init__(self, line: Line, put_up: Callable[[Table], Any]) -> None:
        self._line = line
        self._put_up = put_up

    async def _say(self, word: str) -> int:
        try:
            return await self._line.send(word)
        except discord.Forbidden:
            raise ChannelGone from None

    async def sign_up(self, view: TournamentView) -> int:
        said = await self._say("sign-up")
        return view.state.message or said

    async def entrants(self, view: TournamentView) -> int:
        return await self._say("entrants")

    async def remind(self, view: TournamentView) -> None:
        await self._say("reminder")

    async def moved(self, view: TournamentView) -> None:
        await self._say("moved")

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

    async def event(self, view: TournamentView) -> int | None:
        """No calendar: it never fails, and nothing waits for it."""
        return view.state.event
