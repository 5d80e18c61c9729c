"""Everything the bank writes, compiled once in the life of the process: a maker for each kind of thing."""

from __future__ import annotations

from sqlalchemy.engine import Dialect

from data.jobs.job_statements import JobStatements
from data.journal.archive_statements import ArchiveStatements
from data.journal.journal_statements import JournalStatements
from data.ledger.chip_statements import ChipStatements
from data.people.people_statements import PeopleStatements
from data.people.skill_statements import SkillStatements
from data.tournaments.tournament_statements import TournamentStatements


class Statements:
    """One of each. Values are given as ``p_column``."""

    def __init__(self, dialect: Dialect) -> None:
        self.chips = ChipStatements(dialect)
        self.journal = JournalStatements(dialect)
        self.archive = ArchiveStatements(dialect)
        self.people = PeopleStatements(dialect)
        self.skill = SkillStatements(dialect)
        self.tournaments = TournamentStatements(dialect)
        self.jobs = JobStatements(dialect)


_made: dict[str, Statements] = {}


def statements(dialect: Dialect) -> Statements:
    """Those for a database; the dialect of a driver is always the same."""
    if dialect.name not in _made:
        _made[dialect.name] = Statements(dialect)
    return _made[dialect.name]
