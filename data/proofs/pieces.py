"""Very many rounds in pieces, several of them at once: each core of the machine has a process that plays them again."""

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
from data.proofs.slices import Stretch

#: Rounds of a piece: some seconds' work.
PIECE: Final = 10_000


async def stretches(reading: Reading) -> list[Stretch]:
    """All rounds, in the pieces that are gone through at once."""
    walk, found = replace(ROUNDS, size=PIECE), list[Stretch]()
    async with reading() as connection:
        last = (await connection.execute(walk.last)).first()
        after = walk.before
        while last is not None and after != tuple(last):
            rest = Stretch(after, tuple(last))
            edge = (await connection.execute(walk.edge, rest.values)).first()
            found.append(rest if edge is None else replace(rest, until=tuple(edge)))
            after = found[-1].until
    return found


@contextmanager
def begun(url: URL, pieces: list[Stretch], processes: int) -> Iterator[AsyncIterator[Findings]]:
    """Has the pieces gone through while something else is done here, and tells what was found in each."""
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
    """What is there from the start stays; and whoever is interrupted is the process that began this one, which ends it
    after the piece that it is at."""
    gc.freeze()
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _gone_through(url: URL, piece: Stretch) -> Findings:
    return asyncio.run(_go_through(url, piece))


async def _go_through(url: URL, piece: Stretch) -> Findings:
    store = Store(url)
    try:
        findings = Findings()
        await go_through(ROUNDS, store.slicing, findings, piece)
        return findings
    finally:
        await store.engine.dispose()
