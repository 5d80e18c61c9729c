"""Tournaments from sign-up to prizes, with real cards; and the process killed wherever it can be."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest

from data import StillPlaying
from engine.stored_words import TOURNAMENT
from engine.tables.ports import BankUnavailable, NotPosted, OutcomeUnknown
from engine.tables.refused import Reason, Refused
from engine.tables.values import Change
from engine.tournament.books import TournamentBooks
from engine.tournament.director import LEASE
from engine.tournament.ports import TournamentChange
from engine.tournament.run import TournamentRun
from engine.tournament.state import Every, TournamentState, WhyCancelled, successor_id
from engine.tournament.tournament import TournamentPhase
from engine.tournament.view import TournamentView

from .conftest import ALICE, BOB, CHANNEL, GUILD, Casino
from .test_lost_answers import Wire
from .theatre import DAY, Perilous, Theatre

#: Seconds before the start of the reminder, and after it in which a missed start is made up for.
REMINDER, LATEST = 15 * 60.0, 3_600.0


@pytest.fixture
async def theatre(casino: Casino) -> AsyncIterator[Theatre]:
    theatre = Theatre(casino)
    yield theatre
    await theatre.close()


async def started(theatre: Theatre, people: int, **more: object) -> int:
    tournament = await theatre.schedule(**more)  # type: ignore[arg-type]
    await theatre.said("sign-up")
    await theatre.sign_up(tournament, people)
    await theatre.pass_time(3_600)
    await theatre.said("standings")
    return tournament


# -- sign-up -----------------------------------------------------------------------------------------------------------


async def test_a_tournament_is_announced_at_once(theatre: Theatre) -> None:
    tournament = await theatre.schedule()
    await theatre.said("sign-up")
    (view,) = await theatre.director.views(GUILD)
    assert (view.state.id, view.phase) == (tournament, TournamentPhase.SIGN_UP)
    await theatre.until(lambda: _announced(theatre, tournament))


async def test_r7_9_sign_up_costs_the_buy_in_and_leaving_brings_it_back(theatre: Theatre) -> None:
    tournament = await theatre.schedule(buy_in=250)
    await theatre.sign_up(tournament, 2)
    view = await theatre.director.view(tournament)
    assert (view.pool, view.people) == (500 * 100, (ALICE, BOB))
    await theatre.director.leave(tournament, await theatre.casino.member(BOB), theatre.casino.press())
    assert await theatre.balances(2) == [750, 1_000]


async def test_nobody_signs_up_twice_or_without_the_chips(theatre: Theatre) -> None:
    tournament = await theatre.schedule(buy_in=600)
    dear = await theatre.schedule(buy_in=600)
    await theatre.sign_up(tournament, 1)
    for which, reason in ((tournament, Reason.SIGNED_UP), (dear, Reason.CANNOT_PAY)):
        with pytest.raises(Refused) as caught:
            await theatre.sign_up(which, 1)
        assert caught.value.reason is reason
    assert await theatre.balances(1) == [400]


async def test_r7_9_the_last_chip_pays_a_buy_in(theatre: Theatre) -> None:
    await theatre.sign_up(await theatre.schedule(buy_in=1_000), 1)
    assert await theatre.balances(1) == [0]


async def test_two_who_join_in_the_same_instant_are_both_in(theatre: Theatre) -> None:
    tournament = await theatre.schedule()
    members = [await theatre.casino.member(user) for user in range(1, 9)]
    await asyncio.gather(*(theatre.director.join(tournament, member, theatre.casino.press()) for member in members))
    assert len((await theatre.director.view(tournament)).people) == 8


async def test_two_processes_take_sign_ups_in_the_same_instant(theatre: Theatre) -> None:
    tournament, first = await theatre.schedule(), theatre.director
    await theatre.said("sign-up")  # its promise stands, and neither of them has to make one
    theatre._compose()
    members = [await theatre.casino.member(user) for user in range(1, 7)]
    directors = [first, theatre.director] * 3
    pairs = zip(members, directors, strict=True)
    await asyncio.gather(*(director.join(tournament, member, theatre.casino.press()) for member, director in pairs))
    row = await theatre.casino.bank.tournaments.stored(tournament)
    assert row is not None
    assert len(TournamentState.from_json(row.doc).users) == 6
    assert await theatre.balances(6) == [900] * 6
    await first.shutdown()


async def test_there_is_one_reminder_before_the_start(theatre: Theatre) -> None:
    await theatre.schedule()
    await theatre.said("sign-up")
    assert "reminder" not in theatre.crier.said
    await theatre.pass_time(3_600 - REMINDER - 1)
    await asyncio.sleep(0.02)
    assert "reminder" not in theatre.crier.said
    await theatre.pass_time(1)
    await theatre.said("reminder")
    await theatre.pass_time(60)
    await asyncio.sleep(0.02)
    assert theatre.crier.said.count("reminder") == 1


async def test_who_plans_one_a_quarter_of_an_hour_ahead_reminds_nobody(theatre: Theatre) -> None:
    await theatre.schedule(after=REMINDER)
    await theatre.said("sign-up")
    await theatre.until(lambda: not theatre.director._held)
    assert "reminder" not in theatre.crier.said


@pytest.mark.parametrize("seconds", [REMINDER, REMINDER + 1])
async def test_a_move_to_within_a_quarter_of_an_hour_is_the_reminder(theatre: Theatre, seconds: float) -> None:
    tournament, casino = await theatre.schedule(after=7_200), theatre.casino
    await theatre.said("sign-up")
    await theatre.sign_up(tournament, 2)
    starts = casino.clock.now() + seconds
    await theatre.director.move(tournament, casino.press(), starts, "", "UTC", series=False)
    await theatre.until(lambda: _is_told(theatre, tournament))
    await theatre.said("moved")
    await theatre.pass_time(60)
    if seconds > REMINDER:
        await theatre.said("reminder")
    await asyncio.sleep(0.02)
    assert theatre.crier.said.count("reminder") == (seconds > REMINDER)


async def test_a_move_after_the_reminder_is_followed_by_another_reminder(theatre: Theatre) -> None:
    tournament, casino = await theatre.schedule(), theatre.casino
    await theatre.said("sign-up")
    await theatre.sign_up(tournament, 2)
    await theatre.pass_time(3_600 - REMINDER)
    await theatre.said("reminder")
    await theatre.director.move(tournament, casino.press(), casino.clock.now() + 3_600, "", "UTC", series=False)
    await theatre.until(lambda: _is_told(theatre, tournament))
    await theatre.pass_time(3_600 - REMINDER)
    await theatre.until(lambda: theatre.crier.said.count("reminder") == 2)


async def test_a_second_move_while_people_are_told_of_the_first_is_told_too(
    theatre: Theatre, monkeypatch: pytest.MonkeyPatch
) -> None:
    tournament, casino = await theatre.schedule(after=7_200), theatre.casino
    await theatre.said("sign-up")
    await theatre.sign_up(tournament, 2)
    await theatre.until(lambda: _announced(theatre, tournament))
    post, first = theatre.crier.sign_up, casino.clock.now() + 10_800
    second = first + 3_600

    async def moved_again(view: TournamentView) -> int:
        if (await theatre.director.view(tournament)).state.starts == first:
            await theatre.director.move(tournament, casino.press(), second, "", "UTC", series=False)
        return await post(view)

    monkeypatch.setattr(theatre.crier, "sign_up", moved_again)
    await theatre.director.move(tournament, casino.press(), first, "", "UTC", series=False)
    await theatre.until(lambda: _is_told(theatre, tournament))
    await theatre.said("moved")
    told = zip(theatre.crier.said, theatre.crier.views, strict=True)
    assert [view.state.starts for word, view in told if word == "moved"] == [second]


async def test_a_move_that_a_kill_interrupts_is_told_afterwards(theatre: Theatre) -> None:
    tournament = await theatre.schedule()
    await theatre.said("sign-up")
    await theatre.sign_up(tournament, 2)
    await theatre.until(lambda: not theatre.director._held)
    books = TournamentBooks(theatre.casino.bank, theatre.casino.clock)
    before = (await theatre.director.view(tournament)).state.starts
    sooner = before - 1_800
    for number, starts in ((5, before + DAY), (6, sooner)):
        await books.change(
            tournament,
            f"press/{number}",
            lambda draft, at=starts: draft.move(at, "", "UTC", series=True),  # type: ignore[misc]
        )
        assert (await books.position(tournament)).state.moved_from == before, "as people know it"
    await books.change(tournament, "press/7/tournament", lambda draft: draft.move(sooner, "sooner", "UTC", series=True))
    await theatre.crash()
    await theatre.said("moved")
    await theatre.until(lambda: _is_told(theatre, tournament))
    view = await theatre.director.view(tournament)
    assert (view.state.starts, view.people) == (sooner, (ALICE, BOB))
    assert theatre.crier.said.count("moved") == 1


async def test_who_joins_in_the_moment_of_the_start_is_in(theatre: Theatre, monkeypatch: pytest.MonkeyPatch) -> None:
    tournament = await theatre.schedule()
    await theatre.said("sign-up")
    await theatre.sign_up(tournament, 1)
    await theatre.until(lambda: _announced(theatre, tournament))
    post, bob = theatre.crier.sign_up, await theatre.casino.member(BOB)

    async def bob_comes_first(view: TournamentView) -> int:
        if BOB not in (await theatre.director.view(tournament)).people:
            await theatre.director.join(tournament, bob, theatre.casino.press())
        return await post(view)

    monkeypatch.setattr(theatre.crier, "sign_up", bob_comes_first)
    await theatre.pass_time(3_600)
    await theatre.said("standings")
    assert (await theatre.director.view(tournament)).people == (ALICE, BOB)


async def test_a_move_in_the_moment_of_the_start_puts_it_off(theatre: Theatre, monkeypatch: pytest.MonkeyPatch) -> None:
    tournament, casino = await theatre.schedule(), theatre.casino
    await theatre.said("sign-up")
    await theatre.sign_up(tournament, 2)
    await theatre.until(lambda: _announced(theatre, tournament))
    post, later = theatre.crier.sign_up, casino.clock.now() + DAY

    async def the_move_comes_first(view: TournamentView) -> int:
        if (await theatre.director.view(tournament)).state.starts != later:
            await theatre.director.move(tournament, casino.press(), later, "", "UTC", series=False)
        return await post(view)

    monkeypatch.setattr(theatre.crier, "sign_up", the_move_comes_first)
    await theatre.pass_time(3_600)
    await theatre.said("moved")
    assert (await theatre.director.view(tournament)).phase is TournamentPhase.SIGN_UP


async def _is_told(theatre: Theatre, tournament: int) -> bool:
    return (await theatre.director.view(tournament)).state.moved_from is None


async def test_r7_10_cancelling_returns_every_buy_in(theatre: Theatre) -> None:
    tournament = await theatre.schedule()
    await theatre.said("sign-up")
    await theatre.sign_up(tournament, 3)
    await theatre.director.cancel(tournament, theatre.casino.press(), series=True)
    await theatre.said("farewell cancelled")
    assert await theatre.balances(3) == [1_000, 1_000, 1_000]
    assert await theatre.director.views(GUILD) == []
    with pytest.raises(Refused) as caught:
        await theatre.sign_up(tournament, 1)
    assert caught.value.reason is Reason.SIGN_UP_OVER


@pytest.mark.parametrize("people", [0, 1])
async def test_with_fewer_than_two_it_is_cancelled(theatre: Theatre, people: int) -> None:
    tournament = await theatre.schedule()
    await theatre.said("sign-up")
    await theatre.sign_up(tournament, people)
    await theatre.pass_time(3_600)
    await theatre.said("farewell cancelled")
    assert (await theatre.director.view(tournament)).state.why is WhyCancelled.TOO_FEW
    assert await theatre.balances(1) == [1_000]


# -- play --------------------------------------------------------------------------------------------------------------


async def test_what_cannot_be_posted_is_tried_again_after_growing_pauses_of_a_minute_at_most(theatre: Theatre) -> None:
    run, now = TournamentRun(1, theatre.director._around), theatre.casino.clock.now()
    pauses = []
    for run._sought in (0, 1, 4, 5, 2_000):
        pauses.append(run._later() - now)
    assert pauses == [2, 4, 32, 60, 60]


async def test_changed_standings_are_shown_after_half_a_minute_and_after_ten_seconds_once_a_table_is_over(
    theatre: Theatre,
) -> None:
    run = TournamentRun(await started(theatre, 2), theatre.director._around)
    await theatre.director.shutdown()
    clock, said = theatre.casino.clock, theatre.crier.said
    seen, begun = await run.seen(), clock.now()
    shown = list[bool]()
    for seconds, urgent in ((0, False), (29, False), (30, False), (39, True), (40, True), (69, False), (70, False)):
        clock.time, run._urgent, before = begun + seconds, urgent, len(said)
        again = await run._show(seen, (seconds,))  # type: ignore[arg-type]
        shown.append(len(said) > before)
        assert again == (begun + 40 if seconds == 39 else clock.now() + 30)
    assert shown == [True, False, True, False, True, False, True]


async def test_r7_8_the_winners_of_all_tables_meet_until_one_table_is_left(theatre: Theatre) -> None:
    tournament = await started(theatre, 9)
    view = await theatre.director.view(tournament)
    assert (view.stage, view.tables) == (1, 3)
    end = await theatre.play_on(tournament)
    assert (end.phase, end.stage, end.tables) == (TournamentPhase.OVER, 2, 1)
    assert len(end.lines) == len({line.key for line in end.lines}) >= 9


async def test_r7_9_the_pool_is_paid_to_the_best_three_people(theatre: Theatre) -> None:
    tournament = await started(theatre, 5, buy_in=101)
    end = await theatre.play_on(tournament)
    balances = await theatre.balances(5)
    assert sum(balances) == 5_000
    assert sorted(balances)[-3:] == [899 + 101, 899 + 151.5, 899 + 252.5]
    assert sorted(end.prizes.values()) == [10_100, 15_150, 25_250]


async def test_with_two_people_the_better_one_takes_it_all(theatre: Theatre) -> None:
    tournament = await started(theatre, 2)
    await theatre.play_on(tournament)
    assert sorted(await theatre.balances(2)) == [900, 1_100]


async def test_a_person_who_wins_has_a_title(theatre: Theatre) -> None:
    won = None
    while won is None:
        theatre.crier.said.clear()
        end = await theatre.play_on(await started(theatre, 4))
        won = end.lines[0].user
    (champion, *_rest) = await theatre.casino.bank.titles.champions(GUILD)
    assert (champion.user, champion.tournaments) == (won, 1)


async def test_r7_8_the_absent_stand_with_the_smallest_stake_and_are_not_waited_for_at_the_next_table(
    theatre: Theatre,
) -> None:
    theatre.casino.set_house(turn_seconds=0.02)
    tournament = await started(theatre, 5)
    await theatre.until(lambda: any(said.startswith("farewell") for said in theatre.crier.said), 20)
    view = await theatre.director.view(tournament)
    assert view.phase is TournamentPhase.OVER
    assert set(view.state.absent) <= set(view.state.users)
    assert view.state.absent


async def test_cancelling_in_play_closes_its_tables_and_returns_every_buy_in(theatre: Theatre) -> None:
    tournament = await started(theatre, 6)
    await theatre.press_everywhere()
    await theatre.director.cancel(tournament, theatre.casino.press(), series=True)
    await theatre.said("farewell cancelled")
    assert theatre.casino.registry.tables() == ()
    assert await theatre.balances(6) == [1_000] * 6


async def test_what_happens_to_wallets_in_play_leaves_the_pool_alone(theatre: Theatre) -> None:
    """One is emptied by an admin, another's owner wants to be forgotten; then it is cancelled."""
    tournament = await started(theatre, 3)
    casino = theatre.casino
    alice = await casino.member(ALICE)
    await casino.bank.chips.take(alice.id, alice.balance, actor=BOB, reason="a fine", press=casino.press())
    with pytest.raises(StillPlaying):
        await casino.bank.privacy.forget(GUILD, BOB)
    await theatre.director.cancel(tournament, casino.press(), series=True)
    await theatre.said("farewell")
    assert await theatre.balances(3) == [100, 1_000, 1_000]
    assert not (await casino.bank.auditor.audit()).faults


