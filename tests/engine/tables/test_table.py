"""A table as its players meet it: staking, playing, waiting, leaving, and what survives a crash."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from engine.fairness.replay import shoe_of
from engine.games.blackjack.notation import round_of
from engine.games.cards import PACK
from engine.games.contract import CHIP, By, Refusal
from engine.tables.house import GRACE_SECONDS
from engine.tables.places import owner_of
from engine.tables.rebuilt import record_of
from engine.tables.refused import Reason, Refused
from engine.tables.snapshot import CloseReason, GameSnapshot, Sitter, TablePhase, offered

from .conftest import ALICE, BOB, CAROL, CHANNEL, Casino, until


def refused(reason: Reason) -> pytest.RaisesExc[Refused]:
    return pytest.RaisesExc(Refused, check=lambda error: error.reason is reason)


# -- a lone player ----------------------------------------------------------------------------------------------------


async def test_a_lone_player_is_dealt_at_once_and_the_stake_is_gone(casino: Casino) -> None:
    table = await casino.deal("T 9 / 9 T")
    assert await casino.balance(ALICE) == 990
    snapshot = await casino.act(table, "stand")
    assert snapshot.phase is TablePhase.BETTING
    assert await casino.balance(ALICE) == 1_000, "19 against 19"


async def test_r10_2_the_stake_leaves_the_balance_when_it_is_placed(casino: Casino) -> None:
    await casino.deal("T 9 / 9 T", chips=400)
    assert await casino.balance(ALICE) == 600


async def test_the_next_hand_is_sealed_before_it_is_staked(casino: Casino) -> None:
    table = await casino.open()
    sealed = table.snapshot().seals.next_code
    casino.cards.lay("A K / 9 T")
    first = await casino.stake(table)
    assert first.seals.code == sealed
    assert first.seals.revealed_seed
    assert first.seals.next_code != sealed
    second = await casino.stake(table)
    assert second.seals.code == first.seals.next_code
    assert second.round == 2


@pytest.mark.parametrize(
    ("chips", "reason"),
    [
        (0, Reason.BELOW_LIMIT),
        (-5, Reason.BELOW_LIMIT),
        (10_001, Reason.ABOVE_LIMIT),
        (2**60, Reason.ABOVE_LIMIT),
        (1_001, Reason.CANNOT_PAY),
    ],
)
async def test_impossible_stakes_are_refused_and_cost_nothing(casino: Casino, chips: int, reason: Reason) -> None:
    table = await casino.open()
    with refused(reason):
        await casino.stake(table, chips=chips)
    assert await casino.balance(ALICE) == 1_000


async def test_half_chips_are_not_stakes(casino: Casino) -> None:
    table = await casino.open()
    for cents in (1_050, 1_001, 1_000.0):
        with refused(Reason.NOT_WHOLE):
            await table.stake(ALICE, {"main": cents}, casino.press())  # type: ignore[dict-item]


async def test_chips_on_another_table_are_named_as_the_reason(casino: Casino) -> None:
    first = await casino.deal("T 9 / 9 T", chips=100)
    second = await casino.registry.open(await _order(casino, channel=CHANNEL + 1))
    with pytest.raises(Refused) as caught:
        await casino.stake(second, chips=950)
    assert caught.value.reason is Reason.CHIPS_IN_PLAY
    assert caught.value.details["staked"] == 100 * CHIP
    assert first.snapshot().phase is TablePhase.PLAYING


async def test_chips_on_another_table_are_named_to_who_wants_to_sit_down_too(casino: Casino) -> None:
    await casino.deal("T 9 / 9 T", chips=100)
    second = await casino.registry.open(await _order(casino, channel=CHANNEL + 1, user=BOB))
    with refused(Reason.CHIPS_IN_PLAY):
        await second.stake(ALICE, {"main": 950 * CHIP}, casino.press(), newcomer=await casino.member(ALICE))
    assert second.state.chair_of(ALICE) is None


async def _order(casino: Casino, channel: int, user: int = ALICE):  # type: ignore[no-untyped-def]
    from engine.tables.orders import Order

    return Order(casino.press(), 7, channel, "blackjack", "vegas", await casino.member(user))


async def test_r0_2_every_round_is_dealt_from_a_shoe_of_its_own(casino: Casino) -> None:
    """The same hand twice in a row would be the end of it."""
    table, shoes = await casino.open(), []
    for _ in range(3):
        await casino.stake(table)
        await casino.finish(table)
        stored = await casino.bank.tables.stored(table.id)
        assert stored is not None
        (played,) = [round for round in stored.rounds if round.number == table.state.round]
        cards = shoe_of(record_of(played))
        shoes.append(tuple(cards[place] for place in range(len(cards))))
    assert len(set(shoes)) == 3
    assert {tuple(sorted(cards)) for cards in shoes} == {tuple(sorted(PACK * 6))}


# -- buttons that are old, doubled or somebody else's -----------------------------------------------------------------


async def test_an_old_button_changes_nothing(casino: Casino) -> None:
    table = await casino.deal("5 4 / 9 T | 2")
    old = table.snapshot()
    await casino.act(table, "hit")
    after = table.snapshot()
    with refused(Reason.OLD_BUTTON):
        await table.act(ALICE, "hit", old.round, old.turn, casino.press())
    assert table.snapshot() == after


async def test_the_same_press_twice_is_done_once(casino: Casino) -> None:
    table = await casino.open()
    press = casino.press()
    await table.stake(ALICE, {"main": 10 * CHIP}, press)
    with pytest.raises(Refused) as caught:
        await table.stake(ALICE, {"main": 10 * CHIP}, press)
    assert caught.value.reason in {Reason.ALREADY_DONE, Reason.ROUND_RUNNING}


async def test_a_stranger_cannot_press(casino: Casino) -> None:
    table = await casino.deal("T 9 / 9 T")
    now = table.snapshot()
    with refused(Reason.NOT_SEATED):
        await casino.act(table, "hit", user=BOB)
    with refused(Reason.NOT_SEATED):  # whatever the button was made for
        await table.act(BOB, "hit", now.round, now.turn - 1, casino.press())


async def test_who_sat_down_after_the_deal_is_told_to_be_in_no_round_and_not_to_sit_nowhere(casino: Casino) -> None:
    table = await casino.deal("T 6 / 9 ?")
    await table.join(await casino.member(BOB), casino.press())
    with refused(Reason.ILLEGAL) as caught:
        await casino.act(table, "hit", BOB)
    assert caught.value.details == {"refusal": Refusal.NOT_SEATED}


async def test_two_clicks_in_the_same_instant_are_one_hit(casino: Casino) -> None:
    table = await casino.deal("5 4 / 9 T | 2")
    now = table.snapshot()
    clicks = [table.act(ALICE, "hit", now.round, now.turn, casino.press()) for _ in range(5)]
    results = await asyncio.gather(*clicks, return_exceptions=True)
    assert sum(isinstance(result, GameSnapshot) for result in results) == 1
    assert len(table.snapshot().view.seats[0].hands[0].cards) == 3


async def test_an_action_the_rules_forbid_is_refused_with_the_rule(casino: Casino) -> None:
    table = await casino.deal("T 9 / 9 T")
    with pytest.raises(Refused) as caught:
        await casino.act(table, "split")
    assert caught.value.details["refusal"] is Refusal.NOT_A_PAIR


async def test_r0_3_a_double_that_cannot_be_paid_is_not_offered(casino: Casino) -> None:
    table = await casino.deal("6 5 / 9 T", chips=1_000)
    assert table.snapshot().legal == (("hit", "stand", "surrender"),)


# -- time -------------------------------------------------------------------------------------------------------------


async def test_r0_5_out_of_time_stands(casino: Casino) -> None:
    casino.set_house(turn_seconds=0.05)
    table = await casino.deal("T 9 / 9 T")
    snapshot = await until(table, lambda seen: seen.phase is TablePhase.BETTING)
    assert len(snapshot.view.seats[0].hands[0].cards) == 2


async def test_an_idle_table_closes(casino: Casino) -> None:
    casino.set_house(idle_seconds=0.05)
    table = await casino.open()
    closed = await until(table, lambda seen: seen.phase is TablePhase.CLOSED)
    assert closed.close_reason is CloseReason.IDLE
    assert casino.registry.table_in(CHANNEL, "blackjack") is None


async def test_an_answer_gives_the_next_question_its_full_time(casino: Casino) -> None:
    table = await casino.deal("5 4 / 9 T | 2")
    casino.clock.time += 40
    snapshot = await casino.act(table, "hit")
    assert snapshot.deadline == casino.clock.time + 60


# -- sharing a table --------------------------------------------------------------------------------------------------


async def test_two_people_are_dealt_when_both_have_staked(casino: Casino) -> None:
    table = await casino.open()
    await table.join(await casino.member(BOB), casino.press())
    waiting = await casino.stake(table, ALICE)
    assert waiting.phase is TablePhase.BETTING
    assert waiting.deadline == casino.clock.time + casino.house.betting_seconds
    assert await casino.balance(ALICE) == 990
    dealt = await casino.stake(table, BOB)
    assert len(dealt.view.seats) == 2


async def test_the_betting_window_deals_to_those_who_staked(casino: Casino) -> None:
    casino.set_house(betting_seconds=0.05)
    table = await casino.open()
    await table.join(await casino.member(BOB), casino.press())
    await casino.stake(table, ALICE)
    dealt = await until(table, lambda seen: seen.view is not None)
    assert dealt.round == 1
    assert len(dealt.view.seats) == 1


async def test_two_rounds_sat_out_free_the_seat(casino: Casino) -> None:
    casino.set_house(betting_seconds=0.03, turn_seconds=0.03)
    table = await casino.open()
    await table.join(await casino.member(BOB), casino.press())
    for number in (1, 2):
        await casino.stake(table, ALICE)
        await until(table, lambda seen, number=number: (seen.round, seen.phase) == (number, TablePhase.BETTING))
    assert [sitter.user for sitter in table.snapshot().sitters] == [ALICE]


async def test_a_round_that_is_played_begins_the_count_of_those_sat_out_again(casino: Casino) -> None:
    casino.set_house(betting_seconds=0.03, turn_seconds=0.03)
    table = await casino.open()
    await table.join(await casino.member(BOB), casino.press())
    for number, company in ((1, (ALICE,)), (2, (ALICE, BOB)), (3, (ALICE,))):
        for user in company:
            await casino.stake(table, user)
        await until(table, lambda seen, number=number: (seen.round, seen.phase) == (number, TablePhase.BETTING))
    assert [sitter.user for sitter in table.snapshot().sitters] == [ALICE, BOB]


async def test_who_comes_back_to_another_place_is_found_there_and_not_at_the_last_hand(casino: Casino) -> None:
    table = await casino.open()
    await table.join(await casino.member(BOB), casino.press())
    await casino.stake(table, ALICE)
    casino.cards.lay("A K, T 9 / 9 T")
    await casino.stake(table, BOB)
    await casino.finish(table)
    await table.leave(ALICE, casino.press())
    gone = table.snapshot().sitter_of(ALICE)
    assert gone is not None, "the hand still lies there"
    assert gone.member is None
    await table.join(await casino.member(CAROL), casino.press())
    await table.join(await casino.member(ALICE), casino.press())
    back = table.snapshot().sitter_of(ALICE)
    assert back is not None
    assert (back.place, back.member) == (3, (await casino.member(ALICE)).id)


async def test_one_seat_a_member(casino: Casino) -> None:
    table = await casino.open()
    with refused(Reason.ALREADY_SEATED):
        await table.join(await casino.member(ALICE), casino.press())


async def test_seven_seats_and_no_eighth(casino: Casino) -> None:
    table = await casino.open()
    for user in range(11, 17):
        await table.join(await casino.member(user), casino.press())
    with refused(Reason.TABLE_FULL):
        await table.join(await casino.member(CAROL), casino.press())


async def test_a_channel_has_one_table_of_a_game(casino: Casino) -> None:
    await casino.open(ALICE)
    with refused(Reason.TABLE_BUSY):
        await casino.open(BOB)


async def test_r2_7_a_solo_table_takes_nobody_else(casino: Casino) -> None:
    table = await casino.open(solo=True)
    with refused(Reason.TABLE_SOLO):
        await table.join(await casino.member(BOB), casino.press())


async def test_r2_7_beside_the_channels_table_everybody_may_have_one_of_their_own(casino: Casino) -> None:
    shared = await casino.open(ALICE)
    mine, theirs = await casino.open(ALICE, solo=True), await casino.open(BOB, solo=True)
    assert casino.registry.table_in(CHANNEL, "blackjack") is shared
    assert casino.registry.table_in(CHANNEL, "blackjack", ALICE) is mine
    assert casino.registry.table_in(CHANNEL, "blackjack", BOB) is theirs
    assert len({table.state.chain_place for table in (shared, mine, theirs)}) == 3
    with refused(Reason.TABLE_BUSY):
        await casino.open(ALICE, solo=True)


async def test_a_table_for_one_of_an_earlier_release_keeps_the_channels_place(casino: Casino) -> None:
    """Its chain runs there, and no two tables share one."""
    table = await casino.open(solo=True)
    casino.registry._forget(table)
    table.state = replace(table.state, chain_place=f"{CHANNEL}/blackjack")
    casino.registry._keep(table)
    assert casino.registry.table_in(CHANNEL, "blackjack") is table
    assert casino.registry.table_in(CHANNEL, "blackjack", ALICE) is None


@pytest.mark.parametrize("place", ["70/blackjack/5", "70/blackjack/6/near/5"])
def test_r2_7_a_place_of_somebodys_own_is_known_by_its_name_of_an_earlier_release_too(place: str) -> None:
    assert owner_of(place) == 5


async def test_leaving_in_mid_hand_stands_and_leaves_the_stake(casino: Casino) -> None:
    table = await casino.deal("T 9 / 9 T")
    snapshot = await table.leave(ALICE, casino.press())
    assert snapshot.phase is TablePhase.CLOSED
    assert await casino.balance(ALICE) == 1_000, "19 against 19"
    assert snapshot.sitter_at(0).user == ALICE  # type: ignore[union-attr]


async def test_closing_plays_the_hand_out_and_refunds_nothing(casino: Casino) -> None:
    table = await casino.deal("T 9 / 9 T")
    snapshot = await table.close(casino.press())
    assert snapshot.close_reason is CloseReason.ADMIN
    assert await casino.balance(ALICE) == 1_000, "19 against 19"


# -- computer players -------------------------------------------------------------------------------------------------


async def test_computer_players_stake_the_smallest_and_play_by_themselves(casino: Casino) -> None:
    table = await casino.deal("T 9, 6 5, T 8, 9 9 / 7 T | 8 2 9", computers=3, level="expert")
    snapshot = await casino.act(table, "stand")
    assert [[len(hand.cards) for hand in seat.hands] for seat in snapshot.view.seats] == [[2], [3], [2], [2]]
    assert len(snapshot.view.seats) == 4
    assert snapshot.settlement is not None
    computers = [sitter for sitter in snapshot.sitters if sitter.computer]
    assert len({sitter.computer for sitter in computers}) == 3


# -- crashes ----------------------------------------------------------------------------------------------------------


async def test_a_restart_goes_on_with_the_same_hand_and_the_same_cards(casino: Casino) -> None:
    table = await casino.deal("5 4 / 9 T | 2")
    before = await casino.act(table, "hit")
    await casino.restart()
    again = casino.registry.get(table.id)
    assert again is not None
    after = again.snapshot()
    assert (after.view, after.turn, after.legal) == (before.view, before.turn, before.legal)


async def test_a_restart_knows_what_the_guild_has_set(casino: Casino) -> None:
    """Before anybody has pressed anything."""
    casino.set_house(smallest_stake=5 * CHIP)
    table = await casino.open()
    await casino.restart()
    again = casino.registry.get(table.id)
    assert again is not None
    assert again.snapshot().smallest == 5 * CHIP


async def test_a_clock_that_was_ahead_leaves_no_turn_longer_than_its_window(casino: Casino) -> None:
    """It is six hours ahead, is corrected, and the bot starts again."""
    casino.set_house(turn_seconds=90)
    casino.clock.time += 6 * 3_600
    table = await casino.deal("T 9 / 9 T")
    casino.clock.time -= 6 * 3_600
    await casino.restart()
    again = casino.registry.get(table.id)
    assert again is not None
    assert again.snapshot().deadline == casino.clock.time + 90


async def test_a_clock_set_back_leaves_no_window_longer_than_it_is(casino: Casino) -> None:
    """Without a new start: somebody sits down while the others still stake."""
    table = await casino.open()
    await table.join(await casino.member(BOB), casino.press())
    await casino.stake(table)
    casino.clock.time -= 3_600
    snapshot = await table.join(await casino.member(CAROL), casino.press())
    assert snapshot.deadline == casino.clock.time + GRACE_SECONDS, "the longest there is: the window is shorter"


async def test_an_outage_gives_every_open_turn_at_least_a_minute(casino: Casino) -> None:
    table = await casino.deal("T 9 / 9 T")
    casino.clock.time += 86_400
    await casino.restart()
    again = casino.registry.get(table.id)
    assert again is not None
    assert again.snapshot().deadline == casino.clock.time + GRACE_SECONDS


async def test_after_a_crash_between_hands_the_sealed_one_is_dealt(casino: Casino) -> None:
    table = await casino.deal("T 9 / 9 T")
    sealed = (await casino.act(table, "stand")).seals.next_code
    await casino.restart()
    again = casino.registry.get(table.id)
    assert again is not None
    assert (await casino.stake(again)).seals.code == sealed


async def test_every_step_of_the_record_says_who_took_it(casino: Casino) -> None:
    casino.set_house(turn_seconds=0.05)
    table = await casino.deal("T 9 / 9 T")
    await until(table, lambda seen: seen.phase is TablePhase.BETTING)
    stored = await casino.bank.tables.stored(table.id)
    assert stored is not None
    played = next(round for round in stored.rounds if round.record is not None)
    assert [step.by for step in record_of(played).steps] == [By.CLOCK]


@pytest.mark.parametrize(("stakes", "costs"), [("10, 10", {"insure": 5 * CHIP}), ("10, 20", {})])
def test_a_key_shows_a_price_only_where_it_is_the_same_for_all(stakes: str, costs: dict[str, int]) -> None:
    sitters = [Sitter(seat + 1, user, user, balance=100 * CHIP, seat=seat) for seat, user in enumerate((ALICE, BOB))]
    legal, shown = offered(round_of(f"vegas stake {stakes} | 8 9, 8 9 / A ?"), sitters)
    assert legal == (("insure", "decline"),) * 2
    assert shown == costs
