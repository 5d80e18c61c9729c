"""Who won what, for no chips but for ever."""

from __future__ import annotations

from typing import Final

import sqlalchemy as sa

from data.drivers.batch import Batch
from data.faults import BadChange
from data.part import Part
from data.schema import members
from data.statements import Statements
from data.tournaments.tournament_schema import titles
from data.values import Champion
from engine.stored_words import TOURNAMENT
from engine.tables.ports import Title

_TOURNAMENT: Final = f"{TOURNAMENT}/%"
_CHAMPIONS: Final = (
    sa.select(
        members.c.user_id,
        sa.func.count().filter(titles.c.source.like(_TOURNAMENT)).label("tournaments"),
        sa.func.count().filter(titles.c.source.not_like(_TOURNAMENT)).label("tables"),
    )
    .join(titles, titles.c.member == members.c.id)
    .where(titles.c.guild == sa.bindparam("guild"), members.c.user_id.is_not(None))
    .group_by(members.c.id, members.c.user_id)
    .order_by(sa.desc("tournaments"), sa.desc("tables"), sa.func.min(titles.c.at), members.c.id)
    .limit(sa.bindparam("most"))
)


def award(batch: Batch, sql: Statements, guild: int, title: Title) -> None:
    values = {"p_source": title.source, "p_guild": guild, "p_member": title.member, "p_at": title.at}
    batch.must(sql.tournaments.title, values, BadChange(f"{title.source} was won already"))


class Titles(Part):
    async def champions(self, guild: int, most: int = 25) -> tuple[Champion, ...]:
        """Who won the most tournaments, and among those the most tables of their own."""
        found = await self._store.rows(_CHAMPIONS, {"guild": guild, "most": most})
        return tuple(Champion(row.user_id, row.tournaments, row.tables) for row in found)
