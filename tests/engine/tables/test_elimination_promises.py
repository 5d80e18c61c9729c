"""Elimination tables: a chain and lots of their own under the channel's promise, shown when the table is over."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.elimination.elimination import Elimination, End
from engine.fairness.chain import lots_deck, lots_of
from engine.fairness.draws import verify_draws
from engine.fairness.lots import DrawPurpose, Lots, drawn_from
from engine.fairness.record import RecordTwo
from engine.fairness.verify import verify
from engine.games.contract import CHIP, By
from engine.tables.orders import Contender, EliminationOrder
from engine.tables.rebuilt import draws_of, whole_record_of
from engine.tables.refused import Reason, Refused
from engine.tables.snapshot import CloseReason, TablePhase
from engine.tables.state import TableState
from engine.tables.values import StoredTable
from tests.engine.elimination.elimination import SEED, open_table, play

from .conftest import ALICE, BOB, CAROL, CHANNEL, GUILD, Casino, until
from .test_elimination import NAMES, lone, play_on, press_something


async def test_its_chain_is_its_own_and_its_rounds_verify_at_once(casino: Casino) -> None:
    table = await lone(casino)
    await press_something(casino, table)
    ((message, _),) = casino.poster.messages.items()
    chain = await casino.bank.chains.in_use(f"table/{table.id}")
    assert chain is not None
    assert (chain.slot, chain.message) == (1, message)
    while table.snapshot().settlement is None:
        await press_something(casino, table)
    stored = await casino.bank.records.round(table.snapshot().seals.code, GUILD)
    assert stored is not None
    record = whole_record_of(stored)
    assert isinstance(record, RecordTwo)
    assert record.promise.message == message
    assert record.root == ""
    assert verify(record).holds
    assert all(purse is not None for step, purse in zip(record.steps, record.purses, strict=True)
               if step.by is By.COMPUTER)  # fmt: skip


async def test_when_it_is_over_its_root_gives_rounds_and_lots(casino: Casino) -> None:
    table = await lone(casino)
    await play_on(casino, table)
    ((message, _),) = casino.poster.messages.items()
    chain = await casino.bank.chains.ended(f"table/{table.id}")
    assert chain is not None
    kept = await casino.bank.tables.stored(table.id)
    assert kept is not None
    record = TableState.from_json(kept.row.doc).elimination
    assert record is not None
    lots = Elimination.replay(record).lots
    assert lots.seed == lots_of(chain.root)
    assert [lots.deck(draw) for draw in (1, 2)] == [lots_deck(lots.seed, message, table.id, draw) for draw in (1, 2)]
    for number in range(1, table.state.round + 1):
        stored = await casino.bank.records.round(chain.mark(number), GUILD)
        assert stored is not None
        found = whole_record_of(stored)
        assert isinstance(found, RecordTwo)
        assert found.root == chain.root.hex()
        assert verify(found).holds


async def test_without_a_promise_nobody_stakes_and_no_computer_player_acts(casino: Casino) -> None:
    casino.poster.closed = True
    table = await lone(casino)
    with pytest.raises(Refused) as refused:
        await press_something(casino, table)
    assert refused.value.reason is Reason.NO_PROMISE
    assert not any(sitter.staked for sitter in table.snapshot().sitters)
    casino.poster.closed = False
    await press_something(casino, table)
    assert table.snapshot().sitters[0].staked or table.snapshot().phase is TablePhase.PLAYING


async def test_without_a_promise_a_computer_player_who_is_the_first_to_stake_waits_too(casino: Casino) -> None:
    casino.poster.closed = True
    players = (*(Contender(computer=name, level="expert") for name in NAMES), Contender(await casino.member(ALICE)))
    order = EliminationOrder(casino.press(), GUILD, CHANNEL, "original", 100 * CHIP, players, opener=ALICE)
    table = await casino.registry.open_elimination(order)
    assert table.snapshot().elimination.asked == 0
    assert not table._position.runs_by_itself


async def test_a_channel_that_stays_closed_ends_it_with_its_chip_leader_named(casino: Casino) -> None:
    casino.set_house(idle_seconds=0.05)
    casino.poster.closed = True
    table = await lone(casino)
    closed = await until(table, lambda now: now.phase is TablePhase.CLOSED)
    assert closed.elimination.end is End.NO_PERSON_LEFT
    assert closed.elimination.winner is not None


async def test_a_tournaments_table_that_gets_no_promise_is_stranded_and_waits_for_as_long_again(casino: Casino) -> None:
    casino.set_house(idle_seconds=0.1)
    casino.poster.closed = True
    players = (Contender(await casino.member(ALICE)), *(Contender(computer=name, level="expert") for name in NAMES))
    order = EliminationOrder(casino.press(), GUILD, CHANNEL, "original", 100 * CHIP, players, lone=False)
    table = await casino.registry.open_elimination(order)
    casino.clock.time += 1
    await until(table, lambda now: table.state.stranded)
    assert table.state.deadline == casino.clock.now() + 0.1


async def test_an_admin_closes_a_table_that_waits_for_its_promise(casino: Casino) -> None:
    casino.poster.closed = True
    table = await lone(casino)
    assert (await table.close(casino.press(), CloseReason.ADMIN)).phase is TablePhase.CLOSED


async def test_when_a_table_of_four_people_closes_without_a_promise_the_richest_wins(casino: Casino) -> None:
    """All leave in the same moment; Bob alone has won a round."""
    casino.cards.lay("T 3, T 9, T 3, T 3 / T 8")
    table = await lone(casino)
    for user in (BOB, CAROL, 4):
        await table.join(await casino.member(user), casino.press())
    for user in 2 * (ALICE, BOB, CAROL, 4):
        await press_something(casino, table, user)
    casino.poster.closed = True
    await table.move(CHANNEL + 1)
    closed = await table.close(casino.press(), CloseReason.ADMIN)
    assert [seat.stack for seat in closed.elimination.seats] == [9_500, 10_500, 9_500, 9_500]
    assert (closed.elimination.end, closed.elimination.winner) == (End.LAST_STANDING, 1)


async def test_leaving_before_a_promise_stands_draws_no_card(casino: Casino) -> None:
    casino.poster.closed = True
    table = await lone(casino)
    closed = await table.leave(ALICE, casino.press())
    assert closed.phase is TablePhase.CLOSED
    assert all(not cards for draw in closed.elimination.draws for _, cards in draw.cards), "seats decide"


async def test_a_killed_process_goes_on_with_the_same_chain_and_lots(casino: Casino) -> None:
    table = await lone(casino)
    before = table.snapshot().seals.next_code
    await casino.restart()
    (again,) = casino.registry.tables()
    assert again.snapshot().seals.next_code == before
    assert again._position.elimination is not None
    assert again._position.elimination.lots == table._position.elimination.lots  # type: ignore[union-attr]
    assert len(casino.poster.messages) == 1


def test_lots_that_nobody_promised_decide_nothing() -> None:
    assert drawn_from(Lots(b"").deck(1), [2, 0], DrawPurpose.LOWEST) == {0: (), 2: ()}
    assert [seat for seat, _ in Lots(b"").draw(1, 3, [2, 0], DrawPurpose.LOWEST).cards] == [0, 2]


async def test_what_was_drawn_is_drawn_again_from_the_root(casino: Casino) -> None:
    """All three computer players are equal when Alice leaves before the first card: they draw for the lead (R7.7)."""
    table = await lone(casino)
    await table.leave(ALICE, casino.press())
    stored = await casino.bank.tables.stored(table.id)
    assert stored is not None
    draws = draws_of(stored)
    assert draws is not None
    assert [drawing.wanted for drawing in draws.drawings] == [DrawPurpose.HIGHEST]
    assert set(draws.drawings[0].cards) == {1, 2, 3}
    assert verify_draws(draws).holds


async def test_lots_of_a_table_whose_backup_was_restored_are_not_handed_out(casino: Casino) -> None:
    """Those before the restore came from another root than the one that is shown at its end."""
    table = await lone(casino)
    await play_on(casino, table)
    stored = await casino.bank.tables.stored(table.id)
    assert stored is not None

    def kept(drawn: Elimination) -> StoredTable:
        state = replace(TableState.from_json(stored.row.doc), elimination=drawn.record())
        return replace(stored, row=replace(stored.row, doc=state.to_json()))

    drawn = open_table(people="ABCD")
    play(drawn, "0 0 0 0 | 0 0 0 0 | 0 0 0 0")
    assert draws_of(kept(drawn)) is not None
    drawn.draw_from(Lots(b""))
    assert draws_of(kept(drawn)) is None
    began_before = Elimination(drawn.terms, drawn.entrants, Lots(SEED), version=1)
    play(began_before, "0 0 0 0 | 0 0 0 0 | 0 0 0 0")
    assert began_before.draws
    assert draws_of(kept(began_before)) is None, "each seat drew from a deck of its own"


async def test_draws_from_the_chain_before_a_move_are_not_checked_against_the_one_after_it(casino: Casino) -> None:
    channel = CHANNEL + 1
    for _ in range(100):
        table = await lone(casino, budget=20, level="amateur")
        while table.state.phase is not TablePhase.CLOSED and table.state.round < 3:
            await press_something(casino, table)
        while table.state.phase is TablePhase.PLAYING:
            await press_something(casino, table)
        if table.snapshot().elimination.draws and table.state.phase is not TablePhase.CLOSED:
            break
    await table.move(channel)
    await play_on(casino, table)
    stored = await casino.bank.tables.stored(table.id)
    assert stored is not None
    assert {round.chain.channel for round in stored.rounds if round.chain is not None} == {channel}
    assert draws_of(stored) is None


async def test_while_a_table_is_open_its_draws_are_not_handed_out(casino: Casino) -> None:
    table = await lone(casino)
    await press_something(casino, table)
    stored = await casino.bank.tables.stored(table.id)
    assert stored is not None
    assert draws_of(stored) is None
