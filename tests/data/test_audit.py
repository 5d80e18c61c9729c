"""The audit finds every fault it claims to find: each is put there by hand."""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import asyncpg
import pytest
import sqlalchemy as sa
from sqlalchemy.util import await_only

from bench._rounds import write_rounds
from data import Bank, Fault, GuildSettings, Report
from data.proofs import audit, auditor, pieces
from data.proofs.balances import MEMBERS
from data.proofs.report import Wrong
from data.proofs.slices import Slice
from engine.tables.house import HouseSettings
from engine.tables.refused import Reason
from engine.tables.values import Change
from tests.conftest import NewBank
from tests.data.by_hand import by_hand
from tests.data.conftest import Join
from tests.data.dealer import GUILD, NOW, Dealer, HandClock
from tests.data.seated import Seated, refused
from tests.data.servers import Server


def move(source: str, target: str, cents: int, reason: str, key: str = "by hand") -> str:
    return (
        f"INSERT INTO transfers (key, guild, source, target, amount, reason, at) "
        f"VALUES ('{key}', {GUILD}, '{source}', '{target}', {cents}, '{reason}', {NOW})"
    )


async def found(bank: Bank) -> set[Wrong]:
    return {fault.wrong for fault in (await bank.auditor.audit()).faults}


@pytest.fixture
async def played(unsound_bank: Bank, join: Join) -> Dealer:
    """Two rounds behind them, Alice's ten chips staked on a third that is being played."""
    alice, bob = await join(1), await join(2)
    table = await Dealer(unsound_bank).open()
    await table.round({alice: 10, bob: 20}, 25, 0)
    await table.round({alice: 10}, 0)
    await table.stake(alice, 10)
    await table.deal(play=["hit"])
    await table.act()
    return table


async def test_a_sound_bank_has_no_faults(unsound_bank: Bank, played: Dealer) -> None:
    report = await unsound_bank.auditor.audit()
    assert (report.clean, report.faults, report.at) == (True, (), NOW)
    assert (report.accounts, report.rounds) == (5, 3)


async def test_an_empty_bank_is_sound(bank: Bank) -> None:
    report = await bank.auditor.audit()
    assert report == Report(NOW, 0, 0, 0, ())


async def test_walks_without_rows_are_asked_in_one_transaction(bank: Bank, monkeypatch: pytest.MonkeyPatch) -> None:
    slicing, begun = bank._store.slicing, 0

    def counted() -> Any:
        nonlocal begun
        begun += 1
        return slicing()

    monkeypatch.setattr(bank._store, "slicing", counted)
    assert (await bank.auditor.audit()).clean
    assert begun == 1


