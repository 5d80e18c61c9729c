"""A watcher, a poster of promises, a clock and answers to questions, which benchmarks hand in from outside."""

from __future__ import annotations

from typing import Any

from engine.fairness.chain import Promise
from engine.tables.ports import Promised
from engine.tables.table import Table


class Unwatched:
    """A watcher that does nothing."""

    def changed(self, table: Table) -> None: ...


class CountingPoster:
    """A poster that counts the promises and shows them to nobody."""

    def __init__(self) -> None:
        self.posted = 0

    async def post(self, promised: Promised, before: Promised | None, language: str) -> int:
        self.posted += 1
        return self.posted

    async def stands(self, promise: Promise) -> bool:
        return True


class SetClock:
    """A clock that is set by hand."""

    time = 1_800_000_000.0

    def now(self) -> float:
        return self.time


async def answered_here(question: Any) -> Any:
    """Answer a question to the coach in this process."""
    return question.answer()
