"""Checks after every step, whatever went wrong. They believe nothing but the file and what people were told."""

from __future__ import annotations

import asyncio
import hashlib
import logging
import re
import sqlite3
import warnings
from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

import discord

from cogs.table import components
from cogs.table.presentation import presented
from cogs.words import Reader, reading
from data import Bank, StoredTry
from engine.fairness.verify import verify
from engine.tables.ports import OutcomeUnknown
from engine.tables.rebuilt import position_of, whole_record_of
from engine.tables.snapshot import TablePhase, snapshot_of
from engine.tables.state import TableState
from engine.tables.table import Table
from tests.ears import Ears
from tests.simulate import crowds
from tests.simulate.care import Care
from tests.simulate.house import Process
from tests.simulate.messages import Server

#: Nothing at a table takes longer: an idle table's time, the grace after an outage, and some for retries.
LONGEST_WAIT: Final = 300.0 + 60.0 + 120.0
#: No drawing takes longer, with a late answer before it, and the pause that Discord asks for.
LONGEST_DRAWING: Final = 60.0
#: Seconds that a claim on a tournament can be old: a lease, a look round, and some for retries.
LONGEST_CLAIM: Final = 400.0
#: The number of versions after which a table is read back and compared as a whole.
COMPARED: Final = 8
#: The kinds of jobs that wait for chores, which come round by chance here.
_CHORES: Final = "('audit', 'role', 'champions', 'reset')"


class Broken(AssertionError):
    """A promise that was not kept."""


@dataclass(frozen=True, slots=True)
class Told:
    """An answer that a person got to a press. `there` says where it must be found: in this column, under this name."""

    name: str
    counted: bool
    of_ledger: bool = False


def is_an_error(record: logging.LogRecord) -> bool:
    """Return whether the casino calls it an error, which nobody should see. Faults of Discord or the disk are in the
    story.
    """
    cause = record.exc_info[1] if record.exc_info else None
    ours = record.name.partition(".")[0] in ("engine", "data", "cogs")
    return ours and not isinstance(cause, discord.HTTPException | OutcomeUnknown)


@contextmanager
def listening(ears: Ears) -> Iterator[None]:
    """Listen to the casino's log only: a killed process that closed no connection is not an error."""
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
    """Return a page without purses and the keys and prices that follow from them: they change elsewhere too.

    So does the seal: where a promise is given up, the message shows it with the table's next change.
    """
    return re.sub(r"[\d,.]+ (?:chips?|left)|'disabled': \w+|(?<='Deal) [\d,.]+|-# 🔒[^']*", "", repr(shown))


