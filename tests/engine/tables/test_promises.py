"""Promises at the table: one before the first stake, one chain a place, and what happens when things fail."""

from __future__ import annotations

import asyncio
import io
import json
import logging

import pytest
import sqlalchemy as sa

from data.base.schema import chains, tables
from data.base.values import MemberSettings
from data.journal.tables import USE_CHAIN
from engine.fairness.chain import LENGTH, seed_of, slot_root, slot_tips, top_of
from engine.fairness.record import RecordTwo
from engine.fairness.verify import verify
from engine.games.blackjack.rules import FROM_FAR_END as FAR
from engine.games.blackjack.rules import BlackjackRules
from engine.games.contract import CHIP, By
from engine.tables.orders import Order
from engine.tables.ports import StaleTable
from engine.tables.promises import NoPromise, PromisedChains
from engine.tables.rebuilt import whole_record_of
from engine.tables.refused import Reason, Refused
from engine.tables.snapshot import CloseReason, Snapshot, TablePhase
from engine.tables.table import Table
from engine.tables.values import Chain

from .conftest import ALICE, BOB, CHANNEL, GUILD, MESSAGE, Casino, until

PLACE = f"{CHANNEL}/blackjack/6/near"


async def hand(casino: Casino, table: Table) -> Snapshot:
    """A hand of a lone player, stood."""
    await casino.stake(table)
    while table.snapshot().phase is TablePhase.PLAYING:
        now = table.snapshot()
        legal = now.legal[now.view.asked[0]]
        await casino.act(table, "decline" if "decline" in legal else "stand")
    return table.snapshot()


async def record(casino: Casino, code: str) -> RecordTwo:
    stored = await casino.bank.records.round(code, GUILD)
    assert stored is not None
    found = whole_record_of(stored)
    assert isinstance(found, RecordTwo)
    return found


async def used(casino: Casino, count: int) -> None:
    """Change a chain as if this many of its rounds had been dealt."""
    casino.skipped = True
    async with casino.bank._store.rewriting() as connection:
        await connection.execute(sa.update(chains).values(used=count, finished=count))


# -- one promise for a thousand rounds ---------------------------------------------------------------------------------


async def test_the_promise_stands_before_anybody_can_stake(casino: Casino) -> None:
    table = await casino.open()
    ((message, (chain, before)),) = casino.poster.messages.items()
    assert before is None
    assert table.snapshot().seals.next_code == f"{chain.tip[:8]}-1-1"
    assert table.snapshot().seals.promise == f"https://discord.com/channels/{GUILD}/{CHANNEL}/{message}"


async def test_rounds_go_along_the_chain_and_each_can_be_checked_at_once(casino: Casino) -> None:
    table = await casino.open()
    tip = table.snapshot().seals.next_code[:8]
    codes = [(await hand(casino, table)).seals.code for _ in range(4)]
    assert codes == [f"{tip}-1-{number}" for number in (1, 2, 3, 4)]
    assert len(casino.poster.messages) == 1
    before = ""
    for code in codes:
        found = await record(casino, code)
        assert verify(found).holds
        assert found.previous == before, "each record holds the hash of the one before it"
        before = found.hash
    assert table.snapshot().seals.hash == before


async def test_a_table_goes_on_where_the_one_before_it_stopped(casino: Casino) -> None:
    first = await casino.open()
    await hand(casino, first)
    sealed = first.snapshot().seals.next_code
    await first.close(casino.press())
    second = await casino.open()
    assert second.snapshot().seals.next_code == sealed, "a seed that was not dealt is not skipped"
    last = await hand(casino, second)
    assert len(casino.poster.messages) == 1
    assert (await record(casino, last.seals.code)).number == 2


async def test_at_war_everybody_has_a_chain_of_their_own(casino: Casino) -> None:
    first, second = await casino.open(ALICE, "war"), await casino.open(BOB, "war")
    ((promise, _),) = casino.poster.messages.values()
    assert [table.snapshot().seals.next_code for table in (first, second)] == [
        f"{promise.tip[:8]}-1-1", f"{promise.tip[:8]}-2-1",
    ]  # fmt: skip


async def test_what_people_call_the_last_round_of_a_place(casino: Casino) -> None:
    table = await casino.open()
    tip = table.snapshot().seals.next_code[:8]
    await hand(casino, table)
    second = await hand(casino, table)
    assert (await record(casino, tip)).mark == second.seals.code
    assert (await record(casino, f"{tip}-1-1")).number == 1