@pytest.mark.thinned
@pytest.mark.parametrize(
    ("command", "wrong"),
    [
        ("UPDATE members SET balance = balance + 1 WHERE id = 1", {Wrong.BALANCE, Wrong.SUM}),
        ("UPDATE members SET balance = balance - 500 WHERE id = 2", {Wrong.BALANCE, Wrong.SUM}),
        ("UPDATE pots SET balance = balance + 5 WHERE closed = 0", {Wrong.BALANCE, Wrong.SUM, Wrong.DOCUMENT}),
        ("DELETE FROM pots WHERE closed = 0", {Wrong.NO_ACCOUNT, Wrong.SUM, Wrong.DOCUMENT}),
        ("DELETE FROM transfers WHERE reason = 'opening' AND target = 'member/1'", {Wrong.BALANCE, Wrong.SUM}),
        ("UPDATE transfers SET amount = amount + 1 WHERE reason IN ('winnings', 'losses')", {Wrong.BALANCE, Wrong.SUM}),
        (move("mint", "member/77", 5, "help"), {Wrong.NO_ACCOUNT, Wrong.SUM}),
        (move("member/77", "mint", 5, "take"), {Wrong.NO_ACCOUNT, Wrong.SUM}),
        (move("house", "mint", 5, "stake"), {Wrong.TRANSFER}),
        ("UPDATE transfers SET id = 0 WHERE id = 1", {Wrong.TRANSFER}),  # no book would ever bind it
        ("UPDATE tables SET open = 0", {Wrong.STRAY_STAKE, Wrong.LEFT}),
        ("UPDATE pots SET closed = 1", {Wrong.UNSETTLED, Wrong.DOCUMENT}),
        ("UPDATE pots SET closed = 0", {Wrong.UNSETTLED}),
        ("UPDATE pots SET guild = 404 WHERE closed = 1", {Wrong.NO_ACCOUNT, Wrong.UNSETTLED}),
        (
            "UPDATE rounds SET finished_at = NULL WHERE number = 1",
            {Wrong.UNSETTLED, Wrong.LEFT, Wrong.EARLY, Wrong.RESULT},
        ),
        ("UPDATE plays SET returned = returned + 1 WHERE number = 1", {Wrong.RESULT, Wrong.OUTCOME, Wrong.SCORE}),
        ("UPDATE plays SET staked = 0 WHERE member = 2", {Wrong.RESULT, Wrong.OUTCOME, Wrong.SCORE}),
        ("UPDATE plays SET real = 0 WHERE number = 2", {Wrong.RESULT, Wrong.SCORE}),
        ("DELETE FROM plays WHERE number = 2", {Wrong.OUTCOME, Wrong.SCORE, Wrong.STRANGER}),
        ("UPDATE rounds SET outcome = 'x' WHERE number = 1", {Wrong.OUTCOME, Wrong.REPLAY}),
        ("UPDATE rounds SET lines = replace(lines, '2500', '2600') WHERE number = 1", {Wrong.OUTCOME}),
        ("UPDATE rounds SET members = '[1, null]' WHERE number = 1", {Wrong.OUTCOME}),
        ("UPDATE steps SET place = 1 WHERE number = 3", {Wrong.STEPS}),
        ("UPDATE members SET winnings = winnings + 1 WHERE id = 1", {Wrong.SCORE}),
        ("UPDATE members SET rounds = 7 WHERE id = 2", {Wrong.SCORE}),
        ("UPDATE members SET won = won + 1 WHERE id = 1", {Wrong.SCORE}),
        ("UPDATE members SET rate = 1000000 WHERE id = 1", {Wrong.SCORE}),
        ("UPDATE plays SET at = at - 86400 WHERE number = 1", {Wrong.RESULT}),
        ("UPDATE members SET tables_won = 1 WHERE id = 2", {Wrong.TITLES}),
        ("UPDATE members SET tables_won = 1, tournaments_won = -1 WHERE id = 2", {Wrong.TITLES}),
        ("UPDATE rounds SET seed = (SELECT seed FROM rounds WHERE number = 1) WHERE number = 3", {Wrong.REPLAY}),
        ("UPDATE rounds SET commitment = 'x' WHERE number = 3", {Wrong.REPLAY}),
        (
            f"INSERT INTO pots (guild, name, balance, closed) VALUES ({GUILD}, 'sock/1/2', 5, 0)",
            {Wrong.BALANCE, Wrong.SUM, Wrong.STRAY_STAKE},
        ),
        (
            f"INSERT INTO pots (guild, name, balance, closed) VALUES ({GUILD}, 'computer/404/Ada', 5, 0)",
            {Wrong.BALANCE, Wrong.SUM, Wrong.STRAY_STAKE},
        ),
        (
            f"INSERT INTO pots (guild, name, balance, closed) VALUES ({GUILD}, 'stack/{2**63}/1', 5, 0)",
            {Wrong.BALANCE, Wrong.SUM, Wrong.STRAY_STAKE},
        ),
        (f"INSERT INTO titles (source, guild, member, at) VALUES ('table/1', {GUILD}, 1, 1)", {Wrong.TITLES}),
    ],
)
async def test_what_was_changed_by_hand_is_found(
    unsound_bank: Bank, played: Dealer, command: str, wrong: set[Wrong]
) -> None:
    await by_hand(unsound_bank, command)
    assert await found(unsound_bank) == wrong


async def test_a_result_of_a_round_that_never_was_is_found(unsound_bank: Bank, played: Dealer) -> None:
    """With a score to match it would stand on the leaderboard. A server would not take it; a file does, from others."""
    if not unsound_bank._store.is_file:
        return
    with closing(sqlite3.connect(unsound_bank._store.engine.url.database or "")) as file, file:
        file.execute(f"INSERT INTO plays VALUES (404, 1, 2, 100, 900, 1, {NOW})")
        file.execute("UPDATE members SET winnings = winnings + 800, rounds = rounds + 1, won = won + 1 WHERE id = 2")
    assert await found(unsound_bank) == {Wrong.RESULT}


