"""The same cards for all in the bank: deals, tries, ranks and prizes, on both databases (R12.8)."""

from __future__ import annotations

import asyncio

import pytest

from data import Bank, FieldClosed, Length, LimitKind, NotInField, OutdatedTry, Rest, StillPlaying
from data.copies import restored
from data.people.fingerprints import DAY
from data.proofs.report import Wrong
from engine.games.blackjack.actions import DECLINE, STAND
from engine.games.contract import CHIP
from engine.sets.answers import LETTERS
from engine.sets.duels import HAND, RUNS_FOR
from engine.tables.ports import AlreadyDone, OnBreak, StaleTable, StillSecret
from engine.tournament.draft import TournamentDraft
from engine.tournament.state import WhyCancelled
from engine.tournament.tournament import TournamentPhase
from tests.data.by_hand import bind_all, by_hand
from tests.data.conftest import Join
from tests.data.crowd import BUY_IN, Crowd, some
from tests.data.dealer import ELSEWHERE, GUILD, HandClock
from tests.data.pairs import presses


async def balances(bank: Bank, people: int) -> list[float]:
    return [(await bank.members.sign_in(GUILD, user)).balance / CHIP for user in range(1, people + 1)]


@pytest.fixture
async def four(bank: Bank, clock: HandClock) -> Crowd:
    return await some(bank, clock, 4)


# -- playing -----------------------------------------------------------------------------------------------------------


async def test_r12_8_everybody_plays_the_same_deals(bank: Bank, four: Crowd) -> None:
    field = await bank.fields.known(four.id)
    tries = [await four.play(user, []) for user in (1, 2)]
    assert {stored.set for stored in tries} == {field.deals.id}
    assert tries[0].on(field.deals).round.view() == tries[1].on(field.deals).round.view()


async def test_r12_8_only_those_who_signed_up_play(bank: Bank, four: Crowd, join: Join) -> None:
    await join(9)
    for work in (bank.fields.begin, bank.fields.find):
        with pytest.raises(NotInField):
            await work(await bank.fields.known(four.id), 9)


async def test_there_is_nothing_to_play_before_the_sign_up_has_closed(bank: Bank, clock: HandClock, join: Join) -> None:
    crowd = await Crowd(bank, clock).open(await join(1))
    with pytest.raises(FieldClosed):
        await bank.fields.known(crowd.id)


async def test_r12_8_nothing_is_begun_after_24_hours_and_begun_tries_stand(
    bank: Bank, four: Crowd, clock: HandClock
) -> None:
    await four.play(1, [])
    clock.time += RUNS_FOR - 1
    await four.play(2, [])
    clock.time += 1
    with pytest.raises(FieldClosed):
        await four.play(3, [])
    await four.compare()
    assert [score.key for score in four.position.tournament.scores] == ["1", "2"]


async def test_r12_3_minutes_in_which_the_house_was_down_are_added(bank: Bank, clock: HandClock, four: Crowd) -> None:
    await bank.outages.beat()
    clock.time += 600
    await bank.outages.beat()
    clock.time += 60
    clock.time += RUNS_FOR - 660
    await by_hand(bank, f"UPDATE marks SET at = {clock.time}")  # it beat all day
    assert not (await bank.fields.standing(four.id)).past
    clock.time += 600
    await by_hand(bank, f"UPDATE marks SET at = {clock.time}")
    assert (await bank.fields.standing(four.id)).past


async def test_r12_3_a_hand_that_is_shown_for_ten_minutes_stands(bank: Bank, clock: HandClock, four: Crowd) -> None:
    stored, field = await four.play(1, []), await bank.fields.known(four.id)
    clock.time += HAND
    await bank.outages.beat()
    late = await bank.duels.in_time(stored, field.deals)
    assert late.on(field.deals).round.over


async def test_a_try_is_begun_once_however_many_begin_it_at_once(bank: Bank, four: Crowd) -> None:
    field = await bank.fields.known(four.id)
    found = await asyncio.gather(*(bank.fields.begin(field, 1) for _ in range(4)))
    assert len({(stored.set, stored.person, stored.began_at) for stored in found}) == 1
    assert (await bank.fields.standing(four.id)).playing[1] == 1


# -- the board ---------------------------------------------------------------------------------------------------------


async def test_r12_8_the_board_tells_who_has_begun_and_who_is_done_and_no_more(bank: Bank, four: Crowd) -> None:
    await four.play_out(2)
    await four.play(1, [])
    board = await bank.fields.standing(four.id)
    assert (board.done, board.playing, board.waiting) == (((2,), 1), ((1,), 1), ((3, 4), 2))
    before = board
    await four.play(1, presses((await bank.fields.known(four.id)).deals)[:2])
    assert await bank.fields.standing(four.id) == before


