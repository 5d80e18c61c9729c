"""Whole rounds of computer players under every rule set: they end, and chips are conserved."""

from __future__ import annotations

import hashlib

import pytest

from engine.fairness import shoe
from engine.games.blackjack import GAME, BlackjackRound
from engine.games.blackjack.players import PLAYERS, choose
from engine.games.contract import CHIP


@pytest.mark.parametrize("level", PLAYERS)
@pytest.mark.parametrize("name", GAME.rule_sets)
def test_computer_players_always_finish(name: str, level: str) -> None:
    rules = GAME.rule_sets[name]
    for number in range(60):
        seats = 1 + number % rules.most_seats
        seed = hashlib.sha256(f"{name}{level}{number}".encode()).digest()
        round = BlackjackRound(rules, [{"main": rules.fixed_stake or 10 * CHIP}] * seats, shoe(seed, (), rules.decks))
        while not round.over:
            seat = round.asked[0]
            round.apply(seat, choose(level, round, seat))
        for seat in range(seats):
            assert 0 <= round.settlement().returned(seat) <= 3 * round.settlement().staked(seat)
