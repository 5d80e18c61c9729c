"""What the bank writes of how well rounds were played."""

from __future__ import annotations

from collections.abc import Sequence

import sqlalchemy as sa
from sqlalchemy.engine import Dialect

from data.drivers.batch import Statement
from data.drivers.statement import Maker, p
from data.schema import grades, marks, members, mistakes


class SkillStatements(Maker):
    """Grades, the mistakes among them, and how far the backlog is done."""

    def __init__(self, dialect: Dialect) -> None:
        super().__init__(dialect)
        self.keep_grade = self._of_the_known(grades)
        self.keep_mistake = self._of_the_known(mistakes, but=("due", "streak"))
        this = [mistakes.c[name] == p(name) for name in ("table_id", "number", "place", "member")]
        self.drop_mistake = self._make(sa.delete(mistakes).where(*this))
        self.learn = self._make(sa.update(mistakes).values(due=p("due"), streak=p("streak")).where(*this))
        self.forget_grades = self._make(sa.delete(grades).where(grades.c.member == p("member")))
        self.forget_mistakes = self._make(sa.delete(mistakes).where(mistakes.c.member == p("member")))
        self.mark = self._kept(marks)

    def _of_the_known(self, table: sa.Table, but: Sequence[str] = ()) -> Statement:
        """Make an insert that replaces what has the same key, `but` some columns; none for a forgotten person."""
        row = [column.name for column in table.columns]
        columns = [p(column.name, column.type) for column in table.columns]
        known = sa.exists(sa.select(members.c.id).where(members.c.id == p("member"), members.c.user_id.is_not(None)))
        insert = self._insert(table).from_select(row, sa.select(*columns).where(known))
        rest = {name: insert.excluded[name] for name in row if name not in (*but, *_key(table))}
        return self._make(insert.on_conflict_do_update(index_elements=_key(table), set_=rest))


def _key(table: sa.Table) -> list[str]:
    return [column.name for column in table.primary_key.columns]