async def test_what_has_begun_is_moved_no_more(theatre: Theatre) -> None:
    tournament = await started(theatre, 2)
    before = (await theatre.director.view(tournament)).state
    with pytest.raises(Refused) as no:
        await theatre.director.move(tournament, theatre.casino.press(), before.starts + DAY, "", "UTC", series=False)
    assert no.value.reason is Reason.SIGN_UP_OVER
    assert (await theatre.director.view(tournament)).state.starts == before.starts


async def test_a_forgotten_press_of_a_cancelled_tournament_is_refused(theatre: Theatre) -> None:
    tournament = await theatre.schedule()
    await theatre.director.cancel(tournament, theatre.casino.press(), series=True)
    with pytest.raises(Refused):
        await theatre.director.cancel(tournament, theatre.casino.press(), series=True)


# -- series ------------------------------------------------------------------------------------------------------------


async def test_a_daily_one_opens_the_next_when_it_begins(theatre: Theatre) -> None:
    tournament = await started(theatre, 2, every=Every.DAILY)
    following = await theatre.director.view(successor_id(tournament))
    first = await theatre.director.view(tournament)
    assert following.state.starts == first.state.starts + DAY
    assert [(one.state.odds, one.state.language) for one in (first, following)] == [(True, "fr")] * 2
    assert following.phase is TournamentPhase.SIGN_UP
    assert following.people == ()
    await theatre.until(lambda: _announced(theatre, successor_id(tournament)))


