"""A rule set as a short word: a digit for each field's choice among a few values.

The custom ids of the editor carry this word, so the editor itself stores nothing.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import MISSING, fields
from typing import Any, Final

from cogs.table.presentation import presentation
from cogs.table.rule_fields import RuleField, fields_among, pages, sentences
from cogs.words import _
from cogs.words.refusals import Sorry
from engine.games import registry as games
from engine.games.contract import BadRules

_DIGITS: Final = "0123456789abcdefghijklmnopqrstuvwxyz"


def fields_of(game: str) -> tuple[RuleField, ...]:
    """Return the fields of a game's rules in their order. New fields come last, because open editors rely on that."""
    default = next(iter(games.game(game).rule_sets.values()))
    known = presentation(game).fields
    return tuple(known[field.name] for field in fields(default))


def pages_of(game: str) -> list[tuple[str, list[RuleField]]]:
    """Return the pages of the editor: the title and the fields of each form."""
    return [(title, fields_among(lines)) for title, lines in pages(presentation(game).rules)]


def pages_text(game: str, rules: Any) -> list[str]:
    """Return these rules in words, as `/rules` has them, as one text for each page of the editor."""
    parts = (sentences(lines, rules) for _title, lines in pages(presentation(game).rules))
    return ["\n".join(f"**{heading}** · {text}" for heading, text in part) for part in parts]


def encoded(game: str, rules: Any) -> str:
    """Return the word for a rule set. A number that is not among a field's values becomes the nearest one."""
    return "".join(_DIGITS[_nearest(field.values, getattr(rules, field.name))] for field in fields_of(game))


def _nearest(values: tuple[Any, ...], value: Any) -> int:
    if value in values:
        return values.index(value)
    return min(range(len(values)), key=lambda index: abs(values[index] - value))


def choices(game: str, word: str) -> dict[str, Any]:
    """Return the values that a word stands for, each by the name of its field. Refuse a word that does not fit."""
    rows = fields_of(game)
    return {row.name: row.values[_DIGITS.index(digit)] for digit, row in zip(_whole(game, word), rows, strict=True)}


def _whole(game: str, word: str) -> str:
    """Return the word with a digit for each field, or refuse a word that does not fit this game.

    Editors of earlier releases are still open in channels, and their words have fewer digits. New fields come last, so
    the missing digits are added at the end. They are those of the defaults, which keep the game as it was.
    """
    rows, kind = fields_of(game), type(next(iter(games.game(game).rule_sets.values())))
    later = [(row, field.default) for row, field in zip(rows, fields(kind), strict=True)][len(word) :]
    fits = all(0 <= _DIGITS.find(digit) < len(row.values) for digit, row in zip(word, rows, strict=False))
    if not word or len(word) > len(rows) or not fits or any(value is MISSING for _row, value in later):
        raise Sorry(_("This form is from another release of the bot. Open a new one with `/casino rules`."))
    return word + "".join(_DIGITS[row.values.index(value)] for row, value in later)


def chosen(game: str, word: str, answers: Mapping[str, str]) -> str:
    """Return the word with the choices that were made in a form.

    `answers` has the number of a field's value, from 0, by the name of the field. Fields without a valid answer keep
    theirs. Raises Sorry for a word of another release that cannot be read.
    """
    digits = list(_whole(game, word))
    for place, field in enumerate(fields_of(game)):
        answer = answers.get(field.name, "")
        if re.fullmatch(r"[0-9]{1,2}", answer) and int(answer) < len(field.values):
            digits[place] = _DIGITS[int(answer)]
    return "".join(digits)


def rules_of(game: str, word: str) -> Any:
    """Return the rule set of a word. Refuse a word that does not fit. Raises BadRules if the rules are impossible."""
    kind = type(next(iter(games.game(game).rule_sets.values())))
    return kind(**choices(game, word))


def fault(game: str, error: BadRules) -> str:
    """Return why the rules are impossible, in words for the person who tried them."""
    return _(presentation(game).faults[error.fault])
