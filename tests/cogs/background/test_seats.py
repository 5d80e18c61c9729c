"""Nobody waits for somebody on a break: seats and sign-ups are given up within ten seconds, between two hands."""

from __future__ import annotations

import pytest

from cogs.background.chore import Chore
from data import Length, Rest
from data.people.breaks import Breaks
from engine.tables.snapshot import TablePhase
from engine.tables.values import Member

from ..conftest import Casino, asked
from ..tournament.test_tournament import manager, plan, started, views
from ..tournament.test_tournament import told as told_by


@pytest.fixture
def at_its_own_pace() -> type[Breaks]:
    return Breaks


def seated(casino: Casino) -> list[int | None]:
    return [sitter.user for sitter in casino.snapshot.sitters]


async def rest(casino: Casino, what: Rest = Rest.CHIPS) -> None:
    """Alice takes a break, which another process serves."""
    await casino.bot.bank.breaks.begin(casino.alice.id, what, Length.DAY)


async def test_r13_2_a_seat_is_free_within_ten_seconds_and_the_table_deals_to_the_others(casino: Casino) -> None:
    await casino.sealed_table()
    await casino.click("Join", casino.bob)
    await casino.click("Deal", casino.bob)
    assert casino.snapshot.phase is TablePhase.BETTING  # it waits for alice
    await rest(casino)
    await casino.env.advance_time(10)
    assert seated(casino) == [casino.bob.id]
    assert casino.snapshot.round == 2


async def test_r13_2_a_hand_that_has_begun_keeps_its_seat_to_its_end(casino: Casino) -> None:
    await casino.until(asked)
    await rest(casino)
    await casino.env.advance_time(10)
    assert seated(casino) == [casino.alice.id]
    await casino.play_on()
    await casino.env.advance_time(10)
    assert not casino.bot.registry.tables()


async def test_r13_2_a_stake_that_lies_before_the_deal_is_played(casino: Casino) -> None:
    await casino.sealed_table()
    await casino.click("Join", casino.bob)
    await casino.click("Deal")
    await rest(casino)
    await casino.env.advance_time(10)
    assert casino.alice.id in seated(casino)
    assert not any(sitter.leaving for sitter in casino.snapshot.sitters), "she plays her hand herself"
    await casino.click("Deal", casino.bob)
    assert casino.snapshot.round == 2


@pytest.mark.parametrize(("what", "plays_on"), [(Rest.CHIPS, True), (Rest.EVERYTHING, False)])
async def test_r13_1_a_break_from_chips_leaves_play_chips_alone(casino: Casino, what: Rest, plays_on: bool) -> None:  # noqa: FBT001
    await casino.ask("elimination")
    await rest(casino, what)
    await casino.env.advance_time(10)
    assert bool(casino.bot.registry.tables()) is plays_on


async def test_r13_2_a_buy_in_comes_back_before_the_tournament_begins(casino: Casino) -> None:
    await plan(casino, buy_in=100)
    await told_by(casino, casino.alice, "join")
    await told_by(casino, casino.bob, "join")
    assert await casino.balance(casino.alice) == 900
    await rest(casino)
    await casino.env.advance_time(10)
    assert await casino.balance(casino.alice) == 1_000
    (view,) = await views(casino)
    assert view.people == (casino.bob.id,)
    assert casino.alice.mention not in casino.text
    await casino.env.advance_time(60)
    assert manager(casino)


async def test_r13_1_a_free_tournament_is_no_chips_and_some_of_everything(casino: Casino) -> None:
    await plan(casino)
    await told_by(casino, casino.alice, "join")
    await rest(casino)
    await casino.env.advance_time(10)
    (view,) = await views(casino)
    assert view.people == (casino.alice.id,)
    await rest(casino, Rest.EVERYTHING)
    await casino.env.advance_time(10)
    (view,) = await views(casino)
    assert view.people == ()
    assert "You are taking a break" in await told_by(casino, casino.alice, "join")


async def test_r13_2_a_tournament_that_has_begun_is_played_to_its_end(casino: Casino) -> None:
    await started(casino, 2, buy_in=100)
    await rest(casino, Rest.EVERYTHING)
    await casino.env.advance_time(10)
    assert casino.alice.id in seated(casino)


async def test_another_process_gives_up_the_sign_ups_of_its_own_servers(
    casino: Casino, monkeypatch: pytest.MonkeyPatch
) -> None:
    released = list[int]()

    async def noted(tournament: int, member: Member) -> None:
        released.append(member.user)

    await plan(casino, buy_in=100)
    await told_by(casino, casino.alice, "join")
    await rest(casino)
    monkeypatch.setattr(casino.bot.director, "release", noted)
    chore = casino.bot.get_cog("SeatChore")
    assert isinstance(chore, Chore)
    casino.bot.shard_count = 2
    for shards, found in (([1 - (casino.guild.id >> 22) % 2], []), ([0, 1], [casino.alice.id])):
        released.clear()
        casino.bot.shard_ids = shards
        await chore.do()
        assert released == found
