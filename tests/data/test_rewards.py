"""Chips without a game: opening, daily, help, gifts, and what admins order."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any

import pytest

from data import (
    Ages,
    BadChange,
    Bank,
    GuildSettings,
    Length,
    MustKeep,
    NoSuchMember,
    NotBroke,
    OverCap,
    OverReceived,
    Rest,
    TooFewHands,
    TooSoon,
    TooYoung,
)
from engine.games.contract import CHIP
from engine.tables.house import HouseSettings
from engine.tables.ports import AlreadyDone, BankError, BankUnavailable, CannotPay
from engine.tables.values import Account, Change, Kind, Member, Transfer
from tests.data.by_hand import by_hand
from tests.data.conftest import Join
from tests.data.dealer import GUILD, LENIENT, NOW, Dealer, HandClock, account, press

HOUR, DAY = 3600, 86_400


async def chips(bank: Bank, user: int) -> float:
    return (await bank.members.sign_in(GUILD, user)).balance / CHIP


# -- opening ---------------------------------------------------------------------------------------------------------


async def test_r10_1_an_account_opens_with_a_thousand_chips(bank: Bank) -> None:
    member = await bank.members.sign_in(GUILD, 1)
    assert (member.guild, member.user, member.balance) == (GUILD, 1, 1_000 * CHIP)


async def test_r10_1_an_account_opens_once_however_often_one_signs_in(bank: Bank) -> None:
    found = await asyncio.gather(*(bank.members.sign_in(GUILD, 1) for _ in range(20)))
    assert len({member.id for member in found}) == 1
    assert await chips(bank, 1) == 1_000


async def test_r10_1_each_guild_has_its_own_balance(bank: Bank) -> None:
    here, there = await bank.members.sign_in(GUILD, 1), await bank.members.sign_in(GUILD * 2, 1)
    assert here.id != there.id
    await bank.chips.take(here.id, 500 * CHIP, actor=here.id, reason="test", press=press())
    assert (await bank.members.sign_in(GUILD * 2, 1)).balance == 1_000 * CHIP


@pytest.mark.parametrize("starting", [0, 250])
async def test_r10_1_the_guild_sets_the_starting_chips(bank: Bank, starting: int) -> None:
    await bank.guilds.keep_settings(GUILD, GuildSettings(HouseSettings(starting_chips=starting * CHIP)))
    assert await chips(bank, 1) == starting


async def test_a_balance_can_be_looked_up_without_opening_an_account(bank: Bank) -> None:
    assert await bank.members.balance(GUILD, 1) is None
    await bank.members.sign_in(GUILD, 1)
    assert await bank.members.balance(GUILD, 1) == 1_000 * CHIP


# -- daily -----------------------------------------------------------------------------------------------------------


async def test_r10_3_daily_is_200_chips_and_again_20_hours_later(bank: Bank, clock: HandClock, join: Join) -> None:
    alice = await join(chips=0)
    handout = await bank.chips.daily(alice.id, press())
    assert (handout.amount, handout.balance, handout.streak) == (200 * CHIP, 200 * CHIP, 1)
    clock.time += 20 * HOUR - 1
    with pytest.raises(TooSoon) as refused:
        await bank.chips.daily(alice.id, press())
    assert refused.value.again == handout.again == NOW + 20 * HOUR == await bank.chips.daily_due(alice.id)
    clock.time += 1
    assert (await bank.chips.daily(alice.id, press())).streak == 2


async def test_r10_3_the_guild_sets_how_soon_they_come_again(bank: Bank, clock: HandClock, join: Join) -> None:
    alice = await join()
    await bank.guilds.keep_settings(GUILD, GuildSettings(HouseSettings(daily_hours=24)))
    handout = await bank.chips.daily(alice.id, press())
    assert handout.again == NOW + 24 * HOUR
    assert await bank.chips.daily_due(alice.id) == NOW + 24 * HOUR


async def test_r10_3_each_time_in_a_row_is_worth_a_tenth_more_up_to_double(
    bank: Bank, clock: HandClock, join: Join
) -> None:
    alice, amounts = await join(), []
    for _ in range(13):
        amounts.append((await bank.chips.daily(alice.id, press())).amount // CHIP)
        clock.time += 20 * HOUR
    assert amounts == [200, 220, 240, 260, 280, 300, 320, 340, 360, 380, 400, 400, 400]


async def test_r10_3_one_missed_day_pauses_the_row_and_two_begin_it_anew(
    bank: Bank, clock: HandClock, join: Join
) -> None:
    alice = await join()
    await bank.chips.daily(alice.id, press())
    clock.time += 68 * HOUR
    assert (await bank.chips.daily(alice.id, press())).streak == 2
    clock.time += 68 * HOUR + 1
    handout = await bank.chips.daily(alice.id, press())
    assert (handout.streak, handout.amount) == (1, 200 * CHIP)


@pytest.mark.parametrize(("late", "streak"), [(0.0, 2), (1.0, 1)])
async def test_r10_3_a_row_pauses_in_a_break(
    bank: Bank, clock: HandClock, join: Join, late: float, streak: int
) -> None:
    """Its days are added to the 68 hours, and days of two breaks at once only once."""
    alice = await join()
    await bank.chips.daily(alice.id, press())
    clock.time += DAY
    await bank.breaks.begin(1, Rest.CHIPS, Length.WEEK)
    await bank.breaks.begin(1, Rest.EVERYTHING, Length.DAY)
    clock.time += 5 * DAY
    await bank.breaks.begin(1, Rest.EVERYTHING, Length.WEEK)
    clock.time += 7 * DAY + 44 * HOUR + late
    assert (await bank.chips.daily(alice.id, press())).streak == streak


async def test_r10_3_a_break_before_the_last_daily_chips_adds_nothing(bank: Bank, clock: HandClock, join: Join) -> None:
    alice = await join()
    await bank.breaks.begin(1, Rest.CHIPS, Length.WEEK)
    clock.time += 7 * DAY
    await bank.chips.daily(alice.id, press())
    clock.time += 68 * HOUR + 1
    assert (await bank.chips.daily(alice.id, press())).streak == 1


async def test_r10_3_twenty_dailies_at_once_pay_once(bank: Bank, join: Join) -> None:
    alice = await join(chips=0)
    results = await asyncio.gather(*(bank.chips.daily(alice.id, press()) for _ in range(20)), return_exceptions=True)
    assert [type(result) for result in results].count(TooSoon) == 19
    assert await chips(bank, 1) == 200


async def test_young_accounts_wait_where_the_guild_says_so(bank: Bank, join: Join) -> None:
    alice = await join(chips=0)
    await bank.guilds.keep_settings(GUILD, GuildSettings(account_days=7, server_days=1))
    with pytest.raises(TooYoung) as refused:
        await bank.chips.daily(alice.id, press(), Ages(NOW - 6 * DAY, NOW - 9 * DAY))
    assert refused.value.again == NOW + DAY
    with pytest.raises(TooYoung):
        await bank.chips.daily(alice.id, press(), Ages(NOW - 9 * DAY, NOW - HOUR))
    assert (await bank.chips.daily(alice.id, press(), Ages(NOW - 7 * DAY, NOW - DAY))).streak == 1


async def test_a_daily_of_nothing_still_counts_the_days(bank: Bank, join: Join) -> None:
    alice = await join(chips=5)
    await bank.guilds.keep_settings(GUILD, GuildSettings(HouseSettings(daily_chips=0)))
    handout = await bank.chips.daily(alice.id, press())
    assert (handout.amount, handout.balance, handout.streak) == (0, 5 * CHIP, 1)


# -- help ------------------------------------------------------------------------------------------------------------


async def test_r10_3_the_broke_get_50_chips_once_an_hour(bank: Bank, clock: HandClock, join: Join) -> None:
    alice = await join(chips=9)
    handout = await bank.chips.help(alice.id, press())
    assert (handout.amount, handout.balance, handout.again) == (50 * CHIP, 59 * CHIP, 0.0)  # daily chips are there
    await join(chips=0)
    clock.time += HOUR - 1
    with pytest.raises(TooSoon):
        await bank.chips.help(alice.id, press())
    clock.time += 1
    assert (await bank.chips.help(alice.id, press())).balance == 50 * CHIP


async def test_r10_3_ten_chips_are_not_broke(bank: Bank, join: Join) -> None:
    alice = await join(chips=10)
    with pytest.raises(NotBroke):
        await bank.chips.help(alice.id, press())


async def test_r10_3_chips_on_a_table_are_not_broke(bank: Bank, table: Dealer, join: Join) -> None:
    alice = await join(chips=100)
    await table.stake(alice, 100)
    with pytest.raises(NotBroke):
        await bank.chips.help(alice.id, press())
    await table.deal(0)
    await table.finish()
    assert (await bank.chips.help(alice.id, press())).balance == 50 * CHIP


async def test_r10_3_who_has_staked_a_whole_stack_is_not_broke(unsound_bank: Bank, table: Dealer, join: Join) -> None:
    alice = await join(chips=30)
    stack, key = Account(Kind.STACK, GUILD, f"{table.id}/{alice.id}"), f"press/{press()}"
    moves = [
        Transfer(f"{key}/buy-in", account(alice), stack, 30 * CHIP, "buy-in"),
        Transfer(f"{key}/stake", stack, table.escrow, 30 * CHIP, "stake"),
    ]
    await table.commit(Change(key, table.row(), moves))
    with pytest.raises(NotBroke):
        await unsound_bank.chips.help(alice.id, press())


async def test_others_chips_on_a_table_are_not_mine(bank: Bank, table: Dealer, join: Join) -> None:
    alice = await join(1, 0)
    for user in range(10, 22):  # member numbers that contain Alice's
        await table.stake(await join(user, 10), 10)
    assert (await bank.chips.help(alice.id, press())).balance == 50 * CHIP


async def test_r10_3_twenty_cries_for_help_at_once_are_heard_once(bank: Bank, join: Join) -> None:
    alice = await join(chips=0)
    results = await asyncio.gather(*(bank.chips.help(alice.id, press()) for _ in range(20)), return_exceptions=True)
    assert {type(result) for result in results if isinstance(result, BankError)} <= {TooSoon, NotBroke}
    assert await chips(bank, 1) == 50


# -- gifts -----------------------------------------------------------------------------------------------------------


async def test_r10_4_a_member_gives_a_thousand_chips_in_a_rolling_day(bank: Bank, clock: HandClock, join: Join) -> None:
    alice, bob, carol = await join(1, 5_000), await join(2, 0), await join(3, 0)
    await bank.chips.give(alice.id, bob.id, 600 * CHIP, press())
    clock.time += DAY / 2
    with pytest.raises(OverCap) as refused:
        await bank.chips.give(alice.id, carol.id, 401 * CHIP, press())
    assert refused.value.left == 400 * CHIP
    await bank.chips.give(alice.id, carol.id, 400 * CHIP, press())
    clock.time += DAY / 2  # the first one is a day old
    await bank.chips.give(alice.id, carol.id, 600 * CHIP, press())
    assert (await chips(bank, 1), await chips(bank, 2), await chips(bank, 3)) == (3_400, 600, 1_000)


async def test_r10_4_a_member_receives_a_thousand_chips_in_a_rolling_day(
    bank: Bank, clock: HandClock, join: Join
) -> None:
    givers, bob = [await join(user, 1_000) for user in (3, 4, 5)], await join(2, 0)
    await bank.chips.give(givers[0].id, bob.id, 700 * CHIP, press())
    clock.time += DAY - 1
    with pytest.raises(OverReceived) as refused:
        await bank.chips.give(givers[1].id, bob.id, 301 * CHIP, press())
    assert refused.value.left == 300 * CHIP
    await bank.chips.give(givers[1].id, bob.id, 300 * CHIP, press())
    clock.time += 1
    await bank.chips.give(givers[2].id, bob.id, 700 * CHIP, press())
    assert await chips(bank, 2) == 1_700


async def test_r10_4_what_one_may_receive_is_a_limit_of_its_own(bank: Bank, join: Join) -> None:
    await bank.guilds.keep_settings(
        GUILD, GuildSettings(replace(LENIENT, gift_cap=500 * CHIP, received_cap=200 * CHIP))
    )
    alice, bob = await join(1, 1_000), await join(2, 0)
    with pytest.raises(OverReceived):
        await bank.chips.give(alice.id, bob.id, 201 * CHIP, press())
    await bank.chips.give(alice.id, bob.id, 200 * CHIP, press())


async def test_r10_4_a_hundred_gifts_at_once_do_not_pass_the_cap(bank: Bank, join: Join) -> None:
    alice, bob = await join(1, 5_000), await join(2, 0)
    gifts = [bank.chips.give(alice.id, bob.id, 300 * CHIP, press()) for _ in range(100)]
    results = await asyncio.gather(*gifts, return_exceptions=True)
    assert [type(result) for result in results].count(OverCap) == 97
    assert await chips(bank, 2) == 900


async def test_r10_4_gifts_of_ten_people_at_once_do_not_pass_what_one_may_receive(bank: Bank, join: Join) -> None:
    givers, bob = [await join(user, 1_000) for user in range(3, 13)], await join(2, 0)
    gifts = [bank.chips.give(giver.id, bob.id, 400 * CHIP, press()) for giver in givers]
    results = await asyncio.gather(*gifts, return_exceptions=True)
    assert [type(result) for result in results].count(OverReceived) == 8
    assert await chips(bank, 2) == 800


async def test_r10_4_a_gift_leaves_the_giver_a_hundred_chips(bank: Bank, join: Join) -> None:
    alice, bob = await join(1, 500), await join(2, 0)
    with pytest.raises(MustKeep) as refused:
        await bank.chips.give(alice.id, bob.id, 400 * CHIP + 1, press())
    assert refused.value.kept == 100 * CHIP
    await bank.chips.give(alice.id, bob.id, 400 * CHIP, press())
    assert await chips(bank, 1) == 100


async def test_r10_4_giving_takes_50_finished_hands_on_this_server(
    ledger_bank: Bank, table: Dealer, join: Join
) -> None:
    await ledger_bank.guilds.keep_settings(GUILD, GuildSettings(HouseSettings(gift_hands=2)))
    alice, bob = await join(1), await join(2)
    await table.round({alice: 10}, 20)
    with pytest.raises(TooFewHands) as refused:
        await ledger_bank.chips.give(alice.id, bob.id, CHIP, press())
    assert (refused.value.needed, refused.value.finished) == (2, 1)
    await table.round({alice: 10}, 20)
    await ledger_bank.chips.give(alice.id, bob.id, CHIP, press())
    assert HouseSettings().gift_hands == 50


@pytest.mark.parametrize(
    ("since", "due"),
    [
        (Ages(NOW - 30 * DAY + 1, NOW - 7 * DAY), NOW + 1),
        (Ages(NOW - 30 * DAY, NOW - 7 * DAY + 5), NOW + 5),
    ],
)
async def test_r10_4_giving_takes_an_account_of_30_days_and_7_days_here(
    bank: Bank, join: Join, since: Ages, due: float
) -> None:
    alice, bob = await join(1), await join(2)
    for deed in (
        bank.chips.give(alice.id, bob.id, CHIP, press(), since),
        bank.chips.expect_gift(alice.id, bob.id, CHIP, since),
        bank.chips.expect_age(GUILD, since),  # as for a buy-in
    ):
        with pytest.raises(TooYoung) as refused:
            await deed
        assert refused.value.again == due
    await bank.chips.give(alice.id, bob.id, CHIP, press(), Ages(NOW - 30 * DAY, NOW - 7 * DAY))


async def test_r10_4_what_would_be_refused_is_known_before_anybody_is_asked(bank: Bank, join: Join) -> None:
    alice, bob = await join(1, 5_000), await join(2, 0)
    await bank.chips.expect_gift(alice.id, bob.id, 1_000 * CHIP)
    await bank.chips.expect_gift(alice.id, None, 1_000 * CHIP)
    for amount, fault in ((4_901, MustKeep), (1_001, OverCap)):
        with pytest.raises(fault):
            await bank.chips.expect_gift(alice.id, None, amount * CHIP)
    await bank.chips.give(alice.id, bob.id, 900 * CHIP, press())
    carol = await join(3, 5_000)
    with pytest.raises(OverReceived):
        await bank.chips.expect_gift(carol.id, bob.id, 101 * CHIP)
    await bank.guilds.keep_settings(GUILD, GuildSettings(HouseSettings(gift_hands=1)))
    with pytest.raises(TooFewHands):
        await bank.chips.expect_gift(carol.id, bob.id, CHIP)


async def test_a_server_that_asked_for_older_accounts_keeps_asking_for_them_at_gifts(bank: Bank) -> None:
    await bank.guilds.keep_settings(GUILD, GuildSettings(LENIENT, account_days=365, server_days=3))
    await by_hand(bank, "UPDATE guilds SET house = '{}'")  # as an earlier release left it
    bank.guilds._guilds.clear()
    house = await bank.guilds.house(GUILD)
    assert (house.gift_account_days, house.gift_server_days) == (365, 7)
    settings = await bank.guilds.settings(GUILD)
    own = replace(settings, house=replace(house, gift_account_days=30))
    await bank.guilds.keep_settings(GUILD, own)
    bank.guilds._guilds.clear()
    assert await bank.guilds.settings(GUILD) == own, "until it sets others"


async def test_a_gift_pressed_twice_is_given_once(bank: Bank, join: Join) -> None:
    alice, bob, number = await join(1), await join(2), press()
    await bank.chips.give(alice.id, bob.id, CHIP, number)
    with pytest.raises(AlreadyDone):
        await bank.chips.give(alice.id, bob.id, CHIP, number)
    assert await chips(bank, 2) == 1_001


async def test_r10_2_what_is_staked_cannot_be_given_away(bank: Bank, table: Dealer, join: Join) -> None:
    alice, bob = await join(1, 100), await join(2, 0)
    await table.stake(alice, 60)
    with pytest.raises(CannotPay):
        await bank.chips.give(alice.id, bob.id, 50 * CHIP, press())


@pytest.mark.parametrize("cents", [0, -100])
async def test_gifts_give_something(bank: Bank, join: Join, cents: int) -> None:
    alice, bob = await join(1), await join(2)
    with pytest.raises(BadChange):
        await bank.chips.give(alice.id, bob.id, cents, press())


async def test_nobody_gives_to_themselves_or_across_guilds(bank: Bank, join: Join) -> None:
    alice, abroad = await join(1), await join(1, guild=GUILD * 2)
    for receiver in (alice, abroad):
        with pytest.raises(BadChange):
            await bank.chips.give(alice.id, receiver.id, CHIP, press())


async def test_the_report_of_who_feeds_whom(bank: Bank, clock: HandClock, join: Join) -> None:
    alice, bob, carol = await join(1), await join(2), await join(3)
    await bank.chips.give(carol.id, bob.id, 70 * CHIP, press())
    clock.time += DAY
    await bank.chips.give(alice.id, bob.id, 10 * CHIP, press())
    await bank.chips.give(alice.id, bob.id, 20 * CHIP, press())
    await bank.chips.give(bob.id, carol.id, 5 * CHIP, press())
    await bank.privacy.forget(GUILD, 3)
    report = await bank.records.feeding(GUILD, since=NOW)
    assert [(fed.giver, fed.receiver, fed.amount // CHIP, fed.gifts) for fed in report] == [
        (1, 2, 30, 2),
        (2, None, 5, 1),
    ]
    assert (await bank.records.feeding(GUILD, since=NOW - 1))[0].giver is None
    assert await bank.records.feeding(GUILD * 2, since=NOW - 1) == ()


# -- admins ----------------------------------------------------------------------------------------------------------


async def test_grants_and_takes_say_who_and_why(bank: Bank, join: Join) -> None:
    alice, admin = await join(1, 100), await join(2)
    assert await bank.chips.grant(alice.id, 50 * CHIP, actor=admin.id, reason="event", press=press()) == 150 * CHIP
    assert await bank.chips.take(alice.id, 30 * CHIP, actor=admin.id, reason="mistake", press=press()) == 120 * CHIP
    export = await bank.privacy.export(GUILD, 1)
    assert export is not None
    orders = [(row["reason"], row["amount"], row["actor"]) for row in export["transfers"][-2:]]
    assert orders == [("grant: event", 50 * CHIP, admin.id), ("take: mistake", 30 * CHIP, admin.id)]


async def test_nobody_takes_what_is_not_there(bank: Bank, join: Join) -> None:
    alice = await join(chips=10)
    with pytest.raises(CannotPay):
        await bank.chips.take(alice.id, 11 * CHIP, actor=alice.id, reason="test", press=press())


async def test_an_order_pressed_twice_is_carried_out_once(bank: Bank, join: Join) -> None:
    alice, number = await join(chips=10), press()
    await bank.chips.grant(alice.id, CHIP, actor=alice.id, reason="test", press=number)
    with pytest.raises(AlreadyDone):
        await bank.chips.grant(alice.id, CHIP, actor=alice.id, reason="test", press=number)
    assert await chips(bank, 1) == 11


async def test_nothing_is_handed_to_numbers_nobody_has(bank: Bank) -> None:
    for handing in (bank.chips.daily(99, press()), bank.chips.help(99, press()), bank.chips.give(99, 98, 1, press())):
        with pytest.raises(NoSuchMember):
            await handing


# -- a bank that goes away when it has paid --------------------------------------------------------------------------


async def daily(bank: Bank, member: Member) -> int:
    return (await bank.chips.daily(member.id, press())).balance


async def helped(bank: Bank, member: Member) -> int:
    return (await bank.chips.help(member.id, press())).balance


async def granted(bank: Bank, member: Member) -> int:
    return await bank.chips.grant(member.id, 3 * CHIP, actor=member.id, reason="test", press=press())


async def taken(bank: Bank, member: Member) -> int:
    return await bank.chips.take(member.id, 3 * CHIP, actor=member.id, reason="test", press=press())


@pytest.mark.parametrize(("deed", "left"), [(daily, 205), (helped, 55), (granted, 8), (taken, 2)])
async def test_chips_that_moved_are_never_told_as_a_refusal(
    bank: Bank, join: Join, monkeypatch: pytest.MonkeyPatch, deed: Callable[[Bank, Member], Awaitable[int]], left: int
) -> None:
    """Somebody who hears that nothing was changed orders the same again."""
    alice, write = await join(chips=5), bank._store.write.run

    async def gone(*_: Any) -> None:
        raise BankUnavailable("The server is gone.")

    async def write_and_go(batch: Any) -> None:
        await write(batch)
        monkeypatch.setattr(bank._store, "row", gone)

    with monkeypatch.context() as going:
        going.setattr(bank._store.write, "run", write_and_go)
        assert await deed(bank, alice) == left * CHIP
    assert await bank.members.balance(GUILD, 1) == left * CHIP
