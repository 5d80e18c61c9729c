"""Drills: which hands come next, and what an answer does."""

from __future__ import annotations

import json
import random
from collections.abc import Mapping

import pytest

from engine.coach import WhatToAsk
from engine.games.blackjack.rule_sets import CLASSIC, CTRL_ALT_BET, KITCHEN, RULE_SETS, VEGAS
from engine.games.blackjack.rules import BlackjackRules
from engine.solver import BadPosition
from engine.training.deals import UPS, Cell, DealtHand, any_deals, cell_of, cells, deals_of, rows, worth_of
from engine.training.drill import Drill, DrillKind, five, lost_at, narrowed, next_search
from engine.training.problems import TOSS_UP, Problem, Search


def below(seed: int = 1) -> random.Random:
    return random.Random(seed)


def asked(drill: Drill, chance: random.Random, lost: Mapping[Cell, float] | None = None) -> Problem:
    return WhatToAsk(next_search(drill, chance.randrange, lost)).answer()


def worst(problem: Problem) -> str:
    return min(problem.worths, key=lambda action: problem.worths[action])


def hand(worths: Mapping[str, float]) -> Problem:
    """A hard 16 against a ten."""
    return Problem(("Kh", "6d"), "Tc", worths, 0.6, {"17": 1.0})


# -- R15.1: a run ------------------------------------------------------------------------------------------------------


def test_r15_1_a_run_goes_on_up_to_0_3_percent_and_ends_above() -> None:
    drill = Drill(DrillKind.RUN, VEGAS).asking(hand({"hit": -0.5, "stand": -0.503, "surrender": -0.5031}))
    assert (drill.answered("hit").row, drill.answered("stand").row) == (1, 1)
    over = drill.answered("surrender")
    assert (over.row, over.was_right) == (0, False)


def test_r15_1_the_run_that_ended_and_the_best_one_are_kept() -> None:
    drill = Drill(DrillKind.RUN, VEGAS)
    for action in ("hit", "hit", "stand", "hit"):
        drill = drill.asking(hand({"hit": -0.5, "stand": -0.6})).answered(action)
    assert (drill.row, drill.best, drill.ended) == (1, 2, 0)


@pytest.mark.thinned
@pytest.mark.parametrize("name", RULE_SETS)
def test_r15_1_the_hands_of_a_run_grow_closer_from_15_percent_to_under_1(name: str) -> None:
    """Where the rules have no hand as close as that, the closest is asked, and never one without a better play."""
    chance, drill, gaps = below(), Drill(DrillKind.RUN, RULE_SETS[name]), list[float]()
    for _ in range(24):
        problem = asked(drill, chance)
        gaps.append(problem.gap)
        drill = drill.asking(problem).answered(problem.best)
    assert 0.04 < gaps[0] < 0.16
    assert min(gaps) > TOSS_UP
    assert sum(gaps[-6:]) < sum(gaps[:6]) / 2
    assert drill.row == drill.best == 24


def test_r15_1_a_long_run_is_asked_differences_of_less_than_a_percent() -> None:
    assert narrowed(0) == 0.15
    assert narrowed(17) == narrowed(100) == 0.01
    problem = asked(Drill(DrillKind.RUN, VEGAS, row=40), below(3))
    assert TOSS_UP < problem.gap <= 0.01


def test_r15_1_a_run_does_not_repeat_its_last_six_situations() -> None:
    chance, drill, seen = below(), Drill(DrillKind.RUN, KITCHEN), list[Cell]()
    for _ in range(12):
        drill = drill.asking(asked(drill, chance))
        seen.append(cell_of(KITCHEN, drill.asked.deal))  # type: ignore[union-attr]
    assert all(cell not in seen[max(0, place - 6) : place] for place, cell in enumerate(seen))


# -- R15.1: weak spots -------------------------------------------------------------------------------------------------


