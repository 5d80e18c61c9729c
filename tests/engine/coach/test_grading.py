"""Grades are what one works out by hand: what a decision cost, what a round was worth before a card fell."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from pathlib import Path

import pytest

from engine.coach.grading import Grade, PlayedChoice, _is_close, graded, sitting
from engine.games import registry
from engine.games.blackjack.rule_sets import RULE_SETS
from engine.games.blackjack.rules import BlackjackRules, Double
from engine.games.contract import BOTTOMLESS, CHIP, By, Cents, Step
from engine.solver import game
from engine.solver.known import one_seat
from tests.cards import LaidOut

STAKE = 100 * CHIP
RICH = 10_000 * CHIP
VEGAS = RULE_SETS["vegas"]


def grade_of(
    cards: str,
    *actions: str,
    rules: BlackjackRules = VEGAS,
    purse: Cents | None = RICH,
    by: By = By.MEMBER,
    seats: int = 1,
    seat: int = 0,
) -> Grade:
    """The first seat's, after these actions of it; the others stand."""
    shuffle = LaidOut()
    shuffle.lay(cards)
    stakes = {"main": STAKE}
    dealt = registry.game("blackjack").deal(rules, [stakes] * seats, shuffle(b"seed", [], rules.decks))
    steps = [Step(seat, action, by) for action in actions]
    found = graded(sitting("blackjack", dealt, steps, purses(steps, purse), seat, stakes))
    assert found is not None
    return found


def purses(steps: Sequence[Step], purse: Cents | None) -> list[Cents | None]:
    return [purse for _ in steps]


def reference(up: str, first: str, second: str) -> dict[str, float]:
    """Return the answer of an independent solver: six decks, stands on 17, doubles after splits."""
    file = Path(__file__).parents[1] / "solver/reference/ev_6D_S17_DAS_SPL3_NRSA_peek_CDZ.csv"
    rows = csv.DictReader(line for line in file.read_text().splitlines() if not line.startswith("#"))
    (row,) = (row for row in rows if (row["up"], row["card1"], row["card2"]) == (up, first, second))
    return {name: float(row[name]) for name in ("stand", "hit", "double", "split") if row[name]}


def test_hitting_sixteen_against_six_gives_away_what_standing_was_better_by() -> None:
    worth = reference("6", "6", "10")
    grade = grade_of("T 6 / 6 ? | 2", "hit", "stand")
    lost = (worth["stand"] - worth["hit"]) * 100
    (mistake,) = grade.mistakes
    assert (mistake.choice.action, mistake.best) == ("hit", "stand")
    assert mistake.loss / CHIP == pytest.approx(lost, abs=1e-4)
    assert grade.given_away / CHIP == pytest.approx(lost, abs=1e-4)
    assert (grade.decisions, grade.right) == (2, 1)  # standing on 18 was right


def test_what_a_round_was_to_bring_is_the_games_worth_less_what_was_given_away() -> None:
    right, wrong = grade_of("T 6 / 6 ?", "stand"), grade_of("T 6 / 6 ? | 2", "hit", "stand")
    assert right.expected == pytest.approx(game(VEGAS).value * STAKE)
    assert right.expected / CHIP == pytest.approx(-0.330268, abs=1e-5)  # of 100 chips, as published
    assert wrong.expected == pytest.approx(right.expected - wrong.given_away)


def test_insuring_where_96_of_309_cards_are_tens_costs_a_little_over_three_of_a_hundred() -> None:
    grade = grade_of("9 7 / A 5", "insure", "surrender")
    by_hand = -(3 * 96 / 309 - 1) / 2 * 100
    insured, *_ = grade.mistakes
    assert (insured.choice.action, insured.best) == ("insure", "decline")
    assert insured.loss / CHIP == pytest.approx(by_hand)
    assert by_hand == pytest.approx(3.398, abs=1e-3)


