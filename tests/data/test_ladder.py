"""Leaderboards: right places at any size, without counting everybody each time."""

from __future__ import annotations

import asyncio
import random

import pytest
import sqlalchemy as sa
from hypothesis import given
from hypothesis import strategies as st

from data import Bank, Ladder, Leaderboard
from data.base.schema import STALE, members
from data.people.ladder import _STALE_ONES, CHUNK, LEVELS, MANY, ZERO, _ranges, _stretch
from engine.games.contract import CHIP
from tests.data.by_hand import by_hand
from tests.data.conftest import Join
from tests.data.dealer import GUILD, Dealer, press


def shown(board: Leaderboard) -> list[tuple[int, int, float]]:
    return [(row.place, row.user, row.value / CHIP) for row in board.rows]


async def test_an_empty_guild_has_an_empty_page(bank: Bank) -> None:
    for ladder in Ladder:
        board = await bank.ladders.leaderboard(GUILD, ladder, user=1)
        assert (board.rows, board.own, board.people, board.page, board.pages) == ((), None, 0, 0, 1)


async def test_the_richest_come_first_and_equals_share_a_place(bank: Bank, join: Join) -> None:
    for user, chips in enumerate((50, 300, 50, 10, 300), start=1):
        await join(user, chips)
    board = await bank.ladders.leaderboard(GUILD, Ladder.CHIPS, user=4)
    assert shown(board) == [(1, 2, 300), (1, 5, 300), (3, 1, 50), (3, 3, 50), (5, 4, 10)]
    assert board.own == board.rows[4]


async def test_ones_own_place_is_shown_from_every_page(bank: Bank, join: Join) -> None:
    for user in range(1, 24):
        await join(user, user)
    board = await bank.ladders.leaderboard(GUILD, Ladder.CHIPS, page=1, size=10, user=2)
    assert [row.place for row in board.rows] == list(range(11, 21))
    assert (board.pages, board.people) == (3, 23)
    assert board.own is not None
    assert board.own.place == 22


async def test_equals_across_a_page_break_keep_their_place(bank: Bank, join: Join) -> None:
    for user, chips in enumerate((9, 5, 5, 5, 5, 1), start=1):
        await join(user, chips)
    second = await bank.ladders.leaderboard(GUILD, Ladder.CHIPS, page=1, size=3)
    assert shown(second) == [(2, 4, 5), (2, 5, 5), (6, 6, 1)]


async def test_everybody_sees_who_stands_before_and_behind_them_also_among_equals(bank: Bank, join: Join) -> None:
    for user, chips in enumerate((5, 9, 5, 5, 1, 5, 9), start=1):
        await join(user, chips)
    await join(8, 5, guild=GUILD * 2)
    order = [(1, 2), (1, 7), (3, 1), (3, 3), (3, 4), (3, 6), (7, 5)]
    for index, (_, user) in enumerate(order):
        own = (await bank.ladders.leaderboard(GUILD, Ladder.CHIPS, user=user)).own
        assert own is not None
        near = await bank.ladders.around(GUILD, Ladder.CHIPS, own)
        assert [(each.place, each.user) for each in near] == order[max(0, index - 1) : index + 2]


@pytest.mark.parametrize(("asked", "given"), [(-3, 0), (0, 0), (1, 1), (2, 1), (10**6, 1)])
async def test_pages_that_are_not_there_show_the_nearest(bank: Bank, join: Join, asked: int, given: int) -> None:
    for user in range(1, 5):
        await join(user, user)
    assert (await bank.ladders.leaderboard(GUILD, Ladder.CHIPS, page=asked, size=3)).page == given


async def test_a_page_whose_people_hide_just_after_they_were_counted_is_empty(bank: Bank, join: Join) -> None:
    for user in range(1, 5):
        await join(user, user)
    await bank.ladders.catch_up(GUILD)
    await by_hand(bank, "UPDATE members SET hidden = 1 WHERE user_id = 1")
    board = await bank.ladders.leaderboard(GUILD, Ladder.CHIPS, page=1, size=3)
    assert (board.page, board.rows) == (1, ())


async def test_a_place_moves_with_the_chips(bank: Bank, table: Dealer, join: Join) -> None:
    alice = await join(1, 100)
    await join(2, 150)
    assert (await bank.ladders.leaderboard(GUILD, Ladder.CHIPS, user=1)).own.place == 2  # type: ignore[union-attr]
    await table.round({alice: 100}, 200)
    assert (await bank.ladders.leaderboard(GUILD, Ladder.CHIPS, user=1)).own.place == 1  # type: ignore[union-attr]


async def test_a_place_moves_with_a_stake_that_is_only_placed(bank: Bank, table: Dealer, join: Join) -> None:
    alice = await join(1, 150)
    await join(2, 100)
    assert (await bank.ladders.leaderboard(GUILD, Ladder.CHIPS, user=1)).own.place == 1  # type: ignore[union-attr]
    await table.stake(alice, 100)
    assert (await bank.ladders.leaderboard(GUILD, Ladder.CHIPS, user=1)).own.place == 2  # type: ignore[union-attr]


async def test_winnings_count_what_was_won_and_lost_at_the_tables(bank: Bank, table: Dealer, join: Join) -> None:
    alice, bob, _ = await join(1), await join(2), await join(3)
    await table.round({alice: 100, bob: 100}, 0, 250)
    board = await bank.ladders.leaderboard(GUILD, Ladder.WINNINGS, user=1)
    assert shown(board) == [(1, 2, 150), (2, 1, -100)]
    assert (await bank.ladders.leaderboard(GUILD, Ladder.WINNINGS, user=3)).own is None  # never played


