"""Breaks (R13): the bank itself refuses what is new, whatever the way in, and lets a hand that has begun go on."""

from __future__ import annotations

import asyncio
import importlib
import pkgutil
import re
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import replace

import pytest
from sqlalchemy.dialects import sqlite

import data
from data import NEVER, Bank, Length, Rest, TooSoon
from data.drivers.statement import Statement
from data.ledger import ledger
from data.people.fingerprints import DAY
from engine.games.contract import CHIP
from engine.tables.ports import BankUnavailable, CannotPay, OnBreak
from engine.tables.values import Account, Change, Kind, Member, Transfer
from engine.tournament.ports import Entry, TournamentChange, TournamentRow
from tests.data.conftest import Join
from tests.data.dealer import ELSEWHERE, GUILD, LENIENT, Dealer, HandClock, account, press, refused


def paying(table: Dealer, source: Account, target: Account, reason: str) -> Change:
    key = f"press/{press()}"
    return Change(key, table.row(), [Transfer(f"{key}/paid", source, target, 10 * CHIP, reason)])


# -- the door ----------------------------------------------------------------------------------------------------------


def statements() -> Iterator[tuple[str, Statement]]:
    """Every statement that the bank ever runs, by its name."""
    for module in pkgutil.walk_packages(data.__path__, "data."):
        if module.name != "data.__main__" and ".migrations" not in module.name:
            found = importlib.import_module(module.name)
            for name, value in vars(found).items():
                values = value.values() if isinstance(value, dict) else value if isinstance(value, tuple) else [value]
                yield from ((f"{module.name}:{name}", each) for each in values if isinstance(each, Statement))


def test_r13_4_no_statement_lowers_a_balance_without_the_door() -> None:
    lowering = dict[str, str]()
    for name, statement in statements():
        sql = statement.compiled(sqlite.dialect()).sql.lower()
        written = re.match(r"update (members|pots) set (.*?) where", sql, re.DOTALL)
        if written is not None and re.search(r"\bbalance=(?!\((members|pots)\.balance \+)", written[2]):
            lowering[name.rpartition(":")[2]] = sql
    assert {name for name, sql in lowering.items() if "resting_until" in sql} == {"DEBIT_MEMBER", "DEBIT_STACK"}
    assert {name for name, sql in lowering.items() if "resting_until" not in sql} == {"DEBIT_BY_ORDER", "DEBIT_POT"}


def door_of(source: Kind, target: Kind, reason: str = "any") -> set[str]:
    """The statements that take chips from one kind of account for another."""
    ran = set[str]()

    class Written:
        def add(self, *_: object) -> None: ...

        def must(self, statement: Statement, *_: object, **__: object) -> None:
            ran.update(name for name, value in vars(ledger).items() if value is statement and name.startswith("DEBIT"))

    owners = {Kind.MEMBER: "7", Kind.ESCROW: "900/1", Kind.STACK: "900/7", Kind.POOL: "5/7", Kind.COMPUTER: "900/Ada"}
    moved = Account(source, GUILD, owners.get(source, "")), Account(target, GUILD, owners.get(target, "") or "")
    ledger.move(Written(), [Transfer("key", *moved, 100, reason)], 0.0)  # type: ignore[arg-type]
    return ran


@pytest.mark.parametrize("target", [kind for kind in Kind if kind is not Kind.MEMBER])
def test_r13_4_whatever_leaves_a_wallet_passes_the_door_but_for_orders_of_admins(target: Kind) -> None:
    assert door_of(Kind.MEMBER, target) == {"DEBIT_BY_ORDER" if target is Kind.MINT else "DEBIT_MEMBER"}


def test_r14_2_a_reset_is_an_order_of_the_admins_too() -> None:
    assert door_of(Kind.MEMBER, Kind.HOUSE, "reset") == {"DEBIT_BY_ORDER"}


def test_r13_4_stakes_from_a_stack_pass_the_door_and_what_goes_back_to_the_wallet_does_not() -> None:
    assert door_of(Kind.STACK, Kind.ESCROW) == {"DEBIT_STACK"}
    assert door_of(Kind.STACK, Kind.MEMBER) == {"DEBIT_POT"}


# -- what is refused ---------------------------------------------------------------------------------------------------


async def staked(bank: Bank, table: Dealer, member: Member) -> None:
    await table.commit(table.staking(member, 10))


