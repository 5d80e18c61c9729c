"""Tables by invitation: the opener names who may sit, and free seats are kept for ten minutes (R14.4)."""

from __future__ import annotations

import json

import pytest

from engine.games.contract import CHIP
from engine.tables.house import KEPT_SECONDS
from engine.tables.refused import Reason
from engine.tables.snapshot import TablePhase
from engine.tables.state import FreedFor, Invitation, TableState
from engine.tables.table import Table

from .conftest import ALICE, BOB, CAROL, CHANNEL, Casino
from .test_fixed_stakes import play_on
from .test_table import refused

DAVE = 4


async def invited(casino: Casino, *people: int, freed_for: FreedFor = FreedFor.EVERYBODY, **more: object) -> Table:
    """Alice's table, to which these people are invited."""
    casino.set_house(idle_seconds=2 * KEPT_SECONDS)
    table = await casino.open(freed_for=freed_for, **more)  # type: ignore[arg-type]
    if people:
        await table.invite(ALICE, people, casino.press())
    return table


async def sits(casino: Casino, table: Table, user: int) -> None:
    await table.join(await casino.member(user), casino.press())


def people_at(table: Table) -> list[int | None]:
    return [chair.user for chair in table.state.people]


async def test_r14_4_the_invited_sit_down_and_nobody_else(casino: Casino) -> None:
    table = await invited(casino, BOB)
    with refused(Reason.NOT_INVITED):
        await sits(casino, table, CAROL)
    await sits(casino, table, BOB)
    assert people_at(table) == [ALICE, BOB]


async def test_r14_4_nobody_sits_down_before_anybody_is_invited(casino: Casino) -> None:
    table = await invited(casino)
    with refused(Reason.NOT_INVITED):
        await sits(casino, table, BOB)


async def test_r14_4_a_stake_of_somebody_uninvited_is_refused_and_stays_in_the_wallet(casino: Casino) -> None:
    table = await invited(casino, BOB, game="baccarat")
    carol = await casino.member(CAROL)
    with refused(Reason.NOT_INVITED):
        await table.stake(CAROL, {"tie": 10 * CHIP}, casino.press(), newcomer=carol)
    assert await casino.balance(CAROL) == 1_000
    await table.stake(BOB, {"tie": 10 * CHIP}, casino.press(), newcomer=await casino.member(BOB))
    assert people_at(table) == [ALICE, BOB]


async def test_r14_4_the_opener_and_the_invited_may_leave_and_come_back(casino: Casino) -> None:
    table = await invited(casino, BOB)
    await sits(casino, table, BOB)
    for user in (ALICE, BOB):
        await table.leave(user, casino.press())
        await sits(casino, table, user)
    assert sorted(filter(None, people_at(table))) == [ALICE, BOB]


async def test_r14_4_only_the_opener_invites(casino: Casino) -> None:
    table = await invited(casino, BOB)
    await sits(casino, table, BOB)
    with refused(Reason.OLD_BUTTON):
        await table.invite(BOB, [CAROL], casino.press())
    with refused(Reason.NOT_INVITED):
        await sits(casino, table, CAROL)


async def test_r14_4_nobody_is_invited_to_the_table_of_the_channel(casino: Casino) -> None:
    table = await casino.open()
    with refused(Reason.OLD_BUTTON):
        await table.invite(ALICE, [BOB], casino.press())
    assert table.state.invitation is None


async def test_r14_4_as_many_are_invited_as_there_are_seats(casino: Casino) -> None:
    table = await invited(casino, computers=1)
    with refused(Reason.TABLE_FULL):
        await table.invite(ALICE, range(10, 16), casino.press())
    now = await table.invite(ALICE, [ALICE, *range(10, 15), 10], casino.press())
    assert now.invitation is not None
    assert now.invitation.people == tuple(range(10, 15)), "everybody once, and the opener has a seat already"


async def test_r14_4_the_channels_own_table_can_be_opened_beside_it(casino: Casino) -> None:
    await invited(casino, BOB)
    shared = await casino.open(CAROL)
    await sits(casino, shared, DAVE)
    assert people_at(shared) == [CAROL, DAVE]
    assert casino.registry.table_in(CHANNEL, "blackjack") is shared


# -- after ten minutes -------------------------------------------------------------------------------------------------


async def test_r14_4_after_ten_minutes_everybody_may_sit(casino: Casino) -> None:
    table = await invited(casino, BOB)
    casino.clock.time += KEPT_SECONDS - 1
    with refused(Reason.NOT_INVITED):
        await sits(casino, table, CAROL)
    casino.clock.time += 1
    await sits(casino, table, CAROL)
    assert people_at(table) == [ALICE, CAROL]
    assert table.snapshot().invitation is None


