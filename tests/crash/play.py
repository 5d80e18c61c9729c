"""One life of a casino under load: real tables, real rounds, real money, until somebody pulls the plug."""

from __future__ import annotations

import asyncio
import contextlib
import os
import random
import time
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Final

import sqlalchemy as sa

from data import Bank, Report
from data.schema import causes, pots, transfers
from engine.games.contract import CHIP
from engine.tables.house import HouseSettings
from engine.tables.ports import BankError, Member, OutcomeUnknown, Surroundings
from engine.tables.refused import Refused
from engine.tables.registry import Order, Registry
from engine.tables.snapshot import TablePhase
from engine.tables.table import Table
from tests.posted import Posted

GUILD: Final = 5 << 22
CHANNELS: Final = (71, 72, 73)
#: Two people at each table, and a computer player.
USERS: Final = {user: CHANNELS[user % len(CHANNELS)] for user in range(1, 7)}
HOUSE: Final = HouseSettings(think_seconds=0)

READY: Final = "ready"
CLEAN: Final = "clean"
FAULT: Final = "fault"
DONE: Final = "done"


class Clock:
    def now(self) -> float:
        return time.time()


class Nobody:
    def changed(self, table: Table) -> None: ...


@dataclass
class Wire:
    """Says one line at a time to whoever listens at the other end; what is said is out, whatever happens next."""

    end: int

    def say(self, word: str, *more: str) -> None:
        os.write(self.end, (" ".join((word, *more)).replace("\n", " ") + "\n").encode())


async def live(kind: type[Bank], url: str, life: int, acknowledged: Collection[str], wire: Wire, *, last: bool) -> None:
    """Open, prove that the last life lost nothing, take up its tables and play on. The last life only plays out."""
    async with kind.open(url, HOUSE, Clock()) as bank:
        problems = await _problems(bank, acknowledged)
        if problems:
            wire.say(FAULT, problems)
            return
        wire.say(CLEAN)
        tables = Registry(
            Surroundings(bank, Clock(), lambda: random.randbytes(32), Nobody(), bank.guilds.house, Posted())
        )
        await tables.recover()
        play = Play(bank, tables, wire, life)
        if last:
            await play.out()
            wire.say(*[FAULT, left] if (left := await _leftovers(bank)) else [DONE])
        else:
            wire.say(READY)
            await play.on()


# -- looking back ------------------------------------------------------------------------------------------------------


async def _problems(bank: Bank, acknowledged: Collection[str]) -> str:
    report: Report = await bank.auditor.audit()
    missing = set(acknowledged) - await _written(bank)
    told = [*map(str, report.faults), *(f"{press} was acknowledged and is gone" for press in sorted(missing))]
    return "; ".join(told)


async def _written(bank: Bank) -> set[str]:
    found: set[str] = set()
    for column in (causes.c.cause, transfers.c.key):
        found |= {row[0] for row in await bank._store.rows(sa.select(column))}
    return found


async def _leftovers(bank: Bank) -> str:
    problems = await _problems(bank, ())
    held = await bank._store.rows(sa.select(pots.c.name).where(pots.c.balance != 0))
    return "; ".join([problems] * bool(problems) + [f"{row.name} still holds chips" for row in held])


# -- playing -----------------------------------------------------------------------------------------------------------


class Play:
    def __init__(self, bank: Bank, tables: Registry, wire: Wire, life: int) -> None:
        self._bank = bank
        self._tables = tables
        self._wire = wire
        self._presses: Iterator[int] = iter(range(life * 1_000_000, (life + 1) * 1_000_000))
        self._chance = random.Random(life)

    async def on(self) -> None:
        await asyncio.gather(*(self._player(user) for user in USERS))

    async def out(self) -> None:
        """Finish every hand and close every table."""
        for channel in CHANNELS:
            table = self._tables.table_in(channel, "blackjack")
            if table is not None:
                await table.close(self._press())

    # -- private ---------------------------------------------------------------------------------------------------

    def _press(self) -> int:
        return next(self._presses)

    async def _player(self, user: int) -> None:
        me = await self._bank.members.sign_in(GUILD, user)
        while True:
            with contextlib.suppress(Refused, BankError, OutcomeUnknown):
                await self._something(me)
            await asyncio.sleep(0)

    async def _something(self, me: Member) -> None:
        table, press = self._tables.table_in(USERS[me.user], "blackjack"), self._press()
        deed = await self._open(me, press) if table is None else await self._at(table, me, press)
        self._wire.say(f"press/{press}/{deed}")

    async def _at(self, table: Table, me: Member, press: int) -> str:
        """What was done, once the bank has it."""
        snapshot = table.snapshot()
        mine = snapshot.sitter_of(me.user)
        if mine is None:
            await table.join(await self._bank.members.sign_in(GUILD, me.user), press)
            return "join"
        if mine.balance < 10 * CHIP or self._chance.random() < 0.05:
            return await self._money(me, press)
        if snapshot.phase is TablePhase.PLAYING and mine.seat is not None and snapshot.legal[mine.seat]:
            action = self._chance.choice(snapshot.legal[mine.seat])
            await table.act(me.user, action, snapshot.round, snapshot.turn, press)
            return "act"
        await table.stake(me.user, {"main": self._chance.randint(1, 10) * CHIP}, press)
        return "stake"

    async def _open(self, me: Member, press: int) -> str:
        order = Order(press, GUILD, USERS[me.user], "blackjack", "vegas", me, computers=1)
        await self._tables.open(order)
        return "open"

    async def _money(self, me: Member, press: int) -> str:
        if self._chance.random() < 0.5:
            await self._bank.chips.grant(me.id, 50 * CHIP, actor=me.id, reason="load", press=press)
            return "grant"
        other = self._chance.choice([user for user in USERS if user != me.user])
        await self._bank.chips.give(me.id, (await self._bank.members.sign_in(GUILD, other)).id, CHIP, press)
        return "gift"
