"""The audit finds every fault it claims to find: each is put there by hand."""

from __future__ import annotations

import asyncio

import pytest
import sqlalchemy as sa

from data import Bank, Report, audit
from data.proofs import Wrong
from engine.tables.ports import Change, StakesStopped
from tests.data.conftest import Join
from tests.data.dealer import GUILD, NOW, Dealer, HandClock

MOVE = (
    f"INSERT INTO transfers (key, guild, source, target, amount, reason, at) "
    f"VALUES ('by hand', {GUILD}, '{{}}', '{{}}', {{}}, 'stake', {NOW})"
)


async def by_hand(bank: Bank, *commands: str) -> None:
    async with bank._store.rewriting() as connection:
        for command in commands:
            await connection.execute(sa.text(command))


async def found(bank: Bank) -> set[Wrong]:
    return {fault.wrong for fault in (await bank.audit()).faults}


@pytest.fixture
async def played(unsound_bank: Bank, join: Join) -> Dealer:
    """Two rounds behind them, Alice's ten chips staked on a third that is being played."""
    alice, bob = await join(1), await join(2)
    table = await Dealer(unsound_bank).open()
    await table.round({alice: 10, bob: 20}, 25, 0)
    await table.round({alice: 10}, 0)
    await table.stake(alice, 10)
    await table.deal()
    await table.act()
    return table


async def test_a_sound_bank_has_no_faults(unsound_bank: Bank, played: Dealer) -> None:
    report = await unsound_bank.audit()
    assert (report.clean, report.faults, report.at) == (True, (), NOW)
    assert (report.accounts, report.rounds) == (5, 3)


async def test_an_empty_bank_is_sound(bank: Bank) -> None:
    report = await bank.audit()
    assert report == Report(NOW, 0, 0, 0, ())


@pytest.mark.parametrize(
    ("command", "wrong"),
    [
        ("UPDATE members SET balance = balance + 1 WHERE id = 1", {Wrong.BALANCE, Wrong.SUM}),
        ("UPDATE members SET balance = balance - 500 WHERE id = 2", {Wrong.BALANCE, Wrong.SUM}),
        ("UPDATE pots SET balance = balance + 5 WHERE closed = 0", {Wrong.BALANCE, Wrong.SUM}),
        ("DELETE FROM pots WHERE closed = 0", {Wrong.NO_ACCOUNT, Wrong.SUM}),
        ("DELETE FROM transfers WHERE reason = 'opening' AND target = 'member/1'", {Wrong.BALANCE, Wrong.SUM}),
        ("UPDATE transfers SET amount = amount + 1 WHERE reason = 'house'", {Wrong.BALANCE, Wrong.SUM}),
        (MOVE.format("mint", "member/77", 5), {Wrong.NO_ACCOUNT, Wrong.SUM}),
        (MOVE.format("house", "mint", 5), set()),
        ("UPDATE tables SET open = 0", {Wrong.STRAY_STAKE, Wrong.LEFT}),
        ("UPDATE pots SET closed = 1", {Wrong.UNSETTLED}),
        ("UPDATE pots SET closed = 0", {Wrong.UNSETTLED}),
        ("UPDATE rounds SET finished_at = NULL WHERE number = 1", {Wrong.UNSETTLED, Wrong.LEFT, Wrong.EARLY}),
        ("UPDATE plays SET returned = returned + 1 WHERE number = 1", {Wrong.RESULT, Wrong.OUTCOME, Wrong.SCORE}),
        ("UPDATE plays SET staked = 0 WHERE member = 2", {Wrong.RESULT, Wrong.OUTCOME, Wrong.SCORE}),
        ("UPDATE plays SET real = 0 WHERE number = 2", {Wrong.RESULT, Wrong.SCORE}),
        ("DELETE FROM plays WHERE number = 2", {Wrong.OUTCOME, Wrong.SCORE, Wrong.STRANGER}),
        ("UPDATE rounds SET outcome = 'x' WHERE number = 1", {Wrong.OUTCOME}),
        ("UPDATE rounds SET lines = replace(lines, '2500', '2600') WHERE number = 1", {Wrong.OUTCOME}),
        ("UPDATE rounds SET members = '[1, null]' WHERE number = 1", {Wrong.OUTCOME}),
        ("UPDATE steps SET place = 1 WHERE number = 3", {Wrong.STEPS}),
        ("UPDATE members SET winnings = winnings + 1 WHERE id = 1", {Wrong.SCORE}),
        ("UPDATE members SET rounds = 7 WHERE id = 2", {Wrong.SCORE}),
    ],
)
async def test_what_was_changed_by_hand_is_found(
    unsound_bank: Bank, played: Dealer, command: str, wrong: set[Wrong]
) -> None:
    await by_hand(unsound_bank, command)
    assert await found(unsound_bank) == wrong


