"""Elimination tables with real cards: nine rounds of play chips, and no wallet moves."""

from __future__ import annotations

import asyncio
import json

import pytest

from engine.games.contract import CHIP, By
from engine.tables.house import HouseSettings
from engine.tables.orders import Contender, EliminationOrder
from engine.tables.position import pause, thought
from engine.tables.refused import Reason, Refused
from engine.tables.snapshot import CloseReason, Snapshot, TablePhase
from engine.tables.state import TableState
from engine.tables.table import Table

from ..elimination.elimination import open_table
from .conftest import ALICE, BOB, CHANNEL, GUILD, Casino, until

NAMES = ("Pip", "Trey", "Deuce")


async def lone(casino: Casino, *, budget: int = 100, level: str = "expert") -> Table:
    """Alice against three computer players."""
    computers = tuple(Contender(computer=name, level=level) for name in NAMES)
    players = (Contender(await casino.member(ALICE)), *computers)
    elimination = EliminationOrder(casino.press(), GUILD, CHANNEL, "original", budget * CHIP, players, opener=ALICE)
    return await casino.registry.open_elimination(elimination)


async def press_something(casino: Casino, table: Table, user: int = ALICE) -> Snapshot:
    """Stake the smallest, stand: a person who keeps up."""
    now = table.snapshot()
    if now.phase is TablePhase.BETTING:
        return await table.stake(user, {"main": now.offers["smallest"]}, casino.press())
    return await casino.act(table, "stand", user)


async def play_on(casino: Casino, table: Table) -> Snapshot:
    while table.state.phase is not TablePhase.CLOSED:
        await press_something(casino, table)
    return table.snapshot()


async def test_r7_1_a_table_plays_to_its_end_and_no_wallet_changes(casino: Casino) -> None:
    table = await lone(casino)
    end = await play_on(casino, table)
    assert end.close_reason is CloseReason.WON
    assert end.elimination.winner is not None
    assert end.round <= 9
    assert await casino.balance(ALICE) == 1_000


@pytest.mark.parametrize("is_lone", [True, False])
def test_of_tables_from_before_odds_were_a_choice_only_those_of_tournaments_have_none(*, is_lone: bool) -> None:
    record = open_table(lone=is_lone).record()
    state = TableState(1, GUILD, CHANNEL, "blackjack", "original", {}, ALICE, solo=not is_lone, elimination=record)
    doc = json.loads(state.to_json())
    del doc["odds"]
    assert TableState.from_json(json.dumps(doc)).odds is is_lone


async def test_r7_2_at_most_three_two_and_one_remain_after_rounds_3_6_and_9(casino: Casino) -> None:
    table = await lone(casino)
    await play_on(casino, table)
    for seen in casino.onlooker.seen:
        if seen.elimination is not None and seen.elimination.winner is None:
            left = sum(standing.fall is None for standing in seen.elimination.seats)
            assert left <= {1: 4, 2: 3, 3: 2}[seen.elimination.heat]


async def test_the_chairs_hold_what_the_contest_says(casino: Casino) -> None:
    table = await lone(casino)
    await play_on(casino, table)
    for seen in casino.onlooker.seen:
        if seen.phase is TablePhase.BETTING:
            for sitter in seen.sitters:
                if not sitter.leaving:
                    standing = seen.elimination.seats[sitter.place - 1]
                    assert sitter.balance == standing.stack - (standing.staked or 0)


async def test_r7_1_others_take_a_computer_players_seat_before_the_first_card(casino: Casino) -> None:
    table = await lone(casino)
    snapshot = await table.join(await casino.member(BOB), casino.press())
    assert snapshot.sitter_of(BOB).balance == 100 * CHIP  # type: ignore[union-attr]
    with pytest.raises(Refused) as no:
        await table.join(await casino.member(BOB), casino.press())
    assert no.value.reason is Reason.ALREADY_SEATED
    with pytest.raises(Refused) as no:
        await table.deal(BOB, casino.press())
    assert no.value.reason is Reason.NOTHING_STAKED
    await press_something(casino, table, ALICE)
    await press_something(casino, table, BOB)
    assert table.state.round == 1


async def test_r7_1_four_people_fill_the_table(casino: Casino) -> None:
    table = await lone(casino)
    for user in (2, 3, 4):
        await table.join(await casino.member(user), casino.press())
    with pytest.raises(Refused) as no:
        await table.join(await casino.member(5), casino.press())
    assert no.value.reason is Reason.TABLE_FULL


async def test_r7_1_nobody_sits_down_after_the_first_card(casino: Casino) -> None:
    table = await lone(casino)
    await press_something(casino, table)
    with pytest.raises(Refused) as caught:
        await table.join(await casino.member(BOB), casino.press())
    assert caught.value.reason is Reason.TABLE_STARTED


async def test_r0_5_out_of_time_stakes_the_smallest(casino: Casino) -> None:
    casino.set_house(turn_seconds=0.05)
    table = await lone(casino)
    staked = '["stake",0,500,"clock"]'
    await until(table, lambda seen: staked in table.state.to_json())
    stored = await casino.bank.tables.stored(table.id)
    assert stored is not None
    assert staked in stored.row.doc


async def test_more_than_the_stack_is_refused(casino: Casino) -> None:
    table = await lone(casino)
    with pytest.raises(Refused) as caught:
        await table.stake(ALICE, {"main": 101 * CHIP}, casino.press())
    assert caught.value.reason is Reason.CANNOT_PAY


