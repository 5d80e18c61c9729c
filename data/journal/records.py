"""Finds rounds of the past, by member and by name. Seeds of open rounds stay secret."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Final

import sqlalchemy as sa

from data.base import accounts
from data.base.errors import StillSecret
from data.base.schema import GIFT, by_index, members, plays, rounds, transfers
from data.base.values import Feeding, HistoryPage, Played
from data.drivers.part import Part
from data.drivers.statement import Row, is_storable
from data.journal import reading
from data.journal.reading import CODE
from engine.fairness.chain import read_mark
from engine.tables.values import StoredRound

_HISTORY: Final = (
    sa.select(plays, rounds.c.code, rounds.c.game, rounds.c.rules_name)
    .join(rounds, sa.and_(rounds.c.table_id == plays.c.table_id, rounds.c.number == plays.c.number))
    .where(plays.c.member == sa.bindparam("member"))
    .order_by(plays.c.at.desc(), plays.c.table_id.desc(), plays.c.number.desc())
    .limit(sa.bindparam("size"))
    .offset(sa.bindparam("offset"))
)


class Records(Part):
    """The rounds of the past."""

    async def history(self, member: int, page: int = 0, size: int = 10) -> HistoryPage:
        """Return the member's finished rounds, the last first."""
        values = {"member": member, "size": size + 1, "offset": page * size}
        found = await self._store.rows(_HISTORY, values)
        return HistoryPage(page, tuple(_played(row) for row in found[:size]), more=len(found) > size)

    async def round(self, code: str, guild: int) -> StoredRound | None:
        """Return a finished round by its mark, or by the eight digits of a chain, whose last round it then is.

        In scheme 1 it is named by the beginning of its commitment; the latest is returned if several begin alike.
        StillSecret while the round is being played; a round that is only sealed is not found.
        """
        code = code.strip().lower()
        if len(code) < CODE or not is_storable([code]):
            return None
        if read_mark(code) is None and len(code) == CODE:
            code = await self._last_of_chain(code, guild) or code
        name = code if read_mark(code) is not None else code[:CODE]
        named = sa.and_(rounds.c.guild == guild, rounds.c.code == name, rounds.c.dealt_at.is_not(None))
        async with self._store.reading() as connection:
            found = await reading.stored_rounds(connection, sa.select(rounds).where(named))
        fitting = sorted(
            (stored for stored in found if stored.code == code or stored.commitment.startswith(code)),
            key=lambda stored: stored.dealt_at,
        )
        if fitting and fitting[-1].lines is None:
            raise StillSecret(code)
        return fitting[-1] if fitting else None

    async def _last_of_chain(self, digits: str, guild: int) -> str | None:
        """Return the mark of the last finished round of the chain whose tip begins with these digits."""
        marks = sa.and_(rounds.c.code > f"{digits}-", rounds.c.code < f"{digits}.")
        finished = sa.select(rounds.c.code).where(rounds.c.guild == guild, marks, rounds.c.finished_at.is_not(None))
        found: str | None = await self._store.value(finished.order_by(rounds.c.link.desc()).limit(1))
        return found

    async def feeding(self, guild: int, since: float, most: int = 25) -> tuple[Feeding, ...]:
        """Return how much each member gave another since then, the largest sum first."""
        total = sa.func.sum(transfers.c.amount)
        pair = (transfers.c.source, transfers.c.target)
        given = sa.select(*pair, total.label("total"), sa.func.count().label("gifts")).group_by(*pair)
        given = given.where(transfers.c.guild == guild, GIFT, transfers.c.at > since)
        given = given.with_hint(transfers, by_index("transfers_gifts"), "sqlite")
        found = await self._store.rows(given.order_by(total.desc(), *pair).limit(most))
        users = await self._users({accounts.owner(name) for row in found for name in (row.source, row.target)})
        return tuple(_fed(row, users) for row in found)

    async def _users(self, numbers: Collection[int]) -> Mapping[int, int | None]:
        found = await self._store.rows(sa.select(members.c.id, members.c.user_id).where(members.c.id.in_(numbers)))
        return {row.id: row.user_id for row in found}


def _fed(row: Row, users: Mapping[int, int | None]) -> Feeding:
    giver, receiver = users[accounts.owner(row.source)], users[accounts.owner(row.target)]
    return Feeding(giver, receiver, int(row.total), row.gifts)


def _played(row: Row) -> Played:
    return Played(
        code=row.code,
        table=row.table_id,
        number=row.number,
        game=row.game,
        rules_name=row.rules_name,
        staked=row.staked,
        returned=row.returned,
        real=bool(row.real),
        at=row.at,
    )
