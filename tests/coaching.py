"""The coach's process that tests lend each other: starting one in each and solving the same rules there took long."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from typing import Any

from engine.coach import process


class Lending:
    """One process, lent to one coach at a time. A coach that comes while it is out gets a process of its own."""

    def __init__(self) -> None:
        self._running: subprocess.Popen[bytes] | None = None
        self._out = False

    async def start(self) -> asyncio.subprocess.Process | Lent:
        """Stand in for `engine.coach.process._started`."""
        if self._out:
            return await started()
        if self._running is None or self._running.poll() is not None:
            self._running = _run()
        lent = Lent(self, self._running)
        await lent.connect()
        self._out = True
        return lent

    def take_back(self, *, useless: bool) -> None:
        """Keep the process for the next coach, unless it still works at an answer that nobody will read."""
        self._out = False
        if useless:
            self.end()

    def end(self) -> None:
        """End the process."""
        running, self._running = self._running, None
        if running is not None:
            running.kill()
            running.communicate()


class Lent:
    """The shared process as one coach uses it, on the coach's event loop."""

    def __init__(self, lending: Lending, running: subprocess.Popen[bytes]) -> None:
        self._lending, self._running = lending, running
        self._owed = 0  # parts of the answer: its length, and its body
        self.stdin = self.stdout = self

    async def connect(self) -> None:
        """Connect the pipes of the process to the loop that runs."""
        loop = asyncio.get_running_loop()
        assert self._running.stdin is not None
        assert self._running.stdout is not None
        there, back = (os.dup(end.fileno()) for end in (self._running.stdin, self._running.stdout))
        self._reader = asyncio.StreamReader()
        self._heard, _ = await loop.connect_read_pipe(
            lambda: asyncio.StreamReaderProtocol(self._reader), os.fdopen(back, "rb", 0)
        )
        said, protocol = await loop.connect_write_pipe(asyncio.streams.FlowControlMixin, os.fdopen(there, "wb", 0))
        self._said = asyncio.StreamWriter(said, protocol, None, loop)

    def write(self, question: bytes) -> None:
        self._owed = 2
        self._said.write(question)

    async def drain(self) -> None:
        await self._said.drain()

    async def readexactly(self, count: int) -> bytes:
        part = await self._reader.readexactly(count)
        self._owed -= 1
        return part

    def kill(self) -> None:
        """Give the process back."""
        self._heard.close()
        self._said.close()
        self._lending.take_back(useless=self._owed > 0)

    async def wait(self) -> int:
        return 0


#: The real one, which starts a process.
started: Any = process._started


def _run() -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-m", "engine.coach"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        cwd=process._ROOT,
        env={**os.environ, **process._ONE_CORE, "PYTHONPATH": str(process._ROOT)},
    )
