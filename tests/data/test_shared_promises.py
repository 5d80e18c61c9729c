"""Promises of channels in the bank: their chains are taken in order and once, and end with them."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from functools import cache
from types import SimpleNamespace

import pytest

from data import Bank
from data.proofs.promises import _promise as proof
from data.proofs.report import Wrong
from engine.fairness.chain import SLOTS, path_to, slot_root, slot_tips, tip_of, top_of
from engine.tables.ports import OtherChain, StaleTable
from engine.tables.sealing import seal_of
from engine.tables.values import Chain, Seal, SharedPromise
from tests.data.by_hand import by_hand
from tests.data.conftest import Join
from tests.data.dealer import GUILD, Dealer, HandClock
from tests.data.test_chains import dealt, finished, new_table

CHANNEL = 70


@cache
def tips(root: bytes) -> bytes:
    return b"".join(slot_tips(root))


def promise(number: int = 1, channel: int = CHANNEL) -> SharedPromise:
    root = bytes([number]) * 32
    tip = top_of(tips(root))
    return SharedPromise(int(tip[:15], 16), GUILD, channel, root, tip, tips(root))


async def standing(bank: Bank, number: int = 1) -> SharedPromise:
    new = promise(number)
    await bank.promises.begin(new)
    await bank.promises.promised(new.id, 9_000 + number)
    found = await bank.promises.in_use(CHANNEL)
    assert found == replace(new, message=9_000 + number)
    return found


def chain(above: SharedPromise, slot: int, place: str = "") -> Chain:
    root = slot_root(above.root, slot)
    tip = tip_of(root)
    return Chain(
        int(tip[:15], 16), place or f"{CHANNEL}/war/6/near/{slot}", GUILD, CHANNEL, root, tip, above.message,
        shared=above.id, slot=slot, path=path_to(above.tips, slot), shown=above.tip,
    )  # fmt: skip


async def taken(bank: Bank, above: SharedPromise, *slots: int) -> list[Chain]:
    return [await bank.chains.begin(chain(above, slot)) for slot in slots]


async def playing(bank: Bank, join: Join, now: Chain) -> tuple[Dealer, Seal]:
    """A hand of that chain, dealt and not over."""
    alice, table, seal = await join(chips=100), await new_table(bank), seal_of(now, 1)
    assert seal is not None
    await table.stake(alice, 1)
    await dealt(bank, table, seal)
    return table, seal


def test_a_promise_whose_chains_are_all_taken_is_sound() -> None:
    full = replace(promise(), message=9_001)
    stored = {name: getattr(full, name) for name in ("id", "guild", "root", "tip", "tips", "message")}
    assert list(proof(SimpleNamespace(**stored, slots=SLOTS, taken=SLOTS))) == []  # type: ignore[arg-type]


# -- taking ------------------------------------------------------------------------------------------------------------


async def test_a_chain_that_was_taken_is_read_back_with_its_path(ledger_bank: Bank) -> None:
    above = await standing(ledger_bank)
    (first, second) = await taken(ledger_bank, above, 1, 2)
    assert await ledger_bank.chains.in_use(first.place) == first
    assert second.promise == above.promise
    assert (second.mark(7), second.next) == (f"{above.tip[:8]}-2-7", 1)
    counted = await ledger_bank.promises.in_use(CHANNEL)
    assert counted is not None
    assert counted.slots == 2


@pytest.mark.parametrize("slot", [1, 3, 0])
async def test_only_the_next_chain_can_be_taken(ledger_bank: Bank, slot: int) -> None:
    above = await standing(ledger_bank)
    await taken(ledger_bank, above, 1)
    with pytest.raises(OtherChain):
        await ledger_bank.chains.begin(chain(above, max(slot, 1), "elsewhere") if slot else chain(above, SLOTS))


async def test_who_finds_the_place_taken_takes_no_chain(ledger_bank: Bank) -> None:
    above = await standing(ledger_bank)
    (first,) = await taken(ledger_bank, above, 1)
    with pytest.raises(OtherChain):
        await ledger_bank.chains.begin(chain(above, 2, first.place))
    await taken(ledger_bank, above, 2)


async def test_no_chain_is_taken_before_the_promise_stands_or_after_it_was_given_up(ledger_bank: Bank) -> None:
    new = promise()
    await ledger_bank.promises.begin(new)
    with pytest.raises(OtherChain):
        await taken(ledger_bank, new, 1)
    await ledger_bank.promises.promised(new.id, 1)
    await ledger_bank.promises.give_up(new.id, "deleted")
    with pytest.raises(OtherChain):
        await taken(ledger_bank, replace(new, message=1), 1)


async def test_a_channel_has_one_promise_with_chains_left(ledger_bank: Bank) -> None:
    above = await standing(ledger_bank)
    with pytest.raises(OtherChain):
        await ledger_bank.promises.begin(promise(2))
    await ledger_bank.promises.begin(promise(3, channel=71))
    with pytest.raises(OtherChain):
        await ledger_bank.promises.promised(above.id, 2)


# -- ending ------------------------------------------------------------------------------------------------------------


async def test_a_promise_without_an_open_hand_ends_at_once_with_all_its_chains(ledger_bank: Bank) -> None:
    above = await standing(ledger_bank)
    kept = await taken(ledger_bank, above, 1, 2)
    await ledger_bank.promises.give_up(above.id, "deleted")
    assert [await ledger_bank.chains.in_use(each.place) for each in kept] == [None, None]
    assert await ledger_bank.promises.ended(CHANNEL) == replace(above, slots=2)
    assert not await ledger_bank.promises.end_over(CHANNEL)
    await ledger_bank.promises.give_up(above.id, "twice")
    await standing(ledger_bank, 2)


async def test_it_waits_for_an_open_hand_and_deals_no_other(ledger_bank: Bank, join: Join) -> None:
    above = await standing(ledger_bank)
    first, second = await taken(ledger_bank, above, 1, 2)
    table, seal = await playing(ledger_bank, join, first)
    await ledger_bank.promises.give_up(above.id, "deleted")
    assert await ledger_bank.chains.in_use(second.place) is None
    assert await ledger_bank.chains.in_use(first.place) is not None
    assert await ledger_bank.promises.end_over(CHANNEL)
    assert await ledger_bank.promises.ended(CHANNEL) is None
    assert await ledger_bank.promises.in_use(CHANNEL) is None
    await finished(table, seal, "aa" * 32)
    assert await ledger_bank.chains.in_use(first.place) is None, "in the very change that ended the hand"
    assert not await ledger_bank.promises.end_over(CHANNEL)
    ended = await ledger_bank.promises.ended(CHANNEL)
    assert ended is not None
    assert ended.id == above.id


async def test_a_hand_that_is_dealt_while_the_promise_is_given_up_is_dealt_wholly_or_not_at_all(
    ledger_bank: Bank, join: Join
) -> None:
    above = await standing(ledger_bank)
    (first,) = await taken(ledger_bank, above, 1)
    alice, table, seal = await join(chips=100), await new_table(ledger_bank), seal_of(first, 1)
    assert seal is not None
    await table.stake(alice, 1)
    deal, _ = await asyncio.gather(
        dealt(ledger_bank, table, seal), ledger_bank.promises.give_up(above.id, "deleted"), return_exceptions=True
    )
    waits, still = await ledger_bank.promises.end_over(CHANNEL), await ledger_bank.chains.in_use(first.place)
    assert waits == (still is not None) == (not isinstance(deal, StaleTable))


async def test_one_that_is_used_up_ends_with_its_last_chain(ledger_bank: Bank) -> None:
    above = await standing(ledger_bank)
    (first,) = await taken(ledger_bank, above, 1)
    await by_hand(ledger_bank, f"UPDATE promises SET slots = {SLOTS}")
    assert await ledger_bank.promises.in_use(CHANNEL) is None
    assert not await ledger_bank.promises.end_over(CHANNEL), "nobody waits for it"
    assert await ledger_bank.promises.ended(CHANNEL) is None
    assert await ledger_bank.chains.in_use(first.place) == first
    await ledger_bank.chains.end(first.id, "its table was moved")
    await ledger_bank.promises.end_over(CHANNEL)
    assert await ledger_bank.promises.ended(CHANNEL) is not None


@pytest.mark.parametrize("numbers", [(1, 2), (2, 1)])
async def test_of_promises_that_end_at_once_the_newest_is_the_last(
    ledger_bank: Bank, clock: HandClock, numbers: tuple[int, int]
) -> None:
    """A restore ends them all. The next promise then shows the root of the one that the channel saw last."""
    for number in numbers:
        await by_hand(ledger_bank, f"UPDATE promises SET slots = {SLOTS}")
        newest = await standing(ledger_bank, number)
        clock.time += 1
    await ledger_bank.copies.restored()
    assert await ledger_bank.promises.ended(CHANNEL) == newest


async def test_a_restored_bank_has_no_promise_in_use(ledger_bank: Bank, clock: HandClock) -> None:
    await ledger_bank.promises.give_up((await standing(ledger_bank, 2)).id, "deleted")
    clock.time += 1
    above = await standing(ledger_bank)
    (first,) = await taken(ledger_bank, above, 1)
    await ledger_bank.copies.restored()
    assert await ledger_bank.promises.in_use(CHANNEL) is None
    assert await ledger_bank.chains.in_use(first.place) is None
    ended = await ledger_bank.promises.ended(CHANNEL)
    assert ended is not None
    assert ended.root == above.root, "the next promise shows the root of the last one"


# -- what the audit finds ----------------------------------------------------------------------------------------------


def bytes_as(bank: Bank, value: bytes) -> str:
    """Bytes as the database's SQL writes them."""
    return f"x'{value.hex()}'" if bank._store.is_file else f"decode('{value.hex()}', 'hex')"


