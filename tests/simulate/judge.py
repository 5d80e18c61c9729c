"""What must hold after every step, whatever went wrong. It believes nothing but the file and what people were told."""

from __future__ import annotations

import asyncio
import hashlib
import logging
import re
import sqlite3
import warnings
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

import discord

from cogs.table import components
from cogs.table.presentation import presented
from cogs.words import Reader, reading
from data import Bank
from engine.fairness.verify import verify
from engine.tables.ports import OutcomeUnknown
from engine.tables.rebuilt import position_of, whole_record_of
from engine.tables.snapshot import TablePhase, snapshot_of
from engine.tables.state import TableState
from engine.tables.table import Table
from tests.ears import Ears
from tests.simulate.house import Process
from tests.simulate.messages import Server

#: Nothing at a table takes longer: an idle table's time, the grace after an outage, and some for retries.
LONGEST_WAIT: Final = 300.0 + 60.0 + 120.0
#: No drawing takes longer, with a late answer before it, and the pause that Discord asks for.
LONGEST_DRAWING: Final = 60.0
#: Nobody's claim on a tournament is older: a lease, a look round, and some for retries.
LONGEST_CLAIM: Final = 400.0
#: Every so many versions a table is read back and compared as a whole.
COMPARED: Final = 8


class Broken(AssertionError):
    """A promise that was not kept."""


@dataclass(frozen=True, slots=True)
class Told:
    """What somebody was told of a press. `there` says where it must be found: in this column, under this name."""

    name: str
    counted: bool
    of_ledger: bool = False


def is_an_error(record: logging.LogRecord) -> bool:
    """What the casino calls one: nobody should have to hear it. What Discord or the disk did, the story says."""
    cause = record.exc_info[1] if record.exc_info else None
    ours = record.name.partition(".")[0] in ("engine", "data", "cogs")
    return ours and not isinstance(cause, discord.HTTPException | OutcomeUnknown)


@contextmanager
def listening(ears: Ears) -> Iterator[None]:
    """To the casino alone: that a killed process closed no connection is no error of its."""
    root, pool = logging.getLogger(), logging.getLogger("sqlalchemy.pool")
    before, root.handlers = root.handlers, [ears]
    pool.setLevel(logging.CRITICAL + 1)
    try:
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", message="The garbage collector is trying")
            yield
    finally:
        root.handlers = before
        pool.setLevel(logging.NOTSET)


def _but_purses(shown: Any) -> str:
    """Return a page without purses and the keys and prices that follow from them: they change elsewhere too."""
    return re.sub(r"[\d,.]+ (?:chips?|left)|'disabled': \w+|(?<='Deal) [\d,.]+", "", repr(shown))


