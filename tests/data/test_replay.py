"""The audit deals again every round of every table here: real rounds of every game and rule set there is,
through the bank, and in each of them a card and a result that were changed by somebody who thought of everything else.
"""

from __future__ import annotations

import json
import random
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
import sqlalchemy as sa

from data import Bank
from data.proofs.report import Wrong
from engine.fairness.replay import lines_hash
from engine.games import registry as games
from engine.games.computer import fresh_names
from engine.games.contract import CHIP, Line, Outcome
from engine.stored_words import ELIMINATION
from engine.tables.house import HouseSettings
from engine.tables.orders import Contender, EliminationOrder
from engine.tables.snapshot import TablePhase
from engine.tables.table import Table
from tests.conftest import NewBank
from tests.data.by_hand import by_hand
from tests.data.dealer import HandClock
from tests.engine.tables.conftest import CHANNEL, GUILD, Casino
from tests.engine.tables.theatre import Theatre

ALICE, BOB = 1, 2
ROUNDS = 3

CASH = [(game.name, name) for game in games.GAMES.values() for name in game.rule_sets]
#: A rule set that is played with stacks.
STACKS = "original"


@asynccontextmanager
async def opened(url: str) -> AsyncIterator[Casino]:
    clock, house = HandClock(), HouseSettings(think_seconds=0)
    async with Bank.open(url, house, clock) as bank:
        casino = Casino(bank, clock, house)
        yield casino
        await casino.registry.shutdown()


class Play:
    """Two people who press whatever is allowed."""

    def __init__(self, casino: Casino) -> None:
        self.casino = casino
        self._chance = random.Random("two people")

    async def at(self, table: Table, rounds: int) -> None:
        """Play until this many rounds are over, or the table closes."""
        while table.snapshot().phase is not TablePhase.CLOSED and await self.over(table.id) < rounds:
            for user in (ALICE, BOB):
                await self._press(table, user)

    async def over(self, table: int) -> int:
        asked = sa.text(f"SELECT count(*) FROM rounds WHERE table_id = {table} AND finished_at > 0")
        return int(await self.casino.bank._store.value(asked))

    async def _press(self, table: Table, user: int) -> None:
        now, casino = table.snapshot(), self.casino
        mine = now.sitter_of(user)
        if mine is None or now.phase is TablePhase.CLOSED:
            return
        if now.phase is TablePhase.PLAYING:
            if mine.seat is not None and now.legal[mine.seat]:
                action = self._chance.choice(now.legal[mine.seat])
                await table.act(user, action, now.round, now.turn, casino.press())
        elif now.elimination is not None:
            if now.elimination.asked is not None and now.players[now.elimination.asked].user == user:
                await table.stake(user, {"main": now.offers["smallest"]}, casino.press())
        elif not mine.staked:
            spot = self._chance.choice(games.game(now.game).spots)
            stakes = None if now.rules.seating.fixed_stake else {spot: 10 * CHIP}
            await table.stake(user, stakes, casino.press())
        elif games.game(now.game).opener_deals and user == ALICE:
            await table.deal(user, casino.press())


async def at_a_cash_table(casino: Casino, game: str, rules: str) -> None:
    computers = int(bool(games.game(game).computers))
    table = await casino.open(ALICE, game, rules, computers=computers)
    if not games.game(game).own_table:
        await table.join(await casino.member(BOB), casino.press())
    await Play(casino).at(table, ROUNDS)


async def at_an_elimination_table(casino: Casino) -> None:
    others = [Contender(computer=name, level="amateur") for name in fresh_names(3, set())]
    players = (Contender(await casino.member(ALICE)), *others)
    order = EliminationOrder(casino.press(), GUILD, CHANNEL, STACKS, 100 * CHIP, players, opener=ALICE)
    await Play(casino).at(await casino.registry.open_elimination(order), ROUNDS)


async def at_a_tournament(casino: Casino) -> None:
    theatre = Theatre(casino)
    number = await theatre.schedule()
    await theatre.sign_up(number, 5)
    await theatre.pass_time(3_600.0)
    await theatre.play_on(number)
    await theatre.close()


# -- what is changed ---------------------------------------------------------------------------------------------------


async def changed_card(bank: Bank, table: int, number: int) -> None:
    """Another seed is another shoe."""
    seed = await bank._store.value(sa.text(f"SELECT seed FROM rounds WHERE table_id = {table} AND number = {number}"))
    async with bank._store.rewriting() as connection:
        await connection.execute(
            sa.text("UPDATE rounds SET seed = :seed WHERE table_id = :table AND number = :number"),
            {"seed": bytes([seed[0] ^ 1, *seed[1:]]), "table": table, "number": number},
        )


