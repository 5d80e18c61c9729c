"""The books: everything booked is bound, and anybody who knows a head sees that nothing before it was changed."""

from __future__ import annotations

import io

import pytest
import sqlalchemy as sa

from data import Bank
from data.base.schema import leaves, rounds
from data.journal import leaves as binding
from data.proofs.report import Wrong
from engine.games.contract import CHIP
from engine.tables.house import HouseSettings
from engine.tables.ports import AlreadyDone
from tests.data.by_hand import RULES, bind_all, by_hand
from tests.data.conftest import Join
from tests.data.dealer import GUILD, NOW, Dealer, HandClock, press
from tests.data.servers import Server

pytestmark = pytest.mark.usefixtures("no_migrations")

OTHER = GUILD * 2


async def heads(bank: Bank, guild: int = GUILD) -> list[str]:
    """Every head that the guild's book ever had."""
    kept = sa.select(leaves.c.head).where(leaves.c.guild == guild).order_by(leaves.c.place)
    return [row.head for row in await bank._store.rows(kept)]


async def changed(bank: Bank) -> list[str]:
    """The leaves that are not as they were bound."""
    return [fault.where for fault in (await bank.auditor.audit()).faults if fault.wrong is Wrong.LEAF]


@pytest.fixture
async def bound(unsound_bank: Bank, join: Join) -> Dealer:
    """A book of three leaves: two finished rounds and a grant, each bound separately; a round that is being played."""
    alice, bob = await join(1), await join(2)
    table = await Dealer(unsound_bank).open()
    for back, play in ((25, []), (0, ["stand"])):  # a natural, then a round that has a step to be tampered with
        await table.stake(alice, 10)
        await table.stake(bob, 5)
        await table.deal(back, play=play)
        await table.finish()
        await bind_all(unsound_bank)
    await unsound_bank.chips.grant(alice.id, 7 * CHIP, actor=bob.id, reason="she asked", press=press())
    await table.stake(alice, 10)
    await table.deal(play=["hit"])
    await bind_all(unsound_bank)
    return table


async def test_everything_booked_is_bound_once(unsound_bank: Bank, bound: Dealer) -> None:
    assert await unsound_bank.leaves.loose() == (0, 0)
    assert await unsound_bank.leaves.bind() == 0
    assert len(await heads(unsound_bank)) == 3
    assert (await unsound_bank.auditor.audit()).clean


async def test_what_is_not_bound_yet_is_counted(unsound_bank: Bank, bound: Dealer) -> None:
    await bound.finish()
    transfers, ended = await unsound_bank.leaves.loose()
    assert (transfers > 0, ended) == (True, 1)
    await bind_all(unsound_bank)
    assert await unsound_bank.leaves.loose() == (0, 0)


async def test_a_head_tells_its_leaf(unsound_bank: Bank, bound: Dealer) -> None:
    head = await unsound_bank.leaves.head(GUILD)
    assert head is not None
    assert (head.guild, head.place, head.at) == (GUILD, 3, NOW)
    assert await unsound_bank.leaves.find(head.hash) == head
    assert await unsound_bank.leaves.find(head.hash[:16]) == head
    assert await unsound_bank.leaves.find("0" * 64) is None
    assert await unsound_bank.leaves.head(OTHER) is None


async def test_each_guild_has_a_book_of_its_own(unsound_bank: Bank, bound: Dealer, join: Join) -> None:
    before = await heads(unsound_bank)
    member = await join(1, guild=OTHER)
    there = await Dealer(unsound_bank, OTHER).open()
    await there.round({member: 10}, 20)
    await bind_all(unsound_bank)
    assert await heads(unsound_bank) == before
    assert len(await heads(unsound_bank, OTHER)) == 1
    assert [(head.guild, head.place) for head in await unsound_bank.leaves.heads()] == [(GUILD, 3), (OTHER, 1)]
    assert (await unsound_bank.auditor.audit()).clean


