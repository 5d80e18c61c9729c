"""R6 at the table: computer players take their time, play from a bankroll that the house fills, and rank nowhere."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import sqlite3
from pathlib import Path

import pytest

from data import Ladder
from engine.games.blackjack.view import RoundPhase
from engine.games.contract import BOTTOMLESS, CHIP, By
from engine.tables.house import BANKROLL
from engine.tables.rebuilt import record_of
from engine.tables.snapshot import Snapshot, TablePhase
from engine.tables.state import Chair, Money
from engine.tables.table import Table
from engine.tables.till import Till
from engine.tables.values import StoredRound

from .conftest import ALICE, GUILD, Casino, until

PAUSE = 0.04


def asks_alice(snapshot: Snapshot) -> bool:
    sitter = snapshot.sitter_of(ALICE)
    return sitter is not None and snapshot.view is not None and sitter.seat in snapshot.view.asked


async def stand(casino: Casino, table: Table) -> Snapshot:
    """Alice wants no card; the others finish by themselves."""
    while table.snapshot().phase is TablePhase.PLAYING:
        seen = await until(table, lambda seen: asks_alice(seen) or seen.phase is not TablePhase.PLAYING)
        if seen.phase is TablePhase.PLAYING:
            await casino.act(table, "decline" if seen.view.phase is RoundPhase.INSURANCE else "stand")
    return table.snapshot()


async def last_round(casino: Casino, table: Table) -> StoredRound:
    stored = await casino.bank.tables.stored(table.id)
    assert stored is not None
    return next(round for round in stored.rounds if round.record is not None)


async def test_each_thought_takes_its_pause(casino: Casino, monkeypatch: pytest.MonkeyPatch) -> None:
    """Three of them behind Alice: their steps come one by one."""
    loop = asyncio.get_running_loop()
    casino.set_house(think_seconds=PAUSE)
    table = await casino.open(computers=3, level="amateur")
    changes: list[tuple[float, Snapshot]] = []
    monkeypatch.setattr(casino.onlooker, "changed", lambda table: changes.append((loop.time(), table.snapshot())))
    await casino.stake(table)
    await stand(casino, table)
    steps = record_of(await last_round(casino, table)).steps
    thoughts = [step for step in steps if step.by is By.COMPUTER and step.action != "decline"]
    assert len({step.seat for step in thoughts}) >= 2, "a round where several of them have something to think about"
    of_computers = [
        (before, after)
        for (before, was), (after, _) in itertools.pairwise(changes)
        if was.phase is TablePhase.PLAYING and was.view.phase is RoundPhase.TURNS and not asks_alice(was)
    ]
    assert len(of_computers) == len(thoughts)
    assert all(after - before >= PAUSE * 0.9 for before, after in of_computers)


async def test_they_answer_the_insurance_at_once_because_all_are_asked(casino: Casino) -> None:
    casino.set_house(think_seconds=60)
    for _ in range(100):
        table = await casino.open(computers=3)
        seen = await casino.stake(table)
        if seen.view.phase is RoundPhase.INSURANCE:
            break
        await table.close(casino.press())
    assert seen.view.asked == (seen.sitter_of(ALICE).seat,)  # type: ignore[union-attr]
    assert [seat.insurance for seat in seen.view.seats[1:]] == [0, 0, 0], "R6.5"


async def test_nobody_has_keys_while_a_computer_player_thinks(casino: Casino) -> None:
    casino.set_house(think_seconds=60)
    for _ in range(100):
        table = await casino.open(computers=1)
        seen = await casino.stake(table)
        if seen.phase is TablePhase.PLAYING and asks_alice(seen) and seen.view.phase is RoundPhase.TURNS:
            seen = await casino.act(table, "stand")
            if seen.phase is TablePhase.PLAYING:
                break
        await table.close(casino.press())
    assert not asks_alice(seen)
    assert seen.legal == ((), ())


async def test_a_restart_in_the_middle_of_a_thought_goes_on_thinking(casino: Casino) -> None:
    casino.set_house(think_seconds=PAUSE)
    table = await casino.open(computers=3, level="amateur")
    await casino.stake(table)
    await until(table, lambda seen: asks_alice(seen) or seen.phase is not TablePhase.PLAYING)
    if table.snapshot().phase is TablePhase.PLAYING:
        await casino.act(table, "decline" if table.snapshot().view.phase is RoundPhase.INSURANCE else "stand")
    await casino.restart()
    again = casino.registry.get(table.id)
    assert again is not None
    assert (await stand(casino, again)).settlement is not None


async def test_r6_6_the_house_fills_their_bankroll_and_has_it_back(casino: Casino, tmp_path: Path) -> None:
    casino.set_house(smallest_stake=400 * CHIP, starting_chips=1_000 * CHIP)
    member = await casino.member(ALICE)
    await casino.bank.chips.grant(member.id, 10**6 * CHIP, actor=member.id, reason="test", press=1)
    table = await casino.open(computers=3, level="expert")
    for _ in range(12):
        await casino.stake(table, chips=400)
        await stand(casino, table)
        bankrolls = {sitter.computer: sitter.balance for sitter in table.snapshot().sitters if sitter.computer}
        assert bankrolls == pots(tmp_path)
    lent = refills(tmp_path)
    assert len(lent) > 3, "twelve rounds cost somebody more than one bankroll"
    assert all(amount >= BANKROLL for amount in lent)
    await table.close(casino.press())
    assert list(pots(tmp_path).values()) == [0, 0, 0]


@pytest.mark.parametrize(("stake", "lent"), [(300, 1_000), (1_000, 1_000), (1_500, 1_300)])
def test_r6_6_the_house_lends_as_much_as_the_stake_lacks_if_that_is_more_than_a_bankroll(stake: int, lent: int) -> None:
    chair = Chair(1, computer="Pip", level="expert", stack=200 * CHIP)
    moved = Till(1, GUILD, Money.WALLET).stake(chair, BOTTOMLESS, stake * CHIP, 1, "stake")
    assert [each.amount for each in moved.transfers] == [lent * CHIP, stake * CHIP]
    assert moved.chair.stack == (200 + lent - stake) * CHIP


async def test_r6_6_they_are_on_no_leaderboard(casino: Casino) -> None:
    table = await casino.open(computers=3)
    for _ in range(2):
        await casino.stake(table)
        await stand(casino, table)
    board = await casino.bank.ladders.leaderboard(GUILD, Ladder.CHIPS)
    assert [row.user for row in board.rows] == [ALICE]
    for ladder in Ladder:
        assert (await casino.bank.ladders.leaderboard(GUILD, ladder)).people <= 1


def pots(folder: Path) -> dict[str, int]:
    """Computer players' chips by name, as the books have them."""
    with contextlib.closing(sqlite3.connect(folder / "bank.db")) as file:
        rows = file.execute("SELECT name, balance FROM pots WHERE name LIKE 'computer/%'").fetchall()
    return {name.split("/")[-1]: balance for name, balance in rows}


def refills(folder: Path) -> list[int]:
    with contextlib.closing(sqlite3.connect(folder / "bank.db")) as file:
        return [amount for (amount,) in file.execute("SELECT amount FROM transfers WHERE reason = 'refill'")]
