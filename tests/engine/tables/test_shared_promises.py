"""One promise a channel: it covers the chains of all places there, and each round leads to it at once."""

from __future__ import annotations

import asyncio

import pytest

from data.drivers.store import Store
from engine.fairness.chain import SLOTS, slot_root, slot_tips, tip_of, top_of
from engine.fairness.record import RecordThree
from engine.fairness.verify import verify
from engine.games.contract import CHIP
from engine.tables.orders import Order
from engine.tables.ports import OutcomeUnknown
from engine.tables.promises import AT_A_TIME, NoPromise, PromisedChains
from engine.tables.snapshot import TablePhase
from engine.tables.table import Table
from engine.tables.values import Chain
from tests.data.by_hand import by_hand

from .conftest import ALICE, BOB, CAROL, CHANNEL, GUILD, Casino, until
from .test_elimination import lone, play_on
from .test_promises import hand, phrase, record


async def code(casino: Casino, table: Table) -> str:
    """Return the code of a finished round of the table."""
    return (await hand(casino, table)).seals.code


async def many(casino: Casino) -> list[Table]:
    """Tables at places of every kind, opened one after the other."""
    return [
        await casino.open(),
        await casino.open(rules="kitchen", solo=True),
        await casino.open(BOB, solo=True),
        await casino.open(BOB, "war"),
        await casino.open(CAROL, "war"),
        await lone(casino),
    ]


def delete_all(casino: Casino) -> None:
    """Somebody takes the promises out of the channel."""
    casino.poster.deleted |= set(casino.poster.messages)


# -- one message -------------------------------------------------------------------------------------------------------


async def test_all_places_of_a_channel_have_chains_of_one_promise(casino: Casino) -> None:
    tables = await many(casino)
    ((promise, _),) = casino.poster.messages.values()
    assert promise.tip == top_of(b"".join(slot_tips(promise.root)))
    assert [table.snapshot().seals.next_code for table in tables] == [
        f"{promise.tip[:8]}-{slot}-1" for slot in range(1, len(tables) + 1)
    ]
    assert len({table.snapshot().seals.promise for table in tables}) == 1


async def test_every_round_leads_to_the_promise_before_any_root_is_shown(casino: Casino) -> None:
    tables = (await many(casino))[:2]  # both Alice's
    ((promise, _),) = casino.poster.messages.values()
    for slot, table in enumerate(tables, start=1):
        for number in (1, 2):
            found = await record(casino, await code(casino, table))
            assert isinstance(found, RecordThree)
            assert (found.slot, found.number, found.promise.tip, found.root) == (slot, number, promise.tip, "")
            assert verify(found).holds


async def test_the_promise_stands_for_the_round_that_ended_last_not_for_the_one_dealt_last(casino: Casino) -> None:
    long, short = [await casino.open(user, "war") for user in (ALICE, BOB)]
    casino.cards.lay("7 7 ? ? ? 9 8")
    await casino.stake(long)
    casino.clock.time += 1
    casino.cards.lay("K A")
    await casino.stake(short, BOB)
    casino.clock.time += 1
    ended = await casino.act(long, "surrender")
    found = await casino.bank.records.round(ended.seals.code[:8], GUILD)
    assert found is not None
    assert found.code == ended.seals.code


async def test_each_round_follows_the_one_before_at_a_table_that_has_closed(casino: Casino) -> None:
    """The next round there was sealed and never dealt, and a round of the next table has its mark."""
    codes = []
    for _ in range(3):
        table = await casino.open(game="baccarat")
        await table.stake(ALICE, {"banker": 10 * CHIP}, casino.press())
        codes.append((await table.deal(ALICE, casino.press())).seals.code)
        await table.close(casino.press())
    assert [code[8:] for code in codes] == ["-1-1", "-1-2", "-1-3"]
    assert (await casino.bank.auditor.audit()).clean


