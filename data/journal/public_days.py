"""The sets that the house's book binds, with their tries: public days, and duels and tournaments that are over.

The book has people's numbers and no Discord ids, so *Forget me* changes no hash of the book.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections.abc import Iterable, Sequence
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from data.base.set_tables import BOUND_SET, sets, tries
from engine.sets.calendar import GRACE

#: Seconds between the moment a set becomes public and its binding, so that no press is still on its way.
MARGIN: Final = 300.0

# The columns that are hashed. Heads depend on them, so a column that is added later is not among them.
OF_A_SET: Final = (
    *("id", "kind", "guild", "day", "stream", "link", "name", "rules", "width", "filter", "valuation"),
    *("deals", "answers", "opens", "closes", "void"),
)
OF_A_TRY: Final = ("person", "version", "steps", "began_at", "finished_at", "points")

#: The query for the next public set that is not bound.
_NEW_SET: Final = (
    sa.select(sets).where(~BOUND_SET, sets.c.closes <= sa.bindparam("late")).order_by(sets.c.closes, sets.c.id).limit(1)
)
_TRIES_OF: Final = (
    sa.select(*(tries.c[name] for name in OF_A_TRY))
    .where(tries.c.set == sa.bindparam("set"), tries.c.archive == sa.literal_column("0"))
    .order_by(tries.c.person)
)


async def next_public(connection: AsyncConnection, now: float) -> Sequence[Any]:
    """Return a list with the row of the next set to bind, or an empty one."""
    return (await connection.execute(_NEW_SET, {"late": now - GRACE - MARGIN})).all()


async def digest_of(connection: AsyncConnection, row: Any) -> str:
    """Return the hash of a set with its tries, except those of a past day that were played for no points."""
    played = (await connection.execute(_TRIES_OF, {"set": row.id})).all()
    return await asyncio.to_thread(_digest, row, played)


def _digest(row: Any, played: Iterable[Any]) -> str:
    hashed = hashlib.sha256(_line([getattr(row, name) for name in OF_A_SET]))
    for each in played:
        hashed.update(_line(list(each)))
    return hashed.hexdigest()


def _line(values: Sequence[Any]) -> bytes:
    return json.dumps(values, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"
