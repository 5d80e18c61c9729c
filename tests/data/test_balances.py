"""All balances of a server: an import sets them and books the differences."""

from __future__ import annotations

import pytest

from data import Bank, Moved
from engine.games.contract import CHIP
from tests.data.conftest import Join
from tests.data.dealer import GUILD, press

ALICE, BOB, CAROL = 10**17, 10**17 + 1, 10**17 + 2


async def test_an_import_sets_balances_and_books_the_difference(bank: Bank, join: Join) -> None:
    alice, _bob = await join(ALICE, chips=100), await join(BOB, chips=50)
    wanted = {ALICE: 30 * CHIP, BOB: 70 * CHIP + 50, CAROL: 5 * CHIP}
    plan = await bank.balances.plan(GUILD, wanted)
    assert (plan.new, list(plan.more), list(plan.less)) == (1, [2_050, 500], [7_000])
    assert await bank.balances.bring_to(GUILD, wanted, actor=alice.id, press=press()) == 3
    assert dict(await bank.balances.of(GUILD)) == wanted


async def test_the_same_file_twice_changes_nothing(bank: Bank, join: Join) -> None:
    alice, wanted = await join(ALICE), {ALICE: 0, BOB: CHIP}
    await bank.balances.bring_to(GUILD, wanted, actor=alice.id, press=press())
    before = await bank.privacy.export(GUILD, ALICE)
    assert await bank.balances.bring_to(GUILD, wanted, actor=alice.id, press=press()) == 0
    assert await bank.privacy.export(GUILD, ALICE) == before
    plan = await bank.balances.plan(GUILD, wanted)
    assert (plan.new, plan.more, plan.less, plan.same) == (0, [], [], 2)


async def test_forgotten_people_are_skipped_until_they_come_back(bank: Bank, join: Join) -> None:
    boss = await join(ALICE)
    await join(BOB)
    await bank.privacy.forget(GUILD, BOB)
    assert (await bank.balances.plan(GUILD, {BOB: CHIP})).forgotten == 1
    assert await bank.balances.bring_to(GUILD, {BOB: CHIP}, actor=boss.id, press=press()) == 0
    assert await bank.members.known(GUILD, BOB) is None
    await bank.members.sign_in(GUILD, BOB)
    assert (await bank.balances.plan(GUILD, {BOB: CHIP})).forgotten == 0
    assert await bank.balances.bring_to(GUILD, {BOB: CHIP}, actor=boss.id, press=press()) == 1
    assert await bank.members.balance(GUILD, BOB) == CHIP


async def test_a_balance_that_moves_meanwhile_is_looked_at_again(
    ledger_bank: Bank, join: Join, monkeypatch: pytest.MonkeyPatch
) -> None:
    boss, bob = await join(ALICE), await join(BOB, chips=50)
    row, moves, moving = ledger_bank.members.row, [3, 4], list[int]()

    async def row_and_a_move(member: int) -> object:
        found = await row(member)
        if member == bob.id and moves and not moving:
            moving.append(member)  # the order looks at the row, too
            await ledger_bank.chips.grant(bob.id, moves.pop() * CHIP, actor=boss.id, reason="x", press=press())
            moving.clear()
        return found

    monkeypatch.setattr(ledger_bank.balances._members, "row", row_and_a_move)
    assert await ledger_bank.balances.bring_to(GUILD, {BOB: CHIP}, actor=boss.id, press=press()) == 1
    assert dict(await ledger_bank.balances.of(GUILD))[BOB] == CHIP
    monkeypatch.undo()
    moves.extend(range(1, 20))
    monkeypatch.setattr(ledger_bank.balances._members, "row", row_and_a_move)
    with pytest.raises(Moved):
        await ledger_bank.balances.bring_to(GUILD, {BOB: 5 * CHIP}, actor=boss.id, press=press())