async def test_another_channel_has_a_promise_of_its_own(casino: Casino) -> None:
    await casino.open()
    order = Order(casino.press(), GUILD, CHANNEL + 1, "war", "casino", await casino.member(BOB))
    other = await casino.registry.open(order)
    (first, _), (second, before) = casino.poster.messages.values()
    assert (first.channel, second.channel, before) == (CHANNEL, CHANNEL + 1, None)
    assert other.snapshot().seals.next_code == f"{second.tip[:8]}-1-1"


async def test_an_elimination_table_that_is_over_shows_its_own_root_and_no_other(casino: Casino) -> None:
    war, table = await casino.open(BOB, "war"), await lone(casino)
    await play_on(casino, table)
    ((promise, _),) = casino.poster.messages.values()
    ended, going_on = await casino.bank.chains.ended(f"table/{table.id}"), await casino.bank.promises.in_use(CHANNEL)
    assert ended is not None
    assert going_on is not None
    assert (ended.root, going_on.root) == (slot_root(promise.root, 2), promise.root)
    await war.stake(BOB, {"main": 10 * CHIP}, casino.press())
    assert war.snapshot().seals.code == f"{promise.tip[:8]}-1-1"


async def test_the_next_elimination_table_posts_nothing(casino: Casino) -> None:
    for slot in (1, 2, 3):
        table = await lone(casino)
        assert table.snapshot().seals.next_code.split("-")[1] == str(slot)
        await table.close(casino.press())
    assert len(casino.poster.messages) == 1


async def test_a_changed_phrase_takes_the_next_chain_of_the_same_promise(casino: Casino) -> None:
    codes = []
    for words in ("first", "second", "second"):
        await phrase(casino, ALICE, words)
        table = await casino.open(solo=True)
        codes.append(await code(casino, table))
        await table.close(casino.press())
        casino.clock.time += 3_601
    found = [await record(casino, each) for each in codes]
    assert [(each.slot, each.number, each.phrase) for each in found if isinstance(each, RecordThree)] == [
        (1, 1, "first"), (2, 1, "second"), (2, 2, "second"),
    ]  # fmt: skip
    assert [each.previous for each in found] == ["", found[0].hash, found[1].hash]
    assert len(casino.poster.messages) == 1


