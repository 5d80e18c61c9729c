"""Batches that wait for the same commit: one of them never changes what becomes of another."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import asyncpg
import pytest
import sqlalchemy as sa
from sqlalchemy.dialects import postgresql

from data import Bank
from data.base.schema import members as accounts
from data.drivers import batch, postgres
from data.drivers.statement import Statement
from data.journal import chains
from data.ledger import balances, limits, shop
from data.people import fingerprints, members
from data.sets import challenges, fields, tries
from engine.games.contract import CHIP
from engine.tables.ports import AlreadyDone, BankUnavailable, CannotPay, OutcomeUnknown
from engine.tables.values import Change, Member
from tests.data.dealer import GUILD, Dealer
from tests.data.wire import Cut, Wire

Results = list[BaseException | None]


@pytest.fixture(autouse=True)
def one_writer(monkeypatch: pytest.MonkeyPatch) -> None:
    """Write batches that come at once together, on PostgreSQL too."""
    monkeypatch.setattr(postgres, "WRITERS", 1)


async def at_once(bank: Bank, *changes: Change) -> Results:
    return await asyncio.gather(*map(bank.tables.commit, changes), return_exceptions=True)


async def stakes(bank: Bank, member: Member, *chips: int) -> list[Change]:
    """One at a table each."""
    return [(await Dealer(bank).open()).staking(member, stake) for stake in chips]


async def chips_of(bank: Bank, user: int) -> int:
    return await bank.members.balance(GUILD, user) // CHIP


async def test_who_comes_at_once_shares_a_commit(on_line: Bank, line: Wire) -> None:
    changes = await stakes(on_line, await on_line.members.sign_in(GUILD, 1), *[10] * postgres.MOST_TOGETHER)
    line.commits = 0
    assert await at_once(on_line, *changes) == [None] * len(changes)
    assert line.commits == 1
    assert await chips_of(on_line, 1) == 1_000 - 10 * len(changes)


async def test_where_too_many_wait_the_next_is_told_so_and_the_others_are_written(
    bank: Bank, monkeypatch: pytest.MonkeyPatch
) -> None:
    changes = await stakes(bank, await bank.members.sign_in(GUILD, 1), 10, 20, 40)
    monkeypatch.setattr(batch, "MOST_WAITING", 2)
    results = await at_once(bank, *changes)
    assert [type(result) for result in results] == [type(None), type(None), BankUnavailable]
    assert await chips_of(bank, 1) == 970


def test_so_many_may_wait_as_the_page_about_hosting_says() -> None:
    page = (Path(__file__).resolve().parents[2] / "docs/hosting.md").read_text()
    assert f"where {batch.MOST_WAITING:,} changes wait for the bank" in page


async def test_who_goes_away_while_changes_wait_takes_nobody_along() -> None:
    gone = asyncio.Event()

    async def write(changes: list[batch.Batch]) -> AsyncIterator[batch.BatchOutcome]:
        await gone.wait()
        for _ in changes:
            yield None

    together = batch.Together(write, writers=1, most=2)
    one, other = (asyncio.create_task(together.run(batch.Batch(postgresql.dialect()))) for _ in range(2))
    await asyncio.sleep(0)
    one.cancel()
    with pytest.raises(asyncio.CancelledError):
        await one
    gone.set()
    await asyncio.wait_for(other, 10)


async def test_a_refusal_does_not_touch_those_who_commit_with_it(bank: Bank) -> None:
    alice = await bank.members.sign_in(GUILD, 1)
    changes = await stakes(bank, alice, *[5_000, 10] * 10)
    results = await at_once(bank, *changes)
    assert [type(result) for result in results] == [CannotPay, type(None)] * 10
    assert await chips_of(bank, 1) == 900


async def test_a_table_goes_on_in_order_though_one_of_those_between_is_refused(bank: Bank) -> None:
    alice, bob = await bank.members.sign_in(GUILD, 1), await bank.members.sign_in(GUILD, 2)
    table = await Dealer(bank).open()
    first = table.staking(alice, 10)
    table.version += 1
    table.seats, table.staked = [alice], [10 * CHIP]
    second = table.staking(bob, 20)
    (refused,) = await stakes(bank, alice, 5_000)
    before, between, after = await at_once(bank, first, refused, second)
    assert (before, after) == (None, None)
    assert isinstance(between, CannotPay)
    stored = await bank.tables.stored(table.id)
    assert stored is not None
    assert stored.row == second.table


@pytest.mark.parametrize(("cut", "left"), [(Cut.REQUEST, 1_000), (Cut.ANSWER, 940)])
async def test_a_commit_cut_off_is_of_unknown_outcome_for_all_and_each_cause_tells(
    on_line: Bank, line: Wire, cut: Cut, left: int
) -> None:
    changes = await stakes(on_line, await on_line.members.sign_in(GUILD, 1), 10, 20, 30)
    line.cut = cut
    assert {type(result) for result in await at_once(on_line, *changes)} == {OutcomeUnknown}
    line.cut = Cut.NOT
    assert await chips_of(on_line, 1) == left
    again = {type(result) for result in await at_once(on_line, *changes)}
    assert again == {type(None) if cut is Cut.REQUEST else AlreadyDone}
    assert await chips_of(on_line, 1) == 940


async def test_who_waits_for_a_row_does_not_hold_up_who_came_before(on_line: Bank, address: str) -> None:
    alice, bob = await on_line.members.sign_in(GUILD, 1), await on_line.members.sign_in(GUILD, 2)
    (bobs,), (alices,) = await stakes(on_line, bob, 10), await stakes(on_line, alice, 10)
    holder = await asyncpg.connect(address)
    await holder.execute(f"BEGIN; SELECT 1 FROM members WHERE id = {alice.id} FOR UPDATE")
    first, second = (asyncio.create_task(on_line.tables.commit(change)) for change in (bobs, alices))
    await first
    assert not second.done()
    await holder.execute("ROLLBACK")
    await second
    await holder.close()
    assert [await chips_of(on_line, user) for user in (1, 2)] == [990, 990]


async def test_two_that_lock_the_same_rows_the_other_way_round_are_both_written(
    on_line: Bank, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(on_line._store.write._together, "_writers", 2)  # type: ignore[attr-defined]
    alice, bob = await on_line.members.sign_in(GUILD, 1), await on_line.members.sign_in(GUILD, 2)
    for _ in range(5):
        a, b = await stakes(on_line, alice, 1, 1), await stakes(on_line, bob, 1, 1)
        assert await at_once(on_line, a[0], b[0], b[1], a[1]) == [None] * 4
    assert [await chips_of(on_line, user) for user in (1, 2)] == [990, 990]


async def test_an_answer_that_nobody_waits_for_spoils_no_connection(on_line: Bank) -> None:
    await on_line.members.sign_in(GUILD, 1)
    for _ in range(20):
        asking = asyncio.create_task(on_line.members.in_play(1))
        await asyncio.sleep(0.0005)
        asking.cancel()
        await asyncio.gather(asking, return_exceptions=True)
        assert await chips_of(on_line, 1) == 1_000


async def test_a_question_that_is_cancelled_at_any_step_spoils_no_connection(
    on_line: Bank, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each question is a new one. Between preparing and asking it, the server regards a transaction as begun."""
    monkeypatch.setattr(postgres, "WRITERS", 0)  # each connection goes back to the pool
    store = on_line._store
    for steps in range(60):
        question = Statement(sa.select(accounts.c.id + steps))
        asking = asyncio.create_task(store.fetch(question, {}))
        for _ in range(steps):
            await asyncio.sleep(0)
        asking.cancel()
        await asyncio.gather(asking, return_exceptions=True)
        async with store.reading() as connection:
            assert (await connection.execute(sa.select(1))).scalar() == 1


@pytest.mark.parametrize(
    ("question", "lock"),
    [
        (limits._TAKE_TURNS, "FOR UPDATE OF limits"),
        (shop._SHELF, "FOR UPDATE"),
        (balances._IS, "FOR UPDATE"),
        (challenges._TAKE_TURNS, "FOR UPDATE"),
        (fields._IS_PLAYED, "FOR SHARE"),
        (tries._WAIT, "FOR SHARE"),
        (tries._ALONE, "FOR NO KEY UPDATE"),
        (tries._STILL_KNOWN, "FOR NO KEY UPDATE"),
        (members._STILL_KNOWN, "FOR NO KEY UPDATE"),
        (fingerprints.BREAK_BEGINS, "FOR UPDATE"),
        (fingerprints.ACCOUNT_OPENS, "FOR SHARE"),
        (chains._STAYS_IN_USE, "FOR SHARE"),
    ],
)
def test_of_two_processes_that_ask_before_they_change_something_the_second_one_waits(
    question: Statement, lock: str
) -> None:
    """On SQLite one writes at a time anyway."""
    assert str(question._construct.compile(dialect=postgresql.dialect())).endswith(lock)
