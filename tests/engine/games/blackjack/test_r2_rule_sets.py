"""R2: the table of rule sets, and what cannot be."""

from __future__ import annotations

import json
import random
from dataclasses import FrozenInstanceError, fields, replace
from pathlib import Path
from typing import Any

import pytest

from engine.games.blackjack import GAME
from engine.games.blackjack.rule_sets import RULE_SETS, VEGAS
from engine.games.blackjack.rules import Ace, BlackjackRules, RulesFault, SplitAces, most_cards
from engine.games.blackjack.worth import POINTS
from engine.games.cards import PACK, Card
from engine.games.contract import BadRules

ROOT = Path(__file__).parents[4]
COLUMNS = ("vegas", "original", "classic", "kitchen", "four-seat", "ctrl-alt-bet")

#: R2's rows, field by field. Where the look has ended the round already, any verdict does.
TABLE = {
    "decks": (6, 6, 6, 1, 1, 6),
    "natural_pays": ("3:2", "3:2", "3:2", "1:1", "3:2", "3:2"),
    "natural_against_natural": ("push",) * 6,
    "natural_against_21": ("wins", "wins", "wins", "wins", "wins", "push"),
    "made_21_against_natural": ("loses", "push", "loses", None, None, "push"),
    "dealer_looks": (True, False, False, True, True, False),
    "dealer_draws": (*["stands on all 17s"] * 3, "chases", *["stands on all 17s"] * 2),
    "ace": ("normal", "normal", "normal", "one falls", "normal", "normal"),
    "double": ("first two cards", "first action", "first two cards", "no", "no", "no"),
    "split": ("equal value", "no", "equal rank", "no", "no", "no"),
    "split_hands": (4, None, 2, None, None, None),
    "split_aces": ("one card each", None, "play on", None, None, None),
    "swap": (False, True, False, False, False, False),
    "insurance": (True, False, True, False, False, False),
    "surrender": (True, False, False, False, False, False),
    "turns": (*["seat by seat"] * 4, "rotating", "seat by seat"),
    "most_seats": (7, 7, 7, 7, 4, 7),
    "computers_fill": (False, False, False, False, True, False),
    "fixed_stake": (0, 0, 0, 0, 100, 0),
    "stack": (0, 0, 0, 0, 1000, 0),
    "dealer_cards": ("in order",) * 6,
}
#: A field that is not listed is at its default in every rule set.
TABLE |= {field.name: (field.default,) * 6 for field in fields(BlackjackRules) if field.name not in TABLE}


#: The row of the rulebook's table that tells each field, where it is not the field's name in words.
ROWS = {
    "natural_pays": "a natural wins",
    "natural_against_natural": "natural against the dealer's natural",
    "natural_against_21": "natural against any other dealer 21",
    "made_21_against_natural": "your other 21 against the dealer's natural",
    "dealer_looks": "the dealer looks",
    "dealer_draws": "the dealer draws",
    "ace": "aces",
    "split_hands": "split",
    "split_aces": "split aces",
    "swap": "swap (R4)",
    "surrender": "late surrender",
    "most_seats": "seats",
    "computers_fill": "computer players take the free seats",
    "fixed_stake": "stakes",
    "stack": "stakes",
    "dealer_cards": "the dealer's cards come",
}
#: How it tells a value, where it is not the value's own word.
CELLS: dict[object, str] = {
    None: "",
    True: "yes",
    False: "no",
    "stands on all 17s": "to 17",
    "chases": "*chases* (R3)",
    "normal": "as usual",
    "one falls": "*one falls* (R3)",
    "first two cards": "any two cards",
    "rotating": "*rotating* (R5)",
}