async def _announced(theatre: Theatre, tournament: int) -> bool:
    return (await theatre.director.view(tournament)).state.message is not None


async def test_a_series_goes_on_when_nobody_signs_up(theatre: Theatre) -> None:
    tournament = await theatre.schedule(every=Every.WEEKLY)
    await theatre.said("sign-up")
    await theatre.pass_time(3_600)
    await theatre.said("farewell cancelled")
    assert (await theatre.director.view(successor_id(tournament))).phase is TournamentPhase.SIGN_UP


async def test_a_series_is_cancelled_as_a_whole_or_one_alone(theatre: Theatre) -> None:
    one, whole = await theatre.schedule(every=Every.DAILY), await theatre.schedule(every=Every.DAILY)
    await theatre.director.cancel(one, theatre.casino.press(), series=False)
    await theatre.director.cancel(whole, theatre.casino.press(), series=True)
    (left,) = [view for view in await theatre.director.views(GUILD) if view.phase is TournamentPhase.SIGN_UP]
    assert left.state.id == successor_id(one)


@pytest.mark.parametrize("series", [False, True])
async def test_cancelled_in_play_one_leaves_the_next_one_open_and_a_whole_series_none(
    theatre: Theatre,
    series: bool,  # noqa: FBT001
) -> None:
    tournament = await started(theatre, 2, every=Every.DAILY)
    await theatre.director.cancel(tournament, theatre.casino.press(), series=series)
    await theatre.until(lambda: theatre.crier.said.count("farewell cancelled") == 1 + series)
    left = [view.state.id for view in await theatre.director.views(GUILD)]
    assert left == ([] if series else [successor_id(tournament)])


