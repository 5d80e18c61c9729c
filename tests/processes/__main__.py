"""``python -m tests.processes N``: three bot processes over one PostgreSQL, killed in turn N times under load.

Afterwards the history of all presses is held against the bank: each that was acknowledged is there exactly once, no
chip was created, each table's presses have one order, and no process ever touched another's tables.
"""

from __future__ import annotations

import asyncio
import json
import logging
import os
import signal
import subprocess
import sys
import threading
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import sqlalchemy as sa

from data import Bank
from data.base.schema import causes, tables
from engine.tables.house import HouseSettings
from tests.crash.play import Clock
from tests.data.servers import postgres
from tests.processes.worker import servers_of

ROOT: Final = Path(__file__).resolve().parents[2]
PROCESSES: Final = 3
#: The presses that are answered before the next thing happens.
LIFE: Final = 20
#: Seconds that a process may take to be ready, and to answer these presses.
PATIENCE: Final = 150.0


class Lost(AssertionError):
    """Raised where something that must hold did not."""


@dataclass(frozen=True)
class Press:
    """One that was acknowledged: by which process, and what it was told."""

    process: int
    cause: str
    table: int
    version: int
    asked: float
    answered: float


@dataclass
class Process:
    """One place among the processes: the process that runs there now, and everything that was ever said there."""

    number: int
    url: str
    presses: list[Press] = field(default_factory=list)
    taken_up: set[int] = field(default_factory=set)
    #: Open tables that a replacement did not take up.
    forgotten: set[int] = field(default_factory=set)
    synced: int = 0
    lives: int = 0

    def start(self) -> None:
        self._ready = threading.Event()
        self._count()
        self._running = subprocess.Popen(
            [sys.executable, "-m", "tests.processes.worker", *map(str, (self.number, PROCESSES, self.lives))],
            cwd=ROOT,
            env={**os.environ, "DATABASE_URL": self.url},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        self.lives += 1
        self._listener = threading.Thread(target=self._listen, args=[self._running])
        self._listener.start()

    def hurry(self) -> None:
        """Let it play as fast as it can from now on."""
        self._count()
        self._running.send_signal(signal.SIGUSR1)

    def wait_until_ready(self) -> None:
        if not self._ready.wait(PATIENCE):
            self.kill()
            raise Lost(f"process {self.number} did not start: {self._running.stderr and self._running.stderr.read()}")

    def wait_until_played(self) -> None:
        if not self._played.wait(PATIENCE):
            raise Lost(f"process {self.number} answered {len(self.presses) - self._before} presses")

    def kill(self) -> None:
        self._running.kill()
        self._running.wait()
        self._listener.join()

    def _count(self) -> None:
        self._played, self._before = threading.Event(), len(self.presses)

    def _listen(self, running: subprocess.Popen[str]) -> None:
        """The last line may be cut off by the kill: it was never said."""
        assert running.stdout is not None
        for line in running.stdout:
            if line.endswith("\n"):
                self._hear(json.loads(line))

    def _hear(self, said: dict[str, Any]) -> None:
        if "ready" in said:
            self.synced += said["synced"]
            self.taken_up = set(said["tables"])
            self._ready.set()
        else:
            self.presses.append(Press(self.number, **said))
            if len(self.presses) - self._before >= LIFE:
                self._played.set()


def play(url: str, kills: int) -> list[Process]:
    """All of them at once, one killed after the other in full play and replaced while the others go on."""
    processes = [Process(number, url) for number in range(PROCESSES)]
    try:
        for process in processes:
            process.start()
        for process in processes:
            process.wait_until_ready()
        for process in processes:
            process.wait_until_played()
        for kill in range(kills):
            victim = processes[kill % PROCESSES]
            victim.hurry()  # it dies with presses of everybody under way
            victim.wait_until_played()
            victim.kill()
            left = asyncio.run(open_tables(url, victim.number))
            victim.start()
            victim.wait_until_ready()
            victim.forgotten |= left - victim.taken_up
            victim.wait_until_played()
    finally:
        for process in processes:
            process.kill()
    return processes


async def open_tables(url: str, number: int) -> set[int]:
    """Return the open tables of the servers of a process that is gone, which nobody else changes."""
    async with Bank.open(url, HouseSettings(), Clock()) as bank:
        return {stored.row.id for stored in await bank.tables.still_open(guilds=servers_of(number, PROCESSES))}


# -- what must hold ----------------------------------------------------------------------------------------------------


async def faults(url: str, processes: Sequence[Process]) -> list[str]:
    """All that is wrong with the bank and the history, in words."""
    presses = [press for process in processes for press in process.presses]
    async with Bank.open(url, HouseSettings(), Clock()) as bank:
        report = await bank.auditor.audit()
        written = Counter(row.cause for row in await bank._store.rows(sa.select(causes.c.cause)))
        versions = {row.id: row.version for row in await bank._store.rows(sa.select(tables.c.id, tables.c.version))}
    return [
        *map(str, report.faults),
        *(f"{press.cause} was acknowledged and is gone" for press in presses if press.cause not in written),
        *(f"{cause} is there {times} times" for cause, times in written.items() if times != 1),
        *twice_acknowledged(presses),
        *disorder(presses),
        *strangers(processes),
        *(f"process {process.number} left table {table}" for process in processes for table in process.forgotten),
        *(f"{press.cause} was told what never was" for press in presses if press.version > versions[press.table]),
        *(f"process {process.number} told Discord of the commands" for process in processes[1:] if process.synced),
    ]


def twice_acknowledged(presses: Sequence[Press]) -> list[str]:
    counts = Counter(press.cause for press in presses)
    return [f"{cause} was acknowledged {times} times" for cause, times in counts.items() if times > 1]


def disorder(presses: Sequence[Press]) -> list[str]:
    """A press that was asked after another was answered finds a later table."""
    by_table: defaultdict[int, list[Press]] = defaultdict(list)
    for press in presses:
        by_table[press.table].append(press)
    found = []
    for there in by_table.values():
        answered = sorted(there, key=lambda press: press.answered)
        seen, place = 0, 0
        for press in sorted(there, key=lambda press: press.asked):
            while place < len(answered) and answered[place].answered < press.asked:
                seen, place = max(seen, answered[place].version), place + 1
            if press.version <= seen:
                found.append(f"{press.cause} at table {press.table} was told version {press.version} after {seen}")
    return found


def strangers(processes: Sequence[Process]) -> list[str]:
    owners: defaultdict[int, set[int]] = defaultdict(set)
    for process in processes:
        for table in (*process.taken_up, *(press.table for press in process.presses)):
            owners[table].add(process.number)
    return [f"table {table} was in processes {sorted(who)}" for table, who in owners.items() if len(who) > 1]


def told(processes: Sequence[Process]) -> str:
    presses = sum(len(process.presses) for process in processes)
    lives = sum(process.lives for process in processes)
    return f"{presses} acknowledged presses in {lives} lives of {len(processes)} processes"


def main() -> int:
    kills = int(sys.argv[1]) if len(sys.argv) > 1 else PROCESSES
    logging.disable()
    with postgres() as server:
        url = asyncio.run(server.new())
        processes = play(url, kills)
        found = asyncio.run(faults(url, processes))
    for fault in found:
        print(f"LOST: {fault}", file=sys.stderr)
    print(told(processes), flush=True)
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main())
