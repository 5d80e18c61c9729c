"""Everything the bank writes, compiled once in the life of the process: a maker for each kind of thing."""

from __future__ import annotations

from sqlalchemy.engine import Dialect

from data.journal.archive_statements import ArchiveStatements
from data.journal.journal_statements import JournalStatements


class Statements:
    """One of each. Values are given as ``p_column``."""

    def __init__(self, dialect: Dialect) -> None:
        self.journal = JournalStatements(dialect)
        self.archive = ArchiveStatements(dialect)


_made: dict[str, Statements] = {}


def statements(dialect: Dialect) -> Statements:
    """Return the statements for a database; the dialect of a driver is always the same."""
    if dialect.name not in _made:
        _made[dialect.name] = Statements(dialect)
    return _made[dialect.name]