async def bought_in(bank: Bank, table: Dealer, member: Member) -> None:
    stack = Account(Kind.STACK, GUILD, f"{table.id}/{member.id}")
    await table.commit(paying(table, account(member), stack, "buy-in"))


async def gave(bank: Bank, table: Dealer, member: Member) -> None:
    other = await bank.members.sign_in(GUILD, 2)
    await bank.chips.give(member.id, other.id, 10 * CHIP, press())


async def asked_to_give(bank: Bank, table: Dealer, member: Member) -> None:
    await bank.chips.expect_gift(member.id, None, 10 * CHIP)


async def signed_up(bank: Bank, table: Dealer, member: Member) -> None:
    await entered(bank, member)


async def entered(bank: Bank, member: Member, number: int = 900, phase: str = "sign-up", chips: int = 10) -> None:
    row = TournamentRow(number, GUILD, 70, member.id, phase, open=True, starts=0.0, doc="{}", version=1)
    pool = Account(Kind.POOL, GUILD, f"{number}/{member.id}")
    buy_in = [Transfer(f"cup/{number}/in", account(member), pool, chips * CHIP, "tournament")] if chips else []
    entry = [Entry(member.id, chips * CHIP)]
    await bank.tournaments.commit(TournamentChange(f"entering {number}", row, buy_in, entry))


Deed = Callable[[Bank, Dealer, Member], Awaitable[None]]


@pytest.mark.parametrize("deed", [staked, bought_in, gave, asked_to_give, signed_up])
@pytest.mark.parametrize("what", Rest)
async def test_r13_4_the_bank_refuses_whatever_is_new(
    unsound_bank: Bank, clock: HandClock, table: Dealer, join: Join, deed: Deed, what: Rest
) -> None:
    alice = await join(1)
    end = await unsound_bank.breaks.begin(1, what, Length.DAY)
    assert end == clock.now() + DAY
    clock.time = end - 1
    assert await refused(deed(unsound_bank, table, alice)) is OnBreak
    clock.time = end
    assert await refused(deed(unsound_bank, table, alice)) is None


@pytest.mark.parametrize("chips", [0, 10])
async def test_r13_4_people_are_told_to_try_again_if_the_end_of_their_break_cannot_be_read(
    bank: Bank, join: Join, monkeypatch: pytest.MonkeyPatch, chips: int
) -> None:
    alice = await join(1)
    await bank.breaks.begin(1, Rest.EVERYTHING, Length.DAY)

    async def gone(*_: object) -> None:
        raise BankUnavailable("The server is gone.")

    monkeypatch.setattr(bank._store, "fetch", gone)
    assert await refused(entered(bank, alice, chips=chips)) is BankUnavailable


async def test_r13_1_a_break_takes_people_out_of_tables_and_of_what_has_not_begun(
    unsound_bank: Bank, clock: HandClock, table: Dealer, join: Join
) -> None:
    """A break from chips leaves what is for fun; a tournament that is played goes on."""
    alice, ben = await join(1), await join(2)
    for number, phase, chips in ((900, "sign-up", 10), (901, "sign-up", 0), (902, "playing", 10)):
        await entered(unsound_bank, alice, number, phase, chips)
    await entered(unsound_bank, ben, 903, chips=0)
    end = await unsound_bank.breaks.begin(1, Rest.CHIPS, Length.DAY)
    await unsound_bank.breaks.begin(2, Rest.EVERYTHING, Length.DAY)
    assert [(number, who.user) for number, who in await unsound_bank.breaks.signed_up()] == [(900, 1), (903, 2)]
    assert set(await unsound_bank.breaks.at_tables()) == {(GUILD, 1, False), (GUILD, 2, True)}
    clock.time = end
    assert await unsound_bank.breaks.signed_up() == await unsound_bank.breaks.at_tables() == []


async def test_r13_1_nobody_ends_a_break_for_good_that_they_never_took(bank: Bank) -> None:
    with pytest.raises(TooSoon) as no:
        await bank.breaks.ask_to_end(1)
    assert no.value.again == NEVER


async def test_r13_4_a_stack_that_was_bought_earlier_stakes_no_more(
    unsound_bank: Bank, clock: HandClock, table: Dealer, join: Join
) -> None:
    alice = await join(1)
    await bought_in(unsound_bank, table, alice)
    stack = Account(Kind.STACK, GUILD, f"{table.id}/{alice.id}")
    end = await unsound_bank.breaks.begin(1, Rest.CHIPS, Length.DAY)
    with pytest.raises(OnBreak) as no:
        await table.commit(paying(table, stack, table.escrow, "stake"))
    assert no.value.until == end
    await table.commit(paying(table, stack, account(alice), "cash-out"))
    assert await unsound_bank.members.balance(GUILD, 1) == alice.balance


