"""Several who watch the tables."""

from __future__ import annotations

from engine.tables.ports import Watcher
from engine.tables.table import Table


class Watchers:
    def __init__(self, *watchers: Watcher) -> None:
        self._watchers = list(watchers)

    def admit(self, watcher: Watcher) -> None:
        self._watchers.append(watcher)

    def changed(self, table: Table) -> None:
        for watcher in self._watchers:
            watcher.changed(table)