@dataclass
class Judge:
    """Reads the bank's file by itself, in plain SQL."""

    file: Path
    bank: Bank  # a reader of its own, for rounds
    ears: Ears
    server: Server
    told: list[Told] = field(default_factory=list)
    rounds: int = 0
    _last: int = 0
    _sums: Counter[tuple[int, str]] = field(default_factory=Counter)
    _checked: int = 0
    _seen: dict[int, tuple[int, float]] = field(default_factory=dict)
    #: When each table came to be as it is, however often patience with it has begun anew.
    _changed: dict[int, tuple[int, float]] = field(default_factory=dict)
    _alone: dict[int, float] = field(default_factory=dict)
    _drawn: dict[int, int] = field(default_factory=dict)
    _calm: float = 0.0  # since when no process has gone and no clock has jumped
    _verified: Counter[int] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        self._sql = sqlite3.connect(self.file, isolation_level=None)
        self._one("PRAGMA busy_timeout = 0")

    def close(self) -> None:
        self._sql.close()

    async def look(self, processes: list[Process]) -> None:
        """After a step."""
        if self.ears.heard:
            raise Broken(f"an error in the log: {self.ears.heard[0]}")
        self._chips()
        self._presses(self.told[self._checked :])
        self._checked = len(self.told)
        self._jobs()
        kept = {table.id for process in processes if process.alive for table in process.registry.tables()}
        self._lost(kept)
        for closed in sorted(self._seen.keys() - kept):
            del self._seen[closed]
            self._changed.pop(closed, None)
            await self._rounds_of(closed)
        for process in processes:
            if process.alive:
                for table in process.registry.tables():
                    await self._table(process, table)

    # -- chips -----------------------------------------------------------------------------------------------------

    def _chips(self) -> None:
        """Each account has what its transfers brought, and never less than nothing."""
        touched = set()
        asked = "SELECT id, guild, source, target, amount FROM transfers WHERE id > ? ORDER BY id"
        for number, guild, source, target, amount in self._all(asked, self._last):
            self._last = number
            self._sums[guild, source] -= amount
            self._sums[guild, target] += amount
            touched |= {(guild, source), (guild, target)}
        for guild, name in sorted(touched):
            self._account(guild, name)

    def _account(self, guild: int, name: str) -> None:
        kind, _, owner = name.partition("/")
        if kind in ("house", "mint"):
            return
        if kind == "member":
            kept = self._one("SELECT balance FROM members WHERE id = ?", int(owner))
        else:
            kept = self._one("SELECT balance FROM pots WHERE guild = ? AND name = ?", guild, name)
        due = self._sums[guild, name]
        if kept != due or due < 0:
            raise Broken(f"{name} has {kept}, and its transfers come to {due}")

    # -- presses ---------------------------------------------------------------------------------------------------

    def _presses(self, told: list[Told]) -> None:
        """What was acknowledged is there, what was refused is not."""
        for press in told:
            table, column = ("transfers", "key") if press.of_ledger else ("causes", "cause")
            there = self._one(f"SELECT 1 FROM {table} WHERE {column} = ?", press.name) is not None
            if there != press.counted:
                said, is_there = ("acknowledged", "is gone") if press.counted else ("refused", "is there")
                raise Broken(f"{press.name} was {said} and {is_there}")

    # -- tables ----------------------------------------------------------------------------------------------------

    async def _table(self, process: Process, table: Table) -> None:
        version, since = self._seen.get(table.id, (-1, 0.0))
        now = asyncio.get_running_loop().time()
        if table.state.version == version:
            if now - since > LONGEST_WAIT:
                raise Broken(f"table {table.id} has waited {now - since:.0f} seconds ({table.state.phase.value})")
            if now - since > LONGEST_DRAWING and self._drawn.get(table.id) != version:
                self._message(process, table)
                self._drawn[table.id] = version
            return
        if table._lock.locked() or table._adrift:
            return  # it is in the middle of something, or knows that it does not know
        doc = self._one("SELECT doc FROM tables WHERE id = ?", table.id)
        if doc != table.state.to_json():
            raise Broken(f"table {table.id} is not in the journal as it is in memory")
        self._seen[table.id] = table.state.version, now
        if self._changed.get(table.id, (-1, now))[0] != table.state.version:
            self._changed[table.id] = table.state.version, now
        if table.state.phase is TablePhase.PLAYING:
            self._promised(table.state)
        if table.state.version % COMPARED == 0:
            await self._compare(table)
        await self._rounds_of(table.id)

    def forget_waits(self) -> None:
        """The clock was wrong, or a process gone: everybody's patience begins anew."""
        self._seen.clear()
        self._calm = asyncio.get_running_loop().time()

    async def _rounds_of(self, table: int) -> None:
        asked = "SELECT number, code, guild FROM rounds WHERE table_id = ? AND number > ? AND finished_at > 0"
        for number, code, guild in self._all(asked + " ORDER BY number", table, self._verified[table]):
            self._verified[table] = number
            stored = await self.bank.records.round(code, guild)
            if stored is None or not verify(whole_record_of(stored)).holds:
                raise Broken(f"round {number} of table {table} does not verify")
            self.rounds += 1

    def _promised(self, state: TableState) -> None:
        """Whatever is dealt was promised before, where everybody could read it."""
        asked = "SELECT tip, message FROM rounds JOIN chains ON chains.id = chain WHERE table_id = ? AND number = ?"
        for tip, message in self._all(asked, state.id, state.round):
            if tip not in self.server.said.get(message, ""):
                raise Broken(f"round {state.round} of table {state.id} was dealt before it was promised")

    async def _compare(self, table: Table) -> None:
        """What would be taken up after a kill is what is in memory."""
        stored = await self.bank.tables.stored(table.id)
        if stored is None or stored.row.version != table.state.version or table.state.phase is TablePhase.CLOSED:
            return  # it has moved on, or is over, which nobody takes up
        now, purses = table.snapshot(), table._position.balances
        again = replace(position_of(stored), balances=purses)
        if snapshot_of(again, table.game, table._rules, table._house) != now:
            raise Broken(f"table {table.id} would be taken up otherwise than it is")

    def _message(self, process: Process, table: Table) -> None:
        """What stands on its message is how the table is, unless Discord would not have it, or nobody can know."""
        _, since = self._changed[table.id]
        message, display = table.state.message, process.presenter._displays.get(table)
        if message is None or display is None or display.banned or message in self.server.doubtful or table._adrift:
            return
        if self.server.gone.get(message, since) < since:
            raise Broken(f"table {table.id} goes on at a message that is gone")
        snapshot = table.snapshot()
        with reading(Reader()):
            wanted = components.build(presented(snapshot).page_of(snapshot), snapshot).to_components()
        if message in self.server.shown and _but_purses(self.server.shown[message]) != _but_purses(wanted):
            raise Broken(f"the message of table {table.id} does not show how the table is")

    def _lost(self, kept: set[int]) -> None:
        """No table is open in the journal alone, but for the moment in which it is opened."""
        now = asyncio.get_running_loop().time()
        lost = {table for (table,) in self._all("SELECT id FROM tables WHERE open = 1")} - kept
        self._alone = {table: self._alone.get(table, now) for table in lost}
        for table, since in self._alone.items():
            if now - max(since, self._calm) > LONGEST_DRAWING:
                raise Broken(f"nobody plays at table {table}, which is open")

    def _jobs(self) -> None:
        """Somebody looks after every tournament, or will."""
        now = self.server.now() - LONGEST_CLAIM
        asked = "SELECT key FROM jobs WHERE done_at IS NULL AND kind <> 'audit' AND due < ? AND claimed_until < ?"
        alone = self._one(asked, now, now)
        if alone is not None and asyncio.get_running_loop().time() - self._calm > LONGEST_CLAIM:
            raise Broken(f"nobody looks after {alone}")

    # -- when it is quiet ------------------------------------------------------------------------------------------

    async def end(self) -> None:
        """Nobody pressed anything for hours: all tables are closed, and nothing lies anywhere."""
        self._chips()
        self._presses(self.told)
        for table in self._all("SELECT id FROM tables"):
            await self._rounds_of(table[0])
        for (root,) in self._all("SELECT hex(root) FROM chains WHERE ended_at IS NULL"):
            if any(root.lower() in text for text in self.server.said.values()):
                raise Broken("the root of a chain was shown that has not ended")
        if self._one("SELECT 1 FROM rounds WHERE dealt_at > 0 AND seed <> '' GROUP BY seed HAVING count(*) > 1"):
            raise Broken("a seed was dealt twice")
        if left := self._one("SELECT count(*) FROM tables WHERE open = 1"):
            raise Broken(f"{left} tables wait for ever")
        if left := self._one("SELECT count(*) FROM jobs WHERE done_at IS NULL AND kind <> 'audit'"):
            raise Broken(f"{left} tournaments wait for ever")
        lying = {name: chips for (_, name), chips in self._sums.items() if chips and name.count("/") > 1}
        if lying:
            raise Broken(f"chips lie where nobody will ever fetch them: {lying}")
        faults = (await self.bank.auditor.audit()).faults
        if faults:
            raise Broken(f"the bank's own audit: {faults[0]}")

    def digest(self) -> str:
        """Of every row that there is."""
        names = self._all("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")
        rows = [(name, self._all(f'SELECT * FROM "{name}" ORDER BY 1')) for (name,) in names]
        return hashlib.sha256(repr(rows).encode()).hexdigest()

    def _all(self, asked: str, *values: Any) -> list[Any]:
        return self._sql.execute(asked, values).fetchall()

    def _one(self, asked: str, *values: Any) -> Any:
        row = self._sql.execute(asked, values).fetchone()
        return row[0] if row else None