async def test_r13_4_a_stake_that_wins_at_once_passes_no_door(
    unsound_bank: Bank, clock: HandClock, table: Dealer, join: Join
) -> None:
    """Chips that come back in the same change must not hide what was staked from a stack."""
    alice = await join(1)
    await bought_in(unsound_bank, table, alice)
    await unsound_bank.breaks.begin(1, Rest.CHIPS, Length.DAY)
    stack, key = Account(Kind.STACK, GUILD, f"{table.id}/{alice.id}"), f"press/{press()}"
    moves = [
        Transfer(f"{key}/stake", stack, table.escrow, CHIP, "stake"),
        Transfer(f"{key}/won", Account(Kind.HOUSE, GUILD), table.escrow, CHIP, "winnings"),
        Transfer(f"{key}/back", table.escrow, stack, 2 * CHIP, "returned"),
    ]
    assert await refused(table.commit(Change(key, table.row(), moves))) is OnBreak


async def test_r13_1_it_holds_on_every_server_and_chips_that_come_arrive(bank: Bank, join: Join) -> None:
    await join(1), await join(2)
    await bank.breaks.begin(1, Rest.CHIPS, Length.FOR_GOOD)
    there = await join(1, guild=ELSEWHERE)  # an account that is opened during the break
    table = await Dealer(bank, ELSEWHERE).open()
    assert await refused(table.commit(table.staking(there, 10))) is OnBreak
    here, friend = await bank.members.sign_in(GUILD, 1), await bank.members.sign_in(GUILD, 2)
    await bank.chips.daily(here.id, press())
    await bank.chips.give(friend.id, here.id, 5 * CHIP, press())
    assert await bank.members.balance(GUILD, 1) == here.balance + 205 * CHIP


async def test_r13_4_orders_of_admins_are_no_play(bank: Bank, join: Join) -> None:
    alice = await join(1)
    await bank.breaks.begin(1, Rest.EVERYTHING, Length.YEAR)
    left = await bank.chips.take(alice.id, 10 * CHIP, actor=alice.id, reason="a mistake", press=press())
    assert left == alice.balance - 10 * CHIP


# -- what goes on ------------------------------------------------------------------------------------------------------


async def test_r13_2_a_hand_that_has_begun_may_be_doubled_and_its_win_arrives(
    bank: Bank, table: Dealer, join: Join
) -> None:
    alice = await join(1)
    await table.stake(alice, 10)
    await table.deal(40.0, play=["double"])
    await bank.breaks.begin(1, Rest.EVERYTHING, Length.DAY)
    await table.act("double")
    await table.finish()
    assert table.paid == [40 * CHIP]
    assert await bank.members.balance(GUILD, 1) == alice.balance + 20 * CHIP
    assert await refused(table.commit(table.staking(alice, 10))) is OnBreak


async def test_r13_2_a_stake_that_lies_before_the_deal_is_played(bank: Bank, table: Dealer, join: Join) -> None:
    alice = await join(1)
    await table.stake(alice, 10)
    await bank.breaks.begin(1, Rest.CHIPS, Length.DAY)
    await table.deal(20.0)
    await table.finish()
    assert await bank.members.balance(GUILD, 1) == alice.balance + 10 * CHIP


async def test_r13_2_a_hand_that_is_over_is_no_hand_that_goes_on(bank: Bank, table: Dealer, join: Join) -> None:
    alice = await join(1)
    await table.round({alice: 10}, 20.0)
    await bank.breaks.begin(1, Rest.CHIPS, Length.DAY)
    over = Account(Kind.ESCROW, GUILD, f"{table.id}/{table.number - 1}")
    assert await refused(table.commit(paying(table, account(alice), over, "stake"))) is OnBreak


async def test_somebody_who_cannot_pay_is_told_of_no_break(bank: Bank, table: Dealer, join: Join) -> None:
    alice = await join(1, chips=5)
    assert await refused(table.commit(table.staking(alice, 10))) is CannotPay