async def test_the_board_names_twenty_people_of_a_group_in_the_order_of_their_sign_up_and_counts_all(
    bank: Bank, clock: HandClock
) -> None:
    crowd = await some(bank, clock, 22)
    await crowd.play(1, [])
    assert (await bank.fields.standing(crowd.id)).waiting == (tuple(range(2, 22)), 21)


async def test_r12_8_the_board_names_people_in_the_order_in_which_they_begin_and_are_done(
    bank: Bank, clock: HandClock, four: Crowd
) -> None:
    for user in (3, 1, 2):
        await four.play(user, [])
        clock.time += 1
    assert (await bank.fields.standing(four.id)).playing[0] == (3, 1, 2)
    for user in (2, 1):
        await four.play(user, presses((await bank.fields.known(four.id)).deals))
        clock.time += 1
    assert (await bank.fields.standing(four.id)).done[0] == (2, 1)


async def test_r12_6_scores_and_plays_are_secret_until_the_end(bank: Bank, four: Crowd) -> None:
    await four.play_out(1)
    with pytest.raises(StillSecret):
        await bank.fields.scores(four.id)
    with pytest.raises(StillSecret):
        await bank.fields.result(four.id, 1)


async def test_r12_6_others_learn_nothing_from_their_own_file(bank: Bank, four: Crowd) -> None:
    before = await bank.privacy.export(GUILD, 2)
    await four.play_out(1)
    assert await bank.privacy.export(GUILD, 2) == before


# -- the end -----------------------------------------------------------------------------------------------------------


async def test_r12_5_the_smaller_sum_of_what_plays_gave_away_wins(bank: Bank, four: Crowd) -> None:
    for user in (1, 2, 3, 4):
        await four.play_out(user, worst=user != 3)
    await four.compare()
    assert four.position.tournament.winners() == ("3",)
    assert four.phase is TournamentPhase.OVER


async def test_r12_8_the_pool_is_shared_as_in_r7_9_and_equals_share_their_prizes(bank: Bank, four: Crowd) -> None:
    for user in (1, 2, 3, 4):
        await four.play_out(user, worst=user > 2)
    await four.compare()
    pool = 4 * BUY_IN
    first, last = pool * 0.8 / 2, pool * 0.2 / 2
    assert await balances(bank, 4) == [850 + first, 850 + first, 850 + last, 850 + last]


async def test_r12_8_the_odd_cent_goes_to_the_first_who_signed_up(bank: Bank, clock: HandClock) -> None:
    crowd = await some(bank, clock, 7, 1)
    for user in range(1, 8):
        await crowd.play_out(user)
    clock.time += RUNS_FOR
    await crowd.compare()
    assert await balances(bank, 7) == [1_000.0] * 7
    crowd = await some(bank, clock, 4, 1)
    for user in (4, 3, 2):
        await crowd.play_out(user)
    clock.time += RUNS_FOR
    await crowd.compare()
    assert await balances(bank, 4) == [999, 1_000.34, 1_000.33, 1_000.33]


async def test_r12_8_with_fewer_than_four_people_buy_ins_come_back(bank: Bank, clock: HandClock) -> None:
    crowd = await some(bank, clock, 3)
    await crowd.play_out(1)
    clock.time += RUNS_FOR
    await crowd.compare()
    assert await balances(bank, 3) == [1_000, 1_000, 1_000]
    (champion,) = await bank.titles.champions(GUILD)
    assert (champion.user, champion.cards, champion.tournaments, champion.tables) == (1, 1, 0, 0)


async def test_r12_4_if_nobody_began_buy_ins_come_back_and_nobody_wins_a_title(
    bank: Bank, clock: HandClock, four: Crowd
) -> None:
    clock.time += RUNS_FOR
    await four.compare()
    assert await balances(bank, 4) == [1_000] * 4
    assert await bank.titles.champions(GUILD) == ()


async def test_who_never_began_wins_nothing_and_what_is_left_goes_to_the_first(
    bank: Bank, clock: HandClock, four: Crowd
) -> None:
    await four.play_out(4)
    await four.play_out(2, worst=True)
    clock.time += RUNS_FOR
    await four.compare()
    assert await balances(bank, 4) == [850, 850 + 180, 850, 850 + 420]


