"""Casino war at the table (R9): dealt at once, one question at most, and silence surrenders."""

from __future__ import annotations

import asyncio

import pytest

from engine.games.contract import CHIP, By, Outcome, Refusal
from engine.tables.house import GRACE_SECONDS
from engine.tables.refused import Reason, Refused
from engine.tables.snapshot import CloseReason, GameSnapshot, TablePhase
from engine.tables.table import Table

from .conftest import ALICE, BOB, CHANNEL, Casino, until


def refused(reason: Reason) -> pytest.RaisesExc[Refused]:
    return pytest.RaisesExc(Refused, check=lambda error: error.reason is reason)


async def war(casino: Casino, chips: int = 10) -> Table:
    """A table whose cards are equal."""
    return await casino.deal("7 7 ? ? ? 9 8", chips, game="war")


async def test_r9_1_a_battle_is_dealt_and_settled_with_the_stake(casino: Casino) -> None:
    table = await casino.deal("A K", game="war")
    assert await casino.balance(ALICE) == 1_010
    casino.cards.lay("K A")
    snapshot = await casino.stake(table)
    assert snapshot.settlement is not None
    assert await casino.balance(ALICE) == 1_000


async def test_r9_1_everybody_has_a_table_of_their_own(casino: Casino) -> None:
    mine, theirs = await casino.open(ALICE, game="war"), await casino.open(BOB, game="war")
    assert casino.registry.table_in(CHANNEL, "war", ALICE) is mine
    assert casino.registry.table_in(CHANNEL, "war", BOB) is theirs
    with refused(Reason.TABLE_SOLO):
        await mine.join(await casino.member(BOB), casino.press())
    with refused(Reason.TABLE_BUSY):
        await casino.open(ALICE, game="war")


async def test_r9_2_going_to_war_takes_a_second_stake(casino: Casino) -> None:
    table = await war(casino)
    over = await casino.act(table, "war")
    assert over.settlement is not None
    assert over.settlement.staked(0) == 20 * CHIP
    assert over.view.burnt == 3
    assert await casino.balance(ALICE) == 1_015, "nine against eight: one and a half times the first stake"


async def test_r9_2_surrender_loses_half(casino: Casino) -> None:
    table = await war(casino)
    over = await casino.act(table, "surrender")
    assert over.settlement is not None
    assert over.settlement.net(0) == -5 * CHIP


async def test_r0_3_a_war_that_cannot_be_paid_is_not_offered(casino: Casino) -> None:
    table = await war(casino, chips=1_000)
    assert table.snapshot().legal == (("surrender",),)
    with pytest.raises(Refused) as caught:
        await casino.act(table, "war")
    assert caught.value.details["refusal"] is Refusal.CANNOT_PAY


async def test_r0_5_silence_surrenders(casino: Casino) -> None:
    casino.set_house(war_seconds=0.05, turn_seconds=500)
    table = await war(casino)
    over = await until(table, lambda seen: seen.phase is TablePhase.BETTING)
    assert over.settlement is not None
    assert [line.outcome for line in over.settlement.lines] == [Outcome.SURRENDER]
    stored = await casino.bank.tables.stored(table.id)
    assert stored is not None
    taken = [step.by for round in stored.rounds if round.record is not None for step in round.record.steps]
    assert taken == [By.CLOCK]


async def test_leaving_in_the_middle_of_a_war_surrenders_it(casino: Casino) -> None:
    table = await war(casino)
    before = await casino.balance(ALICE)
    closed = await table.leave(ALICE, casino.press())
    assert closed.close_reason is CloseReason.LEFT
    assert await casino.balance(ALICE) == before + 5


async def test_a_restart_in_the_middle_of_a_war_asks_again(casino: Casino) -> None:
    table = await war(casino)
    before = table.snapshot()
    casino.clock.time += 86_400
    await casino.restart()
    again = casino.registry.table_in(CHANNEL, "war", ALICE)
    assert again is not None
    after = again.snapshot()
    assert (after.view, after.turn, after.legal) == (before.view, before.turn, before.legal)
    assert after.deadline == casino.clock.time + GRACE_SECONDS
    over = await casino.act(again, "war")
    assert over.view.player[0] == before.view.player[0]
    assert over.settlement is not None


async def test_the_question_is_answered_once(casino: Casino) -> None:
    table = await war(casino)
    now = table.snapshot()
    clicks = [table.act(ALICE, word, now.round, now.turn, casino.press()) for word in ("war", "surrender", "war")]
    results = await asyncio.gather(*clicks, return_exceptions=True)
    assert sum(isinstance(result, GameSnapshot) for result in results) == 1
    assert all(result.reason is Reason.OLD_BUTTON for result in results if isinstance(result, Refused))