def test_r15_1_who_errs_at_soft_18_alone_is_mostly_asked_soft_18() -> None:
    lost = lost_at(VEGAS, [(DealtHand(("As", "7h"), "9d"), 300.0)])
    chance, drill = below(), Drill(DrillKind.SPOTS, VEGAS)
    found = [cell_of(VEGAS, asked(drill, chance, lost).deal) for _ in range(100)]
    soft = [cell for cell in found if cell.row == "soft 18"]
    assert 60 <= len(soft) < 90, "and other hands too"
    assert sum(cell.up == "9" for cell in soft) > 30
    assert len({cell.up for cell in soft}) > 5


def test_r15_1_what_cost_more_comes_more_often() -> None:
    lost = lost_at(VEGAS, [(DealtHand(("As", "7h"), "9d"), 900.0), (DealtHand(("Ts", "6h"), "9d"), 100.0)])
    chance, drill = below(), Drill(DrillKind.SPOTS, VEGAS)
    rows = [cell_of(VEGAS, asked(drill, chance, lost).deal).row for _ in range(100)]
    assert rows.count("soft 18") > 3 * rows.count("hard 16") > 0


def test_r15_1_without_graded_mistakes_weak_spots_are_any_hands() -> None:
    found = {cell_of(VEGAS, asked(Drill(DrillKind.SPOTS, VEGAS), below(seed)).deal).row for seed in range(12)}
    assert len(found) > 4


def test_a_mistake_at_a_row_that_these_rules_do_not_have_is_left_out() -> None:
    pair = DealtHand(("8s", "8h"), "6d")
    assert lost_at(VEGAS, [(pair, 5.0), (pair, 6.0)]) == {Cell("8,8", "6"): 11.0}
    assert lost_at(CTRL_ALT_BET, [(pair, 5.0)]) == {Cell("hard 16", "6"): 5.0}
    assert lost_at(VEGAS, [(DealtHand(("Ts", "5h", "5d"), "6d"), 5.0)]) == {}, "a hard 20 of two cards is a pair"
    assert five(VEGAS, ["hard 20 v 6", "hard 16 v 10"]).wanted == (Cell("hard 16", "10"),)


def test_where_only_equal_ranks_pair_two_other_tens_are_a_hard_20() -> None:
    cell = Cell("hard 20", "6")
    assert rows(CLASSIC).index("hard 20") == rows(CLASSIC).index("hard 19") + 1
    for seed in range(20):
        assert {cell_of(CLASSIC, deal) for deal in deals_of(CLASSIC, cell, random.Random(seed).randrange, 3)} == {cell}
    assert lost_at(CLASSIC, [(DealtHand(("Kh", "Qd"), "6s"), 5.0)]) == {cell: 5.0}


# -- R15.1: charts -----------------------------------------------------------------------------------------------------


def test_r15_1_a_cell_is_known_once_it_was_right_and_asked_again_once_it_was_wrong() -> None:
    chance, drill = below(), Drill(DrillKind.CHARTS, CTRL_ALT_BET)
    first = asked(drill, chance)
    drill = drill.asking(first).answered(first.best)
    assert drill.charted == (1, 260)
    drill = drill.asking(first).answered(worst(first))
    assert drill.charted == (0, 260)


def test_r15_1_the_charts_ask_every_cell_that_is_not_known() -> None:
    every = cells(CTRL_ALT_BET)
    left = every.index(Cell("soft 18", "9"))
    drill = Drill(DrillKind.CHARTS, CTRL_ALT_BET, known=frozenset(range(260)) - {left})
    problem = asked(drill, below())
    assert cell_of(CTRL_ALT_BET, problem.deal) == Cell("soft 18", "9")
    drill = drill.asking(problem).answered(problem.best)
    assert drill.charted == (260, 260)
    assert asked(drill, below()).worths, "it goes on with any cell"


# -- hands -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", RULE_SETS)
def test_every_cell_has_hands_and_each_of_them_is_of_that_cell(name: str) -> None:
    rules, chance = RULE_SETS[name], below()
    for cell in cells(rules):
        for deal in deals_of(rules, cell, chance.randrange, 3):
            assert cell_of(rules, deal) == cell
            assert len({*deal.hand, deal.up}) == 3


