"""docs/library.md: its examples do what they say, and the names that stay are there."""

from __future__ import annotations

import doctest
import importlib
import re

import pytest

from settings import ROOT

PAGE = (ROOT / "docs" / "library.md").read_text(encoding="utf-8")
_MILLION = "ROUNDS = 1_000_000"


def run(text: str) -> doctest.TestResults:
    example = doctest.DocTestParser().get_doctest(text.replace("```", ""), {}, "library.md", None, None)
    return doctest.DocTestRunner(optionflags=doctest.FAIL_FAST).run(example)


def test_the_examples_do_what_they_say() -> None:
    """The million rounds are twenty thousand here."""
    assert _MILLION in PAGE
    done = run(PAGE.replace(_MILLION, "ROUNDS = 20_000"))
    assert done.failed == 0
    assert done.attempted > 20


@pytest.mark.long
def test_the_million_rounds_do_too() -> None:
    assert run(PAGE).failed == 0


def test_the_names_that_stay_are_there() -> None:
    rows = re.findall(r"^\| `(engine[\w.]*)` \| (.+) \|$", PAGE, re.MULTILINE)
    named = [(module, name) for module, names in rows for name in re.findall(r"`(\w+)`", names)]
    assert len(named) > 40
    assert [(module, name) for module, name in named if not hasattr(importlib.import_module(module), name)] == []
