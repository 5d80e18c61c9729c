"""Titles: lasting records of who won what, without chips."""

from __future__ import annotations

from typing import Final

import sqlalchemy as sa

from data.drivers.batch import Batch
from data.faults import BadChange
from data.part import Part
from data.schema import CHAMPION, members
from data.statements import Statements
from data.values import Champion
from engine.stored_words import TOURNAMENT
from engine.tables.values import Title

_TOURNAMENT: Final = f"{TOURNAMENT}/"
_CHAMPIONS: Final = (
    sa.select(members.c.user_id, members.c.tournaments_won, members.c.tables_won)
    .where(members.c.guild == sa.bindparam("guild"), CHAMPION)
    .order_by(members.c.tournaments_won.desc(), members.c.tables_won.desc(), members.c.first_title, members.c.id)
    .limit(sa.bindparam("most"))
)


def award(batch: Batch, sql: Statements, guild: int, title: Title) -> None:
    values = {"p_source": title.source, "p_guild": guild, "p_member": title.member, "p_at": title.at}
    batch.must(sql.tournaments.title, values, BadChange(f"{title.source} was won already"))
    is_tournament = int(title.source.startswith(_TOURNAMENT))
    counted = {
        "p_member": title.member,
        "p_tournaments": is_tournament,
        "p_tables": 1 - is_tournament,
        "p_at": title.at,
    }
    batch.must(sql.tournaments.count_title, counted, BadChange(f"{title.member} is nobody here"))


class Titles(Part):
    async def champions(self, guild: int, most: int = 25) -> tuple[Champion, ...]:
        """Return who won the most tournaments, and among equals the most elimination tables."""
        found = await self._store.rows(_CHAMPIONS, {"guild": guild, "most": most})
        return tuple(Champion(*row) for row in found)
