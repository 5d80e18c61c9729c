"""The boards of seasons (R14.1): who has a place, in which order, and what stays of a season that has ended."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from data import Bank, Graded, Milestone, Season, SeasonBoard, SeasonPage, Span, Wishes, season_at, season_named
from data.copies import restored
from data.people.titles import award as award_title
from data.proofs import auditor
from data.proofs.report import Wrong
from data.seasons import places
from data.seasons.calendar import Week, season_of
from data.seasons.milestones import _is_masterly
from engine.games.contract import CHIP
from engine.sets.calendar import DAY, SUNDAY, closes, day_at, opens, public_from, week_of, weekday
from engine.stored_words import SAME_CARDS, TOURNAMENT
from engine.tables.values import Member, Title
from tests.data.by_hand import by_hand
from tests.data.conftest import Join
from tests.data.dealer import GUILD, NOW, Dealer, HandClock
from tests.data.fives import by_level, first_day, next_day, perfect, play, two_days

MONTH = season_at(NOW, Span.MONTH)
VALUATION = 3


async def graded(
    bank: Bank, table: Dealer, member: Member, *, close: int, right: int, units: int = 1_000_000
) -> Graded:
    """A hand in which ten chips were won, and as many close decisions as no hand has."""
    number = table.number
    await table.round({member: 10}, 20)
    grade = Graded(
        *(table.id, number, member.id, NOW, 10 * CHIP, 0.0),
        valuation=VALUATION,
        close=close,
        close_right=right,
        units=units,
    )
    await bank.grades.keep(grade)
    return grade


async def board(
    bank: Bank, by: SeasonBoard = SeasonBoard.ACCURACY, season: Season = MONTH, user: int | None = None
) -> SeasonPage:
    return await bank.seasons.board(GUILD, season, by, user=user)


def shown(page: SeasonPage) -> list[tuple[int, int | None, int, bool]]:
    return [(row.place, row.user, row.value, row.provisional) for row in page.rows]


# -- seasons -----------------------------------------------------------------------------------------------------------


def test_r14_1_a_season_is_a_month_or_a_quarter_in_utc() -> None:
    november = Season(Span.MONTH, 2026, 11)
    assert (november.name, november.before.name, november.before.last + 1) == ("2026-11", "2026-10", november.first)
    quarter = season_of(november.last, Span.QUARTER)
    assert (quarter.name, quarter.before.name, quarter.best_days) == ("2026-Q4", "2026-Q3", 60)
    assert (quarter.last - quarter.first + 1, november.last - november.first + 1) == (92, 30)
    assert season_of(quarter.last + 1, Span.QUARTER) == Season(Span.QUARTER, 2027, 1)
    assert Season(Span.MONTH, 2027, 1).before.name == "2026-12"
    assert [season_named(each.name) for each in (november, quarter)] == [november, quarter]


@pytest.mark.parametrize(
    "name",
    [
        "",
        "2026",
        "2026-13",
        "2026-Q5",
        "2026-0",
        "2026-1",
        "26-11",
        "2026-Q",
        "2026-11-1",
        "²026-11",
        "9999-12",
        "9999-Q4",
    ],
)
def test_no_other_name_is_a_season(name: str) -> None:
    assert season_named(name) is None


# -- accuracy and the result of blackjack ------------------------------------------------------------------------------


async def test_r14_1_accuracy_takes_200_close_decisions_and_from_50_on_is_provisional(
    bank: Bank, join: Join, table: Dealer
) -> None:
    """Provisional places stand below all others, however well their owners play."""
    for user, close, right in ((1, 200, 100), (2, 250, 250), (3, 199, 199), (4, 50, 25), (5, 49, 49), (6, 200, 100)):
        await graded(bank, table, await join(user), close=close, right=right)
    page = await board(bank, user=5)
    assert shown(page) == [
        (1, 2, 1_000_000, False),
        (2, 1, 500_000, False),
        (2, 6, 500_000, False),
        (4, 3, 1_000_000, True),
        (5, 4, 500_000, True),
    ]
    assert (page.people, page.own, page.too_few) == (5, None, 49)
    assert (await board(bank, user=4)).own == page.rows[4]
    assert (await board(bank, season=MONTH.before)).rows == ()
    for user in (1, 6):
        await bank.wishes.keep(user, Wishes(hidden=True))
    assert shown(await board(bank))[:2] == [(1, 2, 1_000_000, False), (2, 3, 1_000_000, True)]


async def test_r14_1_the_result_of_blackjack_is_told_in_stakes(bank: Bank, join: Join, table: Dealer) -> None:
    """Fifty hands make a provisional place; the mean of a stake won and half a stake lost is a quarter."""
    alice = await join(1)
    for number in range(50):
        assert (await board(bank, SeasonBoard.BLACKJACK, user=1)).too_few == number
        await graded(bank, table, alice, close=0, right=0, units=-500_000 if number % 2 else 1_000_000)
    assert shown(await board(bank, SeasonBoard.BLACKJACK)) == [(1, 1, 250_000, True)]
    assert (await board(bank)).own is None


async def test_other_games_and_older_valuations_count_nowhere(bank: Bank, join: Join, table: Dealer) -> None:
    alice, number = await join(1), table.number
    await table.round({alice: 10}, 20)
    old = Graded(table.id, number, alice.id, NOW, 10 * CHIP, 0.0, close=500, close_right=500, valuation=2)
    await bank.grades.keep(old)
    assert (await board(bank, user=1)).own is None
    await bank.grades.keep(replace(old, valuation=VALUATION))
    assert shown(await board(bank)) == [(1, 1, 1_000_000, False)]
    assert (await board(bank, SeasonBoard.BLACKJACK, user=1)).too_few == 0


async def test_r14_1_an_ended_season_stays_as_it_was(bank: Bank, join: Join, table: Dealer, clock: HandClock) -> None:
    """A later valuation grades its hands again; one that had no grade yet still counts."""
    alice = await join(1)
    first = await graded(bank, table, alice, close=200, right=100)
    await bank.grades.keep(replace(first, valuation=VALUATION + 1, close_right=150))
    assert shown(await board(bank)) == [(1, 1, 750_000, False)]
    clock.time = MONTH.ends_at - 1
    await bank.grades.keep(replace(first, valuation=VALUATION + 2, close_right=160))
    assert shown(await board(bank)) == [(1, 1, 800_000, False)]
    clock.time = NOW + 40 * DAY
    await bank.grades.keep(replace(first, valuation=VALUATION + 3, close_right=0))
    assert shown(await board(bank)) == [(1, 1, 800_000, False)]
    assert await bank.seasons.ended(GUILD, season_at(clock.time, Span.MONTH)) == (MONTH,)
    assert await bank.seasons.ended(GUILD, MONTH) == ()
    late, number = await join(2), table.number
    await table.round({late: 10}, 20)
    await bank.grades.keep(
        Graded(table.id, number, late.id, NOW, 10 * CHIP, 0.0, close=200, close_right=200, valuation=VALUATION + 3)
    )
    assert [row.user for row in (await board(bank)).rows] == [2, 1]


async def test_r14_1_who_has_no_close_decision_by_a_later_valuation_leaves_the_board(
    bank: Bank, join: Join, table: Dealer
) -> None:
    first = await graded(bank, table, await join(1), close=200, right=100)
    await bank.grades.keep(replace(first, valuation=VALUATION + 1, close=0, close_right=0))
    assert shown(await board(bank)) == []
    assert [row.user for row in (await board(bank, SeasonBoard.BLACKJACK)).rows] == []


async def test_r14_1_a_decision_that_a_later_valuation_finds_in_an_ended_season_brings_no_place_there(
    bank: Bank, join: Join, table: Dealer, clock: HandClock
) -> None:
    """And the audit does not miss it: the bank of this test has to be in order."""
    first = await graded(bank, table, await join(1), close=0, right=0)
    assert (await board(bank, user=1)).own is None
    clock.time = NOW + 40 * DAY
    await bank.grades.keep(replace(first, valuation=VALUATION + 1, close=1))
    assert (await board(bank, user=1)).own is None


@pytest.mark.parametrize("board", ["accuracy", "blackjack"])
@pytest.mark.parametrize("later", [0, 1])
async def test_a_lost_place_is_found_whichever_valuation_graded_its_season(
    unsound_bank: Bank, join: Join, table: Dealer, board: str, later: int
) -> None:
    number = table.number
    await table.round({(alice := await join(1)): 10}, 20)
    units: Any = {"close": 200, "close_right": 100, "units": 1_000_000, "valuation": VALUATION + later}
    await unsound_bank.grades.keep(Graded(table.id, number, alice.id, NOW, 10 * CHIP, 0.0, **units))
    assert (await unsound_bank.auditor.audit()).clean
    await by_hand(unsound_bank, f"DELETE FROM season_places WHERE board = '{board}'")
    faults = (await unsound_bank.auditor.audit()).faults
    assert {fault.where for fault in faults} == {f"{MONTH.name}/{board}/{alice.id}", f"2027-Q1/{board}/{alice.id}"}


async def test_a_hand_that_is_graded_late_and_the_others_again_after_it_leave_an_ended_season_in_order(
    bank: Bank, join: Join, table: Dealer, clock: HandClock
) -> None:
    """A later valuation came between the last hand and its grade."""
    alice = await join(1)
    first = await graded(bank, table, alice, close=200, right=100)
    number = table.number
    await table.round({alice: 10}, 20)
    clock.time = NOW + 40 * DAY
    await bank.grades.keep(replace(first, number=number, valuation=VALUATION + 1))
    assert shown(await board(bank)) == [(1, 1, 500_000, False)]
    await bank.grades.keep(replace(first, valuation=VALUATION + 1, close_right=150))
    assert shown(await board(bank)) == [(1, 1, 500_000, False)]
    assert (await bank.auditor.audit()).faults == ()


async def test_r13_5_who_is_hidden_leaves_no_hole(bank: Bank, join: Join, table: Dealer) -> None:
    for user, right in ((1, 200), (2, 150), (3, 100)):
        await graded(bank, table, await join(user), close=200, right=right)
    await bank.wishes.keep(1, Wishes(hidden=True))
    page = await board(bank, user=3)
    assert [(row.place, row.user) for row in page.rows] == [(1, 2), (2, 3)]
    assert page.people == 2
    assert page.own == page.rows[1]
    assert (await board(bank, user=1)).own is None


async def test_r14_1_who_is_forgotten_becomes_a_former_player(bank: Bank, join: Join, table: Dealer) -> None:
    """Nobody else leaves a board, not even the member whose number the forgotten person has in Today's five."""
    alice, bob = await join(1), await join(2)
    assert [await bank.tries.sign_in(user) for user in (3, 1)][-1] == bob.id
    await graded(bank, table, alice, close=200, right=200)
    await graded(bank, table, bob, close=200, right=100)
    export = await bank.privacy.export(GUILD, 1)
    assert export is not None
    assert {row["board"] for row in export["seasons"]} == {"accuracy", "blackjack"}
    await table.close()
    await bank.privacy.forget(GUILD, 1)
    assert [(row.place, row.user) for row in (await board(bank)).rows] == [(1, None), (2, 2)]


