"""Chains of seeds in the bank: one open at a time for each place, used in order, and sealed round by round."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from data import BadChange, Bank, MemberSettings, Wrong
from data.journal.records import around_marks
from engine.fairness.chain import LENGTH, mark, seed_of, tip_of
from engine.fairness.record import RecordTwo
from engine.games.contract import CHIP
from engine.tables.ports import OtherChain, StaleTable
from engine.tables.sealing import seal_of
from engine.tables.values import Chain, Change, Seal
from tests.data.by_hand import would_find
from tests.data.conftest import Join
from tests.data.dealer import GUILD, Dealer, HandClock, press

PLACE = "70/blackjack"


def chain(number: int = 1, place: str = PLACE) -> Chain:
    root = bytes([number]) * 32
    tip = tip_of(root)
    return Chain(int(tip[:15], 16), place, GUILD, 70, root, tip)


async def promised(bank: Bank, number: int = 1, place: str = PLACE) -> Chain:
    begun = await bank.chains.begin(chain(number, place))
    await bank.chains.promised(begun.id, 9_000 + number)
    found = await bank.chains.in_use(place)
    assert found is not None
    return found


async def dealt(bank: Bank, table: Dealer, seal: Seal, *, after: str = "") -> Change:
    """A round of this seal is staked and dealt."""
    await table.commit(Change(f"press/{press()}", table.row(), seal=seal))
    dealing = table.dealing()
    assert dealing.deal is not None
    table.take_up(dealing)
    deal = replace(dealing.deal, chain=seal.chain, link=seal.link, previous=after, inputs=())
    return await table.commit(replace(dealing, deal=deal))


async def finished(table: Dealer, seal: Seal, hash: str) -> None:
    ending = table.finishing()
    assert ending.finish is not None
    finish = replace(ending.finish, chain=seal.chain, hash=hash)
    await table.commit(replace(ending, finish=finish, seal=None))
    table.number += 1
    table.seats, table.staked = [], []


async def new_table(bank: Bank) -> Dealer:
    table = Dealer(bank)
    await table.commit(Change(f"press/{press()}", table.row()))
    table.number = 1
    return table


async def test_a_place_has_one_chain_at_a_time(ledger_bank: Bank) -> None:
    first = await promised(ledger_bank)
    assert (first.message, first.used, first.last, first.ended) == (9_001, 0, "", False)
    with pytest.raises(OtherChain):
        await ledger_bank.chains.begin(chain(2))
    await ledger_bank.chains.end(first.id, "deleted")
    second = await promised(ledger_bank, 2)
    assert await ledger_bank.chains.in_use(PLACE) == second
    before = await ledger_bank.chains.ended(PLACE)
    assert before is not None
    assert (before.tip, before.ended) == (first.tip, True)


async def test_of_chains_that_ended_at_one_moment_the_last_is_the_one_begun_last(
    ledger_bank: Bank, clock: HandClock
) -> None:
    """A restore ends a chain at a moment at which the next one may end too. The order of ids does not matter."""
    roots = sorted((1, 2, 3), key=lambda number: chain(number).id)
    for number in (*roots, *(number + 3 for number in roots[::-1])):
        clock.time += 1
        await promised(ledger_bank, number)
        clock.time += 1
        began, clock.time = clock.time, 3e9
        held = await ledger_bank.chains.in_use(PLACE)
        assert held is not None
        await ledger_bank.chains.end(held.id, "deleted")
        clock.time = began
        last = await ledger_bank.chains.ended(PLACE)
        assert last is not None
        assert last.tip == held.tip


async def test_the_first_digits_of_a_promise_stand_for_its_last_finished_round(ledger_bank: Bank, join: Join) -> None:
    now, table, alice = await promised(ledger_bank), await new_table(ledger_bank), await join(1)
    for number in (1, 2):
        seal = seal_of(replace(now, used=number - 1), number)
        assert seal is not None
        await table.stake(alice, 1)
        await dealt(ledger_bank, table, seal)
        await finished(table, seal, f"{number}" * 64)
    found = await ledger_bank.records.round(now.tip[:8], GUILD)
    assert found is not None
    assert found.code == f"{now.tip[:8]}-2"


@pytest.mark.parametrize("counted", [str, lambda text: "".join(filter(str.isalnum, text))])
def test_marks_lie_around_their_digits_in_a_database_that_counts_signs_and_in_one_that_does_not(
    counted: Callable[[str], str],
) -> None:
    for digits in ("1a2b3c4d", "00000000", "ffffffff"):
        after, before = map(counted, around_marks(digits))
        assert all(after < counted(mark(digits, 17, slot)) < before for slot in (0, 5))
        assert not after < counted(digits) < before


async def test_a_promise_is_written_down_once(ledger_bank: Bank) -> None:
    first = await promised(ledger_bank)
    with pytest.raises(OtherChain):
        await ledger_bank.chains.promised(first.id, 1)


async def test_ending_a_chain_twice_is_ending_it_once(ledger_bank: Bank, clock: HandClock) -> None:
    first = await promised(ledger_bank)
    await ledger_bank.chains.end(first.id, "deleted")
    clock.time += 10
    await ledger_bank.chains.end(first.id, "deleted again")
    second = await promised(ledger_bank, 2)
    await ledger_bank.chains.end(second.id, "deleted")
    last = await ledger_bank.chains.ended(PLACE)
    assert last is not None
    assert last.tip == second.tip


async def test_rounds_are_dealt_in_order_and_their_hashes_go_along(ledger_bank: Bank, join: Join) -> None:
    alice, table, now = await join(chips=100), await new_table(ledger_bank), await promised(ledger_bank)
    for number, hash in enumerate(("aa" * 32, "bb" * 32), start=1):
        seal = seal_of(now, number)
        assert seal is not None
        await table.stake(alice, 1)
        await dealt(ledger_bank, table, seal, after=now.last)
        await finished(table, seal, hash)
        found = await ledger_bank.chains.in_use(PLACE)
        assert found is not None
        assert (found.used, found.last) == (number, hash)
        stored = await ledger_bank.records.round(seal.code, GUILD)
        assert stored is not None
        assert (stored.link, stored.seed, stored.scheme) == (number, seed_of(now.root, number), "3")
        assert isinstance(stored.record, RecordTwo)
        assert stored.record.previous == now.last
        now = found


async def test_no_round_is_dealt_out_of_turn_or_from_what_has_ended(ledger_bank: Bank, join: Join) -> None:
    alice, table, now = await join(chips=100), await new_table(ledger_bank), await promised(ledger_bank)
    later = Seal(1, seed_of(now.root, 2), now.tip, now.id, 2)
    with pytest.raises(StaleTable):
        await dealt(ledger_bank, table, later)
    await ledger_bank.chains.end(now.id, "deleted")
    seal = seal_of(now, 1)
    assert seal is not None
    with pytest.raises(StaleTable):
        await dealt(ledger_bank, table, seal)
    assert await ledger_bank.members.balances([alice.id]) == {alice.id: 100 * CHIP}


async def test_no_round_is_dealt_while_the_one_before_is_played(ledger_bank: Bank, join: Join) -> None:
    alice, table, now = await join(chips=100), await new_table(ledger_bank), await promised(ledger_bank)
    first = seal_of(now, 1)
    assert first is not None
    await table.stake(alice, 1)
    await dealt(ledger_bank, table, first)
    other = await new_table(ledger_bank)
    await other.stake(alice, 1)
    with pytest.raises(StaleTable):
        await dealt(ledger_bank, other, Seal(1, seed_of(now.root, 2), now.tip, now.id, 2))
    await finished(table, first, "aa" * 32)


async def test_no_round_is_dealt_before_the_promise_stands(ledger_bank: Bank) -> None:
    table, now = await new_table(ledger_bank), await ledger_bank.chains.begin(chain())
    seal = seal_of(now, 1)
    assert seal is not None
    with pytest.raises(StaleTable):
        await dealt(ledger_bank, table, seal)


async def test_a_round_that_is_not_dealt_may_be_sealed_from_another_chain(ledger_bank: Bank, join: Join) -> None:
    alice, table, now = await join(chips=100), await new_table(ledger_bank), await promised(ledger_bank)
    for number in (1, 2):
        seal = seal_of(now, 1)
        assert seal is not None
        await table.commit(Change(f"press/{press()}", table.row(), seal=seal))
        await ledger_bank.chains.end(now.id, "deleted")
        now = await promised(ledger_bank, number + 1)
    seal = seal_of(now, 1)
    assert seal is not None
    await table.stake(alice, 1)
    await dealt(ledger_bank, table, seal)
    with pytest.raises(BadChange):
        await table.commit(Change(f"press/{press()}", table.row(), seal=seal))
    await finished(table, seal, "cc" * 32)


async def test_a_round_sealed_under_scheme_1_keeps_its_seal(ledger_bank: Bank, table: Dealer) -> None:
    now = await promised(ledger_bank)
    seal = seal_of(now, 1)
    assert seal is not None
    with pytest.raises(BadChange):
        await table.commit(Change(f"press/{press()}", table.row(), seal=seal))


async def test_the_chain_ends_with_its_last_round(ledger_bank: Bank, join: Join) -> None:
    alice, table, now = await join(chips=100), await new_table(ledger_bank), await promised(ledger_bank)
    async with ledger_bank._store.rewriting() as connection:
        await connection.exec_driver_sql(f"UPDATE chains SET used = {LENGTH - 1}, finished = {LENGTH - 1}")
    now = replace(now, used=LENGTH - 1)
    seal = seal_of(now, 1)
    assert seal is not None
    await table.stake(alice, 1)
    await dealt(ledger_bank, table, seal)
    running = await ledger_bank.chains.in_use(PLACE)
    assert running is not None
    assert running.next is None
    await finished(table, seal, "dd" * 32)
    assert await ledger_bank.chains.in_use(PLACE) is None
    stored = await ledger_bank.records.round(seal.code, GUILD)
    assert stored is not None
    assert stored.chain is not None
    assert stored.chain.ended, "its root may be shown now"


async def test_every_place_has_its_own(ledger_bank: Bank) -> None:
    first, second = await promised(ledger_bank), await promised(ledger_bank, 2, "70/war/5")
    assert await ledger_bank.chains.in_use(PLACE) == first
    assert await ledger_bank.chains.in_use("70/war/5") == second


async def test_a_phrase_changes_once_an_hour_from_the_chain_begun_last(
    ledger_bank: Bank, clock: HandClock, join: Join
) -> None:
    bank, alice = ledger_bank, await join(1)
    found = []
    for words, later in (("first", 0), ("second", 3_599), ("third", 3_600), ("fourth", 1)):
        await bank.members.keep_settings(alice.id, MemberSettings(phrase=words))
        clock.time += later
        place = f"{70 + len(found)}/blackjack/6/near/{alice.id}"
        begun = await bank.chains.begin(replace(chain(len(found) + 1, place), member=alice.id))
        found.append(begun.phrase)
    assert found == ["first", "first", "third", "third"]


async def test_a_new_chain_goes_on_from_the_last_hash_of_its_place(ledger_bank: Bank, join: Join) -> None:
    alice, table, now = await join(chips=100), await new_table(ledger_bank), await promised(ledger_bank)
    seal = seal_of(now, 1)
    assert seal is not None
    await table.stake(alice, 1)
    await dealt(ledger_bank, table, seal)
    await finished(table, seal, "ee" * 32)
    await ledger_bank.chains.end(now.id, "deleted")
    assert (await promised(ledger_bank, 2)).last == "ee" * 32
    other = await promised(ledger_bank, 3, "70/war/5")
    stolen = f"UPDATE chains SET last = '{'ee' * 32}' WHERE id = {other.id}"
    assert (Wrong.CHAIN, f"chain/{other.id}") in await would_find(ledger_bank, stolen), "that of another place"