@pytest.mark.parametrize(("target", "cents"), [("member/1", 500), ("member/2", 0)])
async def test_a_gift_to_oneself_or_of_nothing_is_found(
    unsound_bank: Bank, played: Dealer, target: str, cents: int
) -> None:
    """A server would not take it; a file does, from others."""
    if not unsound_bank._store.is_file:
        return
    with closing(sqlite3.connect(unsound_bank._store.engine.url.database or "")) as file, file:
        file.execute("PRAGMA ignore_check_constraints = ON")
        file.execute(move("member/1", target, cents, "gift"))
    assert await found(unsound_bank) == {Wrong.TRANSFER}


async def test_chips_that_the_house_gave_a_member_past_every_round_are_found(
    unsound_bank: Bank, played: Dealer
) -> None:
    await by_hand(
        unsound_bank,
        move("house", "member/1", 500, "winnings"),
        "UPDATE members SET balance = balance + 500 WHERE id = 1",
    )
    assert await found(unsound_bank) == {Wrong.TRANSFER}


async def test_starting_chips_that_were_handed_out_twice_are_found(unsound_bank: Bank, played: Dealer) -> None:
    await by_hand(
        unsound_bank,
        move("mint", "member/1", 500, "opening"),
        "UPDATE members SET balance = balance + 500 WHERE id = 1",
    )
    assert await found(unsound_bank) == {Wrong.TRANSFER}


@pytest.mark.parametrize("reason", ["daily", "help"])
async def test_a_handout_that_nobody_took_is_found(unsound_bank: Bank, played: Dealer, reason: str) -> None:
    """Whether none is known of, or the next one was not yet due."""
    rich = (
        move("mint", "member/1", 100_000_000, reason),
        "UPDATE members SET balance = balance + 100000000 WHERE id = 1",
    )
    await by_hand(unsound_bank, *rich)
    assert await found(unsound_bank) == {Wrong.HANDOUT}
    await by_hand(unsound_bank, f"UPDATE members SET daily_at = {NOW}, helped_at = {NOW} WHERE id = 1")
    assert await found(unsound_bank) == set()
    await by_hand(unsound_bank, rich[0].replace("by hand", "again"), rich[1])
    assert await found(unsound_bank) == {Wrong.HANDOUT}


async def test_daily_chips_an_hour_apart_are_sound_where_the_server_gives_them_each_hour(
    bank: Bank, clock: HandClock, join: Join
) -> None:
    alice = await join(1)
    await bank.guilds.keep_settings(GUILD, GuildSettings(HouseSettings(daily_hours=1)))
    for number in (77, 78):
        await bank.chips.daily(alice.id, number)
        clock.time += 3_600
    assert await found(bank) == set()
    await by_hand(bank, "UPDATE transfers SET at = at + 1 WHERE key = 'press/77/daily'")  # written a moment later
    assert await found(bank) == set()


async def test_handouts_of_somebody_who_was_forgotten_are_sound(bank: Bank, join: Join) -> None:
    alice = await join(1)
    await bank.chips.daily(alice.id, 77)
    await bank.privacy.forget(GUILD, 1)
    assert await found(bank) == set()


async def test_a_stake_moved_to_no_round_is_found(unsound_bank: Bank, played: Dealer) -> None:
    await by_hand(
        unsound_bank,
        move("member/1", "escrow/404/1", 100, "stake"),
        "UPDATE members SET balance = balance - 100 WHERE id = 1",
        f"INSERT INTO pots (guild, name, balance, closed) VALUES ({GUILD}, 'escrow/404/1', 100, 0)",
    )
    assert await found(unsound_bank) == {Wrong.STRAY_STAKE}


async def test_chips_bought_in_at_a_closed_table_are_found(unsound_bank: Bank, played: Dealer) -> None:
    stack = f"stack/{played.id}/1"
    await by_hand(
        unsound_bank,
        move("member/1", stack, 100, "buy-in"),
        "UPDATE members SET balance = balance - 100 WHERE id = 1",
        f"INSERT INTO pots (guild, name, balance, closed) VALUES ({GUILD}, '{stack}', 100, 0)",
    )
    assert await found(unsound_bank) == {Wrong.DOCUMENT}
    await played.finish()
    await played.close()
    assert await found(unsound_bank) == {Wrong.STRAY_STAKE}