async def test_equals_at_the_top_all_win_the_title(bank: Bank, four: Crowd) -> None:
    for user in (1, 2, 3, 4):
        await four.play_out(user, worst=user in (1, 3))
    await four.compare()
    assert {(one.user, one.cards) for one in await bank.titles.champions(GUILD)} == {(2, 1), (4, 1)}


async def test_it_ends_once_however_many_end_it_at_once(bank: Bank, clock: HandClock, four: Crowd) -> None:
    await four.play_out(1)
    clock.time += RUNS_FOR
    scores = await bank.fields.scores(four.id)

    async def end() -> None:
        draft = TournamentDraft(four.position, clock.now())
        draft.played(scores)
        await bank.tournaments.commit(draft.change("cup/1/played"))

    ended = await asyncio.gather(*(end() for _ in range(3)), return_exceptions=True)
    assert ended.count(None) == 1
    assert sum(isinstance(one, AlreadyDone | StaleTable) for one in ended) == 2


async def test_somebody_who_begins_in_the_moment_of_the_end_is_not_left_out(
    bank: Bank, clock: HandClock, four: Crowd
) -> None:
    await four.play_out(1)
    clock.time += RUNS_FOR
    scores = await bank.fields.scores(four.id)
    clock.time -= 1
    await four.play(2, [])
    clock.time += 1
    with pytest.raises(StaleTable):
        await four.do(lambda draft: draft.played(scores))
    await four.compare()
    assert len(four.position.tournament.scores) == 2


async def test_nothing_is_begun_or_pressed_after_the_end(bank: Bank, clock: HandClock, four: Crowd) -> None:
    field, stored = await bank.fields.known(four.id), await four.play(1, [])
    clock.time += RUNS_FOR
    await four.compare()
    clock.time -= RUNS_FOR
    with pytest.raises(FieldClosed):
        await bank.fields.begin(field, 2)
    after = stored.on(field.deals).pressed(presses(field.deals)[0], field.deals.shoes)
    with pytest.raises(OutdatedTry):
        await bank.tries.press(stored, after)


async def test_r7_10_called_off_in_play_every_buy_in_comes_back_and_nobody_plays_on(bank: Bank, four: Crowd) -> None:
    await four.play_out(1)
    field = await bank.fields.known(four.id)
    await four.do(lambda draft: draft.cancel(WhyCancelled.MANAGER))
    assert await balances(bank, 4) == [1_000] * 4
    with pytest.raises(FieldClosed):
        await bank.fields.begin(field, 2)


async def test_r13_3_hands_of_what_was_called_off_count_for_a_day_and_no_longer(
    bank: Bank, clock: HandClock, four: Crowd
) -> None:
    """Nobody finishes that try any more."""
    await four.play(1, [])
    member = (await bank.members.sign_in(GUILD, 1)).id

    async def hands() -> int:
        return (await bank.chips.so_far(member))[LimitKind.HANDS_DAY]

    clock.time += DAY
    assert await hands() == 1, "it is played"
    await four.do(lambda draft: draft.cancel(WhyCancelled.MANAGER))
    clock.time += DAY - 1
    assert await hands() == 1
    clock.time += 1
    assert await hands() == 0


async def test_all_deals_are_shown_with_what_everybody_chose(bank: Bank, four: Crowd) -> None:
    for user in (1, 2, 3, 4):
        await four.play_out(user, worst=user == 4)
    await four.compare()
    result = await bank.fields.result(four.id, 1)
    assert result.people == 4
    assert result.own is not None
    assert result.own.losses == 0
    assert all(sum(result.counts[place, ""].values()) == 4 for place in range(5))
    assert (await bank.fields.result(four.id, 9)).own is None


async def test_r12_4_what_nobody_played_in_time_counts_as_stood_without_insurance(
    bank: Bank, clock: HandClock, four: Crowd
) -> None:
    await four.play(1, [])
    clock.time += RUNS_FOR
    await four.compare()
    counts = (await bank.fields.result(four.id, 1)).counts
    assert {place for place, _ in counts} == set(range(5))
    assert {letter for chosen in counts.values() for letter in chosen} <= {LETTERS[STAND], LETTERS[DECLINE]}


# -- chips and people --------------------------------------------------------------------------------------------------


async def test_r13_4_nobody_on_a_break_signs_up_for_chips(bank: Bank, clock: HandClock, join: Join) -> None:
    ada = await join(1)
    crowd = await Crowd(bank, clock).open(ada)
    await bank.breaks.begin(1, Rest.CHIPS, Length.DAY)
    with pytest.raises(OnBreak):
        await crowd.sign_up(ada)
    free = await Crowd(bank, clock).open(ada, 0)
    await free.sign_up(ada)
    assert free.position.tournament.people == ("1",)