async def test_the_forgotten_stand_on_no_ladder(bank: Bank, table: Dealer, join: Join) -> None:
    alice, bob = await join(1), await join(2)
    await table.round({alice: 100, bob: 100}, 250, 0)
    assert (await bank.ladders.leaderboard(GUILD, Ladder.WINNINGS)).people == 2
    await table.close()
    await bank.privacy.forget(GUILD, 1)
    for ladder in (Ladder.CHIPS, Ladder.WINNINGS):
        board = await bank.ladders.leaderboard(GUILD, ladder, user=1)
        assert ([row.user for row in board.rows], board.people, board.own) == ([2], 1, None)


async def test_guilds_have_ladders_of_their_own(bank: Bank, join: Join) -> None:
    await join(1, 5)
    await join(2, 9, guild=GUILD * 2)
    assert shown(await bank.ladders.leaderboard(GUILD, Ladder.CHIPS)) == [(1, 1, 5)]


async def test_only_the_first_thousand_can_be_leafed_through(bank: Bank, join: Join) -> None:
    await join(1, 1)
    async with bank._store.rewriting() as connection:
        await connection.execute(sa.insert(members), [{"guild": GUILD, "user_id": user} for user in range(2, 1_103)])
    board = await bank.ladders.leaderboard(GUILD, Ladder.CHIPS, page=10**9, size=10, user=500)
    assert (board.pages, board.people) == (100, 1_102)
    assert {row.place for row in board.rows} == {2}
    assert board.own is not None
    assert board.own.place == 2


async def test_places_are_right_while_everybody_plays(bank: Bank, join: Join) -> None:
    people = [await join(user, 1_000) for user in range(1, 13)]
    chance = random.Random(1)

    async def trade() -> None:
        for _ in range(15):
            giver, receiver = chance.sample(people, 2)
            await bank.chips.give(giver.id, receiver.id, chance.randint(1, 500), press())

    boards = [bank.ladders.leaderboard(GUILD, Ladder.CHIPS, user=1) for _ in range(10)]
    await asyncio.gather(trade(), trade(), *boards)
    balances = sorted((await bank.members.balances([member.id for member in people])).values(), reverse=True)
    for member in people:
        own = (await bank.ladders.leaderboard(GUILD, Ladder.CHIPS, user=member.user)).own
        assert own is not None
        assert own.place == 1 + balances.index(own.value)


# -- the arithmetic of stretches ---------------------------------------------------------------------------------------

values = st.integers(-ZERO, ZERO - 1)


@given(values, values)
def test_a_value_is_above_another_on_just_one_level(one: int, other: int) -> None:
    ranges = _ranges(other)
    above = [
        level for level in range(LEVELS) if ranges[f"from_{level}"] < _stretch(one, level) <= ranges[f"to_{level}"]
    ]
    assert len(above) == (one > other)


@given(st.integers(ZERO, 2**62))
def test_values_off_the_scale_stand_at_its_end(value: int) -> None:
    assert _stretch(value, LEVELS - 1) == _stretch(ZERO - 1, LEVELS - 1)
    assert _stretch(-value - 1, LEVELS - 1) == 0


# -- keeping up with what changes --------------------------------------------------------------------------------------


async def crowd(bank: Bank, people: int, guild: int = GUILD) -> None:
    """Add members that nobody has counted."""
    async with bank._store.rewriting() as connection:
        await connection.execute(
            sa.insert(members), [{"guild": guild, "user_id": user} for user in range(1, people + 1)]
        )


async def uncounted(bank: Bank) -> int:
    return int(await bank._store.value(sa.select(sa.func.count()).where(STALE)))


async def test_where_many_changed_they_can_be_counted_before_somebody_looks(bank: Bank) -> None:
    await crowd(bank, 2 * CHUNK + 1)
    await crowd(bank, MANY - 1, guild=GUILD * 2)
    assert await bank.ladders.crowded() == [GUILD]
    await bank.ladders.catch_up(GUILD)
    assert await bank.ladders.crowded() == []
    assert await uncounted(bank) == MANY - 1, "a few are counted when somebody looks"
    await bank.members.sign_in(GUILD * 2, 9_999)
    assert await bank.ladders.crowded() == [GUILD * 2]


async def test_a_look_at_counted_members_writes_nothing(bank: Bank, monkeypatch: pytest.MonkeyPatch) -> None:
    await crowd(bank, MANY)
    await bank.ladders.catch_up(GUILD)
    monkeypatch.setattr(bank.ladders, "_counting", None)
    board = await bank.ladders.leaderboard(GUILD, Ladder.CHIPS, user=MANY)
    assert board.own is not None
    assert board.own.place == 1


async def test_changed_members_are_found_by_their_index_whatever_the_server_believes_of_their_number(
    bank: Bank,
) -> None:
    """Statistics from a moment at which everybody had changed made PostgreSQL go through the guild at each look."""
    if bank._store.is_file:
        pytest.skip("SQLite keeps no statistics")
    await crowd(bank, 2_000)
    async with bank._store.rewriting() as connection:
        await connection.exec_driver_sql("ANALYZE members")
    await bank.ladders.catch_up(GUILD)
    async with bank._store.reading() as connection:
        asked = _STALE_ONES.params(guild=GUILD)
        text = asked.compile(dialect=connection.dialect, compile_kwargs={"literal_binds": True})
        rows = (await connection.exec_driver_sql(f"EXPLAIN {text}")).all()
    assert any("members_stale" in row[0] for row in rows), rows
