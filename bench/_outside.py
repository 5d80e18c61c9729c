"""A watcher and a poster of promises, which the tables of benchmarks need from outside."""

from __future__ import annotations

from engine.fairness.chain import Promise
from engine.tables.ports import Promised
from engine.tables.table import Table


class Unwatched:
    """A watcher that does nothing."""

    def changed(self, table: Table) -> None: ...


class Poster:
    """A poster that counts the promises and shows them to nobody."""

    def __init__(self) -> None:
        self.posted = 0

    async def post(self, promised: Promised, before: Promised | None, language: str) -> int:
        self.posted += 1
        return self.posted

    async def stands(self, promise: Promise) -> bool:
        return True
