"""R6.4 at the table: perfect players play as the solver says, in a process of its own, and hold nobody up."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
from collections.abc import AsyncIterator
from dataclasses import dataclass

import pytest

from engine.coach import Coach, Thinker, thinking
from engine.fairness.replay import replay
from engine.fairness.thoughts import losses
from engine.fairness.verify import verify
from engine.games.blackjack.round import BlackjackRound
from engine.games.blackjack.rules import BlackjackRules
from engine.games.contract import BOTTOMLESS, CHIP, By, Cents, Round, Seat
from engine.solver import Decision, Position, decision
from engine.tables.orders import Contender, EliminationOrder, Order
from engine.tables.rebuilt import record_of, whole_record_of
from engine.tables.refused import Refused
from engine.tables.snapshot import Snapshot, TablePhase
from engine.tables.table import Table

from .conftest import ALICE, BOB, CHANNEL, GUILD, Casino, until
from .test_computer_players import last_round, stand


@pytest.fixture
async def coach(casino: Casino) -> AsyncIterator[Coach]:
    coach = Coach()
    casino.think = Thinker(coach)
    yield coach
    await coach.close()


async def moves(casino: Casino, table: Table) -> list[tuple[BlackjackRound, Seat, str]]:
    """Return the moves of computer players in the last round, each with the round as it was then."""
    stored = await last_round(casino, table)
    record = record_of(stored)
    found = []
    for place, step in enumerate(record.steps):
        if step.by is By.COMPUTER:
            before = replay(record, place, casino.cards(record.seed, record.mixed_in, 6))
            assert isinstance(before, BlackjackRound)
            found.append((before, step.seat, step.action))
    return found


def solved(before: BlackjackRound, seat: Seat) -> str:
    """Return what a perfect player does there."""
    says = decision(before.rules, Position.of_round(before, seat, BOTTOMLESS))
    if before.acting is None:
        assert says.insurance is not None
        return "insure" if says.insurance > 0 else "decline"
    return says.best


@pytest.mark.usefixtures("coach")
async def test_r6_4_sixteen_against_ten_is_surrendered(casino: Casino) -> None:
    table = await casino.open(computers=1, level="perfect")
    casino.cards.lay("5 9, T 6 / T 7")
    await casino.stake(table)
    await stand(casino, table)
    ((before, seat, action),) = await moves(casino, table)
    assert [card[0] for card in before.hands[seat][0].cards] == ["T", "6"]
    assert action == solved(before, seat) == "surrender"


@pytest.mark.parametrize(
    ("cards", "answer"),
    [("2 3, 4 5, 6 7, 2 8 / A 9", "insure"), ("T 9, K 8, Q 7, J 6 / A 9", "decline")],
    ids=["few tens seen", "many tens seen"],
)
@pytest.mark.usefixtures("coach")
async def test_r6_5_perfect_players_insure_where_it_pays_and_only_there(
    casino: Casino, cards: str, answer: str
) -> None:
    two_decks = BlackjackRules(decks=2, most_seats=4)
    member = await casino.member(ALICE)
    order = Order(casino.press(), GUILD, CHANNEL, "blackjack", "own", member, two_decks, computers=3, level="perfect")
    table = await casino.registry.open(order)
    casino.cards.lay(cards)
    await casino.stake(table)
    insurance = [move for move in await moves(casino, table) if move[0].acting is None]
    assert [action for *_, action in insurance] == [answer] * 3
    assert all(solved(before, seat) == action for before, seat, action in insurance)


@pytest.mark.usefixtures("coach")
async def test_r6_4_every_move_of_three_perfect_players_is_the_solvers(casino: Casino) -> None:
    table = await casino.open(computers=3, level="perfect")
    compared = set()
    for _ in range(8):
        await casino.stake(table)
        await stand(casino, table)
        for before, seat, action in await moves(casino, table):
            assert action == solved(before, seat)
            compared.add(action)
    assert {"hit", "stand"} < compared, "rounds with something to think about"


class Slow:
    """A mind that comes to its move when it is told to."""

    def __init__(self) -> None:
        self.asked = asyncio.Event()
        self.go = asyncio.Event()

    async def __call__(self, level: str, round: Round, seat: Seat, purse: Cents) -> str | None:
        self.asked.set()
        await self.go.wait()
        return "stand"


async def test_nobody_waits_for_a_player_that_thinks(casino: Casino) -> None:
    """Alice stands; while the perfect player behind her thinks, Bob sits down."""
    casino.think = slow = Slow()
    table = await casino.open(computers=1, level="perfect")
    casino.cards.lay("T 9, T 4 / T 7")
    await casino.stake(table)
    await casino.act(table, "stand")
    await asyncio.wait_for(slow.asked.wait(), 60)
    async with asyncio.timeout(60):
        await table.join(await casino.member(BOB), casino.press())
    slow.go.set()
    seen = await until(table, lambda seen: seen.phase is TablePhase.BETTING)
    assert seen.settlement is not None


async def test_a_thought_that_is_not_allowed_is_not_played(casino: Casino) -> None:
    async def foolish(level: str, round: Round, seat: Seat, purse: Cents) -> str | None:
        return "split"

    casino.think = foolish
    table = await casino.open(computers=1, level="perfect")
    casino.cards.lay("T 9, T 4 / 6 7 | 8")
    await casino.stake(table)
    await stand(casino, table)
    assert [action for *_, action in await moves(casino, table)] == ["stand"]  # 14 against 6, as the chart has it


async def test_a_coach_that_is_killed_while_it_thinks_costs_no_round(casino: Casino, coach: Coach) -> None:
    table = await casino.open(computers=3, level="perfect")
    await casino.stake(table)
    process = coach._process
    await stand(casino, table)
    process = process or coach._process
    if process is not None and process.returncode is None:
        os.kill(process.pid, signal.SIGKILL)
    await casino.stake(table)
    seen = await stand(casino, table)
    assert seen.settlement is not None


@dataclass(frozen=True)
class Impossible:
    """A question that the coach cannot answer for a reason of its own."""

    rules: BlackjackRules
    position: Position

    def answer(self) -> Decision:
        raise ZeroDivisionError


async def test_a_coach_that_fails_costs_no_round(
    casino: Casino, coach: Coach, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(thinking, "WhatIsBest", Impossible)
    table = await casino.open(computers=1, level="perfect")
    casino.cards.lay("T 9, T 4 / 6 7 | 8")
    await casino.stake(table)
    await stand(casino, table)
    assert [action for *_, action in await moves(casino, table)] == ["stand"]  # 14 against 6, as the chart has it
    assert "plays without thinking" in caplog.text


async def test_r7_perfect_players_play_out_an_elimination_table(casino: Casino, coach: Coach) -> None:
    told: list[tuple[str, str]] = []
    mind = Thinker(coach)

    async def heard(level: str, round: Round, seat: Seat, purse: Cents) -> str | None:
        action = await mind(level, round, seat, purse)
        if action is not None:
            told.append((level, action))
            assert isinstance(round, BlackjackRound)
            assert action == decision(round.rules, Position.of_round(round, seat, purse)).best
        return action

    casino.think = heard
    names = [Contender(computer=name, level="perfect") for name in ("Pip", "Trey", "Deuce")]
    players = (Contender(await casino.member(ALICE)), *names)
    order = EliminationOrder(casino.press(), GUILD, CHANNEL, "original", 100 * CHIP, players)
    table = await casino.registry.open_elimination(order)

    def over_or_mine(seen: Snapshot) -> bool:
        sitter = seen.sitter_of(ALICE)
        mine = sitter is not None and seen.legal and sitter.seat is not None and seen.legal[sitter.seat]
        return seen.phase is TablePhase.CLOSED or bool(seen.offers) or bool(mine)

    with contextlib.suppress(Refused):  # once she is out, the others play on without her
        while (seen := await until(table, over_or_mine, 60)).phase is not TablePhase.CLOSED:
            if seen.phase is TablePhase.BETTING:
                await table.stake(ALICE, {"main": seen.smallest}, casino.press())
            else:
                await casino.act(table, "stand")
    assert len(told) > 3


@pytest.mark.parametrize("how", ["in time", "too late"])
async def test_what_was_recorded_at_a_table_is_found_to_be_what_a_perfect_player_does(
    casino: Casino, coach: Coach, how: str
) -> None:
    """An honest round verifies even where the coach did not answer in time."""
    casino.think = Thinker(coach) if how == "in time" else None
    table = await casino.open(computers=2, level="perfect")
    for _ in range(3):
        await casino.stake(table)
        await stand(casino, table)
        record = whole_record_of(await last_round(casino, table))
        finding = verify(record, losses=losses(record))
        assert finding.holds, finding.checks
        assert finding.unchecked == ()
        assert how == "too late" or finding.by_chart == ()