async def test_r13_1_a_prize_arrives(unsound_bank: Bank, join: Join) -> None:
    bank = unsound_bank  # its tournament has no document
    alice, bob = await join(1), await join(2)
    row = TournamentRow(900, GUILD, 70, bob.id, "sign-up", open=True, starts=0.0, doc="{}", version=1)
    pool = Account(Kind.POOL, GUILD, f"900/{bob.id}")
    paid = Transfer("cup/900/in", account(bob), pool, 10 * CHIP, "tournament")
    await bank.tournaments.commit(TournamentChange("entering", row, [paid], [Entry(bob.id, 10 * CHIP)]))
    await bank.breaks.begin(1, Rest.EVERYTHING, Length.FOR_GOOD)
    over = replace(row, phase="over", open=False, version=2)
    prize = Transfer("cup/900/prize", pool, account(alice), 10 * CHIP, "prize")
    await bank.tournaments.commit(TournamentChange("over", over, [prize]))
    assert await bank.members.balance(GUILD, 1) == alice.balance + 10 * CHIP


# -- how long it lasts -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("length", "days"),
    [
        (Length.DAY, 1),
        (Length.WEEK, 7),
        (Length.MONTH, 30),
        (Length.HALF_A_YEAR, 182),
        (Length.YEAR, 365),
        (Length.FOR_GOOD, None),
    ],
)
async def test_r13_1_a_break_lasts_a_day_to_for_good(
    bank: Bank, clock: HandClock, length: Length, days: int | None
) -> None:
    end = await bank.breaks.begin(1, Rest.CHIPS, length)
    assert end == (NEVER if days is None else clock.now() + days * DAY)
    assert (await bank.breaks.of(1)).chips == end


