"""A server that falls silent and hangs up on nobody: everybody who asks is told in time, and all goes on when it
speaks.
"""

from __future__ import annotations

import asyncio
import io
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

import asyncpg
import pytest

from data import Bank
from data.drivers import postgres, store
from engine.games.contract import CHIP
from engine.tables.house import HouseSettings
from engine.tables.ports import BankUnavailable, OutcomeUnknown
from engine.tables.refused import Reason
from tests.data.dealer import GUILD, Dealer, HandClock
from tests.data.seated import Seated, refused
from tests.data.wire import Wire

#: How long the bank waits here, for each of its deadlines; and this test for the bank, on a busy machine.
PATIENCE = 1.0
LONGEST = 20.0


@pytest.fixture
async def bank(line: Wire, clock: HandClock, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Bank]:
    """Return a bank at the other end of a wire, as impatient as a test."""
    for deadline in ("ANSWER_SECONDS", "LONGEST_SECONDS"):
        monkeypatch.setattr(store, deadline, PATIENCE)
    for deadline in ("STATEMENT_SECONDS", "PATIENCE_SECONDS"):
        monkeypatch.setattr(postgres, deadline, PATIENCE)
    async with asyncio.timeout(4 * LONGEST), Bank.open(line.url, HouseSettings(), clock) as bank:
        yield bank
        line.speak()
        assert (await bank.auditor.audit()).clean


def test_the_deadlines_are_those_that_the_page_tells() -> None:
    told = " ".join((Path(__file__).resolve().parents[2] / "docs/bank.md").read_text(encoding="utf-8").split())
    assert "falls silent without hanging up is waited for eight seconds, whoever asks it" in told
    assert (store.ANSWER_SECONDS, postgres.STATEMENT_SECONDS) == (8.0, 8.0)
    assert "only a migration, a restore or a backup may wait up to an hour for one answer" in told
    assert store.LONGEST_SECONDS == 60 * 60


async def in_time(deed: Awaitable[object]) -> BaseException | None:
    """Return what is raised for somebody who may not be kept waiting."""
    async with asyncio.timeout(LONGEST):
        (told,) = await asyncio.gather(deed, return_exceptions=True)
    assert not isinstance(told, TimeoutError)
    return told if isinstance(told, BaseException) else None


@pytest.mark.parametrize(
    ("at", "told"),
    [
        (b"", BankUnavailable),
        (b"BEGIN", BankUnavailable),
        (b"UPDATE members", BankUnavailable),
        (b"COMMIT", OutcomeUnknown),
    ],
)
async def test_a_press_is_told_in_time(bank: Bank, line: Wire, at: bytes, told: type[Exception]) -> None:
    table, alice = await Dealer(bank).open(), await bank.members.sign_in(GUILD, 1)
    await bank.chains.all_of("a place")  # another connection is idle during this
    line.fall_silent(at)
    assert isinstance(await in_time(table.stake(alice, 10)), told)
    assert isinstance(await in_time(bank.members.sign_in(GUILD, 1)), BankUnavailable)
    line.speak()
    assert await in_time(bank.members.sign_in(GUILD, 2)) is None
    assert await bank.members.balance(GUILD, 1) in {1_000 * CHIP, 990 * CHIP}


async def test_a_refusal_is_told_in_time_even_if_it_cannot_be_undone(bank: Bank, line: Wire) -> None:
    """Nobody can say then whether chips are missing or a break refused them."""
    table, alice = await Dealer(bank).open(), await bank.members.sign_in(GUILD, 1)
    line.fall_silent(b"ROLLBACK")
    assert isinstance(await in_time(table.stake(alice, 5_000)), BankUnavailable)
    line.speak()
    assert await in_time(table.stake(alice, 10)) is None


@pytest.mark.parametrize("at", [b"", b"COMMIT"])
async def test_the_table_is_the_journals_when_the_server_speaks_again(
    bank: Bank, line: Wire, clock: HandClock, at: bytes
) -> None:
    seated = await Seated(bank, clock).sit()
    line.fall_silent(at)
    async with asyncio.timeout(LONGEST):
        assert await refused(seated.stake) is Reason.BANK_UNAVAILABLE
    line.speak()
    async with asyncio.timeout(LONGEST):
        assert await refused(seated.stake) in {None, Reason.ALREADY_STAKED, Reason.ROUND_RUNNING}
        assert await seated.agree()
        await seated.over()