async def test_r12_4_a_break_keeps_nobody_from_finishing(bank: Bank, four: Crowd) -> None:
    await four.play(1, [])
    await bank.breaks.begin(1, Rest.EVERYTHING, Length.DAY)
    field = await bank.fields.known(four.id)
    await four.play(1, presses(field.deals))
    assert (await bank.fields.standing(four.id)).done == ((1,), 1)


async def test_r12_4_forgetting_waits_for_the_end_and_then_proves_all_the_same(
    bank: Bank, clock: HandClock, join: Join
) -> None:
    members = [await join(1_000_000_000_000 + user) for user in range(4)]
    crowd = await Crowd(bank, clock).open(members[0])
    await crowd.sign_up(*members)
    await crowd.deal()
    for member in members[:2]:
        await crowd.play_out(member.user)
    with pytest.raises(StillPlaying):
        await bank.privacy.forget(GUILD, members[0].user)
    clock.time += RUNS_FOR
    await crowd.compare()
    await crowd.announced()
    await join(members[1].user, guild=ELSEWHERE)  # and is known there on
    for member in members[:2]:
        assert await bank.privacy.forget(GUILD, member.user)


async def test_get_mine_has_ones_own_try_and_entry(bank: Bank, four: Crowd) -> None:
    stored = await four.play(1, [])
    whole = await bank.privacy.export(GUILD, 1)
    assert whole is not None
    assert [entry["tournament"] for entry in whole["tournaments"]] == [four.id]
    assert [one["set"] for one in whole["today"]] == [stored.set]


async def test_when_it_is_over_it_is_bound_in_the_book(unsound_bank: Bank, clock: HandClock) -> None:
    bank = unsound_bank
    four = await some(bank, clock, 4)
    await four.play_out(1)
    clock.time += RUNS_FOR
    await four.compare()
    await four.announced()
    clock.time += 7_200
    assert await bind_all(bank) > 0
    await by_hand(bank, "UPDATE tries SET finished_at = finished_at + 1 WHERE finished_at IS NOT NULL")
    assert {fault.wrong for fault in (await bank.auditor.audit()).faults} == {Wrong.LEAF}


# -- the audit ---------------------------------------------------------------------------------------------------------


@pytest.mark.thinned
@pytest.mark.parametrize(
    ("change", "wrong"),
    [
        ("UPDATE tries SET steps = '', version = 0, finished_at = NULL, points = NULL WHERE person = 1", "tournament"),
        ("UPDATE entries SET person = 2 WHERE member = 1", "tournament"),
        ("UPDATE entries SET person = NULL WHERE member = 1", "tournament"),
        ("UPDATE sets SET tournament = 5 WHERE kind = 'same'", "tournament"),
        ("UPDATE members SET cards_won = 2 WHERE id = 1", "titles"),
        ("UPDATE titles SET source = 'same/1/1' WHERE member = 1", "tournament"),
        ("UPDATE transfers SET amount = 1 WHERE reason = 'prize' AND target = 'member/1'", "tournament"),
        ("UPDATE streams SET root = x'00' WHERE first_day IS NULL", "tournament"),
        ("UPDATE season_points SET points = 4 WHERE member = 1", "tournament"),
    ],
)
async def test_the_audit_finds_what_was_changed_by_hand(
    unsound_bank: Bank, url: str, clock: HandClock, change: str, wrong: str
) -> None:
    bank = unsound_bank
    crowd = await some(bank, clock, 4)
    await crowd.play_out(1)
    await crowd.play_out(2, worst=True)
    clock.time += RUNS_FOR
    await crowd.compare()
    assert (await bank.auditor.audit()).clean
    if url.startswith("postgresql"):
        change = change.replace("x'00'", "'\\x00'")
    await by_hand(bank, change)
    found = {fault.wrong for fault in (await bank.auditor.audit()).faults}
    assert {"tournament": Wrong.TOURNAMENT, "titles": Wrong.TITLES}[wrong] in found


async def test_a_restore_calls_off_what_is_not_over(bank: Bank, clock: HandClock, four: Crowd) -> None:
    await four.play(1, [])
    async with bank._store.rewriting() as connection:
        await restored.mark(connection, clock.now())
    assert (await bank.fields.standing(four.id)).void
    with pytest.raises(FieldClosed):
        await bank.fields.begin(await bank.fields.known(four.id), 2)
