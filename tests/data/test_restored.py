"""A bank that was put back to an earlier moment: what was shown since is never dealt again, open hands never were."""

from __future__ import annotations

import io
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from data import Bank
from engine.fairness.chain import slot_root
from engine.fairness.record import RecordTwo
from engine.fairness.replay import is_called_off
from engine.fairness.verify import verify
from engine.games.contract import CHIP
from engine.tables.house import HouseSettings
from engine.tables.orders import Order
from engine.tables.places import place_in_tournament, tournament_place
from engine.tables.rebuilt import whole_record_of
from engine.tables.refused import Reason, Refused
from engine.tables.snapshot import CloseReason, Snapshot, TablePhase
from engine.tables.table import Table
from engine.tournament.state import TournamentState
from engine.tournament.tournament import Tournament, TournamentPhase
from tests.conftest import NewBank
from tests.data.dealer import HandClock
from tests.engine.tables.conftest import ALICE, BOB, CHANNEL, GUILD, Casino
from tests.engine.tables.test_elimination import lone, press_something
from tests.engine.tables.theatre import Theatre


@pytest.fixture
async def casino(url: str) -> AsyncIterator[Casino]:
    clock, house = HandClock(), HouseSettings(think_seconds=0)
    casino = Casino(await Bank.open(url, house, clock), clock, house)  # type: ignore[arg-type]
    yield casino
    await casino.registry.shutdown()
    faults = (await casino.bank.auditor.audit()).faults
    await casino.bank.close()
    assert [str(fault) for fault in faults] == []


@pytest.fixture
def empty(tmp_path: Path, new_bank: NewBank) -> str:
    """The address of the bank that the backup is restored into."""
    return new_bank(tmp_path / "restored.db")


async def backed_up(casino: Casino) -> str:
    kept = io.StringIO()
    await casino.bank.copies.dump(kept)
    return kept.getvalue()


async def restored(casino: Casino, backup: str, url: str) -> None:
    """The process ends, the backup is restored into an empty bank, and a process opens that."""
    await casino.registry.shutdown()
    await casino.bank.close()
    casino.bank = await Bank.open(url, casino.house, casino.clock)
    assert (await casino.bank.copies.restore(backup.splitlines())).clean
    assert (await casino.bank.auditor.audit()).clean
    await casino.restart()


async def shown(casino: Casino, codes: list[str]) -> set[bytes]:
    """Their seeds."""
    stored = [await casino.bank.records.round(code, GUILD) for code in codes]
    return {each.seed for each in stored if each is not None}


async def play(casino: Casino, table: Table) -> str:
    """A round; its code."""
    if table.snapshot().phase is TablePhase.BETTING:
        await casino.stake(table)
    return (await casino.finish(table)).seals.code


async def test_what_was_ever_shown_is_never_dealt_again(casino: Casino, empty: str) -> None:
    """Play, back up, play on, restore, play."""
    table = await casino.open()
    codes = [await play(casino, table) for _ in range(2)]
    backup = await backed_up(casino)
    codes += [await play(casino, table) for _ in range(3)]
    seen = await shown(casino, codes)
    assert len(seen) == 5
    await restored(casino, backup, empty)
    (again,) = casino.registry.tables()
    fresh = [await play(casino, again) for _ in range(6)]
    assert not seen & await shown(casino, fresh)
    assert not {code.partition("-")[0] for code in fresh} & {code.partition("-")[0] for code in codes}
    (old, _), (new, before) = casino.poster.messages.values()
    assert before is not None
    assert before.root == old.root
    for code in (codes[0], fresh[0]):
        stored = await casino.bank.records.round(code, GUILD)
        assert stored is not None
        record = whole_record_of(stored)
        assert isinstance(record, RecordTwo)
        assert record.root == (slot_root(old.root, 1).hex() if code in codes else "")
        assert verify(record).holds
    assert new.root != old.root


