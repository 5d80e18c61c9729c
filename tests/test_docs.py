"""The documents lead somewhere: links, targets, modules and settings that they name are there."""

from __future__ import annotations

import ast
import importlib.util
import re
from collections.abc import Iterator
from dataclasses import fields
from functools import cache
from pathlib import Path
from types import CodeType

import pytest

from settings import ROOT, Settings

PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/*.md")])

#: Read by the containers' own programs, not by the bot.
OTHERS = {"POSTGRES_PASSWORD"}


def text_of(page: Path) -> str:
    return page.read_text(encoding="utf-8")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_to_files_that_are_there(page: Path) -> None:
    links = re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", text_of(page))
    inside = [link for link in links if "://" not in link]
    assert [link for link in inside if not (page.parent / link).exists()] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_make_targets_are_there(page: Path) -> None:
    targets = set(re.findall(r"^([a-z]+):", text_of(ROOT / "Makefile"), re.MULTILINE))
    named = set(re.findall(r"(?:^ {4}|`|&& )make ([a-z]+)\b", text_of(page), re.MULTILINE))
    assert named - targets == set()


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_programs_are_there(page: Path) -> None:
    named = set(re.findall(r"python -m ([a-z_][a-z_.]*[a-z_])", text_of(page)))
    assert [name for name in sorted(named) if importlib.util.find_spec(name) is None] == []


def test_settings_that_are_named_are_settings() -> None:
    known = {field.name.upper() for field in fields(Settings)} | OTHERS
    named = {name for page in PAGES for name in re.findall(r"\b([A-Z]+(?:_[A-Z]+)*)=", text_of(page))}
    targets = {"N", "SEED", "BENCH", "PYTHON", "UPGRADE", "CHANNEL", "LANGUAGE"}
    assert named - known - targets == set()


def test_the_readme_names_every_command_and_no_other() -> None:
    """By their names; what they do is tried elsewhere."""
    table = text_of(ROOT / "README.md").partition("## What people type")[2]
    named = {name.replace("-", "_") for name in re.findall(r"`(?:[^`]* )?/([a-z]+(?:-[a-z]+)*)", table)}
    files = {path.stem for path in (ROOT / "cogs").glob("[!_]*.py")} | {
        path.parent.name for path in (ROOT / "cogs").glob("*/command.py")
    }
    assert named == files


def test_the_way_in_is_read_in_ten_minutes() -> None:
    assert len(text_of(ROOT / "docs" / "architecture.md").split()) <= 1_500


def test_the_words_of_the_way_in_are_in_alphabetical_order() -> None:
    rows = re.findall(r"^\| [*`](\w+)[*`].* \|$", text_of(ROOT / "docs" / "architecture.md"), re.MULTILINE)
    assert len(rows) > 20
    assert rows == sorted(rows, key=str.casefold)


# -- names -------------------------------------------------------------------------------------------------------------


@cache
def sources() -> tuple[Path, ...]:
    folders = ("engine", "data", "cogs", "tests", "bench")
    inside = [
        path for folder in folders for path in sorted((ROOT / folder).rglob("*.py")) if "fixtures" not in path.parts
    ]
    return (ROOT / "bot.py", ROOT / "settings.py", *inside)


@cache
def known_words() -> frozenset[str]:
    """Every name and every word of a text in the code, docstrings and comments left out; files and folders."""
    words: set[str] = set()
    for path in sources():
        without_docstrings = compile(text_of(path), str(path), "exec", optimize=2)
        words |= set(re.findall(r"\w+", " ".join(texts_in(without_docstrings))))
    others = [path for path in ROOT.glob("*") if not path.name.startswith(".")]
    others += [
        path for folder in ("docs", "deploy", "data", "cogs", "tests", ".ci") for path in (ROOT / folder).rglob("*")
    ]
    for path in (*sources(), *others):
        words |= set(path.relative_to(ROOT).parts) | {path.stem}
    for name in ("Makefile", ".env.example", "compose.yaml", "engine/fairness/verify.html"):
        words |= set(re.findall(r"\w+", text_of(ROOT / name)))
    return frozenset(words)


def texts_in(code: object) -> Iterator[str]:
    """Yield the names and texts of compiled code."""
    if isinstance(code, str):
        yield code
    elif isinstance(code, tuple | frozenset):
        for part in code:
            yield from texts_in(part)
    elif isinstance(code, CodeType):
        yield from (*code.co_names, *code.co_varnames, *code.co_cellvars, code.co_name)
        yield from texts_in(code.co_consts)


def unknown(text: str) -> list[str]:
    """Return the names between backticks that nothing in the project has. Digests are not names."""
    names = re.findall(r"(?<!`)`(?![0-9a-f]{4,64}`)([A-Za-z_][\w./]*(?:\(\))?)`(?!`)", text)
    return sorted({name for name in names if not set(re.findall(r"[A-Za-z_]\w*", name)) <= known_words()})


#: Placeholders, examples, and words of other programs.
FOREIGN = {
    "CHANGELOG.md": {"uvx"},
    "README.md": {"APPLICATION_ID", "ADDRESS_OF_THIS_REPOSITORY"},
    "adding.md": {"R9.2", "tests/cogs/test_NAME.py", "test_r9_2_..."},
    "fairness.md": {"bc"},
    "hosting.md": {"PGSSLROOTCERT", "pg_basebackup"},
    "translating.md": {"pt"},
}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_names_of_code_on_the_pages_are_names_of_the_code(page: Path) -> None:
    assert set(unknown(text_of(page))) - FOREIGN.get(page.name, set()) == set()


def test_names_of_code_in_docstrings_are_names_of_the_code() -> None:
    found: dict[str, list[str]] = {}
    for path in sources():
        if path.is_relative_to(ROOT / "tests"):
            continue
        for node in ast.walk(ast.parse(text_of(path))):
            if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
                missing = unknown(ast.get_docstring(node) or "")
                if missing:
                    found.setdefault(str(path.relative_to(ROOT)), []).extend(missing)
    assert found == {}
