"""The audit deals and plays everything again: whatever is changed of a round, a table or a transfer is noticed.

Rounds of both schemes, bound in the guild's book and not: what the replay alone finds is found before the binder came.
"""

from __future__ import annotations

import json

import pytest
import sqlalchemy as sa

from data import Bank
from data.proofs.report import Wrong
from engine.games.contract import CHIP
from tests.data.by_hand import RULES, bind_all, by_hand
from tests.data.conftest import Join
from tests.data.dealer import Dealer, HandClock
from tests.data.seated import Seated

FIRST = "number = 1"


async def found(bank: Bank) -> set[Wrong]:
    return {fault.wrong for fault in (await bank.auditor.audit()).faults}


async def at_a_table(bank: Bank, clock: HandClock) -> None:
    """Three rounds dealt from a chain, and one being played (scheme 2)."""
    alice = await Seated(bank, clock).sit()
    for _ in range(3):
        await alice.stake_and_be_asked()
        await alice.stand()
    await alice.stake_and_be_asked()


async def by_the_dealer(bank: Bank, join: Join) -> None:
    """Three rounds of the first release, each from a seed of its own, and one being played (scheme 1)."""
    alice, bob = await join(1), await join(2)
    table = await Dealer(bank).open()
    for back in (20, 0, 25):
        await table.round({alice: 10, bob: 5}, back)
    await bank.chips.grant(alice.id, 7 * CHIP, actor=bob.id, reason="she asked", press=77)
    await table.stake(alice, 10)
    await table.deal(play=["hit"])


@pytest.fixture(params=["1", "2"])
async def played(unsound_bank: Bank, clock: HandClock, join: Join, request: pytest.FixtureRequest) -> str:
    """A bank with rounds of one scheme."""
    if request.param == "1":
        await by_the_dealer(unsound_bank, join)
    else:
        await at_a_table(unsound_bank, clock)
    assert await found(unsound_bank) == set()
    scheme: str = request.param
    return scheme


#: Each is noticed by the replay alone, in both schemes.
PLAY = {
    "a seed": "UPDATE rounds SET seed = (SELECT seed FROM rounds WHERE number = 2) WHERE number = 1",
    "a commitment": "UPDATE rounds SET commitment = (SELECT commitment FROM rounds WHERE number = 2) || '0' WHERE {}",
    "stakes": "UPDATE rounds SET stakes = replace(stakes, '1000', '100000') WHERE {}",
    "the last step": "DELETE FROM steps WHERE {} AND place = (SELECT max(place) FROM steps WHERE {})",
    "an action": "UPDATE steps SET action = 'split' WHERE {} AND place = 0",
    "a result": "UPDATE plays SET returned = returned + 100 WHERE {}",
    "a line": "UPDATE rounds SET lines = replace(lines, '1000', '100000') WHERE {}",
}


@pytest.mark.thinned
@pytest.mark.parametrize("what", PLAY)
async def test_what_is_changed_of_a_finished_round_is_noticed(unsound_bank: Bank, played: str, what: str) -> None:
    await by_hand(unsound_bank, PLAY[what].replace("{}", FIRST))
    assert await found(unsound_bank) & {Wrong.REPLAY, Wrong.OUTCOME, Wrong.RESULT}


#: No value that a table ever wrote. An audit that stumbles over one proves nothing of all the others.
NONSENSE = {
    "rules that are a list": "UPDATE rounds SET rules = '[]' WHERE {}",
    "rules in rules": f"UPDATE rounds SET rules = replace({RULES}, '6', '[6]') WHERE {{}}",
    "stakes without a spot": "UPDATE rounds SET stakes = '[7]' WHERE {}",
    "members that are no list": "UPDATE rounds SET members = '7' WHERE {}",
    "players that are none": "UPDATE rounds SET players = '[[1, 2, 3]]' WHERE {}",
    "words for chips": "UPDATE rounds SET lines = replace(lines, '1000', '\"many\"') WHERE {}",
    "a seat that is none": "UPDATE rounds SET lines = replace(lines, '\"seat\":0', '\"seat\":[]') WHERE {}",
    "an action of nobody": "UPDATE steps SET by = 'ghost' WHERE {}",
}