async def test_a_stake_moved_to_no_round_is_found(unsound_bank: Bank, played: Dealer) -> None:
    await by_hand(
        unsound_bank,
        MOVE.format("member/1", "escrow/404/1", 100),
        "UPDATE members SET balance = balance - 100 WHERE id = 1",
        f"INSERT INTO pots (guild, name, balance, closed) VALUES ({GUILD}, 'escrow/404/1', 100, 0)",
    )
    assert await found(unsound_bank) == {Wrong.STRAY_STAKE}


async def test_chips_bought_in_at_a_closed_table_are_found(unsound_bank: Bank, played: Dealer) -> None:
    stack = f"stack/{played.id}/1"
    await by_hand(
        unsound_bank,
        MOVE.format("member/1", stack, 100),
        "UPDATE members SET balance = balance - 100 WHERE id = 1",
        f"INSERT INTO pots (guild, name, balance, closed) VALUES ({GUILD}, '{stack}', 100, 0)",
    )
    assert await found(unsound_bank) == set()
    await played.finish(0)
    await played.close()
    assert await found(unsound_bank) == {Wrong.STRAY_STAKE}


async def test_paid_twice_is_found(unsound_bank: Bank, played: Dealer) -> None:
    """The winner of round 1 paid again through its escrow, which is made to look well afterwards."""
    escrow = f"escrow/{played.id}/1"
    await by_hand(
        unsound_bank,
        MOVE.format("house", escrow, 2_500),
        MOVE.replace("by hand", "by hand 2").format(escrow, "member/1", 2_500),
        "UPDATE members SET balance = balance + 2500 WHERE id = 1",
    )
    assert await found(unsound_bank) == {Wrong.RESULT}


async def test_paid_without_an_end_is_found(unsound_bank: Bank, played: Dealer) -> None:
    """Every balance is right, and the stakes of the round that is being played are gone from it."""
    escrow = f"escrow/{played.id}/3"
    await by_hand(
        unsound_bank,
        MOVE.format(escrow, "member/1", 1_000),
        "UPDATE members SET balance = balance + 1000 WHERE id = 1",
        f"UPDATE pots SET balance = 0 WHERE name = '{escrow}'",
    )
    assert await found(unsound_bank) == {Wrong.EARLY}


async def test_a_round_of_play_chips_that_was_left_is_found(unsound_bank: Bank, played: Dealer) -> None:
    """No chip tells of it, but the next round was sealed before this one had ended."""
    await by_hand(
        unsound_bank,
        "INSERT INTO rounds (table_id, number, guild, seed, commitment, code, version, scheme) "
        "SELECT table_id, 4, guild, seed, 'x', 'x', version, scheme FROM rounds WHERE number = 3",
    )
    assert await found(unsound_bank) == {Wrong.LEFT}


async def test_a_stake_of_somebody_who_was_not_in_the_round_is_found(unsound_bank: Bank, played: Dealer) -> None:
    escrow = f"escrow/{played.id}/2"
    await by_hand(
        unsound_bank,
        MOVE.format("member/2", escrow, 100),
        MOVE.replace("by hand", "by hand 2").format(escrow, "house", 100),
        "UPDATE members SET balance = balance - 100 WHERE id = 2",
    )
    assert await found(unsound_bank) == {Wrong.STRANGER}


