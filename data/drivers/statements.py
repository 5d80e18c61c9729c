"""Everything the bank writes, but for tournaments, compiled once in the life of the process."""

from __future__ import annotations

from sqlalchemy.engine import Dialect

from data.jobs.job_statements import JobStatements
from data.journal.journal_statements import JournalStatements
from data.ledger.chip_statements import ChipStatements
from data.people.people_statements import PeopleStatements
from data.people.skill_statements import SkillStatements


class Statements(PeopleStatements, ChipStatements, JournalStatements, JobStatements, SkillStatements):
    """One of each. Values are given as ``p_column``."""


_made: dict[str, Statements] = {}


def statements(dialect: Dialect) -> Statements:
    """Those for a database; the dialect of a driver is always the same."""
    if dialect.name not in _made:
        _made[dialect.name] = Statements(dialect)
    return _made[dialect.name]