def test_surrendering_twenty_gives_away_what_it_was_worth_and_half_the_stake() -> None:
    (mistake,) = grade_of("T K / 6 ?", "surrender").mistakes
    assert mistake.loss / CHIP == pytest.approx((reference("6", "10", "10")["stand"] + 0.5) * 100, abs=1e-4)


def test_what_could_not_be_paid_was_no_better_play() -> None:
    rich = grade_of("6 5 / 6 ? | 3 4", "hit", "hit")
    poor = grade_of("6 5 / 6 ? | 3 4", "hit", "hit", purse=STAKE - 1)
    assert rich.mistakes[0].best == "double"
    assert "double" not in {mistake.best for mistake in poor.mistakes}
    assert poor.given_away < rich.given_away


def test_where_nobody_knows_the_purse_nothing_is_called_a_mistake() -> None:
    grade = grade_of("6 5 / 6 ? | 3 4", "hit", "hit", purse=None)
    assert (grade.decisions, grade.mistakes, grade.given_away) == (0, (), 0.0)
    assert grade.expected == pytest.approx(game(VEGAS).value * STAKE)


def test_a_time_out_costs_what_standing_costs_and_is_no_decision() -> None:
    grade = grade_of("T 2 / T ?", "time", by=By.CLOCK)
    worth = reference("10", "2", "10")
    best = max(-0.5, *worth.values())
    assert grade.given_away / CHIP == pytest.approx((best - worth["stand"]) * 100, abs=1e-4)
    assert (grade.decisions, grade.mistakes) == (0, ())


def test_r0_5_silence_gives_away_what_standing_on_each_open_hand_would() -> None:
    """Eights are split against a six: eleven and ten stand, though both should be doubled."""
    silent = grade_of("8 8 / 6 ? | 3 2", "split", "time", by=By.CLOCK)
    by_hand = grade_of("8 8 / 6 ? | 3 2", "split", "stand", "stand")
    assert silent.given_away == pytest.approx(by_hand.given_away)
    assert silent.given_away / STAKE == pytest.approx(1.564, abs=1e-3)
    assert silent.expected == pytest.approx(by_hand.expected)
    assert (silent.decisions, by_hand.decisions) == (0, 3)


def test_a_half_that_is_twenty_one_is_not_asked_what_silence_makes_of_it() -> None:
    silent = grade_of("T T / 6 ? | A 5", "split", "time", by=By.CLOCK)
    by_hand = grade_of("T T / 6 ? | A 5", "split", "stand")
    assert silent.given_away == pytest.approx(by_hand.given_away)


@pytest.mark.parametrize("name", RULE_SETS)
def test_a_round_of_an_empty_purse_was_to_bring_what_its_best_play_is_short_of(name: str) -> None:
    """Eleven against a six would be doubled, if the chips were there: neither luck nor a mistake."""
    rules = one_seat(RULE_SETS[name])
    rich, poor = (grade_of("6 5 / 6 ? | 3 6", "hit", "stand", rules=rules, purse=purse) for purse in (RICH, 0))
    assert rich.expected is not None
    assert poor.expected == pytest.approx(rich.expected)
    assert poor.given_away <= rich.given_away
    assert (poor.given_away < rich.given_away) is (rules.double is not Double.NO)


def test_where_the_dealer_chases_and_others_sit_there_nobody_can_say_what_was_luck() -> None:
    kitchen = RULE_SETS["kitchen"]
    alone = grade_of("T 6 / 6 ? | 2", "hit", "stand", rules=kitchen)
    beside = grade_of("T 6, T 6 / 6 ? | 2", "hit", "stand", rules=kitchen, seats=2)
    assert alone.expected == pytest.approx(game(kitchen).value * STAKE - alone.given_away)
    assert beside.expected is None
    assert beside.decisions == 2


def test_where_all_actions_are_worth_the_same_there_was_no_decision() -> None:
    """All that can be paid is to decline: nothing to be right about."""
    grade = grade_of("9 7 / A 5", "decline", "surrender", purse=0)
    assert grade.decisions == 1  # to surrender or not


