"""R5 at the table: four stacks of ten chips, one chip a round, until no person is left."""

from __future__ import annotations

import contextlib
import sqlite3
from collections import Counter
from pathlib import Path

import pytest

from engine.games.contract import CHIP
from engine.tables.refused import Reason, Refused
from engine.tables.snapshot import CloseReason, Sitter, Snapshot, TablePhase
from engine.tables.state import Chair, Money
from engine.tables.table import Table
from engine.tables.till import Till

from .conftest import ALICE, BOB, GUILD, Casino
from .test_table import refused


async def begin(casino: Casino, *others: int, **more: object) -> Table:
    """A four-seat table where everybody has staked for the first round."""
    table = await casino.open(rules="four-seat", **more)  # type: ignore[arg-type]
    for user in others:
        await table.join(await casino.member(user), casino.press())
    for user in (ALICE, *others):
        await table.stake(user, None, casino.press(), message=1)
    return table


async def play_on(casino: Casino, table: Table, action: str = "stand") -> Snapshot:
    """Let everybody who is asked do the same, until the round is over."""
    while (now := table.snapshot()).phase is TablePhase.PLAYING:
        sitter = now.sitter_at(now.view.asked[0])
        assert sitter is not None
        assert sitter.user is not None
        await casino.act(table, action, sitter.user)
    return now


async def play_down(casino: Casino, table: Table, user: int = ALICE) -> Snapshot:
    """Hit until nothing can be staked any more."""
    while (now := await play_on(casino, table, "hit")).sitter_of(user) is not None:
        if now.phase is TablePhase.CLOSED:
            break
        await table.stake(user, None, casino.press())
    return now


def of(snapshot: Snapshot, user: int) -> Sitter:
    sitter = snapshot.sitter_of(user)
    assert sitter is not None
    return sitter


async def test_r5_1_a_stack_of_ten_leaves_the_wallet_with_the_first_stake(casino: Casino) -> None:
    table = await casino.open(rules="four-seat")
    assert await casino.balance(ALICE) == 1_000
    await table.stake(ALICE, None, casino.press(), message=1)
    assert await casino.balance(ALICE) == 990
    for _ in range(3):
        before = of(await play_on(casino, table), ALICE).balance
        await table.stake(ALICE, None, casino.press())
        now = table.snapshot()
        assert await casino.balance(ALICE) == 990, "no rebuys"
        if now.phase is TablePhase.PLAYING:
            assert of(now, ALICE).balance == before - CHIP


async def test_r5_1_the_last_ten_chips_are_enough(casino: Casino) -> None:
    member = await casino.member(ALICE)
    await casino.bank.chips.take(member.id, 990 * CHIP, actor=member.id, reason="test", press=casino.press())
    table = await begin(casino)
    assert table.snapshot().round == 1
    assert await casino.balance(ALICE) == 0


async def test_r5_1_nine_chips_are_not(casino: Casino) -> None:
    member = await casino.member(ALICE)
    await casino.bank.chips.take(member.id, 991 * CHIP, actor=member.id, reason="test", press=casino.press())
    with pytest.raises(Refused) as caught:
        await casino.open(rules="four-seat")
    assert caught.value.reason is Reason.CANNOT_PAY
    assert caught.value.details == {"balance": 9 * CHIP, "needed": 10 * CHIP}


@pytest.mark.parametrize("level", ["amateur", "expert"])
async def test_r5_1_computer_players_take_the_empty_seats_at_the_level_asked_for(casino: Casino, level: str) -> None:
    table = await begin(casino, BOB, level=level)
    sitters = table.snapshot().sitters
    assert [sitter.user for sitter in sitters] == [ALICE, BOB, None, None]
    assert [sitter.level for sitter in sitters if sitter.computer] == [level, level]
    assert len(table.snapshot().view.seats) == 4


@pytest.mark.parametrize("chips", [2, 10])
async def test_r5_1_no_other_stake_is_taken(casino: Casino, chips: int) -> None:
    table = await casino.open(rules="four-seat")
    with pytest.raises(Refused) as caught:
        await casino.stake(table, chips=chips)
    assert (caught.value.reason, caught.value.details) == (Reason.FIXED_STAKE, {"stake": CHIP})
    assert await casino.balance(ALICE) == 1_000
    assert (await casino.stake(table, chips=1)).round == 1


async def test_r5_1_nobody_joins_a_table_that_has_begun(casino: Casino) -> None:
    table = await begin(casino)
    await play_on(casino, table)
    with refused(Reason.TABLE_STARTED):
        await table.join(await casino.member(BOB), casino.press())


async def test_r5_2_who_leaves_takes_the_rest_home_and_the_seat_stays_empty(casino: Casino) -> None:
    table = await begin(casino, BOB)
    await play_on(casino, table)
    stack = of(table.snapshot(), BOB).balance
    after = await table.leave(BOB, casino.press())
    assert await casino.balance(BOB) == 990 + stack / CHIP
    await table.stake(ALICE, None, casino.press())
    assert after.sitter_of(BOB) is None or of(after, BOB).member is None
    assert len(table.snapshot().view.seats) == 3
    with refused(Reason.TABLE_STARTED):
        await table.join(await casino.member(BOB), casino.press())


