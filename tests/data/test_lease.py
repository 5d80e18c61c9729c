"""Work on a whole bank is done by one process at a time, on both databases."""

from __future__ import annotations

from pathlib import Path

import pytest

from data import Bank
from data.bank import Opening
from data.jobs.lease import ASKED_EVERY, SECONDS
from engine.tables.house import HouseSettings
from tests.conftest import NewBank
from tests.data.dealer import HandClock


def another(url: str, clock: HandClock) -> Opening:
    """One process more that has this bank open."""
    return Bank.open(url, HouseSettings(), clock)


async def test_of_two_processes_one_has_the_lease_as_long_as_it_asks(address: str, clock: HandClock) -> None:
    async with (
        Bank.open(address, HouseSettings(), clock) as first,
        Bank.open(address, HouseSettings(), clock) as second,
    ):
        for _ in range(10):
            assert (await first.lease.held(), await second.lease.held()) == (True, False)
            clock.time += ASKED_EVERY + 1


async def test_the_lease_of_a_process_that_is_gone_runs_out(address: str, clock: HandClock) -> None:
    async with (
        Bank.open(address, HouseSettings(), clock) as first,
        Bank.open(address, HouseSettings(), clock) as second,
    ):
        assert await first.lease.held()
        clock.time += SECONDS - 1
        assert not await second.lease.held()
        clock.time += ASKED_EVERY
        assert await second.lease.held()
        assert not await first.lease.held(), "it finds out before it does anything"


async def test_a_process_that_stops_in_order_gives_its_lease_up(address: str, clock: HandClock) -> None:
    async with another(address, clock) as second:
        async with another(address, clock) as first:
            assert await first.lease.held()
        assert await second.lease.held()


async def test_each_answer_holds_for_a_while_so_that_nobody_writes_for_every_question(
    unsound_bank: Bank, clock: HandClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert await unsound_bank.lease.held()
    monkeypatch.setattr(unsound_bank.jobs, "claim", None)
    monkeypatch.setattr(unsound_bank.jobs, "renew", None)
    clock.time += ASKED_EVERY - 1
    assert ASKED_EVERY == 30 == SECONDS / 3, "two attempts may fail before it runs out"
    assert await unsound_bank.lease.held()
    for seconds in (1, -3_600):  # the clock may be set back, too
        clock.time += seconds
        with pytest.raises(TypeError):
            await unsound_bank.lease.held()


async def test_every_bank_has_a_lease_of_its_own(tmp_path: Path, new_bank: NewBank, clock: HandClock) -> None:
    ours, theirs = new_bank(tmp_path / "ours.db"), new_bank(tmp_path / "theirs.db")
    async with another(ours, clock) as one, another(theirs, clock) as other:
        assert (await one.lease.held(), await other.lease.held()) == (True, True)


async def test_the_only_process_of_a_file_goes_on_at_once_after_it_was_killed(
    tmp_path: Path, new_bank: NewBank, clock: HandClock
) -> None:
    url = new_bank(tmp_path / "bank.db")
    async with another(url, clock) as killed, another(url, clock) as again:
        assert await killed.lease.held()
        assert await again.lease.held()