async def test_less_than_the_smallest_is_refused(casino: Casino) -> None:
    table = await lone(casino)
    with pytest.raises(Refused) as caught:
        await table.stake(ALICE, {"main": 4 * CHIP}, casino.press())
    assert caught.value.reason is Reason.BELOW_LIMIT


async def test_r7_7_when_the_last_person_leaves_a_lone_table_ends(casino: Casino) -> None:
    table = await lone(casino)
    end = await table.leave(ALICE, casino.press())
    assert end.phase is TablePhase.CLOSED
    assert end.elimination.winner is not None


async def test_a_restart_at_every_press_changes_nothing(casino: Casino) -> None:
    table = await lone(casino)
    presses = 0
    while table.state.phase is not TablePhase.CLOSED:
        before = await press_something(casino, table)
        presses += 1
        if before.phase is TablePhase.CLOSED:
            break
        await casino.restart()
        again = casino.registry.get(table.id)
        assert again is not None
        after = again.snapshot()
        assert (after.elimination, after.view, after.legal, after.offers) == (
            before.elimination,
            before.view,
            before.legal,
            before.offers,
        )
        table = again
    assert presses > 2


async def test_two_elimination_tables_and_a_cash_table_share_a_channel(casino: Casino) -> None:
    first, second = await lone(casino), await lone(casino)
    cash = await casino.open(BOB)
    assert {table.id for table in casino.registry.tables()} == {first.id, second.id, cash.id}


async def test_closing_by_an_admin_plays_it_out(casino: Casino) -> None:
    table = await lone(casino)
    end = await table.close(casino.press())
    assert end.phase is TablePhase.CLOSED
    assert end.elimination.winner is not None


async def test_closing_by_an_admin_leaves_the_hand_that_is_asked_standing(casino: Casino) -> None:
    table = await lone(casino)
    while table.snapshot().phase is not TablePhase.PLAYING:
        await press_something(casino, table)
    number = table.state.round
    assert (await table.close(casino.press())).phase is TablePhase.CLOSED
    stored = await casino.bank.grades.finished_round(table.id, number)
    assert stored is not None
    assert stored.record is not None
    assert By.CLOCK in {step.by for step in stored.record.steps}


async def test_one_press_closes_all_tables_of_a_channel(casino: Casino) -> None:
    press = casino.press()
    for table in (await lone(casino), await lone(casino), await casino.open(BOB)):
        await table.close(press)
    assert casino.registry.tables() == ()


async def test_a_table_that_is_won_in_the_moment_in_which_a_manager_closes_it_stays_won(casino: Casino) -> None:
    table = await lone(casino)
    won, closed = await asyncio.gather(table.leave(ALICE, casino.press()), table.close(casino.press()))
    assert won.close_reason is CloseReason.WON
    assert closed.close_reason is CloseReason.WON
    assert await table.close(casino.press()) == table.snapshot() == closed


async def test_a_result_that_nobody_watches_stays_for_four_thoughts(casino: Casino) -> None:
    house = HouseSettings(think_seconds=1.5)
    table = await lone(casino)
    assert pause(table._position, house) == 1.5
    await table._rung(table.state.version)  # Alice lets her time pass: she is absent from now on
    assert (table.state.phase, table.state.round) == (TablePhase.BETTING, 1)
    assert pause(table._position, house) == 6.0
    await table.come_back(ALICE, casino.press())
    assert pause(table._position, house) == 1.5


def test_where_no_person_is_left_computer_players_need_no_time() -> None:
    elimination = open_table(lone=False)
    assert thought(elimination, HouseSettings(think_seconds=1.5)) == 1.5
    elimination.leave(0)
    assert thought(elimination, HouseSettings(think_seconds=1.5)) == 0.0


# -- titles ------------------------------------------------------------------------------------------------------------


async def test_a_table_of_ones_own_that_is_won_is_a_title_and_no_chips(casino: Casino) -> None:
    while not await casino.bank.titles.champions(GUILD):
        table = await lone(casino, level="amateur")
        end = await play_on(casino, table)
    assert end.elimination.winner == 0
    (champion,) = await casino.bank.titles.champions(GUILD)
    assert (champion.user, champion.tournaments, champion.tables) == (ALICE, 0, 1)
    assert await casino.balance(ALICE) == 1_000


async def test_the_leader_of_a_table_that_people_left_has_no_title(casino: Casino) -> None:
    table = await lone(casino)
    await table.leave(ALICE, casino.press())
    assert await casino.bank.titles.champions(GUILD) == ()


# -- pace --------------------------------------------------------------------------------------------------------------


async def test_computer_players_stake_in_one_thought_and_play_a_hand_in_one(casino: Casino) -> None:
    """So a round is few edits of its message: what happens by itself is at most six changes."""
    casino.set_house(think_seconds=0.001)
    table = await lone(casino)
    presses, rounds = 0, 0
    while table.state.phase is not TablePhase.CLOSED:
        now = table.snapshot()
        mine = now.sitter_of(ALICE)
        if mine is not None and (now.elimination.asked == 0 or (now.legal and mine.seat in now.view.asked)):
            await press_something(casino, table)
            presses += 1
        await asyncio.sleep(0.002)
        rounds = table.state.round
    changes = len(casino.onlooker.seen)
    assert changes - presses <= 6 * rounds


async def test_everybody_who_takes_part_is_known_to_the_end(casino: Casino) -> None:
    table = await lone(casino)
    await table.join(await casino.member(BOB), casino.press())
    await table.leave(BOB, casino.press())
    assert table.snapshot().owner is None, "it never was Alice's alone"
    end = await play_on(casino, table)
    assert [player.user or player.computer for player in end.players] == [ALICE, BOB, *NAMES[1:]]
