"""How rounds end: settled exactly once, to the cent, and booked to those who sat there."""

from __future__ import annotations

from dataclasses import replace

import pytest

from data import BadChange, Bank, Ladder
from engine.fairness.replay import lines_hash
from engine.games.contract import CHIP
from engine.tables.values import Account, Change, Kind, Title, Transfer
from tests.data.conftest import Join
from tests.data.dealer import GUILD, NOW, Dealer, account, line


async def test_chips_left_in_the_escrow_refuse_the_end(bank: Bank, table: Dealer, join: Join) -> None:
    alice = await join(chips=100)
    await table.stake(alice, 10)
    await table.deal(5, play=["surrender"])
    await table.act("surrender")
    ending = table.finishing()
    with pytest.raises(BadChange):
        await bank.tables.commit(replace(ending, transfers=ending.transfers[1:]))  # the house did not take its 5
    await table.finish()
    assert await bank.members.balances([alice.id]) == {alice.id: 95 * CHIP}


async def test_a_round_ends_once(bank: Bank, table: Dealer, join: Join) -> None:
    alice = await join(chips=100)
    await table.stake(alice, 10)
    await table.deal(20)
    ending = table.finishing()
    await table.finish()
    again = replace(ending, cause="again", table=table.row(), transfers=[], seal=None)
    with pytest.raises(BadChange):
        await bank.tables.commit(again)


async def test_an_undealt_round_does_not_end(bank: Bank, table: Dealer, join: Join) -> None:
    alice = await join(chips=100)
    await table.stake(alice, 10)
    table.take_up(table.dealing(back=[20]))
    with pytest.raises(BadChange):
        await table.finish()
    assert await bank.members.balances([alice.id]) == {alice.id: 90 * CHIP}


async def test_a_settled_escrow_takes_no_more_chips(table: Dealer, join: Join) -> None:
    alice = await join(chips=100)
    await table.round({alice: 10}, 0)
    settled = Account(Kind.ESCROW, GUILD, f"{table.id}/1")
    with pytest.raises(BadChange):
        await table.commit(Change("late", table.row(), [Transfer("late", account(alice), settled, 100, "stake")]))


async def test_a_restarted_bank_still_knows_who_sat_there(bank: Bank, table: Dealer, join: Join) -> None:
    alice = await join(chips=100)
    await table.stake(alice, 10)
    await table.deal(25)
    bank.tables._seats.clear()  # as after a restart
    await table.finish()
    (played,) = (await bank.records.history(alice.id)).rounds
    assert (played.staked, played.returned, played.net) == (10 * CHIP, 25 * CHIP, 15 * CHIP)


