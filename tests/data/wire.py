"""A wire to PostgreSQL that can be cut at the worst moment: when a commit is on its way, or its answer is. Or it falls
silent: nobody hangs up, and nothing arrives any more."""

from __future__ import annotations

import asyncio
import contextlib
import tempfile
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from enum import StrEnum
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

_SOCKET = ".s.PGSQL.5432"


class Cut(StrEnum):
    NOT = "not at all"
    REQUEST = "the commit never arrives"
    ANSWER = "the commit arrives, its answer does not"
    UNDOING = "the rollback never arrives"


class Wire:
    def __init__(self, url: str, folder: str) -> None:
        self.url = url.partition("?")[0] + f"?host={folder}"
        self.cut = Cut.NOT
        self.commits = 0
        self._there = Path(parse_qs(urlsplit(url).query)["host"][0]) / _SOCKET
        self._tasks: set[asyncio.Task[None]] = set()
        self._committed = asyncio.Event()
        self._last_words: bytes | None = None
        self._speaking = asyncio.Event()
        self._speaking.set()
        self._noticing = asyncio.Event()
        self._noticing.set()

    def overlook(self) -> None:
        """The server does not notice from now on that somebody hangs up."""
        self._noticing.clear()

    def fall_silent(self, at: bytes = b"") -> None:
        """When somebody says this; or whatever it is. Both ends keep the line, and hear nothing."""
        self._last_words = at

    def speak(self) -> None:
        """Let everything arrive that was said during the silence."""
        self._last_words = None
        self._speaking.set()

    async def connect(self, here: asyncio.StreamReader, back: asyncio.StreamWriter) -> None:
        try:
            answers, requests = await asyncio.open_unix_connection(self._there)
        except OSError:
            back.close()
            return
        ends = (back, requests)
        for task in (self._ask(here, requests, ends), self._answer(answers, back, ends)):
            running = asyncio.create_task(task)
            self._tasks.add(running)
            running.add_done_callback(self._tasks.discard)

    async def close(self) -> None:
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _ask(self, source: asyncio.StreamReader, target: asyncio.StreamWriter, ends: Ends) -> None:
        with hanging_up(ends):
            while said := await source.read(1 << 16):
                commits = b"COMMIT\0" in said
                self.commits += commits
                if (commits and self.cut is Cut.REQUEST) or (b"ROLLBACK\0" in said and self.cut is Cut.UNDOING):
                    return
                self._committed.clear()
                if self._last_words is not None and self._last_words in said:
                    self._speaking.clear()
                await self._speaking.wait()
                target.write(said)
                if commits and self.cut is Cut.ANSWER:
                    await self._committed.wait()
                    return
            await self._noticing.wait()

    async def _answer(self, source: asyncio.StreamReader, target: asyncio.StreamWriter, ends: Ends) -> None:
        with hanging_up(ends):
            while said := await source.read(1 << 16):
                if self.cut is Cut.ANSWER and b"COMMIT\0" in said:
                    self._committed.set()
                    return
                await self._speaking.wait()
                target.write(said)


Ends = tuple[asyncio.StreamWriter, asyncio.StreamWriter]


@contextmanager
def hanging_up(ends: Ends) -> Iterator[None]:
    try:
        with contextlib.suppress(OSError):
            yield
    finally:
        for end in ends:
            end.close()


@asynccontextmanager
async def wire(url: str) -> AsyncIterator[Wire]:
    with tempfile.TemporaryDirectory(prefix="wire-") as folder:
        between = Wire(url, folder)
        server = await asyncio.start_unix_server(between.connect, Path(folder) / _SOCKET)
        try:
            yield between
        finally:
            server.close()
            await between.close()
