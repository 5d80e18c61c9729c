"""People may be on no leaderboard (R13.5), and hear from some people no more (R12.7)."""

from __future__ import annotations

import pytest

from data import Bank, Ladder, TooManySilenced, Wishes
from data.base.values import Challenges
from data.people.wishes import MOST_SILENCED
from tests.data.by_hand import by_hand
from tests.data.conftest import Join
from tests.data.dealer import GUILD


@pytest.fixture
async def ranked(unsound_bank: Bank, join: Join) -> Bank:
    """Five people who stand on every board in this order, the first one highest."""
    for user in range(1, 6):
        await join(user, chips=1_000 - user)
    columns = "winnings = 1000 - id, rounds = 100, won = 50, rate = 1000 - id, tournaments_won = 9 - id, tables_won = 1"
    await by_hand(unsound_bank, f"UPDATE members SET {columns}, first_title = 1.0, stale = 1")
    return unsound_bank


async def board(bank: Bank, ladder: Ladder) -> list[tuple[int, int]]:
    found = await bank.ladders.leaderboard(GUILD, ladder, size=10)
    return [(row.place, row.user) for row in found.rows]


@pytest.mark.parametrize("ladder", Ladder)
async def test_r13_5_who_is_hidden_stands_on_no_leaderboard_and_leaves_no_hole(ranked: Bank, ladder: Ladder) -> None:
    assert await board(ranked, ladder) == [(place, place) for place in range(1, 6)]
    await ranked.wishes.keep(2, Wishes(hidden=True))
    assert await board(ranked, ladder) == [(1, 1), (2, 3), (3, 4), (4, 5)]
    found = await ranked.ladders.leaderboard(GUILD, ladder, size=10, user=2)
    assert (found.own, found.people) == (None, 4)
    await ranked.wishes.keep(2, Wishes())
    assert await board(ranked, ladder) == [(place, place) for place in range(1, 6)]


async def test_r13_5_who_is_hidden_is_no_champion(ranked: Bank) -> None:
    await ranked.wishes.keep(1, Wishes(hidden=True))
    assert [champion.user for champion in await ranked.titles.champions(GUILD)] == [2, 3, 4, 5]


async def test_champions_stand_by_tournaments_then_by_tables_and_among_equals_the_first_one_first(ranked: Bank) -> None:
    won = ((1, 3, 9.0), (2, 0, 9.0), (1, 3, 5.0), (1, 9, 9.0), (1, 3, 9.0))  # tournaments, tables, the first title
    for user, (tournaments, tables, first) in enumerate(won, 1):
        columns = f"tournaments_won = {tournaments}, tables_won = {tables}, first_title = {first}"
        await by_hand(ranked, f"UPDATE members SET {columns} WHERE user_id = {user}")
    assert [champion.user for champion in await ranked.titles.champions(GUILD)] == [2, 4, 3, 1, 5]
    assert [champion.user for champion in await ranked.titles.champions(GUILD, 2)] == [2, 4]


async def test_r13_5_who_hid_after_the_backup_is_hidden_once_it_is_restored(ranked: Bank) -> None:
    await ranked.wishes.keep(1, Wishes(hidden=True))
    kept = await ranked.breaks.kept()
    await ranked.wishes.keep(1, Wishes())  # as the backup has it
    await ranked.breaks.take_over(kept)
    assert await board(ranked, Ladder.CHIPS) == [(1, 2), (2, 3), (3, 4), (4, 5)]


async def test_r12_7_a_hundred_people_can_be_silenced_and_no_more(bank: Bank) -> None:
    await bank.wishes.silence(1, 2)
    await by_hand(bank, f"UPDATE wishes SET silenced = silenced || '{'0' * 64 * (MOST_SILENCED - 2)}'")
    await bank.wishes.silence(1, 3)
    with pytest.raises(TooManySilenced):
        await bank.wishes.silence(1, 4)
    for other in (2, 3):
        await bank.wishes.silence(1, other)  # they are silenced already
    assert (await bank.wishes.of(1)).silenced == MOST_SILENCED == 100
    assert [await bank.wishes.hears(1, other) for other in (2, 3, 4)] == [False, False, True]


@pytest.mark.parametrize("wanted", Challenges)
async def test_r14_4_an_invitation_for_chips_reaches_only_those_who_take_challenges_for_chips(
    bank: Bank, wanted: Challenges
) -> None:
    assert await bank.wishes.hears(1, 2)
    await bank.wishes.keep(1, Wishes(challenges=wanted))
    assert await bank.wishes.hears(1, 2) is (wanted is Challenges.EVERYBODY)