@dataclass
class Judge:
    """The judge, who reads the file of the bank independently, in plain SQL."""

    file: Path
    bank: Bank  # a reader of its own, for rounds
    ears: Ears
    server: Server
    told: list[Told] = field(default_factory=list)
    #: The last press of each of Today's five that somebody was told of, by set and person.
    tries: dict[tuple[int, int], StoredTry] = field(default_factory=dict)
    #: The version of each person's training that they were last told of.
    trained: dict[int, int] = field(default_factory=dict)
    #: The duels that somebody accepted.
    begun: set[int] = field(default_factory=set)
    #: The openers of tables by invitation and all people whom they named.
    guests: dict[int, set[int]] = field(default_factory=dict)
    #: Breaks and limits.
    care: Care = field(init=False)
    rounds: int = 0
    _last: int = 0
    _sums: Counter[tuple[int, str]] = field(default_factory=Counter)
    #: The accounts that members have paid into.
    _paid: defaultdict[tuple[int, str], set[str]] = field(default_factory=lambda: defaultdict(set))
    _checked: int = 0
    _seen: dict[int, tuple[int, float]] = field(default_factory=dict)
    #: The version of each table, and since when patience with it counts.
    _changed: dict[int, tuple[int, float]] = field(default_factory=dict)
    _alone: dict[int, float] = field(default_factory=dict)
    _drawn: dict[int, int] = field(default_factory=dict)
    _calm: float = 0.0  # since when no process has gone and no clock has jumped
    _verified: Counter[int] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        self._sql = sqlite3.connect(self.file, isolation_level=None)
        self._one("PRAGMA busy_timeout = 0")
        self.care = Care(self._sql)

    def close(self) -> None:
        self._sql.close()

    async def look(self, processes: list[Process]) -> None:
        """Check everything after a step."""
        if self.ears.heard:
            raise Broken(f"an error in the log: {self.ears.heard[0]}")
        self._chips()
        if why := self.care.let_in():
            raise Broken(why)
        self._presses(self.told[self._checked :])
        self._checked = len(self.told)
        self._tries()
        self._training()
        self._roles()
        self._duels()
        self._jobs()
        self._roots()
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
        asked = "SELECT id, guild, source, target, amount, key FROM transfers WHERE id > ? ORDER BY id"
        for number, guild, source, target, amount, key in self._all(asked, self._last):
            self._last = number
            self._sums[guild, source] -= amount
            self._sums[guild, target] += amount
            touched |= {(guild, source), (guild, target)}
            if key.startswith("reset/"):
                self._reset(guild, key)
            elif source.startswith(("member/", "stack/", "pool/")) and "/" in target:
                self._paid[guild, source.rpartition("/")[2]].add(target)
        for guild, name in sorted(touched):
            self._account(guild, name)

    def _reset(self, guild: int, key: str) -> None:
        """Hold that a wallet has the amount of its reset, and that nothing of its owner was in play."""
        _, reset, member = key.split("/")
        kept, due = self._sums[guild, f"member/{member}"], self._one("SELECT amount FROM resets WHERE id = ?", reset)
        if kept != due:
            raise Broken(f"member/{member} was reset to {kept}, not {due}")
        playing = {pot for pot in self._paid[guild, member] if not pot.startswith("member/") and self._sums[guild, pot]}
        if playing:
            raise Broken(f"member/{member} was reset while chips lay in {sorted(playing)}")

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
        """Check that what was acknowledged is there, and what was refused is not."""
        for press in told:
            table, column = ("transfers", "key") if press.of_ledger else ("causes", "cause")
            there = self._one(f"SELECT 1 FROM {table} WHERE {column} = ?", press.name) is not None
            if there != press.counted:
                said, is_there = ("acknowledged", "is gone") if press.counted else ("refused", "is there")
                raise Broken(f"{press.name} was {said} and {is_there}")

    def _roles(self) -> None:
        """Everybody who has a role has paid for it or won it, and has not got the chips back."""
        asked = (
            "SELECT members.guild, user_id, role FROM holdings JOIN members ON members.id = member"
            " WHERE state IN ('paid', 'held')"
        )
        theirs = {tuple(row) for row in self._all(asked)}
        known = {tuple(row) for row in self._all("SELECT guild, user_id FROM members WHERE user_id IS NOT NULL")}
        for guild, user, role in self.server.roles - theirs:
            if (guild, user) in known and (guild, user, role) not in self.server.kept:
                raise Broken(f"user {user} has role {role}, which was not paid for")

    def _tries(self) -> None:
        """Every try is at least where its person was told that it stands."""
        for (number, person), told in self.tries.items():
            asked = 'SELECT steps FROM tries WHERE "set" = ? AND person = ? AND archive = 0'
            steps = str(self._one(asked, number, person) or "")
            if not steps.startswith(told.steps):
                raise Broken(f"the try of person {person} was told to be at {told.steps!r}, and is at {steps!r}")

    def _training(self) -> None:
        """No answer of a training is lost that was acknowledged."""
        for user, told in self.trained.items():
            kept = self._one("SELECT version FROM training WHERE user_id = ? AND what = 'count'", user) or 0
            if kept < told:
                raise Broken(f"the training of {user} was told to be at its answer {told}, and is at {kept}")

    def _duels(self) -> None:
        """Hold that the stakes of each duel are what its row says, and that accepted duels have begun."""
        asked = (
            "SELECT d.id, d.state, d.offered, d.stake, coalesce(p.balance, 0) FROM duels d"
            " LEFT JOIN pots p ON p.guild = d.guild AND p.name = 'duel/' || d.id"
        )
        for duel, state, offered, stake, lies in self._all(asked):
            due = {"challenged": offered, "running": 2 * stake}.get(state, 0)
            if lies != due:
                raise Broken(f"duel {duel} is {state}, and {lies} lie at stake, not {due}")
            if state == "challenged" and duel in self.begun:
                raise Broken(f"duel {duel} was accepted, and waits for an answer still")

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
        self._invited(table.state)
        self._seen[table.id] = table.state.version, now
        if self._changed.get(table.id, (-1, now))[0] != table.state.version:
            self._changed[table.id] = table.state.version, now
        if table.state.phase is TablePhase.PLAYING:
            self._promised(table.state)
        if table.state.version % COMPARED == 0:
            await self._compare(table)
        await self._rounds_of(table.id)

    def forget_waits(self) -> None:
        """Begin all waits again, because the clock was wrong or a process is gone."""
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

    def _invited(self, state: TableState) -> None:
        """Check that nobody sits at a table by invitation whom its opener has not named."""
        people = {chair.user for chair in state.people}
        if state.invitation is not None and (strangers := people - self.guests[state.id]):
            raise Broken(f"{sorted(filter(None, strangers))} sit at table {state.id}, uninvited")

    def _promised(self, state: TableState) -> None:
        """Check that every dealt round was promised before, where everybody could read it."""
        asked = (
            "SELECT coalesce(promises.tip, chains.tip), chains.message FROM rounds JOIN chains ON chains.id = chain"
            " LEFT JOIN promises ON promises.id = promise WHERE table_id = ? AND number = ?"
        )
        for tip, message in self._all(asked, state.id, state.round):
            if tip not in self.server.said.get(message, ""):
                raise Broken(f"round {state.round} of table {state.id} was dealt before it was promised")

    def _roots(self) -> None:
        """No root is shown of what is in use, and every promise that was followed by another is over or used up."""
        secret = "SELECT hex(root) FROM {} WHERE ended_at IS NULL"
        for (root,) in self._all(f"{secret.format('chains')} UNION ALL {secret.format('promises')}"):
            if any(root.lower() in text for text in self.server.said.values()):
                raise Broken("a root was shown of what has not ended")
        asked = "SELECT 1 FROM chains JOIN promises ON promises.id = promise AND promises.ended_at > 0"
        if self._one(f"{asked} WHERE chains.ended_at IS NULL OR chains.used > chains.finished"):
            raise Broken("a promise has ended, and a chain of it has not")

    async def _compare(self, table: Table) -> None:
        """Check that what would be taken up after a kill is what is in memory."""
        stored = await self.bank.tables.stored(table.id)
        if stored is None or stored.row.version != table.state.version or table.state.phase is TablePhase.CLOSED:
            return  # it has moved on, or is over, which nobody takes up
        now, purses = table.snapshot(), table._position.balances
        again = replace(position_of(stored), balances=purses)
        if snapshot_of(again, table.game, table._rules, table._house) != now:
            raise Broken(f"table {table.id} would be taken up otherwise than it is")

    def _message(self, process: Process, table: Table) -> None:
        """Check that a table's message shows the table, unless Discord refused it or nobody can know."""
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
        asked = (
            f"SELECT key FROM jobs WHERE done_at IS NULL AND kind NOT IN {_CHORES} AND due < ? AND claimed_until < ?"
        )
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
        self._roots()
        if self._one("SELECT 1 FROM rounds WHERE dealt_at > 0 AND seed <> '' GROUP BY seed HAVING count(*) > 1"):
            raise Broken("a seed was dealt twice")
        if left := self._one("SELECT count(*) FROM tables WHERE open = 1"):
            raise Broken(f"{left} tables wait for ever")
        if left := self._one(f"SELECT count(*) FROM jobs WHERE done_at IS NULL AND kind NOT IN {_CHORES}"):
            raise Broken(f"{left} tournaments wait for ever")
        waits = "SELECT count(*) FROM holdings WHERE state = 'paid' OR (state = 'held' AND until IS NOT NULL)"
        if left := self._one(waits):
            raise Broken(f"{left} roles wait to be given or taken back for ever")
        given = "SELECT guild, user_id, role FROM holdings JOIN members USING (guild) WHERE member = members.id"
        for row in self._all(f"{given} AND state = 'held' AND user_id IS NOT NULL"):
            if tuple(row) not in self.server.roles:
                raise Broken(f"user {row[1]} has paid for role {row[2]} and does not have it")
        if left := self._one("SELECT count(*) FROM duels WHERE ended_at IS NULL"):
            raise Broken(f"{left} duels wait for ever")
        if left := self._one("SELECT count(*) FROM resets WHERE announced_at > 0 AND ended_at IS NULL"):
            raise Broken(f"{left} resets wait for ever")
        if (wrong := await crowds.wrong_prize(self.bank, self._sql)) is not None:
            raise Broken(f"tournament {wrong} pays somebody more who gave more away")
        lying = {name: chips for (_, name), chips in self._sums.items() if chips and name.count("/") > 1}
        if lying:
            raise Broken(f"chips lie where nobody will ever fetch them: {lying}")
        faults = (await self.bank.auditor.audit()).faults
        if faults:
            raise Broken(f"the bank's own audit: {faults[0]}")

    def digest(self) -> str:
        """Return a hash of every row."""
        names = self._all("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")
        rows = [(name, self._all(f'SELECT * FROM "{name}" ORDER BY 1')) for (name,) in names]
        return hashlib.sha256(repr(rows).encode()).hexdigest()

    def _all(self, asked: str, *values: Any) -> list[Any]:
        return self._sql.execute(asked, values).fetchall()

    def _one(self, asked: str, *values: Any) -> Any:
        row = self._sql.execute(asked, values).fetchone()
        return row[0] if row else None
