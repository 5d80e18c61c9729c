"""Work, not time: what is legal is worked out once a situation, and looked up from then on."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from dataclasses import replace
from random import Random

import pytest

from engine.games.blackjack import GAME, legality
from engine.games.blackjack.hand import Situation
from engine.games.blackjack.legality import legality_of
from engine.games.blackjack.players import choose
from engine.games.blackjack.rules import BlackjackRules
from engine.games.cards import PACK
from engine.games.computer import Level
from engine.games.contract import Refusal

#: The most situations of lone players who split up to four hands: few enough to be known soon.
MOST_SITUATIONS = 24


def play(rounds: int, seed: int) -> None:
    dice, pack = Random(seed), list(PACK) * 6
    for _ in range(rounds):
        dice.shuffle(pack)
        round = GAME.deal(GAME.rule_sets["vegas"], [{"main": 10_00}], tuple(pack[:60]))
        while round.asked:
            round.legal(0)
            round.apply(0, choose(Level.EXPERT, round, 0))


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[Situation]:
    """Return the questions that the rules were asked about doubling."""
    found: list[Situation] = []
    question = legality.QUESTIONS["double"]

    def noted(rules: BlackjackRules, situation: Situation) -> Refusal | None:
        found.append(situation)
        return question(rules, situation)

    questions: dict[str, Callable[[BlackjackRules, Situation], Refusal | None]] = {
        **legality.QUESTIONS,
        "double": noted,
    }
    monkeypatch.setattr(legality, "QUESTIONS", questions)
    legality_of.cache_clear()
    return found


def test_the_rules_are_asked_once_a_situation(asked: list[Situation]) -> None:
    play(300, seed=1)
    assert 4 < len(asked) <= MOST_SITUATIONS
    assert len(set(asked)) == len(asked)


def test_rounds_like_those_before_ask_the_rules_nothing(asked: list[Situation]) -> None:
    play(300, seed=1)
    asked.clear()
    play(300, seed=1)
    assert asked == []


def test_equal_rules_share_a_law_also_where_they_come_from_another_process() -> None:
    rules = GAME.rule_sets["vegas"]
    assert legality_of(rules) is legality_of(replace(rules))
    told = pickle.dumps(rules)
    assert b"_hash" not in told  # which is another one there
    assert legality_of(pickle.loads(told)) is legality_of(rules)


def test_rules_are_hashed_once_and_not_with_every_round(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = replace(GAME.rule_sets["vegas"], most_seats=3)
    hashed = hash(rules)
    monkeypatch.setattr("engine.games.blackjack.rules._KINDS", {})  # what its hash is made of
    assert hash(rules) == hashed
