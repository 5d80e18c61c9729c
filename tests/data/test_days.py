"""Today's five in the bank (R11): prepared ahead, one try a person, boards, streaks, the archive, the book."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest
import sqlalchemy as sa

from data import Bank, Length, Rest, Wishes
from data.base.errors import DayClosed, PlayedBefore
from data.base.set_tables import tries
from data.journal.public_days import MARGIN
from data.proofs.report import Wrong
from data.sets import boards
from engine.fairness.chain import LENGTH
from engine.fairness.days import verify_day
from engine.sets.calendar import DAY, closes, day_at, opens, public_from
from engine.sets.choosing import SetDeal
from engine.sets.streaks import Streak
from engine.tables.ports import StillSecret
from tests.data.by_hand import would_find
from tests.data.dealer import GUILD, LENIENT, HandClock
from tests.data.fives import (
    ROOT,
    by_level,
    first_day,
    next_day,
    one_root,
    perfect,
    play,
    prepare,
    prepared,
    press,
    today,
)

ADA, BEN, CLEO = 218_000_000_000_000_001, 218_000_000_000_000_002, 218_000_000_000_000_003
ELSEWHERE, FAR_AWAY = GUILD + (1 << 22), GUILD + (2 << 22)


# -- preparing ---------------------------------------------------------------------------------------------------------


async def test_r11_1_the_first_day_is_the_first_whole_one_and_two_days_are_prepared_ahead(
    bank: Bank, clock: HandClock
) -> None:
    bank.days.chance = one_root
    assert await bank.days.today() is None
    assert await bank.days.first_day() is None
    started = day_at(clock.now())
    assert await prepare(bank) == [started + 1, started + 2]
    assert await bank.days.today() is None
    assert await bank.days.first_day() == started + 1
    clock.time = opens(started + 1)
    day = await bank.days.today()
    assert day is not None
    assert (day.day, day.number) == (started + 1, 1)
    assert await prepare(bank) == [started + 3]


async def test_r11_1_a_chain_may_begin_with_today_once(bank: Bank, clock: HandClock) -> None:
    bank.days.chance = one_root
    started = day_at(clock.now())
    await bank.days.begin_today()
    assert await prepare(bank) == [started, started + 1, started + 2]
    day = await bank.days.today()
    assert day is not None
    assert (day.day, day.number, day.link) == (started, 1, 1)
    clock.time = opens(started + 1)
    await bank.days.begin_today()
    assert await bank.days.first_day() == started
    assert await prepare(bank) == [started + 3]
    assert (await bank.auditor.audit()).clean


async def test_r11_7_the_chain_is_promised_before_its_first_day(bank: Bank, clock: HandClock) -> None:
    assert await bank.days.promise() is None
    await bank.days.to_prepare()
    promise = await bank.days.promise()
    assert promise is not None
    assert opens(promise.first_day) > clock.now()
    day = await first_day(bank, clock)
    assert day.tip == promise.tip


async def test_a_day_that_two_prepare_at_once_is_kept_once(bank: Bank, clock: HandClock) -> None:
    bank.days.chance = one_root
    one, other = await asyncio.gather(bank.days.to_prepare(), bank.days.to_prepare())
    assert one is not None
    assert one == other
    await asyncio.gather(*(bank.days.keep(one, prepared(one)) for _ in range(2)))
    assert (await bank.days.on(one.day)) is not None


async def test_days_that_nobody_prepared_are_made_up_for_in_their_order(bank: Bank, clock: HandClock) -> None:
    day = await first_day(bank, clock)
    clock.time += 4 * DAY
    assert await prepare(bank) == list(range(day.day + 3, day.day + 7))
    later = await bank.days.on(day.day + 3)
    assert later is not None
    assert later.number == 4


async def test_r11_3_four_weeks_are_kept_apart_in_the_bank_too(bank: Bank, clock: HandClock) -> None:
    day = await first_day(bank, clock)
    clock.time += 14 * DAY
    await prepare(bank)
    weeks = [await bank.days.on(day.day + 7 * week) for week in range(3)]
    asked = [set(week.prepared.situations) for week in weeks if week is not None]
    assert len(asked) == 3
    assert len(asked[0] | asked[1] | asked[2]) == 15


async def test_r11_3_a_day_asks_nothing_that_its_weekday_asked_in_just_four_weeks(
    unsound_bank: Bank, clock: HandClock
) -> None:
    bank = unsound_bank
    day = await first_day(bank, clock)
    clock.time += 35 * DAY
    while (missing := await bank.days.to_prepare()) is not None and missing.day < day.day + 35:
        await bank.days.keep(missing, replace(day.prepared, deals=(SetDeal(1, f"day {missing.day}"),)))
    assert missing is not None
    assert missing.before == tuple((f"day {missing.day - 7 * week}",) for week in range(1, 5))


async def test_r11_7_a_day_on_paper_is_handed_out_after_the_sixty_minutes_and_fits(
    bank: Bank, clock: HandClock
) -> None:
    day = await first_day(bank, clock)
    stored = await play(bank, day, ADA, perfect(day))
    clock.time = public_from(day.day) - 1
    with pytest.raises(StillSecret):
        await bank.days.on_paper(day.day)
    clock.time = public_from(day.day)
    paper = await bank.days.on_paper(day.day, stored.person)
    assert paper.played is not None
    assert paper.played.points == 100_00
    assert all(check.fits for check in verify_day(paper, solver=True))


# -- a try -------------------------------------------------------------------------------------------------------------


async def test_each_press_is_stored_and_a_try_goes_on_where_it_stood(bank: Bank, clock: HandClock) -> None:
    day = await first_day(bank, clock)
    stored = await bank.tries.begin(day, ADA)
    for action in perfect(day):
        kept = await press(bank, day, stored, action)
        again = await bank.days.get(day.id)
        assert again is not None
        found = await bank.tries.find(again, kept.person)
        assert found == kept
        stored = kept
    assert stored.points == 100_00
    assert stored.finished_at == clock.now()
    assert (await bank.tries.begin(day, ADA)) == stored


async def test_r11_6_of_two_presses_at_once_one_counts(bank: Bank, clock: HandClock) -> None:
    day = await first_day(bank, clock)
    stored = await bank.tries.begin(day, ADA)
    action = perfect(day)[0]
    done = await asyncio.gather(*(press(bank, day, stored, action) for _ in range(5)), return_exceptions=True)
    assert sorted(type(each).__name__ for each in done) == ["OutdatedTry"] * 4 + ["StoredTry"]


async def test_r11_6_two_who_begin_at_once_have_one_try(bank: Bank, clock: HandClock) -> None:
    day = await first_day(bank, clock)
    one, other = await asyncio.gather(bank.tries.begin(day, ADA), bank.tries.begin(day, ADA))
    assert one == other


async def test_r11_1_a_try_begun_in_time_may_be_finished_for_sixty_minutes_and_no_longer(
    bank: Bank, clock: HandClock
) -> None:
    day = await first_day(bank, clock)
    clock.time = closes(day.day) - 1
    ada, ben = await bank.tries.begin(day, ADA), await bank.tries.begin(day, BEN)
    clock.time = closes(day.day)
    with pytest.raises(DayClosed):
        await bank.tries.begin(day, CLEO)
    clock.time = public_from(day.day) - 1
    for action in perfect(day):
        ada = await press(bank, day, ada, action)
    assert ada.points == 100_00
    clock.time = public_from(day.day)
    with pytest.raises(DayClosed):
        await press(bank, day, ben, perfect(day)[0])


async def test_nothing_can_be_begun_before_its_day(bank: Bank, clock: HandClock) -> None:
    day = await first_day(bank, clock)
    tomorrow = await bank.days.on(day.day + 1)
    assert tomorrow is not None
    for begin in (bank.tries.begin, bank.tries.begin_later):
        with pytest.raises(DayClosed):
            await begin(tomorrow, ADA)


async def test_r11_7_a_root_is_shown_a_day_after_the_last_day_of_its_chain(bank: Bank, clock: HandClock) -> None:
    """Until then tries of that day may still be finished."""
    day = await first_day(bank, clock)
    last = day.day + LENGTH - 1
    for moment, root in ((opens(last + 2) - 1, None), (opens(last + 2), ROOT)):
        clock.time = moment
        await bank.days.end_used_up()
        assert (await bank.days.on_paper(day.day)).root == root


async def test_r11_7_the_next_chain_begins_the_day_after_the_last_day_of_the_one_before(
    unsound_bank: Bank, clock: HandClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    bank = unsound_bank
    day = await first_day(bank, clock)
    monkeypatch.setattr("data.sets.days.LENGTH", 3)
    bank.days.chance = bytes
    days = list[tuple[int, int]]()
    clock.time += 2 * DAY
    while (missing := await bank.days.to_prepare()) is not None:
        await bank.days.keep(missing, day.prepared)
        days.append((missing.day - day.day, missing.link))
    assert days == [(3, 1), (4, 2)]


async def test_a_try_takes_less_than_a_kibibyte(bank: Bank, clock: HandClock) -> None:
    day = await first_day(bank, clock)
    await play(bank, day, ADA, by_level(day, "amateur"))
    row = await bank._store.row(sa.select(tries))
    assert row is not None
    assert len(str(tuple(row))) < 256


# -- boards ------------------------------------------------------------------------------------------------------------


async def test_r11_6_a_person_stands_where_they_pressed_and_equal_points_share_a_place(
    bank: Bank, clock: HandClock
) -> None:
    day = await first_day(bank, clock)
    best, other = perfect(day), by_level(day, "amateur")
    await play(bank, day, ADA, best, GUILD, ELSEWHERE)
    await play(bank, day, BEN, best, GUILD)
    cleo = await play(bank, day, CLEO, other, GUILD)
    board = await bank.boards.of_day(GUILD, day, person=cleo.person)
    assert [(row.place, row.user) for row in board.rows] == [(1, ADA), (1, BEN), (3, CLEO)]
    assert board.own == board.rows[2]
    assert board.people == 3
    there = await bank.boards.of_day(ELSEWHERE, day, person=cleo.person)
    assert [row.user for row in there.rows] == [ADA]
    assert there.own is None


async def test_r13_5_who_is_hidden_stands_on_no_board_and_no_place_is_missing(bank: Bank, clock: HandClock) -> None:
    day = await first_day(bank, clock)
    ben = await play(bank, day, BEN, perfect(day), GUILD)
    cleo = await play(bank, day, CLEO, by_level(day, "amateur"), GUILD)
    await bank.wishes.keep(BEN, Wishes(hidden=True))
    for board in (
        await bank.boards.of_day(GUILD, day, person=ben.person),
        await bank.boards.of_week(GUILD, day.day, user=BEN),
    ):
        assert [(row.place, row.user) for row in board.rows] == [(1, CLEO)]
        assert (board.people, board.own) == (1, None)
    await bank.wishes.keep(BEN, Wishes())
    board = await bank.boards.of_day(GUILD, day, person=cleo.person)
    assert [(row.place, row.user) for row in board.rows] == [(1, BEN), (2, CLEO)]


async def test_r11_6_a_finished_try_stands_on_a_server_where_it_is_looked_at_later(
    bank: Bank, clock: HandClock
) -> None:
    day = await first_day(bank, clock)
    ada = await play(bank, day, ADA, perfect(day))
    assert (await bank.boards.of_day(GUILD, day)).rows == ()
    await bank.tries.stand(day, ada.person, GUILD)
    assert [row.points for row in (await bank.boards.of_day(GUILD, day)).rows] == [100_00]
    clock.time = public_from(day.day) - 1
    await bank.tries.stand(day, ada.person, ELSEWHERE)
    assert len((await bank.boards.of_day(ELSEWHERE, day)).rows) == 1
    clock.time = public_from(day.day)
    await bank.tries.stand(day, ada.person, FAR_AWAY)
    assert (await bank.boards.of_day(FAR_AWAY, day)).rows == ()


async def test_r11_1_who_has_not_finished_is_named_last_and_has_no_points(bank: Bank, clock: HandClock) -> None:
    day = await first_day(bank, clock)
    await play(bank, day, ADA, perfect(day), GUILD)
    await play(bank, day, BEN, perfect(day)[:3], GUILD)
    assert [row.user for row in (await bank.boards.of_day(GUILD, day)).rows] == [ADA]
    assert await bank.boards.unfinished(GUILD, day) == (BEN,)


async def test_r13_5_who_is_hidden_is_not_named_among_those_who_have_not_finished(bank: Bank, clock: HandClock) -> None:
    day = await first_day(bank, clock)
    await play(bank, day, BEN, [], GUILD)
    await bank.wishes.keep(BEN, Wishes(hidden=True))
    assert await bank.boards.unfinished(GUILD, day) == ()


async def test_pages_of_a_board_count_places_through(bank: Bank, clock: HandClock) -> None:
    day = await first_day(bank, clock)
    ways = perfect(day), by_level(day, "amateur")
    for user in range(1, 24):
        await play(bank, day, user, ways[user > 12], GUILD)
    second = await bank.boards.of_day(GUILD, day, page=1)
    assert (second.page, second.pages, second.people) == (1, 3, 23)
    assert [row.place for row in second.rows] == [1, 1, *[13] * 8]
    assert (await bank.boards.of_day(GUILD, day, page=99)).page == 2


async def test_the_week_adds_up_a_persons_days(bank: Bank, clock: HandClock) -> None:
    day = await first_day(bank, clock)
    while day.day % 7 != 4:  # 1 January 1970 was a Thursday: a Monday
        day = await next_day(bank, clock)
    await play(bank, day, ADA, perfect(day), GUILD)
    await play(bank, day, BEN, by_level(day, "amateur"), GUILD)
    points = (await bank.boards.of_day(GUILD, day)).rows[1].points
    day = await next_day(bank, clock)
    await play(bank, day, BEN, perfect(day), GUILD)
    board = await bank.boards.of_week(GUILD, day.day, user=ADA)
    assert [(row.place, row.user, row.points, row.days) for row in board.rows] == [
        (1, BEN, points + 100_00, 2),
        (2, ADA, 100_00, 1),
    ]
    assert board.own == board.rows[1]
    assert (await bank.boards.of_week(GUILD, day.day + 7)).rows == ()
    while day.day % 7 != 4:
        day = await next_day(bank, clock)
    await play(bank, day, BEN, perfect(day), GUILD)
    assert [row.points for row in (await bank.boards.of_week(GUILD, day.day)).rows] == [100_00]
    assert (await bank.auditor.audit()).clean


async def test_r11_6_shares_are_told_from_twenty_finished_tries_on(bank: Bank, clock: HandClock) -> None:
    day = await first_day(bank, clock)
    for user in range(1, 20):
        await play(bank, day, user, perfect(day))
    assert await bank.boards.shares(day) is None
    clock.time += 61
    await play(bank, day, 20, perfect(day))
    counts = await bank.boards.shares(day)
    assert counts is not None
    assert sum(counts[0, ""].values()) == 20


# -- streaks -----------------------------------------------------------------------------------------------------------


async def test_r11_8_days_of_a_break_are_neutral(bank: Bank, clock: HandClock) -> None:
    day = await first_day(bank, clock)
    ada = await play(bank, day, ADA, perfect(day))
    await bank.breaks.begin(ADA, Rest.EVERYTHING, Length.WEEK)
    assert await bank.breaks.days(ADA) == {day.day}
    clock.time += 9 * DAY
    assert await bank.breaks.days(ADA) == set(range(day.day, day.day + 8))
    assert await bank.breaks.days(BEN) == set()
    assert await bank.boards.streak(ada.person) == Streak(0)
    resting = await bank.breaks.days(ADA)
    assert await bank.boards.streak(ada.person, resting=resting) == Streak(1, paused=True)


async def test_r11_8_a_break_for_good_is_neutral_until_it_ended(bank: Bank, clock: HandClock) -> None:
    begun = day_at(clock.now())
    await bank.breaks.begin(ADA, Rest.CHIPS, Length.FOR_GOOD)
    clock.time += 366 * DAY
    await bank.breaks.ask_to_end(ADA)
    clock.time += 60 * DAY
    assert await bank.breaks.days(ADA) == set(range(begun, begun + 366 + 30 + 1))


async def test_r11_8_a_persons_streak_and_the_servers_are_worked_out_from_tries(bank: Bank, clock: HandClock) -> None:
    day = await first_day(bank, clock)
    for number in range(4):
        ada = await play(bank, day, ADA, perfect(day), GUILD)
        await play(bank, day, BEN, perfect(day) if number != 2 else perfect(day)[:1], GUILD)
        day = await next_day(bank, clock)
    assert await bank.boards.streak(ada.person) == Streak(4)
    assert await bank.boards.server_streak(GUILD) == Streak(3)
    day = await next_day(bank, clock)
    assert await bank.boards.streak(ada.person) == Streak(4, paused=True)
    assert await bank.boards.streak(ada.person, resting=[day.day - 1]) == Streak(4)
    await next_day(bank, clock)
    assert await bank.boards.streak(ada.person) == Streak(0)


async def test_r11_8_a_day_that_may_still_be_finished_is_not_missed_yet(bank: Bank, clock: HandClock) -> None:
    day = await first_day(bank, clock)
    ada = await play(bank, day, ADA, perfect(day), GUILD)
    await play(bank, day, BEN, perfect(day), GUILD)
    day = await next_day(bank, clock)
    await bank.tries.begin(day, ADA)
    clock.time = public_from(day.day) - 1
    assert await bank.boards.streak(ada.person) == Streak(1)
    assert await bank.boards.server_streak(GUILD) == Streak(1)
    clock.time += 1
    assert await bank.boards.streak(ada.person) == Streak(1, paused=True)
    assert await bank.boards.server_streak(GUILD) == Streak(1, paused=True)


async def test_r11_8_a_day_on_which_the_house_was_down_for_half_of_it_is_neutral(bank: Bank, clock: HandClock) -> None:
    day = await first_day(bank, clock)
    ada = await play(bank, day, ADA, perfect(day))
    clock.time = opens(day.day + 1) + 60
    await bank.outages.beat()
    clock.time = opens(day.day + 3) + 60
    await bank.outages.beat()
    assert await bank.days.neutral(day.day, day.day + 5) == {day.day + 1, day.day + 2}
    assert await bank.boards.streak(ada.person) == Streak(1)
    for minutes in range(0, 13 * 60, 2):
        clock.time = opens(day.day + 3) + 60 * minutes
        await bank.outages.beat()
    assert day.day + 3 not in await bank.days.neutral(day.day, day.day + 5)


@pytest.mark.parametrize(("seconds", "neutral"), [(43_200, False), (43_201, True)])
async def test_r11_8_twelve_hours_are_not_more_than_twelve_hours(
    bank: Bank, clock: HandClock, seconds: int, *, neutral: bool
) -> None:
    today = day_at(clock.now())
    clock.time = opens(today)
    await bank.outages.beat()
    clock.time += seconds
    await bank.outages.beat()
    assert (today in await bank.days.neutral(today, today)) is neutral


async def test_a_silence_of_two_and_a_half_minutes_is_no_outage_yet(bank: Bank, clock: HandClock) -> None:
    began = clock.now()
    for silent in (0, 150, 151):
        clock.time += silent
        await bank.outages.beat()
    assert await bank.outages.lost(began) == 151


async def test_of_an_outage_only_what_comes_after_the_beginning_is_given_back(bank: Bank, clock: HandClock) -> None:
    """The house went down a moment after somebody began, and its last sign of life was a minute before."""
    await bank.outages.beat()
    clock.time += 60
    began = clock.now()
    clock.time += 600
    await bank.outages.beat()
    assert await bank.outages.lost(began) == 600


def test_a_board_has_pages_for_its_first_thousand_places() -> None:
    assert [boards._pages(people) for people in (0, 10, 11, 1_000, 1_001, 50_000)] == [1, 1, 2, 100, 100, 100]


# -- the archive -------------------------------------------------------------------------------------------------------


async def test_r11_9_a_past_day_can_be_played_for_nothing_and_again(bank: Bank, clock: HandClock) -> None:
    day = await first_day(bank, clock)
    with pytest.raises(DayClosed):
        await bank.tries.begin_later(day, ADA)
    clock.time = public_from(day.day)
    stored = await bank.tries.begin_later(day, ADA)
    await bank.tries.stand(day, stored.person, GUILD)
    for action in perfect(day):
        stored = await press(bank, day, stored, action)
    assert stored.points == 100_00
    assert (await bank.boards.of_day(GUILD, day)).rows == ()
    assert await bank.boards.streak(stored.person) == Streak(0)
    again = await bank.tries.again(stored)
    assert again.steps == ""
    assert (await press(bank, day, again, perfect(day)[0])).version == stored.version + 2
    (past,) = await bank.boards.archive(stored.person, day.day + 1)
    assert (past.number, past.points, past.played_later) == (1, None, True)


async def test_r11_9_a_day_that_was_played_in_time_may_be_played_again_without_a_place(
    bank: Bank, clock: HandClock
) -> None:
    day = await first_day(bank, clock)
    await play(bank, day, ADA, perfect(day), GUILD)
    clock.time = public_from(day.day)
    later = await bank.tries.begin_later(day, ADA)
    assert (later.steps, (await bank.boards.of_day(GUILD, day)).rows[0].points) == ("", 100_00)
    assert (await bank.auditor.audit()).clean


# -- the book of the house ---------------------------------------------------------------------------------------------


async def test_a_day_that_is_told_is_bound_with_its_tries(bank: Bank, clock: HandClock) -> None:
    day = await first_day(bank, clock)
    await play(bank, day, ADA, perfect(day), GUILD)
    clock.time = public_from(day.day) + MARGIN - 1
    assert not await bank.leaves.bind()
    clock.time += 1
    assert await bank.leaves.bind()
    assert not await bank.leaves.bind()
    head = await bank.leaves.head(0)
    assert head is not None
    assert head.place == 1
    assert await bank.leaves.find(head.hash[:16]) == head
    await prepare(bank)
    clock.time += DAY
    assert await bank.leaves.bind()
    assert await bank.leaves.find(head.hash) == head


# -- being forgotten ---------------------------------------------------------------------------------------------------


async def test_r11_10_forget_me_leaves_the_boards_and_no_second_try_that_day(bank: Bank, clock: HandClock) -> None:
    day = await first_day(bank, clock)
    ada = await play(bank, day, ADA, perfect(day), GUILD)
    assert await bank.privacy.forget_own(ADA)
    assert (await bank.boards.of_day(GUILD, day)).rows == ()
    assert await bank.tries.known(ADA) is None
    with pytest.raises(PlayedBefore):
        await bank.tries.begin(day, ADA)
    assert await bank.tries.known(ADA) is None
    day = await next_day(bank, clock)
    assert (await bank.tries.begin(day, ADA)).person != ada.person


async def test_somebody_who_only_came_too_late_is_forgotten_too(bank: Bank, clock: HandClock) -> None:
    day = await first_day(bank, clock)
    clock.time = closes(day.day)
    with pytest.raises(DayClosed):
        await bank.tries.begin(day, ADA)
    assert await bank.privacy.forget_own(ADA)
    assert await bank.tries.known(ADA) is None
    assert not await bank.privacy.forget_own(ADA)


async def test_r11_10_the_last_server_that_forgets_somebody_forgets_their_tries_too(
    bank: Bank, clock: HandClock
) -> None:
    day = await first_day(bank, clock)
    for guild in (GUILD, ELSEWHERE):
        await bank.members.sign_in(guild, ADA)
    await play(bank, day, ADA, perfect(day), GUILD, ELSEWHERE)
    await bank.privacy.forget(GUILD, ADA)
    assert (await bank.boards.of_day(GUILD, day)).rows == ()
    assert len((await bank.boards.of_day(ELSEWHERE, day)).rows) == 1
    await bank.privacy.forget(ELSEWHERE, ADA)
    assert (await bank.boards.of_day(ELSEWHERE, day)).rows == ()
    assert await bank.tries.known(ADA) is None


async def test_who_stands_on_a_servers_board_without_an_account_there_can_leave_it(
    bank: Bank, clock: HandClock
) -> None:
    day = await first_day(bank, clock)
    await bank.members.sign_in(ELSEWHERE, ADA)
    await play(bank, day, ADA, perfect(day), GUILD, ELSEWHERE)
    assert await bank.privacy.forget(GUILD, ADA)
    assert not await bank.privacy.forget(GUILD, ADA)
    assert (await bank.boards.of_day(GUILD, day)).rows == ()
    assert len((await bank.boards.of_day(ELSEWHERE, day)).rows) == 1
    assert await bank.tries.known(ADA) is not None


async def test_get_mine_hands_out_ones_own_tries(bank: Bank, clock: HandClock) -> None:
    day = await first_day(bank, clock)
    await bank.members.sign_in(GUILD, ADA)
    await play(bank, day, ADA, perfect(day), GUILD, ELSEWHERE)
    mine = await bank.privacy.export(GUILD, ADA)
    assert mine is not None
    assert [(row["day"], row["points"]) for row in mine["today"]] == [(day.day, 100_00)]
    assert [row["guild"] for row in mine["boards"]] == [GUILD, ELSEWHERE]
    assert (await bank.privacy.own(ADA))["today"] == mine["today"]
    tomorrow = await next_day(bank, clock)
    await play(bank, tomorrow, ADA, perfect(tomorrow), GUILD)
    boards = (await bank.privacy.own(ADA))["boards"]
    assert [(row["day"], row["guild"]) for row in boards] == [
        (day.day, GUILD), (day.day, ELSEWHERE), (tomorrow.day, GUILD),
    ]  # fmt: skip


# -- several processes -------------------------------------------------------------------------------------------------


async def test_two_processes_play_one_try_and_one_press_of_each_step_counts(address: str, clock: HandClock) -> None:
    """Two devices, two processes: neither keeps a try in memory."""
    async with Bank.open(address, LENIENT, clock) as one, Bank.open(address, LENIENT, clock) as other:
        day = await first_day(one, clock)
        stored = await one.tries.begin(day, ADA)
        for action in perfect(day):
            pressing = (press(bank, day, stored, action) for bank in (one, other))
            done = await asyncio.gather(*pressing, return_exceptions=True)
            assert sorted(type(each).__name__ for each in done) == ["OutdatedTry", "StoredTry"]
            found = await other.tries.find(day, stored.person)
            assert found is not None
            stored = found
        assert stored.points == 100_00
        assert (await one.auditor.audit()).clean


async def test_a_place_taken_while_the_last_press_is_written_has_its_points(address: str, clock: HandClock) -> None:
    async with Bank.open(address, LENIENT, clock) as one, Bank.open(address, LENIENT, clock) as other:
        day = await first_day(one, clock)
        *presses, last = perfect(day)
        for user in range(1, 11):
            stored = await play(one, day, user, presses)
            await asyncio.gather(press(one, day, stored, last), other.tries.stand(day, stored.person, GUILD))
        board = await one.boards.of_day(GUILD, day)
        assert board.people == 10
        assert (await one.auditor.audit()).clean


async def test_two_days_that_end_at_the_same_moment_both_count_for_the_week(address: str, clock: HandClock) -> None:
    """Yesterday's try is finished in the hour after midnight while today's last press is made elsewhere."""
    async with Bank.open(address, LENIENT, clock) as one, Bank.open(address, LENIENT, clock) as other:
        day = await first_day(one, clock)
        before = [await play(one, day, user, perfect(day)[:-1], GUILD) for user in range(1, 11)]
        clock.time = closes(day.day) + 60
        after = await today(other)
        for user, stored in enumerate(before, 1):
            now = await play(other, after, user, perfect(after)[:-1], GUILD)
            await asyncio.gather(
                press(one, day, stored, perfect(day)[-1]), press(other, after, now, perfect(after)[-1])
            )
        board = await one.boards.of_week(GUILD, day.day)
        assert [row.days for row in board.rows] == [2] * 10
        assert (await one.auditor.audit()).clean


async def test_r11_1_a_house_that_is_down_over_midnight_loses_no_try_that_was_begun(
    bank: Bank, clock: HandClock
) -> None:
    day = await first_day(bank, clock)
    clock.time = closes(day.day) - 60
    stored = await play(bank, day, ADA, perfect(day)[:3], GUILD)
    await bank.outages.beat()
    clock.time = closes(day.day) + 40 * 60
    await bank.outages.beat()
    again = await bank.days.get(day.id)
    assert again is not None
    for action in perfect(day)[3:]:
        stored = await press(bank, again, stored, action)
    assert stored.points == 100_00
    assert (await bank.boards.streak(stored.person)).days == 1


#: Changes of a day, and of the tries of it, that the audit has to notice.
FORGED = {
    "UPDATE sets SET link = 9 WHERE id = 1": Wrong.DAY,
    "UPDATE sets SET opens = opens - 1 WHERE id = 1": Wrong.DAY,
    "UPDATE sets SET width = 140000 WHERE id = 1": Wrong.DAY,
    "UPDATE sets SET rules = '[]' WHERE id = 1": Wrong.DAY,
    "UPDATE sets SET answers = '[]' WHERE id = 1": Wrong.DAY,
    "UPDATE sets SET answers = replace(answers, '\"s\"', '\"x\"') WHERE id = 1": Wrong.DAY,
    "UPDATE sets SET deals = replace(deals, 'hard', 'soft') WHERE id = 1": Wrong.DAY,
    "UPDATE tries SET points = points - 1 WHERE person = 1": Wrong.TRY,
    "UPDATE tries SET version = version + 1 WHERE person = 1": Wrong.TRY,
    "UPDATE tries SET steps = 'x' || steps WHERE person = 1": Wrong.TRY,
    "UPDATE tries SET finished_at = NULL, points = NULL WHERE person = 1": Wrong.TRY,
    "UPDATE tries SET began_at = began_at - 86400 WHERE person = 1": Wrong.TRY,
    "UPDATE tries SET finished_at = finished_at + 86400 WHERE person = 1": Wrong.TRY,
    "UPDATE tries SET began_at = (SELECT closes FROM sets WHERE id = 1) WHERE person = 1": Wrong.TRY,
}


async def test_the_audit_notices_whatever_does_not_fit_in_a_day_or_in_a_try(bank: Bank, clock: HandClock) -> None:
    day = await first_day(bank, clock)
    await play(bank, day, ADA, perfect(day))
    person = await bank.tries.known(ADA)
    for command, wrong in FORGED.items():
        where = f"set/{day.id}" if wrong is Wrong.DAY else f"set/{day.id} person/{person}"
        assert (wrong, where) in await would_find(bank, command), command