async def changed_result(bank: Bank, table: int, number: int) -> None:
    """A chip more for a person, in the lines and their fingerprint, result and score, transfers and balance."""
    here = f"table_id = {table} AND number = {number}"
    (row,) = await bank._store.rows(sa.text(f"SELECT guild, members, lines FROM rounds WHERE {here}"))
    lines = [Line(**{**line, "outcome": Outcome(line["outcome"])}) for line in json.loads(row.lines)]
    members = json.loads(row.members)
    place = next(place for place, line in enumerate(lines) if members[line.seat] is not None)
    member = members[lines[place].seat]
    lines[place] = lines[place]._replace(returned=lines[place].returned + CHIP)
    (play,) = await bank._store.rows(sa.text(f"SELECT real FROM plays WHERE {here} AND member = {member}"))
    stack = f"stack/{table}/{member}"
    stacked = await bank._store.value(sa.text(f"SELECT count(*) FROM pots WHERE name = '{stack}'"))
    kept = f"UPDATE pots SET balance = balance + {CHIP} WHERE name = '{stack}'" if stacked else (
        f"UPDATE members SET balance = balance + {CHIP} WHERE id = {member}"
    )  # fmt: skip
    escrow, purse = f"escrow/{table}/{number}", stack if stacked else f"member/{member}"
    move = (
        "INSERT INTO transfers (key, guild, source, target, amount, reason, at) "
        f"VALUES ('by hand {{}}', {row.guild}, '{{}}', '{{}}', {CHIP}, '{{}}', 1)"
    )
    commands = [f"UPDATE plays SET returned = returned + {CHIP} WHERE {here} AND member = {member}"]
    if play.real:
        commands += [
            move.format(1, "house", escrow, "winnings"), move.format(2, escrow, purse, "returned"), kept,
            f"UPDATE members SET winnings = winnings + {CHIP} WHERE id = {member}",
        ]  # fmt: skip
    async with bank._store.rewriting() as connection:
        for command in commands:
            await connection.exec_driver_sql(command)
        await connection.execute(
            sa.text(f"UPDATE rounds SET lines = :lines, outcome = :outcome WHERE {here}"),
            {"lines": json.dumps([line._asdict() for line in lines]), "outcome": lines_hash(lines)},
        )


async def finished(bank: Bank) -> list[tuple[int, int]]:
    asked = "SELECT table_id, number FROM rounds WHERE finished_at > 0 ORDER BY table_id, number"
    return [(row.table_id, row.number) for row in await bank._store.rows(sa.text(asked))]


async def found(bank: Bank) -> set[tuple[Wrong, str]]:
    return {(fault.wrong, fault.where) for fault in (await bank.auditor.audit()).faults}


async def dealt_again_and_changed(bank: Bank) -> None:
    """Every round is sound; and in the first two a card and a result are not any more. Nothing but playing them again
    tells, or what an open table says of the stacks."""
    assert await found(bank) == set()
    card, result, *_ = await finished(bank)
    await changed_card(bank, *card)
    await changed_result(bank, *result)
    tampered = {(Wrong.REPLAY, f"escrow/{table}/{number}") for table, number in (card, result)}
    assert {fault for fault in await found(bank) if fault[0] is not Wrong.DOCUMENT} == tampered


@pytest.mark.thinned
@pytest.mark.parametrize(("game", "rules"), CASH, ids=[f"{game} {rules}" for game, rules in CASH])
async def test_rounds_of_every_game_and_rule_set_are_dealt_again(
    tmp_path: Path, new_bank: NewBank, game: str, rules: str
) -> None:
    async with opened(new_bank(tmp_path / "bank.db")) as casino:
        await at_a_cash_table(casino, game, rules)
        await dealt_again_and_changed(casino.bank)


async def test_rounds_of_elimination_tables_are_dealt_again(tmp_path: Path, new_bank: NewBank) -> None:
    async with opened(new_bank(tmp_path / "bank.db")) as casino:
        await at_an_elimination_table(casino)
        await dealt_again_and_changed(casino.bank)


async def test_a_title_that_was_moved_to_another_server_is_found(tmp_path: Path, new_bank: NewBank) -> None:
    async with opened(new_bank(tmp_path / "bank.db")) as casino:
        players = tuple([Contender(await casino.member(user)) for user in range(1, 5)])
        order = EliminationOrder(casino.press(), GUILD, CHANNEL, STACKS, 100 * CHIP, players, opener=ALICE)
        table = await casino.registry.open_elimination(order)
        for user in range(1, 5):
            await table.stake(user, {"main": table.snapshot().offers["smallest"]}, casino.press())
        for user in range(2, 5):
            await table.leave(user, casino.press())
        await Play(casino).at(table, 9)
        assert await found(casino.bank) == set()
        await by_hand(
            casino.bank,
            f"UPDATE titles SET guild = {GUILD + 1}",
            "UPDATE members SET tables_won = 0, first_title = -1",
        )
        assert await found(casino.bank) == {(Wrong.TITLES, f"table/{table.id}")}


async def test_an_elimination_table_that_cannot_be_taken_up_is_a_fault_and_hides_no_other(
    tmp_path: Path, new_bank: NewBank
) -> None:
    """Its record tells of a round that nobody has staked on."""
    async with opened(new_bank(tmp_path / "bank.db")) as casino:
        await at_an_elimination_table(casino)
        (stored,) = await casino.bank.tables.still_open()
        doc = json.loads(stored.row.doc)
        doc[ELIMINATION]["steps"].append(["played", 0, 0, 0, 0])
        async with casino.bank._store.rewriting() as connection:
            await connection.execute(sa.text("UPDATE tables SET doc = :doc"), {"doc": json.dumps(doc)})
            await connection.exec_driver_sql("DELETE FROM causes WHERE version = 2")
        assert {wrong for wrong, _ in await found(casino.bank)} == {Wrong.DOCUMENT, Wrong.CAUSE}


async def test_rounds_of_tournaments_are_dealt_again(tmp_path: Path, new_bank: NewBank) -> None:
    async with opened(new_bank(tmp_path / "bank.db")) as casino:
        await at_a_tournament(casino)
        await dealt_again_and_changed(casino.bank)