@pytest.mark.thinned
@pytest.mark.parametrize("what", NONSENSE)
async def test_nonsense_in_a_round_is_a_fault_and_hides_no_other(unsound_bank: Bank, played: str, what: str) -> None:
    await by_hand(
        unsound_bank,
        NONSENSE[what].replace("{}", FIRST),
        "UPDATE plays SET returned = returned + 100 WHERE number = 2",
    )
    faults = (await unsound_bank.auditor.audit()).faults
    assert any(fault.where.endswith("/1") and fault.wrong in {Wrong.REPLAY, Wrong.OUTCOME} for fault in faults)
    assert any("/2 member" in fault.where and fault.wrong is Wrong.RESULT for fault in faults)


#: Some of these may leave a round of scheme 1 as it was; then the book tells.
PAST = {
    "inputs": "UPDATE rounds SET inputs = replace(inputs, '70', '71'), phrase = 'mine' WHERE {}",
    "rules": f"UPDATE rounds SET rules = replace({RULES}, '\"decks\":6', '\"decks\":8') WHERE {{}}",
    "an action": "UPDATE steps SET action = 'hit' WHERE {} AND place = 0",
    "who ordered it": "UPDATE transfers SET actor = 1",
    "who was dealt to": "UPDATE rounds SET members = replace(members, '[1', '[2') WHERE {}",
}


@pytest.mark.thinned
@pytest.mark.parametrize("what", PAST)
async def test_what_is_changed_of_the_past_is_noticed(unsound_bank: Bank, played: str, what: str) -> None:
    await bind_all(unsound_bank)
    assert await found(unsound_bank) == set()
    await by_hand(unsound_bank, PAST[what].replace("{}", FIRST))
    assert Wrong.LEAF in await found(unsound_bank)


async def test_a_chain_that_forgot_a_round_is_noticed(unsound_bank: Bank, clock: HandClock) -> None:
    """It would deal the same cards once more."""
    alice = await Seated(unsound_bank, clock).sit()
    for _ in range(3):
        await alice.stake()
        await alice.stand()
    assert await found(unsound_bank) == set()
    await by_hand(unsound_bank, "UPDATE chains SET used = 2")
    assert await found(unsound_bank) == {Wrong.REPLAY, Wrong.CHAIN}


@pytest.mark.parametrize(
    "change", ["finished = 2", "finished = 4", "used = 4, finished = 2", "place = '70/blackjack/6/near/5'"]
)
async def test_a_chain_that_miscounts_its_rounds_is_noticed(unsound_bank: Bank, clock: HandClock, change: str) -> None:
    """By these counts the bank refuses to deal two rounds of one chain together."""
    alice = await Seated(unsound_bank, clock).sit()
    for _ in range(3):
        await alice.stake()
        await alice.stand()
    assert await found(unsound_bank) == set()
    await by_hand(unsound_bank, f"UPDATE chains SET {change}")
    assert Wrong.CHAIN in await found(unsound_bank)


async def without_a_trace(bank: Bank, round: str) -> None:
    """A round is taken out with all that it brought, and what is kept of people is as if it had never been."""
    escrow = f"(SELECT 'escrow/' || table_id || '/' || number FROM rounds WHERE {round})"
    mine = "FROM plays WHERE member = members.id"
    await by_hand(
        bank,
        f"UPDATE members SET balance = balance - (SELECT coalesce(sum(returned - staked), 0) {mine} AND {round})",
        *(f"DELETE FROM {table} WHERE {round}" for table in ("steps", "plays")),
        f"UPDATE members SET winnings = (SELECT coalesce(sum(returned - staked), 0) {mine}), "
        f"rounds = (SELECT count(*) {mine}), won = (SELECT count(*) {mine} AND returned > staked)",
        f"DELETE FROM transfers WHERE source IN {escrow} OR target IN {escrow}",
        f"DELETE FROM pots WHERE name IN {escrow}",
        f"DELETE FROM rounds WHERE {round}",
    )