FORGED = {
    "the chain's root and tip follow from another promise": (
        "UPDATE chains SET root = (SELECT root FROM chains WHERE slot = 2), tip = (SELECT tip FROM chains"
        " WHERE slot = 2) WHERE slot = 1"
    ),
    "a slot is skipped": "UPDATE chains SET slot = 3 WHERE slot = 2",
    "a slot is beyond those taken": "UPDATE chains SET slot = 256 WHERE slot = 2",
    "its chain has no promise": "UPDATE chains SET promise = 1 WHERE slot = 2",
    "its chain is nobody's": "UPDATE chains SET promise = NULL WHERE slot = 2",
    "fewer were taken": "UPDATE promises SET slots = 1",
    "it never stood": "UPDATE promises SET message = NULL",
    "it stood elsewhere": "UPDATE promises SET channel = 71",
    "another message showed it": "UPDATE promises SET message = 1",
    "it showed other digits": "UPDATE promises SET tip = (SELECT tip FROM chains WHERE slot = 1)",
    "its root was shown while its chains are in use": "UPDATE promises SET ended_at = 1, why = 'shown'",
}


@pytest.mark.parametrize("what", FORGED)
async def test_an_audit_notices(unsound_bank: Bank, what: str) -> None:
    above = await standing(unsound_bank)
    await taken(unsound_bank, above, 1, 2)
    assert (await unsound_bank.auditor.audit()).clean
    await by_hand(unsound_bank, FORGED[what])
    assert {fault.wrong for fault in (await unsound_bank.auditor.audit()).faults} == {Wrong.CHAIN}


@pytest.mark.parametrize("place", [0, 32 * SLOTS - 1])
async def test_an_audit_notices_other_tips_and_another_root(unsound_bank: Bank, place: int) -> None:
    above = await standing(unsound_bank)
    await taken(unsound_bank, above, 1)
    for column, value in (("tips", above.tips), ("root", above.root)):
        at = place % len(value)
        other = value[:at] + bytes([value[at] ^ 1]) + value[at + 1 :]
        await by_hand(unsound_bank, f"UPDATE promises SET {column} = {bytes_as(unsound_bank, other)}")
        assert {fault.wrong for fault in (await unsound_bank.auditor.audit()).faults} == {Wrong.CHAIN}, column
        await by_hand(unsound_bank, f"UPDATE promises SET {column} = {bytes_as(unsound_bank, value)}")
    assert (await unsound_bank.auditor.audit()).clean


async def test_a_promise_without_a_chain_is_proved_too(unsound_bank: Bank) -> None:
    await standing(unsound_bank)
    await by_hand(unsound_bank, f"UPDATE promises SET root = {bytes_as(unsound_bank, bytes(32))}")
    assert {fault.wrong for fault in (await unsound_bank.auditor.audit()).faults} == {Wrong.CHAIN}
