"""Proves very many rounds in pieces, several of them at once in other processes."""

from __future__ import annotations

import asyncio
import gc
import signal
from collections.abc import AsyncIterator, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from multiprocessing import get_context
from typing import Final

from sqlalchemy.engine import URL

from data.drivers.store import Store
from data.proofs.audit import Findings, Reading, go_through
from data.proofs.rounds import ROUNDS
from data.proofs.slices import KeyRange

#: The rounds in a piece: a few seconds of work.
PIECE: Final = 10_000


async def key_ranges(reading: Reading) -> list[KeyRange]:
    """Return the ranges of keys that divide all rounds into pieces of `PIECE` rounds."""
    walk, found = replace(ROUNDS, size=PIECE), list[KeyRange]()
    async with reading() as connection:
        last = (await connection.execute(walk.last)).first()
        after = walk.before
        while last is not None and after != tuple(last):
            rest = KeyRange(after, tuple(last))
            edge = (await connection.execute(walk.edge, rest.values)).first()
            found.append(rest if edge is None else replace(rest, until=tuple(edge)))
            after = found[-1].until
    return found


@contextmanager
def begun(url: URL, pieces: list[KeyRange], processes: int) -> Iterator[AsyncIterator[Findings]]:
    """Prove the pieces in other processes, and yield an iterator over the findings, in the order of the pieces.

    At the end of the `with` block, pieces that no process has begun are dropped, and the others are waited for.
    """
    loop = asyncio.get_running_loop()
    pool = ProcessPoolExecutor(processes, get_context("spawn"), _at_its_start)
    try:
        yield _in_order([loop.run_in_executor(pool, _gone_through, url, piece) for piece in pieces])
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


async def _in_order(pieces: list[asyncio.Future[Findings]]) -> AsyncIterator[Findings]:
    for piece in pieces:
        yield await piece


def _at_its_start() -> None:
    """Prepare a process: exempt what is imported so far from garbage collection, and ignore interrupts.

    Ctrl-C also reaches the parent process, which lets each process end after its piece.
    """
    gc.freeze()
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _gone_through(url: URL, piece: KeyRange) -> Findings:
    return asyncio.run(_go_through(url, piece))


async def _go_through(url: URL, piece: KeyRange) -> Findings:
    store = Store(url)
    try:
        findings = Findings()
        await go_through(ROUNDS, store.slicing, findings, piece)
        return findings
    finally:
        await store.engine.dispose()