async def test_of_many_open_rounds_only_some_are_remembered(
    bank: Bank, join: Join, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("data.journal.tables.REMEMBERED", 2)
    alice, tables = await join(chips=100), [await Dealer(bank).open() for _ in range(4)]
    for table in tables:
        await table.stake(alice, 1)
        await table.deal()
        assert len(bank.tables._seats) <= 2
    assert list(bank.tables._seats.values()) == [[alice.id]] * 2
    for table in tables:
        await table.finish()
    assert len((await bank.records.history(alice.id)).rounds) == 4
    assert bank.tables._seats == {}


async def test_a_round_with_somebody_unknown_cannot_end(ledger_bank: Bank, table: Dealer, join: Join) -> None:
    await table.stake(await join(), 10)
    dealing = table.dealing()
    assert dealing.deal is not None
    await table.commit(replace(dealing, deal=replace(dealing.deal, members=[404])))
    table.take_up(dealing)
    with pytest.raises(BadChange):
        await table.finish()


async def test_a_title_is_won_with_the_change_that_ends_the_game(unsound_bank: Bank, table: Dealer, join: Join) -> None:
    alice = await join()
    won = Change("won", table.row(), title=Title(f"table/{table.id}", alice.id, NOW))
    await table.commit(won)
    assert [(champion.user, champion.tables) for champion in await unsound_bank.titles.champions(GUILD)] == [(1, 1)]
    with pytest.raises(BadChange):
        await table.commit(replace(won, cause="again", table=table.row()))


async def test_computer_players_keep_no_score(ledger_bank: Bank, table: Dealer, join: Join) -> None:
    alice = await join(chips=100)
    ada = Account(Kind.COMPUTER, GUILD, f"{table.id}/Ada")
    await table.stake(alice, 10)
    lend = Transfer("lend", table.house, ada, 10 * CHIP, "refill")
    bet = Transfer("bet", ada, table.escrow, 10 * CHIP, "stake")
    dealing = table.dealing(lend, bet)
    assert dealing.deal is not None
    stakes = [*dealing.deal.stakes, {"main": 10 * CHIP}]
    await table.commit(replace(dealing, deal=replace(dealing.deal, members=[alice.id, None], stakes=stakes)))
    table.take_up(dealing)
    ending = table.finishing()
    assert ending.finish is not None
    lines = [line(0, 1_000, 2_000), line(1, 1_000, 0)]
    moves = [Transfer("pay", table.escrow, account(alice), 20 * CHIP, "returned")]
    finish = replace(ending.finish, lines=lines, outcome=lines_hash(lines))
    await table.commit(replace(ending, transfers=moves, finish=finish))
    board = await ledger_bank.ladders.leaderboard(GUILD, Ladder.WINNINGS)
    assert [(standing.user, standing.value) for standing in board.rows] == [(1, 10 * CHIP)]


async def test_play_chips_are_history_but_no_score(ledger_bank: Bank, table: Dealer, join: Join) -> None:
    """An elimination table moves no chips of the ledger (R7.1)."""
    alice = await join(chips=100)
    table.seats, table.staked = [alice], [50 * CHIP]
    await table.deal(100)
    ending = table.finishing()
    await table.commit(replace(ending, transfers=[]))
    (played,) = (await ledger_bank.records.history(alice.id)).rounds
    assert (played.real, played.net) == (False, 50 * CHIP)
    assert (await ledger_bank.ladders.leaderboard(GUILD, Ladder.WINNINGS)).people == 0


async def test_chips_bought_in_play_like_others(ledger_bank: Bank, table: Dealer, join: Join) -> None:
    """Fixed-stake tables (R5): a stack is bought once, stakes come from it, what is left goes home."""
    alice = await join(chips=100)
    stack = Account(Kind.STACK, GUILD, f"{table.id}/{alice.id}")
    await table.commit(Change("b", table.row(), [Transfer("b", account(alice), stack, 40 * CHIP, "buy-in")]))
    assert await ledger_bank.members.in_play(alice.id) == 40 * CHIP
    table.seats, table.staked = [alice], [10 * CHIP]
    await table.commit(table.dealing(Transfer("s", stack, table.escrow, 10 * CHIP, "stake"), back=[20]))
    assert table.last is not None
    table.take_up(table.last)
    assert await ledger_bank.members.in_play(alice.id) == 40 * CHIP
    ending = table.finishing()
    back = [move if move.target != account(alice) else replace(move, target=stack) for move in ending.transfers]
    await table.commit(replace(ending, transfers=back))
    table.number += 1
    assert await ledger_bank.members.in_play(alice.id) == 50 * CHIP
    home = Transfer("h", stack, account(alice), 50 * CHIP, "cash-out")
    await table.commit(Change("h", replace(table.row(), open=False), [home]))
    assert await ledger_bank.members.balances([alice.id]) == {alice.id: 110 * CHIP}
    assert await ledger_bank.members.in_play(alice.id) == 0


async def test_more_than_the_stake_is_a_win_and_a_push_is_none(bank: Bank, table: Dealer, join: Join) -> None:
    alice = await join(chips=100)
    for returned in (20, 10, 0):
        await table.round({alice: 10}, returned)
    await table.stake(alice, 10)
    await table.deal(5, play=["surrender"])
    await table.act("surrender")
    await table.finish()
    export = await bank.privacy.export(GUILD, 1)
    assert export is not None
    member = export["member"]
    assert (member["rounds"], member["won"], member["winnings"]) == (4, 1, -500)


async def test_a_win_rate_takes_twenty_rounds(bank: Bank, table: Dealer, join: Join) -> None:
    alice = await join(chips=1_000)
    for number in range(19):
        await table.round({alice: 1}, 2 if number % 2 else 0)  # nine wins
    assert (await bank.ladders.leaderboard(GUILD, Ladder.WIN_RATE, user=1)).own is None
    await table.round({alice: 1}, 1)  # a push is no win
    own = (await bank.ladders.leaderboard(GUILD, Ladder.WIN_RATE, user=1)).own
    assert own is not None
    assert (own.place, own.value) == (1, 450_000)
