"""Commits whose answer is lost: what is true is the journal, and the table goes by it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from engine.games.contract import CHIP
from engine.tables.house import HouseSettings
from engine.tables.ports import BankUnavailable, OutcomeUnknown
from engine.tables.refused import Reason, Refused
from engine.tables.snapshot import TablePhase
from engine.tables.table import Table
from engine.tables.values import Change, StoredTable

from .conftest import ALICE, BOB, CHANNEL, MESSAGE, Casino

Commit = Callable[[Change], Awaitable[None]]


#: Two more cards do not end this hand.
LOW = "3 4 / 9 T | 2 2"


def refused(reason: Reason) -> pytest.RaisesExc[Refused]:
    return pytest.RaisesExc(Refused, check=lambda error: error.reason is reason)


class Wire:
    """Between the casino and its bank. Each answer of a commit is lost once it is told to lose one."""

    def __init__(self, casino: Casino) -> None:
        self._bank, self._commit, self._stored = casino.bank, casino.bank.tables.commit, casino.bank.tables.stored
        casino.bank.tables.commit = self._lose  # type: ignore[method-assign]
        self.arrives = True
        self.losing = False

    async def _lose(self, change: Change) -> None:
        if not self.losing:
            await self._commit(change)
            return
        self.losing = False
        if self.arrives:
            await self._commit(change)
        raise OutcomeUnknown

    def lose(self, *, arrives: bool) -> None:
        self.losing, self.arrives = True, arrives

    def cut(self) -> None:
        async def nothing(table: int) -> StoredTable | None:
            raise BankUnavailable

        self._bank.tables.stored = nothing  # type: ignore[method-assign]

    def mend(self) -> None:
        self._bank.tables.stored = self._stored  # type: ignore[method-assign]


async def until(happened: Callable[[], bool]) -> None:
    for _ in range(300):
        if happened():
            return
        await asyncio.sleep(0.01)
    raise AssertionError("that took three seconds and has not happened")


async def hit_and_lose(casino: Casino, table: Table, wire: Wire) -> None:
    """The hit is in the journal, and the table cannot be told: neither by the commit nor by reading it back."""
    wire.lose(arrives=True)
    wire.cut()
    with refused(Reason.BANK_UNAVAILABLE):
        await casino.act(table, "hit")
    wire.mend()


async def test_a_hit_that_was_written_counts_though_nobody_heard_so(casino: Casino) -> None:
    table, wire = await casino.deal(LOW), Wire(casino)
    wire.lose(arrives=True)
    assert len((await casino.act(table, "hit")).view.seats[0].hands[0].cards) == 3


async def test_a_hit_that_was_not_written_has_not_happened(casino: Casino) -> None:
    table, wire = await casino.deal(LOW), Wire(casino)
    before = table.snapshot()
    wire.lose(arrives=False)
    with refused(Reason.BANK_UNAVAILABLE):
        await casino.act(table, "hit")
    assert table.snapshot() == before
    assert len((await casino.act(table, "hit")).view.seats[0].hands[0].cards) == 3


async def test_a_newcomer_whose_stake_went_unheard_can_pay_for_a_double(casino: Casino) -> None:
    table, wire = await casino.open(), Wire(casino)
    wire.lose(arrives=True)
    newcomer = await casino.member(BOB)
    await table.stake(BOB, {"main": 10 * CHIP}, casino.press(), message=MESSAGE, newcomer=newcomer)
    casino.cards.lay("5 6 / 9 T | 2")
    await table.leave(ALICE, casino.press())
    assert "double" in table.snapshot().legal[0]
    await casino.act(table, "double", BOB)


async def test_a_press_from_before_a_lost_answer_is_old(casino: Casino) -> None:
    table, wire = await casino.deal(LOW), Wire(casino)
    await hit_and_lose(casino, table, wire)
    with refused(Reason.OLD_BUTTON):
        await casino.act(table, "hit")
    assert len(table.snapshot().view.seats[0].hands[0].cards) == 3


async def test_after_a_lost_answer_somebody_is_still_waited_for(casino: Casino) -> None:
    """The old question's clock finds the new question, and the new one has a clock of its own."""
    casino.set_house(turn_seconds=0.3)
    table, wire = await casino.deal(LOW), Wire(casino)
    await hit_and_lose(casino, table, wire)
    casino.clock.time += 0.3
    await until(lambda: table.snapshot().phase is TablePhase.BETTING)


async def test_what_is_read_back_is_drawn(casino: Casino) -> None:
    table, wire = await casino.deal(LOW), Wire(casino)
    await hit_and_lose(casino, table, wire)
    with refused(Reason.OLD_BUTTON):
        await casino.act(table, "hit")
    assert casino.onlooker.seen[-1] == table.snapshot()


async def test_a_table_that_was_not_written_was_never_open_and_is_not_called_closed(casino: Casino) -> None:
    wire = Wire(casino)
    wire.lose(arrives=False)
    with refused(Reason.BANK_UNAVAILABLE):
        await casino.open()
    assert casino.registry.tables() == ()
    await casino.open()


async def test_a_table_is_not_written_when_the_settings_of_its_server_cannot_be_read(
    casino: Casino, monkeypatch: pytest.MonkeyPatch
) -> None:
    read = iter([casino.house])

    def once(casino: Casino) -> HouseSettings:
        for settings in read:
            return settings
        raise BankUnavailable

    monkeypatch.setattr(Casino, "house", property(once), raising=False)
    with refused(Reason.BANK_UNAVAILABLE):
        await casino.open()
    assert await casino.bank.tables.still_open() == []


async def test_a_table_whose_closing_went_unheard_leaves_its_channel_free(casino: Casino) -> None:
    table, wire = await casino.open(), Wire(casino)
    wire.lose(arrives=True)
    wire.cut()
    with refused(Reason.BANK_UNAVAILABLE):
        await table.leave(ALICE, casino.press())
    wire.mend()
    with refused(Reason.TABLE_CLOSED):
        await casino.stake(table)
    assert casino.registry.table_in(CHANNEL, "blackjack") is None
    await casino.open()


async def test_a_bank_that_only_reads_at_the_start_keeps_nobody_waiting_for_ever(
    casino: Casino, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in ("table", "draft"):
        monkeypatch.setattr(f"engine.tables.{module}.GRACE_SECONDS", 0.2)
    casino.set_house(turn_seconds=0.5)
    table = await casino.deal(LOW)
    commit = casino.bank.tables.commit

    async def full(change: Change) -> None:
        raise BankUnavailable

    casino.bank.tables.commit = full  # type: ignore[method-assign]
    casino.clock.time += 86_400
    await casino.restart()
    again = casino.registry.get(table.id)
    assert again is not None
    assert again.snapshot().view == table.snapshot().view
    casino.bank.tables.commit = commit  # type: ignore[method-assign]
    await until(lambda: again.snapshot().phase is TablePhase.BETTING)
