"""Resets to equal chips (R14.2) in the bank: announced, refused, booked, left for later, interrupted, withdrawn."""

from __future__ import annotations

import pytest

from data import Bank, Ladder, Length, LimitKind, LogLine, Reset, ResetMoved, Rest
from data.drivers.batch import Batch
from data.ledger import resets
from data.ledger.resets import CLOSES, NOTICE
from engine.games.contract import CHIP
from engine.tables.ports import BankUnavailable, CannotPay, ResetAhead, Resetting
from engine.tables.values import Account, Kind, Member
from tests.data import by_hand as hands
from tests.data.conftest import Join
from tests.data.dealer import ELSEWHERE, GUILD, NOW, Dealer, HandClock, press, refused
from tests.data.pairs import challenge, two
from tests.data.test_breaks import bought_in, entered, gave, signed_up, staked

HOUR = 3_600.0
EQUAL = 500 * CHIP


async def ordered(bank: Bank, actor: Member, at: float = 0.0) -> Reset:
    reset = await bank.resets.order(press(), actor, 70, EQUAL, at)
    await bank.resets.announced(reset.id, None)
    return reset


async def begun(bank: Bank, clock: HandClock, actor: Member) -> Reset:
    """A reset whose moment has come."""
    reset = await ordered(bank, actor)
    clock.time = reset.at
    return await bank.resets.begin(reset)


async def look(bank: Bank, reset: Reset) -> int:
    """Go through all members once, and return how many were left."""
    after, left = await bank.resets.slice(reset)
    while after is not None:
        after, more = await bank.resets.slice(reset, after)
        left += more
    return left


