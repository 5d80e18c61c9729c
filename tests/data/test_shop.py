"""Roles for chips: paid and given as one job, and chips back where Discord refuses."""

from __future__ import annotations

import asyncio

import pytest

from data import AlreadyHeld, Bank, Job, Length, LogLine, Rest, ShopFull, Sold, TakenOver, Ware, WareChanged, Wrong
from data.ledger.shop import MOST, ROLE
from engine.games.contract import CHIP
from engine.tables.ports import BankError, CannotPay, OnBreak
from tests.data.by_hand import by_hand
from tests.data.conftest import Join
from tests.data.dealer import GUILD, HandClock, press
from tests.data.test_notices import WITH_LOG

DAY = 86_400.0
GOLD = Ware(role=70, price=40 * CHIP, seconds=7 * DAY)
FOR_GOOD = Ware(role=71, price=40 * CHIP)


async def balance(bank: Bank, user: int = 1) -> float:
    return (await bank.members.sign_in(GUILD, user)).balance / CHIP


async def taken(bank: Bank) -> Job:
    (job,) = await bank.jobs.due(ROLE)
    assert await bank.jobs.claim(job.key, "here", seconds=90)
    return job


async def test_a_purchase_takes_the_chips_and_waits_to_be_given(bank: Bank, join: Join) -> None:
    alice = await join(chips=100)
    await bank.shop.offer(GUILD, GOLD)
    await bank.shop.buy(alice, GOLD, press())
    assert await balance(bank) == 60
    (bought,) = await bank.shop.held_by(alice.id)
    assert (bought.role, bought.state, bought.until) == (70, Sold.PAID, None)


async def test_a_role_lasts_as_long_as_was_paid_for(bank: Bank, join: Join, clock: HandClock) -> None:
    alice = await join(chips=100)
    await bank.shop.offer(GUILD, GOLD)
    await bank.shop.buy(alice, GOLD, press())
    clock.time += 60  # Discord is slow, and the week begins with the role
    await bank.shop.given(await taken(bank), "here")
    (bought,) = await bank.shop.held_by(alice.id)
    assert (bought.state, bought.until) == (Sold.HELD, clock.now() + 7 * DAY)
    assert await bank.jobs.due(ROLE) == ()
    clock.time += 7 * DAY
    await bank.shop.ended(await taken(bank), "here")
    assert await bank.shop.held_by(alice.id) == ()
    assert await bank.jobs.waiting(ROLE) == ()
    assert await balance(bank) == 60
    await bank.shop.buy(alice, GOLD, press())


async def test_a_role_that_is_given_after_the_clock_was_set_back_lasts_as_long_as_was_paid_for(
    bank: Bank, join: Join, clock: HandClock
) -> None:
    """A shorter time would be a fault of every audit, and stop all stakes."""
    alice = await join(chips=100)
    await bank.shop.offer(GUILD, GOLD)
    job, ends = await bank.shop.buy(alice, GOLD, press()), clock.now() + 7 * DAY
    clock.time -= 2
    assert await bank.jobs.claim(job.key, "here", seconds=90)
    await bank.shop.given(job, "here")
    assert [each.until for each in await bank.shop.held_by(alice.id)] == [ends]


async def test_a_role_for_good_is_never_taken_back(bank: Bank, join: Join) -> None:
    alice = await join(chips=100)
    await bank.shop.offer(GUILD, FOR_GOOD)
    await bank.shop.buy(alice, FOR_GOOD, press())
    await bank.shop.given(await taken(bank), "here")
    assert await bank.jobs.waiting(ROLE) == ()
    assert [each.until for each in await bank.shop.held_by(alice.id)] == [None]


async def test_r10_7_chips_come_back_once_where_discord_refuses(bank: Bank, join: Join) -> None:
    alice = await join(chips=100)
    await bank.shop.offer(GUILD, GOLD)
    await bank.shop.buy(alice, GOLD, press())
    job = await taken(bank)
    assert await bank.shop.refund(job, "here") == 40 * CHIP
    for again in (bank.shop.refund, bank.shop.given, bank.shop.ended):
        with pytest.raises(TakenOver):
            await again(job, "here")  # type: ignore[operator]
    nobodys = Job("role/1", ROLE, {"holding": 1}, 0.0, GUILD)
    for never_bought in (bank.shop.refund, bank.shop.given):
        with pytest.raises(TakenOver):
            await never_bought(nobodys, "here")  # type: ignore[operator]
    assert await balance(bank) == 100
    assert await bank.shop.held_by(alice.id) == ()


async def test_what_was_given_is_not_paid_back(bank: Bank, join: Join) -> None:
    alice = await join(chips=100)
    await bank.shop.offer(GUILD, GOLD)
    await bank.shop.buy(alice, GOLD, press())
    job = await taken(bank)
    await bank.shop.given(job, "here")
    with pytest.raises(TakenOver):
        await bank.shop.refund(job, "here")
    assert await balance(bank) == 60