@pytest.mark.parametrize("number", [2, 3])
async def test_a_round_that_was_taken_out_of_a_chain_is_missed_by_the_next(
    unsound_bank: Bank, clock: HandClock, number: int
) -> None:
    """At the same table or the next one of the place, before a book has them."""
    alice = await Seated(unsound_bank, clock).sit(solo=False)
    for _ in range(3):
        await alice.stake()
        await alice.stand()
    await alice.over()
    again = await Seated(unsound_bank, clock).sit(solo=False)
    await again.stake()
    await again.stand()
    assert await found(unsound_bank) == set()
    await without_a_trace(unsound_bank, f"table_id = {alice.table.id} AND number = {number}")
    assert await found(unsound_bank) == {Wrong.REPLAY}


async def test_a_round_of_a_chain_is_the_one_that_was_hashed(unsound_bank: Bank, clock: HandClock) -> None:
    await at_a_table(unsound_bank, clock)
    await by_hand(unsound_bank, "UPDATE rounds SET rules_name = 'original', phrase = 'mine' WHERE number = 2")
    assert await found(unsound_bank) == {Wrong.REPLAY}


async def test_a_grant_that_was_taken_out_with_its_chips_is_noticed(unsound_bank: Bank, join: Join) -> None:
    await by_the_dealer(unsound_bank, join)
    await bind_all(unsound_bank)
    await by_hand(
        unsound_bank,
        "DELETE FROM transfers WHERE reason LIKE 'grant: she%'",
        "UPDATE members SET balance = balance - 700 WHERE id = 1",
    )
    assert await found(unsound_bank) == {Wrong.LEAF}


async def test_an_order_of_nobody_here_is_noticed(unsound_bank: Bank, join: Join) -> None:
    await by_the_dealer(unsound_bank, join)
    for nobody in ("404", "NULL"):
        await by_hand(unsound_bank, f"UPDATE transfers SET actor = {nobody} WHERE reason LIKE 'grant: she%'")
        assert await found(unsound_bank) == {Wrong.ACTOR}


async def test_a_cause_that_was_taken_out_is_noticed(unsound_bank: Bank, played: str) -> None:
    """With it the press could come a second time."""
    await by_hand(unsound_bank, "DELETE FROM causes WHERE version = 3")
    assert await found(unsound_bank) == {Wrong.CAUSE}


async def test_causes_that_were_forgotten_are_not_missed(bank: Bank, clock: HandClock) -> None:
    await at_a_table(bank, clock)
    clock.time += 31 * 86400.0
    last: str | None = ""
    while last is not None:
        last = await bank.archive.forget_causes(last)
    assert await bank._store.value(sa.text("SELECT count(*) FROM causes")) == 0
    assert (await bank.auditor.audit()).clean


# -- open tables -------------------------------------------------------------------------------------------------------


async def rewrite(bank: Bank, change: dict[str, object]) -> None:
    """Something in the document of the open table."""
    (stored,) = await bank.tables.still_open()
    doc = json.loads(stored.row.doc)
    for name, value in change.items():
        if name in doc:
            doc[name] = value
        else:
            doc["chairs"][0][name] = value
    async with bank._store.rewriting() as connection:
        await connection.execute(sa.text("UPDATE tables SET doc = :doc"), {"doc": json.dumps(doc)})


async def test_a_table_that_is_over_and_stands_as_open_is_noticed(unsound_bank: Bank, clock: HandClock) -> None:
    alice = await Seated(unsound_bank, clock).sit()
    await alice.over()
    assert await found(unsound_bank) == set()
    await by_hand(unsound_bank, "UPDATE tables SET open = 1")
    assert await found(unsound_bank) == {Wrong.DOCUMENT}


async def test_a_table_that_claims_a_hundred_times_its_stake_is_noticed(unsound_bank: Bank, clock: HandClock) -> None:
    alice = await Seated(unsound_bank, clock).sit(solo=False)
    await alice.with_company()
    await alice.stake()
    assert await found(unsound_bank) == set()
    await rewrite(unsound_bank, {"staked": {"main": 100_000}})
    assert await found(unsound_bank) == {Wrong.DOCUMENT}


@pytest.mark.parametrize(
    "change",
    [{"member": 2}, {"user": 2}, {"version": 99}, {"round": 1}, {"channel": 71}, {"stack": 500}, {"phase": "x"}],
)
async def test_a_document_that_was_changed_is_noticed(
    unsound_bank: Bank, clock: HandClock, join: Join, change: dict[str, object]
) -> None:
    await at_a_table(unsound_bank, clock)
    await join(2)
    await rewrite(unsound_bank, change)
    assert await found(unsound_bank) == {Wrong.DOCUMENT}