async def wallets(bank: Bank, *members: Member) -> list[int]:
    balances = await bank.members.balances([member.id for member in members])
    return [balances[member.id] // CHIP for member in members]


# -- the order ---------------------------------------------------------------------------------------------------------


async def test_r14_2_it_is_a_week_away_at_a_full_hour(bank: Bank, clock: HandClock, join: Join) -> None:
    alice = await join(1)
    reset = await bank.resets.order(press(), alice, 70, EQUAL, clock.now() + 60.0)
    assert NOTICE <= reset.at - clock.now() < NOTICE + HOUR
    assert reset.at % HOUR == 0
    later = await bank.resets.order(press(), await join(1, guild=ELSEWHERE), 70, EQUAL, reset.at + 30 * HOUR)
    assert later.at == reset.at + 30 * HOUR


async def test_r14_2_the_week_begins_with_the_announcement(bank: Bank, clock: HandClock, join: Join) -> None:
    """The bot was down in between: the reset waits."""
    reset = await bank.resets.order(press(), await join(1), 70, EQUAL, 0.0)
    assert await bank.resets.in_time(reset) == reset
    clock.time += 5 * HOUR
    moved = await bank.resets.in_time(reset)
    assert await refused(bank.resets.announced(reset.id, None)) is None
    assert moved.at == reset.at + 5 * HOUR


async def test_r14_2_a_reset_that_is_less_than_a_week_away_is_not_announced(
    bank: Bank, clock: HandClock, join: Join
) -> None:
    """It took long to post the announcement."""
    reset = await bank.resets.order(press(), await join(1), 70, EQUAL, 0.0)
    clock.time = reset.at - NOTICE + 1
    assert await refused(bank.resets.announced(reset.id, None)) is ResetMoved
    clock.time -= 1
    assert await refused(bank.resets.announced(reset.id, None)) is None


async def test_r14_2_one_waits_at_a_time_and_may_be_withdrawn_until_it_begins(
    bank: Bank, clock: HandClock, join: Join
) -> None:
    alice = await join(1)
    first = await ordered(bank, alice)
    assert await refused(bank.resets.order(press(), alice, 70, EQUAL, 0.0)) is ResetMoved
    assert await refused(bank.resets.withdraw(first.id, ELSEWHERE)) is ResetMoved
    await bank.resets.withdraw(first.id, GUILD, LogLine("withdrawn"))
    assert (await bank.resets.known(first.id)).withdrawn
    assert await bank.resets.coming(GUILD) is None
    assert await refused(bank.resets.begin(first)) is ResetMoved
    second = await begun(bank, clock, alice)
    assert await refused(bank.resets.withdraw(second.id, GUILD)) is ResetMoved
    await look(bank, second)
    await bank.resets.end(second.id)
    assert [job.due for job in await bank.jobs.waiting(resets.RESETS)] == [NOW, NOW]  # the chore finishes them


# -- the last day before -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("deed", [bought_in, signed_up])
async def test_r14_2_nobody_buys_in_in_the_last_25_hours(
    unsound_bank: Bank, clock: HandClock, table: Dealer, join: Join, deed: object
) -> None:
    assert callable(deed)
    alice = await join(1)
    reset = await ordered(unsound_bank, alice)
    clock.time = reset.closes
    assert reset.at - reset.closes == CLOSES == 25 * HOUR
    with pytest.raises(ResetAhead) as no:
        await deed(unsound_bank, table, alice)
    assert no.value.until == reset.at
    clock.time = reset.closes - 1
    assert await refused(deed(unsound_bank, table, alice)) is None


async def test_r14_2_hands_and_gifts_go_on_until_it_begins(
    bank: Bank, clock: HandClock, table: Dealer, join: Join
) -> None:
    alice = await join(1)
    reset = await ordered(bank, alice)
    clock.time = reset.at - 1
    await gave(bank, table, alice)
    await table.round({alice: 10})


async def test_r14_2_no_challenges_for_chips_in_the_last_25_hours_and_open_ones_are_known(
    bank: Bank, clock: HandClock
) -> None:
    ada, ben = await two(bank)
    reset = await ordered(bank, ada)
    clock.time = reset.closes - 1
    duel = await challenge(bank, ada, ben, 100)
    clock.time = reset.closes
    assert await bank.resets.challenges(ada.guild) == [duel.id]
    assert await refused(bank.challenges.accept(duel.id, ben, for_fun=False)) is ResetAhead
    await bank.challenges.refuse(duel.id, ben.id)
    assert await refused(challenge(bank, ada, ben, 100)) is ResetAhead
    assert await bank.resets.challenges(ada.guild) == []
    for_fun = await challenge(bank, ada, ben, 0)
    assert await bank.resets.challenges(ada.guild) == []
    await bank.challenges.refuse(for_fun.id, ben.id)


async def test_r14_2_sign_ups_that_paid_for_what_has_not_begun_are_known(
    unsound_bank: Bank, clock: HandClock, table: Dealer, join: Join
) -> None:
    alice = await join(1)
    await signed_up(unsound_bank, table, alice)
    await entered(unsound_bank, alice, 901, chips=0)
    await entered(unsound_bank, alice, 902, "playing")
    ((tournament, who),) = await unsound_bank.resets.bought_in(GUILD)
    assert (tournament, who.id) == (900, alice.id)


# -- the reset ---------------------------------------------------------------------------------------------------------


async def test_r14_2_everybody_has_the_same_and_no_chip_is_made_or_lost(
    bank: Bank, clock: HandClock, join: Join
) -> None:
    people = [await join(user, chips) for user, chips in ((1, 5_000), (2, 0), (3, 500), (4, 120))]
    elsewhere = await join(1, 77, guild=ELSEWHERE)
    reset = await begun(bank, clock, people[0])
    assert await look(bank, reset) == 0
    await bank.resets.end(reset.id)
    assert await wallets(bank, *people) == [500] * 4
    assert await wallets(bank, elsewhere) == [77]
    assert (await bank.resets.known(reset.id)).over
    page = await bank.ladders.leaderboard(GUILD, Ladder.CHIPS, 0, 10)
    assert {row.value for row in page.rows} == {EQUAL}


async def test_r14_2_it_is_no_loss_no_gift_and_no_result(bank: Bank, clock: HandClock, join: Join) -> None:
    rich, poor = await join(1, 5_000), await join(2, 10)
    await bank.limits.set(1, LimitKind.LOSS_DAY, 1)
    reset = await begun(bank, clock, rich)
    await look(bank, reset)
    await bank.resets.end(reset.id)
    for member in (rich, poor):
        assert (await bank.chips.so_far(member.id))[LimitKind.LOSS_DAY] == 0
    await bank.chips.expect_gift(poor.id, rich.id, 400 * CHIP)
    assert (await bank.ladders.leaderboard(GUILD, Ladder.WINNINGS, 0, 10)).rows == ()


async def test_r14_2_orders_of_admins_pass_a_break(bank: Bank, clock: HandClock, join: Join) -> None:
    alice = await join(1, 5_000)
    await bank.breaks.begin(1, Rest.EVERYTHING, Length.YEAR)
    assert await look(bank, await begun(bank, clock, alice)) == 0
    assert await wallets(bank, alice) == [500]


async def test_r14_2_chips_at_a_table_are_reset_as_they_return(
    bank: Bank, clock: HandClock, table: Dealer, join: Join
) -> None:
    alice, ben = await join(1, 5_000), await join(2, 5_000)
    await table.stake(alice, 10)
    await table.deal(40.0, play=["double"])
    reset = await begun(bank, clock, alice)
    assert await look(bank, reset) == 1
    assert await wallets(bank, alice, ben) == [4_990, 500]
    other = await Dealer(bank).open()
    assert await refused(other.commit(other.staking(alice, 10))) is Resetting
    assert await refused(gave(bank, table, alice)) is Resetting
    await other.stake(ben, 10)
    await other.deal(20.0)
    await table.act("double")  # the hand goes on to its end
    await table.finish()
    await other.finish()
    assert await look(bank, reset) == 0
    await bank.resets.end(reset.id)
    assert await wallets(bank, alice, ben) == [500, 510]
    await other.round({alice: 10}, 20.0)


async def test_r14_2_too_few_chips_are_still_too_few(bank: Bank, clock: HandClock, table: Dealer, join: Join) -> None:
    alice = await join(1, 5_000)
    reset = await begun(bank, clock, alice)
    await look(bank, reset)
    assert await refused(table.commit(table.staking(alice, 501))) is CannotPay


async def test_r14_2_a_stack_and_a_duel_are_waited_for(
    unsound_bank: Bank, clock: HandClock, table: Dealer, join: Join
) -> None:
    alice = await join(1_000_001, 5_000)
    await bought_in(unsound_bank, table, alice)
    ada, ben = await two(unsound_bank)
    duel = await challenge(unsound_bank, ada, ben, 100)
    reset = await begun(unsound_bank, clock, alice)
    assert await look(unsound_bank, reset) == 2
    await unsound_bank.challenges.refuse(duel.id, ben.id)
    assert await look(unsound_bank, reset) == 1


async def test_r14_2_who_comes_after_it_began_keeps_the_first_chips(
    bank: Bank, clock: HandClock, table: Dealer, join: Join
) -> None:
    alice = await join(1)
    reset = await begun(bank, clock, alice)
    late = await bank.members.sign_in(GUILD, 2)
    await staked(bank, table, late)
    await look(bank, reset)
    await bank.resets.end(reset.id)
    assert (await bank.members.row(late.id)).reset is None


async def test_r14_2_chips_that_move_at_the_same_moment_are_looked_at_again(
    bank: Bank, clock: HandClock, join: Join, monkeypatch: pytest.MonkeyPatch
) -> None:
    alice = await join(1, 5_000)
    reset = await begun(bank, clock, alice)
    asked = resets.Resets._in_play

    async def meanwhile(part: resets.Resets, guild: int) -> set[int]:
        monkeypatch.setattr(resets.Resets, "_in_play", asked)
        await bank.chips.daily(alice.id, press())
        return await asked(part, guild)

    monkeypatch.setattr(resets.Resets, "_in_play", meanwhile)
    assert await look(bank, reset) == 0
    assert await wallets(bank, alice) == [500]


async def test_r14_2_chips_that_never_rest_are_left_for_later(
    bank: Bank, clock: HandClock, join: Join, monkeypatch: pytest.MonkeyPatch
) -> None:
    alice, ben = await join(1, 5_000), await join(2, 5_000)
    reset = await begun(bank, clock, alice)
    asked = resets.Resets._in_play

    async def meanwhile(part: resets.Resets, guild: int) -> set[int]:
        await bank.chips.grant(alice.id, CHIP, actor=ben.id, reason="the test wants it", press=press())
        return await asked(part, guild)

    with monkeypatch.context() as patch:
        patch.setattr(resets.Resets, "_in_play", meanwhile)
        assert await bank.resets.slice(reset) == (2, 2)
    assert await wallets(bank, alice, ben) == [5_005, 5_000]
    assert await look(bank, reset) == 0
    assert await wallets(bank, alice, ben) == [500, 500]


async def test_r14_2_a_clock_that_is_set_back_books_nothing_before_it_began(
    bank: Bank, clock: HandClock, join: Join
) -> None:
    alice = await join(1, 5_000)
    reset = await begun(bank, clock, alice)
    clock.time -= HOUR
    assert await look(bank, reset) == 0
    await bank.resets.end(reset.id)
    export = await bank.privacy.export(GUILD, 1)
    assert export is not None
    assert [move["at"] for move in export["transfers"] if move["reason"] == "reset"] == [reset.at]


async def test_r14_2_a_reset_that_nobody_ordered_has_moved(bank: Bank) -> None:
    assert await refused(bank.resets.known(1)) is ResetMoved


async def test_r14_2_it_goes_on_where_a_process_was_killed(
    bank: Bank, clock: HandClock, join: Join, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each slice is written whole or not at all: after a kill at any write the next process finishes it."""
    people = [await join(user, 100 * user) for user in range(1, 8)]
    monkeypatch.setattr(resets, "_NEXT", resets._NEXT.limit(2))
    reset = await begun(bank, clock, people[0])
    run, writes = bank._store.write.run, [0]

    async def killed(batch: Batch) -> None:
        writes[0] -= 1
        if writes[0] < 0:
            raise BankUnavailable("killed")
        await run(batch)

    for allowed in range(1, 4):
        monkeypatch.setattr(bank._store.write, "run", killed)
        writes[0] = allowed
        assert await refused(look(bank, reset)) in (BankUnavailable, None)
        monkeypatch.setattr(bank._store.write, "run", run)
        assert (await bank.auditor.audit()).clean
        assert set(await wallets(bank, *people)) <= {500, *(100 * user for user in range(1, 8))}
    assert await look(bank, reset) == 0
    await bank.resets.end(reset.id)
    assert await wallets(bank, *people) == [500] * 7


# -- the audit ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE resets SET at = at - 86400, began_at = began_at - 86400",
        "UPDATE members SET reset = NULL WHERE user_id = 1",
        "UPDATE members SET reset = reset + 1 WHERE user_id = 1",
        "UPDATE transfers SET key = 'reset/1/1' WHERE reason = 'reset'",
        "UPDATE resets SET withdrawn = 1",
        "UPDATE resets SET amount = amount + 100",
        "DELETE FROM resets",
    ],
)
async def test_r14_2_the_audit_notices_what_does_not_fit(
    unsound_bank: Bank, clock: HandClock, join: Join, change: str
) -> None:
    reset = await begun(unsound_bank, clock, await join(1, 5_000))
    await look(unsound_bank, reset)
    await unsound_bank.resets.end(reset.id)
    assert (await unsound_bank.auditor.audit()).clean
    await hands.by_hand(unsound_bank, change)
    assert not (await unsound_bank.auditor.audit()).clean


async def test_r14_2_the_next_reset_leaves_nobody_out_of_the_one_before(
    bank: Bank, clock: HandClock, join: Join
) -> None:
    alice = await join(1, 5_000)
    for _ in range(2):
        reset = await begun(bank, clock, alice)
        await look(bank, reset)
        await bank.resets.end(reset.id)
        assert (await bank.auditor.audit()).clean


async def test_r14_2_a_transfer_is_booked_between_the_house_and_a_wallet(
    bank: Bank, clock: HandClock, join: Join
) -> None:
    alice, ben = await join(1, 5_000), await join(2, 100)
    reset = await begun(bank, clock, alice)
    await look(bank, reset)
    export = await bank.privacy.export(GUILD, 1)
    assert export is not None
    booked = [move for move in export["transfers"] if move["reason"] == "reset"]
    assert [(move["source"], move["target"], move["amount"]) for move in booked] == [
        (f"member/{alice.id}", Account(Kind.HOUSE, GUILD).kind.value, 4_500 * CHIP)
    ]
    assert await wallets(bank, ben) == [500]