async def test_a_series_is_cancelled_as_a_whole_after_its_next_one_was_cancelled_alone(theatre: Theatre) -> None:
    tournament, director = await started(theatre, 2, every=Every.DAILY), theatre.director
    await director.cancel(successor_id(tournament), theatre.casino.press(), series=False)
    assert (await director.view(successor_id(successor_id(tournament)))).phase is TournamentPhase.SIGN_UP
    await director.cancel(tournament, theatre.casino.press(), series=True)
    assert await director.views(GUILD) == []


async def test_a_bank_that_fails_before_a_whole_series_is_cancelled_is_told(
    theatre: Theatre, monkeypatch: pytest.MonkeyPatch
) -> None:
    tournament, director = await started(theatre, 2, every=Every.DAILY), theatre.director
    change = director._around.books.change

    async def failing(number: int, *rest: Any) -> Any:
        if number != tournament:
            raise Refused(Reason.BANK_UNAVAILABLE)
        return await change(number, *rest)

    monkeypatch.setattr(director._around.books, "change", failing)
    with pytest.raises(Refused) as refused:
        await director.cancel(tournament, theatre.casino.press(), series=True)
    assert refused.value.reason is Reason.BANK_UNAVAILABLE


# -- places that go ----------------------------------------------------------------------------------------------------


