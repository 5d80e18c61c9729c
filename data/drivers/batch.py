"""A transaction written down before it begins: statements, and what each must find, or nothing happens at all."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from data.drivers.statement import Statement


@dataclass(frozen=True, slots=True)
class Step:
    statement: Statement
    values: tuple[Any, ...] = field(repr=False)  # seeds are among them
    #: How many rows it must change or find; None: as many as there are.
    rows: int | None
    #: What it means if it did not.
    fault: Exception | None


@dataclass(slots=True)
class Batch:
    steps: list[Step] = field(default_factory=list)

    def add(self, statement: Statement, values: Mapping[str, Any]) -> None:
        """A statement that cannot fail."""
        self.steps.append(Step(statement, statement.bind(values), None, None))

    def must(self, statement: Statement, values: Mapping[str, Any], fault: Exception, rows: int = 1) -> None:
        """A statement that changes (or finds) just so many rows, or the whole batch is undone and `fault` raised."""
        self.steps.append(Step(statement, statement.bind(values), rows, fault))


def check(step: Step, rows: int) -> None:
    if step.rows is not None and rows != step.rows:
        assert step.fault is not None
        raise step.fault
