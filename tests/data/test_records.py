"""Rounds of the past: found by name and by member, and never a seed before its time."""

from __future__ import annotations

import io
import json

import pytest

from data import Bank
from engine.games.contract import CHIP, By
from engine.tables.ports import StillSecret
from engine.tables.rebuilt import record_of
from engine.tables.values import Change
from engine.tournament.ports import TournamentChange, TournamentRow
from tests.data.conftest import Join
from tests.data.dealer import GUILD, NOW, Dealer, seal


def code(table: Dealer, number: int) -> str:
    return seal(table.id, number).commitment[:8]


async def test_a_finished_round_is_found_by_its_commitments_beginning(bank: Bank, table: Dealer, join: Join) -> None:
    alice = await join()
    await table.round({alice: 10}, 20)
    for name in (code(table, 1), code(table, 1).upper() + " ", seal(table.id, 1).commitment):
        found = await bank.records.round(name, GUILD)
        assert found is not None
        assert (found.number, found.seed) == (1, seal(table.id, 1).seed)
        assert {step.by for step in record_of(found).steps} == {By.CLOCK}
        assert found.lines is not None
        assert found.lines[0].net == 10 * CHIP


@pytest.mark.parametrize("name", ["", "abc", "00000000", "zzzzzzzz", "%%%%%%%%", "' OR '1'='1"])
async def test_names_that_no_round_has(bank: Bank, table: Dealer, name: str) -> None:
    assert await bank.records.round(name, GUILD) is None


async def test_a_round_of_another_guild_is_not_found(bank: Bank, table: Dealer, join: Join) -> None:
    await table.round({await join(): 10}, 20)
    assert await bank.records.round(code(table, 1), GUILD * 2) is None


async def test_a_longer_name_must_fit_to_its_end(bank: Bank, table: Dealer, join: Join) -> None:
    await table.round({await join(): 10}, 20)
    assert await bank.records.round(code(table, 1) + "zz", GUILD) is None


# -- seeds stay where they are -----------------------------------------------------------------------------------------


async def test_an_open_round_keeps_its_seed(bank: Bank, table: Dealer, join: Join) -> None:
    await table.stake(await join(), 10)
    await table.deal(0)
    with pytest.raises(StillSecret):
        await bank.records.round(code(table, 1), GUILD)
    await table.finish()
    assert await bank.records.round(code(table, 1), GUILD) is not None


async def test_a_sealed_round_is_nobodys_business(bank: Bank, table: Dealer) -> None:
    assert await bank.records.round(code(table, 1), GUILD) is None


async def test_exports_hold_no_seed_of_an_open_round(bank: Bank, table: Dealer, join: Join) -> None:
    alice = await join()
    await table.round({alice: 10}, 20)
    await table.stake(alice, 10)
    await table.deal(play=["hit"])
    await table.act()
    everything = io.StringIO()
    await bank.copies.export(everything)
    rows = [json.loads(line) for line in everything.getvalue().splitlines()]
    seeds = {row["row"]["number"]: row["row"]["seed"] is not None for row in rows if row["table"] == "rounds"}
    assert seeds == {1: True, 2: False}
    own = json.dumps(await bank.privacy.export(GUILD, 1))
    assert seal(table.id, 2).seed.hex() not in own
    assert "keys" not in {row["table"] for row in rows}


