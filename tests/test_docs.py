"""The documents lead somewhere: links, targets, modules and settings that they name are there."""

from __future__ import annotations

import importlib.util
import re
from dataclasses import fields
from pathlib import Path

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
    targets = {"N", "SEED", "BENCH", "PYTHON"}
    assert named - known - targets == set()


def test_the_readme_names_every_command_and_no_other() -> None:
    """By their names; what they do is tried elsewhere."""
    table = text_of(ROOT / "README.md").partition("## What people type")[2]
    named = {name.replace("-", "_") for name in re.findall(r"`(?:[^`]* )?/([a-z]+(?:-[a-z]+)*)", table)}
    files = {path.stem for path in (ROOT / "cogs").glob("[!_]*.py")} | {
        path.parent.name for path in (ROOT / "cogs").glob("*/command.py")
    }
    assert named == files
