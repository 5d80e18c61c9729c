"""Every rule of the rulebook leads to the code that keeps it and to a test of it, by a search for its number."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
RULES = re.findall(r"^- \*\*(R\d+\.\d+)", (ROOT / "docs" / "rulebook.md").read_text(encoding="utf-8"), re.MULTILINE)


@cache
def text_of(*folders: str) -> str:
    return "\n".join(path.read_text("utf-8") for folder in folders for path in sorted((ROOT / folder).rglob("*.py")))


def test_the_rulebook_has_rules() -> None:
    assert len(RULES) > 50
    assert len(set(RULES)) == len(RULES)


@pytest.mark.parametrize("rule", RULES)
def test_a_search_for_a_rules_number_finds_its_code_and_its_test(rule: str) -> None:
    code = re.search(rf"\b{re.escape(rule)}\b", text_of("engine", "data", "cogs"))
    test = re.search(rf"def test_{rule.lower().replace('.', '_')}_", text_of("tests"))
    assert code is not None
    assert test is not None


def test_no_rule_is_named_that_the_rulebook_does_not_have() -> None:
    named = set(re.findall(r"\bR\d+\.\d+\b", text_of("engine", "data", "cogs")))
    assert named <= set(RULES)


def test_the_tests_that_the_pages_name_are_there() -> None:
    pages = "\n".join(page.read_text("utf-8") for page in sorted((ROOT / "docs").glob("*.md")))
    for name in re.findall(r"\btest_r\d+_\w+", pages):
        assert f"def {name}" in text_of("tests")
