"""Champions' roles (R10.8): which role a server gives to which champion, who has it, and who is to have it.

A role that was won is a holding without a price: it is given and taken back like one that was bought. A `line` goes to
the server's log.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import sqlalchemy as sa

from data.base.club import REIGNS, WON
from data.base.errors import RoleInUse, TakenOver, WareChanged
from data.base.schema import LISTED, by_index, holdings, members, plays, season_places, titles, wares
from data.base.season_tables import RANKED
from data.base.values import Championship, Holding, LogLine, SeasonBoard
from data.drivers.part import Part
from data.drivers.statement import Statement, insert_once, param
from data.jobs import champions, notices
from data.jobs.champions import LastWeek
from data.jobs.jobs import hasten
from data.ledger.settlement import ENOUGH
from data.ledger.shop import ROLE, begin_holding, holding_of
from engine.stored_words import TOURNAMENT
from engine.tables.values import Member

_guild, _which = param("guild", sa.BigInteger()), param("championship", sa.Text())
_CHOOSE: Final = insert_once(wares)
_DROP: Final = Statement(sa.delete(wares).where(wares.c.guild == _guild, wares.c.championship == _which))
_STILL_CHOSEN: Final = Statement(
    sa.select(wares.c.role).where(
        wares.c.guild == _guild, wares.c.championship == _which, wares.c.role == param("role")
    )
)
_DEPOSE: Final = Statement(
    sa.update(holdings).values(until=param("at", sa.Double())).where(holdings.c.id == param("id"), REIGNS)
)

_net = sa.func.sum(plays.c.returned - plays.c.staked)
_OF_THE_WEEK: Final = (
    sa.select(members.c.id, members.c.user_id, members.c.balance)
    .join(plays, plays.c.member == members.c.id)
    .where(members.c.guild == sa.bindparam("guild"), LISTED, plays.c.real == sa.literal_column("1"))
    .where(plays.c.at >= sa.bindparam("begins"), plays.c.at < sa.bindparam("ends"))
    .group_by(members.c.id, members.c.user_id, members.c.balance)
    .having(_net > 0, sa.func.count() >= ENOUGH)
    .order_by(_net.desc(), sa.func.max(plays.c.at), members.c.id)
    .limit(1)
    .with_hint(plays, by_index("plays_member"), "sqlite")
)
_OF_THE_SEASON: Final = (
    sa.select(members.c.id, members.c.user_id, members.c.balance)
    .join(season_places, season_places.c.who == members.c.id)
    .where(
        season_places.c.guild == sa.bindparam("guild"),
        season_places.c.season == sa.bindparam("season"),
        season_places.c.board == sa.literal_column(f"'{SeasonBoard.ACCURACY.value}'"),
        season_places.c.rank == sa.literal_column(str(RANKED)),
        LISTED,
    )
    .order_by(season_places.c.value.desc(), season_places.c.amount.desc(), members.c.id)
    .limit(1)
)
_OF_TOURNAMENTS: Final = (
    sa.select(members.c.id, members.c.user_id, members.c.balance)
    .join(titles, titles.c.member == members.c.id)
    .where(titles.c.guild == sa.bindparam("guild"), titles.c.source.startswith(f"{TOURNAMENT}/"), LISTED)
    .order_by(titles.c.at.desc(), titles.c.source.desc())
    .limit(1)
)
#: The query that finds each champion. A new championship needs a line here and a name in `cogs.background.roles`.
_QUESTIONS: Final[Mapping[Championship, sa.Select[tuple[int, int, int]]]] = {
    Championship.WEEK: _OF_THE_WEEK,
    Championship.SEASON: _OF_THE_SEASON,
    Championship.TOURNAMENT: _OF_TOURNAMENTS,
}


class Champions(Part):
    """The champions of all servers that give roles to them."""

    #: Seconds between looks for roles that are to be handed on.
    every: float = 10.0

    async def chosen(self, guild: int) -> Mapping[Championship, int]:
        """Return the roles that a server gives to its champions."""
        query = sa.select(wares.c.championship, wares.c.role).where(wares.c.guild == guild, WON)
        return {Championship(row.championship): row.role for row in await self._store.rows(query)}

    async def choose(
        self, guild: int, championship: Championship, role: int | None, line: LogLine | None = None
    ) -> None:
        """Choose the role that this championship brings from now on (None: no role); a job then looks for champions.

        Raises RoleInUse if the role is sold, or is that of another championship.
        """
        batch, now = self._store.batch(), self._clock.now()
        this = {"guild": guild, "championship": championship.value}
        batch.add(_DROP, this)
        if role is not None:
            batch.must(_CHOOSE, {**this, "role": role, "price": 0, "seconds": None}, RoleInUse(str(role)))
        champions.begin(batch, guild, now)
        notices.log(batch, guild, line, now)
        await self._store.write.run(batch)

    async def reigning(self, guild: int) -> Mapping[Championship, Holding]:
        """Return the roles that a server's champions have, or are about to get."""
        mine = holdings.join(members, members.c.id == holdings.c.member)
        query = sa.select(holdings, members.c.user_id).select_from(mine).where(holdings.c.guild == guild, REIGNS)
        return {Championship(row.championship): holding_of(row) for row in await self._store.rows(query)}

    async def champion(self, guild: int, championship: Championship, week: LastWeek, season: str) -> Member | None:
        """Return the member who is to have a champion's role, or None; never one hidden from leaderboards (R13.5).

        `week` and `season` (by its name) are the last that ended. The champion of the week has won the most chips in
        rounds that ended in it, and finished enough of them. The champion of the season has decided most accurately.
        The champion of tournaments has won the last one with tables.
        """
        values = {"guild": guild, "begins": week.begins, "ends": week.ends, "season": season}
        query = _QUESTIONS[championship]
        row = await self._store.row(query, {name: values[name] for name in query.compile().params if name in values})
        return Member(row.id, guild, row.user_id, row.balance) if row is not None else None

    async def crown(
        self, champion: Member, championship: Championship, role: int, number: int, line: LogLine | None = None
    ) -> None:
        """Store that a champion is to get a role, with a job that gives it. `number` is that of the new holding.

        Raises WareChanged if another role was chosen since. Raises AlreadyHeld if the champion still has the role, or
        if the time of an earlier champion was not ended (`depose`).
        """
        batch, now = self._store.batch(), self._clock.now()
        this = {"guild": champion.guild, "championship": championship.value, "role": role}
        batch.must(_STILL_CHOSEN, this, WareChanged(str(role)))
        begin_holding(batch, {**this, "id": number, "member": champion.id, "price": 0, "seconds": None}, now)
        notices.log(batch, champion.guild, line, now)
        await self._store.write.run(batch)

    async def depose(self, held: Holding) -> None:
        """End a champion's time, so that a job takes the role back. Raises TakenOver if another process did so."""
        batch, now = self._store.batch(), self._clock.now()
        batch.must(_DEPOSE, {"id": held.id, "at": now}, TakenOver(str(held.id)))
        hasten(batch, f"{ROLE}/{held.id}", now)
        await self._store.write.run(batch)
