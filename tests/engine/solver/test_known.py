"""The solver refuses rules that it was not taught."""

from __future__ import annotations

from dataclasses import dataclass, fields

import pytest

from engine.games.blackjack.rule_sets import RULE_SETS, VEGAS
from engine.games.blackjack.rules import BlackjackRules
from engine.solver import Position, UnknownRule, decision, game, level_values, rule_worths
from engine.solver.known import SOLVED, WITHOUT_EFFECT, one_seat


@dataclass(frozen=True)
class Novelty(BlackjackRules):
    five_cards_win: bool = False


@pytest.mark.parametrize("ask", [game, level_values, rule_worths])
def test_a_field_that_the_solver_does_not_know_makes_it_refuse(ask: object) -> None:
    assert callable(ask)
    with pytest.raises(UnknownRule, match="the solver does not know five_cards_win=False"):
        ask(Novelty())
    with pytest.raises(UnknownRule):
        decision(Novelty(), Position.fresh(VEGAS, ("A", "7"), "6"))


def test_every_field_is_known_by_name() -> None:
    assert {field.name for field in fields(BlackjackRules)} == SOLVED.keys() | WITHOUT_EFFECT


@pytest.mark.parametrize("name", RULE_SETS)
def test_one_seat_plays_the_same_game(name: str) -> None:
    alone = one_seat(RULE_SETS[name])
    assert alone.most_seats == 1
    assert {field: getattr(alone, field) for field in SOLVED} == {
        field: getattr(RULE_SETS[name], field) for field in SOLVED
    }
