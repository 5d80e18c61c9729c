"""/rules tells every field of every rule set."""

from __future__ import annotations

from dataclasses import fields, replace
from enum import Enum
from typing import Any

import pytest

from cogs.table import rule_fields
from cogs.table.presentation import rules_text as told
from cogs.words import _
from engine.games.blackjack.rules import Double, Split
from engine.games.contract import BadRules
from engine.games.registry import GAMES

EVERY_SET = [(game.name, name) for game in GAMES.values() for name in game.rule_sets]

#: The values of other fields that the other values of a field need.
ALONG = {
    "fixed_stake": {"stack": 100_000},
    "stack": {"fixed_stake": 100},
    "swap": {"split": "no"},
    "dealer_looks": {"surrender": False},
}


@pytest.mark.parametrize(("game", "name"), EVERY_SET)
def test_every_rule_set_is_told_in_short_lines(game: str, name: str) -> None:
    lines = told(game, GAMES[game].rule_sets[name])
    assert lines[0][0] == "Cards"
    assert all(heading and text and len(heading) + len(text) < 110 for heading, text in lines)


def others(value: Any) -> list[Any]:
    if isinstance(value, bool):
        return [not value]
    if isinstance(value, Enum):
        return [member for member in type(value) if member is not value]
    return [value + 1, value - 1, 100, 1_000]


def varied(rules: Any, field: str, value: Any) -> Any:
    along = {name: type(getattr(rules, name))(plain) for name, plain in ALONG.get(field, {}).items()}
    base = replace(rules, **along) if field != "stack" and field != "fixed_stake" else rules
    return base, replace(base, **{**(along if field in ("stack", "fixed_stake") else {}), field: value})


@pytest.mark.parametrize(
    ("game", "field"),
    [(game.name, f.name) for game in GAMES.values() for f in fields(next(iter(game.rule_sets.values())))],
)
def test_no_field_changes_unsaid(game: str, field: str) -> None:
    """Each field that a manager changes also changes the words."""
    rules = next(iter(GAMES[game].rule_sets.values()))
    changed = 0
    for value in others(getattr(rules, field)):
        try:
            base, variant = varied(rules, field, value)
        except (BadRules, ValueError):
            continue
        changed += 1
        assert told(game, variant) != told(game, base), f"{field}={value} is not told"
    assert changed, f"no other value of {field} could be tried"


def test_words_are_translatable() -> None:
    assert _("Cards") == "Cards"


@pytest.mark.parametrize(
    ("game", "name", "heading", "words"),
    [
        ("blackjack", "vegas", "Peeks for blackjack", "a blackjack ends the round"),
        ("blackjack", "classic", "Peeks for blackjack", "doubles and splits are lost as well"),
        ("blackjack", "ctrl-alt-bet", "Peeks for blackjack", "no; only at the end"),
        ("blackjack", "kitchen", "Dealer", "match the highest hand"),
        ("blackjack", "original", "Not offered", "Split"),
        ("blackjack", "original", "Not offered", "Insurance"),
        ("blackjack", "original", "Not offered", "Surrender"),
        ("blackjack", "four-seat", "Stake", "always 1 chip, from a stack of 10 chips"),
        ("baccarat", "punto-banco", "Banker", "less a commission of 5%"),
        ("war", "casino", "Equal again", "both stakes back, and 100% of the first"),
        ("war", "ctrl-alt-bet", "Equal again", "both stakes back, and 200% of the first"),
        ("war", "ctrl-alt-bet", "War lost", "both stakes are lost"),
    ],
)
def test_what_players_ask_about_is_said(game: str, name: str, heading: str, words: str) -> None:
    assert words in dict(told(game, GAMES[game].rule_sets[name]))[heading]


def test_where_the_only_thing_beyond_hit_and_stand_is_a_swap_a_late_blackjack_takes_doubled_stakes_too() -> None:
    rules = replace(GAMES["blackjack"].rule_sets["classic"], double=Double.NO, split=Split.NO, swap=True)
    assert "doubles and splits are lost as well" in dict(told("blackjack", rules))["Peeks for blackjack"]


def test_a_page_of_the_editor_that_is_full_goes_on_in_another() -> None:
    lines = [rule_fields.page("Play"), *(rule_fields.flag(f"rule_{at}", "A rule", "it holds") for at in range(6))]
    assert [(title, len(fields)) for title, fields in rule_fields.pages(lines)] == [("Play", 5), ("Play", 1)]