async def test_a_deleted_channel_cancels_and_returns_every_buy_in(theatre: Theatre) -> None:
    tournament = await theatre.schedule()
    await theatre.said("sign-up")
    await theatre.sign_up(tournament, 3)
    theatre.crier.gone.add(CHANNEL)
    await theatre.director.channel_gone(GUILD, CHANNEL)
    await theatre.until(lambda: _told(theatre, tournament))
    assert (await theatre.director.view(tournament)).state.why is WhyCancelled.CHANNEL_GONE
    assert await theatre.balances(3) == [1_000] * 3


async def test_a_tournament_that_cannot_be_cancelled_keeps_no_other_of_a_deleted_channel_from_it(
    theatre: Theatre, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    stuck, other = [await theatre.schedule() for _ in range(2)]
    books = theatre.director._around.books
    assert [position.state.id for position in await books.open_ones(GUILD)] == [stuck, other]
    change = books.change

    async def failing(number: int, *rest: Any) -> Any:
        if number == stuck:
            raise Refused(Reason.BANK_UNAVAILABLE)
        return await change(number, *rest)

    monkeypatch.setattr(books, "change", failing)
    await theatre.director.channel_gone(GUILD, CHANNEL)
    assert (await theatre.director.view(other)).state.why is WhyCancelled.CHANNEL_GONE
    assert f"tournament {stuck}: channel {CHANNEL} is gone" in caplog.text


async def test_a_channel_that_was_deleted_unseen_is_found_out_at_the_start(theatre: Theatre) -> None:
    tournament = await theatre.schedule(every=Every.DAILY)
    await theatre.said("sign-up")
    await theatre.sign_up(tournament, 3)
    theatre.crier.gone.add(CHANNEL)
    await theatre.pass_time(3_600)
    await theatre.until(lambda: _told(theatre, tournament))
    assert await theatre.balances(3) == [1_000] * 3
    assert await theatre.director.views(GUILD) == []


async def _told(theatre: Theatre, tournament: int) -> bool:
    return (await theatre.director.view(tournament)).state.told


async def test_a_deleted_thread_moves_its_table_to_the_channel(theatre: Theatre) -> None:
    tournament = await started(theatre, 5)
    table, other = theatre.casino.registry.tables()
    thread, others = table.state.channel, other.state.channel
    assert thread != CHANNEL
    theatre.crier.gone.add(thread)
    await theatre.director.channel_gone(GUILD, thread)
    await theatre.until(lambda: table.state.channel == CHANNEL and table.state.message is not None)
    assert other.state.channel == others
    assert (await theatre.play_on(tournament)).phase is TournamentPhase.OVER


# -- it survives -------------------------------------------------------------------------------------------------------


async def test_a_start_that_was_missed_by_an_hour_happens_on_return(theatre: Theatre) -> None:
    tournament = await theatre.schedule()
    await theatre.said("sign-up")
    await theatre.sign_up(tournament, 2)
    await theatre.director.shutdown()
    theatre.casino.clock.time += 3_600
    await theatre.crash(LATEST)
    await theatre.said("standings")


async def test_a_start_that_was_missed_by_more_returns_every_buy_in(theatre: Theatre) -> None:
    tournament = await theatre.schedule()
    await theatre.said("sign-up")
    await theatre.sign_up(tournament, 2)
    await theatre.director.shutdown()
    theatre.casino.clock.time += 3_600
    await theatre.crash(LATEST + 1)
    await theatre.said("farewell cancelled")
    assert (await theatre.director.view(tournament)).state.why is WhyCancelled.MISSED
    assert await theatre.balances(2) == [1_000, 1_000]


async def test_r7_10_the_same_cards_that_nobody_works_out_within_the_hour_return_every_buy_in(theatre: Theatre) -> None:
    """There is no coach here. Until then nobody joins or leaves, and each look tries again."""
    tournament = await theatre.schedule(hands=20)
    await theatre.said("sign-up")
    await theatre.sign_up(tournament, 4)
    await theatre.director.shutdown()
    theatre.casino.clock.time += 3_600
    await theatre.crash(LATEST)
    await theatre.until(lambda: _is_closed(theatre, tournament))
    assert await theatre.balances(4) == [900] * 4
    assert theatre.director._run(tournament)._sought
    await theatre.pass_time(LEASE)
    await theatre.said("farewell cancelled")
    assert (await theatre.director.view(tournament)).state.why is WhyCancelled.MISSED
    assert await theatre.balances(4) == [1_000] * 4


@pytest.mark.parametrize("hands", [0, 20])
async def test_r7_10_a_start_whose_promise_cannot_be_posted_within_the_hour_returns_every_buy_in(
    theatre: Theatre, hands: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The posted promise was deleted. Until then each look tries to post another."""
    monkeypatch.setattr("engine.tables.alarm.SEEK_SECONDS", 0.001)
    tournament, poster = await theatre.schedule(hands=hands), theatre.casino.poster
    await theatre.said("sign-up")
    await theatre.sign_up(tournament, 4)
    poster.deleted, poster.closed = set(poster.messages), True
    await theatre.pass_time(3_600)
    await theatre.until(lambda: _is_closed(theatre, tournament))
    await theatre.pass_time(LATEST)
    run = theatre.director._run(tournament)
    tried = run._sought
    await theatre.until(lambda: run._sought > tried)
    assert await theatre.balances(4) == [900] * 4
    await theatre.pass_time(LEASE)
    await theatre.said("farewell cancelled")
    assert (await theatre.director.view(tournament)).state.why is WhyCancelled.MISSED
    assert await theatre.balances(4) == [1_000] * 4


async def test_r7_10_each_failure_to_deal_the_same_cards_makes_the_pause_longer(theatre: Theatre) -> None:
    tournament = await theatre.schedule(hands=20)
    await theatre.said("sign-up")
    await theatre.sign_up(tournament, 4)
    run = theatre.director._run(tournament)
    pauses = [(await run._deal() or 0) - theatre.casino.clock.now() for _ in range(6)]
    assert pauses == [4, 8, 16, 32, 60, 60]


async def test_each_failure_to_post_the_list_of_entrants_makes_the_pause_longer(
    theatre: Theatre, monkeypatch: pytest.MonkeyPatch
) -> None:
    tournament = await theatre.schedule()
    await theatre.said("sign-up")
    await theatre.sign_up(tournament, 2)

    async def no_answer(_: TournamentView) -> int:
        raise NotPosted("Discord is not there")

    monkeypatch.setattr(theatre.crier, "entrants", no_answer)
    run = theatre.director._run(tournament)
    pauses = [(await run._seat_everybody() or 0) - theatre.casino.clock.now() for _ in range(6)]
    assert pauses == [4, 8, 16, 32, 60, 60]


async def _is_closed(theatre: Theatre, tournament: int) -> bool:
    view = await theatre.director.view(tournament)
    return view.phase is TournamentPhase.CLOSED and bool(theatre.director._run(tournament)._sought)


async def test_a_tournament_is_run_by_one_process(theatre: Theatre) -> None:
    tournament = await started(theatre, 2)
    first = theatre.director
    # An hour passed in an instant, and the claim of before it may not be renewed yet.
    await theatre.bank.jobs.renew(f"{TOURNAMENT}/{tournament}", first._name, seconds=LEASE)
    theatre._compose()
    second = theatre.director
    second.wake()
    await asyncio.sleep(0.05)
    assert list(first._held) == [tournament]
    assert list(second._held) == []
    await first.shutdown()
    second.wake()
    await theatre.until(lambda: list(second._held) == [tournament])
    await second.shutdown()


async def test_a_move_by_another_process_while_a_claim_is_given_up_is_told_at_once(
    theatre: Theatre, monkeypatch: pytest.MonkeyPatch
) -> None:
    tournament, casino, first = await theatre.schedule(), theatre.casino, theatre.director
    await theatre.until(lambda: _announced(theatre, tournament))
    await theatre.until(lambda: tournament not in first._held)
    theatre._compose()
    release = theatre.bank.jobs.release

    async def moved_before(key: str, by: str, **when: float) -> None:
        monkeypatch.setattr(theatre.bank.jobs, "release", release)
        casino.clock.time += 1
        starts = casino.clock.now() + DAY
        await theatre.director.move(tournament, casino.press(), starts, "tomorrow", "UTC", series=False)
        await release(key, by, **when)

    monkeypatch.setattr(theatre.bank.jobs, "release", moved_before)
    casino.clock.time += 3_600 - REMINDER
    first.wake()
    await theatre.said("moved")
    await first.shutdown()


async def test_a_look_that_is_asked_for_during_another_one_follows_at_once(
    theatre: Theatre, monkeypatch: pytest.MonkeyPatch
) -> None:
    advance, looks = TournamentRun.advance, []

    async def asked_again(run: TournamentRun) -> float | None:
        looks.append(again := await advance(run))
        if len(looks) == 1:
            theatre.director.look(run.id)
        return again

    monkeypatch.setattr(TournamentRun, "advance", asked_again)
    await theatre.schedule()
    await theatre.until(lambda: len(looks) == 2)


async def test_a_claim_that_is_not_renewed_is_taken_over(theatre: Theatre) -> None:
    tournament = await started(theatre, 3)
    first = theatre.director
    await theatre.crash()
    await theatre.until(lambda: list(theatre.director._held) == [tournament])
    assert first is not theatre.director
    assert (await theatre.play_on(tournament)).phase is TournamentPhase.OVER


async def test_the_only_process_need_not_wait_for_its_own_claim(theatre: Theatre) -> None:
    tournament = await started(theatre, 3)
    theatre.name = theatre.director._name
    await theatre.crash(wait=0)
    await theatre.until(lambda: list(theatre.director._held) == [tournament])


async def test_whatever_goes_wrong_on_a_look_round_there_is_another(
    theatre: Theatre, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("engine.tournament.director.RETRY", 0.01)
    right, asked = theatre.bank.jobs.waiting, asyncio.Event()

    async def wrong(kind: str) -> object:
        asked.set()
        raise LookupError(kind)

    monkeypatch.setattr(theatre.bank.jobs, "waiting", wrong)
    await theatre.schedule()
    await asked.wait()
    monkeypatch.setattr(theatre.bank.jobs, "waiting", right)
    await theatre.said("sign-up")


async def test_a_bank_that_cannot_write_its_promise_is_no_error_but_waited_for(
    theatre: Theatre, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("engine.tournament.director.RETRY", 0.01)
    right, asked = theatre.bank.chains.begin, asyncio.Event()

    async def full(chain: object) -> object:
        asked.set()
        raise BankUnavailable

    monkeypatch.setattr(theatre.bank.chains, "begin", full)
    await theatre.schedule()
    await asked.wait()
    await asyncio.sleep(0.02)
    monkeypatch.setattr(theatre.bank.chains, "begin", right)
    await theatre.said("sign-up")
    assert not [record for record in caplog.records if record.levelname == "ERROR"]


def lose_the_next_answer(theatre: Theatre, monkeypatch: pytest.MonkeyPatch) -> None:
    """Lose the answer to the next change of a tournament, which is written."""
    right = theatre.bank.tournaments.commit

    async def commit(change: TournamentChange) -> None:
        monkeypatch.setattr(theatre.bank.tournaments, "commit", right)
        await right(change)
        raise OutcomeUnknown

    monkeypatch.setattr(theatre.bank.tournaments, "commit", commit)


async def test_a_tournament_whose_beginning_went_unheard_is_announced(
    theatre: Theatre, monkeypatch: pytest.MonkeyPatch
) -> None:
    lose_the_next_answer(theatre, monkeypatch)
    with pytest.raises(Refused):
        await theatre.schedule()
    await theatre.said("sign-up")


@pytest.mark.parametrize("playing", [False, True])
async def test_a_tournament_whose_end_went_unheard_says_so(
    theatre: Theatre, monkeypatch: pytest.MonkeyPatch, *, playing: bool
) -> None:
    tournament = await started(theatre, 2) if playing else await theatre.schedule()
    await theatre.said("sign-up")
    await theatre.until(lambda: playing is (tournament in theatre.director._held))
    lose_the_next_answer(theatre, monkeypatch)
    with pytest.raises(Refused):
        await theatre.director.cancel(tournament, theatre.casino.press(), series=False)
    await theatre.said("farewell cancelled")


async def test_a_move_that_went_unheard_is_told(theatre: Theatre, monkeypatch: pytest.MonkeyPatch) -> None:
    tournament = await theatre.schedule()
    await theatre.said("sign-up")
    await theatre.until(lambda: tournament not in theatre.director._held)
    lose_the_next_answer(theatre, monkeypatch)
    starts, press = theatre.casino.clock.now() + DAY, theatre.casino.press()
    with pytest.raises(Refused):
        await theatre.director.move(tournament, press, starts, "tomorrow", "UTC", series=False)
    await theatre.said("moved")


class _Torn(Wire):
    """A bank that is gone together with its answer."""

    torn = False

    async def _lose(self, change: Change) -> None:
        losing = self.losing
        try:
            await super()._lose(change)
        finally:
            if losing:
                self.cut()
                self.torn = True


async def test_a_table_whose_opening_was_not_answered_is_played(
    theatre: Theatre, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("engine.tournament.director.RETRY", 0.01)
    wire = _Torn(theatre.casino)
    tournament = await theatre.schedule()
    await theatre.said("sign-up")
    await theatre.sign_up(tournament, 2)
    wire.lose(arrives=True)
    await theatre.pass_time(3_600)
    await theatre.until(lambda: wire.torn)
    assert theatre.casino.registry.tables() == ()
    wire.mend()
    assert (await theatre.play_on(tournament)).phase is TournamentPhase.OVER


async def test_killed_before_and_after_every_step_it_goes_on_exactly_there(theatre: Theatre) -> None:
    """Sign-up to prizes, with the process dying twice at everything it records or says."""
    casino = theatre.casino
    tournament = await theatre.schedule()
    await theatre.said("sign-up")
    await theatre.sign_up(tournament, 5)
    dead = asyncio.Event()
    theatre.bank, theatre.announcer = Perilous(casino.bank, dead), Perilous(theatre.crier, dead)
    casino.clock.time += 3_600
    await theatre.crash()
    deaths = 0

    async def over() -> bool:
        nonlocal deaths
        if dead.is_set():
            deaths += 1
            dead.clear()
            await theatre.crash()
        await theatre.press_everywhere()
        row = await casino.bank.tournaments.stored(tournament)
        return row is not None and not row.open

    await theatre.until(over, 60)
    dead.clear()
    end = await theatre.director.view(tournament)
    assert deaths > 30
    assert end.phase is TournamentPhase.OVER
    assert len([line for line in end.lines if line.person]) == 5
    assert sum(await theatre.balances(5)) == 5_000
    assert sorted(end.prizes.values()) == [10_000, 15_000, 25_000]
