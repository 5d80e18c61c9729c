"""Any text at all, given to the verifier: it cannot be read or does not fit; no traceback, no false "fits"."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Callable
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from engine.fairness.cli import main
from engine.fairness.reading import LONGEST, parse
from engine.fairness.record import BadRecord, Record
from engine.fairness.verify import verify

from . import made

NASTY: list[Any] = [
    None, True, False, 0, -1, 1, 2**53, -(2**70), 1.5, float("inf"), float("nan"), "", "x", "00", "ü" * 9, [], {},
    [[]], [None], {"": None}, {"main": -100}, {"main": True}, {"main": 2**53 - 1}, [["main", 1]], "\ud800",
]  # fmt: skip


def given(text: str, monkeypatch: pytest.MonkeyPatch) -> int:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode("utf-8", "surrogatepass"))))
    return main(["-"])


@pytest.mark.parametrize(
    "text",
    [
        "", " ", "\0", "nonsense", "{", "[]", "7", "null", '"x"', "1e400", "-1e400", "NaN", "Infinity", "{}",
        '{"version":1e400}', '{"version":1.0}', '{"version":-0}', '{"version":null}', '{"version":"2"}',
        '{"version":' + "9" * 5000 + "}", '{"version":2,"version":2}', "[" * 100_000, '{"a":' * 100_000,
        '{"version":2' + " " * 1_000_000 + "}", "\ufeff{}", "'",
    ],
    ids=lambda text: repr(text[:20]),
)  # fmt: skip
def test_what_is_no_record_cannot_be_read(
    text: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert given(text, monkeypatch) == 2
    assert capsys.readouterr().err.startswith("This cannot be read: ")


@pytest.mark.parametrize("letter", ["ü", "€€"])  # of two bytes, and of three
def test_what_is_longer_than_any_record_is_called_too_long(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], letter: str
) -> None:
    assert given('{"version":2' + letter * LONGEST, monkeypatch) == 2
    assert capsys.readouterr().err == f"This cannot be read: longer than {LONGEST} characters\n"


def test_the_largest_number_and_the_longest_text_are_read_and_nothing_beyond() -> None:
    assert parse('{"a":9007199254740991}' + " " * (1_000_000 - 22)) == {"a": 2**53 - 1}
    for text in ('{"a":9007199254740992}', '{"a":-9007199254740992}', "{}" + " " * 999_999):
        with pytest.raises(BadRecord):
            parse(text)


def test_bytes_that_are_no_text_cannot_be_read(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"\xff\xfe{}")))
    assert main(["-"]) == 2
    assert capsys.readouterr().err.startswith("This cannot be read: ")


@pytest.mark.parametrize("number", range(12))
def test_a_nasty_value_in_any_place_never_fits_by_mistake(number: int) -> None:
    """Each leaf and branch of a record, replaced by each nasty value."""
    whole = json.loads((made.one if number % 3 == 0 else made.two)(number).to_json())
    for path in _paths(whole):
        for nasty in NASTY:
            _judge(whole, path, nasty)


def _judge(whole: Any, path: tuple[Any, ...], nasty: Any) -> None:
    changed = json.loads(json.dumps(whole))
    at = changed
    for step in path[:-1]:
        at = at[step]
    if at[path[-1]] == nasty and type(at[path[-1]]) is type(nasty):
        return
    at[path[-1]] = nasty
    try:
        record = Record.from_json(json.dumps(changed))
    except BadRecord:
        return
    if verify(record).holds:
        assert _is_free(path, whole), (path, nasty)


def _is_free(path: tuple[Any, ...], whole: Any) -> bool:
    """Return whether scheme 1 does not seal it: the rules' name, an empty commitment, the maker of a step, an unused
    rule.
    """
    return whole["version"] == 1 and path[0] in ("rules_name", "commitment", "steps", "rules")


def _paths(value: Any, at: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    children: list[tuple[Any, Any]] = []
    if isinstance(value, dict):
        children = list(value.items())
    elif isinstance(value, list):
        children = list(enumerate(value))[:4]
    return [path for key, child in children for path in [(*at, key), *_paths(child, (*at, key))]]


@pytest.mark.parametrize("number", range(150))
def test_spoilt_texts_end_in_an_exit_code(
    number: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Characters lost, doubled or swapped anywhere in an honest record."""
    luck = Random(number)
    text = made.two(number).to_json()
    for _ in range(luck.randint(1, 3)):
        place = luck.randrange(len(text))
        text = text[:place] + luck.choice(["", text[place] * 2, luck.choice('[]{}",:0e-.\\')]) + text[place + 1 :]
    code = given(text, monkeypatch)
    assert code in (0, 1, 2)
    if code == 0:
        assert Record.from_json(text) == made.two(number)


def _forged_lots(words: str) -> str:
    lots = made.lots(3)
    return replace(lots, orders=(replace(lots.orders[0], what=words), *lots.orders[1:])).to_json()


def _forged_rules(words: str) -> str:
    record = made.two(4)
    return replace(record, rules={**record.rules, words: 1}).to_json()


@pytest.mark.parametrize("forged", [_forged_lots, _forged_rules], ids=["a tournament's order", "an unknown rule"])
def test_words_of_a_file_print_no_lines_of_their_own_and_conceal_nothing(
    forged: Callable[[str], str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert given(forged("x\n\x1b[8m\u202ewas dealt"), monkeypatch) == 1
    said = capsys.readouterr().out
    assert r"x\n\x1b[8m\u202ewas dealt" in said
    assert all(line.isprintable() for line in said.split("\n"))


def test_why_a_file_cannot_be_read_is_one_line_that_names_the_rule(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    day = {"version": 1, "answers": [], "name": "x", "width": 1, "rules": {"x\nThis day was dealt as promised.": 1}}
    assert given(json.dumps(day), monkeypatch) == 2
    told = r"This cannot be read: rules: x\nThis day was dealt as promised.: unknown field"
    assert capsys.readouterr().err == told + "\n"


@pytest.mark.parametrize("encoding", ["ascii", "cp1252"])
def test_an_honest_record_holds_on_a_screen_without_the_suits_of_cards(
    monkeypatch: pytest.MonkeyPatch, encoding: str
) -> None:
    screen = io.TextIOWrapper(io.BytesIO(), encoding)
    monkeypatch.setattr(sys, "stdout", screen)
    assert given(made.two(5).to_json(), monkeypatch) == 0
    screen.seek(0)
    assert "\\u2660" in screen.read()