async def test_of_two_processes_that_promise_in_the_same_instant_one_is_told_to_wait(casino: Casino) -> None:
    both = [PromisedChains(casino.bank, casino.poster, casino.seeds) for _ in range(2)]
    found = await asyncio.gather(*(each.chain(PLACE, GUILD, CHANNEL) for each in both), return_exceptions=True)
    assert sorted(type(one) is Chain for one in found) == [False, True]
    assert any(isinstance(one, NoPromise) for one in found)
    chains = [await each.chain(PLACE, GUILD, CHANNEL) for each in both]
    assert chains[0] == chains[1]


async def test_a_promise_that_another_process_gave_up_while_it_was_posted_counts_for_nobody(
    casino: Casino, monkeypatch: pytest.MonkeyPatch
) -> None:
    here, there = (PromisedChains(casino.bank, casino.poster, casino.seeds) for _ in range(2))
    post, theirs = casino.poster.post, list[Chain]()

    async def meanwhile(chain: Chain, before: Chain | None, language: str) -> int:
        monkeypatch.setattr(casino.poster, "post", post)
        theirs.append(await there.chain(PLACE, GUILD, CHANNEL))
        return await post(chain, before, language)

    monkeypatch.setattr(casino.poster, "post", meanwhile)
    with pytest.raises(NoPromise):
        await here.chain(PLACE, GUILD, CHANNEL)
    assert await here.chain(PLACE, GUILD, CHANNEL) == theirs[0]


# -- what enters a shuffle ---------------------------------------------------------------------------------------------


async def phrase(casino: Casino, user: int, words: str) -> None:
    member = await casino.member(user)
    await casino.bank.members.keep_settings(member.id, MemberSettings(phrase=words))


async def test_a_persons_phrase_counts_at_a_table_of_their_own_and_at_no_other(casino: Casino) -> None:
    await phrase(casino, ALICE, "seven sevens")
    shared = await casino.open()
    assert (await record(casino, (await hand(casino, shared)).seals.code)).phrase == ""
    await shared.close(casino.press())
    own = await casino.open(solo=True)
    found = await record(casino, (await hand(casino, own)).seals.code)
    assert (found.phrase, found.mixed_in[-1]) == ("seven sevens", "seven sevens")
    assert verify(found).holds


async def test_a_changed_phrase_counts_from_the_next_chain_and_once_an_hour(casino: Casino) -> None:
    """A friend who knows the seeds has one choice an hour, and the record tells of it."""
    await phrase(casino, ALICE, "first")
    phrases = []
    for words, later in (("second", 0), ("third", 3_599), ("fourth", 2), ("fourth", 0)):
        table = await casino.open(solo=True)
        phrases.append((await record(casino, (await hand(casino, table)).seals.code)).phrase)
        await table.close(casino.press())
        await phrase(casino, ALICE, words)
        casino.clock.time += later
    assert phrases == ["first", "first", "first", "fourth"]


async def test_no_two_rounds_of_a_chain_are_ever_open_together(casino: Casino) -> None:
    """The seed of the later one gives away the earlier one's, so the bank refuses to deal it."""
    table = await casino.deal("5 6 / 9 ?")
    chain = await casino.bank.chains.in_use(PLACE)
    assert chain is not None
    batch = casino.bank._store.batch()
    batch.must(USE_CHAIN, {"id": chain.id, "link": 2}, StaleTable("open"))
    with pytest.raises(StaleTable):
        await casino.bank._store.write.run(batch)
    while table.snapshot().phase is TablePhase.PLAYING:
        await casino.act(table, "stand")
    await casino.bank._store.write.run(batch)


@pytest.mark.parametrize(("rules", "place"), [("vegas", "6/near"), ("kitchen", "1/near"), ("four-seat", "1/near")])
async def test_decks_and_the_dealers_end_are_no_choice_within_a_chain(casino: Casino, rules: str, place: str) -> None:
    table = await casino.open(rules=rules)
    assert table.state.chain_place == f"{CHANNEL}/blackjack/{place}"


async def test_the_far_end_is_a_place_of_its_own(casino: Casino) -> None:
    table = await casino.registry.open(
        Order(
            casino.press(),
            GUILD,
            CHANNEL,
            "blackjack",
            "far",
            await casino.member(ALICE),
            BlackjackRules(dealer_cards=FAR),
        )
    )
    assert table.state.chain_place == f"{CHANNEL}/blackjack/6/far"
    found = await record(casino, (await hand(casino, table)).seals.code)
    assert verify(found).holds
    assert found.rules["dealer_cards"] == "from the far end"