async def test_the_loop_has_its_turn_while_a_promise_is_worked_out(
    casino: Casino, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A tenth of a second in one piece would hold up every table of the process."""
    monkeypatch.setattr("engine.tables.promises.slot_tips", slot_tips)
    turns = 0

    async def others() -> None:
        nonlocal turns
        while True:
            turns += 1
            await asyncio.sleep(0)

    waiting = asyncio.create_task(others())
    await casino.open()
    waiting.cancel()
    assert turns >= SLOTS // AT_A_TIME


async def test_two_places_that_ask_in_the_same_instant_take_two_chains(casino: Casino) -> None:
    places = [f"{CHANNEL}/war/6/near/{member}" for member in range(1, 6)]
    found = await asyncio.gather(*(casino.registry.promises.chain(place, GUILD, CHANNEL) for place in places))
    assert sorted(chain.slot for chain in found) == [1, 2, 3, 4, 5]
    assert len({chain.tip for chain in found}) == 5
    assert len(casino.poster.messages) == 1


# -- used up -----------------------------------------------------------------------------------------------------------


async def use_up(casino: Casino) -> None:
    """Change a promise as if all of its chains but the last had been taken."""
    casino.skipped = True
    await by_hand(casino.bank, f"UPDATE promises SET slots = {SLOTS - 1}")


async def test_a_promise_whose_chains_are_all_taken_goes_on_beside_a_new_one(casino: Casino) -> None:
    first = await casino.open()
    await hand(casino, first)
    await use_up(casino)
    last = await casino.open(BOB, "war")
    assert last.snapshot().seals.next_code.split("-")[1] == str(SLOTS)
    new = await casino.open(CAROL, "war")
    (old, _), (promise, before) = casino.poster.messages.values()
    assert before is None, "the first one is in use, so nothing of it is shown"
    assert new.snapshot().seals.next_code == f"{promise.tip[:8]}-1-1"
    assert (await code(casino, first)).startswith(f"{old.tip[:8]}-1-2")
    assert {sealed.promise for sealed in (first.snapshot().seals, last.snapshot().seals)} == {
        first.snapshot().seals.promise
    }


async def test_its_root_is_shown_once_the_last_of_its_chains_has_ended(casino: Casino) -> None:
    table = await casino.open()
    await hand(casino, table)
    await use_up(casino)
    await (await lone(casino)).close(casino.press())
    await table.close(casino.press())
    chain = await casino.bank.chains.in_use(table.state.chain_place)
    assert chain is not None
    await casino.bank.chains.end(chain.id, "its player chose another phrase")
    await casino.open(BOB, "war")
    (old, _), (_, before) = casino.poster.messages.values()
    assert before is not None
    assert before.root == old.root


# -- given up ----------------------------------------------------------------------------------------------------------


async def test_a_deleted_promise_ends_with_all_its_chains_and_the_next_one_shows_its_root(casino: Casino) -> None:
    first, war = await casino.open(), await casino.open(BOB, "war")
    codes = [await code(casino, first), (await war.stake(BOB, {"main": 10 * CHIP}, casino.press())).seals.code]
    delete_all(casino)
    third = await casino.open(CAROL, "war")
    (old, _), (new, before) = casino.poster.messages.values()
    assert before is not None
    assert before.root == old.root
    assert third.snapshot().seals.next_code == f"{new.tip[:8]}-1-1"
    for slot, each in enumerate(codes, start=1):
        found = await record(casino, each)
        assert found.root == slot_root(old.root, slot).hex()
        assert verify(found).holds


async def test_no_root_is_shown_while_a_hand_is_open_under_a_deleted_promise(casino: Casino) -> None:
    """The root gives the dealer's hole card."""
    playing = await casino.deal("5 6 / 9 T")
    idle = await casino.open(BOB, "war")
    delete_all(casino)
    waiting = await casino.open(CAROL, "war")
    assert waiting.snapshot().seals.next_code == "", "it waits for the end of the hand"
    assert len(casino.poster.messages) == 1
    open_hand = await casino.bank.chains.in_use(playing.state.chain_place)
    assert open_hand is not None
    assert await casino.bank.promises.ended(CHANNEL) is None
    assert await casino.bank.chains.in_use(idle.state.chain_place) is None, "nothing is dealt from it any more"
    over = await casino.finish(playing)
    assert over.settlement is not None
    assert await casino.bank.chains.in_use(playing.state.chain_place) is None, "its chain ends with the hand"
    await waiting.stake(CAROL, {"main": 10 * CHIP}, casino.press())
    (old, _), (new, before) = casino.poster.messages.values()
    assert before is not None
    assert before.root == old.root
    assert waiting.snapshot().seals.code.startswith(f"{new.tip[:8]}-")


async def test_a_table_between_two_hands_goes_on_under_the_new_promise(casino: Casino) -> None:
    table = await casino.open()
    first = await record(casino, await code(casino, table))
    delete_all(casino)
    await casino.open(BOB, "war")
    second = await record(casino, await code(casino, table))
    assert (second.number, second.previous) == (1, first.hash)
    assert second.promise.tip != first.promise.tip
    assert len(casino.poster.messages) == 2


async def test_a_table_shows_by_itself_that_it_has_another_promise(casino: Casino) -> None:
    table, playing = await casino.open(), await casino.open(BOB, "war")
    casino.cards.lay("7 7")
    await playing.stake(BOB, {"main": 10 * CHIP}, casino.press())
    delete_all(casino)
    waiting = await casino.open(CAROL, "war")
    await until(table, lambda now: now.seals.next_code == "")
    await playing.act(BOB, "surrender", 1, playing.snapshot().turn, casino.press())
    assert playing.snapshot().seals.next_code == "", "its chain has ended with the hand"
    for each, user in ((waiting, CAROL), (playing, BOB), (table, ALICE)):
        await each.stake(user, {"main": 10 * CHIP}, casino.press())
    _, (new, _) = casino.poster.messages.values()
    codes = [each.snapshot().seals.code for each in (waiting, playing, table)]
    assert sorted(codes) == [f"{new.tip[:8]}-{slot}-1" for slot in (1, 2, 3)], "in the order in which they asked"


async def test_a_killed_process_plays_the_open_hand_of_a_deleted_promise_to_its_end(casino: Casino) -> None:
    """It is not called off: nothing of it was shown."""
    table = await casino.deal("5 6 / 9 T")
    sealed = table.snapshot().seals.code
    delete_all(casino)
    await casino.open(BOB, "war")
    await casino.restart()
    playing = casino.registry.get(table.id)
    assert playing is not None
    assert (playing.snapshot().phase, playing.snapshot().seals.code) == (TablePhase.PLAYING, sealed)
    over = await casino.finish(playing)
    assert (over.seals.code, over.called_off) == (sealed, False)


async def test_a_promise_of_which_nobody_knows_whether_it_was_posted_is_never_dealt_from(casino: Casino) -> None:
    casino.poster.lost = True
    await casino.open()
    casino.poster.lost = False
    await casino.restart()
    (table,) = casino.registry.tables()
    await casino.stake(table)
    (lost, _), (new, before) = casino.poster.messages.values()
    assert before is not None
    assert before.root == lost.root
    assert table.snapshot().seals.code == f"{new.tip[:8]}-1-1"


async def test_a_promise_is_read_back_if_nobody_knows_whether_its_message_was_written_down(
    casino: Casino, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The message stands. It was written, so it is used, and nothing is posted again."""
    written, lost = Store.change, [True]

    async def unknown(self: Store, statement: object, values: dict[str, object], *more: object) -> None:
        await written(self, statement, values, *more)  # type: ignore[arg-type]
        if "message" in values and "slots" not in values and lost:
            lost.pop()
            raise OutcomeUnknown("the line was cut")

    monkeypatch.setattr(Store, "change", unknown)
    table = await casino.open()
    assert table.snapshot().seals.next_code == ""
    await casino.stake(table)
    ((promise, _),) = casino.poster.messages.values()
    assert table.snapshot().seals.code == f"{promise.tip[:8]}-1-1"


async def test_of_two_processes_one_promises_and_the_other_waits(casino: Casino) -> None:
    here, there = (PromisedChains(casino.bank, casino.poster, casino.seeds) for _ in range(2))
    places = [f"{CHANNEL}/war/6/near/{member}" for member in (1, 2)]
    asked = (promises.chain(place, GUILD, CHANNEL) for promises, place in zip((here, there), places, strict=True))
    found = await asyncio.gather(*asked, return_exceptions=True)
    assert sum(isinstance(each, NoPromise) for each in found) == 1
    again = [await promises.chain(place, GUILD, CHANNEL) for promises, place in zip((here, there), places, strict=True)]
    assert len({chain.shared for chain in again}) == 1
    assert sorted(chain.slot for chain in again) == [1, 2]


async def test_a_chain_of_an_earlier_release_is_followed_by_one_of_the_channels_promise(casino: Casino) -> None:
    """It goes on under its own message; the place's rounds stay linked when it ends."""
    root, place = bytes(range(32)), f"{CHANNEL}/blackjack/6/near"
    await casino.bank.chains.begin(Chain(5, place, GUILD, CHANNEL, root, tip_of(root)))
    await casino.bank.chains.promised(5, 4_321)
    table = await casino.open()
    old = await record(casino, await code(casino, table))
    assert (old.mark, old.promise.message, old.root) == (f"{tip_of(root)[:8]}-1", 4_321, "")
    assert casino.poster.messages == {}
    await table.close(casino.press())
    casino.poster.deleted.add(4_321)
    found = await record(casino, await code(casino, await casino.open()))
    assert isinstance(found, RecordThree)
    assert (found.slot, found.number, found.previous) == (1, 1, old.hash)
    assert verify(found).holds
    again = await record(casino, old.mark)
    assert again.root == root.hex()
    assert verify(again).holds


def test_a_slots_tip_is_that_of_a_chain_with_its_root() -> None:
    root = bytes(range(32))
    assert list(slot_tips(root))[4].hex() == tip_of(slot_root(root, 5))
