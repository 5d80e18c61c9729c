"""Prepares a bank that was put back to an earlier moment: the cards of its secret seeds may have been seen since then.

Every chain and every promise ends, and its root may be shown. Rounds that were sealed and not dealt get a new seal.
Open tables and tournaments are marked, so that open hands are called off first and everything else goes on under new
promises. The running day of Today's five and those that are prepared become void (R11.10): a new chain begins with
tomorrow. Duels and tournaments with the same cards for all that were not over are called off, and stakes and buy-ins
come back.
"""

from __future__ import annotations

from typing import Final

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from data.base.schema import (
    OPEN_CHAIN,
    OPEN_PROMISE,
    OPEN_TABLE,
    OPEN_TOURNAMENT,
    chains,
    promises,
    rounds,
    tables,
    tournaments,
)
from data.base.set_tables import BOUND_SET, OPEN_DUEL, OPEN_STREAM, duels, sets, streams
from data.base.values import NEVER
from data.seasons import places
from engine.sets.calendar import GRACE
from engine.tournament import restored

_WHY: Final = "a backup was restored"
#: The link of a round that was sealed without a chain and has to be sealed again, from a chain.
ANEW: Final = 0


async def mark(connection: AsyncConnection, at: float) -> int:
    """End all chains and promises, and mark open tables and tournaments as restored. Return how many were marked.

    Sets that are not over become void, boards of seasons lose the void days, and duels that are not over become due at
    once. All this is in the caller's transaction.
    """
    await connection.execute(sa.update(chains).where(OPEN_CHAIN).values(ended_at=at, why=_WHY))
    await connection.execute(sa.update(promises).where(OPEN_PROMISE).values(ended_at=at, why=_WHY))
    not_over = sets.c.closes == NEVER
    not_told = sa.and_(sets.c.day.is_not(None), sets.c.closes > at - GRACE, ~BOUND_SET)
    await connection.execute(sa.update(sets).where(sa.or_(not_told, not_over)).values(void=1))
    await places.without(connection, (await connection.execute(sa.select(sets.c.day).where(not_told))).scalars().all())
    await connection.execute(sa.update(duels).where(OPEN_DUEL).values(deadline=at))
    await connection.execute(sa.update(streams).where(OPEN_STREAM).values(ended_at=at, why=_WHY))
    here = rounds.c.table_id.in_(sa.select(tables.c.id).where(OPEN_TABLE))
    sealed = sa.and_(here, rounds.c.dealt_at.is_(None), rounds.c.link.is_(None))
    await connection.execute(sa.update(rounds).where(sealed).values(link=ANEW))
    found = (await connection.execute(sa.select(tables.c.id, tables.c.doc).where(OPEN_TABLE))).all()
    for row in found:
        told = sa.update(tables).where(tables.c.id == row.id).values(doc=restored.table(row.doc))
        await connection.execute(told)
    planned = (await connection.execute(sa.select(tournaments.c.id, tournaments.c.doc).where(OPEN_TOURNAMENT))).all()
    for row in planned:
        told = sa.update(tournaments).where(tournaments.c.id == row.id).values(doc=restored.tournament(row.doc))
        await connection.execute(told)
    return len(found) + len(planned)
