"""Several people press in the same instant: one after the other under the table's lock, and no chip is lost."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from typing import Any

from engine.games.blackjack.view import RoundPhase
from engine.games.contract import CHIP
from engine.tables.refused import Reason, Refused
from engine.tables.snapshot import CloseReason, Snapshot, TablePhase
from engine.tables.table import Table

from .conftest import ALICE, BOB, CAROL, Casino
from .test_table import refused


async def at_once(*presses: Awaitable[Any]) -> list[Reason | None]:
    """Why each was refused; None: it was not."""
    results = await asyncio.gather(*presses, return_exceptions=True)
    for result in results:
        assert not isinstance(result, BaseException) or isinstance(result, Refused), result
    return [result.reason if isinstance(result, Refused) else None for result in results]


async def shared(casino: Casino, *others: int, **more: object) -> Table:
    table = await casino.open(**more)  # type: ignore[arg-type]
    for user in others:
        await table.join(await casino.member(user), casino.press())
    return table


async def finish(casino: Casino, table: Table) -> Snapshot:
    """Let everybody who is asked decline or stand."""
    while (now := table.snapshot()).phase is TablePhase.PLAYING:
        sitter = now.sitter_at(now.view.asked[0])
        assert sitter is not None
        await casino.act(table, "decline" if now.view.phase is RoundPhase.INSURANCE else "stand", sitter.user or 0)
    return now


async def test_two_people_open_one_table(casino: Casino) -> None:
    why = await at_once(casino.open(ALICE), casino.open(BOB))
    assert sorted(why, key=bool) == [None, Reason.TABLE_BUSY]
    assert len(casino.registry.tables()) == 1


async def test_two_people_want_the_last_seat(casino: Casino) -> None:
    table = await shared(casino, *range(11, 16))
    bob, carol = await casino.member(BOB), await casino.member(CAROL)
    why = await at_once(table.join(bob, casino.press()), table.join(carol, casino.press()))
    assert sorted(why, key=bool) == [None, Reason.TABLE_FULL]
    assert len(table.snapshot().sitters) == 7


async def test_one_person_joins_twice(casino: Casino) -> None:
    table = await casino.open()
    bob = await casino.member(BOB)
    why = await at_once(table.join(bob, casino.press()), table.join(bob, casino.press()))
    assert sorted(why, key=bool) == [None, Reason.ALREADY_SEATED]


async def test_everybody_stakes_and_one_round_is_dealt_to_all(casino: Casino) -> None:
    table = await shared(casino, BOB, CAROL)
    why = await at_once(*(casino.stake(table, user) for user in (ALICE, BOB, CAROL)))
    assert why == [None, None, None]
    assert table.snapshot().round == 1
    assert len(table.snapshot().view.seats) == 3


async def test_one_person_stakes_twice(casino: Casino) -> None:
    table = await shared(casino, BOB)
    why = await at_once(casino.stake(table, ALICE), casino.stake(table, ALICE))
    assert sorted(why, key=bool) == [None, Reason.ALREADY_STAKED]
    assert await casino.balance(ALICE) == 990


async def test_insurance_is_answered_by_all_with_the_same_button(casino: Casino) -> None:
    table = await shared(casino, BOB)
    for _ in range(200):
        await casino.stake(table, ALICE)
        now = await casino.stake(table, BOB)
        if now.phase is TablePhase.PLAYING and now.view.phase is RoundPhase.INSURANCE:
            break
        await finish(casino, table)
    assert now.view.asked == (0, 1)
    why = await at_once(
        table.act(ALICE, "insure", now.round, now.turn, casino.press()),
        table.act(BOB, "decline", now.round, now.turn, casino.press()),
        table.act(ALICE, "insure", now.round, now.turn, casino.press()),
    )
    assert why[:2] == [None, None]
    assert why[2] in {Reason.ILLEGAL, Reason.OLD_BUTTON}
    assert [seat.insurance for seat in table.snapshot().view.seats] == [5 * CHIP, 0]


async def test_a_stake_and_the_closing_of_the_table(casino: Casino) -> None:
    """Whichever comes first, the stake is played or it was never taken."""
    table = await shared(casino, BOB)
    await at_once(casino.stake(table, ALICE), table.close(casino.press()), casino.stake(table, BOB))
    closed = table.snapshot()
    assert closed.phase is TablePhase.CLOSED
    nets = {1: 0, 2: 0}
    for sitter in closed.sitters:
        if sitter.seat is not None and sitter.user is not None and closed.settlement is not None:
            nets[sitter.user] = closed.settlement.net(sitter.seat)
    assert {user: await casino.balance(user) for user in nets} == {u: 1_000 + net / CHIP for u, net in nets.items()}


async def test_nobody_joins_stakes_or_plays_at_a_closed_table(casino: Casino) -> None:
    table = await shared(casino, BOB)
    await table.close(casino.press())
    with refused(Reason.TABLE_CLOSED):
        await table.act(BOB, "hit", 1, 1, casino.press())
    with refused(Reason.TABLE_CLOSED):
        await table.join(await casino.member(CAROL), casino.press())
    with refused(Reason.TABLE_CLOSED):
        await casino.stake(table, BOB)
    with refused(Reason.TABLE_CLOSED):
        await table.leave(BOB, casino.press())


async def test_a_table_that_everybody_has_just_left_is_not_closed_by_a_manager_too(casino: Casino) -> None:
    table = await shared(casino)
    assert await at_once(table.leave(ALICE, casino.press()), table.close(casino.press())) == [None, None]
    closed = table.snapshot()
    assert closed.close_reason is CloseReason.LEFT
    assert await table.close(casino.press()) == closed


async def test_one_acts_while_the_other_leaves(casino: Casino) -> None:
    table = await shared(casino, BOB)
    for _ in range(100):
        await casino.stake(table, ALICE)
        now = await casino.stake(table, BOB)
        if now.phase is TablePhase.PLAYING and now.view.acting == (0, 0) and now.view.seats[1].hands[0].total < 21:
            break
        await finish(casino, table)
    before = await casino.balance(BOB)
    why = await at_once(
        table.act(ALICE, "stand", now.round, now.turn, casino.press()), table.leave(BOB, casino.press())
    )
    assert why == [None, None]
    after = table.snapshot()
    assert after.settlement is not None
    assert await casino.balance(BOB) == before + after.settlement.returned(1) / CHIP
    assert [sitter.user for sitter in after.sitters if sitter.member is not None] == [ALICE]


async def test_no_chips_no_seat(casino: Casino) -> None:
    table = await casino.open()
    bob = await casino.member(BOB)
    await casino.bank.chips.take(bob.id, 1_000 * CHIP, actor=bob.id, reason="test", press=casino.press())
    with refused(Reason.CANNOT_PAY):
        await table.join(await casino.member(BOB), casino.press())
