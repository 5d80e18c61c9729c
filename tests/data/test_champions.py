"""Champions' roles: who is champion, and a role that is handed on once."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest

from data import (
    AlreadyHeld,
    Bank,
    Championship,
    GuildSettings,
    Job,
    RoleInUse,
    Sold,
    Span,
    TakenOver,
    Ware,
    WareChanged,
    Wishes,
    season_at,
)
from data.jobs.champions import CHAMPIONS, next_handover, week_at
from data.jobs.notices import LOG
from data.ledger.settlement import ENOUGH
from data.ledger.shop import ROLE
from data.people.titles import award
from engine.games.contract import CHIP
from engine.stored_words import SAME_CARDS, TOURNAMENT
from engine.tables.values import Member, Title
from tests.data.by_hand import by_hand
from tests.data.conftest import Join
from tests.data.dealer import GUILD, LENIENT, NOW, Dealer, HandClock

DAY = 86_400.0
WEEK, CUP = Championship.WEEK, Championship.TOURNAMENT
GOLD, SILVER = 70, 71
#: The dealer's rounds end at NOW, a Friday: in the week after it they make the champion.
NEXT_WEEK = NOW + 4 * DAY


async def rounds(bank: Bank, nets: dict[Member, int], times: int = ENOUGH) -> None:
    """Rounds whose net is this many chips in all for each member."""
    dealer = await Dealer(bank).open()
    await dealer.round(dict.fromkeys(nets, 1))
    await by_hand(
        bank,
        *(
            f"INSERT INTO rounds SELECT * FROM (SELECT table_id, number + {number} AS number, guild, seed, commitment, "
            "code, version, scheme, game, rules_name, rules, stakes, members, inputs, dealt_at, lines, outcome, "
            "finished_at, chain, link, players, phrase, previous, hash, pack, leaf, build, rules_hash FROM rounds "
            f"WHERE table_id = {dealer.id} AND number = 1) AS copied"
            for number in range(2, times + 1)
        ),
        *(
            f"INSERT INTO plays (table_id, number, member, staked, returned, real, at) "
            f"VALUES ({dealer.id}, {number + 1}, {member.id}, 100, 100, 1, {NOW})"
            for number in range(2, times + 1)
            for member in nets
        ),
        *(
            f"UPDATE plays SET staked = 0, returned = {net * CHIP} WHERE member = {member.id} AND number = 1"
            if net >= 0
            else f"UPDATE plays SET staked = {-net * CHIP}, returned = 0 WHERE member = {member.id} AND number = 1"
            for member, net in nets.items()
        ),
    )


async def champion(bank: Bank, clock: HandClock, which: Championship = WEEK) -> int | None:
    ended = season_at(clock.now(), Span.MONTH).before
    found = await bank.champions.champion(GUILD, which, week_at(clock.now(), "UTC"), ended.name)
    return found.user if found is not None else None


async def taken(bank: Bank) -> Sequence[Job]:
    due = await bank.jobs.due(ROLE)
    for job in due:
        assert await bank.jobs.claim(job.key, "here", seconds=90)
    return due


# -- who it is ---------------------------------------------------------------------------------------------------------


async def test_r10_8_the_champion_of_the_week_has_won_the_most_in_it(
    unsound_bank: Bank, join: Join, clock: HandClock
) -> None:
    alice, bob, carol = [await join(user) for user in (1, 2, 3)]
    await rounds(unsound_bank, {alice: 40, bob: 60, carol: -5})
    assert await champion(unsound_bank, clock) is None, "the week runs"
    clock.time = NEXT_WEEK
    assert await champion(unsound_bank, clock) == 2
    clock.time += 7 * DAY
    assert await champion(unsound_bank, clock) is None, "nobody has won anything"


async def test_r10_8_a_round_on_the_stroke_of_monday_is_one_of_the_new_week(
    unsound_bank: Bank, join: Join, clock: HandClock
) -> None:
    await rounds(unsound_bank, {await join(1): 40})
    clock.time = NEXT_WEEK
    await by_hand(unsound_bank, f"UPDATE plays SET at = {week_at(clock.now(), 'UTC').ends}")
    assert await champion(unsound_bank, clock) is None
    clock.time += 7 * DAY
    assert await champion(unsound_bank, clock) == 1


async def test_r10_8_nobody_is_champion_with_a_few_rounds_or_without_a_win(
    unsound_bank: Bank, join: Join, clock: HandClock
) -> None:
    alice, bob = [await join(user) for user in (1, 2)]
    await rounds(unsound_bank, {alice: 400}, times=ENOUGH - 1)
    await rounds(unsound_bank, {bob: 0})
    clock.time = NEXT_WEEK
    assert await champion(unsound_bank, clock) is None


async def test_r10_8_play_chips_make_nobody_champion(unsound_bank: Bank, join: Join, clock: HandClock) -> None:
    alice = await join(1)
    await rounds(unsound_bank, {alice: 40})
    clock.time = NEXT_WEEK
    assert await champion(unsound_bank, clock) == 1
    await by_hand(unsound_bank, "UPDATE plays SET real = 0 WHERE number = 1")
    assert await champion(unsound_bank, clock) is None


async def test_r13_5_whoever_is_hidden_or_forgotten_is_no_champion(
    unsound_bank: Bank, join: Join, clock: HandClock
) -> None:
    alice, bob = await join(10**17), await join(2)
    await rounds(unsound_bank, {alice: 60, bob: 40})
    clock.time = NEXT_WEEK
    await unsound_bank.wishes.keep(10**17, Wishes(hidden=True))
    assert await champion(unsound_bank, clock) == 2
    await unsound_bank.wishes.keep(10**17, Wishes(hidden=False))
    assert await champion(unsound_bank, clock) == 10**17
    await by_hand(unsound_bank, f"UPDATE members SET user_id = NULL WHERE id = {alice.id}")
    assert await champion(unsound_bank, clock) == 2


async def test_r10_8_the_champion_of_tournaments_has_won_the_last_one(
    unsound_bank: Bank, join: Join, clock: HandClock
) -> None:
    for user in (1, 2, 3):
        await join(user)
    assert await champion(unsound_bank, clock, CUP) is None
    won = [(f"{TOURNAMENT}/1", 1, 10), (f"{TOURNAMENT}/2", 2, 20), ("table/3", 3, 30)]
    for source, member, at in won:
        await by_hand(unsound_bank, f"INSERT INTO titles VALUES ('{source}', {GUILD}, {member}, {at})")
    assert await champion(unsound_bank, clock, CUP) == 2
    await unsound_bank.wishes.keep(2, Wishes(hidden=True))
    assert await champion(unsound_bank, clock, CUP) == 1


async def test_r10_8_the_bot_looks_again_when_a_tournament_is_won_and_at_no_other_title(
    unsound_bank: Bank, join: Join, clock: HandClock
) -> None:
    alice = await join(1)
    await unsound_bank.champions.choose(GUILD, CUP, GOLD)
    (job,) = await unsound_bank.jobs.waiting(CHAMPIONS)
    assert await unsound_bank.jobs.claim(job.key, "here", seconds=90)
    await unsound_bank.jobs.rest(job, "here", {}, due=clock.now() + 7 * DAY)
    for source, due in (("table/1", False), (f"{SAME_CARDS}/2/1", False), (f"{TOURNAMENT}/3", True)):
        batch = unsound_bank._store.batch()
        award(batch, GUILD, Title(source, alice.id, clock.now()))
        await unsound_bank._store.write.run(batch)
        assert bool(await unsound_bank.jobs.due(CHAMPIONS)) is due


@pytest.mark.parametrize(("second", "first"), [(35, [2, 1]), (10, [1, 2])])
async def test_among_equals_the_earliest_title_counts_even_if_clocks_were_set_back(
    unsound_bank: Bank, join: Join, second: float, first: list[int]
) -> None:
    alice, bob = await join(1), await join(2)
    for number, (member, at) in enumerate(((bob, 20), (bob, 40), (alice, 30), (alice, second))):
        batch = unsound_bank._store.batch()
        award(batch, GUILD, Title(f"table/{number}", member.id, at))
        await unsound_bank._store.write.run(batch)
    assert [each.user for each in await unsound_bank.titles.champions(GUILD)] == first
    faults = (await unsound_bank.auditor.audit()).faults
    assert {fault.where for fault in faults} == {f"table/{number}" for number in range(4)}, "there are no such tables"


async def test_r10_8_the_champion_of_the_season_led_its_board_of_accuracy(
    unsound_bank: Bank, join: Join, clock: HandClock
) -> None:
    members = [await join(user) for user in (1, 2, 3, 4)]
    season = season_at(NOW, Span.MONTH)
    enough, few = 200, 60
    standings = [(0, 2, 900_000, enough), (1, 2, 950_000, enough), (2, 2, 950_000, enough + 1), (3, 1, 999_000, few)]
    for number, rank, accuracy, amount in standings:
        await by_hand(
            unsound_bank,
            "INSERT INTO season_places (guild, season, board, who, rank, value, amount, valuation) "
            f"VALUES ({GUILD}, '{season.name}', 'accuracy', {members[number].id}, {rank}, {accuracy}, {amount}, 3)",
        )
    assert await champion(unsound_bank, clock, Championship.SEASON) is None, "the season runs"
    clock.time = season.ends_at
    assert await champion(unsound_bank, clock, Championship.SEASON) == 3, "more close decisions, and not provisional"
    await unsound_bank.wishes.keep(3, Wishes(hidden=True))
    assert await champion(unsound_bank, clock, Championship.SEASON) == 2


def test_roles_are_handed_on_when_a_season_ends_before_the_week_does() -> None:
    end = season_at(NOW + 75 * DAY, Span.MONTH).ends_at
    assert 300 <= next_handover(GUILD, end - 60, "UTC", end) - end < 900
    assert week_at(end - 60, "UTC").next > end


def test_a_week_begins_on_monday_in_the_zone_of_the_server() -> None:
    summer, winter = 1_806_210_000.0, 1_806_190_000.0
    for zone, now in (("UTC", NOW), ("Pacific/Auckland", NOW), ("Europe/Paris", summer), ("Europe/Paris", winter)):
        week = week_at(now, zone)
        assert week.ends <= now < week.next
        assert week_at(week.ends, zone) == week
        assert week_at(week.ends - 1, zone).ends == week.begins
        assert abs(week.ends - week.begins - 7 * DAY) <= 3_600
        assert 300 <= next_handover(GUILD, now, zone, now + 40 * DAY) - week.next < 900


# -- which role it is --------------------------------------------------------------------------------------------------


async def test_r10_8_a_role_has_one_use(bank: Bank) -> None:
    await bank.champions.choose(GUILD, WEEK, GOLD)
    with pytest.raises(RoleInUse):
        await bank.shop.offer(GUILD, Ware(GOLD, 5 * CHIP))
    with pytest.raises(RoleInUse):
        await bank.champions.choose(GUILD, CUP, GOLD)
    await bank.shop.offer(GUILD, Ware(SILVER, 5 * CHIP))
    with pytest.raises(RoleInUse):
        await bank.champions.choose(GUILD, WEEK, SILVER)
    assert await bank.champions.chosen(GUILD) == {WEEK: GOLD}
    assert [ware.role for ware in await bank.shop.wares(GUILD)] == [SILVER]
    await bank.shop.withdraw(GUILD, GOLD)
    assert await bank.champions.chosen(GUILD) == {WEEK: GOLD}
    await bank.champions.choose(GUILD, WEEK, None)
    await bank.shop.offer(GUILD, Ware(GOLD, 5 * CHIP))


async def test_two_managers_choose_a_role_for_two_uses_at_once_and_one_of_them_gets_it(bank: Bank) -> None:
    chosen = [bank.champions.choose(GUILD, which, GOLD) for which in Championship]
    found = await asyncio.gather(*chosen, bank.shop.offer(GUILD, Ware(GOLD, CHIP)), return_exceptions=True)
    assert found.count(None) == 1
    assert len(await bank.champions.chosen(GUILD)) + len(await bank.shop.wares(GUILD)) == 1


# -- handing it on -----------------------------------------------------------------------------------------------------


async def test_r10_8_a_role_is_won_for_nothing_and_handed_on(bank: Bank, join: Join) -> None:
    alice, bob = await join(1), await join(2)
    await bank.champions.choose(GUILD, WEEK, GOLD)
    await bank.champions.crown(alice, WEEK, GOLD, 1)
    (job,) = await taken(bank)
    await bank.shop.given(job, "here")
    held = (await bank.champions.reigning(GUILD))[WEEK]
    assert (held.member, held.role, held.price, held.state, held.until) == (alice.id, GOLD, 0, Sold.HELD, None)
    assert await bank.jobs.due(ROLE) == (), "it waits for the next champion"
    await bank.champions.depose(held)
    assert await bank.champions.reigning(GUILD) == {}
    await bank.champions.crown(bob, WEEK, GOLD, 2)
    old, new = await taken(bank)
    await bank.shop.ended(old, "here")
    await bank.shop.given(new, "here")
    assert (await bank.champions.reigning(GUILD))[WEEK].member == bob.id
    assert await bank.shop.held_by(alice.id) == ()


async def test_two_champions_at_once_are_one(bank: Bank, join: Join) -> None:
    people = [await join(user) for user in (1, 2, 3)]
    await bank.champions.choose(GUILD, WEEK, GOLD)
    crowned = [bank.champions.crown(member, WEEK, GOLD, number) for number, member in enumerate(people, 1)]
    found = await asyncio.gather(*crowned, return_exceptions=True)
    assert [type(each) for each in found].count(type(None)) == 1
    assert {type(each) for each in found} == {type(None), AlreadyHeld}
    held = (await bank.champions.reigning(GUILD))[WEEK]
    deposed = await asyncio.gather(*(bank.champions.depose(held) for _ in range(4)), return_exceptions=True)
    assert [type(each) for each in deposed].count(TakenOver) == 3


async def test_a_champion_who_is_followed_before_the_role_was_given_gets_none(bank: Bank, join: Join) -> None:
    alice = await join(1)
    await bank.champions.choose(GUILD, WEEK, GOLD)
    await bank.champions.crown(alice, WEEK, GOLD, 1)
    (job,) = await taken(bank)
    held = (await bank.champions.reigning(GUILD))[WEEK]
    await bank.champions.depose(held)
    assert await bank.shop.refund(job, "here") == 0
    assert await bank.shop.held_by(alice.id) == ()


async def test_a_champion_who_is_followed_while_the_role_is_given_loses_it_at_once(
    bank: Bank, join: Join, clock: HandClock
) -> None:
    alice = await join(1)
    await bank.champions.choose(GUILD, WEEK, GOLD)
    await bank.champions.crown(alice, WEEK, GOLD, 1)
    (job,) = await taken(bank)
    clock.time += 1
    await bank.champions.depose((await bank.champions.reigning(GUILD))[WEEK])
    clock.time += 1
    await bank.shop.given(job, "here")
    assert [each.key for each in await bank.jobs.due(ROLE)] == [job.key]


async def test_a_role_that_is_not_chosen_any_more_is_given_to_nobody(bank: Bank, join: Join) -> None:
    alice = await join(1)
    await bank.champions.choose(GUILD, WEEK, GOLD)
    await bank.champions.choose(GUILD, WEEK, SILVER)
    with pytest.raises(WareChanged):
        await bank.champions.crown(alice, WEEK, GOLD, 1)
    assert await bank.jobs.waiting(ROLE) == ()


async def looked(bank: Bank) -> bool:
    """Whether the server is to be looked at now; it is put off for a week."""
    due = await bank.jobs.due(CHAMPIONS)
    for job in due:
        assert await bank.jobs.claim(job.key, "here", seconds=90)
        await bank.jobs.rest(job, "here", job.payload, due=NOW + 7 * DAY)
    return bool(due)


async def test_a_server_is_looked_at_when_its_champions_may_have_changed(bank: Bank, join: Join) -> None:
    await join(10**17)
    await bank.guilds.keep_settings(GUILD, GuildSettings(LENIENT, log_channel=8))
    await bank.wishes.keep(10**17, Wishes(hidden=True))
    assert not await looked(bank), "a server without such roles has no job"
    await bank.champions.choose(GUILD, WEEK, GOLD)
    assert await looked(bank)
    assert not await looked(bank)
    await bank.wishes.keep(10**17, Wishes(hidden=False))
    assert await looked(bank)
    assert await bank.jobs.due(LOG) == (), "all other work waits for its time"
    await bank.privacy.forget(GUILD, 10**17)
    assert await looked(bank)
    await bank.champions.choose(GUILD, WEEK, None)
    assert await looked(bank)
