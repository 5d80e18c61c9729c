"""Between two audits of everything the auditor looks at what came since the last one, and at all that is open."""

from __future__ import annotations

import pytest

from data import Bank
from engine.games.contract import CHIP
from tests.data.by_hand import bind_all, by_hand
from tests.data.conftest import Join
from tests.data.dealer import Dealer, HandClock, press

DAY = 86_400.0


@pytest.fixture
async def proved(unsound_bank: Bank, join: Join) -> Dealer:
    """Three rounds that are bound and were audited."""
    alice, bob = await join(1), await join(2)
    table = await Dealer(unsound_bank).open()
    for back in (20, 0, 25):
        await table.round({alice: 10, bob: 5}, back)
    await bind_all(unsound_bank)
    assert (await unsound_bank.auditor.look_in(DAY)).clean
    await table.round({alice: 10, bob: 5}, 20)
    await bind_all(unsound_bank)
    await table.round({alice: 10, bob: 5}, 0)
    await table.stake(alice, 10)
    await table.deal(play=["hit"])
    return table


async def test_only_what_is_new_is_looked_at(unsound_bank: Bank, proved: Dealer) -> None:
    everything = await unsound_bank.auditor.audit()
    recent = await unsound_bank.auditor.look_in(DAY)
    assert recent.clean
    assert (everything.rounds, recent.rounds) == (6, 3)
    assert 0 < recent.transfers < everything.transfers


@pytest.mark.thinned
@pytest.mark.parametrize(
    "command",
    [
        "UPDATE rounds SET stakes = replace(stakes, '1000', '100000') WHERE number = 4",
        "DELETE FROM steps WHERE number = 5 AND place = (SELECT max(place) FROM steps WHERE number = 5)",
        "UPDATE rounds SET stakes = replace(stakes, '1000', '100000') WHERE number = 6",
        "UPDATE members SET balance = balance + 1 WHERE id = 1",
        "UPDATE pots SET balance = balance + 1 WHERE closed = 0",
        "UPDATE plays SET returned = returned + 1 WHERE number = 5",
        "UPDATE tables SET doc = replace(doc, '70', '71')",
        "DELETE FROM causes WHERE version = 3",
        "UPDATE causes SET version = 2 WHERE version = 3",
        "UPDATE leaves SET head = 'x' WHERE place = 2",
        "UPDATE rounds SET leaf = 99 WHERE number = 5",
        "UPDATE transfers SET target = 'member/404' WHERE id = (SELECT max(id) FROM transfers)",
    ],
)
async def test_what_is_changed_of_the_new_is_found(unsound_bank: Bank, proved: Dealer, command: str) -> None:
    await by_hand(unsound_bank, command)
    assert not (await unsound_bank.auditor.look_in(DAY)).clean
    assert await unsound_bank.auditor.stakes_stopped()


async def test_what_is_changed_of_the_past_is_found_the_next_day(
    unsound_bank: Bank, proved: Dealer, clock: HandClock
) -> None:
    await by_hand(unsound_bank, "UPDATE rounds SET stakes = replace(stakes, '1000', '100000') WHERE number = 1")
    for _ in range(2):
        assert (await unsound_bank.auditor.look_in(DAY)).clean
        clock.time += DAY / 2
    assert not (await unsound_bank.auditor.look_in(DAY)).clean


async def test_when_something_was_wrong_everything_is_looked_at_until_it_is_mended(
    unsound_bank: Bank, proved: Dealer, clock: HandClock
) -> None:
    tampered = "UPDATE rounds SET dealt_at = dealt_at {} 1 WHERE number = 1"
    await by_hand(unsound_bank, tampered.format("+"))
    assert not (await unsound_bank.auditor.inspect()).clean
    assert not (await unsound_bank.auditor.look_in(DAY)).clean, "it was not looked at only because it is old"
    await by_hand(unsound_bank, tampered.format("-"))
    assert (await unsound_bank.auditor.look_in(DAY)).clean
    assert await unsound_bank.auditor.stakes_stopped() is None


async def test_a_fault_that_was_found_since_is_not_hidden_by_a_clean_report(unsound_bank: Bank, proved: Dealer) -> None:
    auditor = unsound_bank.auditor
    assert (await auditor.inspect()).clean
    assert (await auditor.look_in(DAY)).clean
    await by_hand(unsound_bank, "UPDATE members SET balance = balance + 1 WHERE id = 1")
    assert (await auditor.inspect(within=60.0)).clean
    assert not (await auditor.look_in(DAY)).clean
    assert not (await auditor.inspect(within=60.0)).clean


async def test_progress_is_told(unsound_bank: Bank, proved: Dealer) -> None:
    told = list[tuple[str, int]]()
    report = await unsound_bank.auditor.inspect(progress=lambda what, looked: told.append((what, looked)))
    assert report.clean
    assert ("rounds", report.rounds) in told
    assert {"accounts", "transfers", "rounds", "tables", "leaves"} <= {what for what, _ in told}


async def test_a_grant_since_the_last_time_is_proved_with_all_that_its_member_ever_had(
    unsound_bank: Bank, proved: Dealer, join: Join
) -> None:
    alice = await join(1)
    await unsound_bank.chips.grant(alice.id, CHIP, actor=alice.id, reason="x", press=press())
    await bind_all(unsound_bank)
    assert (await unsound_bank.auditor.look_in(DAY)).clean
    await unsound_bank.chips.grant(alice.id, CHIP, actor=alice.id, reason="x", press=press())
    await by_hand(unsound_bank, "DELETE FROM transfers WHERE reason = 'opening' AND target = 'member/1'")
    assert not (await unsound_bank.auditor.look_in(DAY)).clean
