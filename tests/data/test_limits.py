"""Limits that people set for themselves (R13.3): asked by the bank with each stake, down at once and up a day later."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping

import pytest
import sqlalchemy as sa
from sqlalchemy.dialects import sqlite

from data import Bank, Length, LimitKind, Rest, Trained, Ware, Wishes
from data.base import schema
from data.base.values import EVERYWHERE, Limit
from data.drivers.statement import Row
from data.ledger import limits
from data.people.fingerprints import DAY
from data.proofs.moves import REASONS
from engine.games.contract import CHIP
from engine.tables.ports import BankUnavailable, OverLimit
from engine.tables.values import Account, Change, Kind, Member, Transfer
from tests.data.conftest import Join
from tests.data.dealer import ELSEWHERE, GUILD, LENIENT, Dealer, HandClock, account, press, refused


async def lose(table: Dealer, member: Member, chips: int) -> None:
    await table.round({member: chips}, 0.0)


async def most(bank: Bank, kind: LimitKind) -> int | None:
    return (await bank.limits.of(1))[kind].most


# -- what is refused ---------------------------------------------------------------------------------------------------


async def test_r13_3_a_loss_in_a_day_counts_from_the_stake_and_what_comes_back_counts_off(
    bank: Bank, clock: HandClock, table: Dealer, join: Join
) -> None:
    alice = await join(1)
    await bank.limits.set(1, LimitKind.LOSS_DAY, 100 * CHIP)
    await lose(table, alice, 60)
    assert await refused(table.commit(table.staking(alice, 50))) is OverLimit
    await table.round({alice: 40}, 80.0)  # exactly up to the limit, and it wins: 20 chips lost so far
    await lose(table, alice, 80)
    assert await refused(table.commit(table.staking(alice, 1))) is OverLimit
    clock.time += DAY - 1
    assert await refused(table.commit(table.staking(alice, 1))) is OverLimit
    clock.time += 1
    await lose(table, alice, 100)


async def test_a_member_is_told_what_counts_so_far(bank: Bank, clock: HandClock, table: Dealer, join: Join) -> None:
    alice, there = await join(1), await join(1, guild=ELSEWHERE)
    await lose(table, alice, 60)
    await lose(await Dealer(bank, ELSEWHERE).open(), there, 5)
    await table.stake(alice, 10)
    assert list((await bank.chips.so_far(alice.id)).values()) == [70 * CHIP, 70 * CHIP, 3]
    clock.time += 2 * DAY
    assert list((await bank.chips.so_far(alice.id)).values()) == [0, 70 * CHIP, 1]  # the hand that goes on
    await table.deal(20.0)
    await table.finish()
    assert list((await bank.chips.so_far(alice.id)).values())[:2] == [0, 50 * CHIP]
    bob = await join(2)
    await table.round({bob: 10}, 20.0)
    assert list((await bank.chips.so_far(bob.id)).values())[:2] == [0, 0]  # somebody who has won lost nothing


async def test_r13_3_a_loss_in_seven_days(bank: Bank, clock: HandClock, table: Dealer, join: Join) -> None:
    alice = await join(1)
    await bank.limits.set(1, LimitKind.LOSS_WEEK, 100 * CHIP)
    await lose(table, alice, 60)
    clock.time += 6 * DAY
    assert await refused(table.commit(table.staking(alice, 50))) is OverLimit
    clock.time += DAY + 1
    await lose(table, alice, 50)


async def test_r13_3_losses_count_by_server_and_hands_over_all_of_them(bank: Bank, table: Dealer, join: Join) -> None:
    here, there = await join(1), await join(1, guild=ELSEWHERE)
    other = await Dealer(bank, ELSEWHERE).open()
    await bank.limits.set(1, LimitKind.LOSS_DAY, 50 * CHIP)
    await lose(table, here, 50)
    await lose(other, there, 50)
    bob_here, bob_there = await join(2), await join(2, guild=ELSEWHERE)
    await bank.limits.set(2, LimitKind.HANDS_DAY, 2)
    await lose(table, bob_here, 10)
    await lose(other, bob_there, 10)
    assert await refused(table.commit(table.staking(bob_here, 10))) is OverLimit
    assert await refused(other.commit(other.staking(bob_there, 10))) is OverLimit


async def test_r13_3_buy_ins_count_and_what_is_cashed_out_counts_off(
    unsound_bank: Bank, table: Dealer, join: Join
) -> None:
    alice = await join(1)
    await unsound_bank.limits.set(1, LimitKind.LOSS_DAY, 100 * CHIP)
    stack = Account(Kind.STACK, GUILD, f"{table.id}/{alice.id}")

    def moving(source: Account, target: Account, chips: int, reason: str) -> Change:
        key = f"press/{press()}"
        return Change(key, table.row(), [Transfer(f"{key}/moved", source, target, chips * CHIP, reason)])

    await table.commit(moving(account(alice), stack, 80, "buy-in"))
    assert await refused(table.commit(moving(account(alice), stack, 30, "buy-in"))) is OverLimit
    await table.commit(moving(stack, account(alice), 50, "cash-out"))
    await table.commit(moving(account(alice), stack, 70, "buy-in"))


async def test_r13_3_a_role_for_chips_counts_until_its_chips_come_back(bank: Bank, table: Dealer, join: Join) -> None:
    alice = await join(1)
    await bank.limits.set(1, LimitKind.LOSS_DAY, 100 * CHIP)
    await bank.shop.offer(GUILD, Ware(role=70, price=80 * CHIP))
    await bank.shop.offer(GUILD, Ware(role=71, price=30 * CHIP))
    job = await bank.shop.buy(alice, Ware(role=70, price=80 * CHIP), press())
    assert await refused(bank.shop.buy(alice, Ware(role=71, price=30 * CHIP), press())) is OverLimit
    assert await refused(table.commit(table.staking(alice, 30))) is OverLimit
    assert await bank.jobs.claim(job.key, "here", seconds=90)
    await bank.shop.refund(job, "here")
    await lose(table, alice, 100)


def test_r13_3_every_reason_for_which_chips_leave_or_reach_a_wallet_is_a_loss_or_known_to_be_none() -> None:
    """A new game, contest or ware says here which it is."""
    leave = {reason for (source, _), reasons in REASONS.items() if source is Kind.MEMBER for reason in reasons}
    come = {reason for (_, target), reasons in REASONS.items() if target is Kind.MEMBER for reason in reasons}
    assert leave - set(limits.STAKED) == {"take", "gift", "reset"}
    assert come - set(limits.CAME_BACK) == {"opening", "daily", "help", "grant", "gift", "reset"}


async def test_r13_3_a_rise_that_falls_due_while_the_house_is_down_holds_when_it_is_back(url: str) -> None:
    clock = HandClock()
    async with Bank.open(url, LENIENT, clock) as bank:
        member = await bank.members.sign_in(GUILD, 1)
        await bank.limits.set(1, LimitKind.LOSS_DAY, 10 * CHIP)
        await bank.limits.set(1, LimitKind.LOSS_DAY, 50 * CHIP)
        table = await Dealer(bank).open()
    clock.time += DAY
    async with Bank.open(url, LENIENT, clock) as bank:
        table.bank = bank
        await lose(table, member, 50)
        assert await refused(table.commit(table.staking(member, 1))) is OverLimit


async def test_r13_3_a_clock_that_jumps_ahead_and_back_raises_no_limit(
    bank: Bank, clock: HandClock, table: Dealer, join: Join
) -> None:
    alice = await join(1)
    await bank.limits.set(1, LimitKind.LOSS_DAY, 10 * CHIP)
    await bank.limits.set(1, LimitKind.LOSS_DAY, 50 * CHIP)
    clock.time += 2 * DAY
    assert await most(bank, LimitKind.LOSS_DAY) == 50 * CHIP
    clock.time -= 2 * DAY
    assert await most(bank, LimitKind.LOSS_DAY) == 10 * CHIP
    assert await refused(table.commit(table.staking(alice, 20))) is OverLimit


async def test_r13_2_a_hand_that_has_begun_may_go_past_a_limit(bank: Bank, table: Dealer, join: Join) -> None:
    alice = await join(1)
    await bank.limits.set(1, LimitKind.LOSS_DAY, 10 * CHIP)
    await table.stake(alice, 10)
    await table.deal(40.0, play=["double"])
    await table.act("double")
    await table.finish()


async def test_r13_2_so_may_a_double_after_which_the_rest_of_the_stack_is_cashed_out(
    unsound_bank: Bank, table: Dealer, join: Join
) -> None:
    alice = await join(1)
    wallet, stack, key = account(alice), Account(Kind.STACK, GUILD, f"{table.id}/{alice.id}"), f"press/{press()}"
    brought = [
        Transfer(f"{key}/buy-in", wallet, stack, 30 * CHIP, "buy-in"),
        Transfer(f"{key}/stake", stack, table.escrow, 10 * CHIP, "stake"),
    ]
    await table.commit(Change(key, table.row(), brought))
    table.seats, table.staked = [alice], [10 * CHIP]
    await table.deal()
    await unsound_bank.limits.set(1, LimitKind.LOSS_DAY, 10 * CHIP)
    key = f"press/{press()}"
    last = [
        Transfer(f"{key}/stake", stack, table.escrow, 10 * CHIP, "stake"),
        Transfer(f"{key}/cash-out", stack, wallet, 10 * CHIP, "cash-out"),
    ]
    await table.commit(Change(key, table.row(), last))


async def test_r13_3_a_hand_that_is_staked_from_a_stack_counts_before_it_is_over(
    unsound_bank: Bank, table: Dealer, join: Join
) -> None:
    alice = await join(1)
    stack, key = Account(Kind.STACK, GUILD, f"{table.id}/{alice.id}"), f"press/{press()}"
    brought = [
        Transfer(f"{key}/buy-in", account(alice), stack, 30 * CHIP, "buy-in"),
        Transfer(f"{key}/stake", stack, table.escrow, 10 * CHIP, "stake"),
    ]
    await table.commit(Change(key, table.row(), brought))
    assert (await unsound_bank.chips.so_far(alice.id))[LimitKind.HANDS_DAY] == 1
    await unsound_bank.limits.set(1, LimitKind.HANDS_DAY, 1)
    other = await Dealer(unsound_bank).open()
    assert await refused(other.commit(other.staking(alice, 10))) is OverLimit


async def test_r13_3_a_stake_that_wins_at_once_counts_when_it_is_placed(
    unsound_bank: Bank, table: Dealer, join: Join
) -> None:
    """Stake, deal and win are one change; one that loses would be refused, and so is one that wins."""
    alice = await join(1)
    house, key = Account(Kind.HOUSE, GUILD), f"press/{press()}"
    moves = [
        Transfer(f"{key}/stake", account(alice), table.escrow, 20 * CHIP, "stake"),
        Transfer(f"{key}/won", house, table.escrow, 20 * CHIP, "winnings"),
        Transfer(f"{key}/back", table.escrow, account(alice), 40 * CHIP, "returned"),
    ]
    for kind, least in ((LimitKind.LOSS_DAY, 10 * CHIP), (LimitKind.HANDS_DAY, 0)):
        await unsound_bank.limits.set(1, kind, least)
        assert await refused(table.commit(Change(key, table.row(), moves))) is OverLimit
        async with unsound_bank._store.rewriting() as connection:
            await connection.exec_driver_sql("DELETE FROM limits")
    await table.commit(Change(key, table.row(), moves))


async def test_r13_4_past_a_limit_no_gift_is_given_either(bank: Bank, table: Dealer, join: Join) -> None:
    alice, bob = await join(1), await join(2)
    await bank.limits.set(1, LimitKind.LOSS_DAY, 10 * CHIP)
    await table.stake(alice, 10)
    await table.deal(0.0, play=["double"])
    await table.act("double")
    await table.finish()
    assert await refused(bank.chips.give(alice.id, bob.id, CHIP, press())) is OverLimit
    await bank.chips.give(bob.id, alice.id, CHIP, press())


async def test_nobody_elses_stakes_are_limited(bank: Bank, table: Dealer, join: Join) -> None:
    await join(1)
    await bank.limits.set(1, LimitKind.LOSS_DAY, 0)
    await bank.limits.set(1, LimitKind.HANDS_DAY, 0)
    await lose(table, await join(2), 500)


# -- two tables at once ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", [LimitKind.LOSS_DAY, LimitKind.LOSS_WEEK, LimitKind.HANDS_DAY])
@pytest.mark.parametrize("guild", [GUILD, ELSEWHERE])
async def test_r13_3_a_limit_that_two_tables_reach_at_once_lets_one_stake_through(
    url: str, unsound_bank: Bank, clock: HandClock, join: Join, kind: LimitKind, guild: int
) -> None:
    """Each table is in a process of its own. Losses count by server, so on two servers both may stake."""
    bank, alice = unsound_bank, await join(1)
    there = await join(1, guild=guild)
    await bank.limits.set(1, kind, 1 if kind is LimitKind.HANDS_DAY else 10 * CHIP)
    async with Bank.open(url, LENIENT, clock) as other:
        tables = await Dealer(bank).open(), await Dealer(other, guild).open()
        stakes = tables[0].staking(alice, 10), tables[1].staking(there, 10)
        results = await asyncio.gather(
            *(table.commit(stake) for table, stake in zip(tables, stakes, strict=True)), return_exceptions=True
        )
    together = kind is LimitKind.HANDS_DAY or guild == GUILD
    assert sorted(type(result).__name__ for result in results) == ["Change", "OverLimit" if together else "Change"]


# -- up and down -------------------------------------------------------------------------------------------------------


async def test_r13_3_a_limit_falls_at_once_and_rises_a_day_later(bank: Bank, clock: HandClock) -> None:
    kind = LimitKind.LOSS_DAY
    await bank.limits.set(1, kind, 500)
    assert await most(bank, kind) == 500
    await bank.limits.set(1, kind, 200)
    assert await most(bank, kind) == 200
    raised = await bank.limits.set(1, kind, 800)
    assert (raised.most, raised.later, raised.later_at) == (200, 800, clock.now() + DAY)
    clock.time += DAY - 1
    assert await most(bank, kind) == 200
    clock.time += 1
    assert await most(bank, kind) == 800


async def test_r13_3_taking_a_limit_away_is_a_rise(bank: Bank, clock: HandClock, table: Dealer, join: Join) -> None:
    alice = await join(1)
    await bank.limits.set(1, LimitKind.LOSS_DAY, 10 * CHIP)
    await bank.limits.set(1, LimitKind.LOSS_DAY, None)
    assert await refused(table.commit(table.staking(alice, 20))) is OverLimit
    clock.time += DAY  # nobody has to be there when it rises
    await lose(table, alice, 20)
    assert await most(bank, LimitKind.LOSS_DAY) is None


async def test_r13_3_a_cut_within_the_day_cancels_the_rise_that_waits(bank: Bank, clock: HandClock) -> None:
    kind = LimitKind.HANDS_DAY
    await bank.limits.set(1, kind, 50)
    await bank.limits.set(1, kind, 90)
    await bank.limits.set(1, kind, 40)
    clock.time += 2 * DAY
    assert (await bank.limits.of(1))[kind].later_at is None
    assert await most(bank, kind) == 40


async def test_a_second_rise_begins_its_day_again(bank: Bank, clock: HandClock) -> None:
    kind = LimitKind.HANDS_DAY
    await bank.limits.set(1, kind, 50)
    await bank.limits.set(1, kind, 90)
    clock.time += DAY / 2
    await bank.limits.set(1, kind, 100)
    clock.time += DAY / 2
    assert await most(bank, kind) == 50
    clock.time += DAY / 2
    assert await most(bank, kind) == 100


async def test_a_limit_that_somebody_keeps_changing_is_refused(bank: Bank, monkeypatch: pytest.MonkeyPatch) -> None:
    kind, read = LimitKind.LOSS_DAY, bank.limits._last
    cuts = iter(range(400, 0, -1))

    async def read_and_cut(user: int) -> Mapping[str, Row]:
        found = await read(user)
        with monkeypatch.context() as patch:
            patch.setattr(bank.limits, "_last", read)
            await bank.limits.set(1, kind, next(cuts))
        return found

    with monkeypatch.context() as patch:
        patch.setattr(bank.limits, "_last", read_and_cut)
        with pytest.raises(BankUnavailable, match=r"^Somebody keeps changing loss in a day\.$"):
            await bank.limits.set(1, kind, 500)
    assert (await bank.limits.of(1))[kind] == Limit(kind, 396)


async def test_a_cut_that_comes_while_a_rise_is_worked_out_stands(bank: Bank, monkeypatch: pytest.MonkeyPatch) -> None:
    kind, read = LimitKind.LOSS_DAY, bank.limits._last
    await bank.limits.set(1, kind, 500)

    async def read_and_cut(user: int) -> Mapping[str, Row]:
        found = await read(user)
        monkeypatch.setattr(bank.limits, "_last", read)
        await bank.limits.set(1, kind, 100)
        return found

    monkeypatch.setattr(bank.limits, "_last", read_and_cut)
    await bank.limits.set(1, kind, 900)
    limit = (await bank.limits.of(1))[kind]
    assert (limit.most, limit.later) == (100, 900)


async def test_r13_3_nobody_gets_a_rise_at_once_by_being_forgotten_and_coming_back(
    unsound_bank: Bank, clock: HandClock, join: Join
) -> None:
    bank = unsound_bank
    await join(1), await join(1, guild=ELSEWHERE)
    await bank.limits.set(1, LimitKind.LOSS_DAY, 10 * CHIP)
    await bank.limits.set(1, LimitKind.LOSS_DAY, 500 * CHIP)
    for guild in (GUILD, ELSEWHERE):
        assert await bank.privacy.forget(guild, 1)
    rows = await bank._store.rows(sa.select(schema.limits))
    assert [row.user_id for row in rows] == [None, None]
    assert await most(bank, LimitKind.LOSS_DAY) == 10 * CHIP
    back = await join(1, chips=1_000)
    table = await Dealer(bank).open()
    assert await refused(table.commit(table.staking(back, 20))) is OverLimit
    clock.time += DAY
    await lose(table, back, 20)


async def test_somebody_without_an_account_is_handed_out_what_they_decided_and_is_forgotten(bank: Bank) -> None:
    """All of this can be set in a direct message."""
    await bank.limits.set(1, LimitKind.HANDS_DAY, 5)
    await bank.breaks.begin(1, Rest.CHIPS, Length.DAY)
    own = await bank.privacy.own(1)
    assert [(row["kind"], row["most"]) for row in own["limits"]] == [("hands in a day", 5)]
    assert [row["what"] for row in own["breaks"]] == ["chips"]
    assert await bank.privacy.forget_own(1)
    assert not await bank.privacy.forget_own(1)
    assert await most(bank, LimitKind.HANDS_DAY) == 5
    assert (await bank.breaks.of(1)).chips is not None


async def test_with_the_next_limit_those_from_before_one_was_forgotten_are_ones_own_again(bank: Bank) -> None:
    await bank.limits.set(1, LimitKind.HANDS_DAY, 5)
    assert await bank.privacy.forget_own(1)
    await bank.limits.set(1, LimitKind.LOSS_DAY, 10 * CHIP)
    assert [row["most"] for row in (await bank.privacy.own(1))["limits"]] == [5, 10 * CHIP]


async def test_somebody_without_an_account_is_forgotten_again_after_a_restore(bank: Bank, clock: HandClock) -> None:
    """The backup still had the name of a person who was forgotten since."""
    await bank.limits.set(1, LimitKind.HANDS_DAY, 5)
    await bank.breaks.begin(2, Rest.CHIPS, Length.DAY)
    await bank.wishes.keep(3, Wishes(hidden=True))
    await bank.training.keep(4, Trained("run", "vegas"), {})
    at = clock.now()
    clock.time += 60
    for user in (1, 2, 3, 4):
        batch = bank._store.batch()
        await bank.fingerprints.remember(batch, EVERYWHERE, user)
        await bank._store.write.run(batch)
    assert await bank.privacy.forget_again(await bank.fingerprints.kept(), at) == (4, 0)
    for table, left in ((schema.limits, [None]), (schema.breaks, [None]), (schema.wishes, []), (schema.training, [])):
        assert [row.user_id for row in await bank._store.rows(sa.select(table))] == left


def test_sqlite_compiles_the_question_once_for_all_stakes() -> None:
    """With a pattern that is handed in it compiled the statement for each stake, which took longer than the stake."""
    assert "like ?" not in limits._WITHIN.compiled(sqlite.dialect()).sql.lower()
