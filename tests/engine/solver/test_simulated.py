"""Rounds of the engine, played as the solver says, come out at what the solver says they are worth."""

from __future__ import annotations

import random
import statistics
from collections.abc import Iterator

import pytest

from engine.games.blackjack.actions import DECLINE, INSURE
from engine.games.blackjack.players import choose
from engine.games.blackjack.round import BlackjackRound
from engine.games.blackjack.rule_sets import RULE_SETS
from engine.games.blackjack.rules import BlackjackRules
from engine.games.cards import PACK
from engine.games.computer import Level
from engine.games.contract import CHIP
from engine.solver import Position, decision, game, level_values
from engine.solver.solving import CHARTED


def best(round: BlackjackRound) -> str:
    solved = decision(round.rules, Position.of_round(round, 0))
    if round.acting is None:
        return INSURE if (solved.insurance or 0) > 0 else DECLINE
    return solved.best


def results(rules: BlackjackRules, rounds: int, level: str | None = None) -> Iterator[float]:
    """Return what a stake of 1 won or lost, round by round; the shuffles are always the same."""
    shuffle = random.Random(f"{rules} {rounds}")
    shoe = list(PACK * rules.decks)
    for _ in range(rounds):
        shuffle.shuffle(shoe)
        round = BlackjackRound(rules, [{"main": CHIP}], tuple(shoe[:60]))
        while not round.over:
            round.apply(0, choose(level, round, 0) if level else best(round))
        yield round.settlement().net(0) / CHIP


def agree(found: list[float], value: float) -> bool:
    error = statistics.stdev(found) / len(found) ** 0.5
    return abs(statistics.fmean(found) - value) < 3 * error


@pytest.mark.thinned
@pytest.mark.parametrize("name", RULE_SETS)
def test_best_play_comes_out_at_the_games_value(name: str) -> None:
    assert agree(list(results(RULE_SETS[name], 500)), game(RULE_SETS[name]).value)


@pytest.mark.parametrize("name", RULE_SETS)
def test_every_level_has_a_value_and_none_a_better_one_than_the_perfect(name: str) -> None:
    values = level_values(RULE_SETS[name])
    assert values.keys() == set(Level)
    assert values[Level.PERFECT] == game(RULE_SETS[name]).value == max(values.values())


@pytest.mark.thinned
@pytest.mark.parametrize("level", CHARTED)
@pytest.mark.parametrize("name", RULE_SETS)
def test_levels_come_out_at_their_value(name: str, level: str) -> None:
    assert agree(list(results(RULE_SETS[name], 2_000, level)), level_values(RULE_SETS[name])[level])


@pytest.mark.long
@pytest.mark.parametrize("name", RULE_SETS)
def test_best_play_comes_out_at_the_games_value_in_many_rounds(name: str) -> None:
    assert agree(list(results(RULE_SETS[name], 300_000)), game(RULE_SETS[name]).value)


@pytest.mark.long
@pytest.mark.parametrize("level", CHARTED)
@pytest.mark.parametrize("name", RULE_SETS)
def test_levels_come_out_at_their_value_in_many_rounds(name: str, level: str) -> None:
    assert agree(list(results(RULE_SETS[name], 1_000_000, level)), level_values(RULE_SETS[name])[level])
