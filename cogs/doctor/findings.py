"""What an examination found, and how it is told."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at. With a remedy it is wrong."""

    what: str
    sentence: str
    remedy: str | None = None

    @property
    def fine(self) -> bool:
        return self.remedy is None

    def __str__(self) -> str:
        if self.fine:
            return f"ok     {self.what}: {self.sentence}"
        return f"WRONG  {self.what}: {self.sentence}\n       -> {self.remedy}"


def summary(findings: Iterable[Finding]) -> str:
    """The last line."""
    wrong = sum(not finding.fine for finding in findings)
    if not wrong:
        return "Nothing is wrong."
    return "One thing is wrong." if wrong == 1 else f"{wrong} things are wrong."