async def test_r14_4_seats_are_freed_between_rounds_only_and_stakes_stay(casino: Casino) -> None:
    table = await invited(casino, BOB)
    casino.cards.lay("9 7 / 9 T")
    await casino.stake(table)
    casino.clock.time += KEPT_SECONDS
    with refused(Reason.NOT_INVITED):
        await sits(casino, table, CAROL)
    assert table.state.phase is TablePhase.PLAYING
    assert await casino.balance(ALICE) == 990
    await casino.act(table, "stand")
    await sits(casino, table, CAROL)
    assert people_at(table) == [ALICE, CAROL]


async def test_r14_4_ten_minutes_begin_again_with_each_invitation(casino: Casino) -> None:
    table = await invited(casino, BOB)
    casino.clock.time += KEPT_SECONDS - 1
    await table.invite(ALICE, [CAROL], casino.press())
    casino.clock.time += KEPT_SECONDS - 1
    with refused(Reason.NOT_INVITED):
        await sits(casino, table, DAVE)


async def test_r14_4_computer_players_take_the_seats_of_those_who_did_not_come(casino: Casino) -> None:
    """A late guest finds another seat; nobody else ever sits there."""
    table = await invited(casino, BOB, CAROL, DAVE, freed_for=FreedFor.COMPUTERS)
    await sits(casino, table, BOB)
    casino.clock.time += KEPT_SECONDS
    await casino.stake(table)
    assert [chair.computer for chair in table.state.chairs if not chair.is_person] == []
    await casino.stake(table, BOB)
    assert len([chair for chair in table.state.chairs if not chair.is_person]) == 2
    assert (await casino.balance(ALICE), await casino.balance(BOB)) == (990, 990)
    await casino.finish(table)
    with refused(Reason.NOT_INVITED):
        await sits(casino, table, 5)
    await sits(casino, table, CAROL)
    await casino.stake(table)
    await casino.stake(table, BOB)
    await casino.stake(table, CAROL)
    assert len(table.state.chairs) == 5, "computer players take seats once"


async def test_r14_4_computer_players_take_no_more_seats_than_there_are(casino: Casino) -> None:
    table = await invited(casino, *range(10, 16), freed_for=FreedFor.COMPUTERS)
    casino.clock.time += KEPT_SECONDS
    await casino.stake(table)
    assert len(table.state.chairs) == 7


async def test_r5_1_no_computer_player_takes_a_seat_that_falls_empty_after_the_first_round(casino: Casino) -> None:
    table = await invited(casino, BOB, freed_for=FreedFor.COMPUTERS, rules="four-seat")
    await sits(casino, table, BOB)
    for user in (ALICE, BOB):
        await table.stake(user, None, casino.press())
    await play_on(casino, table)
    await table.leave(BOB, casino.press())
    casino.clock.time += KEPT_SECONDS
    await table.stake(ALICE, None, casino.press())
    assert [chair.place for chair in table.state.chairs] == [1, 3, 4]


# -- kept --------------------------------------------------------------------------------------------------------------


async def test_r14_4_an_invitation_survives_a_restart(casino: Casino) -> None:
    table = await invited(casino, BOB, freed_for=FreedFor.COMPUTERS)
    before = table.state.invitation
    await casino.restart()
    again = casino.registry.get(table.id)
    assert again is not None
    assert again.state.invitation == before == Invitation(FreedFor.COMPUTERS, before.until if before else None, (BOB,))
    with refused(Reason.NOT_INVITED):
        await sits(casino, again, CAROL)
    await sits(casino, again, BOB)


async def test_tables_of_earlier_releases_are_open_to_everybody(casino: Casino) -> None:
    table = await casino.open()
    doc = json.loads(table.state.to_json())
    del doc["invitation"]
    assert TableState.from_json(json.dumps(doc)).admits(BOB)


async def test_somebody_who_is_to_be_forgotten_is_taken_off_the_list(casino: Casino) -> None:
    table = await invited(casino, BOB, CAROL)
    (found,) = casino.registry.inviting(7, BOB)
    await found.uninvite(BOB)
    assert casino.registry.inviting(7, BOB) == ()
    assert casino.registry.inviting(7, CAROL) == (table,)
    with refused(Reason.NOT_INVITED):
        await sits(casino, table, BOB)


@pytest.mark.parametrize("freed_for", list(FreedFor))
def test_a_stored_invitation_is_read_as_it_was_written(freed_for: FreedFor) -> None:
    kept = Invitation(freed_for, 1_800_000_600.5, (BOB, CAROL))
    state = TableState(1, 7, 70, "blackjack", "vegas", {}, ALICE, invitation=kept)
    assert TableState.from_json(state.to_json()) == state