async def test_who_connects_to_a_silent_server_is_told_in_time(bank: Bank, line: Wire) -> None:
    alice = await bank.members.sign_in(GUILD, 1)
    await bank._store.engine.dispose()
    in_hand = bank._store.write._in_hand  # type: ignore[attr-defined]
    while in_hand:
        kept = in_hand.pop()
        await kept.pooled.invalidate()
        await kept.pooled.close()
    line.fall_silent()
    assert isinstance(await in_time(bank.members.sign_in(GUILD, 1)), BankUnavailable)
    assert isinstance(await in_time(bank.members.in_play(alice.id)), BankUnavailable)
    line.speak()
    assert await in_time(bank.members.sign_in(GUILD, 1)) is None


async def test_every_other_question_is_answered_in_time_too(bank: Bank, line: Wire) -> None:
    """Through SQLAlchemy, which begins and ends by itself what is asked."""
    table, alice = await Dealer(bank).open(), await bank.members.sign_in(GUILD, 1)
    questions: list[Callable[[], Awaitable[object]]] = [
        lambda: bank.chains.all_of("a place"),
        lambda: bank.tables.stored(table.id),
        lambda: bank.records.history(alice.id),
        bank.tables.still_open,
        bank.auditor.stakes_stopped,
        bank.auditor.audit,
        bank.leaves.bind,
        lambda: bank.copies.dump(io.StringIO()),
    ]
    line.fall_silent()
    told = await asyncio.gather(*(in_time(ask()) for ask in questions))
    assert {type(one) for one in told} == {BankUnavailable}
    assert "does not answer in time" in str(told[0])
    line.speak()
    assert [await in_time(ask()) for ask in questions] == [None] * len(questions)


#: How the driver begins to close a statement that it had prepared, and how many it keeps.
CLOSING = b"C\0\0\0"
KEPT = 100


async def test_tidying_up_waits_for_a_silent_server_no_longer(bank: Bank, line: Wire) -> None:
    """Before a question that is new to it the driver closes what it has not been asked for long."""
    await bank.members.sign_in(GUILD, 1)
    async with bank._store.write._line() as ours:  # type: ignore[attr-defined]
        for number in range(KEPT + 1):
            await ours.driver.fetch(f"SELECT {number}")
    line.fall_silent(CLOSING)
    assert isinstance(await in_time(bank.members.sign_in(GUILD, 1)), BankUnavailable)


async def test_so_it_does_where_sqlalchemy_asks(bank: Bank, line: Wire) -> None:
    async def ask() -> None:
        async with bank._store.reading() as connection:
            for number in range(2 * KEPT):  # it keeps some of its own
                await connection.exec_driver_sql(f"SELECT {number}")

    line.fall_silent(CLOSING)
    assert isinstance(await in_time(ask()), BankUnavailable)


async def test_a_server_that_let_one_question_wait_is_not_asked_again(bank: Bank, address: str) -> None:
    await bank.members.sign_in(GUILD, 1)
    other = await asyncpg.connect(address)
    async with other.transaction():
        await other.execute("LOCK TABLE members")
        async with asyncio.timeout(postgres.ATTEMPTS * PATIENCE - 0.5):
            assert isinstance(await in_time(bank.members.sign_in(GUILD, 1)), BankUnavailable)
    await other.close()


async def test_many_connections_are_given_up_at_once(bank: Bank, line: Wire) -> None:
    """Not one after the other, each when the server has had its time to hang up."""
    many = 8
    await asyncio.gather(*(bank.chains.all_of("a place") for _ in range(many)))
    line.fall_silent()
    async with asyncio.timeout(many * PATIENCE - 2):
        assert await in_time(bank.close()) is None


@pytest.mark.parametrize("at", [b"user", b"pg_catalog.version", b"alembic_version", b"advisory_lock"])
async def test_opening_is_given_up_in_time(bank: Bank, line: Wire, clock: HandClock, at: bytes) -> None:
    line.fall_silent(at)
    assert isinstance(await in_time(Bank.open(line.url, HouseSettings(), clock)._open()), BankUnavailable)
