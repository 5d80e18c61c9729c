"""A round's row names the text of its rules and the promise of its chain; both are stored once, and read as its own."""

from __future__ import annotations

import json
from typing import Any

import sqlalchemy as sa

from data import Bank
from data.base.schema import rounds, rule_texts
from data.proofs.report import Wrong
from engine.games.blackjack.rule_sets import RULE_SETS
from tests.data.by_hand import by_hand
from tests.data.dealer import GUILD, HandClock
from tests.data.seated import Seated


async def rows(bank: Bank, table: sa.Table) -> list[Any]:
    return list(await bank._store.rows(sa.select(table)))


async def played(bank: Bank, clock: HandClock, hands: int = 2) -> Seated:
    alice = await Seated(bank, clock).sit()
    for _ in range(hands):
        await alice.stake_and_be_asked()
        await alice.stand()
    return alice


async def test_rounds_of_the_same_rules_share_their_text(bank: Bank, clock: HandClock) -> None:
    await played(bank, clock)
    await played(bank, clock)
    (kept,) = await rows(bank, rule_texts)
    assert json.loads(kept.text) == RULE_SETS["vegas"].as_json()
    dealt = [row for row in await rows(bank, rounds) if row.dealt_at is not None]
    assert {(row.rules, bytes(row.rules_hash)) for row in dealt} == {(None, bytes(kept.hash))}


async def test_a_round_of_a_chain_repeats_neither_its_promise_nor_what_its_hash_covers(
    bank: Bank, clock: HandClock
) -> None:
    alice = await played(bank, clock)
    assert {(row.commitment, row.outcome) for row in await rows(bank, rounds)} == {("", None)}
    stored = await bank.tables.stored(alice.table.id)
    assert stored is not None
    assert {round.commitment for round in stored.rounds} == {round.chain.tip for round in stored.rounds if round.chain}


async def test_a_member_gets_the_promise_of_each_round(bank: Bank, clock: HandClock) -> None:
    await played(bank, clock, hands=1)
    export = await bank.privacy.export(GUILD, 1)
    assert export is not None
    (chain,) = await bank._store.rows(sa.text("SELECT tip FROM chains WHERE used > 0"))
    assert [round["commitment"] for round in export["rounds"]] == [chain.tip]
    assert "rules" not in export["rounds"][0]


async def test_what_another_process_wrote_is_not_written_again(bank: Bank, clock: HandClock) -> None:
    alice = await played(bank, clock, hands=1)
    bank.tables._kept_rules.clear()
    await alice.stake_and_be_asked()
    await alice.stand()
    assert len(await rows(bank, rule_texts)) == 1
    assert (await bank.auditor.audit()).clean


async def test_a_text_that_was_changed_is_found_as_such(unsound_bank: Bank, clock: HandClock) -> None:
    await played(unsound_bank, clock, hands=1)
    await by_hand(unsound_bank, "UPDATE rule_texts SET text = replace(text, '\"decks\":6', '\"decks\":8')")
    assert Wrong.RULES in {fault.wrong for fault in (await unsound_bank.auditor.audit()).faults}


async def test_a_process_writes_a_text_once(unsound_bank: Bank, clock: HandClock) -> None:
    """If somebody deletes it, it does not come back, and the audit says of each round that it cannot be read."""
    alice = await played(unsound_bank, clock, hands=1)
    await by_hand(unsound_bank, "DELETE FROM rule_texts")
    await alice.stake()
    await alice.stand()
    assert await rows(unsound_bank, rule_texts) == []
    faults = [fault for fault in (await unsound_bank.auditor.audit()).faults if fault.wrong is Wrong.REPLAY]
    assert len(faults) >= 2