async def test_r13_1_a_break_is_as_long_as_it_says_however_slow_the_machine_is(
    bank: Bank, clock: HandClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    def late(clock: HandClock) -> float:
        clock.time += 0.25
        return clock.time

    monkeypatch.setattr(HandClock, "now", late)
    begun = clock.time + 0.25
    assert await bank.breaks.begin(1, Rest.CHIPS, Length.WEEK) == begun + 7 * DAY


async def test_r13_1_the_longest_break_counts_and_none_makes_another_shorter(bank: Bank, clock: HandClock) -> None:
    begun = clock.now()
    await bank.breaks.begin(1, Rest.CHIPS, Length.YEAR)
    await bank.breaks.begin(1, Rest.EVERYTHING, Length.WEEK)
    resting = await bank.breaks.of(1)
    assert (resting.chips, resting.everything, resting.may_ask) == (begun + 365 * DAY, begun + 7 * DAY, None)
    clock.time += 7 * DAY
    assert await bank.breaks.of(1) == type(resting)(begun + 365 * DAY)


async def test_r13_1_for_good_may_be_asked_to_end_after_a_year_and_ends_thirty_days_later(
    unsound_bank: Bank, clock: HandClock, table: Dealer, join: Join
) -> None:
    bank, alice, begun = unsound_bank, await join(1), clock.now()
    await bank.breaks.begin(1, Rest.CHIPS, Length.FOR_GOOD)
    assert (await bank.breaks.of(1)).may_ask == begun + 365 * DAY
    clock.time = begun + 365 * DAY - 1
    with pytest.raises(TooSoon) as no:
        await bank.breaks.ask_to_end(1)
    assert no.value.again == begun + 365 * DAY
    clock.time += 1
    end = await bank.breaks.ask_to_end(1)
    assert end == clock.now() + 30 * DAY
    assert await bank.breaks.of(1) == type(await bank.breaks.of(2))(end)
    assert await refused(table.commit(table.staking(alice, 10))) is OnBreak
    clock.time = end
    assert await refused(table.commit(table.staking(alice, 10))) is None


async def test_r13_1_of_two_breaks_for_good_none_ends_before_both_are_a_year_old(
    unsound_bank: Bank, clock: HandClock, join: Join
) -> None:
    bank, _ = unsound_bank, await join(1)
    await bank.breaks.begin(1, Rest.EVERYTHING, Length.FOR_GOOD)
    clock.time += 100 * DAY
    await bank.breaks.begin(1, Rest.CHIPS, Length.FOR_GOOD)
    clock.time += 300 * DAY
    assert await refused(bank.breaks.ask_to_end(1)) is TooSoon
    resting = await bank.breaks.of(1)
    assert (resting.chips, resting.everything) == (NEVER, NEVER)
    clock.time += 65 * DAY
    end = await bank.breaks.ask_to_end(1)
    resting = await bank.breaks.of(1)
    assert (resting.chips, resting.everything) == (end, end)


async def test_r13_2_it_is_kept_through_forget_me(unsound_bank: Bank, clock: HandClock, join: Join) -> None:
    bank = unsound_bank
    await join(1), await join(1, guild=ELSEWHERE)
    await bank.breaks.begin(1, Rest.CHIPS, Length.YEAR)
    for guild in (GUILD, ELSEWHERE):
        assert await bank.privacy.forget(guild, 1)
    (row,) = await bank._store.rows(data.base.schema.breaks.select())
    assert row.user_id is None
    assert (await bank.breaks.of(1)).chips == clock.now() + 365 * DAY
    back = await join(1, chips=100)
    table = await Dealer(bank).open()
    assert await refused(table.commit(table.staking(back, 10))) is OnBreak


async def test_the_name_goes_with_the_last_server_only(bank: Bank, join: Join) -> None:
    await join(1), await join(1, guild=ELSEWHERE)
    await bank.breaks.begin(1, Rest.CHIPS, Length.YEAR)
    await bank.privacy.forget(GUILD, 1)
    export = await bank.privacy.export(ELSEWHERE, 1)
    assert export is not None
    assert [sorted(row) for row in export["breaks"]] == [["began_at", "until", "what"]]


# -- races -------------------------------------------------------------------------------------------------------------


async def test_r13_2_a_break_that_another_process_begins_between_stake_and_deal_lets_the_hand_be_played(
    url: str, bank: Bank, clock: HandClock, table: Dealer, join: Join
) -> None:
    """A direct message is served by the process of the first shard, a table by its own."""
    alice = await join(1)
    await table.stake(alice, 10)
    async with Bank.open(url, LENIENT, clock) as other:
        await other.breaks.begin(1, Rest.CHIPS, Length.DAY)
        await table.deal(40.0, play=["double"])
        await other.breaks.begin(1, Rest.EVERYTHING, Length.WEEK)
        await table.act("double")
        await table.finish()
    assert table.paid == [40 * CHIP]
    assert await refused(table.commit(table.staking(alice, 10))) is OnBreak


async def test_r13_2_of_a_stake_and_a_break_at_once_no_stake_comes_after_the_break(
    url: str, unsound_bank: Bank, clock: HandClock, join: Join
) -> None:
    alice = await join(1)
    async with Bank.open(url, LENIENT, clock) as other:
        tables = [await Dealer(unsound_bank).open() for _ in range(6)]
        stakes = [refused(table.commit(table.staking(alice, 10))) for table in tables[:5]]
        await asyncio.gather(*stakes, other.breaks.begin(1, Rest.CHIPS, Length.DAY))
        assert await refused(tables[5].commit(tables[5].staking(alice, 10))) is OnBreak


async def test_an_account_that_opens_while_its_person_begins_a_break_has_the_break(
    url: str, bank: Bank, clock: HandClock
) -> None:
    async with Bank.open(url, LENIENT, clock) as other:
        for user in range(1, 9):
            await asyncio.gather(bank.members.sign_in(GUILD, user), other.breaks.begin(user, Rest.CHIPS, Length.DAY))
            member = await bank.members.sign_in(GUILD, user)
            assert (await bank.members.row(member.id)).resting_until is not None, user


async def test_a_clock_that_jumps_ahead_and_back_ends_no_break(
    bank: Bank, clock: HandClock, table: Dealer, join: Join
) -> None:
    """While it is wrong no stake is taken at all (`data.drivers.watch`); afterwards the break holds as before."""
    alice = await join(1)
    end = await bank.breaks.begin(1, Rest.CHIPS, Length.WEEK)
    clock.time = end + DAY
    assert (await bank.breaks.of(1)).chips is None
    clock.time = end - 6 * DAY
    assert (await bank.breaks.of(1)).chips == end
    assert await refused(table.commit(table.staking(alice, 10))) is OnBreak


async def test_a_house_that_is_down_over_the_end_of_a_break_takes_stakes_when_it_is_back(url: str) -> None:
    clock = HandClock()
    async with Bank.open(url, LENIENT, clock) as bank:
        member = await bank.members.sign_in(GUILD, 1)
        end = await bank.breaks.begin(1, Rest.CHIPS, Length.DAY)
        table = await Dealer(bank).open()
    clock.time = end
    async with Bank.open(url, LENIENT, clock) as bank:
        table.bank = bank
        await table.round({member: 10}, 20.0)