async def test_r5_2_leaving_in_mid_hand_leaves_the_stake_and_takes_the_rest(casino: Casino) -> None:
    table = await begin(casino, BOB)
    while BOB not in {s.user for seat in table.snapshot().view.asked if (s := table.snapshot().sitter_at(seat))}:
        if table.snapshot().phase is not TablePhase.PLAYING:
            await table.stake(ALICE, None, casino.press())
            await table.stake(BOB, None, casino.press())
        else:
            await casino.act(table, "stand", ALICE)
    stack = of(table.snapshot(), BOB).balance
    await table.leave(BOB, casino.press())
    now = await play_on(casino, table)
    assert now.settlement is not None
    gone = next(sitter for sitter in now.sitters if sitter.user == BOB)
    assert gone.seat is not None
    staked = await casino.balance(BOB) - 990
    assert staked == (stack + now.settlement.returned(gone.seat)) / CHIP


async def test_r5_2_a_stack_under_the_stake_is_out_and_the_last_person_ends_the_table(casino: Casino) -> None:
    table = await begin(casino)
    end = await play_down(casino, table)
    assert (end.phase, end.close_reason) == (TablePhase.CLOSED, CloseReason.BROKE)
    assert 990 <= await casino.balance(ALICE) < 991
    assert casino.registry.tables() == ()


async def test_r5_2_the_others_go_on_when_one_is_out(casino: Casino) -> None:
    casino.cards.lay(*["K Q, J 6, K 8, Q 8 / J 7 | T"] * 10)  # Alice wins, and Bob's hits are too many
    table = await begin(casino, BOB)
    while of(now := table.snapshot(), BOB).member is not None:
        if now.phase is TablePhase.PLAYING:
            sitter = now.sitter_at(now.view.asked[0])
            assert sitter is not None
            await casino.act(table, "stand" if sitter.user == ALICE else "hit", sitter.user or 0)
        else:
            await table.stake(ALICE, None, casino.press())
            await table.stake(BOB, None, casino.press())
    assert table.snapshot().phase is TablePhase.BETTING
    assert 990 <= await casino.balance(BOB) < 991
    await table.stake(ALICE, None, casino.press())
    assert len(table.snapshot().view.seats) == 3


async def test_closing_gives_every_stack_back_but_not_the_stake(casino: Casino) -> None:
    table = await begin(casino, BOB)
    await play_on(casino, table)
    stacks = {user: of(table.snapshot(), user).balance for user in (ALICE, BOB)}
    await table.close(casino.press())
    for user, stack in stacks.items():
        assert await casino.balance(user) == 990 + stack / CHIP


async def test_an_idle_table_gives_the_stack_back(casino: Casino) -> None:
    table = await begin(casino)
    stack = of(await play_on(casino, table), ALICE).balance
    await table._rung(table.state.version)  # the idle time is over
    assert table.snapshot().close_reason is CloseReason.IDLE
    assert await casino.balance(ALICE) == 990 + stack / CHIP


async def test_a_restart_keeps_the_stacks(casino: Casino) -> None:
    table = await begin(casino, BOB, level="expert")
    before = table.snapshot()
    await casino.restart()
    again = casino.registry.get(table.id)
    assert again is not None
    assert again.snapshot().sitters == before.sitters
    await play_on(casino, again)
    for user in (ALICE, BOB):
        await again.stake(user, None, casino.press())
    assert again.snapshot().round == before.round + 1
    assert await casino.balance(ALICE) == 990


async def test_when_the_table_is_closed_no_chips_are_left_on_it(casino: Casino, tmp_path: Path) -> None:
    table = await begin(casino, BOB)
    await play_on(casino, table)
    assert pots(tmp_path)["stack"] > 0
    assert pots(tmp_path)["computer"] > 0
    await table.close(casino.press())
    assert set(pots(tmp_path).values()) == {0}


def pots(folder: Path) -> Counter[str]:
    """Return the chips in accounts of no member, by their kind."""
    with contextlib.closing(sqlite3.connect(folder / "bank.db")) as file:
        rows = file.execute("SELECT name, balance FROM pots").fetchall()
    kinds: Counter[str] = Counter()
    for name, balance in rows:
        kinds[name.partition("/")[0]] += balance
    return kinds


def test_r5_1_a_stack_is_bought_by_whoever_has_its_price() -> None:
    till, chair = Till(1, GUILD, Money.STACK), Chair(1, ALICE, 5)
    with pytest.raises(Refused) as no:
        till.buy_in(chair, 99, 100)
    assert (no.value.reason, no.value.details) == (Reason.CANNOT_PAY, {"balance": 99, "needed": 100})
    bought = till.buy_in(chair, 100, 100)
    assert (bought.chair.stack, bought.wallet) == (100, -100)
    assert [(str(move.source.kind), str(move.target.kind)) for move in bought.transfers] == [("member", "stack")]
    assert till.buy_in(Chair(2, computer="Pip"), 0, 100).chair.stack == 100, "the house pays for computer players"