def test_hands_by_chance_are_longer_where_a_card_could_not_hurt() -> None:
    """One in five has a third card or more, and each further one was drawn to eleven or less."""
    hands = [deal.hand for deal in any_deals(VEGAS, below().randrange, 2_000)]
    drawn = [worth_of(VEGAS, hand[:-1]).total for hand in hands if len(hand) > 3]
    assert max(drawn) == 11
    assert 0.18 < sum(len(hand) > 2 for hand in hands) / len(hands) < 0.26


@pytest.mark.parametrize("name", RULE_SETS)
def test_hands_by_chance_act_and_no_card_lies_there_more_often_than_there_are_decks(name: str) -> None:
    rules = RULE_SETS[name]
    found = any_deals(rules, below().randrange, 400, but=[Cell("hard 16", "10")])
    assert len({len(deal.hand) for deal in found}) > 2
    for hand, up in found:
        assert worth_of(rules, hand).total < 21
        assert max([*hand, up].count(card) for card in (*hand, up)) <= rules.decks
        assert cell_of(rules, DealtHand(hand, up)) != Cell("hard 16", "10")


def test_a_search_takes_the_first_hand_that_fits_else_the_closest() -> None:
    deals = [DealtHand(("Ts", "9h"), "6d"), DealtHand(("As", "7h"), "9d"), DealtHand(("Ts", "6h"), "Td")]
    gaps = [Search(VEGAS, [deal]).found().gap for deal in deals]
    assert Search(VEGAS, deals, gaps[1] - 1e-9, gaps[1] + 1e-9).found().deal == deals[1]
    assert Search(VEGAS, deals, 0.9, 1.0).found().deal == max(zip(gaps, deals, strict=True))[1]


@pytest.mark.parametrize("other", [DealtHand(("As", "7h"), "9d"), DealtHand(("Ts", "4h", "6c"), "6d")])
def test_r15_1_where_no_hand_fits_a_toss_up_is_asked_only_if_there_is_nothing_else(other: DealtHand) -> None:
    toss_up = DealtHand(("Ts", "2h"), "4d")
    assert Search(VEGAS, [toss_up]).found().gap <= TOSS_UP
    assert Search(VEGAS, [toss_up, other], 0.005, 0.01).found().deal == other
    assert Search(VEGAS, [toss_up], 0.005, 0.01).found().deal == toss_up


def test_a_hand_without_a_choice_is_never_asked() -> None:
    with pytest.raises(BadPosition):
        Search(BlackjackRules(), []).found()


# -- stored ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", DrillKind)
@pytest.mark.parametrize("name", RULE_SETS)
def test_a_drill_is_read_as_it_was_stored_in_less_than_a_kilobyte(kind: DrillKind, name: str) -> None:
    chance, drill = below(), Drill(kind, RULE_SETS[name])
    for _ in range(8):
        problem = asked(drill, chance)
        drill = drill.asking(problem).answered(problem.best)
    drill = drill.asking(asked(drill, chance))
    stored = json.dumps(drill.as_json(), separators=(",", ":"))
    assert len(stored) < 1_000
    again = Drill.from_json(kind, json.loads(stored))
    assert again.as_json() == drill.as_json()
    assert (again.rules, again.row, again.best, again.known) == (drill.rules, 8, 8, drill.known)
    assert again.asked is not None
    assert again.asked.best == drill.asked.best  # type: ignore[union-attr]


def test_the_up_cards_of_a_chart_are_those_of_the_solver() -> None:
    from engine.solver.charting import COLUMNS

    assert UPS == COLUMNS


def test_the_rows_of_a_chart_stand_as_on_paper() -> None:
    found = rows(VEGAS)
    assert (found[0], found[-3:]) == ("hard 5", ("9,9", "10,10", "A,A"))