async def test_the_past_is_bound_in_pieces(unsound_bank: Bank, join: Join, monkeypatch: pytest.MonkeyPatch) -> None:
    """A bank of an earlier release has years of it."""
    monkeypatch.setattr(binding, "MOST_TRANSFERS", 4)
    alice = await join()
    table = await Dealer(unsound_bank).open()
    for _ in range(4):
        await table.round({alice: 10}, 20)
    await bind_all(unsound_bank)
    assert len(await heads(unsound_bank)) >= 3
    assert await unsound_bank.leaves.loose() == (0, 0)
    assert (await unsound_bank.auditor.audit()).clean


async def test_two_binders_bind_once(unsound_bank: Bank, bound: Dealer, join: Join) -> None:
    await join(3)
    first, again = unsound_bank.leaves, binding.Leaves(unsound_bank._store, HandClock())
    written = first._write

    async def overtaken(*leaf: object) -> None:
        await binding.Leaves.bind(again)
        await written(*leaf)  # type: ignore[arg-type]

    first._write = overtaken  # type: ignore[method-assign]
    with pytest.raises(AlreadyDone):
        await first.bind()
    assert (await unsound_bank.auditor.audit()).clean


TAMPERING = {
    "a transfer is gone": "DELETE FROM transfers WHERE reason = 'opening' AND target = 'member/2'",
    "another amount": "UPDATE transfers SET amount = amount + 1 WHERE reason IN ('winnings', 'losses')",
    "who ordered it": "UPDATE transfers SET actor = 1 WHERE reason LIKE 'grant%'",
    "when": "UPDATE transfers SET at = at - 60 WHERE reason LIKE 'grant%'",
    "a transfer was put in between": (
        "UPDATE transfers SET id = -id - 1 WHERE id >= 5;"
        "UPDATE transfers SET id = -id WHERE id < 0;"
        "INSERT INTO transfers (id, key, guild, source, target, amount, reason, at) "
        f"VALUES (5, 'new', {GUILD}, 'mint', 'member/1', 5, 'x', 1)"
    ),
    "a seed": "UPDATE rounds SET seed = (SELECT seed FROM rounds WHERE number = 2) WHERE number = 1",
    "inputs": "UPDATE rounds SET inputs = replace(inputs, '70', '71') WHERE number = 1",
    "rules": f"UPDATE rounds SET rules = replace({RULES}, '\"decks\":6', '\"decks\":8') WHERE number = 1",
    "the text of its rules": "UPDATE rule_texts SET text = replace(text, '\"decks\":6', '\"decks\":8')",
    "stakes": "UPDATE rounds SET stakes = replace(stakes, '1000', '100000') WHERE number = 1",
    "a commitment": "UPDATE rounds SET commitment = 'x' WHERE number = 2",
    "when it was dealt": "UPDATE rounds SET dealt_at = dealt_at - 1 WHERE number = 2",
    "an action": "UPDATE steps SET action = 'hit' WHERE number = 2 AND place = 0",
    "who acted": "UPDATE steps SET by = 'member' WHERE number = 2 AND place = 0",
    "a step is gone": "DELETE FROM steps WHERE number = 2 AND place = (SELECT max(place) FROM steps WHERE number = 2)",
    "a round is taken out": "UPDATE rounds SET leaf = NULL WHERE number = 1",
    "a round is moved": "UPDATE rounds SET leaf = 3 WHERE number = 1",
    "a head": "UPDATE leaves SET head = 'x' WHERE place = 2",
    "a leaf is gone": "DELETE FROM leaves WHERE place = 2",
    "the last leaf with rounds is gone, and what came behind it": "DELETE FROM leaves WHERE place >= 2",
    "all leaves are gone": "DELETE FROM leaves",
}


@pytest.mark.thinned
@pytest.mark.parametrize("what", TAMPERING)
async def test_what_was_bound_does_not_change_unseen(unsound_bank: Bank, bound: Dealer, what: str) -> None:
    await by_hand(unsound_bank, *TAMPERING[what].split(";"))
    assert await changed(unsound_bank)


async def test_what_is_slipped_in_where_only_another_server_has_a_leaf_is_noticed(
    unsound_bank: Bank, bound: Dealer, join: Join
) -> None:
    await join(1, guild=OTHER)
    await bind_all(unsound_bank)
    assert await changed(unsound_bank) == []
    await by_hand(unsound_bank, f"UPDATE transfers SET guild = {GUILD} WHERE guild = {OTHER}")
    assert await changed(unsound_bank) == ["leaf 1", "leaf 4"], "the other server's first, and this one's fourth"


