"""Duels in the bank (R12): stakes from challenge to end, every ending, limits, caps, breaks, and what stays secret."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace

import pytest
import sqlalchemy as sa

from data import (
    Ages,
    Bank,
    Challenge,
    ChallengedBefore,
    Challenges,
    DuelMoved,
    Length,
    LimitKind,
    MustKeep,
    NotTaken,
    OverCap,
    OverDuelCap,
    Rest,
    SeasonBoard,
    Span,
    StillDuelling,
    StoredDuel,
    TooFewHands,
    TooManyDuels,
    TooYoung,
    Wishes,
    season_at,
)
from data.base.set_tables import streams
from data.copies import restored
from data.people.fingerprints import DAY
from data.proofs.report import Wrong
from engine.games.contract import CHIP
from engine.sets.duels import HAND, OPEN_FOR, RUNS_FOR, DuelState, Ending
from engine.sets.tries import NEXT
from engine.tables.house import HouseSettings
from engine.tables.ports import AlreadyDone, BankError, CannotPay, OnBreak, OverLimit, StillSecret
from engine.tables.values import Member
from tests.data.by_hand import by_hand, would_find
from tests.data.conftest import Join
from tests.data.dealer import GUILD, LENIENT, Dealer, HandClock, press
from tests.data.pairs import (
    ADA,
    BEN,
    CLEO,
    HANDS,
    challenge,
    draft_of,
    play,
    play_out,
    prepared,
    presses,
    running,
    two,
)

HOUR = 3_600.0


async def chips(bank: Bank, *members: Member) -> list[int]:
    balances = await bank.members.balances([member.id for member in members])
    return [balances[member.id] // CHIP for member in members]


async def refused(deed: Awaitable[object]) -> type[Exception] | None:
    try:
        await deed
    except BankError as error:
        return type(error)
    return None


async def ended(bank: Bank, duel: StoredDuel) -> StoredDuel:
    found = await bank.duels.end(duel.id)
    assert found is not None
    return found


@pytest.mark.parametrize(("root", "is_uphill"), [(3, False), (4, True), (38, False)])
async def test_r14_3_a_duel_may_be_won_uphill(bank: Bank, root: int, *, is_uphill: bool) -> None:
    """Ada decides better each time: she had the better cards, then worse ones, then as good ones."""
    ada, ben = await two(bank)
    draft = draft_of(bytes([root]) * 32)
    duel = await bank.challenges.make(Challenge(press(), GUILD, 70, ada, ben), draft, prepared(draft))
    duel = await bank.challenges.accept(duel.id, ben, for_fun=True)
    await play_out(bank, duel, ADA)
    await play_out(bank, duel, BEN, worst=True)
    assert not await bank.duels.won_uphill(ada.id)
    assert (await ended(bank, duel)).winner == ada.id
    assert await bank.duels.won_uphill(ada.id) is is_uphill
    assert not await bank.duels.won_uphill(ben.id)


async def test_ones_duels_are_listed_as_they_end(bank: Bank, clock: HandClock) -> None:
    ada, ben = await two(bank)
    cleo = await bank.members.sign_in(GUILD, CLEO)
    first = await challenge(bank, ada, ben, 0)
    clock.time += 60
    second = await challenge(bank, cleo, ada, 0)
    assert [duel.id for duel in await bank.duels.open_of(ADA)] == [first.id, second.id]
    clock.time += 60
    await bank.challenges.accept(first.id, ben, for_fun=True)
    assert [duel.id for duel in await bank.duels.open_of(ADA)] == [second.id, first.id]
    assert [duel.id for duel in await bank.duels.open_of(BEN)] == [first.id]


async def test_people_are_called_two_hours_before_the_end_where_two_of_them_play(bank: Bank, clock: HandClock) -> None:
    ada, ben = await two(bank)
    duel = await running(bank, ada, ben, 0)
    await challenge(bank, ada, None, 0, level="expert")
    await challenge(bank, ada, await bank.members.sign_in(GUILD, CLEO), 0)
    clock.time += RUNS_FOR - 2 * HOUR - 1
    assert await bank.duels.soon() == []
    clock.time += 1
    assert await bank.duels.soon() == [(duel.id, GUILD)]
    assert await bank.duels.called(duel.id)
    assert await bank.duels.soon() == []


async def test_people_are_called_and_told_of_the_end_once(bank: Bank) -> None:
    ada, ben = await two(bank)
    duel = await challenge(bank, ada, ben)
    assert not await bank.duels.called(duel.id), "nobody plays yet"
    duel = await bank.challenges.accept(duel.id, ben, for_fun=True)
    assert [await bank.duels.called(duel.id) for _ in range(2)] == [True, False]
    assert not await bank.duels.mark_posted(duel.id), "it goes on"
    for user in (ADA, BEN):
        await play_out(bank, duel, user)
    await ended(bank, duel)
    assert [await bank.duels.mark_posted(duel.id) for _ in range(2)] == [True, False]
    assert not await bank.duels.called(duel.id)


async def test_r12_2_only_its_two_people_end_a_challenge_and_only_while_it_is_open(bank: Bank) -> None:
    ada, ben = await two(bank)
    cleo = await bank.members.sign_in(GUILD, CLEO)
    duel = await challenge(bank, ada, ben)
    assert await refused(bank.challenges.refuse(duel.id, cleo.id)) is DuelMoved
    assert await refused(bank.challenges.accept(duel.id, cleo, for_fun=True)) is DuelMoved
    assert await refused(bank.duels.begin(duel, CLEO)) is DuelMoved
    assert await refused(bank.duels.begin(duel, ADA)) is DuelMoved, "it is not accepted"
    duel = await bank.challenges.accept(duel.id, ben, for_fun=True)
    for member in (ada, ben):
        assert await refused(bank.challenges.refuse(duel.id, member.id)) is DuelMoved
    assert await refused(bank.duels.begin(duel, CLEO)) is DuelMoved


# -- the challenge (R12.2) ---------------------------------------------------------------------------------------------


async def test_r12_2_the_challengers_stake_leaves_with_the_challenge_and_the_others_with_the_acceptance(
    bank: Bank,
) -> None:
    ada, ben = await two(bank)
    duel = await challenge(bank, ada, ben)
    assert (duel.state, duel.stake, await chips(bank, ada, ben)) == (DuelState.CHALLENGED, 50 * CHIP, [950, 1000])
    duel = await bank.challenges.accept(duel.id, ben, for_fun=False)
    assert (duel.state, await chips(bank, ada, ben)) == (DuelState.RUNNING, [950, 950])


async def test_r12_2_accepted_for_fun_the_challengers_stake_comes_back(bank: Bank) -> None:
    ada, ben = await two(bank)
    duel = await challenge(bank, ada, ben)
    duel = await bank.challenges.accept(duel.id, ben, for_fun=True)
    assert (duel.state, duel.offered, duel.stake) == (DuelState.RUNNING, 50 * CHIP, 0)
    assert await chips(bank, ada, ben) == [1000, 1000]
    await play_out(bank, duel, ADA)
    await play_out(bank, duel, BEN, worst=True)
    assert (await ended(bank, duel)).winner == ada.id
    assert await chips(bank, ada, ben) == [1000, 1000]


@pytest.mark.parametrize("stake", [0, 50])
@pytest.mark.parametrize("ending", [Ending.DECLINED, Ending.WITHDRAWN])
async def test_r12_2_declined_or_withdrawn_the_stake_comes_back(bank: Bank, ending: Ending, stake: int) -> None:
    ada, ben = await two(bank)
    duel = await challenge(bank, ada, ben, stake)
    done = await bank.challenges.refuse(duel.id, ada.id if ending is Ending.WITHDRAWN else ben.id)
    assert (done.ending, done.winner, await chips(bank, ada, ben)) == (ending, None, [1000, 1000])


async def test_a_press_that_comes_twice_challenges_once(bank: Bank) -> None:
    ada, ben = await two(bank)
    duel = await challenge(bank, ada, ben)
    await bank.challenges.refuse(duel.id, ben.id)
    assert await refused(challenge(bank, ada, ben, id=duel.id)) is AlreadyDone
    assert await chips(bank, ada) == [1000]


async def test_only_who_was_challenged_accepts_and_nobody_else_refuses(bank: Bank) -> None:
    ada, ben = await two(bank)
    cleo = await bank.members.sign_in(GUILD, CLEO)
    duel = await challenge(bank, ada, ben)
    for member in (ada, cleo):
        assert await refused(bank.challenges.accept(duel.id, member, for_fun=True)) is DuelMoved
    assert await refused(bank.challenges.refuse(duel.id, cleo.id)) is DuelMoved
    assert await refused(bank.challenges.accept(404, ben, for_fun=True)) is DuelMoved


async def test_accepted_twice_at_once_it_is_accepted_once(bank: Bank) -> None:
    ada, ben = await two(bank)
    duel = await challenge(bank, ada, ben)
    accepting = [refused(bank.challenges.accept(duel.id, ben, for_fun=fun)) for fun in (False, True, False)]
    assert sorted(map(str, await asyncio.gather(*accepting))) == sorted(map(str, [None, DuelMoved, DuelMoved]))


async def test_withdrawn_while_it_is_accepted_one_of_both_counts(bank: Bank) -> None:
    ada, ben = await two(bank)
    duel = await challenge(bank, ada, ben)
    done = await asyncio.gather(
        refused(bank.challenges.accept(duel.id, ben, for_fun=False)), refused(bank.challenges.refuse(duel.id, ada.id))
    )
    assert sorted(map(str, done)) == sorted(map(str, [None, DuelMoved]))
    found = await bank.duels.known(duel.id)
    assert await chips(bank, ada, ben) == ([950, 950] if found.state is DuelState.RUNNING else [1000, 1000])


# -- time (R12.3) ------------------------------------------------------------------------------------------------------


async def test_r12_3_a_challenge_is_open_for_24_hours(bank: Bank, clock: HandClock) -> None:
    ada, ben = await two(bank)
    duel = await challenge(bank, ada, ben)
    clock.time += OPEN_FOR - 1
    assert await bank.duels.due() == []
    assert await bank.duels.end(duel.id) is None
    clock.time += 1
    assert await bank.duels.due() == [(duel.id, GUILD)]
    assert await refused(bank.challenges.accept(duel.id, ben, for_fun=False)) is DuelMoved
    assert (await ended(bank, duel)).ending is Ending.UNANSWERED
    assert await chips(bank, ada, ben) == [1000, 1000]


async def test_r12_3_a_hand_that_is_shown_for_ten_minutes_stands(bank: Bank, clock: HandClock) -> None:
    ada, ben = await two(bank)
    duel = await running(bank, ada, ben)
    deals = await bank.duels.deals(duel)
    stored = await play(bank, duel, ADA, [])
    clock.time += HAND - 1
    assert await bank.duels.in_time(stored, deals) == stored
    clock.time += 1
    late = await bank.duels.in_time(stored, deals)
    assert late.on(deals).round.over
    assert late.version == len(late.steps)
    clock.time += HAND
    assert await bank.duels.in_time(late, deals) == late
    shown = await bank.tries.press(late, late.on(deals).pressed(NEXT, deals.shoes))
    assert (shown.shown_at, shown.on(deals).round.over) == (clock.now(), False)


async def test_r12_3_minutes_in_which_the_house_was_down_are_added(bank: Bank, clock: HandClock) -> None:
    ada, ben = await two(bank)
    await bank.outages.beat()
    duel = await running(bank, ada, ben)
    deals, stored = await bank.duels.deals(duel), await play(bank, duel, ADA, [])
    clock.time += HAND / 2
    await bank.outages.beat()
    clock.time += 2 * HOUR
    assert await bank.duels.in_time(stored, deals) == stored  # before the house has said that it is back, too
    await bank.outages.beat()
    for _ in range(5):
        clock.time += 60
        await bank.outages.beat()
    late = await bank.duels.in_time(stored, deals)
    assert late == stored  # five minutes, and five before both silences were noticed
    clock.time = duel.deadline
    await bank.outages.beat()
    clock.time += 60
    assert await bank.duels.end(duel.id) is None


async def test_r12_3_nothing_is_begun_after_24_hours(bank: Bank, clock: HandClock) -> None:
    ada, ben = await two(bank)
    duel = await running(bank, ada, ben)
    clock.time += RUNS_FOR
    assert await refused(bank.duels.begin(duel, ADA)) is DuelMoved


# -- the endings (R12.4, R12.5) ----------------------------------------------------------------------------------------


async def test_r12_4_nobody_began_and_stakes_go_back(bank: Bank, clock: HandClock) -> None:
    ada, ben = await two(bank)
    duel = await running(bank, ada, ben)
    clock.time += RUNS_FOR
    done = await ended(bank, duel)
    assert (done.ending, done.winner, await chips(bank, ada, ben)) == (Ending.NOBODY_BEGAN, None, [1000, 1000])


@pytest.mark.parametrize("who", [ADA, BEN])
async def test_r12_4_one_began_and_the_other_never_did(bank: Bank, clock: HandClock, who: int) -> None:
    ada, ben = await two(bank)
    duel = await running(bank, ada, ben)
    await play(bank, duel, who, [])
    clock.time += RUNS_FOR
    done = await ended(bank, duel)
    assert (done.ending, done.winner) == (Ending.ONE_BEGAN, {ADA: ada, BEN: ben}[who].id)
    assert await chips(bank, ada, ben) == ([1050, 950] if who == ADA else [950, 1050])


async def test_r12_4_begun_and_left_what_is_unplayed_stands_and_is_compared(bank: Bank, clock: HandClock) -> None:
    ada, ben = await two(bank)
    duel = await running(bank, ada, ben)
    await play_out(bank, duel, BEN)
    await play(bank, duel, ADA, presses(await bank.duels.deals(duel))[:2])
    clock.time += RUNS_FOR
    done = await ended(bank, duel)
    assert (done.ending, done.winner) == (Ending.DECISIONS, ben.id)
    result = await bank.duels.result(done)
    assert result.tries[0] is not None
    assert result.tries[0].over
    assert await chips(bank, ada, ben) == [950, 1050]


@pytest.mark.parametrize("worst", [ADA, BEN])
async def test_r12_5_the_better_decisions_win_whoever_has_the_better_net(bank: Bank, worst: int) -> None:
    ada, ben = await two(bank)
    duel = await running(bank, ada, ben)
    for user in (BEN, ADA):
        await play_out(bank, duel, user, worst=user == worst)
    assert await bank.duels.due() == [(duel.id, GUILD)]
    done = await ended(bank, duel)
    winner = ben if worst == ADA else ada
    assert (done.ending, done.winner) == (Ending.DECISIONS, winner.id)
    assert await chips(bank, winner) == [1050]


async def test_r12_5_equal_in_everything_stakes_go_back(bank: Bank) -> None:
    ada, ben = await two(bank)
    duel = await running(bank, ada, ben)
    for user in (ADA, BEN):
        await play_out(bank, duel, user)
    done = await ended(bank, duel)
    assert (done.ending, done.winner, await chips(bank, ada, ben)) == (Ending.EQUAL, None, [1000, 1000])


async def test_a_duel_ends_once_however_many_end_it_at_once(bank: Bank) -> None:
    ada, ben = await two(bank)
    duel = await running(bank, ada, ben)
    await play_out(bank, duel, BEN, worst=True)
    await play_out(bank, duel, ADA)
    await asyncio.gather(*(bank.duels.end(duel.id) for _ in range(5)))
    assert await chips(bank, ada, ben) == [1050, 950]
    assert await bank.duels.due() == [(duel.id, GUILD)]  # to be told
    await bank.duels.mark_posted(duel.id)
    assert await bank.duels.due() == []


async def test_both_finish_at_once_and_it_is_due(bank: Bank) -> None:
    ada, ben = await two(bank)
    duel = await running(bank, ada, ben)
    deals = await bank.duels.deals(duel)
    *most, last = presses(deals)
    stored = [await play(bank, duel, user, most) for user in (ADA, BEN)]
    after = [each.on(deals).pressed(last, deals.shoes) for each in stored]
    await asyncio.gather(*(bank.tries.press(each, then) for each, then in zip(stored, after, strict=True)))
    assert (await ended(bank, duel)).ending is Ending.EQUAL


async def test_begun_in_the_moment_of_the_end_it_is_begun_or_over(bank: Bank, clock: HandClock) -> None:
    ada, ben = await two(bank)
    duel = await running(bank, ada, ben)
    clock.time = duel.deadline - 1
    await play(bank, duel, ADA, [])
    begun = bank.duels.begin(await bank.duels.known(duel.id), BEN)
    clock.time += 2
    found, done = await asyncio.gather(refused(begun), bank.duels.end(duel.id))
    assert done is not None
    assert (done.ending is Ending.ONE_BEGAN) == (found is DuelMoved)


async def test_nothing_is_pressed_after_the_end(bank: Bank, clock: HandClock) -> None:
    ada, ben = await two(bank)
    duel = await running(bank, ada, ben)
    deals, stored = await bank.duels.deals(duel), await play(bank, duel, ADA, [])
    after = stored.on(deals).pressed(presses(deals)[0], deals.shoes)
    clock.time += RUNS_FOR
    await ended(bank, duel)
    with pytest.raises(BankError):
        await bank.tries.press(stored, after)


# -- computer players (R12.1) ------------------------------------------------------------------------------------------


async def test_r12_1_against_a_level_it_begins_at_once_and_without_chips(bank: Bank) -> None:
    ada, _ = await two(bank)
    duel = await challenge(bank, ada, None, 0, level="amateur")
    assert duel.state is DuelState.RUNNING
    await play_out(bank, duel, ADA)
    done = await ended(bank, duel)
    assert (done.ending, done.winner, done.told) == (Ending.DECISIONS, ada.id, True)


async def test_r12_1_against_perfect_the_nets_decide(bank: Bank) -> None:
    ada, _ = await two(bank)
    duel = await challenge(bank, ada, None, 0, level="perfect")
    await play_out(bank, duel, ADA, worst=True)
    done = await ended(bank, duel)
    assert (done.ending, done.winner) == (Ending.NETS, None)


async def test_a_duel_with_a_level_that_nobody_began_has_no_result(bank: Bank, clock: HandClock) -> None:
    ada, _ = await two(bank)
    duel = await challenge(bank, ada, None, 0, level="expert")
    clock.time += RUNS_FOR
    assert (await ended(bank, duel)).ending is Ending.NOBODY_BEGAN


# -- limits and peace (R12.6, R12.7) -----------------------------------------------------------------------------------


async def test_r12_7_one_open_challenge_between_two_people(bank: Bank) -> None:
    ada, ben = await two(bank)
    await challenge(bank, ada, ben)
    for one, other in ((ada, ben), (ben, ada)):
        assert await refused(challenge(bank, one, other, 0)) is ChallengedBefore


async def test_r12_7_three_open_challenges_a_person_on_either_side(bank: Bank) -> None:
    ada, _ = await two(bank)
    others = [await bank.members.sign_in(GUILD, user) for user in range(10, 14)]
    for other in others[:3]:
        await challenge(bank, ada, other, 0)
    assert await refused(challenge(bank, ada, others[3], 0)) is TooManyDuels
    cleo = await bank.members.sign_in(GUILD, CLEO)
    for other in others[:3]:
        await challenge(bank, other, cleo, 0)
    assert await refused(challenge(bank, others[3], cleo, 0)) is NotTaken


async def test_r12_7_three_running_duels_a_person(bank: Bank) -> None:
    ada, _ = await two(bank)
    for user in range(10, 13):
        await running(bank, ada, await bank.members.sign_in(GUILD, user), 0)
    other = await bank.members.sign_in(GUILD, 13)
    assert await refused(running(bank, ada, other, 0)) is TooManyDuels
    assert await refused(challenge(bank, ada, None, 0, level="expert")) is TooManyDuels


async def a_break_of_chips(bank: Bank) -> None:
    await bank.breaks.begin(BEN, Rest.CHIPS, Length.DAY)


async def a_break_of_everything(bank: Bank) -> None:
    await bank.breaks.begin(BEN, Rest.EVERYTHING, Length.DAY)


async def for_fun_only(bank: Bank) -> None:
    await bank.wishes.keep(BEN, Wishes(challenges=Challenges.FOR_FUN))


async def from_nobody(bank: Bank) -> None:
    await bank.wishes.keep(BEN, Wishes(challenges=Challenges.NOBODY))


async def not_from_her(bank: Bank) -> None:
    await bank.wishes.silence(BEN, ADA)


@pytest.mark.parametrize(
    ("reason", "for_fun"),
    [
        (a_break_of_chips, None),
        (for_fun_only, None),
        (a_break_of_everything, NotTaken),
        (from_nobody, NotTaken),
        (not_from_her, NotTaken),
    ],
    ids=lambda value: getattr(value, "__name__", None),
)
async def test_r12_7_whatever_the_reason_the_challenger_reads_the_same(
    bank: Bank, reason: Callable[[Bank], Awaitable[None]], for_fun: type[Exception] | None
) -> None:
    ada, ben = await two(bank)
    await reason(bank)
    assert await refused(challenge(bank, ada, ben, 50)) is NotTaken
    assert await refused(challenge(bank, ada, ben, 0)) is for_fun
    assert await chips(bank, ada) == [1000]


async def test_r12_7_who_is_silenced_by_one_may_challenge_others_and_be_heard_again(bank: Bank) -> None:
    ada, ben = await two(bank)
    cleo = await bank.members.sign_in(GUILD, CLEO)
    await bank.wishes.silence(BEN, ADA)
    await challenge(bank, ada, cleo, 0)
    await challenge(bank, cleo, ben, 0)
    await bank.wishes.hear_all(BEN)
    await challenge(bank, ada, ben, 0)


async def test_r12_6_a_result_is_kept_secret_until_the_end(bank: Bank) -> None:
    ada, ben = await two(bank)
    duel = await running(bank, ada, ben)
    await play_out(bank, duel, ADA)
    with pytest.raises(StillSecret):
        await bank.duels.result(await bank.duels.known(duel.id))


async def test_r12_6_how_far_the_other_is_changes_nothing_that_one_can_see(bank: Bank) -> None:
    ada, ben = await two(bank)
    duel = await running(bank, ada, ben)
    deals = await bank.duels.deals(duel)
    await play(bank, duel, ADA, [])
    begun, mine = await bank.duels.known(duel.id), await bank.privacy.export(GUILD, BEN)
    await play(bank, duel, ADA, presses(deals)[:-1])
    assert await bank.duels.known(duel.id) == begun
    assert await bank.privacy.export(GUILD, BEN) == mine


# -- what hands may change (R12.9) -------------------------------------------------------------------------------------


async def test_r12_9_a_running_stake_counts_against_the_caps_of_both_and_at_the_end_only_the_net(
    bank: Bank, join: Join
) -> None:
    ada, ben, cleo = [await join(user, 3_000) for user in (ADA, BEN, CLEO)]
    duel = await running(bank, ada, ben, 600)
    for giver, receiver in ((ada, cleo), (ben, cleo), (cleo, ada), (cleo, ben)):
        assert issubclass(await refused(bank.chips.give(giver.id, receiver.id, 401 * CHIP, press())) or object, OverCap)
    assert await refused(challenge(bank, ada, cleo, 401)) is OverDuelCap
    await play_out(bank, duel, ADA)
    await play_out(bank, duel, BEN, worst=True)
    await ended(bank, duel)
    await bank.chips.give(ada.id, cleo.id, 900 * CHIP, press())
    assert await refused(bank.chips.give(ben.id, cleo.id, 401 * CHIP, press())) is not None


async def test_r12_9_what_is_won_back_from_the_same_person_counts_off(bank: Bank, join: Join) -> None:
    ada, ben = [await join(user, 3_000) for user in (ADA, BEN)]
    for worst in (ADA, BEN, ADA):
        duel = await running(bank, ada, ben, 500)
        for user in (ADA, BEN):
            await play_out(bank, duel, user, worst=user == worst)
        await ended(bank, duel)
    assert await chips(bank, ada, ben) == [2_500, 3_500]
    assert await refused(challenge(bank, ada, ben, 501)) is OverDuelCap
    await challenge(bank, ada, ben, 500)


async def test_r12_9_what_is_won_from_somebody_else_does_not_count_off(bank: Bank, join: Join) -> None:
    ada, ben, cleo = [await join(user, 3_000) for user in (ADA, BEN, CLEO)]
    await duelled(bank, ada, ben, worst=ada, stake=500)
    await duelled(bank, ada, cleo, worst=cleo, stake=500)
    assert issubclass(await refused(bank.chips.give(ada.id, cleo.id, 501 * CHIP, press())) or object, OverCap)
    await bank.chips.give(ada.id, cleo.id, 500 * CHIP, press())


async def test_r12_9_an_equal_duel_has_passed_on_nothing(bank: Bank, join: Join) -> None:
    ada, ben = [await join(user, 3_000) for user in (ADA, BEN)]
    duel = await running(bank, ada, ben, 600)
    for user in (ADA, BEN):
        await play_out(bank, duel, user)
    assert (await ended(bank, duel)).ending is Ending.EQUAL
    await challenge(bank, ada, ben, 1_000)


async def test_r12_9_a_day_later_the_caps_are_free_again(bank: Bank, clock: HandClock, join: Join) -> None:
    ada, ben = [await join(user, 3_000) for user in (ADA, BEN)]
    duel = await running(bank, ada, ben, 900)
    await play_out(bank, duel, ADA)
    await play_out(bank, duel, BEN, worst=True)
    await ended(bank, duel)
    clock.time += 24 * HOUR
    await challenge(bank, ben, ada, 900)


async def test_r12_9_two_stakes_accepted_at_once_are_within_the_cap_together(bank: Bank, join: Join) -> None:
    ada, ben, cleo = [await join(user, 3_000) for user in (ADA, BEN, CLEO)]
    asked = [(await challenge(bank, ada, other, 600), other) for other in (ben, cleo)]
    done = await asyncio.gather(*(refused(bank.challenges.accept(one.id, who, for_fun=False)) for one, who in asked))
    assert sorted(map(str, done)) == sorted(map(str, [None, OverDuelCap]))


async def test_r12_9_a_stake_that_one_could_not_be_given_is_not_played_for(unsound_bank: Bank) -> None:
    """Whoever wins receives it."""
    bank = unsound_bank
    ada, ben = await two(bank)
    house = replace(LENIENT, received_cap=300 * CHIP)
    await bank.guilds.keep_settings(GUILD, replace(await bank.guilds.settings(GUILD), house=house))
    assert await refused(challenge(bank, ada, ben, 301)) is OverDuelCap
    await challenge(bank, ada, ben, 300)


async def test_r12_9_who_passes_chips_to_whom_counts_duels(bank: Bank, clock: HandClock) -> None:
    ada, ben = await two(bank)
    for stake in (50, 0):
        await duelled(bank, ada, ben, worst=ben, stake=stake)
    await bank.chips.give(ben.id, ada.id, 10 * CHIP, press())
    (fed,) = await bank.records.feeding(GUILD, clock.now() - 1)
    assert (fed.giver, fed.receiver, fed.amount, fed.gifts) == (BEN, ADA, 60 * CHIP, 2)
    assert await bank.records.feeding(GUILD, clock.now()) == (), "what was before is in an earlier report"


async def test_r12_9_a_stake_asks_what_a_gift_asks_and_of_the_other_when_they_accept(
    unsound_bank: Bank, clock: HandClock
) -> None:
    bank = unsound_bank
    ada, ben = await two(bank)
    young = Ages(clock.now() - 1, clock.now() - 1)
    house = HouseSettings(gift_hands=0, gift_account_days=30)
    await bank.guilds.keep_settings(GUILD, (await bank.guilds.settings(GUILD)).__class__(house=house))
    assert await refused(challenge(bank, ada, ben, since=young)) is TooYoung
    await challenge(bank, ada, ben, 0, since=young)
    cleo = await bank.members.sign_in(GUILD, CLEO)
    duel = await challenge(bank, ada, cleo)
    assert await refused(bank.challenges.accept(duel.id, cleo, young, for_fun=False)) is TooYoung
    await bank.challenges.accept(duel.id, cleo, young, for_fun=True)


async def test_r12_9_a_stake_leaves_at_least_what_a_gift_leaves(bank: Bank, join: Join) -> None:
    ada, ben = await join(ADA, 150), await join(BEN, 140)
    with pytest.raises(MustKeep) as no:
        await challenge(bank, ada, ben, 51)
    assert no.value.kept == 100 * CHIP
    duel = await challenge(bank, ada, ben, 50)
    assert await refused(bank.challenges.accept(duel.id, ben, for_fun=False)) is MustKeep
    assert await refused(challenge(bank, ben, await join(CLEO), 141)) is CannotPay
    assert await chips(bank, ada, ben) == [100, 140]


async def test_r12_9_a_stake_asks_for_finished_hands(unsound_bank: Bank) -> None:
    bank = unsound_bank
    ada, ben = await two(bank)
    await bank.guilds.keep_settings(GUILD, (await bank.guilds.settings(GUILD)).__class__(house=HouseSettings()))
    for played, wrong in ((0, True), (49, True), (50, False)):
        await by_hand(bank, f"UPDATE members SET rounds = {played}")
        if not wrong:
            await challenge(bank, ada, ben)
            continue
        with pytest.raises(TooFewHands) as no:
            await challenge(bank, ada, ben)
        assert (no.value.needed, no.value.finished) == (50, played)
    assert LENIENT.gift_hands == 0


# -- points of the season (R12.10) -------------------------------------------------------------------------------------


async def points(bank: Bank, clock: HandClock) -> dict[int | None, int]:
    """The points of everybody in the running month."""
    page = await bank.seasons.board(GUILD, season_at(clock.now(), Span.MONTH), SeasonBoard.POINTS)
    return {each.user: each.value for each in page.rows}


async def duelled(bank: Bank, one: Member, other: Member, *, worst: Member | None, stake: int = 0) -> StoredDuel:
    """A duel from the challenge to the end."""
    duel = await running(bank, one, other, stake)
    for each in (one, other):
        await play_out(bank, duel, each.user, worst=each == worst)
    return await ended(bank, duel)


async def won(bank: Bank, duel: StoredDuel, winner: int) -> None:
    for user in (ADA, BEN):
        await play_out(bank, duel, user, worst=user != winner)
    await ended(bank, duel)


@pytest.mark.parametrize("stake", [0, 50])
async def test_r12_10_a_win_brings_two_points_and_a_draw_one(bank: Bank, clock: HandClock, stake: int) -> None:
    ada, ben = await two(bank)
    cleo = await bank.members.sign_in(GUILD, CLEO)
    await duelled(bank, ada, ben, worst=ada, stake=stake)
    assert await points(bank, clock) == {BEN: 2}
    await duelled(bank, ada, cleo, worst=None, stake=stake)
    assert await points(bank, clock) == {BEN: 2, ADA: 1, CLEO: 1}
    assert (await bank.auditor.audit()).clean


async def test_r12_10_only_a_pairs_first_duel_of_a_day_brings_points(bank: Bank, clock: HandClock) -> None:
    """The first is the one that was accepted first; the day, that of its acceptance."""
    ada, ben = await two(bank)
    clock.time += 24 * HOUR - clock.time % (24 * HOUR) - 60  # a minute before midnight
    duels = [await running(bank, *both, 0) for both in ((ada, ben), (ben, ada))]
    clock.time += 120
    duels.append(await running(bank, ada, ben, 0))
    for duel, brought in zip(reversed(duels), (2, 0, 2), strict=True):
        before = (await points(bank, clock)).get(ADA, 0)
        await play_out(bank, duel, ADA)
        await play_out(bank, duel, BEN, worst=True)
        await ended(bank, duel)
        assert (await points(bank, clock))[ADA] - before == brought
    assert (await bank.auditor.audit()).clean


@pytest.mark.parametrize("later", [60, 0, -60])
@pytest.mark.parametrize("over", [True, False])
async def test_r12_10_the_first_is_the_duel_accepted_first_not_the_one_asked_for_first(
    bank: Bank, clock: HandClock, later: int, *, over: bool
) -> None:
    """Ada asks first, but while her deals are prepared, Ben's challenge is made and accepted, and may even be over.

    The clock may be put back meanwhile. Ada wins the duel that she asked for, and Ben the other one.
    """
    ada, ben = await two(bank)
    clock.time += 12 * HOUR - clock.time % (24 * HOUR)  # noon
    hers = press()
    first = await running(bank, ben, ada, 0)
    if over:
        await won(bank, first, BEN)
    clock.time += later
    second = await challenge(bank, ada, ben, 0, id=hers)
    await won(bank, await bank.challenges.accept(second.id, ben, for_fun=True), ADA)
    if not over:
        await won(bank, first, BEN)
    assert await points(bank, clock) == {BEN: 2}
    assert (await bank.auditor.audit()).clean


async def test_r12_10_who_began_while_the_other_never_did_has_won(bank: Bank, clock: HandClock) -> None:
    ada, ben = await two(bank)
    await play(bank, await running(bank, ada, ben, 0), BEN, [])
    clock.time += RUNS_FOR
    for number, _guild in await bank.duels.due():
        await bank.duels.end(number)
    assert await points(bank, clock) == {BEN: 2}


async def test_r12_10_levels_and_what_nobody_played_bring_no_points(bank: Bank, clock: HandClock) -> None:
    ada, ben = await two(bank)
    against_one = await challenge(bank, ada, None, 0, level="amateur")
    await play_out(bank, against_one, ADA)
    assert (await ended(bank, against_one)).winner == ada.id
    await bank.challenges.refuse((await challenge(bank, ada, ben)).id, ben.id)
    await running(bank, ada, ben)
    clock.time += RUNS_FOR
    for number, _guild in await bank.duels.due():
        await bank.duels.end(number)
    assert await points(bank, clock) == {}
    assert (await bank.auditor.audit()).clean


@pytest.mark.parametrize(
    "forgery",
    [
        "UPDATE season_points SET points = 3",
        "UPDATE season_points SET at = at - 1",
        "DELETE FROM season_points",
        "INSERT INTO season_points SELECT replace(source, '1', '2'), member, guild, at, points FROM season_points",
    ],
)
async def test_r12_10_the_audit_proves_points_from_the_duels(unsound_bank: Bank, forgery: str) -> None:
    bank = unsound_bank
    ada, ben = await two(bank)
    first = await challenge(bank, ada, ben, 0, id=1)
    first = await bank.challenges.accept(first.id, ben, for_fun=True)
    for user in (ADA, BEN):
        await play_out(bank, first, user, worst=user == ADA)
    await ended(bank, first)
    await challenge(bank, ada, ben, 0, id=2)
    assert (await bank.auditor.audit()).clean
    async with bank._store.rewriting() as connection:
        await connection.execute(sa.text(forgery))
    assert Wrong.DUEL in {fault.wrong for fault in (await bank.auditor.audit()).faults}


#: Changes of a duel that is over, each of which the audit has to notice.
FORGED = (
    *("state = 'paused'", "state = 'running'", "state = 'challenged'", "ending = 'declined'", "ended_at = NULL"),
    *("winner = challenged", "winner = NULL", "done = 1", "deadline = deadline + 1", "offered = offered + 100"),
    *("stake = 0", "guild = guild + 1", "challenger = challenged", "level = 'expert'"),
)
#: And of its deals and tries.
OTHERS = ("UPDATE sets SET kind = 'same'", "UPDATE tries SET archive = 1")


async def test_the_audit_notices_whatever_does_not_fit_in_a_duel(unsound_bank: Bank) -> None:
    ada, ben = await two(unsound_bank)
    duel = await running(unsound_bank, ada, ben)
    for user in (ADA, BEN):
        await play_out(unsound_bank, duel, user, worst=user == BEN)
    assert (await ended(unsound_bank, duel)).winner == ada.id
    assert await would_find(unsound_bank, "UPDATE duels SET told = told") == []
    for forgery in (*(f"UPDATE duels SET {change}" for change in FORGED), *OTHERS):
        assert (Wrong.DUEL, f"duel/{duel.id}") in await would_find(unsound_bank, forgery), forgery


async def test_r12_10_who_was_forgotten_keeps_the_place_as_a_former_player(bank: Bank, clock: HandClock) -> None:
    ada, ben = await two(bank)
    await duelled(bank, ada, ben, worst=ben)
    assert await bank.privacy.forget(GUILD, ADA)
    assert await points(bank, clock) == {None: 2}
    assert (await bank.auditor.audit()).clean


# -- breaks and limits (R13) -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("what", Rest)
async def test_r13_4_nobody_on_a_break_challenges_or_accepts(bank: Bank, what: Rest) -> None:
    ada, ben = await two(bank)
    duel = await challenge(bank, ada, ben)
    await bank.breaks.begin(BEN, what, Length.DAY)
    assert await refused(bank.challenges.accept(duel.id, ben, for_fun=False)) is OnBreak
    for_fun = OnBreak if what is Rest.EVERYTHING else None
    assert await refused(bank.challenges.accept(duel.id, ben, for_fun=True)) is for_fun
    cleo = await bank.members.sign_in(GUILD, CLEO)
    assert await refused(challenge(bank, ben, cleo)) is OnBreak
    assert await refused(challenge(bank, ben, cleo, 0)) is for_fun


@pytest.mark.parametrize("who", [ADA, BEN])
async def test_r12_4_a_break_ends_a_challenge_and_what_nobody_has_begun(bank: Bank, who: int) -> None:
    ada, ben = await two(bank)
    cleo = await bank.members.sign_in(GUILD, CLEO)
    duels = [await running(bank, ada, ben), await challenge(bank, {ADA: ada, BEN: ben}[who], cleo)]
    await bank.breaks.begin(who, Rest.CHIPS, Length.DAY)
    assert sorted(await bank.duels.due()) == sorted((duel.id, GUILD) for duel in duels)
    assert {(await ended(bank, duel)).ending for duel in duels} == {Ending.CALLED_OFF}
    assert await chips(bank, ada, ben) == [1000, 1000]


async def test_r12_4_a_challenge_of_somebody_on_a_break_is_not_open(bank: Bank) -> None:
    ada, ben = await two(bank)
    duel = await challenge(bank, ada, ben)
    await bank.breaks.begin(ADA, Rest.CHIPS, Length.DAY)
    assert await refused(bank.challenges.accept(duel.id, ben, for_fun=False)) is DuelMoved


async def test_r13_1_somebody_who_rests_from_chips_is_still_played_for_fun(bank: Bank) -> None:
    ada, ben = await two(bank)
    duel = await challenge(bank, ada, ben, 0)
    await bank.breaks.begin(ADA, Rest.CHIPS, Length.DAY)
    assert (await bank.challenges.accept(duel.id, ben, for_fun=True)).state is DuelState.RUNNING
    assert await bank.duels.due() == []
    assert await bank.duels.end(duel.id) is None, "it goes on"
    await bank.breaks.begin(BEN, Rest.EVERYTHING, Length.DAY)
    assert await bank.duels.due() == [(duel.id, GUILD)]
    assert (await ended(bank, duel)).ending is Ending.CALLED_OFF


async def test_r12_4_once_one_has_begun_a_break_calls_nothing_off_and_both_may_finish(bank: Bank) -> None:
    ada, ben = await two(bank)
    duel = await running(bank, ada, ben)
    await play(bank, duel, ADA, [])
    for user in (ADA, BEN):
        await bank.breaks.begin(user, Rest.EVERYTHING, Length.DAY)
    assert await bank.duels.due() == []
    assert await bank.duels.end(duel.id) is None
    deals = await bank.duels.deals(duel)
    await play(bank, duel, ADA, presses(deals))
    await play_out(bank, duel, BEN, worst=True)
    assert (await ended(bank, duel)).winner == ada.id


async def test_r13_3_a_stake_counts_against_a_limit_and_what_comes_back_counts_off(bank: Bank) -> None:
    ada, ben = await two(bank)
    await bank.limits.set(ADA, LimitKind.LOSS_DAY, 60 * CHIP)
    duel = await challenge(bank, ada, ben)
    cleo = await bank.members.sign_in(GUILD, CLEO)
    assert await refused(challenge(bank, ada, cleo, 11)) is OverLimit
    await bank.challenges.refuse(duel.id, ben.id)
    await challenge(bank, ada, cleo, 60)


async def test_r13_3_a_duel_asks_for_all_its_hands_whether_for_chips_or_for_fun(bank: Bank) -> None:
    ada, ben = await two(bank)
    duel = await challenge(bank, ada, ben)
    for user in (ADA, BEN):
        await bank.limits.set(user, LimitKind.HANDS_DAY, HANDS - 1)
    for for_fun in (False, True):
        assert await refused(bank.challenges.accept(duel.id, ben, for_fun=for_fun)) is OverLimit
    assert await refused(challenge(bank, ada, None, 0, level="expert")) is OverLimit
    cleo = await bank.members.sign_in(GUILD, CLEO)
    await bank.limits.set(CLEO, LimitKind.HANDS_DAY, HANDS)
    await challenge(bank, cleo, None, 0, level="expert")


async def test_r13_3_hands_of_duels_count_for_a_day_after_the_last_one(bank: Bank, clock: HandClock) -> None:
    ada, _ = await two(bank)
    await bank.limits.set(ADA, LimitKind.HANDS_DAY, HANDS + 1)
    duel = await challenge(bank, ada, None, 0, level="expert")
    assert (await bank.chips.so_far(ada.id))[LimitKind.HANDS_DAY] == 0
    await play(bank, duel, ADA, [])
    assert (await bank.chips.so_far(ada.id))[LimitKind.HANDS_DAY] == 1
    await play_out(bank, duel, ADA)
    assert (await bank.chips.so_far(ada.id))[LimitKind.HANDS_DAY] == HANDS
    table = await Dealer(bank).open()
    await table.round({ada: 10}, 20.0)
    assert await refused(table.commit(table.staking(ada, 10))) is OverLimit
    clock.time += DAY - 1
    assert (await bank.chips.so_far(ada.id))[LimitKind.HANDS_DAY] == HANDS + 1
    clock.time += 1
    assert (await bank.chips.so_far(ada.id))[LimitKind.HANDS_DAY] == 0


async def test_r13_3_who_is_past_a_limit_of_losses_may_play_for_fun(bank: Bank) -> None:
    ada, _ = await two(bank)
    table = await Dealer(bank).open()
    await table.stake(ada, 10)
    await table.deal(0.0)
    await table.finish()
    await bank.limits.set(ADA, LimitKind.LOSS_DAY, 0)
    assert await refused(table.commit(table.staking(ada, 10))) is OverLimit
    await challenge(bank, ada, None, 0, level="expert")


# -- forgetting, restoring ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("stake", [0, 50])
async def test_r12_4_forgetting_waits_for_the_end(bank: Bank, clock: HandClock, stake: int) -> None:
    ada, ben = await two(bank)
    duel = await running(bank, ada, ben, stake)
    for user in (ADA, BEN):
        assert await refused(bank.privacy.forget(GUILD, user)) is StillDuelling
    await play_out(bank, duel, ADA)
    clock.time += RUNS_FOR
    await ended(bank, duel)
    assert await bank.privacy.forget(GUILD, ADA)
    found = await bank.duels.known(duel.id)
    assert (found.sides[0].user, found.sides[0].member) == (None, ada.id)
    assert (await bank.duels.result(found)).tries[0] is not None


async def test_r12_4_a_block_in_between_calls_nothing_off(bank: Bank) -> None:
    """Somebody silenced after their challenge may still be accepted, and what was accepted is played."""
    ada, ben = await two(bank)
    challenged = await challenge(bank, ada, ben)
    await bank.wishes.silence(BEN, ADA)
    duel = await bank.challenges.accept(challenged.id, ben, for_fun=False)
    await bank.wishes.keep(BEN, Wishes(challenges=Challenges.NOBODY))
    await play_out(bank, duel, ADA)
    await play_out(bank, duel, BEN, worst=True)
    assert (await ended(bank, duel)).winner == ada.id
    assert await refused(challenge(bank, ada, ben, 0)) is NotTaken


async def test_r12_4_forgetting_waits_for_an_open_challenge_too(bank: Bank) -> None:
    ada, ben = await two(bank)
    duel = await challenge(bank, ada, ben)
    for user in (ADA, BEN):
        assert await refused(bank.privacy.forget(GUILD, user)) is StillDuelling
    await bank.challenges.refuse(duel.id, ben.id)
    assert await bank.privacy.forget(GUILD, BEN)
    assert await chips(bank, ada) == [1000]


async def test_forgotten_while_it_is_accepted_one_of_both_counts(bank: Bank) -> None:
    ada, ben = await two(bank)
    duel = await challenge(bank, ada, ben)
    accepted, forgotten = await asyncio.gather(
        refused(bank.challenges.accept(duel.id, ben, for_fun=False)), refused(bank.privacy.forget(GUILD, BEN))
    )
    assert (accepted, forgotten) == (None, StillDuelling)


async def test_a_break_that_begins_while_it_is_accepted_leaves_no_stake_behind(bank: Bank) -> None:
    ada, ben = await two(bank)
    duel = await challenge(bank, ada, ben)
    await asyncio.gather(
        refused(bank.challenges.accept(duel.id, ben, for_fun=False)), bank.breaks.begin(BEN, Rest.CHIPS, Length.DAY)
    )
    for number, _guild in await bank.duels.due():
        await bank.duels.end(number)
    found = await bank.duels.known(duel.id)
    assert found.state is DuelState.CHALLENGED or found.ending is Ending.CALLED_OFF
    assert await chips(bank, ada, ben) == ([950, 1000] if found.state is DuelState.CHALLENGED else [1000, 1000])


async def test_get_mine_has_ones_duels(bank: Bank) -> None:
    ada, ben = await two(bank)
    duel = await running(bank, ada, ben)
    for user, count in ((ADA, 1), (BEN, 1), (CLEO, 0)):
        await bank.members.sign_in(GUILD, user)
        mine = await bank.privacy.export(GUILD, user)
        assert mine is not None
        assert [each["id"] for each in mine["duels"]] == [duel.id] * count


async def test_a_restore_calls_off_what_is_not_over_and_stakes_go_back(bank: Bank, clock: HandClock) -> None:
    ada, ben = await two(bank)
    cleo = await bank.members.sign_in(GUILD, CLEO)
    played = await running(bank, ada, ben)
    await play(bank, played, ADA, presses(await bank.duels.deals(played))[:3])
    asked = await challenge(bank, ada, cleo)
    async with bank._store.rewriting() as connection:
        await restored.mark(connection, clock.now())
    assert await refused(bank.challenges.accept(asked.id, cleo, for_fun=True)) is DuelMoved
    assert await refused(bank.duels.begin(played, BEN)) is DuelMoved
    assert sorted(await bank.duels.due()) == sorted([(played.id, GUILD), (asked.id, GUILD)])
    assert {(await ended(bank, duel)).ending for duel in (played, asked)} == {Ending.CALLED_OFF}
    reasons = await bank._store.rows(sa.select(streams.c.why))
    assert [row.why for row in reasons] == ["a backup was restored"] * 2, "why their chains ended"
    assert await chips(bank, ada, ben) == [1000, 1000]


async def test_a_duel_that_is_over_is_bound_in_the_book(bank: Bank, clock: HandClock) -> None:
    ada, ben = await two(bank)
    duel = await running(bank, ada, ben)
    await play_out(bank, duel, ADA)
    await play_out(bank, duel, BEN, worst=True)
    await ended(bank, duel)
    clock.time += 2 * HOUR
    while await bank.leaves.bind():
        pass
    assert (await bank.auditor.audit()).clean
