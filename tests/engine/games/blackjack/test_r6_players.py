"""R6: how computer players play."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from engine.games.blackjack import GAME, chart
from engine.games.blackjack.notation import round_of
from engine.games.blackjack.players import PLAYERS, choose
from engine.games.blackjack.worth import POINTS
from engine.games.computer import DEFAULT_LEVEL, NAMES, Level, fresh_names
from engine.games.contract import BOTTOMLESS, CHIP

FILE = Path(chart.__file__).with_name("expert_chart.csv")

with FILE.open(encoding="utf-8", newline="") as _file:
    HEAD, *ROWS = csv.reader(_file)

#: Two-card hands, and longer ones, that each row is about.
HANDS = {
    "hard 17-21": ["T 7", "T 8", "T 9", "T 5 | hit 5"],
    "hard 16": ["T 6", "9 7", "T 2 | hit 4"],
    "hard 15": ["T 5", "8 7", "T 2 | hit 3"],
    "hard 14": ["T 4", "8 6", "T 2 | hit 2"],
    "hard 13": ["T 3", "7 6", "A 2 | hit K"],
    "hard 12": ["T 2", "7 5", "4 2 | hit 6"],
    "hard 11": ["9 2", "6 5"],
    "hard 10": ["8 2", "6 4"],
    "hard 9": ["7 2", "5 4"],
    "hard 5-8": ["3 2", "4 2", "5 2", "5 3"],
    "A,8-A,10": ["A 8", "A 9", "A 3 | hit 5"],
    "A,7": ["A 7"],
    "A,6": ["A 6"],
    "A,5": ["A 5"],
    "A,4": ["A 4"],
    "A,3": ["A 3"],
    "A,2": ["A 2"],
    "A,A and 8,8": ["A A", "8 8"],
    "10,10": ["T T", "J K"],
    "9,9": ["9 9"],
    "7,7": ["7 7"],
    "6,6": ["6 6"],
    "5,5": ["5 5"],
    "4,4": ["4 4"],
    "3,3": ["3 3"],
    "2,2": ["2 2"],
}


#: The table of the first source, against 2 to 10 and ace.
SOURCE = {
    "hard 17-21": "SSSSSSSSSS",
    "hard 16": "SSSSSHHHHH",
    "hard 15": "SSSSSHHHHH",
    "hard 14": "SSSSSHHHHH",
    "hard 13": "SSSSSHHHHH",
    "hard 12": "HHSSSHHHHH",
    "hard 11": "DDDDDDDDDH",
    "hard 10": "DDDDDDDDDH",
    "hard 9": "HDDDHHHHHH",
    "hard 5-8": "HHHHHHHHHH",
    "A,8-A,10": "SSSSSSSSSS",
    "A,7": "SDDDDSSHHH",
    "A,6": "HDDDDHHHHH",
    "A,5": "HHDDDHHHHH",
    "A,4": "HHDDDHHHHH",
    "A,3": "HHHDDHHHHH",
    "A,2": "HHHDDHHHHH",
    "A,A and 8,8": "PPPPPPPPPP",
    "10,10": "SSSSSSSSSS",
    "9,9": "PPPPPSPPSS",
    "7,7": "PPPPPPHHHH",
    "6,6": "PPPPPHHHHH",
    "5,5": "DDDDDDDDHH",
    "4,4": "HHHPPHHHHH",
    "3,3": "PPPPPPHHHH",
    "2,2": "PPPPPPHHHH",
}


def choice(level: str, line: str, purse: int = BOTTOMLESS) -> str:
    """Return what the player does at the end of the line."""
    round = round_of(line)
    action = choose(level, round, round.asked[0], purse)
    assert round.refusal(round.asked[0], action, purse) is None
    return action


def at_table(rules: str, cards: str, up: str) -> str:
    """A line where this hand is asked: insurance declined, the dealer without a natural."""
    dealt, *hits = cards.split(" | ")
    up = up.replace("10", "T")
    declined = ["decline"] if GAME.rule_sets[rules].insurance and up == "A" else []
    return " | ".join([f"{rules} stake 10", f"{dealt} / {up} 5", *declined, *hits])


def test_the_chart_has_every_row() -> None:
    assert [row[0] for row in ROWS] == list(HANDS)
    assert HEAD == ["hand", "2", "3", "4", "5", "6", "7", "8", "9", "10", "A"]


def test_r6_3_the_chart_is_the_sources_own() -> None:
    """Copied by hand, so that a slip in the file is found: Hit, Stand, Double, Pair."""
    assert {row[0]: "".join(play[0].upper() for play in row[1:]) for row in ROWS} == SOURCE


@pytest.mark.parametrize("row", ROWS, ids=[row[0] for row in ROWS])
def test_r6_3_expert_plays_every_cell(row: list[str]) -> None:
    for up, play in zip(HEAD[1:], row[1:], strict=True):
        for cards in HANDS[row[0]]:
            expected = "split" if play == "pair" else play
            assert choice("expert", at_table("vegas", cards, up)) == expected, (cards, up)


@pytest.mark.parametrize("row", ROWS, ids=[row[0] for row in ROWS])
def test_r4_3_pair_means_swap_at_a_table_that_swaps(row: list[str]) -> None:
    for up, play in zip(HEAD[1:], row[1:], strict=True):
        for cards in HANDS[row[0]]:
            expected = "swap" if play == "pair" else play
            assert choice("expert", at_table("original", cards, up)) == expected, (cards, up)


@pytest.mark.parametrize(
    ("line", "action"),
    [
        ("vegas stake 10 | 2 3 / 6 ? | hit 6", "hit"),  # hard 11 of three cards
        ("vegas stake 10 | A 2 / 5 ? | hit 5", "stand"),  # A,7 of three cards
        ("vegas stake 10 | A 2 / 5 ? | hit 4", "hit"),  # A,6 of three cards
        ("kitchen stake 10 | 6 5 / 6 ?", "hit"),
        ("kitchen stake 10 | A 7 / 6 ?", "stand"),
        ("kitchen stake 10 | 5 5 / 6 ?", "hit"),
        ("kitchen stake 10 | 8 8 / 6 ?", "stand"),  # a pair becomes the play of its total
        ("kitchen stake 10 | 8 8 / 7 ?", "hit"),
        ("kitchen stake 10 | 9 9 / 6 ?", "stand"),
        ("kitchen stake 10 | 7 7 / 6 ?", "stand"),
        ("kitchen stake 10 | 6 6 / 2 ?", "hit"),
        ("kitchen stake 10 | 6 6 / 4 ?", "stand"),
        ("kitchen stake 10 | 4 4 / 5 ?", "hit"),
        ("kitchen stake 10 | 3 3 / 5 ?", "hit"),
        ("kitchen stake 10 | 2 2 / 5 ?", "hit"),
        ("kitchen stake 10 | A A / 5 ?", "hit"),
        ("kitchen stake 10 | A A / 5 ? | hit 5", "stand"),  # no ace is left to fall: a hard 17
        ("original stake 10 | 8 8 / 6 ? | swap 8", "stand"),
        ("original stake 10 | A A / 6 ? | swap A", "hit"),
        ("classic stake 10 | 8 8 / 6 ? | split 8", "stand"),  # no third hand
        ("classic stake 10 | A A / 6 ? | split A", "hit"),
    ],
)
def test_r6_3_expert_where_the_play_is_not_allowed(line: str, action: str) -> None:
    assert choice("expert", line) == action


@pytest.mark.parametrize(
    ("cards", "up", "action"),
    [
        ("6 5", "6", "hit"),
        ("A 7", "6", "stand"),
        ("A 6", "6", "hit"),
        ("8 8", "6", "stand"),
        ("8 8", "T", "hit"),
        ("A A", "6", "hit"),
        ("2 2", "6", "hit"),
        ("9 9", "6", "stand"),
        ("4 4", "6", "hit"),
    ],
)
def test_r6_3_expert_where_the_play_is_not_affordable(cards: str, up: str, action: str) -> None:
    assert choice("expert", f"vegas stake 10 | {cards} / {up} 5", purse=10 * CHIP - 1) == action


@pytest.mark.parametrize(
    ("cards", "action"),
    [
        ("T 6", "hit"),
        ("T 7", "stand"),
        ("A 5", "hit"),
        ("A 6", "stand"),
        ("8 8", "hit"),
        ("A A", "hit"),
        ("6 5", "hit"),
        ("9 9", "stand"),
    ],
)
@pytest.mark.parametrize("up", ["2", "6", "T"])
def test_r6_1_amateur_hits_under_17_and_nothing_else(cards: str, action: str, up: str) -> None:
    assert choice("amateur", f"vegas stake 10 | {cards} / {up} 5") == action


@pytest.mark.parametrize(
    ("cards", "up", "action"),
    [
        ("T 6", "6", "stand"),
        ("T 6", "7", "hit"),
        ("T 2", "3", "hit"),
        ("T 2", "4", "stand"),
        ("T 7", "T", "stand"),
        ("6 5", "T", "double"),
        ("6 5", "A", "hit"),
        ("6 4", "T", "double"),
        ("6 4", "A", "hit"),
        ("5 5", "T", "double"),  # a hard 10, where the chart's 5,5 hits
        ("5 4", "4", "hit"),  # never doubled
        ("A 6", "5", "hit"),
        ("A 2", "5", "hit"),
        ("A 7", "T", "stand"),
        ("A 7", "5", "stand"),
        ("A 8", "6", "stand"),
        ("A A", "T", "split"),
        ("8 8", "T", "split"),
        ("9 9", "6", "stand"),
        ("7 7", "6", "stand"),
        ("6 6", "2", "hit"),
        ("4 4", "5", "hit"),
        ("3 3", "5", "hit"),
        ("2 2", "5", "hit"),
        ("T T", "6", "stand"),
        ("3 3 | hit 5", "5", "hit"),  # hard 11 of three cards
    ],
)
def test_r6_2_intermediate(cards: str, up: str, action: str) -> None:
    assert choice("intermediate", at_table("vegas", cards, up)) == action


@pytest.mark.parametrize(
    ("line", "action"),
    [
        ("kitchen stake 10 | 8 8 / 6 ?", "stand"),
        ("kitchen stake 10 | 8 8 / T 5", "hit"),
        ("kitchen stake 10 | A A / 6 ?", "hit"),
        ("kitchen stake 10 | 6 5 / 6 ?", "hit"),
        ("original stake 10 | 8 8 / 6 ?", "swap"),
        ("original stake 10 | A A / 6 ?", "swap"),
    ],
)
def test_r6_2_intermediate_at_other_tables(line: str, action: str) -> None:
    assert choice("intermediate", line) == action


@pytest.mark.parametrize("level", PLAYERS)
def test_r6_5_nobody_here_insures_or_surrenders(level: str) -> None:
    assert choice(level, "vegas stake 10 | T 6 / A ?") == "decline"
    assert choice(level, "vegas stake 10 | A K / A ?") == "decline"
    assert choice(level, "vegas stake 10 | T 6 / T 9") == "hit"


@pytest.mark.parametrize("level", PLAYERS)
@pytest.mark.parametrize("up", [card + "d" for card in "23456789T"])
def test_computer_players_do_not_know_the_hole_card(level: str, up: str) -> None:
    for cards in ("T 6", "T 2", "A 7", "8 8", "5 5", "9 9"):
        choices = {choice(level, f"original stake 10 | {cards} / {up} {hole}") for hole in "23456789TA"}
        assert len(choices) == 1


def test_levels() -> None:
    """`perfect` joins with the solver."""
    assert {Level.AMATEUR, Level.INTERMEDIATE, Level.EXPERT} <= set(PLAYERS)
    assert DEFAULT_LEVEL in PLAYERS


def test_r6_6_names() -> None:
    assert len(set(NAMES)) == len(NAMES) >= 7
    assert fresh_names(3, ()) == NAMES[:3]
    assert fresh_names(3, {NAMES[0], NAMES[2], None}) == (NAMES[1], NAMES[3], NAMES[4])


def test_every_card_has_a_column() -> None:
    for rows in (chart.expert().hard, chart.expert().soft, chart.expert().pairs):
        for row in rows.values():
            assert set(row) == set(POINTS)