async def test_paid_twice_is_found(unsound_bank: Bank, played: Dealer) -> None:
    """The winner of round 1 paid again through its escrow, which is made to look well afterwards."""
    escrow = f"escrow/{played.id}/1"
    await by_hand(
        unsound_bank,
        move("house", escrow, 2_500, "winnings"),
        move(escrow, "member/1", 2_500, "returned", "by hand 2"),
        "UPDATE members SET balance = balance + 2500 WHERE id = 1",
    )
    assert await found(unsound_bank) == {Wrong.RESULT}


@pytest.mark.parametrize("dealt", [True, False])
async def test_paid_without_an_end_is_found(unsound_bank: Bank, played: Dealer, join: Join, *, dealt: bool) -> None:
    """Every balance is right, and the stakes of the round that is being played, or staked on, are gone from it."""
    table = played if dealt else await Dealer(unsound_bank).open()
    if not dealt:
        await table.stake(await join(1), 10)
    escrow = f"escrow/{table.id}/{table.number}"
    await by_hand(
        unsound_bank,
        move(escrow, "member/1", 1_000, "returned"),
        "UPDATE members SET balance = balance + 1000 WHERE id = 1",
        f"UPDATE pots SET balance = 0 WHERE name = '{escrow}'",
    )
    assert await found(unsound_bank) == {Wrong.EARLY, Wrong.DOCUMENT}


async def test_a_round_of_play_chips_that_was_left_is_found(unsound_bank: Bank, played: Dealer) -> None:
    """No chip tells of it, but the next round was sealed before this one had ended."""
    await by_hand(
        unsound_bank,
        "INSERT INTO rounds (table_id, number, guild, seed, commitment, code, version, scheme) "
        "SELECT table_id, 4, guild, seed, commitment, 'x', version, scheme FROM rounds WHERE number = 3",
    )
    assert await found(unsound_bank) == {Wrong.LEFT}


async def test_a_stake_of_somebody_who_was_not_in_the_round_is_found(unsound_bank: Bank, played: Dealer) -> None:
    escrow = f"escrow/{played.id}/2"
    await by_hand(
        unsound_bank,
        move("member/2", escrow, 100, "stake"),
        move(escrow, "house", 100, "losses", "by hand 2"),
        "UPDATE members SET balance = balance - 100 WHERE id = 2",
    )
    assert await found(unsound_bank) == {Wrong.STRANGER}


async def test_a_stack_that_a_round_has_paid_without_a_stake_is_found(unsound_bank: Bank, played: Dealer) -> None:
    escrow, stack = f"escrow/{played.id}/2", f"stack/{played.id}/2"
    await by_hand(
        unsound_bank,
        move("house", escrow, 100, "winnings"),
        move(escrow, stack, 100, "returned", "by hand 2"),
        move(stack, "member/2", 100, "cash-out", "by hand 3"),
        f"INSERT INTO pots (guild, name, balance, closed) VALUES ({GUILD}, '{stack}', 0, 0)",
        "UPDATE members SET balance = balance + 100 WHERE id = 2",
    )
    assert await found(unsound_bank) == {Wrong.STRANGER}


async def test_a_fault_says_where_and_what(unsound_bank: Bank, played: Dealer) -> None:
    await by_hand(unsound_bank, "UPDATE members SET balance = balance + 1 WHERE id = 1")
    fault = (await unsound_bank.auditor.audit()).faults[0]
    told = f"a balance is not the sum of its transfers: member/1 of guild {GUILD}: 99501, not 99500"
    assert str(fault) == told


async def test_many_faults_are_not_all_told(unsound_bank: Bank, join: Join) -> None:
    for user in range(30):
        await join(user)
    await by_hand(unsound_bank, "UPDATE members SET balance = balance + 1")
    assert len((await unsound_bank.auditor.audit()).faults) == 21  # twenty balances, and the guild's sum