async def test_a_chain_of_an_earlier_release_goes_on_under_the_first_place_that_asks(casino: Casino) -> None:
    table = await casino.open()
    first = await record(casino, (await hand(casino, table)).seals.code)
    await table.close(casino.press())
    async with casino.bank._store.rewriting() as connection:
        await connection.execute(sa.update(chains).values(place=f"{CHANNEL}/blackjack"))
    table = await casino.open()
    second = await record(casino, (await hand(casino, table)).seals.code)
    assert (second.promise, second.number, second.previous) == (first.promise, 2, first.hash)
    assert len(casino.poster.messages) == 1


async def test_a_table_of_an_earlier_release_takes_its_next_chain_to_its_place(casino: Casino) -> None:
    await casino.open()
    (used_up,) = await casino.bank.chains.all_of(PLACE)
    async with casino.bank._store.rewriting() as connection:
        for column in (chains.c.place, tables.c.doc):
            renamed = sa.func.replace(column, PLACE, f"{CHANNEL}/blackjack")
            await connection.execute(sa.update(column.table).values({column.name: renamed}))
    await casino.bank.chains.end(used_up.id, "used up")
    await casino.restart()
    (table,) = casino.registry.tables()
    assert (await hand(casino, table)).seals.code.endswith("-2-1")
    assert len(await casino.bank.chains.all_of(f"{CHANNEL}/blackjack")) == 2


async def test_computer_players_are_recorded_with_level_and_purse(casino: Casino) -> None:
    table = await casino.open(computers=3, level="expert")
    done = await hand(casino, table)
    found = await record(casino, done.seals.code)
    assert [who.level for who in found.players] == ["", "expert", "expert", "expert"]
    assert verify(found).holds


async def test_at_a_fixed_stake_table_a_computer_players_purse_is_its_stack(casino: Casino) -> None:
    table = await casino.open(rules="four-seat", level="intermediate")
    await table.stake(ALICE, None, casino.press(), message=MESSAGE)
    while table.snapshot().phase is TablePhase.PLAYING:
        await casino.act(table, "stand")
    found = await record(casino, table.snapshot().seals.code)
    thought = [purse for step, purse in zip(found.steps, found.purses, strict=True) if step.by is By.COMPUTER]
    assert set(thought) <= {9 * CHIP}
    assert verify(found).holds


async def test_a_table_that_is_closed_in_mid_hand_has_its_computer_players_play_as_they_do(casino: Casino) -> None:
    table = await casino.open(rules="ctrl-alt-bet", computers=3, level="expert")
    while (await casino.stake(table)).phase is not TablePhase.PLAYING:
        pass  # a blackjack of the dealer's
    code = table.snapshot().seals.code
    assert table.snapshot().phase is TablePhase.PLAYING
    await table.close(casino.press())
    found = await record(casino, code)
    assert found.steps[0].by is By.CLOCK
    assert {step.by for step in found.steps[1:]} == {By.COMPUTER}
    assert verify(found).holds


# -- where no promise can be posted ------------------------------------------------------------------------------------


async def test_without_a_promise_nobody_stakes_and_a_press_tries_again_at_once(casino: Casino) -> None:
    casino.poster.closed = True
    table = await casino.open()
    with pytest.raises(Refused) as refused:
        await casino.stake(table)
    assert refused.value.reason is Reason.NO_PROMISE
    assert await casino.balance(ALICE) == 1000
    casino.poster.closed = False
    assert (await casino.stake(table)).seals.code.endswith("-1")
    assert len(casino.poster.messages) == 1


