"""A baccarat table as a channel meets it (R8.5): everyone stakes where they like, and nobody is waited for."""

from __future__ import annotations

import asyncio

import pytest

from engine.games.contract import CHIP
from engine.tables.refused import Reason, Refused
from engine.tables.snapshot import CloseReason, GameSnapshot, Snapshot, TablePhase
from engine.tables.table import Table

from .conftest import ALICE, BOB, CAROL, MESSAGE, Casino, until


def refused(reason: Reason) -> pytest.RaisesExc[Refused]:
    return pytest.RaisesExc(Refused, check=lambda error: error.reason is reason)


async def coup(casino: Casino, **more: object) -> Table:
    return await casino.open(ALICE, game="baccarat", **more)  # type: ignore[arg-type]


async def stake(casino: Casino, table: Table, user: int = ALICE, **chips: int) -> Snapshot:
    """Stake as from a spot's form: a person without a seat sits down with it."""
    stakes = {spot: amount * CHIP for spot, amount in chips.items()}
    number, member = table.state.sealed, await casino.member(user)
    return await table.stake(user, stakes, casino.press(), message=MESSAGE, number=number, newcomer=member)


def staked(snapshot: Snapshot, user: int) -> dict[str, int]:
    sitter = snapshot.sitter_of(user)
    assert sitter is not None
    return {spot: cents // CHIP for spot, cents in (sitter.staked or {}).items()}


# -- a coup ------------------------------------------------------------------------------------------------------------


async def test_r8_5_three_members_stake_on_several_spots_and_the_opener_deals(casino: Casino) -> None:
    table = await coup(casino)
    await stake(casino, table, ALICE, banker=10)
    await stake(casino, table, BOB, player=20)
    await stake(casino, table, BOB, tie=5)
    waiting = await stake(casino, table, CAROL, player=1, banker=2, tie=3)
    assert waiting.phase is TablePhase.BETTING
    assert [staked(waiting, user) for user in (ALICE, BOB, CAROL)] == [
        {"banker": 10},
        {"player": 20, "tie": 5},
        {"player": 1, "banker": 2, "tie": 3},
    ]
    assert [await casino.balance(user) for user in (ALICE, BOB, CAROL)] == [990, 975, 994]
    dealt = await table.deal(ALICE, casino.press())
    assert dealt.settlement is not None
    for user, paid in ((ALICE, 990), (BOB, 975), (CAROL, 994)):
        seat = dealt.sitter_of(user).seat  # type: ignore[union-attr]
        assert await casino.balance(user) == paid + dealt.settlement.returned(seat) / CHIP  # type: ignore[arg-type]


async def test_stakes_on_one_spot_add_up(casino: Casino) -> None:
    table = await coup(casino)
    await stake(casino, table, player=10)
    assert staked(await stake(casino, table, player=15), ALICE) == {"player": 25}


async def test_r0_4_the_limit_is_for_all_that_lies_on_a_spot(casino: Casino) -> None:
    casino.set_house(largest_stake=30 * CHIP)
    table = await coup(casino)
    await stake(casino, table, player=20)
    with refused(Reason.ABOVE_LIMIT):
        await stake(casino, table, player=11)
    assert staked(await stake(casino, table, player=10, tie=30), ALICE) == {"player": 30, "tie": 30}


async def test_chips_that_lie_on_this_table_are_not_said_to_lie_on_another_one(casino: Casino) -> None:
    table = await coup(casino)
    await stake(casino, table, player=600)
    with refused(Reason.CANNOT_PAY):
        await stake(casino, table, player=600)


@pytest.mark.parametrize(
    ("chips", "reason"),
    [
        ({"player": 0}, Reason.BELOW_LIMIT),
        ({"banker": -5}, Reason.BELOW_LIMIT),
        ({"tie": 10_001}, Reason.ABOVE_LIMIT),
        ({"tie": 2**60}, Reason.ABOVE_LIMIT),
        ({"player": 600, "banker": 600}, Reason.CANNOT_PAY),
        ({"main": 10}, Reason.UNKNOWN_SPOT),
        ({}, Reason.NOTHING_STAKED),
    ],
)
async def test_who_cannot_stake_so_does_not_sit_down_either(
    casino: Casino, chips: dict[str, int], reason: Reason
) -> None:
    table = await coup(casino)
    with refused(reason):
        await stake(casino, table, BOB, **chips)
    assert table.snapshot().sitter_of(BOB) is None
    assert await casino.balance(BOB) == 1_000


async def test_the_same_stakes_again_are_placed_once(casino: Casino) -> None:
    table = await coup(casino)
    await stake(casino, table, player=10, tie=2)
    await table.deal(ALICE, casino.press())
    again = [table.stake(ALICE, None, casino.press()) for _ in range(3)]
    results = await asyncio.gather(*again, return_exceptions=True)
    assert sum(isinstance(result, GameSnapshot) for result in results) == 1
    assert staked(table.snapshot(), ALICE) == {"player": 10, "tie": 2}


# -- who deals, and when -----------------------------------------------------------------------------------------------


async def test_only_the_opener_deals(casino: Casino) -> None:
    table = await coup(casino)
    await stake(casino, table, BOB, player=10)
    with refused(Reason.OPENER_DEALS):
        await table.deal(BOB, casino.press())
    with refused(Reason.NOT_SEATED):
        await table.deal(CAROL, casino.press())
    assert (await table.deal(ALICE, casino.press())).round == 1


async def test_without_a_stake_there_is_no_coup(casino: Casino) -> None:
    table = await coup(casino)
    with refused(Reason.NOTHING_STAKED):
        await table.deal(ALICE, casino.press())


async def test_when_the_opener_has_left_anybody_seated_deals(casino: Casino) -> None:
    table = await coup(casino)
    await stake(casino, table, BOB, player=10)
    await table.leave(ALICE, casino.press())
    assert (await table.deal(BOB, casino.press())).round == 1


async def test_an_opener_who_leaves_a_stake_behind_does_not_hold_the_others_up(casino: Casino) -> None:
    table = await coup(casino)
    await stake(casino, table, ALICE, banker=10)
    await stake(casino, table, BOB, player=10)
    await table.leave(ALICE, casino.press())
    dealt = await table.deal(BOB, casino.press())
    assert dealt.settlement is not None
    assert dealt.settlement.staked(0) == dealt.settlement.staked(1) == 10 * CHIP
    assert [sitter.user for sitter in dealt.sitters if sitter.member is not None] == [BOB]


async def test_when_all_who_staked_leave_the_coup_is_dealt_and_the_table_closes(casino: Casino) -> None:
    table = await coup(casino)
    await stake(casino, table, ALICE, banker=10)
    closed = await table.leave(ALICE, casino.press())
    assert closed.close_reason is CloseReason.LEFT
    assert closed.settlement is not None
    assert await casino.balance(ALICE) == 990 + closed.settlement.returned(0) / CHIP


async def test_who_stakes_again_after_leaving_stays(casino: Casino) -> None:
    table = await coup(casino)
    await stake(casino, table, ALICE, banker=10)
    await stake(casino, table, BOB, tie=10)
    await table.leave(BOB, casino.press())
    await stake(casino, table, BOB, player=10)
    dealt = await table.deal(ALICE, casino.press())
    assert {sitter.user for sitter in dealt.sitters if sitter.member is not None} == {ALICE, BOB}


async def test_the_window_opens_with_the_first_stake_and_ends_by_itself(casino: Casino) -> None:
    casino.set_house(betting_seconds=0.05)
    table = await coup(casino)
    await table.join(await casino.member(BOB), casino.press())
    opened = await stake(casino, table, ALICE, player=10)
    assert opened.deadline == casino.clock.time + 0.05
    dealt = await until(table, lambda seen: seen.view is not None)
    assert dealt.round == 1
    assert dealt.sitter_of(BOB).seat is None  # type: ignore[union-attr]


async def test_a_second_stake_does_not_make_the_window_longer(casino: Casino) -> None:
    table = await coup(casino)
    first = await stake(casino, table, ALICE, player=10)
    casino.clock.time += 30
    assert (await stake(casino, table, BOB, player=10)).deadline == first.deadline


async def test_a_doubled_deal_does_not_end_the_next_window(casino: Casino) -> None:
    table = await coup(casino)
    await stake(casino, table, player=10)
    number = table.state.sealed
    await table.deal(ALICE, casino.press(), number)
    await stake(casino, table, BOB, tie=10)
    with refused(Reason.OLD_BUTTON):
        await table.deal(ALICE, casino.press(), number)
    assert staked(table.snapshot(), BOB) == {"tie": 10}


async def test_two_coups_sat_out_free_the_seat(casino: Casino) -> None:
    table = await coup(casino)
    await table.join(await casino.member(BOB), casino.press())
    for _ in range(2):
        await stake(casino, table, ALICE, player=10)
        await table.deal(ALICE, casino.press())
    assert table.snapshot().sitter_of(BOB) is None


async def test_twenty_four_take_part_and_no_twenty_fifth(casino: Casino) -> None:
    table = await coup(casino)
    for user in range(101, 124):
        await stake(casino, table, user, player=1, banker=1, tie=1)
    with refused(Reason.TABLE_FULL):
        await stake(casino, table, BOB, player=1)
    dealt = await table.deal(ALICE, casino.press())
    assert len(dealt.view.seats) == 23


# -- what is kept ------------------------------------------------------------------------------------------------------


async def test_the_road_keeps_the_last_twenty_results(casino: Casino) -> None:
    table = await coup(casino)
    results = []
    for _ in range(23):
        await stake(casino, table, banker=1)
        results.append((await table.deal(ALICE, casino.press())).view.result.value)
    assert table.snapshot().road == tuple(results[-20:])
    assert len(set(results)) > 1


async def test_road_and_stakes_survive_a_crash_in_the_window(casino: Casino) -> None:
    table = await coup(casino)
    await stake(casino, table, banker=1)
    dealt = await table.deal(ALICE, casino.press())
    before = await stake(casino, table, BOB, player=7, tie=8)
    await casino.restart()
    again = casino.registry.get(table.id)
    assert again is not None
    after = again.snapshot()
    assert after.road == (dealt.view.result.value,)
    assert (after.view, after.seals.next_code) == (before.view, before.seals.next_code)
    assert staked(after, BOB) == {"player": 7, "tie": 8}
    assert (await again.deal(ALICE, casino.press())).seals.code == before.seals.next_code