async def a_pair(casino: Casino) -> Table:
    """Dealt as the seed has it: laid-out cards would not come out of it again."""
    table = await casino.open()
    while True:
        now = await casino.stake(table)
        if now.phase is TablePhase.PLAYING and "split" in now.legal[0]:
            return table
        await casino.finish(table)


async def test_an_open_hand_is_called_off_and_its_stakes_come_back_whole(casino: Casino, empty: str) -> None:
    table = await a_pair(casino)
    before = await casino.balance(ALICE)
    await casino.act(table, "split")
    assert await casino.balance(ALICE) == before - 10
    backup = await backed_up(casino)
    await casino.finish(table)
    await restored(casino, backup, empty)
    (again,) = casino.registry.tables()
    now = again.snapshot()
    assert await casino.balance(ALICE) == before + 10
    assert (now.phase, now.called_off, now.view, now.round) == (TablePhase.BETTING, True, None, table.state.round)
    await casino.restart()
    (again,) = casino.registry.tables()
    assert again.snapshot().called_off
    await casino.stake(again)
    over = await casino.finish(again)
    assert (over.round, over.called_off) == (table.state.round + 1, False)


async def test_whoever_was_leaving_a_hand_that_is_called_off_has_left(casino: Casino, empty: str) -> None:
    table = await casino.open()
    await table.join(await casino.member(BOB), casino.press())
    while (now := await staked_by_both(casino, table)).view.asked != (0,):
        await casino.finish(table)
    await table.leave(BOB, casino.press())
    assert now.phase is TablePhase.PLAYING
    before = [await casino.balance(user) for user in (ALICE, BOB)]
    await restored(casino, await backed_up(casino), empty)
    (again,) = casino.registry.tables()
    assert again.snapshot().called_off
    assert [chair.user for chair in again.state.chairs] == [ALICE]
    assert [await casino.balance(user) for user in (ALICE, BOB)] == [chips + 10 for chips in before]


async def staked_by_both(casino: Casino, table: Table) -> Snapshot:
    await casino.stake(table)
    return await casino.stake(table, BOB)


async def test_the_record_of_a_called_off_hand_says_so(casino: Casino, empty: str) -> None:
    table = await casino.open()
    while (await casino.stake(table)).phase is not TablePhase.PLAYING:
        pass
    code = table.snapshot().seals.code
    await restored(casino, await backed_up(casino), empty)
    stored = await casino.bank.records.round(code, GUILD)
    assert stored is not None
    record = whole_record_of(stored)
    assert isinstance(record, RecordTwo)
    finding = verify(record)
    assert finding.holds
    assert finding.called_off
    assert is_called_off(record.payments)
    assert len(record.cards) == 4


async def test_stakes_that_lay_there_are_dealt_under_the_new_promise(casino: Casino, empty: str) -> None:
    table = await casino.open(game="baccarat")
    await table.stake(ALICE, {"banker": 50 * CHIP}, casino.press())
    before = table.snapshot().seals.next_code
    await restored(casino, await backed_up(casino), empty)
    (again,) = casino.registry.tables()
    over = await again.deal(ALICE, casino.press())
    assert over.settlement is not None
    assert over.seals.code != before
    assert over.seals.code.endswith("-1")


async def test_stakes_that_nobody_can_promise_for_come_back_when_the_table_closes(casino: Casino, empty: str) -> None:
    table = await casino.open(game="baccarat")
    await table.stake(ALICE, {"banker": 50 * CHIP}, casino.press())
    backup = await backed_up(casino)
    casino.poster.closed = True
    await restored(casino, backup, empty)
    (again,) = casino.registry.tables()
    assert await casino.balance(ALICE) == 950
    with pytest.raises(Refused) as no:
        await again.deal(ALICE, casino.press())
    assert no.value.reason is Reason.NO_PROMISE
    assert (await again.close(casino.press(), CloseReason.ADMIN)).phase is TablePhase.CLOSED
    assert await casino.balance(ALICE) == 1_000


