"""Counting: the cards, the two questions, and what a right exercise brings."""

from __future__ import annotations

import json
import random

import pytest

from engine.training.counting import CHOICES, Count, CountQuestion, worth

CARDS = ["2s", "3h", "4d", "5c", "6s", "7h", "8d", "9c", "Ts", "Jh", "Qd", "Kc", "As"]


def dealt(seed: int = 1, **more: int) -> Count:
    return Count(6, **more).dealt(random.Random(seed).randrange)


def to_the_question(count: Count) -> Count:
    while count.asks is None:
        count = count.turned()
    return count


def test_r15_2_low_cards_count_one_and_high_cards_minus_one() -> None:
    assert [worth([card]) for card in CARDS] == [1] * 5 + [0] * 3 + [-1] * 5


def test_r15_2_each_press_shows_the_next_cards_then_both_counts_are_asked() -> None:
    count, seen = dealt(), list[str]()
    while count.asks is None:
        seen += count.handful
        count = count.turned()
    assert tuple(seen) == count.cards
    assert count.asks is CountQuestion.RUNNING
    count = count.answered(count.running)
    assert count.asks is CountQuestion.TRUE
    count = count.answered(count.true)
    assert count.over
    assert count.is_right
    assert (count.row, count.best) == (1, 1)


def test_r15_2_an_exercise_begins_with_a_count_above_or_below_zero() -> None:
    assert {dealt(seed).carried for seed in range(200)} >= set(range(-8, 9))


@pytest.mark.parametrize("decks", range(1, 9))
def test_what_was_seen_before_what_is_shown_and_what_is_left_are_the_cards_of_the_decks(decks: int) -> None:
    for row in range(0, 30, 3):
        count = Count(decks, row=row).dealt(random.Random(row).randrange)
        left = 26 * count.halves
        before = 52 * decks - len(count.cards) - left
        assert before >= abs(count.carried)
        assert left >= abs(count.running), "what is left brings the count back to zero"


@pytest.mark.parametrize("seed", range(40))
def test_r15_2_both_answers_are_among_the_choices_and_the_true_count_is_no_doubtful_case(seed: int) -> None:
    count = to_the_question(dealt(seed))
    assert count.running == count.carried + worth(count.cards)
    assert len(count.choices) == CHOICES
    assert count.running in count.choices
    exactly = 2 * count.running / count.halves
    assert abs(exactly - count.true) < 0.4
    assert count.true in count.answered(count.running).choices
    assert 1 <= count.halves <= 2 * count.decks - 2, "a deck and more is gone"


def test_r15_2_the_right_answer_is_at_any_place_of_the_choices() -> None:
    places = {to_the_question(dealt(seed)).choices.index(to_the_question(dealt(seed)).running) for seed in range(40)}
    assert places == set(range(CHOICES))


def test_r15_2_a_wrong_running_count_ends_the_exercise_and_the_row() -> None:
    count = to_the_question(dealt(row=4, best=7))
    over = count.answered(count.running + 1)
    assert over.over
    assert over.asks is None
    assert (over.row, over.best, over.ended) == (0, 7, 4)


def test_r15_2_a_wrong_true_count_ends_the_row_too() -> None:
    count = to_the_question(dealt(row=4, best=4))
    over = count.answered(count.running).answered(count.true - 1)
    assert (over.over, over.is_right, over.row, over.ended) == (True, False, 0, 4)


def test_r15_2_handfuls_grow_with_the_row() -> None:
    assert [len(dealt(row=row).handful) for row in (0, 3, 9, 90)] == [3, 4, 6, 8]
    one_deck = Count(1, row=90).dealt(random.Random(1).randrange)
    assert len(one_deck.handful) == 5, "half a deck is left"


@pytest.mark.parametrize("decks", [1, 2, 6, 8])
def test_an_exercise_is_read_as_it_was_stored(decks: int) -> None:
    count = Count(decks).dealt(random.Random(5).randrange).turned()
    stored = json.dumps(count.as_json())
    assert len(stored) < 1_000
    assert Count.from_json(json.loads(stored)) == count
    assert 1 <= count.halves <= 2 * decks
    assert max(count.cards.count(card) for card in count.cards) <= decks