async def test_it_is_tried_again_by_itself(casino: Casino, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("engine.tables.alarm.SEEK_SECONDS", 0.02)
    casino.poster.closed = True
    table = await casino.open()
    assert table.snapshot().seals.next_code == ""
    casino.poster.closed = False
    assert (await until(table, lambda now: bool(now.seals.next_code))).seals.next_code.endswith("-1")


async def test_a_promise_that_does_not_come_is_tried_again_after_growing_pauses_of_a_minute_at_most(
    casino: Casino,
) -> None:
    casino.poster.closed = True
    table = await casino.open()
    loop, pauses = asyncio.get_running_loop(), []
    for failed in (0, 1, 2, 4, 5, 2_000):
        table._sought = failed
        table._arm()
        assert table._seeking._handle is not None
        pauses.append(round(table._seeking._handle.when() - loop.time()))
        table._seeking.stop()
    assert pauses == [0, 4, 8, 32, 60, 60]
    await table.move(CHANNEL + 1)
    assert table._sought == 0, "only the old channel refused"


async def test_a_press_that_finds_the_promise_and_is_refused_leaves_the_table_with_its_clock(casino: Casino) -> None:
    """The seal from before the refusal stands: it is shown, and the table still closes by itself."""
    casino.set_house(idle_seconds=0.3)
    casino.poster.closed = True
    table = await casino.open()
    casino.poster.closed = False
    with pytest.raises(Refused) as refused:
        await casino.stake(table, chips=1_000_000)
    assert refused.value.reason is not Reason.NO_PROMISE
    assert table.snapshot().seals.next_code.endswith("-1")
    assert casino.onlooker.seen[-1].seals.next_code.endswith("-1")
    assert (await until(table, lambda now: now.phase is TablePhase.CLOSED)).close_reason is CloseReason.IDLE


async def test_a_channel_that_stays_closed_closes_the_table_as_idle(casino: Casino) -> None:
    casino.set_house(idle_seconds=0.05)
    casino.poster.closed = True
    table = await casino.open()
    assert (await until(table, lambda now: now.phase is TablePhase.CLOSED)).close_reason is CloseReason.IDLE


async def test_nobody_waits_for_a_table_while_its_promise_is_on_its_way(casino: Casino) -> None:
    """Discord may take ten seconds for it. Alice's stake needs the promise; Bob comes and goes as he likes."""
    casino.poster.closed = True
    table = await casino.open()
    casino.poster.closed, casino.poster.held = False, asyncio.Event()
    stake = asyncio.create_task(casino.stake(table))
    await casino.poster.asked.wait()
    async with asyncio.timeout(5):
        await table.join(await casino.member(BOB), casino.press())
        await table.leave(BOB, casino.press())
    assert not stake.done()
    casino.poster.held.set()
    assert (await stake).seals.code.endswith("-1")


async def test_a_table_that_was_moved_meanwhile_is_not_sealed_by_the_promise_of_its_old_channel(casino: Casino) -> None:
    casino.poster.closed = True
    table = await casino.open()
    casino.poster.closed, casino.poster.held = False, asyncio.Event()
    stake = asyncio.create_task(casino.stake(table))
    await casino.poster.asked.wait()
    await table.move(CHANNEL + 1)
    casino.poster.held.set()
    with pytest.raises(Refused) as refused:
        await stake
    assert refused.value.reason is Reason.NO_PROMISE
    assert (await casino.stake(table)).seals.code.endswith("-1")
    assert [found.channel for found, _ in casino.poster.messages.values()] == [CHANNEL, CHANNEL + 1]


async def test_a_table_at_rest_posts_nothing_that_it_was_about_to(
    casino: Casino, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("engine.tables.alarm.SEEK_SECONDS", 0.02)
    casino.poster.closed = True
    await casino.open()
    casino.poster.closed, casino.poster.held = False, asyncio.Event()
    await casino.poster.asked.wait()
    await casino.registry.shutdown()
    casino.poster.held.set()
    await asyncio.sleep(0.05)
    assert casino.poster.messages == {}


async def test_surely_not_posted_the_same_chain_is_promised_later(casino: Casino) -> None:
    casino.poster.closed = True
    table = await casino.open()
    waiting = await casino.bank.promises.in_use(CHANNEL)
    casino.poster.closed = False
    await casino.stake(table)
    assert waiting is not None
    assert table.snapshot().seals.code == f"{waiting.tip[:8]}-1-1"


# -- chains that end ---------------------------------------------------------------------------------------------------


async def test_where_the_answer_is_lost_the_chain_is_given_up_and_its_root_is_shown(casino: Casino) -> None:
    casino.poster.lost = True
    table = await casino.open()
    casino.poster.lost = False
    await casino.stake(table)
    (lost, _), (promise, before) = casino.poster.messages.values()
    assert table.snapshot().seals.code == f"{promise.tip[:8]}-1-1"
    assert promise.tip != lost.tip
    assert before is not None
    assert top_of(b"".join(slot_tips(before.root))) == lost.tip, "anybody can deal what would have come"


async def test_a_process_that_died_over_its_promise_has_given_its_chain_up(casino: Casino) -> None:
    casino.poster.closed = True
    await casino.open()
    casino.poster.closed = False
    await casino.restart()
    (table,) = casino.registry.tables()
    await casino.stake(table)
    ((chain, before),) = casino.poster.messages.values()
    assert before is not None
    assert before.tip != chain.tip


async def test_a_promise_that_is_found_deleted_is_followed_by_another_that_shows_its_root(casino: Casino) -> None:
    table = await casino.open()
    last = await hand(casino, table)
    await table.close(casino.press())
    (message,) = casino.poster.messages
    casino.poster.deleted.add(message)
    again = await casino.open()
    assert len(casino.poster.messages) == 2
    _, (promise, before) = casino.poster.messages.values()
    assert before is not None
    assert again.snapshot().seals.next_code == f"{promise.tip[:8]}-1-1"
    old = await record(casino, last.seals.code)
    assert old.root == slot_root(before.root, 1).hex(), "from now on the old records carry the root of their chain"
    assert verify(old).holds
    found = await record(casino, (await hand(casino, again)).seals.code)
    assert found.previous == old.hash, "the place goes on from chain to chain"


async def test_a_chain_that_is_used_up_is_followed_by_another_under_the_same_promise(casino: Casino) -> None:
    table = await casino.open()
    await hand(casino, table)
    await table.close(casino.press())
    await used(casino, LENGTH - 1)
    table = await casino.open()
    last = await hand(casino, table)
    assert last.seals.code.endswith(f"-{LENGTH}")
    shown = await until(table, lambda now: bool(now.seals.next_code))
    ((promise, _),) = casino.poster.messages.values()
    assert shown.seals.next_code == f"{promise.tip[:8]}-2-1"
    old = await record(casino, last.seals.code)
    assert bytes.fromhex(old.root) == slot_root(promise.root, 1)
    assert seed_of(bytes.fromhex(old.root), LENGTH) == old.seed
    assert verify(old).holds


# -- secrets -----------------------------------------------------------------------------------------------------------


async def test_no_root_and_no_coming_seed_is_told_to_anybody(casino: Casino, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    table = await casino.open()
    await hand(casino, table)
    await casino.stake(table)
    chain = await casino.bank.chains.in_use(PLACE)
    promise = await casino.bank.promises.in_use(CHANNEL)
    assert chain is not None
    assert promise is not None
    secrets = [chain.root, *(seed_of(chain.root, number) for number in (3, 4, LENGTH))]
    secrets += [promise.root, slot_root(promise.root, 2)]
    export = io.StringIO()
    await casino.bank.copies.export(export)
    exported = export.getvalue().splitlines()
    told = "\n".join(
        [
            *exported,
            json.dumps(await casino.bank.privacy.export(GUILD, ALICE), default=str),
            repr(chain), repr(promise), repr(table._position), repr(table.snapshot()), repr(casino.onlooker.seen),
            *(record.getMessage() for record in caplog.records if record.name.startswith("engine")),
        ]
    )  # fmt: skip
    for secret in secrets:
        assert secret.hex() not in told
        assert repr(secret) not in told
    assert any("chains" in line for line in exported)
    assert any("promises" in line for line in exported)


async def test_a_killed_process_goes_on_along_the_chain(casino: Casino) -> None:
    table = await casino.open()
    await hand(casino, table)
    sealed = table.snapshot().seals.next_code
    await casino.restart()
    (table,) = casino.registry.tables()
    assert table.snapshot().seals.next_code == sealed
    assert (await hand(casino, table)).seals.code == sealed
    assert len(casino.poster.messages) == 1


async def test_stacks_are_cashed_out_where_the_next_promise_never_comes(casino: Casino) -> None:
    """A chain has ended between two rounds, and nothing can be posted any more."""
    table = await casino.open(rules="four-seat")
    await table.stake(ALICE, None, casino.press())
    await casino.finish(table)
    stack = next(chair.stack for chair in table.state.chairs if chair.user == ALICE)
    assert await casino.balance(ALICE) == 990
    promise = await casino.bank.promises.in_use(CHANNEL)
    assert promise is not None
    await casino.bank.promises.give_up(promise.id, "its promise was deleted")
    casino.poster.closed = True
    await casino.restart()
    (again,) = casino.registry.tables()
    assert again.snapshot().seals.next_code == ""
    await again._rung(again.state.version)  # the idle time is over
    assert (again.snapshot().phase, again.snapshot().close_reason) == (TablePhase.CLOSED, CloseReason.IDLE)
    assert await casino.balance(ALICE) == 990 + (stack or 0) / CHIP