def test_r2_the_rulebook_tells_every_field() -> None:
    """A new field has its row there, and every cell says what the rule set does."""
    page = (ROOT / "docs" / "rulebook.md").read_text("utf-8").partition("## R2 ")[2].partition("\n\n`vegas`")[0]
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in page.splitlines() if line.startswith("|")]
    assert [cell.strip("`") for cell in rows[0][1:]] == list(COLUMNS)
    told = {row[0]: row[1:] for row in rows[2:]}
    assert told.keys() == set(map(_row, TABLE)), (
        "each row of R2 tells a field; ROWS says which, where the row is not called as the field"
    )
    for field, values in TABLE.items():
        for value, cell in zip(values, told[_row(field)], strict=True):
            assert _cell(field, value) in cell, f"{field} is {value}, and the rulebook says {cell}"


def _row(field: str) -> str:
    return ROWS.get(field, field.replace("_", " "))


def _cell(field: str, value: object) -> str:
    if field in ("fixed_stake", "stack"):
        return "*fixed* (R5)" if value else "table limits"
    if field == "split_hands":
        return f"{value} hands" if value else ""
    return str(value) if type(value) is int else CELLS.get(value, str(value))


def test_r2_the_default_is_vegas() -> None:
    assert tuple(GAME.rule_sets) == COLUMNS
    assert BlackjackRules() == VEGAS


@pytest.mark.parametrize(("column", "name"), list(enumerate(COLUMNS)))
@pytest.mark.parametrize("field", TABLE)
def test_r2_every_cell(column: int, name: str, field: str) -> None:
    expected = TABLE[field][column]
    assert expected is None or RULE_SETS[name].as_json()[field] == expected


@pytest.mark.parametrize("name", COLUMNS)
def test_r2_rules_are_written_by_value_and_read_back(name: str) -> None:
    rules = RULE_SETS[name]
    assert BlackjackRules.from_json(json.loads(json.dumps(rules.as_json()))) == rules


def test_r2_a_field_left_out_has_its_default() -> None:
    assert BlackjackRules.from_json({}) == VEGAS
    assert BlackjackRules.from_json({"decks": 8}) == replace(VEGAS, decks=8)


def test_r2_rules_are_values() -> None:
    assert len({VEGAS, BlackjackRules(), RULE_SETS["classic"]}) == 2
    with pytest.raises(FrozenInstanceError):
        VEGAS.decks = 8  # type: ignore[misc]


def test_r2_choices_that_say_no_are_false() -> None:
    assert not RULE_SETS["kitchen"].double
    assert not RULE_SETS["kitchen"].split
    assert VEGAS.double
    assert VEGAS.split


@pytest.mark.parametrize(
    ("changes", "fault", "field"),
    [
        ({"dealer_looks": False}, RulesFault.SURRENDER_WITHOUT_LOOK, "surrender"),
        ({"swap": True}, RulesFault.SWAP_WITH_SPLIT, "swap"),
        ({"decks": 1}, RulesFault.SHOE_TOO_SMALL, "decks"),
        ({"decks": 2}, RulesFault.SHOE_TOO_SMALL, "decks"),
        ({"fixed_stake": 100}, RulesFault.FIXED_STAKE_WITHOUT_STACK, "stack"),
        ({"stack": 100}, RulesFault.STACK_WITHOUT_FIXED_STAKE, "fixed_stake"),
        ({"fixed_stake": 300, "stack": 200}, RulesFault.STACK_UNDER_STAKE, "stack"),
        ({"fixed_stake": 150, "stack": 300}, RulesFault.NOT_WHOLE_CHIPS, "fixed_stake"),
        ({"fixed_stake": 100, "stack": 350}, RulesFault.NOT_WHOLE_CHIPS, "stack"),
        ({"ace": "wild"}, RulesFault.NO_SUCH_CHOICE, "ace"),
        ({"ace": 1}, RulesFault.NO_SUCH_CHOICE, "ace"),
        ({"ace": []}, RulesFault.NO_SUCH_CHOICE, "ace"),
    ],
)
def test_r2_8_contradictions_are_refused_with_the_reason(
    changes: dict[str, Any], fault: RulesFault, field: str
) -> None:
    with pytest.raises(BadRules) as caught:
        BlackjackRules.from_json(changes)
    assert (caught.value.fault, caught.value.field) == (fault, field)