@pytest.mark.parametrize("leaf", [-1, 0, 4])
async def test_a_round_on_a_leaf_that_is_not_there_is_noticed(unsound_bank: Bank, bound: Dealer, leaf: int) -> None:
    """It would never be bound, and could be changed at any time."""
    await bound.finish()
    await by_hand(unsound_bank, f"UPDATE rounds SET leaf = {leaf} WHERE number = 3")
    (fault,) = (await unsound_bank.auditor.audit()).faults
    assert str(fault).endswith(f": leaf {leaf} of guild {GUILD}: none, but rounds on it, not a leaf")


async def test_a_past_that_was_rewritten_and_bound_anew_has_other_heads(unsound_bank: Bank, bound: Dealer) -> None:
    """Nothing in the bank itself tells of it; a head that was written down does."""
    before = await heads(unsound_bank)
    grant = "reason LIKE 'grant%'"
    await by_hand(
        unsound_bank,
        f"UPDATE members SET balance = balance - (SELECT amount FROM transfers WHERE {grant}) WHERE id = 1",
        f"DELETE FROM transfers WHERE {grant}",
    )
    assert await changed(unsound_bank) == ["leaf 3"]
    await by_hand(unsound_bank, "DELETE FROM leaves", "UPDATE rounds SET leaf = NULL")
    await bind_all(unsound_bank)
    assert (await unsound_bank.auditor.audit()).clean
    for head in before:
        assert await unsound_bank.leaves.find(head) is None


async def test_who_is_forgotten_leaves_every_head_valid(unsound_bank: Bank, bound: Dealer) -> None:
    await bound.finish()
    await bound.close()
    await bind_all(unsound_bank)
    before = await heads(unsound_bank)
    for user in (1, 2):
        assert await unsound_bank.privacy.forget(GUILD, user)
    await bind_all(unsound_bank)
    assert (await heads(unsound_bank))[: len(before)] == before
    report = await unsound_bank.auditor.audit()
    assert report.clean, report.faults


async def test_putting_away_leaves_every_head_valid(
    unsound_bank: Bank, bound: Dealer, clock: HandClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("data.journal.archive.PACK", 2)
    before = await heads(unsound_bank)
    clock.time += 100 * 86400.0
    assert await unsound_bank.archive.put_away(90 * 86400.0) == (GUILD, 2)
    assert (await unsound_bank.auditor.audit()).clean
    assert await heads(unsound_bank) == before
    await by_hand(unsound_bank, "UPDATE rounds SET code = 'x' WHERE number = 1")
    assert await changed(unsound_bank)


async def test_only_what_is_bound_and_graded_is_put_away(
    bank: Bank, table: Dealer, join: Join, clock: HandClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("data.journal.archive.PACK", 1)
    alice = await join()
    await table.round({alice: 10}, 20)
    clock.time += 100 * 86400.0
    assert await bank.archive.put_away(90 * 86400.0) is None
    await bind_all(bank)
    assert await bank.archive.put_away(90 * 86400.0, graded=True) is None
    left = await bank._store.value(sa.select(sa.func.count()).where(rounds.c.pack.is_not(None)))
    assert left == 0
    assert await bank.privacy.forget(GUILD, 404) is False
    assert await bank.archive.put_away(90 * 86400.0) == (GUILD, 1)


async def test_heads_are_the_same_in_the_other_database(
    unsound_bank: Bank, bound: Dealer, server: Server, tmp_path: object, kind: str, clock: HandClock
) -> None:
    before, file = await heads(unsound_bank), io.StringIO()
    await unsound_bank.copies.dump(file)
    other = await server.new() if kind == "sqlite" else f"sqlite:///{tmp_path}/other.db"
    async with Bank.open(other, HouseSettings(), clock) as restored:
        assert (await restored.copies.restore(file.getvalue().splitlines(keepends=True))).clean
        assert await heads(restored) == before
    if kind == "sqlite":
        await server.drop(other)
