"""Titles: lasting records of who won what, without chips."""

from __future__ import annotations

from typing import Final

import sqlalchemy as sa

from data.base.errors import BadChange
from data.base.schema import CHAMPION, members, titles
from data.base.values import Champion
from data.drivers.batch import Batch
from data.drivers.part import Part
from data.drivers.statement import Statement, insert_once, param
from engine.stored_words import TOURNAMENT
from engine.tables.values import Title

_TOURNAMENT: Final = f"{TOURNAMENT}/"
_AWARD: Final = insert_once(titles)
_COUNT: Final = Statement(
    sa.update(members)
    .values(
        tournaments_won=members.c.tournaments_won + param("tournaments", sa.Integer()),
        tables_won=members.c.tables_won + param("tables", sa.Integer()),
        first_title=sa.func.coalesce(members.c.first_title, param("at", sa.Double())),
    )
    .where(members.c.id == param("member"))
)
_CHAMPIONS: Final = (
    sa.select(members.c.user_id, members.c.tournaments_won, members.c.tables_won)
    .where(members.c.guild == sa.bindparam("guild"), CHAMPION)
    .order_by(members.c.tournaments_won.desc(), members.c.tables_won.desc(), members.c.first_title, members.c.id)
    .limit(sa.bindparam("most"))
)


def award(batch: Batch, guild: int, title: Title) -> None:
    """Add a title to a batch, and count it for its member."""
    values = {"source": title.source, "guild": guild, "member": title.member, "at": title.at}
    batch.must(_AWARD, values, BadChange(f"{title.source} was won already"))
    of_tournament = int(title.source.startswith(_TOURNAMENT))
    counted = {"member": title.member, "tournaments": of_tournament, "tables": 1 - of_tournament, "at": title.at}
    batch.must(_COUNT, counted, BadChange(f"there is no member {title.member}"))


class Titles(Part):
    """The titles of a server."""

    async def champions(self, guild: int, most: int = 25) -> tuple[Champion, ...]:
        """Return the members with the most tournaments won, and among equals the most elimination tables."""
        found = await self._store.rows(_CHAMPIONS, {"guild": guild, "most": most})
        return tuple(Champion(*row) for row in found)