@pytest.mark.parametrize("field", ['"decks": 6', '"natural_pays": "3:2"', '"double":'])
async def test_an_open_table_goes_on_by_the_rules_that_its_rounds_were_dealt_by(
    unsound_bank: Bank, clock: HandClock, field: str
) -> None:
    """Rounds that were dealt are bound; the document only says by which rules the next one would be dealt."""
    await at_a_table(unsound_bank, clock)
    (stored,) = await unsound_bank.tables.still_open()
    rules = json.dumps(json.loads(stored.row.doc)["rules"])
    assert field in rules
    other = {'"decks": 6': '"decks": 8', '"natural_pays": "3:2"': '"natural_pays": "1:1"', '"double":': '"triple":'}
    await rewrite(unsound_bank, {"rules": json.loads(rules.replace(field, other[field]))})
    assert await found(unsound_bank) == {Wrong.DOCUMENT}


@pytest.mark.parametrize(
    "command",
    [
        "UPDATE transfers SET reason = CAST(x'ff' AS TEXT) WHERE id = 1",
        "UPDATE rounds SET rules_name = CAST(x'ff' AS TEXT) WHERE number = 1",
        f"UPDATE tables SET doc = '{'[' * 100_000}'",
    ],
)
async def test_what_is_no_text_or_has_no_end_is_a_fault_and_hides_no_other(
    unsound_bank: Bank, clock: HandClock, command: str
) -> None:
    """PostgreSQL refuses bytes that are not text."""
    if not unsound_bank._store.is_file:
        return
    await at_a_table(unsound_bank, clock)
    await bind_all(unsound_bank)
    await by_hand(unsound_bank, command, "DELETE FROM causes WHERE version = 3")
    wrong = await found(unsound_bank)
    assert Wrong.CAUSE in wrong
    assert wrong & {Wrong.NONSENSE, Wrong.DOCUMENT}


async def test_words_where_numbers_belong_are_a_fault_and_hide_no_other(
    unsound_bank: Bank, clock: HandClock, join: Join
) -> None:
    """SQLite lets them in."""
    if not unsound_bank._store.is_file:
        return
    await at_a_table(unsound_bank, clock)
    await by_hand(
        unsound_bank,
        "UPDATE members SET balance = 'many' WHERE id = 1",
        "UPDATE rounds SET lines = 'x' WHERE number = 1",
        "DELETE FROM causes WHERE version = 3",
    )
    assert await found(unsound_bank) >= {Wrong.NONSENSE, Wrong.REPLAY, Wrong.CAUSE}


async def test_a_round_that_is_being_played_is_held_against_its_escrow(unsound_bank: Bank, clock: HandClock) -> None:
    await at_a_table(unsound_bank, clock)
    await by_hand(unsound_bank, "UPDATE rounds SET stakes = replace(stakes, '1000', '100000') WHERE number = 4")
    assert await found(unsound_bank) == {Wrong.DOCUMENT}


UNREADABLE = {
    "lines": "UPDATE rounds SET lines = 'x' WHERE {}",
    "rules": "UPDATE rounds SET rules = '[' WHERE {}",
    "who acted": "UPDATE steps SET by = 'a stranger' WHERE {}",
}


@pytest.mark.parametrize("what", UNREADABLE)
async def test_a_finished_round_that_cannot_even_be_read_is_noticed(unsound_bank: Bank, played: str, what: str) -> None:
    await by_hand(unsound_bank, UNREADABLE[what].replace("{}", FIRST))
    assert Wrong.REPLAY in await found(unsound_bank)


@pytest.mark.parametrize("what", UNREADABLE)
async def test_an_open_table_whose_last_round_cannot_even_be_read_is_noticed(
    unsound_bank: Bank, played: str, what: str
) -> None:
    await by_hand(unsound_bank, UNREADABLE[what].replace("{}", "number IN (3, 4)"))
    assert Wrong.DOCUMENT in await found(unsound_bank)
