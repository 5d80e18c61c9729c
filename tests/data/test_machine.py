"""Anything in any order, twice: a model of the bank in a few dictionaries, and the audit after every step."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from data import Bank, Ladder, MustKeep, NotBroke, OverCap, OverReceived, StillPlaying, TooSoon
from engine.games.contract import CHIP, Cents
from engine.tables.ports import AlreadyDone, CannotPay
from engine.tables.values import Member
from tests.conftest import NewBank
from tests.data.dealer import GUILD, LENIENT, Dealer, HandClock, press
from tests.data.servers import Server

DAY = 86_400.0
users = st.integers(1, 4).map(lambda number: 710_000_000_000 + number)
tables = st.integers(0, 2)
chips = st.integers(1, 600)


@dataclass
class Person:
    """The model's knowledge of a member."""

    member: Member
    chips: Cents
    winnings: Cents = 0
    rounds: int = 0
    gifts: list[tuple[float, Cents]] = field(default_factory=list)
    received: list[tuple[float, Cents]] = field(default_factory=list)
    daily_at: float = -10 * DAY
    helped_at: float = -10 * DAY
    streak: int = 0


class BankMachine(RuleBasedStateMachine):
    fresh: ClassVar[Any]  # () -> the address of an empty bank

    def __init__(self) -> None:
        super().__init__()
        self.loop = asyncio.new_event_loop()
        self.clock = HandClock()
        self.people: dict[int, Person] = {}
        self.tables: dict[int, Dealer] = {}
        self.dealt: set[int] = set()
        self.gone: dict[int, float] = {}

    def do(self, deed: Awaitable[Any]) -> Any:
        return self.loop.run_until_complete(deed)

    def refuses(self, deed: Awaitable[Any], *refusals: type[Exception]) -> None:
        with pytest.raises(refusals):
            self.do(deed)

    @initialize()
    def open(self) -> None:
        self.bank: Bank = self.do(Bank.open(type(self).fresh(), LENIENT, self.clock)._open())
        for index in range(3):
            self.tables[index] = self.do(Dealer(self.bank).open())

    def teardown(self) -> None:
        if hasattr(self, "bank"):
            self.do(self.bank.close())
        self.loop.close()

    def person(self, user: int) -> Person:
        """Signs in, for the first time or again."""
        member: Member = self.do(self.bank.members.sign_in(GUILD, user))
        if user not in self.people:
            left = self.gone.get(user)
            start = 0 if left is not None else 1_000 * CHIP
            self.people[user] = Person(member, start)
            if left is not None:
                self.people[user].daily_at = self.people[user].helped_at = left
        return self.people[user]

    def staked(self, person: Person) -> Cents:
        return sum(
            cents
            for table in self.tables.values()
            for member, cents in zip(table.seats, table.staked, strict=True)
            if member.id == person.member.id
        )

    # -- what people do --------------------------------------------------------------------------------------------

    @rule(user=users)
    def sign_in(self, user: int) -> None:
        assert self.person(user).chips == self.do(self.bank.members.balance(GUILD, user))

    @rule(user=users, table=tables, chips=chips)
    def stake(self, user: int, table: int, chips: int) -> None:
        person, at = self.person(user), self.tables[table]
        if table in self.dealt or person.member in at.seats:
            return None
        if chips * CHIP > person.chips:
            return self.refuses(at.stake(person.member, chips), CannotPay)
        self.do(at.stake(person.member, chips))
        person.chips -= chips * CHIP
        return self.again(at)

    @rule(table=tables)
    def deal(self, table: int) -> None:
        if table not in self.dealt and self.tables[table].seats:
            self.do(self.tables[table].deal())
            self.dealt.add(table)
            self.again(self.tables[table])

    @rule(table=tables, seat=st.integers(0, 3), which=st.integers(0, 9))
    def act(self, table: int, seat: int, which: int) -> None:
        live, at = self.tables[table].live, self.tables[table]
        if live is None or seat not in live.asked:
            return None
        legal = live.legal(seat)
        action = legal[which % len(legal)]
        (person,) = (person for person in self.people.values() if person.member.id == at.seats[seat].id)
        more = live.cost(seat, action)
        if more > person.chips:
            return self.refuses(at.act(action, seat=seat), CannotPay)
        self.do(at.act(action, seat=seat))
        person.chips -= more
        self.again(at)
        if live.over:
            self.finish(table)
        return None

    @rule(table=tables)
    def finish(self, table: int) -> None:
        at = self.tables[table]
        if table not in self.dealt:
            return
        sat = list(zip(at.seats, at.staked, strict=True))
        self.do(at.finish())
        for (member, staked), back in zip(sat, at.paid, strict=True):
            (person,) = (person for person in self.people.values() if person.member.id == member.id)
            person.chips += back
            person.winnings += back - staked
            person.rounds += 1
        self.dealt.discard(table)
        self.again(at)

    def again(self, at: Dealer) -> None:
        """The same press comes a second time."""
        assert at.last is not None
        self.refuses(self.bank.tables.commit(at.last), AlreadyDone)

    @rule(giver=users, receiver=users, chips=chips)
    def give(self, giver: int, receiver: int, chips: int) -> None:
        one, other, number = self.person(giver), self.person(receiver), press()
        if giver == receiver:
            return None
        now, cents = self.clock.now(), chips * CHIP
        given = sum(amount for at, amount in one.gifts if at > now - DAY)
        received = sum(amount for at, amount in other.received if at > now - DAY)
        gift = self.bank.chips.give(one.member.id, other.member.id, cents, number)
        if cents > one.chips:
            return self.refuses(gift, CannotPay)
        if one.chips - cents < 100 * CHIP:
            return self.refuses(gift, MustKeep)
        if given + cents > 1_000 * CHIP:
            return self.refuses(gift, OverCap)
        if received + cents > 1_000 * CHIP:
            return self.refuses(gift, OverReceived)
        self.do(gift)
        one.chips, other.chips = one.chips - cents, other.chips + cents
        one.gifts.append((now, cents))
        other.received.append((now, cents))
        return self.refuses(self.bank.chips.give(one.member.id, other.member.id, cents, number), AlreadyDone, CannotPay)

    @rule(user=users)
    def daily(self, user: int) -> None:
        person, now = self.person(user), self.clock.now()
        if now < person.daily_at + 20 * 3_600:
            return self.refuses(self.bank.chips.daily(person.member.id, press()), TooSoon)
        person.streak = person.streak + 1 if now <= person.daily_at + 68 * 3_600 else 1
        amount = 20 * (9 + min(person.streak, 11)) * CHIP
        assert self.do(self.bank.chips.daily(person.member.id, press())).amount == amount
        person.chips += amount
        person.daily_at = now
        return None

    @rule(user=users)
    def help(self, user: int) -> None:
        person, now = self.person(user), self.clock.now()
        help = self.bank.chips.help(person.member.id, press())
        if now < person.helped_at + 3_600:
            return self.refuses(help, TooSoon)
        if person.chips >= 10 * CHIP or self.staked(person):
            return self.refuses(help, NotBroke)
        self.do(help)
        person.chips += 50 * CHIP
        person.helped_at = now
        return None

    @rule(user=users, chips=chips, order=st.sampled_from(["grant", "take"]))
    def order(self, user: int, chips: int, order: str) -> None:
        person, cents = self.person(user), chips * CHIP
        give = getattr(self.bank.chips, order)
        deed = give(person.member.id, cents, actor=person.member.id, reason="model", press=press())
        if order == "take" and cents > person.chips:
            return self.refuses(deed, CannotPay)
        person.chips += cents if order == "grant" else -cents
        assert self.do(deed) == person.chips
        return None

    @rule(user=users)
    def forget(self, user: int) -> None:
        if user not in self.people:
            return None
        if self.staked(self.people[user]):
            return self.refuses(self.bank.privacy.forget(GUILD, user), StillPlaying)
        assert self.do(self.bank.privacy.forget(GUILD, user))
        del self.people[user]
        self.gone[user] = self.clock.now()
        return None

    @rule(hours=st.integers(1, 60))
    def wait(self, hours: int) -> None:
        self.clock.time += hours * 3_600

    # -- what must hold --------------------------------------------------------------------------------------------

    @precondition(lambda self: hasattr(self, "bank"))
    @invariant()
    def the_audit_is_clean(self) -> None:
        assert [str(fault) for fault in self.do(self.bank.auditor.audit()).faults] == []

    @precondition(lambda self: self.people)
    @invariant()
    def balances_are_the_models(self) -> None:
        numbers = [person.member.id for person in self.people.values()]
        assert self.do(self.bank.members.balances(numbers)) == {
            person.member.id: person.chips for person in self.people.values()
        }

    @rule(user=users)
    def chips_in_play_are_the_models(self, user: int) -> None:
        person = self.person(user)
        assert self.do(self.bank.members.in_play(person.member.id)) == self.staked(person)

    @rule(user=users)
    def places_are_the_models(self, user: int) -> None:
        person = self.person(user)
        richer = [other for other in self.people.values() if other.chips > person.chips]
        board = self.do(self.bank.ladders.leaderboard(GUILD, Ladder.CHIPS, user=user))
        assert (board.own.place, board.people) == (1 + len(richer), len(self.people))
        luckier = sorted((person.winnings for person in self.people.values() if person.rounds), reverse=True)
        board = self.do(self.bank.ladders.leaderboard(GUILD, Ladder.WINNINGS))
        assert [row.value for row in board.rows] == luckier


