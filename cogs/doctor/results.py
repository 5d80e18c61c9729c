"""The result of a check, and how it is printed."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class CheckResult:
    """The result of one check. It has a remedy if something is wrong."""

    what: str  # the thing that was checked
    sentence: str
    remedy: str | None = None

    @property
    def fine(self) -> bool:
        """Whether nothing is wrong."""
        return self.remedy is None

    def __str__(self) -> str:
        if self.fine:
            return f"ok     {self.what}: {self.sentence}"
        return f"WRONG  {self.what}: {self.sentence}\n       -> {self.remedy}"


def summary(results: Iterable[CheckResult]) -> str:
    """Return the last line of the report: how many things are wrong."""
    wrong = sum(not result.fine for result in results)
    if not wrong:
        return "Nothing is wrong."
    return "One thing is wrong." if wrong == 1 else f"{wrong} things are wrong."