def test_only_ones_own_steps_are_graded() -> None:
    first = grade_of("T 6, T 6 / 6 ?", "stand", seats=2)
    assert first.decisions == 1


def test_a_coup_of_baccarat_is_worth_its_exact_edges() -> None:
    rules = registry.game("baccarat").rule_sets["punto-banco"]
    stakes = {"player": STAKE, "tie": 10 * CHIP}
    dealt = registry.game("baccarat").deal(rules, [stakes], LaidOut()(b"seed", [], rules.decks))
    grade = graded(sitting("baccarat", dealt, [], [], 0, stakes))
    assert grade is not None
    assert grade.expected / CHIP == pytest.approx(-(1.235081 + 1.4359629), abs=1e-5)
    assert (grade.decisions, grade.given_away) == (0, 0)


def war_of(answer: str, purse: Cents = BOTTOMLESS, by: By = By.MEMBER) -> Grade:
    """Two sevens, and this answer."""
    rules = registry.game("war").rule_sets["casino"]
    shuffle = LaidOut()
    shuffle.lay("7 7")
    stakes = {"main": STAKE}
    dealt = registry.game("war").deal(rules, [stakes], shuffle(b"seed", [], rules.decks))
    grade = graded(sitting("war", dealt, [Step(0, answer, by)], [purse], 0, stakes))
    assert grade is not None
    return grade


def test_a_silent_war_is_given_away_as_a_surrendered_one_is_and_is_no_decision() -> None:
    silent, surrendered = war_of("surrender", by=By.CLOCK), war_of("surrender")
    assert silent.given_away == surrendered.given_away > 0
    assert silent.expected == surrendered.expected
    assert (silent.decisions, surrendered.decisions) == (0, 1)


@pytest.mark.parametrize("by", [By.MEMBER, By.CLOCK])
def test_who_cannot_pay_for_a_war_gives_nothing_away_and_has_no_bad_luck_either(by: By) -> None:
    poor, rich = war_of("surrender", purse=STAKE - 1, by=by), war_of("surrender")
    assert (poor.given_away, poor.decisions) == (0, 0)
    assert poor.expected == rich.expected


@pytest.mark.parametrize(("answer", "right"), [("war", 1), ("surrender", 0)])
def test_to_surrender_a_war_is_the_mistake_that_the_edges_say(answer: str, right: int) -> None:
    """Surrenders alone cost half of 23 in 311 stakes; wars cost 2.877134 of a hundred, as is published."""
    grade = war_of(answer)
    assert (grade.decisions, grade.right) == (1, right)
    lost = 0.0 if right else (50 * 23 / 311 - 2.877134) / (23 / 311)
    assert grade.given_away / CHIP == pytest.approx(lost, abs=1e-3)


def test_rules_that_nobody_has_worked_out_have_no_grade(monkeypatch: pytest.MonkeyPatch) -> None:
    from engine.solver import known

    monkeypatch.setitem(known.SOLVED, "decks", range(1, 5))  # type: ignore[index]
    rules = BlackjackRules(decks=5)
    stakes = {"main": STAKE}
    dealt = registry.game("blackjack").deal(rules, [stakes], LaidOut()(b"seed", [], 5))
    assert graded(sitting("blackjack", dealt, [], [], 0, stakes)) is None


def test_a_choice_travels() -> None:
    import pickle

    (mistake, *_) = grade_of("T 6 / 6 ? | 2", "hit", "stand").mistakes
    assert pickle.loads(pickle.dumps(mistake)) == mistake
    assert isinstance(mistake.choice, PlayedChoice)


@pytest.mark.parametrize(("gap", "close"), [(0.0029, False), (0.003, True), (0.15, True), (0.1501, False)])
def test_r14_1_a_close_decision_differs_by_a_little_but_is_no_toss_up(gap: float, close: bool) -> None:  # noqa: FBT001
    assert _is_close({"hit": 0.0, "stand": -gap, "surrender": -0.5}) is close