async def test_people_can_leave_while_the_stakes_of_others_wait_for_a_promise(casino: Casino, empty: str) -> None:
    table = await casino.open()
    await table.join(await casino.member(BOB), casino.press())
    await casino.stake(table)
    backup = await backed_up(casino)
    casino.poster.closed = True
    await restored(casino, backup, empty)
    (again,) = casino.registry.tables()
    now = await again.leave(BOB, casino.press())
    assert (now.phase, [sitter.user for sitter in now.sitters]) == (TablePhase.BETTING, [ALICE])
    assert await casino.balance(ALICE) == 990
    casino.poster.closed = False
    assert (await again.deal(ALICE, casino.press())).phase is TablePhase.PLAYING


async def test_an_elimination_round_that_was_called_off_is_staked_anew(casino: Casino, empty: str) -> None:
    table = await lone(casino)
    while table.snapshot().phase is not TablePhase.PLAYING:
        await press_something(casino, table)
    await restored(casino, await backed_up(casino), empty)
    (again,) = casino.registry.tables()
    view = again.snapshot().standings
    assert (view.round, view.called_off) == (1, 1)
    assert {seat.stack for seat in view.seats} == {view.budget}
    while again.snapshot().phase is not TablePhase.CLOSED:
        await press_something(casino, again)
    old, new = await casino.bank.chains.all_of(f"table/{table.id}")
    assert old.root != new.root
    assert len(casino.poster.messages) == 2


async def _tournament(theatre: Theatre, tournament: int) -> Tournament:
    row = await theatre.casino.bank.tournaments.stored(tournament)
    assert row is not None
    return Tournament.replay(TournamentState.from_json(row.doc).tournament)


@pytest.mark.parametrize("phase", [TournamentPhase.SIGN_UP, TournamentPhase.PLAYING])
async def test_tournaments_go_on_from_new_secrets_and_lots_already_drawn_stand(
    casino: Casino, empty: str, phase: TournamentPhase
) -> None:
    theatre = Theatre(casino)
    tournament = await theatre.schedule()
    await theatre.said("sign-up")
    await theatre.sign_up(tournament, 5)
    if phase is TournamentPhase.PLAYING:
        await theatre.pass_time(3_600)
        await theatre.said("standings")
    drawn = (await _tournament(theatre, tournament)).orders
    backup = await backed_up(casino)
    await theatre.close()
    await casino.bank.close()
    casino.bank = theatre.bank = await Bank.open(empty, casino.house, casino.clock)
    assert (await casino.bank.copies.restore(backup.splitlines())).clean
    assert (await casino.bank.auditor.audit()).clean
    await theatre.begin(100)
    if phase is TournamentPhase.SIGN_UP:
        await theatre.pass_time(3_600)
    await theatre.until(lambda: len(casino.poster.of(tournament_place(tournament))) == 2)
    end = await theatre.play_on(tournament)
    assert end.phase is TournamentPhase.OVER
    (_, old), (_, new) = casino.poster.of(tournament_place(tournament))
    after = await _tournament(theatre, tournament)
    assert after.orders[: len(drawn)] == drawn
    assert {order.lots for order in after.orders[len(drawn) :]} <= {1 if drawn else 0}
    assert end.state.root == new.root.hex()
    roots = {chain.root for chain in await casino.bank.chains.all_of(place_in_tournament(tournament, 2, 0))}
    assert len(roots) == 1
    await theatre.close()
    assert old.root != new.root


async def test_a_mark_that_is_set_by_hand_tells_how_much_is_open(casino: Casino) -> None:
    assert await casino.bank.copies.restored() == 0
    bob = await casino.member(BOB)
    await casino.registry.open(Order(casino.press(), GUILD, CHANNEL, "war", "casino", bob))
    await casino.registry.shutdown()
    assert await casino.bank.copies.restored() == 1
