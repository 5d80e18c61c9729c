"""The audit finds what somebody does by hand to a break or a limit: made shorter, raised, removed, or disowned."""

from __future__ import annotations

import pytest

from data import Bank, Length, LimitKind, Rest
from data.base.schema import limits
from data.drivers.store import Store
from data.drivers.url import address
from data.migrations.migrate import back_to
from data.people.fingerprints import DAY
from data.proofs.report import Wrong
from engine.games.contract import CHIP
from tests.data.by_hand import bind_all, by_hand
from tests.data.conftest import Join
from tests.data.dealer import GUILD, LENIENT, NOW, HandClock

ALICE, BOB = 1, 2


async def found(bank: Bank) -> set[Wrong]:
    return {fault.wrong for fault in (await bank.auditor.audit()).faults}


@pytest.fixture
async def decided(unsound_bank: Bank, clock: HandClock, join: Join) -> Bank:
    """Alice has a break for good that is to end, and a limit that was cut twice; Bob's limit waits to rise."""
    bank = unsound_bank
    for user in (ALICE, BOB, 3):
        await join(user)
    clock.time -= 400 * DAY
    await bank.breaks.begin(ALICE, Rest.EVERYTHING, Length.FOR_GOOD)
    await bank.breaks.begin(BOB, Rest.CHIPS, Length.YEAR)
    clock.time += 400 * DAY
    await bank.breaks.ask_to_end(ALICE)
    for most in (500, 300, 100):
        await bank.limits.set(ALICE, LimitKind.LOSS_DAY, most * CHIP)
    for hands in (20, 90):
        await bank.limits.set(BOB, LimitKind.HANDS_DAY, hands)
    return bank


#: What each change is, how it is made, and whether the audit finds it before the row is bound in the book.
BY_HAND = {
    "a break made shorter": (f"UPDATE breaks SET until = until - {DAY} WHERE what = 'chips'", True),
    "a break for good that ends sooner": (f"UPDATE breaks SET until = until - {DAY} WHERE ends IS NOT NULL", True),
    "a break taken out": ("DELETE FROM breaks WHERE ends IS NOT NULL", True),
    "a door opened": ("UPDATE members SET resting_until = NULL, away_until = NULL WHERE user_id = 1", True),
    "a door shut without a break": (f"UPDATE members SET resting_until = {NOW + DAY} WHERE user_id = 3", True),
    "a break of somebody else": ("UPDATE breaks SET user_id = 3 WHERE user_id = 1", True),
    "a break that fits nobody": ("UPDATE breaks SET fingerprint = 'ff' WHERE what = 'chips'", True),
    "a limit raised": ("UPDATE limits SET most = 200 WHERE most = 20 AND later IS NULL", True),
    "a cut raised": ("UPDATE limits SET most = 90000 WHERE most = 10000", True),
    "a rise of more": ("UPDATE limits SET later = 900 WHERE later = 90", False),
    "a rise made earlier": (f"UPDATE limits SET later_at = later_at - {DAY} WHERE later = 90", True),
    "a rise that was asked for a day before": (f"UPDATE limits SET at = at - {DAY} WHERE later = 90", True),
    "a rise without a day": ("UPDATE limits SET later_at = NULL WHERE later = 90", True),
    "a cut taken out": ("DELETE FROM limits WHERE most = 10000", False),
    "a limit of somebody else": ("UPDATE limits SET user_id = 3 WHERE user_id = 1", True),
    "a limit that fits nobody": ("UPDATE limits SET fingerprint = 'ff' WHERE user_id = 2", True),
    "a limit of nobody": ("UPDATE limits SET user_id = NULL WHERE user_id = 1", True),
    "a limit of another kind": ("UPDATE limits SET kind = 'loss in a year' WHERE user_id = 1", True),
}


async def test_what_people_decided_is_sound(decided: Bank, clock: HandClock) -> None:
    assert await found(decided) == set()
    await bind_all(decided)
    clock.time += 31 * DAY
    await decided.limits.set(BOB, LimitKind.HANDS_DAY, 95)  # from the 90 that it rose to
    await decided.limits.set(BOB, LimitKind.LOSS_DAY, 700 * CHIP)
    await decided.limits.set(BOB, LimitKind.HANDS_DAY, None)
    assert await found(decided) == set()


@pytest.mark.thinned
@pytest.mark.parametrize("change", BY_HAND)
async def test_what_was_done_by_hand_to_a_break_or_a_limit_is_found(decided: Bank, change: str) -> None:
    command, at_once = BY_HAND[change]
    if not at_once:
        await bind_all(decided)
    await by_hand(decided, command)
    assert {Wrong.BREAK, Wrong.LIMIT, Wrong.LEAF} & await found(decided)


async def test_a_break_of_a_known_person_that_was_made_nobodys_with_the_door_open_is_found(decided: Bank) -> None:
    await by_hand(
        decided,
        "UPDATE breaks SET user_id = NULL WHERE user_id = 1",
        "UPDATE members SET resting_until = NULL, away_until = NULL WHERE user_id = 1",
    )
    assert await found(decided) == {Wrong.BREAK}


async def test_a_limit_made_nobodys_before_its_person_was_forgotten_is_no_fault(decided: Bank) -> None:
    await decided.privacy.forget(GUILD, ALICE)
    assert await found(decided) == set()
    await decided.limits.set(ALICE, LimitKind.LOSS_WEEK, CHIP)  # in a direct message, before any account
    assert await found(decided) == set()


async def test_limits_of_an_earlier_schema_hold_on(url: str) -> None:
    store = Store(address(url))
    async with store.rewriting() as connection:
        await back_to(connection, "0022")
        await connection.exec_driver_sql(
            "INSERT INTO limits VALUES (1, 'hands in a day', 20, 90, 1.5), (2, 'loss in a day', 700, NULL, NULL)"
        )
    await store.close()
    async with Bank.open(url, LENIENT, HandClock()) as bank:
        await bank.members.sign_in(GUILD, ALICE)
        limit = (await bank.limits.of(ALICE))[LimitKind.HANDS_DAY]
        assert (limit.most, limit.later_at) == (20, None)  # a rise has to be asked for again
        assert (await bank.limits.of(BOB))[LimitKind.LOSS_DAY].most == 700
        await bank.limits.set(ALICE, LimitKind.HANDS_DAY, 30)
        assert (await bank.limits.of(ALICE))[LimitKind.HANDS_DAY].later_at == NOW + DAY
        assert len(await bank._store.rows(limits.select())) == 3
        assert await found(bank) == set()
