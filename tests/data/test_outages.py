"""Disks full, files locked, wires cut: recorded or refused, never half, and the table in memory is the journal's."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import resource
import sqlite3
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import asyncpg
import pytest
import sqlalchemy as sa

from data import BadChange, Bank
from data.base.schema import metadata
from data.drivers import postgres, store
from data.drivers.alive import _ALONE
from engine.games.contract import CHIP
from engine.tables.house import HouseSettings
from engine.tables.ports import BankUnavailable, CannotPay, OutcomeUnknown
from engine.tables.refused import Reason
from engine.tables.values import Change
from tests.data.dealer import GUILD, LENIENT, Dealer, HandClock, press
from tests.data.seated import Seated, refused
from tests.data.wire import Cut, Wire, wire

pytestmark = pytest.mark.usefixtures("no_migrations")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "bank.db"


@pytest.fixture
async def on_file(file: Path, clock: HandClock) -> AsyncIterator[Bank]:
    async with Bank.open(f"sqlite:///{file}", HouseSettings(), clock) as bank:
        yield bank
        assert (await bank.auditor.audit(replay=False)).clean


# -- a full disk -------------------------------------------------------------------------------------------------------


async def full(bank: Bank) -> None:
    """The file may not grow by a single page."""
    await bank._store.write._writer.do(lambda connection: connection.execute("PRAGMA max_page_count = 1"))  # type: ignore[attr-defined]


async def emptied(bank: Bank) -> None:
    await bank._store.write._writer.do(lambda connection: connection.execute("PRAGMA max_page_count = 1000000"))  # type: ignore[attr-defined]


async def test_on_a_full_disk_a_change_is_refused_whole(on_file: Bank) -> None:
    table = await Dealer(on_file).open()
    alice = await on_file.members.sign_in(GUILD, 1)
    await full(on_file)
    big = Change("big", table.row("x" * 100_000), table.staking(alice, 10).transfers)
    with pytest.raises(BankUnavailable, match="full"):
        await table.commit(big)
    assert await on_file.members.balance(GUILD, 1) == 1_000 * CHIP
    await emptied(on_file)
    await table.commit(big)


async def test_on_a_full_disk_the_table_stays_the_journals(on_file: Bank, clock: HandClock) -> None:
    seated = await Seated(on_file, clock).sit()
    await full(on_file)
    with contextlib.suppress(BankUnavailable):  # once the last page is full
        for user in range(100, 1_000):
            await on_file.members.sign_in(GUILD, user)
    deeds = itertools.cycle((seated.stake, seated.stand))
    while (reason := await refused(next(deeds))) is None:  # there was room on other pages
        pass
    assert reason is Reason.BANK_UNAVAILABLE
    assert await seated.agree()
    await emptied(on_file)
    await seated.over()


@contextlib.contextmanager
def no_file_grows_beyond(size: int) -> Iterator[None]:
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


async def test_a_commit_that_the_disk_refuses_is_refused_whole(on_file: Bank, file: Path, clock: HandClock) -> None:
    """The write-ahead log cannot grow, so it is the commit itself that fails."""
    seated = await Seated(on_file, clock).sit()
    log = file.with_name(file.name + "-wal")
    with no_file_grows_beyond(log.stat().st_size):
        assert await refused(seated.stake) is Reason.BANK_UNAVAILABLE
    assert await seated.agree()
    assert await refused(seated.stake) is None
    assert await seated.agree()
    await seated.over()


# -- a locked file -----------------------------------------------------------------------------------------------------


@contextlib.contextmanager
def held(file: Path) -> Iterator[None]:
    """Another program writes to the bank's file and takes its time."""
    other = sqlite3.connect(file, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    try:
        yield
    finally:
        other.execute("ROLLBACK")
        other.close()


async def impatient(bank: Bank) -> None:
    await bank._store.write._writer.do(lambda connection: connection.execute("PRAGMA busy_timeout = 50"))  # type: ignore[attr-defined]


async def test_a_locked_file_is_waited_for(on_file: Bank, file: Path) -> None:
    table, alice = await Dealer(on_file).open(), await on_file.members.sign_in(GUILD, 1)
    with held(file):
        staking = asyncio.create_task(table.stake(alice, 10))
        await asyncio.sleep(0.1)
        assert not staking.done()
    await staking


async def test_a_file_that_stays_locked_refuses_whole(on_file: Bank, file: Path, clock: HandClock) -> None:
    seated = await Seated(on_file, clock).sit()
    await impatient(on_file)
    with held(file):
        assert await refused(seated.stake) is Reason.BANK_UNAVAILABLE
        assert await seated.agree()
    assert await refused(seated.stake) is None
    assert await seated.agree()
    await seated.over()


async def test_reading_goes_on_while_the_file_is_locked(on_file: Bank, file: Path) -> None:
    alice = await on_file.members.sign_in(GUILD, 1)
    with held(file):
        assert await on_file.members.sign_in(GUILD, 1) == alice
        assert await on_file.members.in_play(alice.id) == 0
        assert (await on_file.auditor.audit()).clean


async def test_a_file_that_may_only_be_read_refuses_whole(on_file: Bank) -> None:
    await on_file.members.sign_in(GUILD, 1)
    await on_file._store.write._writer.do(lambda connection: connection.execute("PRAGMA query_only = 1"))  # type: ignore[attr-defined]
    with pytest.raises(BankUnavailable, match="readonly"):
        await Dealer(on_file).open()
    await on_file._store.write._writer.do(lambda connection: connection.execute("PRAGMA query_only = 0"))  # type: ignore[attr-defined]


# -- callers who do not wait for the end ------------------------------------------------------------------------------


async def test_a_caller_who_goes_away_takes_no_commit_with_them(unsound_bank: Bank) -> None:
    table, alice = await Dealer(unsound_bank).open(), await unsound_bank.members.sign_in(GUILD, 1)
    staking = asyncio.create_task(table.stake(alice, 10))
    await asyncio.sleep(0)
    staking.cancel()
    with pytest.raises(asyncio.CancelledError):
        await staking
    async with asyncio.timeout(60):
        while await unsound_bank.members.balance(GUILD, 1) != 990 * CHIP:  # noqa: ASYNC110, it commits on its own
            await asyncio.sleep(0.01)
    assert (await unsound_bank.auditor.audit()).clean


async def test_what_was_begun_is_finished_before_closing(url: str, clock: HandClock) -> None:
    async with Bank.open(url, HouseSettings(), clock) as bank:
        alice = await bank.members.sign_in(GUILD, 1)
        tables = [await Dealer(bank).open() for _ in range(10)]
        stakes = [asyncio.create_task(table.stake(alice, 10)) for table in tables]
        await asyncio.sleep(0)
    results = await asyncio.gather(*stakes, return_exceptions=True)
    async with Bank.open(url, HouseSettings(), clock) as bank:
        assert await bank.members.in_play(alice.id) == 10 * CHIP * results.count(None)
        assert (await bank.auditor.audit()).clean


async def test_a_closed_bank_says_so(clock: HandClock, file: Path) -> None:
    bank = await Bank.open(f"sqlite:///{file}", HouseSettings(), clock)
    await bank.close()
    with pytest.raises(BankUnavailable, match="closed"):
        await Dealer(bank).open()
    with pytest.raises(BankUnavailable, match="closed"):
        await bank.members.sign_in(GUILD, 1)


# -- wires -------------------------------------------------------------------------------------------------------------


async def hang_up(address: str) -> None:
    """The server ends everybody's connection."""
    connection = await asyncpg.connect(address)
    others = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database()"
    await connection.execute(f"{others} AND pid <> pg_backend_pid()")
    await connection.close()


async def test_a_closed_bank_is_not_taken_for_open_until_its_server_notices(
    line: Wire, address: str, clock: HandClock
) -> None:
    bank = await Bank.open(line.url, LENIENT, clock)
    server = await asyncpg.connect(address)
    assert not await server.fetchval(str(_ALONE))
    line.overlook()
    await bank.close()
    assert await server.fetchval(str(_ALONE))
    await server.close()


async def test_connections_that_died_in_the_pool_are_not_noticed(on_line: Bank, address: str) -> None:
    tables = [await Dealer(on_line).open() for _ in range(10)]
    alice = await on_line.members.sign_in(GUILD, 1)
    await asyncio.gather(*(table.stake(alice, 1) for table in tables))  # the pool is warm
    await hang_up(address)
    await asyncio.gather(*(on_line.members.in_play(alice.id) for _ in range(3)))
    await hang_up(address)
    assert (await on_line.members.sign_in(GUILD, 1)).balance == 990 * CHIP
    await hang_up(address)
    more = [await Dealer(on_line).open() for _ in range(10)]
    await hang_up(address)
    await asyncio.gather(*(table.stake(alice, 1) for table in more))
    assert await on_line.members.in_play(alice.id) == 20 * CHIP


async def test_a_connection_lost_before_the_commit_is_tried_again(on_line: Bank, address: str) -> None:
    table, alice = await Dealer(on_line).open(), await on_line.members.sign_in(GUILD, 1)
    holder = await asyncpg.connect(address)
    await holder.execute("BEGIN")
    await holder.execute(f"SELECT 1 FROM members WHERE id = {alice.id} FOR UPDATE")
    staking = asyncio.create_task(table.stake(alice, 10))  # waits for Alice's row
    waiting = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE wait_event_type = 'Lock'"
    while not await holder.fetch(waiting):  # noqa: ASYNC110, the server rings no bell
        await asyncio.sleep(0.02)
    await asyncio.sleep(0.1)
    await holder.execute("ROLLBACK")
    await staking
    await holder.close()
    assert await on_line.members.balance(GUILD, 1) == 990 * CHIP


async def test_a_refusal_stays_one_even_if_it_cannot_be_undone(on_line: Bank, line: Wire) -> None:
    table, alice = await Dealer(on_line).open(), await on_line.members.sign_in(GUILD, 1)
    line.cut = Cut.UNDOING
    with pytest.raises(CannotPay):
        await table.stake(alice, 5_000)
    line.cut = Cut.NOT
    await table.stake(alice, 10)


async def test_who_is_in_the_way_of_another_begins_again(on_line: Bank, address: str) -> None:
    """The ledger locks in one order, so only somebody else can be in its way for good."""
    alice, bob = await on_line.members.sign_in(GUILD, 1), await on_line.members.sign_in(GUILD, 2)
    other = await asyncpg.connect(address)
    await other.execute("SET deadlock_timeout = '1min'")  # the first to look is the one to be sent back
    await other.execute("BEGIN")
    await other.execute(f"UPDATE members SET phrase = '' WHERE id = {bob.id}")
    giving = asyncio.create_task(on_line.chips.give(alice.id, bob.id, CHIP, press()))  # has Alice's, waits for Bob's
    await asyncio.sleep(0.05)
    await other.execute(f"UPDATE members SET phrase = '' WHERE id = {alice.id}")  # waits for Alice's
    await other.execute("COMMIT")
    await giving
    await other.close()
    assert await on_line.members.balance(GUILD, 2) == 1_001 * CHIP


@pytest.mark.parametrize(
    ("error", "meant"),
    [
        (asyncpg.DeadlockDetectedError("both wait"), "another attempt"),
        (asyncpg.SerializationError("both wrote"), "another attempt"),
        (asyncpg.UniqueViolationError("twice"), "twice"),
        (asyncpg.DiskFullError("no space left\nDETAIL: a seed"), "The bank's server cannot be used: no space left."),
    ],
)
def test_a_conflict_is_tried_again_and_anything_else_is_told(error: Exception, meant: str) -> None:
    found = postgres._meant(error)
    assert isinstance(found, postgres._Again) == (meant == "another attempt")
    assert isinstance(found, BadChange) == isinstance(error, asyncpg.IntegrityConstraintViolationError)
    assert isinstance(found, postgres._Again) or str(found) == meant


async def test_a_bank_whose_hands_are_full_says_that_it_was_waited_for(
    unsound_bank: Bank, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store, "ANSWER_SECONDS", 0.05)
    async with contextlib.AsyncExitStack() as readers:
        for _ in range(8 if unsound_bank._store.is_file else 16):
            await readers.enter_async_context(unsound_bank._store.reading())
        with pytest.raises(BankUnavailable, match=r"^The bank's \w+ cannot be used: it does not answer in time\.$"):
            await unsound_bank.chains.all_of("a place")


def depending_on(name: str) -> list[str]:
    """Return a table and all that refer to it, each behind those that it refers to."""
    found = [name]
    for table in metadata.sorted_tables:
        if any(key.column.table.name in found for key in table.foreign_keys) and table.name not in found:
            found.append(table.name)
    return found


async def test_a_table_that_is_gone_is_said_in_a_sentence(unsound_bank: Bank) -> None:
    alice = await unsound_bank.members.sign_in(GUILD, 1)
    async with unsound_bank._store.rewriting() as connection:
        for name in ("causes", *reversed(depending_on("members"))):
            await connection.execute(sa.text(f"DROP TABLE {name}"))
    for deed in (
        Dealer(unsound_bank).open(),
        unsound_bank.records.history(alice.id),
        unsound_bank.members.sign_in(GUILD, 1),
    ):
        with pytest.raises(BankUnavailable, match="cannot be used"):
            await deed


@pytest.mark.parametrize(("cut", "left"), [(Cut.REQUEST, 1_000), (Cut.ANSWER, 990)])
async def test_a_commit_cut_off_is_of_unknown_outcome(on_line: Bank, line: Wire, cut: Cut, left: int) -> None:
    table, alice = await Dealer(on_line).open(), await on_line.members.sign_in(GUILD, 1)
    line.cut = cut
    with pytest.raises(OutcomeUnknown):
        await table.stake(alice, 10)
    line.cut = Cut.NOT
    assert await on_line.members.balance(GUILD, 1) == left * CHIP


@pytest.mark.parametrize("cut", [Cut.REQUEST, Cut.ANSWER])
async def test_after_an_unknown_outcome_the_table_is_the_journals(
    on_line: Bank, line: Wire, clock: HandClock, cut: Cut
) -> None:
    seated = await Seated(on_line, clock).sit()
    await seated.stake()  # the text of the rules, which is stored separately, is there from now on
    await seated.stand()
    line.cut = cut
    reason = await refused(seated.stake)
    line.cut = Cut.NOT
    assert reason is (Reason.BANK_UNAVAILABLE if cut is Cut.REQUEST else None)
    assert await seated.agree()
    await seated.over()


async def test_a_server_that_is_gone_refuses_whole(address: str, clock: HandClock) -> None:
    async with wire(address) as line, Bank.open(line.url, HouseSettings(), clock) as bank:
        seated = await Seated(bank, clock).sit()
        line.url, there = "", line._there
        line._there = Path("/nowhere")
        await line.close()
        assert await refused(seated.stake) is Reason.BANK_UNAVAILABLE
        with pytest.raises(BankUnavailable):
            await bank.auditor.audit()
        line._there = there
        assert await seated.agree()
        await seated.over()