async def test_a_fault_stops_new_stakes_until_it_is_mended(unsound_bank: Bank, clock: HandClock) -> None:
    alice = await Seated(unsound_bank, clock).sit()
    await alice.stake()
    await by_hand(unsound_bank, "UPDATE members SET balance = balance + 1 WHERE id = 1")
    for _ in range(2):
        assert not (await unsound_bank.auditor.inspect()).clean
    assert (await unsound_bank.auditor.stakes_stopped() or "").startswith("a balance is not")
    await alice.stand()
    assert await refused(alice.stake) is Reason.STAKES_STOPPED
    await by_hand(unsound_bank, "UPDATE members SET balance = balance - 1 WHERE id = 1")
    assert (await unsound_bank.auditor.inspect()).clean
    assert await unsound_bank.auditor.stakes_stopped() is None
    await alice.stake()


async def test_who_asks_again_gets_the_last_answer_if_it_was_a_good_one(unsound_bank: Bank, clock: HandClock) -> None:
    """Everybody may have a server of their own, and have the books of all servers read there."""
    await unsound_bank.members.sign_in(GUILD, 1)
    reports = await asyncio.gather(*(unsound_bank.auditor.inspect(within=60) for _ in range(20)))
    assert len({id(report) for report in reports}) == 1
    clock.time += 60
    assert await unsound_bank.auditor.inspect(within=60) is not reports[0]
    clock.time -= 3_600  # a clock that was set back
    assert (await unsound_bank.auditor.inspect(within=60)).at == clock.time
    await by_hand(unsound_bank, "UPDATE members SET balance = balance + 1 WHERE id = 1")
    assert not (await unsound_bank.auditor.inspect()).clean
    await by_hand(unsound_bank, "UPDATE members SET balance = balance - 1 WHERE id = 1")
    assert (await unsound_bank.auditor.inspect(within=60)).clean


async def test_audits_beside_presses_at_full_speed_raise_no_alarm(bank: Bank, join: Join) -> None:
    """Whole audits, one after the other, while eight tables are played at without a pause."""
    await write_rounds(bank, 0, 1_000)
    people = [await join(user) for user in range(1, 9)]
    tables = [await Dealer(bank).open() for _ in people]
    auditing = True

    async def play(index: int) -> int:
        rounds = 0
        while auditing:
            await tables[index].round({people[index]: 5})
            rounds += 1
        return rounds

    players = [asyncio.create_task(play(index)) for index in range(8)]
    try:
        reports = [await bank.auditor.audit() for _ in range(3)]
    finally:
        auditing = False
        played = sum(await asyncio.gather(*players))
    assert played > 100
    assert [report.faults for report in reports] == [()] * 3
    assert 1_000 < reports[0].rounds < reports[-1].rounds <= 1_000 + played + 8
    assert bank._store.watch.trouble() is None, "the log stays small: no audit reads for long"


async def test_a_slice_is_read_as_it_was_at_one_moment(bank: Bank, join: Join) -> None:
    alice, counted = await join(1), sa.text("SELECT count(*) FROM transfers")
    async with bank._store.slicing() as connection:
        before = (await connection.execute(counted)).scalar_one()
        await bank.chips.daily(alice.id, 77)
        assert (await connection.execute(counted)).scalar_one() == before
    assert await bank._store.value(counted) == before + 1


async def test_what_differs_is_read_again_before_it_is_called_a_fault(
    unsound_bank: Bank, join: Join, monkeypatch: pytest.MonkeyPatch
) -> None:
    await join(1)
    look, looks = MEMBERS.look, 0

    async def elsewhere_each_time(*where: Any) -> Slice:
        nonlocal looks
        looks += 1
        return replace(await look(*where), faults=[Fault(Wrong.BALANCE, f"member/{looks}", GUILD, "1", "2")])

    monkeypatch.setattr(auditor, "MONEY", (replace(MEMBERS, look=elsewhere_each_time),))
    assert (await unsound_bank.auditor.audit()).clean
    assert looks == 2


async def test_rows_with_numbers_that_nothing_can_be_done_with_are_a_fault(
    unsound_bank: Bank, join: Join, monkeypatch: pytest.MonkeyPatch
) -> None:
    await join(1)

    async def overflowing(*_: object) -> Slice:
        return Slice(int(float("inf")))

    monkeypatch.setattr(auditor, "MONEY", (replace(MEMBERS, look=overflowing),))
    assert await found(unsound_bank) == {Wrong.NONSENSE}