async def test_a_process_that_lost_its_claim_changes_nothing(bank: Bank, join: Join, clock: HandClock) -> None:
    alice = await join(chips=100)
    await bank.shop.offer(GUILD, GOLD)
    await bank.shop.buy(alice, GOLD, press())
    job = await taken(bank)
    clock.time += 91
    assert await bank.jobs.claim(job.key, "there", seconds=90)
    for late in (bank.shop.refund, bank.shop.given):
        with pytest.raises(TakenOver):
            await late(job, "here")  # type: ignore[operator]
    assert [each.state for each in await bank.shop.held_by(alice.id)] == [Sold.PAID]
    assert await balance(bank) == 60


async def test_two_presses_at_once_buy_one_role(bank: Bank, join: Join) -> None:
    alice = await join(chips=1_000)
    await bank.shop.offer(GUILD, GOLD)
    bought = await asyncio.gather(*(bank.shop.buy(alice, GOLD, press()) for _ in range(8)), return_exceptions=True)
    assert [type(each) for each in bought].count(Job) == 1
    assert {type(each) for each in bought} == {Job, AlreadyHeld}
    assert await balance(bank) == 960


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        (Ware(70, 50 * CHIP, 7 * DAY), WareChanged),
        (Ware(70, 40 * CHIP, 8 * DAY), WareChanged),
        (Ware(70, 40 * CHIP), WareChanged),
        (None, WareChanged),
    ],
)
async def test_what_is_not_sold_like_this_any_more_is_not_bought(
    bank: Bank, join: Join, change: Ware | None, fault: type[BankError]
) -> None:
    alice = await join(chips=100)
    await bank.shop.offer(GUILD, GOLD)
    if change is None:
        await bank.shop.withdraw(GUILD, 70)
    else:
        await bank.shop.offer(GUILD, change)
    with pytest.raises(fault):
        await bank.shop.buy(alice, GOLD, press())
    assert await balance(bank) == 100


async def test_nobody_buys_what_they_cannot_pay_or_while_they_rest(bank: Bank, join: Join) -> None:
    alice = await join(chips=39)
    await bank.shop.offer(GUILD, GOLD)
    with pytest.raises(CannotPay):
        await bank.shop.buy(alice, GOLD, press())
    alice = await join(chips=100)
    await bank.breaks.begin(1, Rest.CHIPS, Length.DAY)
    with pytest.raises(OnBreak):
        await bank.shop.buy(alice, GOLD, press())
    assert await balance(bank) == 100
    assert await bank.shop.held_by(alice.id) == ()
    assert await bank.jobs.waiting(ROLE) == ()


async def test_roles_are_handed_out_and_forgotten_people_are_nobody(bank: Bank, join: Join) -> None:
    somebody = 10**17
    member = await join(somebody, chips=100)
    await bank.shop.offer(GUILD, FOR_GOOD)
    job = await bank.shop.buy(member, FOR_GOOD, press())
    mine = await bank.privacy.export(GUILD, somebody)
    assert mine is not None
    assert [each["role"] for each in mine["roles"]] == [71]
    assert await bank.privacy.forget(GUILD, somebody)
    bought = await bank.shop.holding(job.payload["holding"])
    assert bought is not None
    assert bought.user is None


async def test_a_server_sells_so_many_roles_however_many_managers_offer_at_once(bank: Bank) -> None:
    for role in range(MOST - 1):
        await bank.shop.offer(GUILD, Ware(role + 1, CHIP))
    offers = (bank.shop.offer(GUILD, Ware(100 + number, CHIP)) for number in range(6))
    found = await asyncio.gather(*offers, return_exceptions=True)
    assert [type(each) for each in found].count(ShopFull) == 5
    assert len(await bank.shop.wares(GUILD)) == MOST
    await bank.shop.offer(GUILD, Ware(1, 2 * CHIP))
    shelf = await bank.shop.wares(GUILD)
    assert (len(shelf), shelf[-1].role) == (MOST, 1), "the cheapest first"


