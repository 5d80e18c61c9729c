"""Titles: lasting records of who won a tournament or an elimination table. They bring no chips."""

from __future__ import annotations

from typing import Final

import sqlalchemy as sa

from data.base.errors import BadChange
from data.base.schema import CHAMPION, members, titles
from data.base.values import Champion
from data.drivers.batch import Batch
from data.drivers.part import Part
from data.drivers.statement import Statement, insert_once, param
from data.jobs import champions
from engine.stored_words import SAME_CARDS, TOURNAMENT
from engine.tables.values import Title

#: The counts that titles add to, by the first word of their `source`. Any other word stands for an elimination table.
_COUNTED: Final = {TOURNAMENT: "tournaments", SAME_CARDS: "cards"}
#: The time of a title. It may be earlier than that of the first one, because clocks are set back.
_at = param("at", sa.Double())
_AWARD: Final = insert_once(titles)
_COUNT: Final = Statement(
    sa.update(members)
    .values(
        tournaments_won=members.c.tournaments_won + param("tournaments", sa.Integer()),
        tables_won=members.c.tables_won + param("tables", sa.Integer()),
        cards_won=members.c.cards_won + param("cards", sa.Integer()),
        first_title=sa.case((members.c.first_title < _at, members.c.first_title), else_=_at),
    )
    .where(members.c.id == param("member"))
)
_CHAMPIONS: Final = (
    sa.select(members.c.user_id, members.c.tournaments_won, members.c.tables_won, members.c.cards_won)
    .where(members.c.guild == sa.bindparam("guild"), CHAMPION)
    .order_by(members.c.tournaments_won.desc(), members.c.tables_won.desc(), members.c.first_title, members.c.id)
    .limit(sa.bindparam("most"))
)


def award(batch: Batch, guild: int, title: Title) -> None:
    """Add a title to a batch, and count it for its member.

    The title of a tournament with tables also makes the job due that gives roles to the server's champions. The batch
    raises BadChange if the title is stored already, or if there is no such member.
    """
    values = {"source": title.source, "guild": guild, "member": title.member, "at": title.at}
    batch.must(_AWARD, values, BadChange(f"{title.source} was won already"))
    kind = _COUNTED.get(title.source.partition("/")[0], "tables")
    if kind == "tournaments":
        champions.look_again(batch, guild, title.at)
    counted = {**dict.fromkeys(("tournaments", "tables", "cards"), 0), kind: 1, "member": title.member, "at": title.at}
    batch.must(_COUNT, counted, BadChange(f"there is no member {title.member}"))


class Titles(Part):
    """Finds the champions of a server."""

    async def champions(self, guild: int, most: int = 25) -> tuple[Champion, ...]:
        """Return up to `most` members with titles, those who won the most tournaments with tables first.

        Equals are ordered by elimination tables won, then by the time of their first title; tournaments with the same
        cards do not count. Hidden and forgotten members are left out.
        """
        found = await self._store.rows(_CHAMPIONS, {"guild": guild, "most": most})
        return tuple(Champion(*row) for row in found)
