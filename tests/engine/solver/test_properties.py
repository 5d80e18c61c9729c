"""Properties that must hold of every position, whatever the rules."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import assume, given, reject, settings
from hypothesis import strategies as st

from engine.games.blackjack.rules import BlackjackRules, DealerDraws, Split
from engine.games.cards import RANKS
from engine.games.contract import BadRules
from engine.solver import BadPosition, Decision, Position, decision
from engine.solver.known import SOLVED
from engine.solver.position import PLAYS, worth_total

EXACT = {"rel": 0, "abs": 1e-11}
#: The most that a stake can come to: a split to four hands, each doubled.
MOST = {"stand": 1.5, "hit": 1.0, "double": 2.0, "split": 8.0, "swap": 2.0, "surrender": 0.5}


@st.composite
def all_rules(draw: st.DrawFn, **fixed: Any) -> BlackjackRules:
    choices = {name: draw(st.sampled_from(list(known))) for name, known in SOLVED.items()} | fixed
    try:
        return BlackjackRules(most_seats=1, **choices)
    except BadRules:
        reject()


@st.composite
def positions(
    draw: st.DrawFn, rules: BlackjackRules, hand: tuple[str, ...] | None = None, up: str | None = None
) -> Position:
    cards = hand or tuple(draw(st.lists(st.sampled_from(RANKS), min_size=2, max_size=4)))
    total = worth_total(rules, cards)
    assume(total is not None and total < 21)
    counts = tuple(draw(st.integers(0, 4 * rules.decks)) for _ in RANKS)
    return Position(cards, up or draw(st.sampled_from(RANKS)), counts)


def solved(rules: BlackjackRules, position: Position) -> Decision:
    try:
        return decision(rules, position)
    except BadPosition:
        reject()


@settings(max_examples=60)
@given(st.data())
def test_worths_and_chances_stay_within_their_bounds(data: st.DataObject) -> None:
    rules = data.draw(all_rules())
    position = data.draw(positions(rules))
    found = solved(rules, position)
    assert found.actions.keys() == set(position.legal(rules)) <= set(PLAYS)
    for action, worth in found.actions.items():
        assert -MOST[action] - 1e-9 <= worth <= MOST[action] + 1e-9
        assert found.loss(action) >= 0
    assert found.actions[found.best] == pytest.approx(max(found.actions.values()), **EXACT)
    assert 0 <= found.bust <= 1
    assert sum(found.dealer.values()) == pytest.approx(1, **EXACT)
    assert min(found.dealer.values()) >= 0


@settings(max_examples=40)
@given(st.data())
def test_a_higher_total_is_never_worse_to_stand_on(data: st.DataObject) -> None:
    rules = data.draw(all_rules(split=Split.NO))
    low, high = sorted(data.draw(st.lists(st.integers(2, 10), min_size=2, max_size=2)))
    base = data.draw(positions(rules, hand=("T", "2")))
    worths = [
        solved(rules, replace(base, hand=("T", "T" if pips == 10 else str(pips)))).actions["stand"]
        for pips in (low, high)
    ]
    assert worths[0] <= worths[1] + 1e-11


@settings(max_examples=30)
@given(st.data())
def test_a_hit_is_worth_the_mean_of_what_it_can_bring(data: st.DataObject) -> None:
    rules = data.draw(all_rules(split=Split.NO, dealer_looks=False, surrender=False))
    position = data.draw(positions(rules))
    unseen = sum(position.unseen)
    mean = 0.0
    hit = solved(rules, position).actions["hit"]
    for place, rank in enumerate(RANKS):
        if count := position.unseen[place]:
            hand = (*position.hand, rank)
            left = tuple(other - (index == place) for index, other in enumerate(position.unseen))
            mean += count / unseen * _best_on(rules, replace(position, hand=hand, unseen=left))
    assert hit == pytest.approx(mean, **EXACT)


def _best_on(rules: BlackjackRules, position: Position) -> float:
    """After a hit: 21 stands, over 21 is lost."""
    total = worth_total(rules, position.hand)
    if total is None:
        return -1.0
    actions = solved(rules, position).actions
    return actions["stand"] if total == 21 else max(actions["stand"], actions["hit"])


@settings(max_examples=30)
@given(st.data())
def test_a_card_that_nobody_sees_go_changes_nothing(data: st.DataObject) -> None:
    """Standing is worth the mean over every card that might be taken from the unseen ones unseen."""
    rules = data.draw(all_rules(dealer_looks=False, surrender=False))
    position = data.draw(positions(rules))
    assume(sum(position.unseen) > 30)
    mean = sum(
        count
        / sum(position.unseen)
        * solved(
            rules, replace(position, unseen=tuple(n - (place == gone) for place, n in enumerate(position.unseen)))
        ).actions["stand"]
        for gone, count in enumerate(position.unseen)
        if count
    )
    assert solved(rules, position).actions["stand"] == pytest.approx(mean, **EXACT)


@settings(max_examples=25)
@given(st.data())
def test_a_choice_more_is_never_worth_less(data: st.DataObject) -> None:
    rules = data.draw(all_rules(split=Split.NO, swap=False, dealer_looks=True))
    position = data.draw(positions(rules))
    best = max(solved(rules, position).actions.values())
    for richer in ({"swap": True}, {"surrender": True}):
        assert max(solved(replace(rules, **richer), position).actions.values()) >= best - 1e-11


@pytest.mark.parametrize(("tens", "worth"), [(6, -1 / 8), (9, 0), (18, 1 / 4)])
def test_insurance_pays_where_more_than_a_third_of_the_unseen_are_tens(tens: int, worth: float) -> None:
    unseen = (2,) * 9 + (tens - 3, 1, 1, 1)
    assert decision(BlackjackRules(), Position(("5", "9"), "A", unseen)).insurance == pytest.approx(worth)


def test_insurance_is_asked_of_two_first_cards_under_an_ace_where_it_is_offered() -> None:
    shoe = (8,) * 13
    assert decision(BlackjackRules(), Position(("5", "9"), "K", shoe)).insurance is None
    assert decision(BlackjackRules(), Position(("5", "4", "3"), "A", shoe)).insurance is None
    assert decision(BlackjackRules(insurance=False), Position(("5", "9"), "A", shoe)).insurance is None


def test_the_dealer_chances_are_those_of_each_rule() -> None:
    stands, hits = (
        decision(BlackjackRules(dealer_draws=draws), Position.fresh(BlackjackRules(), ("T", "6"), "6")).dealer
        for draws in (DealerDraws.STANDS_ON_17, DealerDraws.HITS_SOFT_17)
    )
    assert list(stands) == list(hits) == ["17", "18", "19", "20", "21", "bust"]
    assert hits["17"] < stands["17"]
    assert hits["bust"] > stands["bust"]