async def test_whoever_came_back_is_owed_what_they_got_before(bank: Bank, join: Join, clock: HandClock) -> None:
    alice, came = await join(chips=100), clock.now()
    assert await bank.shop.lost(GUILD, 1, came + 9) == ()
    await bank.shop.offer(GUILD, GOLD)
    await bank.shop.buy(alice, GOLD, press())
    assert await bank.shop.lost(GUILD, 1, came + 9) == (), "it is not given yet"
    await bank.shop.given(await taken(bank), "here")
    assert await bank.shop.lost(GUILD, 1, came) == (), "it was got since"
    assert [each.role for each in await bank.shop.lost(GUILD, 1, came + 9)] == [70]
    assert await bank.shop.lost(GUILD, 2, came + 9) == ()
    clock.time += 7 * DAY - 1
    assert [each.role for each in await bank.shop.lost(GUILD, 1, clock.now())] == [70]
    clock.time += 1
    assert await bank.shop.lost(GUILD, 1, clock.now()) == (), "its time is over"
    await bank.shop.ended(await taken(bank), "here")
    assert await bank.shop.lost(GUILD, 1, clock.now()) == ()
    await bank.shop.offer(GUILD, FOR_GOOD)
    await bank.shop.buy(alice, FOR_GOOD, press())
    await bank.shop.given(await taken(bank), "here")
    clock.time += 365 * DAY
    assert [each.role for each in await bank.shop.lost(GUILD, 1, clock.now())] == [71], "it is held for good"


#: What somebody could write into a bank with a role that is held for a time, one for good and one that was refused.
WRONG = {
    "a role without a payment": "DELETE FROM transfers WHERE reason = 'role' AND id = (SELECT min(id) FROM transfers "
    "WHERE reason = 'role')",
    "a payment without a role": "DELETE FROM holdings WHERE role = 71",
    "another price": "UPDATE holdings SET price = price + 1 WHERE role = 71",
    "another's wallet": "UPDATE holdings SET member = 2 WHERE role = 70",
    "a refund of what was given": "UPDATE holdings SET state = 'refunded' WHERE role = 71",
    "nothing back for what was refused": "UPDATE holdings SET state = 'held' WHERE role = 72",
    "a role that nobody takes back": "UPDATE jobs SET done_at = 1 WHERE kind = 'role' AND done_at IS NULL",
    "a role that is taken back too late": "UPDATE holdings SET until = until - 1 WHERE role = 70",
    "a role that is taken back too soon": "UPDATE holdings SET until = until + 1 WHERE role = 70",
    "a role that is said to be over": "UPDATE holdings SET state = 'over' WHERE role = 70",
    "a role that is said to be won": "UPDATE holdings SET championship = 'week' WHERE role = 71",
    "nonsense": "UPDATE holdings SET state = 'mine' WHERE role = 71",
}


@pytest.mark.thinned
@pytest.mark.parametrize("what", WRONG)
async def test_r10_7_the_audit_notices_what_was_changed_of_a_role(unsound_bank: Bank, join: Join, what: str) -> None:
    bank, alice = unsound_bank, await join(chips=1_000)
    await join(2)
    for role, seconds in ((70, 7 * DAY), (71, None), (72, DAY)):
        ware = Ware(role, 40 * CHIP, seconds)
        await bank.shop.offer(GUILD, ware)
        await bank.shop.buy(alice, ware, press())
        job = await taken(bank)
        await (bank.shop.refund(job, "here") if role == 72 else bank.shop.given(job, "here"))
    assert (await bank.auditor.audit()).faults == ()
    await by_hand(bank, WRONG[what])
    assert Wrong.ROLE in {fault.wrong for fault in (await bank.auditor.audit()).faults}


async def test_an_import_that_ends_half_way_is_in_the_log(bank: Bank, join: Join) -> None:
    """Somebody without chips cannot have less; the balances before that are set."""
    manager, line = await join(1), LogLine("balances from a file")
    await bank.guilds.keep_settings(GUILD, WITH_LOG)
    wanted = {10: 50 * CHIP, 11: -2_000 * CHIP, 12: 70 * CHIP}
    with pytest.raises(CannotPay):
        await bank.balances.bring_to(GUILD, wanted, actor=manager.id, press=press(), line=line)
    assert await bank.members.balance(GUILD, 10) == 50 * CHIP
    assert [logged.text for logged in await bank.notices.waiting(GUILD)] == [line.text]


async def test_two_managers_import_at_once_and_each_difference_is_booked(bank: Bank, join: Join) -> None:
    managers = [await join(user) for user in (1, 2)]
    wanted = [dict.fromkeys(range(10, 20), chips * CHIP) for chips in (50, 70)]
    orders = (
        bank.balances.bring_to(GUILD, each, actor=manager.id, press=press())
        for each, manager in zip(wanted, managers, strict=True)
    )
    await asyncio.gather(*orders)
    found = dict(await bank.balances.of(GUILD))
    assert {found[user] for user in range(10, 20)} <= {50 * CHIP, 70 * CHIP}
    again = [bank.balances.bring_to(GUILD, wanted[0], actor=each.id, press=press()) for each in managers]
    await asyncio.gather(*again)
    assert {user: (await bank.members.balance(GUILD, user)) for user in range(10, 20)} == wanted[0]