def machine(fresh: Any) -> type[BankMachine]:
    return type("BankMachine", (BankMachine,), {"fresh": staticmethod(fresh), "TestCase": None})


def check(fresh: Any, *, examples: int, steps: int) -> None:
    checks = [HealthCheck.too_slow, HealthCheck.data_too_large]
    run_state_machine_as_test(
        machine(fresh),
        settings=settings(max_examples=examples, stateful_step_count=steps, suppress_health_check=checks),
    )


@pytest.fixture
def banks(tmp_path: Path, new_bank: NewBank) -> Callable[[], str]:
    numbers = itertools.count()
    return lambda: new_bank(tmp_path / f"{next(numbers)}.db")


@pytest.mark.parametrize("examples", [4, pytest.param(30, marks=pytest.mark.slow)])
def test_anything_in_any_order_on_sqlite(banks: Callable[[], str], examples: int) -> None:
    check(banks, examples=examples, steps=40)


@pytest.mark.parametrize("examples", [2, pytest.param(15, marks=pytest.mark.slow)])
def test_anything_in_any_order_on_postgresql(server: Server, examples: int) -> None:
    check(lambda: asyncio.run(server.new()), examples=examples, steps=30)


@pytest.mark.long
def test_anything_in_any_order_for_an_hour(banks: Callable[[], str], server: Server) -> None:
    check(banks, examples=1_500, steps=60)
    check(lambda: asyncio.run(server.new()), examples=300, steps=60)
