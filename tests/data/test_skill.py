"""Grades and mistakes in the bank: each round once, what somebody could pay at each step, and when to ask again."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
import sqlalchemy as sa

from data import Bank, Graded, MemberSettings, Missed, Wrong
from data.seasons.member_days import DAY
from engine.games.contract import CHIP
from engine.tables.rebuilt import record_of
from engine.tables.values import Member, StoredRound
from tests.data.by_hand import by_hand, would_find
from tests.data.conftest import Join
from tests.data.dealer import GUILD, NOW, Dealer, HandClock, press
from tests.data.seated import Seated


def grade(member: Member, number: int = 1, table: int = 1, **more: Any) -> Graded:
    """The grade of a round in which ten chips were won."""
    return Graded(table, number, member.id, NOW, net=10 * CHIP, expected=0.0, **more)


def missed(member: Member, place: int, loss: float, table: int, number: int = 1) -> Missed:
    return Missed(table, number, place, member.id, NOW, loss, {"hand": ["Ts", "6s"]}, due=NOW)


async def rounds(bank: Bank, table: Dealer, member: Member, count: int) -> list[int]:
    """Finish this many rounds with ten chips won in each, and return their numbers."""
    numbers = []
    for _ in range(count):
        numbers.append(table.number)
        await table.round({member: 10}, 20)
    return numbers


# -- what is to be graded ----------------------------------------------------------------------------------------------


async def test_finished_rounds_wait_for_a_grade_the_newest_first_and_only_once(
    bank: Bank, join: Join, table: Dealer, clock: HandClock
) -> None:
    alice = await join(1)
    (first, second) = await rounds(bank, table, alice, 2)
    found = await bank.grades.ungraded(NOW, 0.0, 10)
    assert {(one.table, one.number) for one in found} == {(table.id, first), (table.id, second)}
    assert {one.guild for one in found} == {GUILD}
    await bank.grades.keep(grade(alice, second, table.id))
    assert [one.number for one in await bank.grades.ungraded(NOW, 0.0, 10)] == [first]
    assert [one.number for one in await bank.grades.ungraded_of(alice.id, 10)] == [first]
    assert await bank.grades.ungraded(NOW - 1, 0.0, 10) == ()
    assert await bank.grades.ungraded(NOW, NOW, 10) == ()


async def test_a_process_sees_the_rounds_of_its_own_shards(bank: Bank, join: Join, table: Dealer) -> None:
    await rounds(bank, table, await join(1), 1)
    mine = (GUILD >> 22) % 4
    assert await bank.grades.ungraded(NOW, 0.0, 10, [mine], 4)
    assert not await bank.grades.ungraded(NOW, 0.0, 10, {0, 1, 2, 3} - {mine}, 4)


async def test_a_round_that_is_being_played_is_nobodys_to_grade(bank: Bank, join: Join, table: Dealer) -> None:
    await table.stake(await join(1), 10)
    await table.deal()
    assert await bank.grades.finished_round(table.id, table.number) is None
    assert await bank.grades.ungraded(NOW, 0.0, 10) == ()
    await table.finish()


# -- purses ------------------------------------------------------------------------------------------------------------


async def last_round(bank: Bank, seated: Seated) -> StoredRound:
    stored = await bank.grades.finished_round(seated.table.id, seated.table.state.round)
    assert stored is not None
    return stored


async def forget_purses(bank: Bank) -> None:
    """Write the steps as the first release did, without purses."""
    async with bank._store.rewriting() as connection:
        await connection.execute(sa.text("UPDATE steps SET purse = NULL"))


async def hand(bank: Bank, clock: HandClock) -> Seated:
    """A hand in which Alice, who had 1,000 chips, staked ten and was asked something."""
    seated = await Seated(bank, clock).sit()
    for _ in range(20):
        await seated.stake()
        await seated.stand()
        stored = await last_round(bank, seated)
        if record_of(stored).steps:
            return seated
    raise AssertionError("nobody was asked anything in 20 hands")


async def test_each_step_keeps_what_the_seat_could_pay(bank: Bank, clock: HandClock) -> None:
    seated = await hand(bank, clock)
    stored = await last_round(bank, seated)
    assert all(purse is not None and purse < 1_100 * CHIP for purse in stored.purses)
    assert await bank.grades.purses(GUILD, stored, 0) == stored.purses
    await seated.over()


async def test_where_no_purse_was_written_down_the_ledger_tells_it(bank: Bank, clock: HandClock) -> None:
    seated = await hand(bank, clock)
    written = (await last_round(bank, seated)).purses
    await forget_purses(bank)
    assert await bank.grades.purses(GUILD, await last_round(bank, seated), 0) == written
    await seated.over()


async def test_where_other_chips_came_meanwhile_nobody_knows(bank: Bank, clock: HandClock) -> None:
    """A gift in the middle of the hand: before or after which step?"""
    seated = await Seated(bank, clock).sit()
    alice, number = await bank.members.sign_in(GUILD, 1), 0
    for _ in range(20):
        await seated.stake()
        if seated.table.snapshot().settlement is None:
            await bank.chips.grant(alice.id, 5 * CHIP, actor=alice.id, reason="a gift", press=press())
            number = seated.table.state.round
        await seated.stand()
        if number:
            break
    await forget_purses(bank)
    stored = await last_round(bank, seated)
    assert stored.number == number
    assert set(await bank.grades.purses(GUILD, stored, 0)) == {None}
    await seated.over()


# -- grades ------------------------------------------------------------------------------------------------------------


async def test_grades_are_summed_up_and_told_in_stretches(bank: Bank, join: Join, table: Dealer) -> None:
    alice = await join(1)
    for place, returned in enumerate((0, 10, 20, 25, 10)):
        number = table.number
        await table.round({alice: 10}, returned)
        if place < 4:
            graded = grade(alice, number, table.id, given_away=1.5, decisions=2, right=1)
            await bank.grades.keep(replace(graded, net=(returned - 10) * CHIP, expected=-3.5 if place else None))
    skill = await bank.grades.skill(alice.id)
    assert (skill.hands, skill.known, skill.waiting) == (4, 3, 1)
    assert (skill.net, skill.best, skill.worst, skill.measured) == (1_500, 1_500, -1_000, 2_500)
    assert (skill.expected, skill.given_away) == (pytest.approx(-10.5), pytest.approx(6.0))
    assert (skill.decisions, skill.right) == (8, 4)
    stretches = await bank.grades.plot(alice.id, 2)
    assert [(part.net, part.expected) for part in stretches] == [(1_000, -7.0), (1_500, -3.5)]
    assert [part.net for part in await bank.grades.plot(alice.id, 100)] == [0, 1_000, 1_500]


async def test_a_day_that_counts_a_grade_twice_or_not_at_all_is_found(bank: Bank, join: Join, table: Dealer) -> None:
    alice = await join(1)
    (number,) = await rounds(bank, table, alice, 1)
    await bank.grades.keep(grade(alice, number, table.id))
    for change in ("UPDATE member_days SET hands = hands + 1", "DELETE FROM member_days", "DELETE FROM grades"):
        assert (Wrong.GRADES, f"member/{alice.id}") in await would_find(bank, change), change


async def test_after_thousands_of_hands_the_plot_goes_by_days(
    bank: Bank, join: Join, table: Dealer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Three days of one, two and three hands: two points hold a day's end each, and about as many hands."""
    monkeypatch.setattr("data.coach.grades._MANY", 5)
    alice = await join(1)
    for day, hands in enumerate((1, 2, 3)):
        monkeypatch.setattr("tests.data.dealer.NOW", NOW + day * DAY)
        for _ in range(hands):
            number = table.number
            await table.round({alice: 10}, 20)
            await bank.grades.keep(replace(grade(alice, number, table.id), at=NOW + day * DAY, expected=-5.0))
    points = await bank.grades.plot(alice.id, 2)
    assert [(point.net, point.expected) for point in points] == [(3_000, -15.0), (3_000, -15.0)]
    assert [point.at for point in points] == [(NOW // DAY + 2) * DAY, (NOW // DAY + 3) * DAY]
    assert [point.net for point in await bank.grades.plot(alice.id, 100)] == [1_000, 2_000, 3_000]


async def test_rounds_are_graded_the_newest_first_and_no_older_ones(
    unsound_bank: Bank, join: Join, table: Dealer
) -> None:
    bank, alice = unsound_bank, await join(1)
    await rounds(bank, table, alice, 3)
    await by_hand(bank, f"UPDATE plays SET at = {NOW} + CASE number WHEN 1 THEN 1 WHEN 2 THEN 2 ELSE 0 END")
    for found, numbers in (
        (await bank.grades.ungraded(NOW + 9, 0.0, 10), [2, 1, 3]),
        (await bank.grades.ungraded(NOW + 9, 0.0, 2), [2, 1]),
        (await bank.grades.ungraded(NOW + 1, NOW, 10), [1]),
        (await bank.grades.ungraded_of(alice.id, 2), [2, 1]),
    ):
        assert [each.number for each in found] == numbers


async def test_a_page_of_rounds_may_end_between_two_that_ended_in_the_same_instant(
    bank: Bank, join: Join, table: Dealer
) -> None:
    played = await rounds(bank, table, await join(1), 3)
    found = await bank.grades.ungraded(NOW, 0.0, 1)
    for _ in played:
        found += await bank.grades.ungraded(NOW, 0.0, 1, after=found[-1])
    assert [each.number for each in found] == played[::-1]
    assert {each.at for each in found} == {NOW}


async def test_mistakes_are_told_the_costliest_first_and_of_equal_ones_the_oldest(
    unsound_bank: Bank, join: Join, table: Dealer
) -> None:
    bank, alice = unsound_bank, await join(1)
    for number, loss, at, due in ((1, 5.0, 3, 0), (2, 9.0, 2, 0), (3, 5.0, 1, 0), (4, 50.0, 4, 1)):
        await rounds(bank, table, alice, 1)
        one = replace(missed(alice, 0, loss, table.id, number), at=NOW + at, due=NOW + due)
        await bank.grades.keep(replace(grade(alice, number, table.id), at=NOW + at), [one])
    for found in (await bank.mistakes.costliest(alice.id, 3), await bank.mistakes.of_person(1, 3)):
        assert [one.number for one in found] == [4, 2, 3]
    for now, costliest, due in ((NOW - 1, None, 0), (NOW, 2, 3), (NOW + 1, 4, 4)):
        found_one, count = await bank.mistakes.to_try(alice.id, now)
        assert (found_one.number if found_one is not None else None, count) == (costliest, due)


async def test_who_never_played_has_no_grades(bank: Bank, join: Join) -> None:
    skill = await bank.grades.skill((await join(1)).id)
    assert (skill.hands, skill.waiting, skill.net, skill.decisions) == (0, 0, 0, 0)


async def test_a_grade_that_comes_twice_counts_once(bank: Bank, join: Join, table: Dealer) -> None:
    alice = await join(1)
    (number,) = await rounds(bank, table, alice, 1)
    for _ in range(2):
        await bank.grades.keep(grade(alice, number, table.id, decisions=1), [missed(alice, 0, 5.0, table.id, number)])
    assert (await bank.grades.skill(alice.id)).decisions == 1
    assert len(await bank.mistakes.costliest(alice.id, 10)) == 1


async def test_a_grade_of_an_older_valuation_waits_to_be_worked_out_again(
    bank: Bank, join: Join, table: Dealer
) -> None:
    alice = await join(1)
    first, second = await rounds(bank, table, alice, 2)
    await bank.grades.keep(grade(alice, first, table.id, valuation=1))
    await bank.grades.keep(grade(alice, second, table.id, valuation=2))
    for found in (
        await bank.grades.ungraded(NOW, 0.0, 10, valuation=2),
        await bank.grades.ungraded_of(alice.id, 10, valuation=2),
    ):
        assert [one.number for one in found] == [first]
    skill = await bank.grades.skill(alice.id, valuation=2)
    assert (skill.hands, skill.waiting, skill.outdated) == (2, 0, 1)
    assert (await bank.grades.skill(alice.id, valuation=3)).outdated == 2


async def test_a_better_grade_takes_the_place_of_the_older_one_and_of_its_mistakes(
    bank: Bank, join: Join, table: Dealer
) -> None:
    """One mistake turns out not to be one; one costs less, and is still asked again when it was to be; one is new."""
    alice = await join(1)
    (number,) = await rounds(bank, table, alice, 1)
    was = [missed(alice, place, loss, table.id, number) for place, loss in ((0, 92.0), (1, 30.0))]
    await bank.grades.keep(grade(alice, number, table.id, given_away=122.0, decisions=3, right=1), was)
    await bank.mistakes.learn(replace(was[0], due=NOW + 60, streak=2), was[0].due)
    now = [missed(alice, place, loss, table.id, number) for place, loss in ((0, 51.0), (2, 7.0))]
    better = grade(alice, number, table.id, given_away=58.0, decisions=3, right=1, valuation=2)
    await bank.grades.keep(better, now)
    skill = await bank.grades.skill(alice.id, valuation=2)
    assert (skill.hands, skill.given_away, skill.outdated) == (1, 58.0, 0)
    kept = await bank.mistakes.costliest(alice.id, 10)
    assert [(one.place, one.loss, one.due, one.streak) for one in kept] == [(0, 51.0, NOW + 60, 2), (2, 7.0, NOW, 0)]


# -- mistakes ----------------------------------------------------------------------------------------------------------


async def test_the_costliest_mistake_that_is_due_is_asked_first(bank: Bank, join: Join, table: Dealer) -> None:
    alice = await join(1)
    (number,) = await rounds(bank, table, alice, 1)
    slips = [missed(alice, place, loss, table.id, number) for place, loss in enumerate((10.0, 300.0, 20.0))]
    await bank.grades.keep(grade(alice, number, table.id), slips)
    assert [one.loss for one in await bank.mistakes.costliest(alice.id, 2)] == [300.0, 20.0]
    first, due = await bank.mistakes.to_try(alice.id, NOW)
    assert first is not None
    assert (first.loss, first.doc, due) == (300.0, {"hand": ["Ts", "6s"]}, 3)
    await bank.mistakes.learn(replace(first, due=NOW + 60, streak=1), first.due)
    second, due = await bank.mistakes.to_try(alice.id, NOW)
    assert second is not None
    assert (second.loss, due) == (20.0, 2)
    again = await bank.mistakes.one(alice.id, table.id, number, first.place)
    assert again is not None
    assert (again.streak, again.due) == (1, NOW + 60)


async def test_of_two_answers_to_a_hand_at_the_same_time_only_the_first_counts(
    bank: Bank, join: Join, table: Dealer
) -> None:
    alice = await join(1)
    (number,) = await rounds(bank, table, alice, 1)
    await bank.grades.keep(grade(alice, number, table.id), [missed(alice, 0, 5.0, table.id, number)])
    asked = await bank.mistakes.one(alice.id, table.id, number, 0)
    assert asked is not None
    for due, streak in ((NOW + 86_400, 1), (NOW + 600, 0)):
        await bank.mistakes.learn(replace(asked, due=due, streak=streak), asked.due)
    (kept,) = await bank.mistakes.costliest(alice.id, 10)
    assert (kept.due, kept.streak) == (NOW + 86_400, 1)


async def test_nobody_tries_anothers_mistakes(bank: Bank, join: Join, table: Dealer) -> None:
    alice, bob = await join(1), await join(2)
    (number,) = await rounds(bank, table, alice, 1)
    await bank.grades.keep(grade(alice, number, table.id), [missed(alice, 0, 5.0, table.id, number)])
    assert await bank.mistakes.one(bob.id, table.id, number, 0) is None
    assert await bank.mistakes.to_try(bob.id, NOW) == (None, 0)


# -- who is forgotten --------------------------------------------------------------------------------------------------


async def test_who_is_forgotten_leaves_no_grades_and_gets_none(bank: Bank, join: Join, table: Dealer) -> None:
    alice = await join(1)
    (first, second) = await rounds(bank, table, alice, 2)
    await bank.grades.keep(grade(alice, first, table.id), [missed(alice, 0, 5.0, table.id, first)])
    exported = await bank.privacy.export(GUILD, 1)
    assert exported is not None
    assert (len(exported["grades"]), len(exported["mistakes"])) == (1, 1)
    await bank.members.keep_settings(alice.id, MemberSettings(warnings=True))
    await table.close()
    assert await bank.privacy.forget(GUILD, 1)
    await bank.grades.keep(grade(alice, second, table.id), [missed(alice, 0, 5.0, table.id, second)])
    assert (await bank.grades.skill(alice.id)).hands == 0
    assert await bank.mistakes.costliest(alice.id, 10) == ()
    assert await bank.grades.ungraded(NOW, 0.0, 10) == ()
    assert (await bank.members.settings(alice.id)).warnings is False