async def test_a_fault_says_where_and_what(unsound_bank: Bank, played: Dealer) -> None:
    await by_hand(unsound_bank, "UPDATE members SET balance = balance + 1 WHERE id = 1")
    fault = (await unsound_bank.audit()).faults[0]
    told = f"a balance is not the sum of its transfers: member/1 of guild {GUILD}: 99501, not 99500"
    assert str(fault) == told


async def test_many_faults_are_not_all_told(unsound_bank: Bank, join: Join) -> None:
    for user in range(30):
        await join(user)
    await by_hand(unsound_bank, "UPDATE members SET balance = balance + 1")
    assert len((await unsound_bank.audit()).faults) == 21  # twenty balances, and the guild's sum


async def test_a_fault_stops_new_stakes_until_it_is_mended(unsound_bank: Bank, played: Dealer, join: Join) -> None:
    await by_hand(unsound_bank, "UPDATE members SET balance = balance + 1 WHERE id = 1")
    for _ in range(2):
        assert not (await unsound_bank.inspect()).clean
    assert (await unsound_bank.stakes_stopped() or "").startswith("a balance is not")
    await played.finish(0)
    with pytest.raises(StakesStopped):
        await played.stake(await join(2), 1)
    await by_hand(unsound_bank, "UPDATE members SET balance = balance - 1 WHERE id = 1")
    assert (await unsound_bank.inspect()).clean
    assert await unsound_bank.stakes_stopped() is None
    await played.stake(await join(2), 1)


async def test_who_asks_again_gets_the_last_answer_if_it_was_a_good_one(
    unsound_bank: Bank, played: Dealer, clock: HandClock
) -> None:
    """Everybody may have a server of their own, and have the books of all servers read there."""
    reports = await asyncio.gather(*(unsound_bank.inspect(within=60) for _ in range(20)))
    assert len({id(report) for report in reports}) == 1
    clock.time += 60
    assert await unsound_bank.inspect(within=60) is not reports[0]
    clock.time -= 3_600  # a clock that was set back
    assert (await unsound_bank.inspect(within=60)).at == clock.time
    await by_hand(unsound_bank, "UPDATE members SET balance = balance + 1 WHERE id = 1")
    assert not (await unsound_bank.inspect()).clean
    await by_hand(unsound_bank, "UPDATE members SET balance = balance - 1 WHERE id = 1")
    assert (await unsound_bank.inspect(within=60)).clean


async def test_an_audit_sees_one_moment_while_others_write(bank: Bank, join: Join) -> None:
    people = [await join(user) for user in range(1, 9)]
    tables = [await Dealer(bank).open() for _ in people]

    async def play(index: int) -> None:
        for _ in range(4):
            await tables[index].round({people[index]: 5}, index)

    reports = [bank.audit() for _ in range(6)]
    done = await asyncio.gather(*map(play, range(8)), *reports)
    assert all(report.clean for report in done[8:])


async def test_long_histories_are_read_in_pieces(bank: Bank, join: Join, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(audit, "_FINISHED", audit._FINISHED.limit(2))
    alice = await join()
    tables = [await Dealer(bank).open() for _ in range(3)]
    for table in tables:
        for _ in range(3):
            await table.round({alice: 1}, 1)
    await by_hand(bank, "UPDATE rounds SET outcome = 'x' WHERE number = 3")
    assert len((await bank.audit()).faults) == 3
    good = "SELECT outcome FROM rounds WHERE number = 1 LIMIT 1"
    await by_hand(bank, f"UPDATE rounds SET outcome = ({good}) WHERE number = 3")


async def test_a_closed_table_with_an_unplayed_round_is_well(bank: Bank, table: Dealer) -> None:
    await table.commit(Change("close", table.row(is_open=False)))
    assert (await bank.audit()).clean