async def test_exports_hold_no_seed_of_lots_that_are_still_to_be_drawn(ledger_bank: Bank) -> None:
    """Elimination tables and tournaments keep theirs in their own state."""
    open_one, closed = (
        await Dealer(ledger_bank).open('{"seed":"beef"}'),
        await Dealer(ledger_bank).open('{"seed":"cafe"}'),
    )
    await closed.commit(Change("over", closed.row('{"seed":"cafe"}', is_open=False)))
    me = await ledger_bank.members.sign_in(GUILD, 1)
    for number, is_open in ((1, True), (2, False)):
        doc = json.dumps({"seed": f"lots {number}"})
        row = TournamentRow(number, GUILD, 70, me.id, "over", open=is_open, starts=NOW, doc=doc, version=1)
        await ledger_bank.tournaments.commit(TournamentChange(f"tournament/{number}", row))
    file = io.StringIO()
    await ledger_bank.copies.export(file)
    assert "beef" not in file.getvalue()
    assert "lots 1" not in file.getvalue()
    rows = [json.loads(line)["row"] for line in file.getvalue().splitlines()]
    assert {row["id"]: row["doc"] for row in rows if "doc" in row} == {
        open_one.id: None,
        closed.id: '{"seed":"cafe"}',
        1: None,
        2: '{"seed": "lots 2"}',
    }


# -- a member's history ------------------------------------------------------------------------------------------------


async def test_history_shows_the_last_rounds_first(bank: Bank, table: Dealer, join: Join) -> None:
    alice, bob = await join(1), await join(2)
    await table.round({alice: 10}, 25)
    await table.round({alice: 10, bob: 20}, 0, 40)
    (last, first) = (await bank.records.history(alice.id)).rounds
    assert (first.code, first.game, first.rules_name, first.net, first.real) == (
        code(table, 1),
        "blackjack",
        "vegas",
        15 * CHIP,
        True,
    )
    assert (last.number, last.staked, last.returned, last.net) == (2, 10 * CHIP, 0, -10 * CHIP)
    assert [played.net for played in (await bank.records.history(bob.id)).rounds] == [20 * CHIP]


async def test_history_comes_in_pages(bank: Bank, table: Dealer, join: Join) -> None:
    alice = await join()
    for _ in range(5):
        await table.round({alice: 1}, 1)
    first = await bank.records.history(alice.id, size=2)
    second = await bank.records.older(alice.id, table.id, 4, size=2)
    third = await bank.records.older(alice.id, table.id, 2, size=2)
    back = await bank.records.newer(alice.id, table.id, 1, size=2)
    pages = (first, second, third, back)
    assert [[played.number for played in page.rounds] for page in pages] == [[5, 4], [3, 2], [1], [3, 2]]
    assert [(page.newer, page.older) for page in pages] == [(False, True), (True, True), (True, False), (True, True)]
    assert await bank.records.newer(alice.id, table.id, 3, size=2) == first, "near the beginning, the newest page"
    last = await bank.records.older(alice.id, table.id, 3, size=2)
    assert ([played.number for played in last.rounds], last.older) == ([2, 1], False), "a full page, and the last"
    assert not (await bank.records.history(alice.id, size=5)).older


async def test_rounds_that_ended_at_one_moment_are_leafed_through_once_each(
    bank: Bank, table: Dealer, join: Join
) -> None:
    alice = await join()
    for _ in range(6):
        await table.round({alice: 1}, 1)
    assert len({played.at for played in (await bank.records.history(alice.id)).rounds}) == 1
    seen, page = [], await bank.records.history(alice.id, size=2)
    while page.rounds:
        seen += [played.number for played in page.rounds]
        page = await bank.records.older(alice.id, table.id, seen[-1], size=2)
    assert seen == [6, 5, 4, 3, 2, 1]
    assert [played.number for played in (await bank.records.newer(alice.id, table.id, 2, size=2)).rounds] == [4, 3]


async def test_no_page_lies_beside_a_round_of_somebody_else(bank: Bank, table: Dealer, join: Join) -> None:
    alice, bob = await join(1), await join(2)
    await table.round({alice: 1}, 1)
    await table.round({bob: 1}, 1)
    assert (await bank.records.older(alice.id, table.id, 2)).rounds == ()


async def test_rounds_being_played_are_no_history(bank: Bank, table: Dealer, join: Join) -> None:
    alice = await join()
    await table.stake(alice, 10)
    await table.deal()
    assert (await bank.records.history(alice.id)).rounds == ()
