"""Texts that people type into the form for a stake."""

from __future__ import annotations

import pytest

from cogs.table.stake_form import StakeForm, typed
from cogs.words.refusals import Sorry
from engine.games.contract import CHIP

from ..pages.scenes import before, person, stakes

BALANCE, LARGEST = 1_000 * CHIP + 50, 10_000 * CHIP


@pytest.mark.parametrize(
    ("text", "stake"),
    [
        ("50", 50),
        (" 50 ", 50),
        ("1,000", 1_000),
        ("1 000", 1_000),
        ("1\u202f000", 1_000),
        ("1'000'000", 1_000_000),
        ("٥٠", 50),
        ("５０", 50),
        ("0", 0),  # the table says what is wrong with it
        ("all", 1_000),
        ("ALL ", 1_000),
        ("half", 500),
        ("moitié", 500),
        ("Tout", 1_000),
        ("Hälfte", 500),
        ("alles", 1_000),
        ("mitad", 500),
        ("todo", 1_000),
        ("metade", 500),
        ("Tudo", 1_000),
    ],
)
def test_it_is_read_as_people_mean_it(text: str, stake: int) -> None:
    assert typed(text, BALANCE, LARGEST) == stake * CHIP


@pytest.mark.parametrize("word", ["all", "half"])
def test_all_and_half_stop_at_the_tables_limit(word: str) -> None:
    assert typed(word, 50_000 * CHIP, LARGEST) == LARGEST


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("1.5", "whole chips"),
        ("1,5", "whole chips"),
        ("-5", "bet must be positive"),
        ("−5", "bet must be positive"),
        ("-100x", "n't a number"),
        ("abc", "n't a number"),
        ("1e3", "n't a number"),
        ("0x10", "n't a number"),
        ("1,00", "whole chips"),
        ("10 chips", "n't a number"),
        ("", "Write a number of chips"),
        ("½", "n't a number"),
        (str(2**60), "Nobody has that many"),
        ("9" * 100, "Nobody has that many"),
    ],
)
def test_anything_else_gets_a_sentence(text: str, words: str) -> None:
    with pytest.raises(Sorry, match=words):
        typed(text, BALANCE, LARGEST)


def test_what_was_typed_comes_back_without_its_markup() -> None:
    with pytest.raises(Sorry) as sorry:
        typed("**@everyone**", BALANCE, LARGEST)
    assert "@everyone" not in str(sorry.value)


@pytest.mark.parametrize(
    ("balance", "hint"),
    [(1_000, "1 to 10,000, or half, or all; you have 1,000"), (1, "1 to 10,000; you have 1")],
)
def test_the_form_names_the_words_that_do_in_place_of_a_number(balance: int, hint: str) -> None:
    table = before("blackjack", "vegas", person(balance=balance), largest=10_000 * CHIP)
    assert StakeForm.of(table, table.sitters[0], "main").to_dict()["components"][0]["description"] == hint


@pytest.mark.parametrize(
    ("balance", "hint"),
    [
        (22, "20 staked there, 10,000 at most, or half, or all; you have 2"),
        (21, "20 staked there, 10,000 at most; you have 1"),
    ],
)
def test_where_a_stake_lies_the_form_says_so_and_names_half_only_if_half_is_a_stake(balance: int, hint: str) -> None:
    table = before("baccarat", "punto-banco", person(balance=balance, staked=stakes(20, "tie")), largest=10_000 * CHIP)
    form = StakeForm.of(table, table.sitters[0], "tie").to_dict()
    assert (form["title"], form["components"][0]["description"]) == ("Your bet on Tie", hint)