# -- Today's five ------------------------------------------------------------------------------------------------------


async def test_who_leaves_the_boards_of_todays_five_takes_no_place_of_a_member_with_the_same_number(
    bank: Bank, join: Join, table: Dealer, clock: HandClock
) -> None:
    alice = await join(1)
    await graded(bank, table, alice, close=200, right=200)
    day = await first_day(bank, clock)
    bob = await play(bank, day, 2, perfect(day), GUILD)
    assert bob.person == alice.id
    assert await bank.privacy.forget_own(2)
    assert [row.user for row in (await board(bank)).rows] == [1]


async def test_r14_1_the_best_days_of_todays_five_add_up(
    bank: Bank, clock: HandClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of two days both count, of three the two best where two are the most."""
    day = await first_day(bank, clock)
    await play(bank, day, 1, perfect(day), GUILD)
    season = season_of(day.day, Span.QUARTER)
    assert shown(await board(bank, SeasonBoard.FIVE, season, 1)) == [(1, 1, 10_000, False)]
    monkeypatch.setattr(Season, "best_days", property(lambda season: 2))
    for _ in range(2):
        day = await next_day(bank, clock)
        await play(bank, day, 1, perfect(day), GUILD)
        stored = await play(bank, day, 2, by_level(day, "amateur"), GUILD)
    season = season_of(day.day, Span.QUARTER)
    page = await board(bank, SeasonBoard.FIVE, season, 2)
    assert page.rows[0].value == 20_000
    assert page.own is not None
    assert page.own.amount == 2
    assert page.own.value >= (stored.points or 0)
    assert (await bank.seasons.board(GUILD + 1, season, SeasonBoard.FIVE)).rows == ()
    await bank.privacy.forget(GUILD, 1)
    assert [row.user for row in (await board(bank, SeasonBoard.FIVE, season)).rows] == [2]
    monkeypatch.undo()


async def test_the_places_of_more_people_than_a_slice_holds_are_in_order(
    bank: Bank, clock: HandClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(auditor, "MONEY", [replace(walk, size=1) for walk in auditor.MONEY])
    await two_days(bank, clock, GUILD)
    assert (await bank.auditor.audit(replay=False)).faults == ()


@pytest.mark.parametrize(
    "change", ["DELETE FROM season_places", "UPDATE season_places SET value = value + 1, amount = amount + 1"]
)
async def test_a_place_of_the_week_that_is_not_what_its_days_come_to_is_found(
    unsound_bank: Bank, clock: HandClock, change: str
) -> None:
    day = await first_day(unsound_bank, clock)
    await play(unsound_bank, day, 1, perfect(day), GUILD)
    assert (await unsound_bank.auditor.audit()).clean
    await by_hand(unsound_bank, f"{change} WHERE season = '{Week(week_of(day.day)).name}'")
    (fault,) = (await unsound_bank.auditor.audit()).faults
    assert (fault.wrong, fault.expected) == (Wrong.SEASON, "(2, 10000, 1)")


def test_a_week_has_the_name_of_the_calendar() -> None:
    """The first of January 2027 is a Friday: its week is the last of the year before."""
    day = Season(Span.MONTH, 2027, 1).first
    assert [Week(week_of(day + more)).name for more in (0, 2, 3)] == ["2026-W53", "2026-W53", "2027-W01"]
    assert Week(week_of(day)).last == day + 2
    assert Week(week_of(Season(Span.MONTH, 2026, 1).first)).name == "2026-W01", "though it began in December"


# -- podiums -----------------------------------------------------------------------------------------------------------


async def test_r14_1_points_add_up_and_no_source_brings_them_twice(bank: Bank, join: Join) -> None:
    alice, bob = await join(1), await join(2)
    for source, points in (
        ("tournament/1", [(alice.id, 5), (bob.id, 3)]),
        ("tournament/2", [(bob.id, 5)]),
        ("tournament/1", [(alice.id, 5)]),
    ):
        batch = bank._store.batch()
        places.award(batch, GUILD, source, points, NOW)
        await bank._store.write.run(batch)
    for season in (MONTH, season_of(day_at(NOW), Span.QUARTER)):
        assert shown(await board(bank, SeasonBoard.POINTS, season)) == [(1, 2, 8, False), (2, 1, 5, False)]


# -- milestones --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("close", "right", "reached"),
    [
        (19, 19, []),
        (20, 19, []),
        (20, 20, [Milestone.CLEAN_DAY]),
        (50, 50, [Milestone.CLEAN_DAY, Milestone.CLEAN_MARATHON]),
        (199, 198, []),
        (200, 179, []),
        (200, 180, [Milestone.SHARP]),
        (200, 194, [Milestone.SHARP, Milestone.RAZOR_SHARP]),
    ],
)
async def test_r14_3_milestones_follow_from_the_days_and_seasons_that_are_over(
    bank: Bank, join: Join, table: Dealer, clock: HandClock, close: int, right: int, reached: list[Milestone]
) -> None:
    alice = await join(1)
    await graded(bank, table, alice, close=close, right=right)
    clock.time = MONTH.ends_at
    assert list(await bank.grades.milestones(GUILD, alice.id, 1)) == reached
    assert await bank.grades.milestones(GUILD, (await join(2)).id, 2) == ()


async def test_r14_3_no_later_hand_takes_a_milestone_away(
    bank: Bank, join: Join, table: Dealer, clock: HandClock
) -> None:
    """A clean day and an accuracy of 100 % may not last: they count from the end of the day, and of the month."""
    alice, bob = await join(1), await join(2)
    for member in (alice, bob):
        await graded(bank, table, member, close=200, right=200)
    days = {Milestone.CLEAN_DAY, Milestone.CLEAN_MARATHON}
    spoilt = days | {Milestone.SHARP, Milestone.RAZOR_SHARP}
    assert spoilt.isdisjoint(await bank.grades.milestones(GUILD, bob.id, 2))
    await graded(bank, table, bob, close=200, right=0)
    reached = set[Milestone]()
    for moment in (NOW + DAY, MONTH.ends_at - 1, MONTH.ends_at):
        clock.time = moment
        found = set(await bank.grades.milestones(GUILD, alice.id, 1))
        assert found >= reached | days
        assert spoilt.isdisjoint(await bank.grades.milestones(GUILD, bob.id, 2))
        reached = found
    assert spoilt <= reached


async def test_r14_3_a_day_is_clean_once_each_of_its_hands_is_graded(
    bank: Bank, join: Join, table: Dealer, clock: HandClock
) -> None:
    """Yesterday's last hand may be graded today, and could spoil the day."""
    alice = await join(1)
    grade = await graded(bank, table, alice, close=20, right=20)
    last = table.number
    await table.round({alice: 10}, 20)
    clock.time += DAY
    assert Milestone.CLEAN_DAY not in await bank.grades.milestones(GUILD, alice.id, 1)
    await bank.grades.keep(replace(grade, number=last, close=1, close_right=1))
    assert Milestone.CLEAN_DAY in await bank.grades.milestones(GUILD, alice.id, 1)


async def test_days_after_january_2038_are_days_like_any_other(
    unsound_bank: Bank, join: Join, table: Dealer, clock: HandClock
) -> None:
    """They begin more seconds after 1970 than a small number of PostgreSQL can be."""
    alice, day = await join(1), 25_000
    await graded(unsound_bank, table, alice, close=20, right=20)
    moved = f"UPDATE %s SET at = {opens(day)}"
    await by_hand(unsound_bank, moved % "plays", moved % "grades", f"UPDATE member_days SET day = {day}")
    clock.time = opens(day + 1)
    assert Milestone.CLEAN_DAY in await unsound_bank.grades.milestones(GUILD, alice.id, 1)
    assert Wrong.GRADES not in {fault.wrong for fault in (await unsound_bank.auditor.audit()).faults}


@pytest.mark.parametrize(
    ("rounds", "is_reached"),
    [([(50, 50), (50, 50)], True), ([(60, 60), (1, 0), (60, 60)], False), ([(9, 8), (99, 99), (1, 1), (5, 0)], True)],
)
async def test_r14_3_a_hundred_close_decisions_in_a_row_may_take_many_rounds(
    bank: Bank, join: Join, table: Dealer, rounds: list[tuple[int, int]], *, is_reached: bool
) -> None:
    alice = await join(1)
    for close, right in rounds:
        await graded(bank, table, alice, close=close, right=right)
    assert (Milestone.HUNDRED in await bank.grades.milestones(GUILD, alice.id, 1)) is is_reached


async def test_r14_3_a_hand_that_is_not_graded_interrupts_a_row(bank: Bank, join: Join, table: Dealer) -> None:
    """It may have a mistake, which would take the milestone away again."""
    alice = await join(1)
    first = await graded(bank, table, alice, close=60, right=60)
    between = table.number
    await table.round({alice: 10}, 20)
    await graded(bank, table, alice, close=60, right=60)
    assert Milestone.HUNDRED not in await bank.grades.milestones(GUILD, alice.id, 1)
    await bank.grades.keep(replace(first, number=between, close=0, close_right=0))
    assert Milestone.HUNDRED in await bank.grades.milestones(GUILD, alice.id, 1)


async def test_r14_3_perfect_days_of_todays_five_and_titles_are_milestones(
    unsound_bank: Bank, join: Join, clock: HandClock
) -> None:
    """A perfect day on each day of the week; a tournament won, and a second place at another."""
    bank, alice = unsound_bank, await join(1)
    day = await first_day(bank, clock)
    seen = set[int]()
    while len(seen) < 7:
        await play(bank, day, 1, perfect(day), GUILD)
        seen.add(weekday(day.day))
        found = await bank.grades.milestones(GUILD, alice.id, 1)
        assert Milestone.PERFECT_DAY in found
        assert (Milestone.PERFECT_SUNDAY in found) == (SUNDAY in seen)
        assert (Milestone.PERFECT_WEEK in found) == (len(seen) == 7)
        day = await next_day(bank, clock)
    won = {Milestone.TABLE, Milestone.TOURNAMENT}
    titles = (f"{SAME_CARDS}/1", set()), (f"{TOURNAMENT}/1", {Milestone.TOURNAMENT}), ("table/1", won)
    for source, milestones in titles:
        batch = bank._store.batch()
        award_title(batch, GUILD, Title(source, alice.id, NOW))
        await bank._store.write.run(batch)
        assert won & set(await bank.grades.milestones(GUILD, alice.id, 1)) == milestones
    batch = bank._store.batch()
    places.award(batch, GUILD, "duel/1", [(alice.id, 2)], NOW)
    await bank._store.write.run(batch)
    assert Milestone.PODIUM not in await bank.grades.milestones(GUILD, alice.id, 1)
    batch = bank._store.batch()
    places.award(batch, GUILD, f"{TOURNAMENT}/2", [(alice.id, 3)], NOW)
    await bank._store.write.run(batch)
    assert Milestone.PODIUM in await bank.grades.milestones(GUILD, alice.id, 1)
    assert Milestone.MASTER not in await bank.grades.milestones(GUILD, alice.id, 1)


@pytest.mark.parametrize(("moment", "stays"), [(opens, False), (closes, False), (public_from, True)])
async def test_r11_10_a_day_that_a_restore_makes_void_is_no_milestone_and_counts_on_no_board(
    bank: Bank, join: Join, table: Dealer, clock: HandClock, moment: Callable[[int], float], *, stays: bool
) -> None:
    """A day is void if it was not told yet: neither while it is open nor in the hour after. Other boards stay."""
    alice = await join(1)
    await graded(bank, table, alice, close=200, right=200)
    await table.close()
    day = await first_day(bank, clock)
    assert (await play(bank, day, 1, perfect(day), GUILD)).person == alice.id, "the same number on all boards"
    assert Milestone.PERFECT_DAY in await bank.grades.milestones(GUILD, alice.id, 1)
    async with bank._store.rewriting() as connection:
        await restored.mark(connection, moment(day.day) + 60)
    for by, on_board in ((SeasonBoard.FIVE, stays), (SeasonBoard.ACCURACY, True)):
        assert bool((await board(bank, by, season_of(day.day, Span.QUARTER))).rows) is on_board
    assert (Milestone.PERFECT_DAY in await bank.grades.milestones(GUILD, alice.id, 1)) is stays


@pytest.mark.parametrize(
    ("season", "value", "days", "masterly"),
    [
        ("2026-11", 20 * 9_500, 20, True),
        ("2026-11", 20 * 9_500 - 1, 20, False),
        ("2026-11", 19 * 10_000, 19, False),
        ("2026-Q4", 60 * 9_500, 60, False),
        ("2026-W47", 7 * 10_000, 7, False),
    ],
)
def test_r14_3_a_master_has_95_points_on_all_twenty_days_of_a_month(
    season: str, value: int, days: int, *, masterly: bool
) -> None:
    assert _is_masterly(SimpleNamespace(season=season, value=value, amount=days)) is masterly


async def test_r14_1_of_todays_five_the_best_days_count(
    unsound_bank: Bank, join: Join, clock: HandClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    bank, members = unsound_bank, [await join(1), await join(2)]
    monkeypatch.setattr(Season, "best_days", property(lambda season: 1))
    day = await first_day(bank, clock)
    await play(bank, day, 1, perfect(day), GUILD)
    day = await next_day(bank, clock)
    assert ((await play(bank, day, 1, by_level(day, "amateur"), GUILD)).points or 0) < 10_000
    page = await bank.seasons.board(GUILD, season_of(day.day, Span.MONTH), SeasonBoard.FIVE)
    assert [(row.value, row.amount) for row in page.rows] == [(10_000, 1)]
    masters = [Milestone.MASTER in await bank.grades.milestones(GUILD, each.id, each.user) for each in members]
    assert masters == [True, False]


async def test_r14_3_a_season_is_sharp_from_90_percent_on_and_razor_sharp_from_97(
    unsound_bank: Bank, join: Join
) -> None:
    alice = await join(1)
    row = f"({GUILD}, '2020-01', '{SeasonBoard.ACCURACY.value}', {alice.id}, 2, 0, 200, 3)"
    await by_hand(unsound_bank, f"INSERT INTO season_places ({', '.join(places.COLUMNS)}) VALUES {row}")
    sharp = {Milestone.SHARP, Milestone.RAZOR_SHARP}
    for value, reached in ((899_999, 0), (900_000, 1), (969_999, 1), (970_000, 2)):
        await by_hand(unsound_bank, f"UPDATE season_places SET value = {value}")
        assert len(sharp & set(await unsound_bank.grades.milestones(GUILD, alice.id, 1))) == reached
    await by_hand(unsound_bank, "UPDATE season_places SET rank = 1")
    assert not sharp & set(await unsound_bank.grades.milestones(GUILD, alice.id, 1)), "a provisional place"


@pytest.mark.parametrize("name", ["0000-01", "0000-Q1", "0999-12"])
def test_no_season_begins_with_a_zero(name: str) -> None:
    assert season_named(name) is None


async def test_r14_3_a_master_has_95_points_on_average_on_all_days_that_count(
    bank: Bank, join: Join, clock: HandClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    alice, day = await join(1), await first_day(bank, clock)
    monkeypatch.setattr(Season, "best_days", property(lambda season: 2))
    for days in (1, 2):
        await play(bank, day, 1, perfect(day), GUILD)
        assert (Milestone.MASTER in await bank.grades.milestones(GUILD, alice.id, 1)) == (days == 2)
        day = await next_day(bank, clock)
    monkeypatch.undo()