def test_r2_8_a_stack_may_pay_a_single_stake() -> None:
    assert BlackjackRules.from_json({"fixed_stake": 300, "stack": 300}).stack == 300


@pytest.mark.parametrize(
    "changes",
    [
        {"decks": 0},
        {"decks": 9},
        {"decks": "6"},
        {"decks": True},
        {"decks": 6.0},
        {"split_hands": 5},
        {"most_seats": 0},
        {"most_seats": 8},
        {"swap": 0},
        {"swap": "yes"},
        {"fixed_stake": -100},
        {"fixed_stake": 10**12 + 100},
        {"stack": 10**12 + 100},
        {"jokers": 2},
    ],
)
def test_r2_8_values_out_of_range_are_refused(changes: dict[str, Any]) -> None:
    with pytest.raises(BadRules) as caught:
        BlackjackRules.from_json(changes)
    assert caught.value.field in changes


@pytest.mark.parametrize(("decks", "seats"), [(1, 2), (2, 5), (3, 7)])
def test_r2_8_fewer_decks_serve_fewer_seats(decks: int, seats: int) -> None:
    assert replace(VEGAS, decks=decks, most_seats=seats)
    if seats < 7:
        with pytest.raises(BadRules, match="more cards"):
            replace(VEGAS, decks=decks, most_seats=seats + 1)


@pytest.mark.parametrize(
    ("rules", "most"),
    [
        # 28 hands and the dealer share 576 points: all cards up to six (144), ten sevens, and a last card each.
        (RULE_SETS["vegas"], 154 + 29),
        # 156 points: all cards up to eight (32) and a nine.
        (RULE_SETS["kitchen"], 33 + 8),
        # 96 points: all cards up to six (24) and a seven.
        (RULE_SETS["four-seat"], 25 + 5),
        # 156 points: all aces, twos and threes, and three fours; and each seat may throw one away.
        (RULE_SETS["original"], 75 + 8 + 7),
        # 416 points: all cards up to nine (72) and five tens.
        (replace(VEGAS, decks=2, most_seats=5), 77 + 21),
    ],
)
def test_r2_8_the_bound_by_hand(rules: BlackjackRules, most: int) -> None:
    assert most_cards(rules) == most


def test_r2_8_one_seat_is_enough() -> None:
    assert replace(VEGAS, decks=1, most_seats=1).most_seats == 1


def cards_of_a_greedy_round(rules: BlackjackRules, shoe: list[Card]) -> int:
    """Everyone splits whatever they can and never stands."""
    round = GAME.deal(rules, [{"main": rules.fixed_stake or 1000}] * rules.most_seats, shoe)
    while not round.over:
        seat = round.asked[0]
        legal = round.legal(seat)
        round.apply(seat, next(word for word in ("decline", "swap", "split", "hit") if word in legal))
    return len(round.taken)


@pytest.mark.parametrize(
    "rules",
    [
        replace(VEGAS, decks=1, most_seats=2, split_aces=SplitAces.PLAY_ON),
        replace(VEGAS, decks=1, most_seats=2, split_aces=SplitAces.PLAY_ON, ace=Ace.ONE_FALLS),
        replace(RULE_SETS["original"], decks=1, most_seats=7),
        RULE_SETS["kitchen"],
        RULE_SETS["four-seat"],
    ],
)
def test_r2_8_no_round_takes_more_cards_than_the_bound(rules: BlackjackRules) -> None:
    small_first = sorted(PACK, key=lambda card: POINTS[card] % 11)
    most = 0
    for number in range(200):
        first, rest = small_first[: 8 + number % 20], small_first[8 + number % 20 :]
        random.Random(number).shuffle(first)
        most = max(most, cards_of_a_greedy_round(rules, first + rest))
    assert most_cards(rules) // 2 < most <= most_cards(rules) <= 52
