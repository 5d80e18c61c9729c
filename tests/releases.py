"""Folders in tests/fixtures with what earlier releases left behind."""

from __future__ import annotations

import gzip
import json
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Final

from engine.fairness.record import Record

FIXTURES: Final = Path(__file__).parent / "fixtures"

RELEASES: Final = ("release_1", "release_2", "release_3", "release_4")

#: The rule sets of the first release; each later one may have more.
RULE_SETS: Final = {"vegas", "original", "classic", "kitchen", "four-seat", "ctrl-alt-bet", "punto-banco", "casino"}

#: Nobody had asked to be warned when the first release stored its answer.
SETTINGS_SINCE: Final = {"release_1": {"warnings": False}}


@dataclass(frozen=True)
class Release:
    """One release's folder."""

    name: str

    def text(self, file: str) -> str:
        return gzip.decompress((FIXTURES / self.name / file).read_bytes()).decode()

    @cached_property
    def was(self) -> dict[str, Any]:
        """The facts that the release noted of its bank."""
        found: dict[str, Any] = json.loads((FIXTURES / self.name / "expected.json").read_text(encoding="utf-8"))
        return found

    @cached_property
    def controls(self) -> list[dict[str, Any]]:
        """A custom id of every kind of button, menu and form that it posted."""
        found: list[dict[str, Any]] = json.loads((FIXTURES / self.name / "controls.json").read_text(encoding="utf-8"))
        return found

    @property
    def records(self) -> list[Record]:
        return [Record.from_json(line) for line in self.text("records.jsonl.gz").splitlines()]

    @cached_property
    def left_open(self) -> dict[str, dict[str, Any]]:
        """The tables that people had opened themselves, by what was going on there."""
        return {table["name"]: table for table in self.was["tables"] if table["name"] != "of a tournament"}

    @cached_property
    def people(self) -> list[int]:
        """The Discord ids of all people, in order."""
        return sorted({was["user"] for was in self.was["members"]})

    @cached_property
    def tournaments(self) -> dict[str, dict[str, Any]]:
        return {each["name"]: each for each in self.was["tournaments"]}

    @cached_property
    def club(self) -> int:
        """The guild of the tournaments."""
        return next(int(table["guild"]) for table in self.was["tables"] if table["name"] == "of a tournament")

    def settings_of(self, was: dict[str, Any]) -> dict[str, Any]:
        """Return a member's settings of then, as they count today."""
        names = ("language", "phrase", "warnings", "calls", "suits", "shown")
        return {name: was[name] for name in names if name in was} | SETTINGS_SINCE.get(self.name, {})

    def tables_of(self, tournament: str) -> set[int]:
        return set(self.tournaments[tournament]["tables_open"])