async def test_an_audit_can_be_stopped_between_two_slices(
    bank: Bank, join: Join, monkeypatch: pytest.MonkeyPatch
) -> None:
    in_slices_of(1, monkeypatch)
    for user in range(30):
        await join(user)
    begun = asyncio.Event()
    auditing = asyncio.create_task(bank.auditor.audit(progress=lambda *_: begun.set()))
    await begun.wait()
    assert not auditing.done()
    auditing.cancel()
    with pytest.raises(asyncio.CancelledError):
        await auditing
    await join(99)


async def test_ten_times_the_rounds_take_ten_times_the_work(
    tmp_path: Path, new_bank: NewBank, clock: HandClock
) -> None:
    """Counted, not timed: what SQLite steps through. It was a hundred times the work once."""
    spent = 0

    def count() -> None:
        nonlocal spent
        spent += 1

    async with Bank.open(new_bank(tmp_path / "bank.db"), HouseSettings(), clock) as bank:

        @sa.event.listens_for(bank._store.engine.sync_engine, "checkout")
        def watched(connection: Any, *_: object) -> None:
            await_only(connection.driver_connection.set_progress_handler(count, 100))

        work = list[int]()
        for first, last in ((0, 1_000), (1_000, 10_000)):
            await write_rounds(bank, first, last)
            spent = 0
            assert (await bank.auditor.audit()).clean
            work.append(spent)
    assert work[0] > 1_000
    assert work[1] < 10.5 * work[0]


async def test_several_processes_find_what_one_finds(unsound_bank: Bank, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pieces, "PIECE", 125)
    await write_rounds(unsound_bank, 0, 500)
    for table in (1, 9):
        await by_hand(unsound_bank, f"UPDATE plays SET returned = returned + 1 WHERE table_id = {table}")
        await by_hand(unsound_bank, f"UPDATE steps SET action = 'surrender' WHERE table_id = {table}")
    told: list[tuple[str, int]] = []
    report = await unsound_bank.auditor.audit_at_once(2, lambda *said: told.append(said))
    assert told[-4:] == [("rounds", 125), ("rounds", 250), ("rounds", 375), ("rounds", 500)]
    assert report == await unsound_bank.auditor.audit()
    assert {Wrong.RESULT, Wrong.REPLAY, Wrong.SCORE} <= {fault.wrong for fault in report.faults}


async def test_a_server_without_statistics_reads_no_table_from_end_to_end(server: Server, clock: HandClock) -> None:
    """PostgreSQL counts the rows that it had to read one by one, and tells when a connection is closed."""
    address = await server.new()
    async with Bank.open(address, HouseSettings(), clock) as bank:
        await write_rounds(bank, 0, 5_000)
    read = -await read_one_by_one(address)
    async with Bank.open(address, HouseSettings(), clock) as bank:
        assert (await bank.auditor.audit()).clean
    read += await read_one_by_one(address)
    assert read < 20_000, "it has some 40,000 rows, in 100 slices"
    await server.drop(address)


async def read_one_by_one(address: str) -> int:
    connection = await asyncpg.connect(address)
    others = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
    while await connection.fetchval(others):  # noqa: ASYNC110, the server rings no bell
        await asyncio.sleep(0.05)
    read: int = await connection.fetchval("SELECT sum(seq_tup_read)::bigint FROM pg_stat_user_tables")
    await connection.close()
    return read


def in_slices_of(rows: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(auditor, "MONEY", tuple(replace(walk, size=rows) for walk in audit.MONEY))
    monkeypatch.setattr(auditor, "BOOKS", replace(auditor.BOOKS, size=rows))


async def test_long_histories_are_read_in_pieces(bank: Bank, join: Join, monkeypatch: pytest.MonkeyPatch) -> None:
    in_slices_of(2, monkeypatch)
    alice = await join()
    tables = [await Dealer(bank).open() for _ in range(3)]
    for table in tables:
        for _ in range(3):
            await table.round({alice: 1}, 1)
    await by_hand(bank, "UPDATE rounds SET outcome = 'x' || outcome WHERE number = 3")
    assert len((await bank.auditor.audit(replay=False)).faults) == 3
    await by_hand(bank, "UPDATE rounds SET outcome = substr(outcome, 2) WHERE number = 3")


async def test_a_closed_table_with_an_unplayed_round_is_well(bank: Bank, table: Dealer) -> None:
    await table.commit(Change("close", table.row(is_open=False)))
    assert (await bank.auditor.audit()).clean
