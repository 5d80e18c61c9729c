"""A table remembers what the bank has, whatever the bank answered."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable

import pytest

from data import Bank
from engine.games.contract import CHIP
from engine.tables import table as tables
from engine.tables.open_tables import OpenTables
from engine.tables.ports import BankUnavailable, OutcomeUnknown
from engine.tables.refused import Reason
from engine.tables.snapshot import TablePhase
from engine.tables.values import Change, StoredTable
from tests.data.dealer import GUILD, HandClock, press
from tests.data.seated import Seated, refused


@pytest.fixture
async def seated(bank: Bank, clock: HandClock) -> AsyncIterator[Seated]:
    seated = await Seated(bank, clock).sit()
    yield seated
    await seated.over()
    assert await bank.members.balance(GUILD, 1) is not None


async def asked(seated: Seated) -> None:
    """Play until a hand is asked in which nothing has been done yet."""
    for _ in range(20):
        await seated.stake()
        while seated.table.state.phase is TablePhase.PLAYING:
            legal = seated.table.snapshot().legal[0]
            if "double" in legal:
                return
            await act(seated, legal[-1])  # no insurance
    raise AssertionError("nobody was asked")


async def act(seated: Seated, action: str, number: int | None = None) -> None:
    seen = seated.table.snapshot()
    await seated.table.act(1, action, seen.round, seen.turn, number or press())


# -- refusals ----------------------------------------------------------------------------------------------------------


async def test_chips_that_went_elsewhere_in_mid_hand(seated: Seated) -> None:
    """The table believes that the double can be paid; the bank knows better."""
    await asked(seated)
    alice = await seated.bank.members.sign_in(GUILD, 1)
    await seated.bank.chips.take(alice.id, alice.balance, actor=alice.id, reason="test", press=press())
    assert await refused(lambda: act(seated, "double")) is Reason.CANNOT_PAY
    assert await seated.agree()
    assert "double" not in seated.table.snapshot().legal[0]
    await act(seated, "stand")


async def test_chips_on_another_table_are_named_as_the_reason(seated: Seated) -> None:
    other = await Seated(seated.bank, seated.clock).sit()
    alice = await seated.bank.members.sign_in(GUILD, 1)
    await asked(other)
    left = (await seated.bank.members.sign_in(GUILD, 1)).balance
    await seated.bank.chips.take(alice.id, left, actor=alice.id, reason="test", press=press())
    assert await refused(seated.stake) is Reason.CHIPS_IN_PLAY
    assert await seated.agree()
    await other.over()


async def test_another_process_has_moved_the_table_on(seated: Seated) -> None:
    there = OpenTables(seated.around)
    await there.recover()
    twin = there.get(seated.table.id)
    assert twin is not None
    await twin.stake(1, {"main": 10 * CHIP}, press())
    assert await refused(seated.stake) is Reason.OLD_BUTTON
    assert await seated.agree()
    await there.shutdown()


async def test_a_press_that_comes_twice(seated: Seated) -> None:
    await asked(seated)
    number = press()
    await act(seated, "stand", number)
    assert await refused(lambda: seated.table.stake(1, {"main": 10 * CHIP}, number)) is None  # another deed
    if seated.table.state.phase is TablePhase.PLAYING:
        await seated.table.close(press())
        return
    assert await refused(lambda: seated.table.stake(1, {"main": 10 * CHIP}, number)) is Reason.ALREADY_DONE
    assert await seated.agree()


async def test_stopped_stakes_leave_the_hand_that_is_played(seated: Seated) -> None:
    await asked(seated)
    await seated.bank.auditor.stop_stakes("the audit found a fault")
    await act(seated, "double")
    assert await seated.agree()
    assert await refused(seated.stake) is Reason.STAKES_STOPPED
    assert await seated.agree()
    await seated.bank.auditor.allow_stakes()
    assert await refused(seated.stake) is None


# -- callers that go away, and outcomes that nobody knows --------------------------------------------------------------


async def test_a_press_that_is_cancelled_while_the_bank_writes(seated: Seated, monkeypatch: pytest.MonkeyPatch) -> None:
    commit, begun = seated.bank.tables.commit, asyncio.Event()

    async def announced(change: Change) -> None:
        begun.set()
        await commit(change)

    monkeypatch.setattr(seated.bank.tables, "commit", announced)
    staking = asyncio.create_task(seated.table.stake(1, {"main": 10 * CHIP}, press()))
    await begun.wait()
    staking.cancel()
    with pytest.raises(asyncio.CancelledError):
        await staking
    await refused(seated.stake)  # staked now, or staked before: the table asks the journal first
    assert await seated.agree()


@pytest.mark.parametrize("was", ["written", "lost"])
@pytest.mark.parametrize("journal", ["is there", "is away"])
async def test_an_unknown_outcome_is_looked_up_as_soon_as_that_is_possible(
    seated: Seated, monkeypatch: pytest.MonkeyPatch, was: str, journal: str
) -> None:
    bank, commit = seated.bank, seated.bank.tables.commit

    async def cut_off(change: Change) -> None:
        if was == "written":
            await commit(change)
        raise OutcomeUnknown("the line died")

    async def away(table: int) -> StoredTable | None:
        raise BankUnavailable("nobody answers")

    with monkeypatch.context() as outage:
        outage.setattr(bank.tables, "commit", cut_off)
        if journal == "is away":
            outage.setattr(bank.tables, "stored", away)
        reason = await refused(seated.stake)
        assert reason is (None if (was, journal) == ("written", "is there") else Reason.BANK_UNAVAILABLE)
    assert await refused(seated.stake) in {None, Reason.ALREADY_STAKED, Reason.ROUND_RUNNING}
    assert await seated.agree()


@pytest.mark.parametrize("fault", [BankUnavailable("the disk is full"), OutcomeUnknown(), KeyError("a bug")])
async def test_the_clock_tries_again_what_the_bank_could_not_take(
    seated: Seated, clock: HandClock, monkeypatch: pytest.MonkeyPatch, fault: Exception
) -> None:
    await asked(seated)
    bank, commit, tries = seated.bank, seated.bank.tables.commit, 0

    async def second_time(change: Change) -> None:
        nonlocal tries
        tries += 1
        if tries == 1:
            raise fault
        await commit(change)

    assert tables.RETRY_SECONDS == 5, "in the house"
    monkeypatch.setattr(tables, "RETRY_SECONDS", 0.01)
    monkeypatch.setattr(bank.tables, "commit", second_time)
    deadline = seated.table.state.deadline
    assert deadline is not None
    clock.time = deadline
    seated.table._arm()
    await until(lambda: seated.table.state.phase is TablePhase.BETTING)
    assert tries == 2
    assert await seated.agree()


async def until(true: Callable[[], bool]) -> None:
    async with asyncio.timeout(60):
        while not true():  # noqa: ASYNC110, a table rings no bell
            await asyncio.sleep(0.002)
