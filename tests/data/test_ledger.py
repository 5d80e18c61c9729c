"""Chips: every change whole or not at all, once and not twice, and nobody below zero."""

from __future__ import annotations

import asyncio
import itertools
import multiprocessing
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any

import pytest

from data import BadChange, Bank
from engine.games.contract import CHIP, By, Step
from engine.tables.ports import AlreadyDone, CannotPay, StakesStopped, StaleTable
from engine.tables.values import Account, Change, Kind, Member, Taken, Transfer
from tests.data.conftest import Join
from tests.data.dealer import GUILD, LENIENT, NOW, Dealer, HandClock, account, press, seal

HOUSE = Account(Kind.HOUSE, GUILD)


async def balance(bank: Bank, member: Member) -> float:
    return (await bank.members.balances([member.id]))[member.id] / CHIP


async def test_more_purses_than_fit_into_one_question_are_told_together(
    bank: Bank, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("data.people.members._AT_ONCE", 4)
    members = [await bank.members.sign_in(GUILD, user) for user in range(1, 8)]
    ids = [member.id for member in members]
    for number, member in enumerate(ids):
        if number:
            await bank.chips.grant(member, number * CHIP, actor=ids[0], reason="test", press=1_000 + number)
    told = await bank.members.balances(ids)
    assert told == {member: (1_000 + number) * CHIP for number, member in enumerate(ids)}
    assert await bank.members.balances([]) == {}


# -- one press, one transaction ------------------------------------------------------------------------------------


async def test_r10_2_a_stake_leaves_the_balance_when_it_is_placed(bank: Bank, table: Dealer, join: Join) -> None:
    alice = await join(chips=100)
    await table.stake(alice, 30)
    assert (await balance(bank, alice), await bank.members.in_play(alice.id)) == (70, 30 * CHIP)


async def test_somebody_with_eight_stakes_is_no_newcomer(unsound_bank: Bank, table: Dealer, join: Join) -> None:
    alice = await join()
    for count in range(1, 9):
        stake = Transfer(f"{table.id}/1/stake/1/{count}", account(alice), table.escrow, CHIP, "stake")
        await table.commit(Change(f"press/{press()}", table.row(), [stake]))
        assert await unsound_bank.members.staked_first(alice, table.id, 1) is (count < 8)


async def test_a_round_pays_what_it_says(bank: Bank, table: Dealer, join: Join) -> None:
    alice, bob = await join(1, 100), await join(2, 100)
    await table.round({alice: 10, bob: 20}, 25, 0)
    assert (await balance(bank, alice), await balance(bank, bob)) == (115, 80)
    assert await bank.members.in_play(alice.id) == 0


async def test_nobody_stakes_what_they_do_not_have(bank: Bank, table: Dealer, join: Join) -> None:
    alice = await join(chips=9)
    with pytest.raises(CannotPay) as refused:
        await table.stake(alice, 10)
    assert refused.value.account == account(alice)
    assert await balance(bank, alice) == 9


async def test_a_refused_stake_leaves_no_trace_in_the_journal(bank: Bank, table: Dealer, join: Join) -> None:
    alice = await join(chips=9)
    before = await bank.tables.stored(table.id)
    with pytest.raises(CannotPay):
        await table.stake(alice, 10)
    assert await bank.tables.stored(table.id) == before
    await table.stake(alice, 9)  # the version is still the same, and the cause was not used up


async def test_an_escrow_pays_no_more_than_it_holds(table: Dealer, join: Join) -> None:
    alice = await join()
    await table.stake(alice, 10)
    await table.deal()
    greedy = Transfer("greedy", table.escrow, account(alice), 11 * CHIP, "returned")
    with pytest.raises(CannotPay) as refused:
        await table.commit(Change("greedy", table.row(), [greedy]))
    assert refused.value.account == table.escrow


async def test_computer_players_are_refilled_by_the_house(ledger_bank: Bank, table: Dealer) -> None:
    ada = Account(Kind.COMPUTER, GUILD, f"{table.id}/Ada")
    stake = Transfer("c/stake", ada, table.escrow, 5 * CHIP, "stake")
    with pytest.raises(CannotPay):
        await table.commit(Change("c", table.row(), [stake]))
    await table.commit(Change("c", table.row(), [Transfer("c/refill", HOUSE, ada, 9 * CHIP, "refill"), stake]))
    with pytest.raises(CannotPay):  # four are left
        await table.commit(Change("d", table.row(), [replace(stake, key="d/stake")]))


async def test_what_comes_in_counts_before_what_goes_out(bank: Bank, table: Dealer, join: Join) -> None:
    alice = await join(chips=10)
    await table.round({alice: 10}, 20)  # the house's 10 reach the escrow and leave it in one change
    assert await balance(bank, alice) == 20


@pytest.mark.parametrize("back", [5, 10, 40])
async def test_r0_3_who_cannot_pay_a_stake_wins_nothing_with_it(
    unsound_bank: Bank, table: Dealer, join: Join, back: int
) -> None:
    """A double or a war that ends at once stakes and pays in one change; what it pays must not buy it."""
    alice = await join(chips=10)
    await table.stake(alice, 10)
    stake = Transfer("d/stake", account(alice), table.escrow, 10 * CHIP, "stake")
    more = Transfer("d/house", HOUSE, table.escrow, 20 * CHIP, "winnings")
    paid = Transfer("d/pay", table.escrow, account(alice), back * CHIP, "returned")
    with pytest.raises(CannotPay) as refused:
        await table.commit(Change("d", table.row(), [stake, more, paid]))
    assert refused.value.account == account(alice)
    await unsound_bank.chips.grant(alice.id, 10 * CHIP, actor=alice.id, reason="test", press=press())
    await table.commit(Change("d", table.row(), [stake, more, paid]))
    assert await balance(unsound_bank, alice) == back


# -- twice is once --------------------------------------------------------------------------------------------------


async def test_the_same_change_twice_is_done_once(bank: Bank, table: Dealer, join: Join) -> None:
    alice = await join(chips=100)
    await table.stake(alice, 10)
    assert table.last is not None
    with pytest.raises(AlreadyDone):
        await bank.tables.commit(table.last)
    assert await balance(bank, alice) == 90


async def test_the_same_cause_with_a_newer_table_is_done_once(bank: Bank, table: Dealer, join: Join) -> None:
    alice = await join(chips=100)
    await table.stake(alice, 10)
    assert table.last is not None
    with pytest.raises(AlreadyDone):
        await bank.tables.commit(replace(table.last, table=table.row()))


async def test_a_transfers_key_is_used_once_whatever_the_cause(bank: Bank, table: Dealer, join: Join) -> None:
    alice = await join(chips=100)
    await table.stake(alice, 10)
    assert table.last is not None
    with pytest.raises(AlreadyDone):
        await bank.tables.commit(replace(table.last, cause="another", table=table.row()))
    assert await balance(bank, alice) == 90


async def test_a_change_made_from_an_older_table_is_refused(bank: Bank, table: Dealer, join: Join) -> None:
    alice = await join(chips=100)
    late = table.staking(alice, 50)
    await table.stake(alice, 10)
    with pytest.raises(StaleTable):
        await bank.tables.commit(late)
    assert await balance(bank, alice) == 90


async def test_a_table_is_opened_once(bank: Bank, table: Dealer) -> None:
    again = Change("again", replace(table.row(), version=1), seal=seal(table.id, 2))
    with pytest.raises(StaleTable):
        await bank.tables.commit(again)


# -- what is no change at all ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("cents", [0, -1, 2**63, 100 * 2**53 + 1])
async def test_only_sensible_amounts_move(table: Dealer, join: Join, cents: int) -> None:
    alice = await join()
    with pytest.raises(BadChange):
        await table.commit(Change("odd", table.row(), [Transfer("odd", account(alice), table.escrow, cents, "odd")]))


@pytest.mark.parametrize("cents", [1, 100 * 2**53])
async def test_from_a_single_cent_to_more_than_discord_can_count(bank: Bank, join: Join, cents: int) -> None:
    alice = await join(chips=0)
    assert await bank.chips.grant(alice.id, cents, actor=alice.id, reason="test", press=press()) == cents


async def test_numbers_too_large_for_a_column_are_refused(bank: Bank) -> None:
    with pytest.raises(BadChange):
        await Dealer(bank, id=2**70).open()


async def test_chips_do_not_leave_their_guild(table: Dealer, join: Join) -> None:
    alice, abroad = await join(), await join(guild=GUILD * 2)
    with pytest.raises(BadChange):
        await table.commit(Change("x", table.row(), [Transfer("x", account(alice), account(abroad), 100, "x")]))


async def test_chips_move_from_one_account_to_another(table: Dealer, join: Join) -> None:
    alice = account(await join())
    with pytest.raises(BadChange):
        await table.commit(Change("x", table.row(), [Transfer("x", alice, alice, 100, "x")]))


async def test_members_who_never_signed_in_are_not_paid(table: Dealer) -> None:
    nobody = Account(Kind.MEMBER, GUILD, "999")
    with pytest.raises(BadChange):
        await table.commit(Change("x", table.row(), [Transfer("x", HOUSE, nobody, 100, "x")]))


async def test_a_member_of_another_guild_is_nobody_here(table: Dealer, join: Join) -> None:
    abroad = await join(guild=GUILD * 2)
    here = replace(account(abroad), guild=GUILD)
    with pytest.raises(CannotPay):
        await table.commit(Change("x", table.row(), [Transfer("x", here, table.escrow, 100, "x")]))


# -- the switch ------------------------------------------------------------------------------------------------------


async def test_when_stakes_are_stopped_open_rounds_go_on(bank: Bank, table: Dealer, join: Join) -> None:
    alice = await join()
    await table.stake(alice, 10)
    await table.deal(40, play=["double"])
    await bank.auditor.stop_stakes("a test")
    await table.act("double")  # which is no new stake
    await table.finish()
    with pytest.raises(StakesStopped):
        await table.stake(alice, 10)
    await bank.auditor.allow_stakes()
    await table.stake(alice, 10)


async def test_a_stake_that_deals_at_once_is_a_new_one(bank: Bank, table: Dealer, join: Join) -> None:
    alice = await join()
    table.seats, table.staked = [alice], [10 * CHIP]
    await bank.auditor.stop_stakes("a test")
    stake = Transfer("s", account(alice), table.escrow, 10 * CHIP, "stake")
    for taken in ([], [Taken(1, 0, Step(0, "stand", By.CLOCK), NOW)]):  # an absent player stands at once
        with pytest.raises(StakesStopped):
            await table.commit(replace(table.dealing(stake), taken=taken))
    stack = Account(Kind.STACK, GUILD, f"{table.id}/{alice.id}")
    for move in (
        Transfer("b", account(alice), stack, 10 * CHIP, "buy-in"),
        Transfer("t", stack, table.escrow, 10 * CHIP, "stake"),
    ):
        with pytest.raises(StakesStopped):
            await table.commit(Change("b", table.row(), [move]))


async def test_chips_bought_in_are_in_play_for_their_member_alone(
    unsound_bank: Bank, table: Dealer, join: Join
) -> None:
    _one, two, *_others, twelve = [await join(user) for user in range(1, 13)]
    assert str(twelve.id).endswith(str(two.id))
    stack = Account(Kind.STACK, GUILD, f"{table.id}/{twelve.id}")
    await table.commit(Change("b", table.row(), [Transfer("b", account(twelve), stack, 10 * CHIP, "buy-in")]))
    assert [await unsound_bank.members.in_play(member.id) for member in (two, twelve)] == [0, 10 * CHIP]


async def test_stakes_that_lie_are_dealt_even_when_stopped(bank: Bank, table: Dealer, join: Join) -> None:
    alice = await join()
    await table.stake(alice, 10)
    await bank.auditor.stop_stakes("a test")
    await table.deal()
    assert await bank.auditor.stakes_stopped() == "a test"


# -- at the same time ------------------------------------------------------------------------------------------------


async def _tries(attempts: list[Awaitable[object]], refusal: type[Exception]) -> int:
    """How many succeed; the others are refused, and for that reason."""
    results = await asyncio.gather(*attempts, return_exceptions=True)
    refused = [result for result in results if isinstance(result, BaseException)]
    assert {type(fault) for fault in refused} <= {refusal}
    return len(results) - len(refused)


async def test_of_200_stakes_of_a_whole_balance_one_succeeds(bank: Bank, join: Join) -> None:
    alice = await join(chips=100)
    tables = await asyncio.gather(*(Dealer(bank).open() for _ in range(200)))
    assert await _tries([table.stake(alice, 100) for table in tables], CannotPay) == 1
    assert (await balance(bank, alice), await bank.members.in_play(alice.id)) == (0, 100 * CHIP)


async def test_of_50_presses_on_one_table_one_is_taken(bank: Bank, table: Dealer, join: Join) -> None:
    alice = await join(chips=100)
    assert await _tries([bank.tables.commit(table.staking(alice, 10)) for _ in range(50)], StaleTable) == 1
    assert await balance(bank, alice) == 90


async def test_of_50_deliveries_of_one_press_one_is_taken(bank: Bank, table: Dealer, join: Join) -> None:
    alice = await join(chips=100)
    change = table.staking(alice, 10)
    assert await _tries([bank.tables.commit(change) for _ in range(50)], AlreadyDone) == 1


async def test_members_who_pay_each_other_at_once_do_not_block_each_other(bank: Bank, join: Join) -> None:
    alice, bob = await join(1, 1_000), await join(2, 1_000)
    there = [bank.chips.give(alice.id, bob.id, CHIP, press()) for _ in range(30)]
    back = [bank.chips.give(bob.id, alice.id, CHIP, press()) for _ in range(30)]
    await asyncio.gather(*itertools.chain(*zip(there, back, strict=True)))
    assert (await balance(bank, alice), await balance(bank, bob)) == (1_000, 1_000)


# -- in every order, and twice -----------------------------------------------------------------------------------------

Deed = Callable[[], Awaitable[object]]


async def _deeds(bank: Bank, guild: int) -> list[Deed]:
    """Return what a member may do all at once, each ready to be done twice."""
    alice, bob = await bank.members.sign_in(guild, 1), await bank.members.sign_in(guild, 2)
    one, two = await Dealer(bank, guild).open(), await Dealer(bank, guild).open()
    stakes = [one.staking(alice, 300), two.staking(alice, 200)]
    gift, grant = press(), press()
    return [
        lambda: bank.tables.commit(stakes[0]),
        lambda: bank.tables.commit(stakes[1]),
        lambda: bank.chips.give(alice.id, bob.id, 100 * CHIP, gift),
        lambda: bank.chips.grant(alice.id, 50 * CHIP, actor=bob.id, reason="kind", press=grant),
    ]


async def test_every_deed_twice_in_every_order_comes_to_the_same(bank: Bank) -> None:
    orders = list(itertools.permutations(range(4)))
    for number, order in enumerate(orders):
        guild = (number + 1) << 22
        deeds = await _deeds(bank, guild)
        for deed in (*order, *reversed(order)):
            try:
                await deeds[deed]()
            except AlreadyDone:
                continue
        alice, bob = await bank.members.sign_in(guild, 1), await bank.members.sign_in(guild, 2)
        assert (alice.balance, bob.balance) == (450 * CHIP, 1_100 * CHIP), order
        assert await bank.members.in_play(alice.id) == 500 * CHIP


def _bot(url: str, tables: list[int], start: Any, results: Any) -> None:
    """One of two bots on one bank: stakes all of the member's chips at many tables at once."""

    async def play() -> int:
        async with Bank.open(url, LENIENT, HandClock()) as bank:
            member = await bank.members.sign_in(GUILD, 1)
            seats = [Dealer(bank, id=table, version=1, number=1) for table in tables]
            changes = [seat.staking(member, 100, cause=str(seat.id)) for seat in seats]
            await asyncio.to_thread(start.wait)
            return await _tries([bank.tables.commit(change) for change in changes], CannotPay)

    results.put(asyncio.run(play()))


async def test_of_two_processes_that_stake_a_whole_balance_one_succeeds(url: str, bank: Bank, join: Join) -> None:
    alice = await join(chips=100)
    tables = [(await Dealer(bank).open()).id for _ in range(80)]
    spawn = multiprocessing.get_context("spawn")
    start, results = spawn.Barrier(2), spawn.Queue()
    bots = [spawn.Process(target=_bot, args=(url, share, start, results)) for share in (tables[:40], tables[40:])]
    for bot in bots:
        bot.start()
    won = [await asyncio.to_thread(results.get, timeout=120) for _ in bots]
    for bot in bots:
        await asyncio.to_thread(bot.join)
    assert sorted(won) == [0, 1]
    assert await balance(bank, alice) == 0
