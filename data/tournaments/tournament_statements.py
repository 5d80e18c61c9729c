"""The statements that write tournaments and titles."""

from __future__ import annotations

import sqlalchemy as sa
from sqlalchemy.engine import Dialect

from data.drivers.statement import Maker, p
from data.schema import members
from data.tournaments.tournament_schema import OPEN, entries, titles, tournaments


class TournamentStatements(Maker):
    """The statements that write tournaments, entries and titles."""

    def __init__(self, dialect: Dialect) -> None:
        super().__init__(dialect)
        moving = {name: p(name) for name in ("channel", "phase", "open", "starts", "doc", "version")}
        this = (
            tournaments.c.id == p("id"),
            tournaments.c.version == p("was", sa.Integer()),
            tournaments.c.guild == p("guild"),
        )
        mine = (entries.c.tournament == p("tournament"), entries.c.member == p("member"))
        self.new_tournament = self._once(tournaments)
        self.move_tournament = self._make(sa.update(tournaments).values(**moving).where(*this))
        self.enter = self._once(entries)
        self.withdraw = self._make(sa.delete(entries).where(*mine))
        self.title = self._once(titles)
        counted = {
            "tournaments_won": members.c.tournaments_won + p("tournaments", sa.Integer()),
            "tables_won": members.c.tables_won + p("tables", sa.Integer()),
            "first_title": sa.func.coalesce(members.c.first_title, p("at", sa.Double())),
        }
        self.count_title = self._make(sa.update(members).values(**counted).where(members.c.id == p("member")))
        naming = (OPEN, tournaments.c.guild == p("guild"), tournaments.c.doc.like(p("naming")))
        self.in_no_tournament = self._make(sa.select(tournaments.c.id).where(*naming).limit(sa.literal_column("1")))
        self.scrub_tournament = self._make(
            sa.update(tournaments).values(doc=p("doc")).where(tournaments.c.id == p("id"), ~OPEN)
        )
